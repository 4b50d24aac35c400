/** What a caller can choose. Written by `./build.sh types` from Rust's. */

/**
 * A starting point for `Settings`.
 *
 * - "recommended": What measured best with the embedded models.
 * - "paper": As in guan2024 and chen2023. Everything before a statement is its context, the prompt has ten whole
 *   passages without titles, the T5's p is the score, and 0.5 separates the verdicts.
 */
export type Preset = "recommended" | "paper";

/**
 * The unit of an answer that is judged at once.
 *
 * - "sentence": Each sentence. By itself: the better way by guan2024's Tab. 7.
 * - "paragraph": All of the answer.
 */
export type Unit = "sentence" | "paragraph";

/**
 * What makes a statement stand alone.
 *
 * - "rules": Rules for pronouns and for lead-ins of list items.
 * - "model": The T5, with the prompt of guan2024's Tab. 24; rules if what it writes is useless. It needs a model that
 *   can write text, such as FLAN-T5; the embedded one cannot.
 */
export type Resolver = "rules" | "model";

/**
 * Which of several sources of evidence are asked about a statement.
 *
 * - "untilSettled": One after the other, until there is a verdict. A later source costs nothing, and learns nothing,
 *   where those before it settle the statement.
 * - "all": All at once.
 */
export type Consult = "untilSettled" | "all";

/**
 * How far the index is searched for each statement; in JSON a number of bytes, or `"exact"`.
 *
 * - "exact": Until the passages are proved to be the best.
 * - number: Until this many bytes are read, 1,000 to 1,000,000,000. There are two round trips, and one more for each
 *   doubling from 100,000 bytes to this limit. The report says if a better passage may be missing.
 */
export type Search = "exact" | number;

/**
 * The models that the score comes from.
 *
 * - "nli": The NLI model. No T5 is loaded or run.
 * - "verifier": The T5 (guan2024). Its p alone (Sec. 4.2), calibrated unless the preset is paper. No NLI model is
 *   loaded or run, unless the windows of passages are to be chosen by it.
 * - "both": Both, by the pack's weight. Half and half if it has none for the two.
 */
export type ScoreBy = "nli" | "verifier" | "both";

/**
 * Which evidence goes into the T5's prompt. More is not always better (guan2024, conclusion III).
 *
 * - "passages": The passages that BM25 ranks highest, whole.
 * - "windows": The window of each passage that decides most by NLI, the most decisive first.
 */
export type Facts = "passages" | "windows";

/**
 * How the T5 is asked (guan2024, Sec. 4.2 and App. C.4).
 *
 * - "direct": The direct question: A or B (guan2024, Tab. 4). The simplest, and the best of the three by the paper's
 *   Tab. 21.
 * - "chainOfThought": A chain of thought: reasons, and then Yes or No (Tab. 20).
 * - "likert": A rating of 1 to 5 (Tab. 20). Rescaled to 0 to 1.
 * - "fid": Fusion in the decoder: the encoder reads each passage by itself (guan2024, Sec. 4.3, FiD). Only for a T5
 *   that was trained so.
 */
export type Method = "direct" | "chainOfThought" | "likert" | "fid";

/**
 * The wording of the direct question at the end of the prompt (guan2024, Tab. 4 and App. C.5).
 *
 * - "correct": "Based on the given facts, is the statement correct?" (Tab. 4)
 * - "entailed": "Is the statement entailed by the given facts?"
 * - "judge": "Based on the given facts, judge whether the statement is factually correct."
 * - "support": "Can the given facts support the statement?"
 */
export type Wording = "correct" | "entailed" | "judge" | "support";

/** A judged statement that a prompt shows before the one to judge (guan2024, Sec. 5.2 and Tab. 20). */
export interface Demonstration {
  /** Its evidence. */
  facts?: string[];
  /** What precedes the statement; "" for nothing. */
  context?: string;
  /** The statement. */
  statement: string;
  /** Whether it is factual. */
  factual: boolean;
  /** The reasons, for a chain of thought. The prompt adds the conclusion. */
  rationale?: string;
}

/** The settings of one verification. A caller may leave out any; the preset fills it in. */
export interface Settings {
  /**
   * The preset that fills in the fields that were not chosen.
   * @defaultValue `"recommended"`
   */
  preset: Preset;
  /**
   * Whether sentences that are no claims are left out.
   * @defaultValue `true`; of the preset "paper": `false`
   */
  claimsOnly: boolean;
  /**
   * Whether statements are made to stand alone before they are judged: names replace pronouns (guan2024, Sec. 5.3).
   * @defaultValue `true`; of the preset "paper": `false`
   */
  decontextualise: boolean;
  /**
   * What makes them stand alone.
   * @defaultValue `"rules"`
   */
  resolver: Resolver;
  /**
   * The unit of an answer that is judged at once.
   * @defaultValue `"sentence"`
   */
  unit: Unit;
  /**
   * The number of passages retrieved for each sentence, 0 to 100; 0 judges without evidence.
   * @defaultValue `10`
   */
  evidence: number;
  /**
   * Which sources they are retrieved from, where there are several.
   * @defaultValue `"untilSettled"`
   */
  consult: Consult;
  /**
   * How far the index is searched for them.
   * @defaultValue `200000`; of the preset "paper": `"exact"`
   */
  search: Search;
  /**
   * The most preceding sentences that go with a statement; 0 for none. If there are any, the question goes first.
   * @defaultValue `2`; of the preset "paper": `1000000`
   */
  context: number;
  /**
   * How often the statement is repeated in its query, 1 to 10, so that its words weigh more than those of its
   * context. Without a context it stands there once.
   * @defaultValue `2`; of the preset "paper": `1`
   */
  statementWeight: number;
  /**
   * The models that the score comes from.
   * @defaultValue `"nli"`; of the preset "paper": `"verifier"`
   */
  scoreBy: ScoreBy;
  /**
   * Whether scores and verdicts use the pack's calibration: its temperatures, bias and thresholds. Without it the
   * T5's p is its score, and 0.5 separates factual from unfactual (guan2024, Sec. 4.2 and 4.3). With `hard`, or with
   * another method than direct, p is never calibrated, because the calibration was not fitted on it.
   * @defaultValue `true`; of the preset "paper": `false`
   */
  calibrate: boolean;
  /**
   * The number of passages that NLI reads, best first, 1 to 100. The others are reported unread.
   * @defaultValue `3`; of the preset "paper": `100`
   */
  read: number;
  /**
   * The number of sentences in each premise that NLI reads, 0 to 100; 0 for the whole passage.
   * @defaultValue `0`
   */
  window: number;
  /**
   * The number of premises that NLI reads of each passage, 1 to 100: those that share most words with the statement.
   * @defaultValue `1`
   */
  windows: number;
  /**
   * Whether a compound statement is judged by its parts too, each beside the premise that fits it best.
   * @defaultValue `true`; of the preset "paper": `false`
   */
  parts: boolean;
  /**
   * Which evidence goes into the prompt. With `scoreBy` "verifier" it is "passages" unless it is chosen, so that no
   * NLI model is fetched, loaded or run.
   * @defaultValue `"windows"`; of the preset "paper": `"passages"`
   */
  facts: Facts;
  /**
   * Whether each piece of evidence in the prompt stands after its title.
   * @defaultValue `true`; of the preset "paper": `false`
   */
  titles: boolean;
  /**
   * The most pieces of evidence in the prompt, 0 to 100.
   * @defaultValue `3`; of the preset "paper": `10`
   */
  maxFacts: number;
  /**
   * How the T5 is asked.
   * @defaultValue `"direct"`
   */
  method: Method;
  /**
   * The wording of the direct question.
   * @defaultValue `"correct"`
   */
  wording: Wording;
  /**
   * Whether the direct question is asked in all four wordings; p is their mean (guan2024, Sec. 5.2).
   * @defaultValue `false`
   */
  everyWording: boolean;
  /**
   * Whether p is 1 or 0 by the T5's answer (guan2024, Tab. 18), in place of its probability.
   * @defaultValue `false`
   */
  hard: boolean;
  /**
   * Judged statements to show first (guan2024, Sec. 5.2), at most 20. A chain of thought without any shows the
   * paper's two.
   * @defaultValue `[]`
   */
  demonstrations: Demonstration[];
  /**
   * The most tokens in the prompt, 64 to 4,000.
   * @defaultValue `4000`
   */
  maxTokens: number;
  /**
   * The most decoding steps before an answer word must come, 1 to 1,000. A chain of thought has 256 if none are
   * chosen.
   * @defaultValue `8`
   */
  maxSteps: number;
  /**
   * The most characters in the answer, and in the question, 1 to 1,000,000.
   * @defaultValue `20000`
   */
  maxCharacters: number;
}

/** The settings of each preset. */
export const PRESETS: Record<Preset, Settings> = {
  paper: {
    calibrate: false,
    claimsOnly: false,
    consult: "untilSettled",
    context: 1000000,
    decontextualise: false,
    demonstrations: [],
    everyWording: false,
    evidence: 10,
    facts: "passages",
    hard: false,
    maxCharacters: 20000,
    maxFacts: 10,
    maxSteps: 8,
    maxTokens: 4000,
    method: "direct",
    parts: false,
    preset: "paper",
    read: 100,
    resolver: "rules",
    scoreBy: "verifier",
    search: "exact",
    statementWeight: 1,
    titles: false,
    unit: "sentence",
    window: 0,
    windows: 1,
    wording: "correct",
  },
  recommended: {
    calibrate: true,
    claimsOnly: true,
    consult: "untilSettled",
    context: 2,
    decontextualise: true,
    demonstrations: [],
    everyWording: false,
    evidence: 10,
    facts: "windows",
    hard: false,
    maxCharacters: 20000,
    maxFacts: 3,
    maxSteps: 8,
    maxTokens: 4000,
    method: "direct",
    parts: true,
    preset: "recommended",
    read: 3,
    resolver: "rules",
    scoreBy: "nli",
    search: 200000,
    statementWeight: 2,
    titles: true,
    unit: "sentence",
    window: 0,
    windows: 1,
    wording: "correct",
  },
};
