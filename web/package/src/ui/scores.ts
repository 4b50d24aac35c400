/** CONNER's scores (chen2023) in words: what each means, and what it is. English only. */

import type { Cohesion, ConnerReport, Factuality, Missing, Outcome, Score } from "../conner.js";
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

/** What each score is called, in the order of the paper. */
export const SCORE_NAMES: Record<Scored, string> = {
  factuality: "Factuality",
  relevance: "Relevance",
  cohesion: "Coherence within sentences",
  coherence: "Coherence across sentences",
  informativeness: "Informativeness",
  helpfulness: "Helpfulness",
  validity: "Validity",
};

/** What each score means. */
const MEANINGS: Record<Scored, string> = {
  factuality: "How far evidence supports the sentence that it supports least.",
  relevance: "Whether the answer is about what was asked.",
  cohesion: "How well each sentence reads to a language model: 1 / perplexity, far below 1 even for good prose.",
  coherence: "Whether the sentences hang together in this order.",
  informativeness:
    "How much of the answer a language model would not have guessed from what was asked: 1 - 1 / perplexity.",
  helpfulness: "How much likelier the answer makes the known right answer than passages at random do.",
  validity: "Whether the known right answer, or else evidence, supports the final answer.",
};

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
  referenceKnowledge: "reference knowledge",
  namedEntity: "a name or a number in the answer",
  weaklySupervisedModel: "a weakly supervised model, which these models do not include",
  multitaskModel: "a multitask NLI model, which these models do not include",
};

/** The scores in the order of the paper; `advice` says how what is missing can be put in, where it can be. */
export function scoreLines(report: ConnerReport, advice: Partial<Record<Missing, string>> = {}): ScoreLine[] {
  return (Object.keys(SCORE_NAMES) as Scored[]).map((key) => {
    const [name, meaning] = [SCORE_NAMES[key], MEANINGS[key]];
    const score: Outcome<Score> = report[key];
    if (score.missing) {
      const lacks = score.missing.map((lack) => (advice[lack] ? `${LACKS[lack]}: ${advice[lack]}` : LACKS[lack]));
      return { name, meaning, value: null, note: `No score. It needs ${list(lacks)}.`, lowest: null };
    }
    return {
      name,
      meaning,
      value: { number: score.value, text: decimal(score.value) },
      note: [
        `By ${score.model}${key === "validity" ? `, ${against(report.validity)}` : ""}.`,
        ...remarks(key, score),
      ].join(" "),
      lowest: key === "factuality" || key === "cohesion" ? lowest(report[key]) : null,
    };
  });
}

/** At this informativeness or above the model finds the text so improbable that it would say so of any text. */
const GUESSES_NOTHING = 0.99;

/** Further remarks on a score. */
function remarks(key: Scored, { value, cut }: Extract<Outcome<Score>, { value: number }>): string[] {
  const found: string[] = [];
  if (key === "informativeness" && value >= GUESSES_NOTHING)
    found.push(
      "It tells little: this model guesses next to nothing of any text, so that nearly all have 0.99 or more.",
    );
  if (cut) found.push(`Of the answer's ${cut.of} words it read the first ${cut.read}.`);
  return found;
}

/** How many scores there are, and of how many. */
export function tallyOf(lines: ScoreLine[]): string {
  return `${lines.filter(({ value }) => value).length} of ${lines.length}`;
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
