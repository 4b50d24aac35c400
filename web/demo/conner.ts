/**
 * CONNER's scores of the checked answer (chen2023): asked for by a button once the verdicts are there, for they take about as long again
 * and a model that nothing else needs. The answer is the knowledge that is scored; a final answer of a few words, and a known right one, are
 * the reader's to put in.
 */

import type { ConnerItem, ConnerStep, Missing, Report, Verifier } from "evident-check";
import { type ScoreLine, scoreLines, scoringOf, tallyOf } from "../package/src/ui/scores.js";
import { codeOf, explain } from "./advice.js";
import { byId, make } from "../package/src/ui/dom.js";
import { bytes, duration } from "./format.js";

/** How the reader of this page puts in what a score lacks. */
const ADVICE: Partial<Record<Missing, string>> = {
  question: "put in the question above and check again",
  answer: "put one in above",
  reference: "put one in above",
};

export class ConnerPanel {
  readonly #section = byId("conner", HTMLElement);
  readonly #start = byId("score", HTMLButtonElement);
  readonly #stop = byId("score-stop", HTMLButtonElement);
  readonly #final = byId("final-answer", HTMLInputElement);
  readonly #reference = byId("reference", HTMLInputElement);
  readonly #progress = byId("scoring-row", HTMLElement);
  readonly #status = byId("score-status", HTMLElement);
  readonly #alert = byId("score-alert", HTMLElement);
  readonly #scores = byId("scores", HTMLElement);
  readonly #goTo: (place: number) => void;
  #checked: { verifier: Verifier; report: Report } | null = null;
  #running: AbortController | null = null;

  /** `goTo` shows the sentence that stands at a place of the answer. */
  constructor(goTo: (place: number) => void) {
    this.#goTo = goTo;
    byId("conner-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#run();
    });
    this.#stop.addEventListener("click", () => this.#running?.abort());
  }

  /** Offers to score an answer that has been checked. */
  offer(verifier: Verifier, report: Report): void {
    this.#checked = { verifier, report };
    this.#section.hidden = false;
  }

  /** Takes the offer back, with the scores that there are and the work that is under way. */
  clear(): void {
    this.#checked = null;
    this.#running?.abort();
    this.#final.value = this.#reference.value = "";
    this.#status.textContent = "";
    this.#alert.replaceChildren();
    this.#scores.replaceChildren();
    this.#section.hidden = true;
  }

  async #run(): Promise<void> {
    if (this.#running || !this.#checked) return;
    const { verifier, report } = this.#checked;
    const running = new AbortController();
    this.#running = running;
    this.#setBusy(true);
    const item: ConnerItem = {
      question: report.question ?? "",
      knowledge: report.answer,
      answer: this.#final.value,
      reference: this.#reference.value,
    };
    const began = performance.now();
    try {
      const scores = await verifier.conner(item, { signal: running.signal, onStep: (step) => this.#show(step) });
      const lines = scoreLines(scores, ADVICE);
      this.#scores.replaceChildren(...lines.map((line) => this.#row(line)));
      this.#status.textContent = `Scored: ${tallyOf(lines)}, in ${duration(performance.now() - began)}.`;
    } catch (thrown) {
      if (this.#checked) this.#failed(thrown);
    } finally {
      this.#running = null;
      this.#setBusy(false);
    }
  }

  #failed(thrown: unknown): void {
    if (codeOf(thrown) === "cancelled") this.#status.textContent = "Stopped.";
    else this.#alert.replaceChildren(...explain(thrown));
  }

  #show(step: ConnerStep): void {
    const { fraction, label } = scoringOf(step, bytes);
    byId("scoring", HTMLProgressElement).value = fraction;
    byId("scoring-label", HTMLLabelElement).textContent = label;
    this.#progress.hidden = false;
  }

  #setBusy(busy: boolean): void {
    const [off, on] = busy ? [this.#start, this.#stop] : [this.#stop, this.#start];
    on.disabled = false;
    if (document.activeElement === off) on.focus(); // a disabled button would drop the focus
    off.disabled = true;
    this.#final.readOnly = this.#reference.readOnly = busy;
    if (busy) {
      this.#status.textContent = "Scoring.";
      this.#alert.replaceChildren();
      this.#scores.replaceChildren();
    } else this.#progress.hidden = true;
  }

  /** One score: its number as text and as a bar, or what it lacks. */
  #row({ name, meaning, value, note, lowest }: ScoreLine): HTMLElement {
    const row = make("li", "score", make("h3", "", name));
    if (value) {
      const fill = make("span", "fill");
      fill.style.inlineSize = `${100 * Math.min(1, value.number)}%`;
      const track = make("span", "track", fill);
      track.setAttribute("aria-hidden", "true");
      row.append(make("p", "bar", track, make("strong", "value", value.text)));
    }
    row.append(make("p", "", meaning), make("p", "hint", note));
    if (lowest) {
      const button = make("button", "link", lowest.text);
      button.type = "button";
      button.dir = "auto";
      button.addEventListener("click", () => this.#goTo(lowest.start));
      row.append(make("p", "hint", "Pulled down by: ", button));
    }
    return row;
  }
}
