/**
 * CONNER's scores of the checked answer (chen2023): asked for by a button once the verdicts are there, for they take about as long again
 * and a model that nothing else needs. The answer is the knowledge that is scored; a final answer of a few words, and a known right one, are
 * the reader's to put in.
 */

import {
  type ConnerItem,
  type ConnerReport,
  type ConnerStep,
  type Missing,
  type Outcome,
  type Report,
  type Score,
  type Verifier,
} from "evident-check";
import { codeOf, explain } from "./advice.js";
import { byId, element } from "./element.js";
import { bytes, decimal, duration } from "./format.js";

type Scored = Exclude<keyof ConnerReport, "quality">;

/** Each score's name and what it means, in the order of the paper. */
const SCORES: [key: Scored, name: string, meaning: string][] = [
  ["factuality", "Factuality", "How far evidence supports the sentence that it supports least."],
  ["relevance", "Relevance", "Whether the answer is about what was asked."],
  ["cohesion", "Coherence within sentences", "How well each sentence reads to a language model: 1 / perplexity, far below 1 even for good prose."],
  ["coherence", "Coherence across sentences", "Whether the sentences hang together in this order."],
  ["informativeness", "Informativeness", "How much of the answer a language model would not have guessed from what was asked: close to 1 for most texts."],
  ["helpfulness", "Helpfulness", "How much likelier the answer makes the final answer than passages at random do."],
  ["validity", "Validity", "Whether the known right answer, or else evidence, supports the final answer."],
];

const LACKS: Record<Missing, string> = {
  question: "what was asked: put in the question above and check again",
  topic: "a topic",
  knowledge: "a sentence to score",
  answer: "a final answer: put one in above",
  reference: "a known right answer: put one in above",
  evidence: "passages of evidence",
  referenceOrEvidence: "a known right answer, or evidence",
  randomPassages: "an index with passages on other subjects",
  longerSentence: "a longer sentence",
  uncertainAnswer: "a final answer that is not certain without any passage",
  nliModel: "an NLI model, which these models do not include",
  relevanceModel: "a relevance model, which these models do not include",
  languageModel: "a causal language model, which these models do not include",
  generatingModel: "a language model, causal or seq2seq, which these models do not include",
  discourseModel: "a discourse model, which these models do not include",
};

/** The share of the work that lies before each step ends. */
const DONE: Record<ConnerStep["step"], [from: number, to: number, label: string]> = {
  fetch: [0, 0.1, "Loading the models"],
  models: [0.1, 0.15, "Preparing the models"],
  factuality: [0.15, 0.7, "Factuality"],
  relevance: [0.7, 0.72, "Relevance"],
  cohesion: [0.72, 0.8, "Coherence within sentences"],
  coherence: [0.8, 0.82, "Coherence across sentences"],
  informativeness: [0.82, 0.9, "Informativeness"],
  helpfulness: [0.9, 0.96, "Helpfulness"],
  validity: [0.96, 1, "Validity"],
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
      this.#scores.replaceChildren(...SCORES.map((score) => this.#row(score, scores)));
      const found = SCORES.filter(([key]) => scores[key].value !== undefined).length;
      this.#status.textContent = `Scored: ${found} of ${SCORES.length}, in ${duration(performance.now() - began)}.`;
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
    const [from, to, name] = DONE[step.step];
    let [part, label] = [0, name];
    if (step.step === "fetch" || step.step === "models") {
      part = step.total ? step.loaded / step.total : 0;
      if (step.step === "fetch") label = `${name}: ${bytes(step.loaded)} of ${bytes(step.total)}`;
    } else if (step.step === "factuality") {
      part = step.sentence / step.of;
      label = `${name}: sentence ${step.sentence + 1} of ${step.of}`;
    }
    byId("scoring", HTMLProgressElement).value = from + (to - from) * part;
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
  #row([key, name, meaning]: (typeof SCORES)[number], scores: ConnerReport): HTMLElement {
    const score: Outcome<Score> = scores[key];
    const row = element("li", "score", element("h3", "", name));
    if (score.missing) {
      row.append(element("p", "", meaning), element("p", "hint", `No score. It needs ${list(score.missing.map((lack) => LACKS[lack]))}.`));
      return row;
    }
    const fill = element("span", "fill");
    fill.style.inlineSize = `${100 * Math.min(1, score.value)}%`;
    const track = element("span", "track", fill);
    track.setAttribute("aria-hidden", "true");
    row.append(
      element("p", "bar", track, element("strong", "value", number(score.value))),
      element("p", "", meaning),
      element("p", "hint", `By ${score.model}${key === "validity" ? `, ${against(scores.validity)}` : ""}.`),
    );
    const pulled = key === "factuality" || key === "cohesion" ? lowest(scores[key]) : undefined;
    if (pulled) {
      const button = element("button", "link", pulled.text);
      button.type = "button";
      button.dir = "auto";
      button.addEventListener("click", () => this.#goTo(pulled.start));
      row.append(element("p", "hint", "Pulled down by: ", button));
    }
    return row;
  }
}

/** The sentence that pulls a score down, where there is more than one. */
function lowest(score: ConnerReport["factuality"] | ConnerReport["cohesion"]): { start: number; text: string } | undefined {
  if (score.missing || score.sentences.length < 2) return undefined;
  return score.sentences[score.lowest];
}

function against(validity: ConnerReport["validity"]): string {
  return validity.missing || validity.equation === 8 ? "against evidence" : "against the known right answer";
}

/** Two decimals, or as many as the first that is not 0 takes. */
function number(value: number): string {
  return value > 0 && value < 0.01 ? value.toPrecision(1) : decimal(value);
}

/** "a", "a; and b", "a; b; and c": the parts have commas of their own. */
function list(parts: string[]): string {
  const [last, ...rest] = [...parts].reverse();
  return rest.length ? `${rest.reverse().join("; ")}; and ${last}` : (last ?? "");
}
