/** CONNER's scores (chen2023) of one answer in the panel: the button that asks for them, how far they are, and what they say. */

import { make } from "../../package/src/ui/dom.js";
import { failureOf } from "../../package/src/ui/failure.js";
import { type ScoreLine, scoreLines, scoringOf, tallyOf } from "../../package/src/ui/scores.js";
import type { Wording } from "../../package/src/ui/strings.js";
import type { Scoring } from "./messages.js";

/** What the widget's sheet, which stands beside this one, has no rules for. */
const STYLE = `
.scoring, .scores { display: grid; gap: 0.5rem; }
h3 { display: flex; gap: 1em; justify-content: space-between; margin: 0; font-size: 1em; }
.scoring :is(.status, .error, .scores):empty { margin-block-start: -0.5rem; }
.value { font-variant-numeric: tabular-nums; }
button.link { padding: 0; background: none; border: 0; color: var(--accent); font: inherit; text-align: start; text-decoration: underline; cursor: pointer; }
`;

let sheet: CSSStyleSheet | null = null;

/** The style of the scores, for the shadow tree that they stand in. */
export function scoresStyle(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
  }
  return sheet;
}

/** What happens beside the scores. */
interface Hooks {
  onStart(): void;
  onStop(): void;
  /** Gives what shows the sentence at a place of the answer; null where no such sentence was judged. */
  wayTo(place: number): (() => void) | null;
}

export class ScoresView {
  readonly element: HTMLElement;
  readonly #wording: Wording;
  readonly #hooks: Hooks;
  readonly #start = make("button", "back", "Score the answer with CONNER");
  readonly #stop = make("button", "back", "Stop");
  readonly #label = make("label", "");
  readonly #bar = make("progress", "bar");
  readonly #progress = make("div", "progress", this.#label, this.#bar);
  readonly #status = make("p", "status");
  readonly #error = make("div", "error");
  readonly #rows = make("ul", "scores");

  constructor(wording: Wording, hooks: Hooks) {
    this.#wording = wording;
    this.#hooks = hooks;
    for (const [button, act] of [[this.#start, hooks.onStart], [this.#stop, hooks.onStop]] as const) {
      button.type = "button";
      button.addEventListener("click", act);
    }
    this.#bar.max = 1;
    this.#bar.id = this.#label.htmlFor = "scoring";
    this.#status.setAttribute("role", "status");
    this.#status.tabIndex = -1; // takes the focus over from a button that goes
    this.#error.setAttribute("role", "alert");
    this.#rows.setAttribute("aria-label", "Scores");
    this.element = make("div", "scoring", this.#start, this.#stop, this.#progress, this.#status, this.#error, this.#rows);
    this.show(null, false);
  }

  /** @param offered says whether the scores may be asked for now. */
  show(scoring: Scoring | null, offered: boolean): void {
    const busy = scoring?.state === "waiting" || scoring?.state === "running";
    this.element.hidden = !scoring && !offered;
    this.#swap(busy, offered && scoring?.state !== "done");
    this.#progress.hidden = !busy;
    if (busy) this.#follow(scoring);
    const lines = scoring?.state === "done" ? scoreLines(scoring.report) : [];
    this.#status.textContent = lines.length ? `Scored: ${tallyOf(lines)}.` : scoring?.state === "stopped" ? "Stopped." : "";
    this.#error.replaceChildren(...(scoring?.state === "failed" ? failureOf(scoring.failure, this.#wording) : []));
    this.#rows.replaceChildren(...lines.map((line) => this.#row(line)));
  }

  #swap(busy: boolean, offered: boolean): void {
    const focused = [this.#start, this.#stop].some((button) => button.matches(":focus"));
    this.#start.hidden = busy || !offered;
    this.#stop.hidden = !busy;
    if (focused) (busy ? this.#stop : offered ? this.#start : this.#status).focus();
  }

  #follow(scoring: Extract<Scoring, { state: "waiting" | "running" }>): void {
    const step = scoring.state === "running" ? scoring.step : null;
    const { fraction, label } = step ? scoringOf(step, (bytes) => this.#wording.megabytes(bytes)) : { fraction: 0, label: "Waiting for the engine" };
    this.#bar.value = fraction;
    this.#label.textContent = label;
  }

  #row({ name, meaning, value, note, lowest }: ScoreLine): HTMLElement {
    const heading = make("h3", "", name);
    if (value) heading.append(" ", make("span", "value", value.text));
    const row = make("li", "score", heading, make("p", "", meaning), make("p", "hint", note));
    if (lowest) row.append(make("p", "hint", "Pulled down by: ", this.#sentence(lowest)));
    return row;
  }

  #sentence({ start, text }: NonNullable<ScoreLine["lowest"]>): HTMLElement {
    const go = this.#hooks.wayTo(start);
    const shown = go ? make("button", "link", text) : make("q", "", text);
    shown.dir = "auto";
    if (shown instanceof HTMLButtonElement) shown.type = "button";
    if (go) shown.addEventListener("click", go);
    return shown;
  }
}
