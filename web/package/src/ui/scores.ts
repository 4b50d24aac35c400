/** CONNER's scores (chen2023) in words: what each means, what it is, and how far a scoring has come. English only. */

import type { Cohesion, ConnerReport, ConnerStep, Factuality, Missing, Outcome, Score } from "../conner.js";
import type { Span } from "../report.js";

/** What there is to show of one score. */
export interface ScoreLine {
  name: string;
  /** What the score says of an answer. */
  meaning: string;
  /** From 0 to 1, as a number and as it is written; null where the score lacks something. */
  value: { number: number; text: string } | null;
  /** The model that gave it, or what it lacks. */
  note: string;
  /** The sentence that pulls the score down, where there is more than one. */
  lowest: (Span & { text: string }) | null;
}

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
  question: "what was asked",
  topic: "a topic",
  knowledge: "a sentence to score",
  answer: "a final answer",
  reference: "a known right answer",
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

/** The scores in the order of the paper; `advice` says how what is missing can be put in, where it can be. */
export function scoreLines(report: ConnerReport, advice: Partial<Record<Missing, string>> = {}): ScoreLine[] {
  return SCORES.map(([key, name, meaning]) => {
    const score: Outcome<Score> = report[key];
    if (score.missing) {
      const lacks = score.missing.map((lack) => (advice[lack] ? `${LACKS[lack]}: ${advice[lack]}` : LACKS[lack]));
      return { name, meaning, value: null, note: `No score. It needs ${list(lacks)}.`, lowest: null };
    }
    return {
      name,
      meaning,
      value: { number: score.value, text: decimal(score.value) },
      note: `By ${score.model}${key === "validity" ? `, ${against(report.validity)}` : ""}.`,
      lowest: key === "factuality" || key === "cohesion" ? lowest(report[key]) : null,
    };
  });
}

/** How many scores there are, and of how many. */
export function tallyOf(lines: ScoreLine[]): string {
  return `${lines.filter(({ value }) => value).length} of ${lines.length}`;
}

/** The share of the work that lies before each step begins and before it ends. */
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

/** How far a scoring is, in [0, 1] and in words; `size` writes a number of bytes. */
export function scoringOf(step: ConnerStep, size: (bytes: number) => string): { fraction: number; label: string } {
  const [from, to, name] = DONE[step.step];
  let [part, label] = [0, name];
  if (step.step === "fetch" || step.step === "models") {
    part = step.total ? step.loaded / step.total : 0;
    if (step.step === "fetch") label = `${name}: ${size(step.loaded)} of ${size(step.total)}`;
  } else if (step.step === "factuality") {
    part = step.sentence / step.of;
    label = `${name}: sentence ${step.sentence + 1} of ${step.of}`;
  }
  return { fraction: from + (to - from) * part, label };
}

function lowest(score: Outcome<Factuality> | Outcome<Cohesion>): ScoreLine["lowest"] {
  if (score.missing || score.sentences.length < 2) return null;
  return score.sentences[score.lowest] ?? null;
}

function against(validity: ConnerReport["validity"]): string {
  return validity.missing || validity.equation === 8 ? "against evidence" : "against the known right answer";
}

/** Two decimals, or as many as the first that is not 0 takes. */
function decimal(value: number): string {
  return value > 0 && value < 0.01 ? value.toPrecision(1) : value.toFixed(2);
}

/** "a", "a; and b", "a; b; and c": the parts have commas of their own. */
function list(parts: string[]): string {
  const [last, ...rest] = [...parts].reverse();
  return rest.length ? `${rest.reverse().join("; ")}; and ${last}` : (last ?? "");
}
