/** CONNER's scores (chen2023) of one answer: how far the scoring is, and what the scores say. */

import type { ConnerReport, ConnerStep, Missing } from "../conner.js";
import { make } from "./dom.js";
import { Estimate, withTimeLeft } from "./estimate.js";
import type { Failure } from "./failure.js";
import { bar } from "./numbers.js";
import { scoringOf } from "./progress.js";
import { type ScoreLine, scoreLines, tallyOf } from "./scores.js";
import type { Wording } from "./strings.js";

/** How the scores of an answer stand, once they were asked for; a running step is null until the engine names it. */
export type Scoring =
  | { state: "waiting" }
  | { state: "running"; step: ConnerStep | null }
  | { state: "stopped" }
  | { state: "failed"; failure: Failure }
  /** `took` says how long it took, where that is known. */
  | { state: "done"; report: ConnerReport; took?: string };

/** The elements that the panel fills; the buttons beside them are its owner's. */
export interface ScoreParts {
  /** Holds `label` and `bar`, and is shown while scores are awaited. */
  progress: HTMLElement;
  label: HTMLElement;
  bar: HTMLProgressElement;
  status: HTMLElement;
  error: HTMLElement;
  rows: HTMLElement;
}

/** What differs from owner to owner. */
export interface ScoreOptions {
  /** How a score is shown. */
  values: "numbers" | "bars";
  /** How to put in what a score lacks, where the reader can. */
  advice?: Partial<Record<Missing, string>>;
  /** What the status says while scores are awaited. */
  awaited?: string;
  /** Writes a number of bytes. */
  size(bytes: number): string;
  explain(failure: Failure): Node[];
  /** Gives what shows the sentence at a place of the answer; null where no such sentence was judged. */
  wayTo(place: number): (() => void) | null;
}

export class ScorePanel {
  readonly #parts: ScoreParts;
  readonly #wording: Wording;
  readonly #options: ScoreOptions;
  readonly #estimate = new Estimate();

  constructor(parts: ScoreParts, wording: Wording, options: ScoreOptions) {
    this.#parts = parts;
    this.#wording = wording;
    this.#options = options;
  }

  /** Shows how the scores stand; null where nobody asked for them. */
  show(scoring: Scoring | null): void {
    const { progress, status, error, rows } = this.#parts;
    const awaited = isAwaited(scoring);
    const lines = scoring?.state === "done" ? scoreLines(scoring.report, this.#options.advice) : [];
    progress.hidden = !awaited;
    if (awaited) this.#follow(scoring.state === "running" ? scoring.step : null);
    const said = this.#status(scoring, lines);
    if (status.textContent !== said) status.textContent = said; // a screen reader may read again what is set again
    error.replaceChildren(...(scoring?.state === "failed" ? this.#options.explain(scoring.failure) : []));
    rows.replaceChildren(...lines.map((line) => this.#row(line)));
  }

  #follow(step: ConnerStep | null): void {
    const { label, bar } = this.#parts;
    const start = { fraction: 0, label: this.#wording.say("scoringWaits") };
    const progress = step ? scoringOf(step, this.#wording, this.#options.size) : start;
    bar.value = progress.fraction;
    label.textContent = withTimeLeft(progress.label, this.#estimate.left(progress.fraction), this.#wording);
  }

  #status(scoring: Scoring | null, lines: ScoreLine[]): string {
    switch (scoring?.state) {
      case "waiting":
      case "running":
        return this.#options.awaited ?? "";
      case "stopped":
        return this.#wording.say("scoringStopped");
      case "done": {
        const { took } = scoring;
        return this.#wording.say(took ? "scoredIn" : "scored", { tally: tallyOf(lines), took: took ?? "" });
      }
      default:
        return "";
    }
  }

  /** One score with its number, or with what it lacks. */
  #row({ name, meaning, value, note, lowest }: ScoreLine): HTMLElement {
    const heading = make("h3", "", name);
    const row = make("li", "score", heading);
    if (value && this.#options.values === "bars")
      row.append(make("p", "bar", bar(value.number), make("strong", "value", value.text)));
    else if (value) heading.append(" ", make("span", "value", value.text));
    row.append(make("p", "", meaning), make("p", "hint", note));
    if (lowest) row.append(make("p", "hint", this.#wording.say("pulledDown"), " ", this.#sentence(lowest)));
    return row;
  }

  #sentence({ start, text }: NonNullable<ScoreLine["lowest"]>): HTMLElement {
    const go = this.#options.wayTo(start);
    const shown = go ? make("button", "link", text) : make("q", "", text);
    shown.dir = "auto";
    if (shown instanceof HTMLButtonElement) shown.type = "button";
    if (go) shown.addEventListener("click", go);
    return shown;
  }
}

/** Whether scores were asked for and are not there yet. */
export function isAwaited(scoring: Scoring | null): scoring is Extract<Scoring, { state: "waiting" | "running" }> {
  return scoring?.state === "waiting" || scoring?.state === "running";
}
