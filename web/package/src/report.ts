/**
 * The report of a verification, as the Rust engine writes it (crate/verify/REPORT.md); the command line's --json is the
 * same.
 */

import type { BackendKind } from "./module.js";

/**
 * Everything found out about one answer. Offsets are UTF-16 code units, so `answer.slice(start, end)` is the sentence.
 */
export interface Report {
  /** The version of this format. */
  schema: 2;
  /** What the chatbot was asked; null where that was not given. */
  question: string | null;
  /** What the chatbot said, as it was given. */
  answer: string;
  /** The sentences that were judged, in order. */
  sentences: SentenceReport[];
  /** Those that were not, for they are no claims, in order. */
  leftOut: LeftOut[];
  summary: Summary;
  /** The models behind score and verdict. */
  decidedBy: ("nli" | "verifier")[];
  backend: Backend;
  /** The models; `hash` is the SHA-256 of their pack.json. */
  pack: { name: string; version: string; hash: string };
  /** The index: how many passages it has, and the checksum in its manifest. */
  index: { passages: number; hash: string };
  /** What put the passages in order after BM25; null where nothing did. */
  rerank: {
    kind: "biEncoder" | "crossEncoder";
    candidates: number;
    pack: { name: string; version: string; hash: string };
  } | null;
  /** All settings, as they were used. */
  settings: Settings;
  /** Milliseconds spent in each stage, over all sentences. */
  timings: { retrieveMs: number; nliMs: number; verifyMs: number; totalMs: number };
  /** Index files that this verification fetched. */
  traffic: { requests: number; bytes: number };
}

/** How many sentences got each verdict, and the mean score of those that have evidence (null: none has). */
export interface Summary {
  factual: number;
  unfactual: number;
  mixed: number;
  noEvidence: number;
  score: number | null;
}

/** What computed: the kind, and the adapter's or the instruction set's name. */
export interface Backend {
  kind: BackendKind;
  name: string;
}

/**
 * "mixed": one passage entails the sentence, another contradicts it. "noEvidence": nothing was found that speaks for
 * the sentence or against it, or what was found does not decide it, or part of it was not read.
 */
export type Verdict = "factual" | "unfactual" | "mixed" | "noEvidence";

/**
 * What speaks for a second look at a sentence: a number in it, words that lean on what precedes it, a name that the
 * index hardly has, an unfactual sentence before it.
 */
export type Risk = "numeral" | "context" | "rareName" | "afterUnfactual";

/** A stretch of a text, of the answer where nothing else is said: UTF-16 code units, end exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** A sentence of the answer before it is judged. */
export interface Sentence extends Span {
  /** The sentence without Markdown. */
  text: string;
  /** What is judged: the text, made to stand alone where the settings say so. */
  statement: string;
}

/** How an answer falls into sentences. Both lists are empty where it has none. */
export interface Split {
  /** Those that a verification would judge, in order. */
  sentences: Sentence[];
  /** Those that it would not, in order. */
  leftOut: LeftOut[];
}

/**
 * Why a sentence is not judged. A "fragment" is a heading, a list's lead-in, a few words without a verb; an
 * "unresolved" sentence speaks of something unnamed, so it cannot be judged alone.
 */
export type NoClaim =
  | "question"
  | "instruction"
  | "opinion"
  | "pleasantry"
  | "judgment"
  | "forecast"
  | "fragment"
  | "unresolved";

/** A sentence that is not judged. */
export interface LeftOut extends Span {
  /** The sentence without Markdown. */
  text: string;
  /** Why it is not; later versions may have further kinds. */
  kind: NoClaim | (string & {});
}

/** One judged sentence. */
export interface SentenceReport extends Sentence {
  /** The question and the preceding sentences that were read with it; "" if none. */
  context: string;
  verdict: Verdict;
  /**
   * Whether a passage speaks of it. With "noEvidence", true says that the passages do not settle it, false that the
   * index knows nothing of it.
   */
  related: boolean;
  /** The calibrated probability of being factual, by the models of `scoreBy`, in [0, 1]. */
  score: number;
  /** The T5's p = P(true) / (P(true) + P(false)) (guan2024), before calibration; null where no T5 was asked. */
  pFactual: number | null;
  /** The decoding step, from 0, at which the T5 answered; null: at none, and p is 0.5, or no T5 was asked. */
  answeredAt: number | null;
  /**
   * Where the statement was judged in parts as well: each with its own verdict, of which the worst is the sentence's.
   */
  parts?: Part[];
  /** Stretches of `statement` that no model read; the verdict is "noEvidence" then. */
  unread?: Span[];
  /** Which words of the statement and of a passage stand against each other. */
  reason?: Reason;
  /** Words of `statement` that the deciding passage contradicts or lacks. */
  marks?: Span[];
  /** With `everyWording`: p by each wording, of which pFactual is the mean, and their standard deviation. */
  wordings?: { wording: Settings["wording"]; pFactual: number }[];
  spread?: number;
  /** What the T5 gave as reasons, with the method "chainOfThought". */
  rationale?: string;
  /** The triple of the evidence with most entailment (chen2023, Eq. 1). */
  nli: Nli;
  risks: Risk[];
  /**
   * Where the search came to its limits: the most BM25 score that a passage can have which it did not find. Null where
   * the passages are proved to be BM25's best.
   */
  bm25Bound: number | null;
  /** Passages found, best first. */
  evidence: Evidence[];
}

/** A part of a statement, judged by itself: `start` and `end` lie in `statement`, and `text` is what was judged. */
export interface Part extends Span {
  text: string;
  verdict: Verdict;
  score: number;
}

/** Why a sentence is contradicted: `said` in `statement` stands against `found` in the `text` of a passage. */
export interface Reason {
  /** The passage: its place in `evidence`. */
  evidence: number;
  said: Span;
  found: Span;
}

/** The three probabilities of natural language inference; they sum to 1. */
export interface Nli {
  entailment: number;
  neutral: number;
  contradiction: number;
}

/**
 * A passage found for a sentence, and what it says about it. Of one that NLI did not read, `nli`, `read` and `sentence`
 * are null.
 */
export interface Evidence {
  id: string;
  title: string;
  text: string;
  /** Where its facts come from, an address or a name; null where the index does not say. */
  source: string | null;
  /** Its BM25 score for the query made of context and statement. */
  bm25: number;
  /** The triple of the window that decides most: the one whose 1 - neutral is largest. */
  nli: Nli | null;
  /** What NLI read of `text`: that window. */
  read: Span | null;
  /** The deciding sentence inside `text`. */
  sentence: Span | null;
  /**
   * Whether the verdict rests on this passage: one for "factual" and "unfactual", for "mixed" one that entails the
   * sentence and one that contradicts it, none for "noEvidence".
   */
  decisive: boolean;
  /** Whether the T5 read this passage. */
  inPrompt: boolean;
}

/** A judged statement that a prompt shows before the one to judge. */
export interface Demonstration {
  facts?: string[];
  context?: string;
  statement: string;
  factual: boolean;
  /** Why; a chain of thought needs it. */
  rationale?: string;
}

/** How to verify. Of what a caller leaves out, the preset decides; the report has the settings in full. */
export interface Settings {
  /**
   * "recommended": what measured best with small models; "paper": as in guan2024 and chen2023.
   * @defaultValue `"recommended"`
   */
  preset: "recommended" | "paper";
  /**
   * Whether to leave out what is no claim.
   * @defaultValue `true`; of the preset "paper": `false`
   */
  claimsOnly: boolean;
  /**
   * Whether to judge statements made to stand alone: pronouns give way to names (guan2024, Sec. 5.3).
   * @defaultValue `true`; of the preset "paper": `false`
   */
  decontextualise: boolean;
  /**
   * What makes them so: rules, or the T5 (guan2024, Tab. 24), which has to be able to write, as the embedded one is
   * not.
   * @defaultValue `"rules"`
   */
  resolver: "rules" | "model";
  /**
   * What is judged at once: each sentence, or the whole answer.
   * @defaultValue `"sentence"`
   */
  unit: "sentence" | "paragraph";
  /**
   * Passages retrieved for each sentence, 0 to 100; 0 is to judge without evidence.
   * @defaultValue `10`
   */
  evidence: number;
  /**
   * Bytes of the index that may be read for each statement, 1,000 to 1,000,000,000, in two round trips and in one more
   * each time that 100,000 are doubled; the report says where a better passage may be missing. Or "exact": until they
   * are proved to be the best.
   * @defaultValue `100000`; of the preset "paper": `"exact"`
   */
  search: number | "exact";
  /**
   * Preceding sentences that go with each statement, at most; 0 is none. With any, the question goes first.
   * @defaultValue `2`; of the preset "paper": `1000000`
   */
  context: number;
  /**
   * How many times a statement that has a context stands in its query, 1 to 10: so much more its words weigh.
   * @defaultValue `2`; of the preset "paper": `1`
   */
  statementWeight: number;
  /**
   * Passages that NLI reads at first, best first, 1 to 100; more only while nothing decides.
   * @defaultValue `3`; of the preset "paper": `100`
   */
  read: number;
  /**
   * Sentences in each premise that NLI reads, 0 to 100; 0 is the whole passage.
   * @defaultValue `0`
   */
  window: number;
  /**
   * Premises that NLI reads of each passage, 1 to 100.
   * @defaultValue `1`
   */
  windows: number;
  /**
   * Whose number the score is: NLI's, the T5's ("verifier"), or both weighed as the pack says. The T5 is fetched and
   * loaded at the first check that asks for it.
   * @defaultValue `"nli"`; of the preset "paper": `"verifier"`
   */
  scoreBy: "nli" | "verifier" | "both";
  /**
   * What goes into the T5's prompt: whole passages as BM25 ranks them, or the windows that NLI finds most decisive.
   * @defaultValue `"windows"`; of the preset "paper": `"passages"`
   */
  facts: "passages" | "windows";
  /**
   * How many of those, 0 to 100.
   * @defaultValue `3`; of the preset "paper": `10`
   */
  maxFacts: number;
  /**
   * How the T5 is asked: for A or B, for reasons first, or for a rating of 1 to 5 (guan2024, C.4).
   * @defaultValue `"direct"`
   */
  method: "direct" | "chainOfThought" | "likert";
  /**
   * How the direct question is put (guan2024, C.5).
   * @defaultValue `"correct"`
   */
  wording: "correct" | "entailed" | "judge" | "support";
  /**
   * Whether it is put in all four wordings, and p is the mean.
   * @defaultValue `false`
   */
  everyWording: boolean;
  /**
   * Whether p is 1 or 0 by what the T5 says.
   * @defaultValue `false`
   */
  hard: boolean;
  /**
   * Judged statements that the T5 is shown first, 20 at most.
   * @defaultValue `[]`
   */
  demonstrations: Demonstration[];
  /**
   * The prompt's length in tokens, at most, 64 to 4,000.
   * @defaultValue `4000`
   */
  maxTokens: number;
  /**
   * Decoding steps until an answer word must come, at most, 1 to 1,000; a chain of thought has 256 where nothing is
   * said.
   * @defaultValue `8`
   */
  maxSteps: number;
  /**
   * The answer's length in characters, at most, 1 to 1,000,000.
   * @defaultValue `20000`
   */
  maxCharacters: number;
}

/** The steps of one sentence's verification, in order. */
export type Stage = "retrieve" | "rerank" | "nli" | "verify";

/**
 * What the engine tells while it works; "load" where it fetches and loads a model that this check is the first to ask
 * for.
 */
export type VerifyEvent =
  | ({ kind: "load" } & LoadProgress)
  | ({ kind: "sentences" } & Split)
  | { kind: "stage"; sentence: number; stage: Stage }
  | { kind: "sentence"; index: number; sentence: SentenceReport };

/**
 * What went wrong and stops nothing, and why, in `message`: "gpu-failed", the GPU did, and work goes on (or starts
 * over) on the CPU; "not-kept", the browser has no room for a file of the pack, which the next visit fetches again.
 */
export interface Notice {
  kind: "gpu-failed" | "not-kept";
  message: string;
}

/**
 * How far loading is: bytes for "pack" and "rerank" (the model that re-ranks, where one does), steps for the others.
 * "engine" is the wasm module and the device.
 */
export interface LoadProgress {
  stage: "engine" | "pack" | "models" | "rerank" | "index" | "warmup";
  loaded: number;
  total: number;
}
