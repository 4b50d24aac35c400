/** All words that are shown. A page can replace those of the element one by one; the others are English only. */

import type { ErrorCode } from "../errors.js";
import type { NoClaim, Risk, SourceState, Unread } from "../report.js";
import type { Standing } from "./standing.js";

/**
 * A text with places such as {n} in it; several by plural category (as Intl.PluralRules names them) where it counts
 * `n`.
 */
export type Template = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);

/** Every text that the element shows or speaks. */
export type Strings = Record<keyof typeof ENGLISH, Template>;

/** The words of the element in English. */
export const ENGLISH = {
  label: "Fact check",
  text: "Text to check",
  check: "Check",
  cancel: "Cancel",
  show: "Show the sentences",
  hide: "Hide the sentences",
  sentences: "Checked sentences",
  hint: "The model is small: a verdict is a reason to look at the evidence, not the last word.",
  before:
    "The first check fetches models ({size}), which this browser keeps. The text stays on this device. The models read English.",
  beforeUnknown:
    "The first check fetches models, which this browser keeps. The text stays on this device. The models read English.",
  nextFlagged: "Next flagged ({n})",
  copy: "The text with its marks",
  code: "Code",
  table: "Table",
  reasoning: "What the model thought first",

  factual: "Supported",
  likelyFactual: "Probably supported",
  unfactual: "Contradicted",
  likelyUnfactual: "Probably contradicted",
  mixed: "Mixed evidence",
  undecided: "Undecided",
  notInIndex: "Not in this index",
  factualNumber: "{n} supported",
  likelyFactualNumber: "{n} probably supported",
  unfactualNumber: "{n} contradicted",
  likelyUnfactualNumber: "{n} probably contradicted",
  mixedNumber: "{n} mixed",
  undecidedNumber: "{n} undecided",
  notInIndexNumber: "{n} not in this index",
  factualMeans: "A passage says so.",
  likelyFactualMeans: "A passage seems to say so. This is less sure: read it.",
  unfactualMeans: "A passage says otherwise.",
  likelyUnfactualMeans: "A passage seems to say otherwise. This is less sure: read it.",
  mixedMeans: "One passage supports it, another contradicts it.",
  undecidedMeans: "The passages found do not settle it.",
  notInIndexMeans: "No passage found says whether it is so. That is no sign of an error.",
  unread: "Part of this sentence was too long to be read, so it is not judged.",
  waiting: "waiting",
  retrieve: "finding evidence",
  rerank: "re-ranking it",
  nli: "comparing",
  verify: "judging",
  notChecked: "not checked",
  leftOut: {
    one: "{n} sentence makes no claim and was not judged.",
    other: "{n} sentences make no claim and were not judged.",
  },
  leftOutOthers: { one: "{n} sentence was not judged: {kinds}.", other: "{n} sentences were not judged: {kinds}." },
  "kind-question": "a question",
  "kind-instruction": "advice",
  "kind-opinion": "an opinion",
  "kind-pleasantry": "no claim",
  "kind-judgment": "a judgment",
  "kind-forecast": "a forecast",
  "kind-fragment": "no sentence",
  "kind-unresolved": "not clear by itself",
  "kind-formula": "a formula",
  "kind-denied": "called false by the answer itself",
  "kind-language": "not in English",

  loadEngine: "Starting the engine",
  loadPack: "Loading the models: {loaded} of {total}",
  loadModels: "Preparing the models",
  loadRerank: "Loading the model that re-ranks: {loaded} of {total}",
  loadIndex: "Opening the index",
  loadWarmup: "Warming up",
  loading: "Loading the models.",
  queued: "Waiting for another check to end",
  checking: { one: "Checking {n} sentence.", other: "Checking {n} sentences." },
  checked: "{n} of {total} sentences checked",
  timeLeft: "about {time} left",
  done: "Done: {tally}.",
  noClaims: "Done: nothing in this text is a claim that could be checked.",
  cancelled: "Cancelled.",
  cancelledAfter: "Cancelled: {n} of {total} sentences checked.",
  changed: "The text has changed since it was checked.",
  unchanged: "This is the text that was checked.",
  gpuFailed: "The graphics device failed, and the CPU has taken over.",
  wikiWaits: {
    one: "The wiki asked to wait {n} second. The sentences that it is asked about wait.",
    other: "The wiki asked to wait {n} seconds. The sentences that it is asked about wait.",
  },

  evidence: "Evidence",
  readAs: "Read as:",
  marked: "Marked are words that the passage contradicts or lacks:",
  reason: "The passage says “{found}”, the claim says “{said}”.",
  lookTwice: "Look twice: {risks}.",
  "risk-numeral": "it has a number",
  "risk-context": "it leans on what precedes it",
  "risk-rareName": "the index hardly has a name in it",
  "risk-afterUnfactual": "it follows a sentence that is not supported",
  "risk-wording": "the T5’s answer depends on the wording of its question",
  parts: "Its parts",
  combined: "Probability of being factual",
  t5: "T5",
  t5Silent: "T5 (gave no answer)",
  askT5: "Second opinion by the T5 ({size})",
  askT5Here: "Second opinion by the T5",
  secondOpinion: "Second opinion by the T5:",
  t5Agrees: "It agrees.",
  t5Differs: "It does not agree with the first verdict: look at the evidence.",
  dependsOnWording: "The T5’s answer depends on the wording of its question: by one it is so, by another it is not.",
  searchLimited: "The search kept to its limit: the index may have better passages.",
  noPassage: "The index has no passage that shares a word with this sentence.",
  ambiguous: "“{name}” has several articles:",
  others: { one: "{n} other passage", other: "{n} other passages" },
  whole: "The whole passage",
  details: "Details",
  rank: "No. {n} · BM25 {bm25}",
  closest: "The closest passage:",
  speaksFor: "This passage supports it:",
  speaksAgainst: "This passage contradicts it:",
  notRead: "not read",
  inPrompt: "read by the T5",
  entailment: "Entailment",
  neutral: "Neutral",
  contradiction: "Contradiction",
  source: "Source:",
  back: "Show it in the text",
  dismiss: "Dismiss this mark",
  restore: "Show this mark again",
  dismissed: "dismissed",
  wrong: "This is wrong",
  wrongHint: "What is right? Your answer is saved as a file, with the sentence and its evidence. Nothing is sent.",
  isTrue: "It is true",
  isFalse: "It is false",
  isOpen: "The evidence does not say",

  sources: "Its sources",
  checkSources: "Check the sources",
  sourcesAsk: {
    one: "This fetches {n} page that the text cites, from {hosts}. The host learns which page, and nothing of your text.",
    other:
      "This fetches {n} pages that the text cites, from {hosts}. The hosts learn which pages, and nothing of your text.",
  },
  fetchSources: "Fetch and check",
  sourcesWork: "Checking the sources: {n} of {total}",
  sourcesDone: "The sources are checked.",
  "source-supported": "Supported by its source",
  "source-contradicted": "Contradicted by its source",
  "source-mixed": "Its source says both",
  "source-notInIt": "Not in its source",
  "source-unread": "Source could not be read ({reason})",
  "unread-notGiven": "not fetched",
  "unread-notFound": "not found",
  "unread-blocked": "blocked",
  "unread-paywall": "login or paywall",
  "unread-tooLarge": "too large",
  "unread-timeout": "took too long",
  "unread-notText": "no text",
  "unread-empty": "empty",
  "unread-private": "private network",
  "unread-failed": "host not reached",
  giveSource: "Give this page as a file",
  page: "page {n}",

  "measured-factual": {
    one: "{n} test claim was called supported: {percent} right.",
    other: "Of {n} test claims that were called supported, {percent} are true.",
  },
  "measured-unfactual": {
    one: "{n} test claim was called contradicted: {percent} right.",
    other: "Of {n} test claims that were called contradicted, {percent} are false.",
  },
  "measured-likelyFactual": {
    one: "{n} test claim was called probably supported: {percent} right.",
    other: "Of {n} test claims that were called probably supported, {percent} are true.",
  },
  "measured-likelyUnfactual": {
    one: "{n} test claim was called probably contradicted: {percent} right.",
    other: "Of {n} test claims that were called probably contradicted, {percent} are false.",
  },
  measuredNot: "These models do not state how often their verdicts are right.",

  "error-empty-answer": "There is nothing to check",
  "error-answer-too-long": "The text is too long",
  "error-question-too-long": "The question is too long",
  "error-bad-settings": "A setting is wrong",
  "error-bad-passages": "The passages cannot be indexed",
  "error-cancelled": "Cancelled",
  "error-network": "A file could not be fetched",
  "error-index-missing": "The index is not there",
  "error-index-version": "The index is of another version",
  "error-index-corrupt": "The index is damaged",
  "error-index-unexpected": "This is not the index that is expected",
  "error-index-unsigned": "This index does not have the signature that is expected",
  "error-index-rollback": "This index is older than the one before",
  "error-pack-missing": "The models are not there",
  "error-pack-version": "The models are of another version",
  "error-pack-corrupt": "The models are damaged",
  "error-pack-unexpected": "These are not the models that are expected",
  "error-pack-unsigned": "These models do not have the signature that is expected",
  "error-pack-rollback": "These models are older than those before",
  "error-pack-architecture": "These models cannot be run",
  "error-signature-unavailable": "This browser cannot check signatures",
  "error-backend-unavailable": "This backend is not available here",
  "error-backend-lost": "The graphics device stopped working",
  "error-out-of-memory": "There is not enough memory",
  "error-internal": "The engine failed",
} as const satisfies Record<string, Template> &
  Record<
    | Standing
    | `${Standing}Number`
    | `kind-${NoClaim}`
    | `risk-${Risk}`
    | `source-${SourceState}`
    | `unread-${Unread}`
    | `error-${ErrorCode}`,
    Template
  >;

/** Words that only the demo page and the extension show. */
const OTHERS = {
  sourcesRefused: "Without leave to read these sites, none of their pages is fetched.",
  card: "About the models",
  scoringWaits: "Waiting for the engine",
  scoringStopped: "Stopped.",
  scored: "Scored: {tally}.",
  scoredIn: "Scored: {tally}, in {took}.",
  pulledDown: "Pulled down by:",
} as const satisfies Record<string, Template>;

/** The name of a text. */
export type Word = keyof Strings | keyof typeof OTHERS;

/** Says things in one language. */
export class Wording {
  /** A language tag that Intl knows how to read. */
  readonly lang: string;
  readonly #strings: Record<Word, Template>;

  constructor(strings: Partial<Strings>, lang: string) {
    this.#strings = { ...OTHERS, ...ENGLISH, ...strings };
    this.lang = isLanguage(lang) ? lang : "en";
  }

  /** The text of this name with its places filled in; whole numbers are written as the language writes them. */
  say(name: Word, places: Record<string, number | string> = {}): string {
    const template = this.#strings[name];
    const { n } = places;
    const category = typeof n === "number" ? new Intl.PluralRules(this.lang).select(n) : "other";
    const text = typeof template === "string" ? template : (template[category] ?? template.other);
    return text.replace(/\{(\w+)\}/g, (place, key: string) => {
      const value = places[key];
      return typeof value === "number" ? value.toLocaleString(this.lang) : (value ?? place);
    });
  }

  decimal(value: number): string {
    return value.toLocaleString(this.lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  }

  /** A time, roughly: to five seconds, or from a minute on to the minute. */
  duration(ms: number): string {
    const seconds = Math.max(5, 5 * Math.round(ms / 5_000));
    const [value, unit] = seconds < 60 ? [seconds, "second"] : [Math.round(ms / 60_000), "minute"];
    return value.toLocaleString(this.lang, { style: "unit", unit, unitDisplay: "long" });
  }

  megabytes(bytes: number): string {
    return (bytes / 1e6).toLocaleString(this.lang, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 });
  }
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
