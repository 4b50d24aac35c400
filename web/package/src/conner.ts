/**
 * CONNER: six scores of a piece of knowledge and of the answer given with it (chen2023), as the Rust engine gives them
 * (crate/verify/CONNER.md); the command line's `evident conner --json` is the same.
 */

import type { Nli, Span } from "./report.js";

/** What is scored. Any may be missing or blank: a score says what it lacks. */
export interface ConnerItem {
  /** What the user asked. */
  question?: string;
  /**
   * A passage that was generated or found to help answer. Of a chatbot's explanatory answer it is the answer itself.
   */
  knowledge?: string;
  /** The final answer, apart from the knowledge: helpfulness and validity are about it. */
  answer?: string;
  /** A known right answer: validity is against it where there is one. */
  reference?: string;
  /** What the question is about, such as a page's title; only prompts that name it need it. */
  topic?: string;
}

/** The scores of one item. Offsets are UTF-16 code units in the knowledge. */
export interface ConnerReport {
  /** Whether evidence supports the knowledge (Eq. 1). */
  factuality: Outcome<Factuality>;
  /** Whether the knowledge is about the question (Eq. 2). */
  relevance: Outcome<Score>;
  /** Coherence within sentences: whether each reads as language does (Eq. 3). */
  cohesion: Outcome<Cohesion>;
  /** Coherence across sentences: whether they hang together in their order (Eq. 4). */
  coherence: Outcome<Score>;
  /** Whether the knowledge is new to a language model that knows the question (Eq. 5). */
  informativeness: Outcome<Informativeness>;
  /** Whether the knowledge makes the answer more probable than random passages do (Eq. 6). */
  helpfulness: Outcome<Helpfulness>;
  /** Whether the answer is right (Eq. 7 or 8). */
  validity: Outcome<Validity>;
  /** Q_know, the overall quality of the knowledge (Eq. 9). */
  quality: Outcome<Score>;
}

/**
 * A score with the model that gave it (several are joined by " + "), or all that it would need and that is not there.
 */
export type Outcome<T extends Score> = (T & { model: string; missing?: never }) | { missing: Missing[]; value?: never };

/** An input, or a kind of model in the pack. */
export type Missing =
  | "question"
  | "topic"
  | "knowledge"
  | "answer"
  | "reference"
  | "evidence"
  | "referenceOrEvidence"
  | "randomPassages"
  | "longerSentence"
  | "uncertainAnswer"
  | "nliModel"
  | "relevanceModel"
  | "languageModel"
  | "generatingModel"
  | "discourseModel";

/** What every score has. */
export interface Score {
  /** 0 to 1, where 1 is best; Eq. 9's with another gamma than the default may leave that range. */
  value: number;
}

/** Eq. 1, with what it is made of. */
export interface Factuality extends Score {
  /** The triple of the sentence with the least entailment. */
  min: Nli;
  mean: Nli;
  /** The triple of the sentence with the most entailment. */
  max: Nli;
  /** Of these three the one that `settings.aggregate` chose; `value` is its entailment. */
  triple: Nli;
  /**
   * Each sentence with the triple of the passage that supports it most, that passage's id (null: none was found), and
   * the entailment of every passage, in the order they were found.
   */
  sentences: (Span & { text: string; nli: Nli; passage: string | null; evidence: number[] })[];
  /** The index of the sentence that pulls the score down. */
  lowest: number;
}

/** Eq. 3, with what it is made of. */
export interface Cohesion extends Score {
  /** Each sentence with its 1 / perplexity (null: it has a single token, and is left out). */
  sentences: (Span & { text: string; value: number | null })[];
  /** The index of the sentence that pulls the score down. */
  lowest: number;
}

/** Eq. 5, with what it was read from. */
export interface Informativeness extends Score {
  /** The tokens of the knowledge that it rests on. */
  tokens: number;
}

/** Eq. 6, with what it is made of. */
export interface Helpfulness extends Score {
  /** Before it is cut off at 0 (Tab. 16): at most 1. */
  unclipped: number;
  /** Nats a token of the answer, given the knowledge. */
  loss: number;
  /** The mean of the same, given each random passage. */
  randomLoss: number;
  randomPassages: number;
}

/** Eq. 7 or 8, with what it is made of. */
export interface Validity extends Score {
  nli: Nli;
  /** 7: against the reference; 8: against evidence. */
  equation: 7 | 8;
  /** Eq. 8: the id of the passage that supports the answer most. */
  passage?: string | null;
}

/**
 * How to score. What a caller leaves out is as in the paper; crate/verify/CONNER.md says what the released code has.
 */
export interface ConnerSettings {
  /** How sentences become one factuality. */
  aggregate: "min" | "mean" | "max";
  /** Passages retrieved for each sentence and for an open answer, 1 to 100. */
  evidence: number;
  /**
   * Bytes of the index that may be read for each text, 1,000 to 1,000,000,000, or "exact": until they are proved to be
   * the best.
   */
  search: number | "exact";
  /** Sentences in each premise that NLI reads, 0 to 100; 0 is the whole passage. */
  window: number;
  /** Premises that NLI reads of each passage, 1 to 100. */
  windows: number;
  /** Tokens of question and knowledge together for relevance, 16 to 4,000. */
  relevanceTokens: number;
  /** Tokens of a sentence that count for its perplexity; 0 is all. */
  cohesionTokens: number;
  /** The most that a sentence's perplexity counts for; null is no cap. */
  perplexityCap: number | null;
  /** What the knowledge's probability is conditioned on; {question} and {topic} are filled in. */
  informativenessPrompt: string;
  /** Words of the knowledge that count for informativeness; 0 is all. */
  informativenessWords: number;
  /** What the answer's probability is conditioned on; {knowledge}, {question} and {topic} are filled in. */
  helpfulnessPrompt: string;
  /** Words of the knowledge, and of each random passage, in that prompt, 1 or more. */
  helpfulnessWords: number;
  /** How many random passages the knowledge is set against, 1 to 100. */
  randomPassages: number;
  /** What they are drawn by, with the question. */
  seed: number;
  /** Tokens of a prompt that a seq2seq model reads, 64 to 4,000. */
  maxTokens: number;
  /** "span" is Eq. 7, "open" Eq. 8; "auto" is "span" where there is a reference. */
  validity: "auto" | "span" | "open";
  /** What stands between question and answer in Eq. 7. */
  validitySeparator: string;
  /** Eq. 9's weights of factuality, relevance, coherence and informativeness. */
  gamma: [number, number, number, number];
}

/**
 * What the engine is about to do. "fetch" (bytes) and "models" come once, for the models that only these scores need; a
 * step is told again where there is more of it to do.
 */
export type ConnerStep =
  | { step: "fetch" | "models"; loaded: number; total: number }
  | { step: "factuality"; sentence: number; of: number }
  | { step: "relevance" | "cohesion" | "coherence" | "informativeness" | "helpfulness" | "validity" };
