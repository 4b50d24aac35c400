/**
 * CONNER's scores (chen2023) of the checked answer. A button asks for them after the verdicts: they take about as long
 * again, and models that nothing else needs. The answer is scored as the knowledge; the reader may add a final answer
 * of a few words, and a known right one.
 */

import type { ConnerItem, ConnerStep, Missing, Report, Verifier } from "evident-check";
import { plainError } from "../package/src/errors.js";
import { byId, handOver } from "../package/src/ui/dom.js";
import { ScorePanel, type Scoring } from "../package/src/ui/score-panel.js";
import { codeOf, explain } from "./advice.js";
import { bytes, duration, WORDING } from "./format.js";

/** How the reader of this page puts in what a score lacks. */
const ADVICE: Partial<Record<Missing, string>> = {
  question: "put in the question above and check again",
  answer: "put one in above",
  reference: "put one in above",
};

export class ConnerForm {
  readonly #section = byId("conner", HTMLElement);
  readonly #start = byId("score", HTMLButtonElement);
  readonly #stop = byId("score-stop", HTMLButtonElement);
  readonly #final = byId("final-answer", HTMLInputElement);
  readonly #reference = byId("reference", HTMLInputElement);
  readonly #panel: ScorePanel;
  #checked: { verifier: Verifier; report: Report } | null = null;
  #running: AbortController | null = null;

  /** `goTo` shows the sentence that stands at a place of the answer. */
  constructor(goTo: (place: number) => void) {
    const parts = {
      progress: byId("scoring-row", HTMLElement),
      label: byId("scoring-label", HTMLElement),
      bar: byId("scoring", HTMLProgressElement),
      status: byId("score-status", HTMLElement),
      error: byId("score-alert", HTMLElement),
      rows: byId("scores", HTMLElement),
    };
    this.#panel = new ScorePanel(parts, WORDING, {
      values: "bars",
      advice: ADVICE,
      awaited: "Scoring.",
      size: bytes,
      explain,
      wayTo: (place) => () => goTo(place),
    });
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

  /** Takes the offer back: removes the scores and stops the work. */
  clear(): void {
    this.#checked = null;
    this.#running?.abort();
    this.#final.value = this.#reference.value = "";
    this.#panel.show(null);
    this.#section.hidden = true;
  }

  async #run(): Promise<void> {
    if (this.#running || !this.#checked) return;
    const { verifier, report } = this.#checked;
    const running = new AbortController();
    this.#running = running;
    this.#setBusy(true);
    this.#panel.show({ state: "running", step: null });
    const item: ConnerItem = {
      question: report.question ?? "",
      knowledge: report.answer,
      answer: this.#final.value,
      reference: this.#reference.value,
    };
    const began = performance.now();
    try {
      const onStep = (step: ConnerStep) => this.#panel.show({ state: "running", step });
      const scores = await verifier.conner(item, { signal: running.signal, onStep });
      this.#panel.show({ state: "done", report: scores, took: duration(performance.now() - began) });
    } catch (thrown) {
      const ended: Scoring =
        codeOf(thrown) === "cancelled" ? { state: "stopped" } : { state: "failed", failure: plainError(thrown) };
      this.#panel.show(this.#checked && ended);
    } finally {
      this.#running = null;
      this.#setBusy(false);
    }
  }

  #setBusy(busy: boolean): void {
    const [off, on] = busy ? [this.#start, this.#stop] : [this.#stop, this.#start];
    handOver(off, on, "disabled");
    this.#final.readOnly = this.#reference.readOnly = busy;
  }
}
