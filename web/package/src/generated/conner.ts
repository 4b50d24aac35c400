/** What CONNER scores, and what its scores tell. Written by `./build.sh types` from Rust's. */

import type { Nli } from "./report.js";
import type { Search } from "./settings.js";

/** The texts and the topic that are scored. Any of them may be missing; a blank one counts as missing. */
export interface ConnerItem {
  /** The subject of the question, such as a page's title. Only prompts that name it need it. */
  topic?: string;
  /** What the user asked, q. */
  question?: string;
  /**
   * A passage that was generated or found to help answer, k. For a chatbot's explanatory answer, it is the answer
   * itself.
   */
  knowledge?: string;
  /** The final answer, a. */
  answer?: string;
  /** A known right answer, a*. */
  reference?: string;
}

/**
 * An input or a model that a score lacks.
 *
 * - "question": The question, q.
 * - "topic": The topic, if the settings' prompt names it.
 * - "knowledge": The knowledge, k.
 * - "answer": The final answer, a.
 * - "reference": A known right answer, a*.
 * - "evidence": Passages, or an index of them.
 * - "referenceOrEvidence": Either a known right answer or passages.
 * - "randomPassages": Passages that are not about the question.
 * - "longerSentence": A sentence of two tokens: the first token of a text has no probability.
 * - "uncertainAnswer": An answer whose probability is below 1 after random passages.
 * - "nliModel": A classifier with entailment, neutral and contradiction.
 * - "relevanceModel": A cross-encoder or a bi-encoder.
 * - "languageModel": A causal language model.
 * - "generatingModel": A seq2seq or a causal language model.
 * - "discourseModel": A classifier of paragraphs with one or two logits.
 * - "referenceKnowledge": Right knowledge, k*, for a baseline.
 * - "namedEntity": A name or a number in the knowledge.
 * - "weaklySupervisedModel": A classifier with the labels CORRECT and INCORRECT.
 * - "multitaskModel": A second NLI model, trained on several tasks.
 */
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
  | "discourseModel"
  | "referenceKnowledge"
  | "namedEntity"
  | "weaklySupervisedModel"
  | "multitaskModel";

/** A score that is one number. */
export interface Score {
  /** The score, 0 to 1; Eq. 9's with another gamma than the default may leave that range. */
  value: number;
}

/** How much of a text was read. */
export interface Cut {
  /** The number of words that were read. */
  read: number;
  /** The number of words that there are. */
  of: number;
}

/** A score, or what it lacks. */
export type Outcome<T extends Score> =
  | (T & { model: string; cut?: Cut; missing?: never })
  | { missing: Missing[]; value?: never };

/** One sentence of the knowledge and what its evidence says of it. */
export interface CheckedSentence {
  /** The sentence without Markdown. */
  text: string;
  /** The triple of the evidence with the most entailment. */
  nli: Nli;
  /** The id of that passage; null if none was found. */
  passage: string | null;
  /**
   * The highest entailment of each passage, in the order in which they were found. The scores with fewer passages
   * follow from it (Fig. 4).
   */
  evidence: number[];
  /** Its first unit. */
  start: number;
  /** The unit after its last. */
  end: number;
}

/** Factuality (Eq. 1). */
export interface Factuality {
  /** The entailment of `triple`, 0 to 1. */
  value: number;
  /** The triple of the sentence with the least entailment. */
  min: Nli;
  /** The means of the three probabilities. */
  mean: Nli;
  /** The triple of the sentence with the most entailment. */
  max: Nli;
  /** The one of these three that the settings choose. */
  triple: Nli;
  /** The sentences in order. */
  sentences: CheckedSentence[];
  /** The number of the sentence with the least entailment, which pulls the score down; the first among equals. */
  lowest: number;
}

/** One sentence of the knowledge and its perplexity. */
export interface ReadSentence {
  /** The sentence without Markdown. */
  text: string;
  /** 1 / PPL, 0 to 1; null for a sentence of one token, which is left out of the mean. */
  value: number | null;
  /** Its first unit. */
  start: number;
  /** The unit after its last. */
  end: number;
}

/** Sentence-level cohesion (Eq. 3). */
export interface Cohesion {
  /** The mean of the sentences' 1 / PPL, 0 to 1. */
  value: number;
  /** The sentences in order. */
  sentences: ReadSentence[];
  /** The number of the sentence with the least 1 / PPL, which pulls the score down; the first among equals. */
  lowest: number;
}

/** Paragraph-level coherence (Eq. 4). */
export interface Coherence {
  /** The score, 0 to 1: the sigmoid of `raw`. */
  value: number;
  /** The score before normalisation: the model's logit, or the second of its two logits minus the first. */
  raw: number;
}

/** Informativeness (Eq. 5). */
export interface Informativeness {
  /** The score, 0 to 1. */
  value: number;
  /** M, the number of tokens of k that it is computed from. */
  tokens: number;
}

/** Helpfulness (Eq. 6). */
export interface Helpfulness {
  /** The score as printed, 0 to 1. */
  value: number;
  /** Without the max(0, .), as in Tab. 16: at most 1. */
  unclipped: number;
  /** L(q, k, a), in nats per token of a. */
  loss: number;
  /** The mean of L(q, k-, a). */
  randomLoss: number;
  /** u, the number of random passages; fewer than the setting if the index has no more. */
  randomPassages: number;
}

/** Validity (Eq. 7 or 8). */
export interface Validity {
  /** The entailment, 0 to 1. */
  value: number;
  /** The whole triple. */
  nli: Nli;
  /** Which equation: 7 for a span against the reference, 8 for an open-ended answer against evidence. */
  equation: 7 | 8;
  /** Eq. 8: the id of the passage with the most entailment. */
  passage?: string;
}

/** The name of a score. */
export type ScoreName =
  | "factuality"
  | "relevance"
  | "cohesion"
  | "coherence"
  | "informativeness"
  | "helpfulness"
  | "validity"
  | "quality";

/** The scores of one item. In JSON a score is an object that has either `value` and `model`, or `missing`. */
export interface ConnerReport {
  /** Whether evidence supports the knowledge (Eq. 1). */
  factuality: Outcome<Factuality>;
  /** Whether the knowledge is about the question (Eq. 2). */
  relevance: Outcome<Score>;
  /** Whether each sentence reads as natural language (Eq. 3). */
  cohesion: Outcome<Cohesion>;
  /** Whether the sentences make a coherent paragraph in their order (Eq. 4). */
  coherence: Outcome<Coherence>;
  /** Whether the knowledge is new to a language model that knows the question (Eq. 5). */
  informativeness: Outcome<Informativeness>;
  /** Whether the knowledge makes the right answer more probable than random passages do (Eq. 6). */
  helpfulness: Outcome<Helpfulness>;
  /** Whether the answer is right (Eq. 7 or 8). */
  validity: Outcome<Validity>;
  /** Q_know, the overall quality of the knowledge (Eq. 9). */
  quality: Outcome<Score>;
}

/**
 * How the factuality scores of sentences are aggregated (Sec. 3.3): the paper's three operations, "to match the
 * desired error tolerance level".
 *
 * - "min": That of the worst sentence, as Eq. 1 is printed.
 * - "mean": The mean of each of the three probabilities.
 * - "max": That of the best sentence, the released code's default.
 */
export type Aggregate = "min" | "mean" | "max";

/**
 * Which answer the knowledge is to help with (a of Eq. 6).
 *
 * - "reference": The known right one, as in the paper.
 * - "generated": The one that was given with the knowledge.
 */
export type HelpfulAnswer = "reference" | "generated";

/**
 * Which equation gives validity, 7 or 8.
 *
 * - "auto": Eq. 7 if there is a reference, else Eq. 8.
 * - "span": Eq. 7: the answer is a span, read against the reference.
 * - "open": Eq. 8: the answer is open-ended, read against evidence.
 */
export type ValidityForm = "auto" | "span" | "open";

/** The settings of one scoring. A caller may leave out any; it then has its default. */
export interface ConnerSettings {
  /**
   * How the factuality scores of sentences are aggregated (Eq. 1): by the minimum, as printed. Released: max.
   * @defaultValue `"min"`
   */
  aggregate: Aggregate;
  /**
   * The number of passages retrieved for each sentence (l of Eq. 1) and for an open-ended answer (Eq. 8), 1 to 100.
   * @defaultValue `10`
   */
  evidence: number;
  /**
   * How far the index is searched for them.
   * @defaultValue `200000`
   */
  search: Search;
  /**
   * The number of sentences in each premise that NLI reads, 0 to 100; 0 for the whole passage, as in the paper.
   * @defaultValue `0`
   */
  window: number;
  /**
   * The number of premises that NLI reads of each passage, 1 to 100: those that share most words with the sentence.
   * @defaultValue `1`
   */
  windows: number;
  /**
   * The most tokens of question and knowledge together for relevance (Eq. 2), 16 to 4,000. Longer knowledge loses
   * its end. Released: 512.
   * @defaultValue `512`
   */
  relevanceTokens: number;
  /**
   * The most tokens of a sentence that count for its perplexity (Eq. 3); 0 for all that fit into the model.
   * Released: 500, the default.
   * @defaultValue `500`
   */
  cohesionTokens: number;
  /**
   * The cap of a sentence's perplexity (Eq. 3), 1 or more; null for no cap. Released: 200.
   * @defaultValue `null`
   */
  perplexityCap: number | null;
  /**
   * The prompt before k (Eq. 5), a template with {question} and {topic}: q alone. Released: "Generate a Wikipedia to
   * answer the given question.\nTopic: {topic}.\nQuestion: {question}\nWikipedia: ", with a question mark.
   * @defaultValue `"{question}"`
   */
  informativenessPrompt: string;
  /**
   * The most words of k that count for informativeness (Eq. 5); 0 for all. Released: 300, the default.
   * @defaultValue `300`
   */
  informativenessWords: number;
  /**
   * The answer that helpfulness is about: the right one. Released: the same.
   * @defaultValue `"reference"`
   */
  helpfulnessAnswer: HelpfulAnswer;
  /**
   * The prompt before the answer (Eq. 6), a template with {knowledge}, {question} and {topic}. The released code
   * puts up to 1,800 words of demonstrations of this form before it: to do the same, write them into the template.
   * @defaultValue `"Passage: {knowledge}\nQuery: {question}\nAnswer:"`
   */
  helpfulnessPrompt: string;
  /**
   * The most words of k, and of each random passage, in that prompt, 1 or more; fewer if the model has no room.
   * Released: 500.
   * @defaultValue `500`
   */
  helpfulnessWords: number;
  /**
   * The number of random passages that k is compared with (u of Eq. 6), 1 to 100. Released: 1.
   * @defaultValue `5`
   */
  randomPassages: number;
  /**
   * The seed of the random passages. The same seed and question give the same passages.
   * @defaultValue `0`
   */
  seed: number;
  /**
   * The most tokens of a prompt that a seq2seq model reads, 64 to 4,000.
   * @defaultValue `1024`
   */
  maxTokens: number;
  /**
   * Which equation gives validity, 7 or 8.
   * @defaultValue `"auto"`
   */
  validity: ValidityForm;
  /**
   * The text between question and answer in the premise and hypothesis of Eq. 7. Released: a tab.
   * @defaultValue `" "`
   */
  validitySeparator: string;
  /**
   * Eq. 9's coefficients of factuality, relevance, paragraph coherence and informativeness.
   * @defaultValue `[0.25,0.25,0.25,0.25]`
   */
  gamma: [number, number, number, number];
}

/** The settings if none are chosen. */
export const CONNER_DEFAULTS: ConnerSettings = {
  aggregate: "min",
  cohesionTokens: 500,
  evidence: 10,
  gamma: [0.25, 0.25, 0.25, 0.25],
  helpfulnessAnswer: "reference",
  helpfulnessPrompt: "Passage: {knowledge}\nQuery: {question}\nAnswer:",
  helpfulnessWords: 500,
  informativenessPrompt: "{question}",
  informativenessWords: 300,
  maxTokens: 1024,
  perplexityCap: null,
  randomPassages: 5,
  relevanceTokens: 512,
  search: 200000,
  seed: 0,
  validity: "auto",
  validitySeparator: " ",
  window: 0,
  windows: 1,
};
