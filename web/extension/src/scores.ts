/**
 * CONNER's scores (chen2023) of one answer in the panel: the buttons that ask for them and stop them, and the scores
 * below.
 */

import { make } from "../../package/src/ui/dom.js";
import { failureOf } from "../../package/src/ui/failure.js";
import { isAwaited, ScorePanel, type Scoring } from "../../package/src/ui/score-panel.js";
import type { Wording } from "../../package/src/ui/strings.js";

/** What happens beside the scores. */
interface Hooks {
  onStart(): void;
  onStop(): void;
  /** Gives what shows the sentence at a place of the answer; null where no such sentence was judged. */
  wayTo(place: number): (() => void) | null;
}

export class ScoresView {
  readonly element: HTMLDetailsElement;
  readonly #panel: ScorePanel;
  readonly #start = make("button", "back", "Score the answer with CONNER");
  readonly #stop = make("button", "back", "Stop");
  readonly #status = make("p", "status");

  constructor(wording: Wording, { onStart, onStop, wayTo }: Hooks) {
    for (const [button, act] of [
      [this.#start, onStart],
      [this.#stop, onStop],
    ] as const) {
      button.type = "button";
      button.addEventListener("click", act);
    }
    const [label, bar, error, rows] = [
      make("label", ""),
      make("progress", "bar"),
      make("div", "error"),
      make("ul", "scores"),
    ];
    const [progress, status] = [make("div", "progress", label, bar), this.#status];
    bar.max = 1;
    bar.id = label.htmlFor = "scoring";
    status.setAttribute("role", "status");
    status.tabIndex = -1; // takes the focus over from a button that goes
    error.setAttribute("role", "alert");
    rows.setAttribute("aria-label", "Scores");
    this.#panel = new ScorePanel({ progress, label, bar, status, error, rows }, wording, {
      values: "numbers",
      size: (bytes) => wording.megabytes(bytes),
      explain: (failure) => failureOf(failure, wording),
      wayTo,
    });
    const scoring = make("div", "scoring", this.#start, this.#stop, progress, status, error, rows);
    this.element = make("details", "details", make("summary", "", wording.say("details")), scoring);
    this.show(null, false);
  }

  /** @param offered says whether the scores may be asked for now. */
  show(scoring: Scoring | null, offered: boolean): void {
    this.element.hidden = !scoring && !offered;
    if (scoring) this.element.open = true;
    this.#swap(isAwaited(scoring), offered && scoring?.state !== "done");
    this.#panel.show(scoring);
  }

  #swap(busy: boolean, offered: boolean): void {
    const focused = [this.#start, this.#stop].some((button) => button.matches(":focus"));
    this.#start.hidden = busy || !offered;
    this.#stop.hidden = !busy;
    if (focused) (busy ? this.#stop : offered ? this.#start : this.#status).focus();
  }
}
