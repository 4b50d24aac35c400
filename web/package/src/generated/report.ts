/** What a verification tells. Written by `./build.sh types` from Rust's. */

import type { Settings, Wording } from "./settings.js";

/**
 * A way to compute. The Cargo feature of the same name compiles it in.
 *
 * - "cpu": Burn's flex backend: portable Rust with SIMD, natively on `Threads` too.
 * - "webgpu": Burn's wgpu backend: WebGPU in a browser, Vulkan, Metal or DirectX natively.
 */
export type BackendKind = "cpu" | "webgpu";

/** A stretch of a text, in UTF-16 code units. */
export interface Span {
  /** Its first unit. */
  start: number;
  /** The unit after its last. */
  end: number;
}

/**
 * The verdict on a sentence (guan2024, Sec. 3: factual, unfactual, no evidence).
 *
 * - "factual": The evidence supports it.
 * - "unfactual": The evidence contradicts it.
 * - "mixed": One good passage supports it and another contradicts it.
 * - "noEvidence": No evidence decides it.
 */
export type Verdict = "factual" | "unfactual" | "mixed" | "noEvidence";

/**
 * How sure a verdict is.
 *
 * - "sure": By the pack's thresholds for sure verdicts. Mixed and no evidence are always sure.
 * - "likely": Less sure: such verdicts are wrong more often. Only factual and unfactual can be likely.
 */
export type Confidence = "sure" | "likely";

/**
 * A reason for a second look at a sentence.
 *
 * - "numeral": It has a number or an ordinal: verifiers do worst on these (guan2024, Sec. 5.3, Fig. 4).
 * - "context": It depends on what precedes it even after it was made to stand alone: a pronoun or demonstrative comes
 *   before any name (guan2024, Sec. 5.3, Tab. 11).
 * - "rareName": It has a name that hardly any passage of the index has.
 * - "afterUnfactual": An earlier sentence of the answer is not factual, but unfactual, mixed or without evidence:
 *   errors come together (guan2024, App. C.6, Tab. 23).
 * - "wording": The T5's answer depends on the wording of its question: p is above 0.5 for one wording and below for
 *   another (guan2024, Sec. 5.2, Tab. 10).
 */
export type Risk = "numeral" | "context" | "rareName" | "afterUnfactual" | "wording";

/**
 * What a sentence is: a claim, or the reason why it is not judged.
 *
 * - "question": It asks.
 * - "instruction": It tells the reader what to do.
 * - "opinion": It gives its writer's opinion, in the first person.
 * - "pleasantry": It greets, thanks, offers, apologises, or speaks of the answer itself.
 * - "judgment": It says what is good, right or beautiful.
 * - "forecast": It says what will be.
 * - "fragment": A heading, a lead-in to a list, or a few words without a verb.
 * - "unresolved": It speaks of something that nothing before it names, such as "It is large.", so it cannot be judged
 *   alone.
 * - "language": It is not in English, which is all that the models read.
 * - "formula": It contains a formula or another object that cannot be written as text.
 * - "denied": The answer itself calls it false: "Myth: ...", "❌ ...".
 */
export type NoClaim =
  | "question"
  | "instruction"
  | "opinion"
  | "pleasantry"
  | "judgment"
  | "forecast"
  | "fragment"
  | "unresolved"
  | "language"
  | "formula"
  | "denied";

/**
 * The relation of a premise to a statement: three probabilities that sum to 1 (chen2023's factual-consistent,
 * non-verified and factual-inconsistent).
 */
export interface Nli {
  /** The premise entails the statement. */
  entailment: number;
  /** The premise says nothing of it. */
  neutral: number;
  /** The premise contradicts it. */
  contradiction: number;
}

/** The words of a statement and of a passage that contradict each other. */
export interface Reason {
  /** The passage's number in the sentence's evidence, from 0. */
  evidence: number;
  /** What the statement says: a stretch of `statement`. */
  said: Span;
  /** What the passage says instead: a stretch of its text. */
  found: Span;
}

/** A part of a statement, judged by itself. */
export interface Part {
  /** Its words: a part of a compound statement is a sentence with its subject. */
  text: string;
  /** Its verdict. */
  verdict: Verdict;
  /** How sure the verdict is. */
  confidence: Confidence;
  /** Its score, 0 to 1. */
  score: number;
  /** Its first unit. */
  start: number;
  /** The unit after its last. */
  end: number;
}

/** The T5's answer to one wording of the question. */
export interface ByWording {
  /** The wording. */
  wording: Wording;
  /** The probability that the sentence is factual. */
  pFactual: number;
  /** The decoding step, from 0, of the answer; null if there was none, and then p is 0.5. */
  answeredAt: number | null;
}

/** One passage and what it says of one sentence. */
export interface Evidence {
  /** The passage's id. */
  id: string;
  /** Its title. */
  title: string;
  /** Its text. */
  text: string;
  /** The source of its facts. */
  source: string | null;
  /**
   * The number of the source that found it in the report's `sources`; null if it is of none of them, such as a
   * passage of a cited page.
   */
  from: number | null;
  /** Its date, as YYYY-MM-DD, if it has one of its own. */
  date?: string;
  /** Its licence, if it has one of its own. */
  license?: string;
  /**
   * Its BM25 score for the query made of context and statement, in which names count as terms too. Scores of several
   * sources are on one scale.
   */
  bm25: number;
  /** What its most decisive premise says of the sentence; null if it was not read. */
  nli: Nli | null;
  /** That premise: a stretch of `text`. */
  read: Span | null;
  /** The sentence of that premise that shares most words with the statement. */
  sentence: Span | null;
  /** Whether the verdict rests on it. */
  decisive: boolean;
  /** Whether it was in the T5's prompt. */
  inPrompt: boolean;
}

/** A name that stands for several articles of a wiki. */
export interface Ambiguous {
  /** The name. */
  name: string;
  /** The address of the page that lists the articles. */
  source: string;
  /** The first of them. */
  articles: Listed[];
}

/** An article that a page lists. */
export interface Listed {
  /** Its title. */
  title: string;
  /** Its address. */
  source: string;
}

/** A mark by which a sentence names its source: a link, the number of a footnote, or one such as "[1]". */
export interface Citation {
  /** The link's words, or the number. */
  label: string;
  /** The address that it stands for, of http or https; null if the answer does not say. */
  address: string | null;
  /** Its first unit. */
  start: number;
  /** The unit after its last. */
  end: number;
}

/**
 * What a cited page says of a sentence.
 *
 * - "supported": It supports the sentence.
 * - "contradicted": It contradicts the sentence.
 * - "mixed": One passage of it supports the sentence and another contradicts it.
 * - "notInIt": None of the passages found in it decides the sentence.
 * - "unread": It was not read.
 */
export type SourceState = "supported" | "contradicted" | "mixed" | "notInIt" | "unread";

/**
 * Why a cited page was not read.
 *
 * - "notGiven": The caller did not give the page.
 * - "notFound": It is not there (HTTP 404 or 410).
 * - "blocked": Its host refuses to give it, or lets no other site read it.
 * - "paywall": Its host asks for a login or for money (HTTP 401 or 402).
 * - "tooLarge": It has more bytes than may be read.
 * - "timeout": It did not come in time.
 * - "notText": It is no text, such as a picture.
 * - "empty": It has no words to compare with.
 * - "private": Its address, or one that it leads to, is that of a private network.
 * - "failed": Its host could not be reached, or failed.
 */
export type Unread =
  | "notGiven"
  | "notFound"
  | "blocked"
  | "paywall"
  | "tooLarge"
  | "timeout"
  | "notText"
  | "empty"
  | "private"
  | "failed";

/** What a page says of a sentence that cites it. */
export interface SourceReport {
  /** The page's address, as the sentence cites it. */
  address: string;
  /** What the page says. */
  state: SourceState;
  /** Why the page was not read; only of an unread one. */
  reason?: Unread;
  /** The passages of the page that decide: one, two if they disagree, none if nothing is decided. */
  evidence?: Evidence[];
}

/** A sentence that will be judged. */
export interface Sentence {
  /** The sentence without Markdown. */
  text: string;
  /**
   * The statement that will be judged: the sentence, with its pronouns resolved by rule if the settings ask for
   * that.
   */
  statement: string;
  /** The question and the sentences before it that go with the statement, joined by spaces; "" for none. */
  context: string;
  /** What it cites, in order. */
  citations?: Citation[];
  /** Its first unit. */
  start: number;
  /** The unit after its last. */
  end: number;
}

/** One sentence that was not judged. */
export interface LeftOut {
  /** The sentence without Markdown. */
  text: string;
  /** What it is instead of a claim. Later versions may have further kinds. */
  kind: NoClaim | (string & {});
  /** Its first unit. */
  start: number;
  /** The unit after its last. */
  end: number;
}

/**
 * The alignment of a table's column.
 *
 * - "left": On the left.
 * - "center": In the middle.
 * - "right": On the right.
 */
export type Align = "left" | "center" | "right";

/**
 * What a stretch of Markdown is.
 *
 * - "text": Words. If they have as many UTF-16 units as their place in the answer, each unit is at its own place; if
 *   not, only the whole text corresponds to the whole place.
 * - "paragraph": Words in lines.
 * - "heading": A heading.
 * - "quote": A quote; its children are blocks.
 * - "list": A list of items.
 * - "item": An item of a list.
 * - "table": A table of rows, the first of which names the columns.
 * - "row": A row of cells.
 * - "cell": A cell of a row.
 * - "codeBlock": A block of code.
 * - "rule": A horizontal rule.
 * - "footnote": A note that a number in the text refers to.
 * - "reasoning": What a model thought before it answered.
 * - "emphasis": Emphasised words.
 * - "strong": Strongly emphasised words.
 * - "deleted": Words struck out.
 * - "code": Code within a line.
 * - "link": A link.
 * - "image": An image; its children are the words in its place.
 * - "footnoteReference": The number or name of a footnote.
 */
export type MarkupKind =
  | {
      kind: "text";
      /** The words. */
      text: string;
    }
  | { kind: "paragraph" }
  | {
      kind: "heading";
      /** 1 to 6. */
      level: number;
    }
  | { kind: "quote" }
  | {
      kind: "list";
      /** The number of the first item; null if they have none. */
      first: number | null;
    }
  | {
      kind: "item";
      /** Of a task, whether it is done. */
      checked: boolean | null;
    }
  | { kind: "table" }
  | {
      kind: "row";
      /** Whether it names the columns. */
      head: boolean;
    }
  | {
      kind: "cell";
      /** The alignment of its column. */
      align: Align | null;
    }
  | {
      kind: "codeBlock";
      /** The language that it says it is in; "" for none. */
      language: string;
    }
  | { kind: "rule" }
  | {
      kind: "footnote";
      /** Its number or name. */
      label: string;
    }
  | { kind: "reasoning" }
  | { kind: "emphasis" }
  | { kind: "strong" }
  | { kind: "deleted" }
  | { kind: "code" }
  | {
      kind: "link";
      /** What it links to, as the answer has it. */
      url: string;
    }
  | { kind: "image" }
  | {
      kind: "footnoteReference";
      /** The number or name. */
      label: string;
    };

/** A block of an answer's Markdown, or a stretch within one. */
export type Markup = {
  /** What stands in it, in order. */
  children: Markup[];
} & MarkupKind & {
    /** Its first unit. */
    start: number;
    /** The unit after its last. */
    end: number;
  };

/** The sentences of an answer. Both lists are empty if it has none. */
export interface Split {
  /**
   * The sentences that `Verifier::verify`(crate::Verifier::verify) judges, in order; with `Unit::Paragraph` they
   * are one. Rules made the statements. If the settings' resolver is a model, it makes each anew before it is
   * judged.
   */
  sentences: Sentence[];
  /** The sentences that are no claims and are not judged, in order. */
  leftOut: LeftOut[];
  /** The answer, block by block, for whoever shows it. */
  blocks: Markup[];
}

/** One sentence, judged. */
export interface SentenceReport {
  /** Its start in the answer. */
  start: number;
  /** Its end in the answer. */
  end: number;
  /** The sentence without Markdown. */
  text: string;
  /** The statement that was judged: the sentence, made to stand alone if the settings ask for that. */
  statement: string;
  /** The question and preceding sentences that went with it; "" for none. */
  context: string;
  /** The verdict. */
  verdict: Verdict;
  /** How sure the verdict is. */
  confidence: Confidence;
  /**
   * Whether a passage is about it, or could be, because a part of the statement was not read. For a sentence without
   * a verdict this distinguishes "undecided" from "not in this index".
   */
  related: boolean;
  /** The score, 0 to 1, from the models that the settings name, calibrated as they say. */
  score: number;
  /** The T5's probability that it is factual (guan2024, Sec. 4.2); null if the T5 was not asked. */
  pFactual: number | null;
  /**
   * The decoding step, from 0, at which the T5 answered the wording of the settings, or else the first wording that
   * it answered; null if it answered none, and then p is 0.5.
   */
  answeredAt: number | null;
  /** p by each wording of the question, if all were asked; `pFactual` is their mean. */
  wordings?: ByWording[];
  /** The standard deviation of p over the wordings. */
  spread?: number;
  /** The reasons that the T5 gave, if the method asks for them. */
  rationale?: string;
  /** The triple of the passage with the most entailment (chen2023, Eq. 1). */
  nli: Nli;
  /**
   * The parts, in order, of a compound statement, which was judged as a whole too, or of one that is too long to be
   * read at once.
   */
  parts?: Part[];
  /** The stretches of `statement` that no model read. */
  unread?: Span[];
  /** The reason for the verdict. */
  reason?: Reason;
  /** The words of `statement` that the deciding passage contradicts or lacks. */
  marks?: Span[];
  /** Reasons for a second look at it. */
  risks: Risk[];
  /** An upper bound on the BM25 score of any passage that the search missed; null if it proved that it missed none. */
  bm25Bound: number | null;
  /** The passages that were retrieved, best first. */
  evidence: Evidence[];
  /** The names in it that stand for several articles of a wiki, which the verdict does not rest on. */
  ambiguous?: Ambiguous[];
  /** What it cites, in order. */
  citations?: Citation[];
  /** What each page that it cites says of it: each address once, in order. Empty until the pages are checked. */
  sources?: SourceReport[];
}

/**
 * A model that scores and verdicts come from.
 *
 * - "nli": The NLI model.
 * - "verifier": The T5.
 */
export type Decider = "nli" | "verifier";

/** How the T5's p and the support of the passages by NLI make one score. */
export interface Combination {
  /** The T5's share, w. */
  weight: number;
  /** Whether the weight was fitted and is from the pack; otherwise it is one half. */
  fitted: boolean;
}

/** The verdicts of a whole answer, counted, with its score and coverage. */
export interface Summary {
  /** The number of sentences that are surely factual. */
  factual: number;
  /** The number of sentences that are surely unfactual. */
  unfactual: number;
  /** The number of sentences that are likely factual. */
  likelyFactual: number;
  /** The number of sentences that are likely unfactual. */
  likelyUnfactual: number;
  /** The number of sentences with passages for and against them. */
  mixed: number;
  /** The number of sentences that no evidence decides. */
  noEvidence: number;
  /**
   * The mean score of all judged sentences, including those without a verdict; null if there are none.
   *
   * It is the better of guan2024's two scores of a paragraph (Tab. 7, Para B: "averaging sentence-level scores"), in
   * which every sentence counts. The released code judges single statements and has no such step.
   */
  score: number | null;
  /** The share of the sentences that have another verdict than no evidence, 0 to 1; null if there are none. */
  coverage: number | null;
}

/** What the models of a report ran on. */
export interface Backend {
  /** The backend. */
  kind: BackendKind;
  /** The adapter's name, or the CPU's vector instructions. */
  name: string;
}

/** The pack of a report's models. */
export interface PackReport {
  /** The pack's name. */
  name: string;
  /** Its version. */
  version: string;
  /** The SHA-256 of its manifest. */
  hash: string;
}

/**
 * The kinds of sources of evidence.
 *
 * - "index": An index that was built before, on a static host or in a folder.
 * - "files": A reader's own files.
 * - "page": A page that the answer cites.
 * - "given": Passages that the caller gave.
 * - "live": Something that asks the network about each claim.
 */
export type SourceKind = "index" | "files" | "page" | "given" | "live";

/** The most that a search for one claim costs; null where there is no limit. */
export interface SearchCost {
  /** Bytes that are read. */
  bytes: number | null;
  /** Round trips of concurrent requests. */
  trips: number | null;
}

/**
 * What a search reveals about a claim.
 *
 * - "files": Which parts of which files are read. These depend on the claim's words, which can therefore be guessed.
 * - "claim": Words of the claim.
 */
export type Revealed = "files" | "claim";

/** What a search reveals about a claim, and to whom. */
export interface Reveals {
  /** The address to which it is revealed. */
  to: string;
  /** What is revealed. */
  what: Revealed;
}

/** What a source of evidence is. */
export interface SourceInfo {
  /** Its kind. */
  kind: SourceKind;
  /** Its name, for people. */
  name: string;
  /** Its address; null if it has none, such as a folder or a reader's own files. */
  address: string | null;
  /** The checksum of all that it holds; null if it has none. */
  hash: string | null;
  /** Its date, as YYYY-MM-DD; null if it does not say. */
  date: string | null;
  /** Its licence; null if it does not say. A passage may have one of its own. */
  license: string | null;
  /** Its number of passages; null if that is not known. */
  passages: number | null;
  /** What a search for one claim may cost. */
  cost: SearchCost;
  /** What a search reveals about the claim, and to whom; null if nothing. */
  reveals: Reveals | null;
}

/** A source that could not be searched: how often, and why. */
export interface SourceFailure {
  /** The number of sentences for which it could not be searched. */
  sentences: number;
  /** The stable name of the first error, such as "network". */
  code: string;
  /** Its message. */
  message: string;
}

/**
 * How a model reads a query and a passage to rank the passage.
 *
 * - "biEncoder": Each by itself, as an embedding; the cosine gives the rank.
 * - "crossEncoder": Both together; the logit gives the rank.
 */
export type RerankKind = "biEncoder" | "crossEncoder";

/** The model that re-ranks passages. */
export interface RerankReport {
  /** How it reads. */
  kind: RerankKind;
  /** The number of BM25's best passages that it reads. */
  candidates: number;
  /** The pack of the model. */
  pack: PackReport;
}

/** Milliseconds by stage. */
export interface Timings {
  /** Searching the index. */
  retrieveMs: number;
  /** Running the NLI model. */
  nliMs: number;
  /** Running the T5. */
  verifyMs: number;
  /** From the call to the report. */
  totalMs: number;
}

/** What was read of a source. */
export interface TrafficReport {
  /** The number of requests. */
  requests: number;
  /** Their bytes. */
  bytes: number;
}

/** A source of evidence, and how a verification used it. */
export interface ConsultedSource {
  /** The number of sentences that it was asked about. */
  asked: number;
  /** What was read from it. */
  traffic: TrafficReport;
  /** Why it could not be searched; null if it could be. */
  failed?: SourceFailure;
  /** Its kind. */
  kind: SourceKind;
  /** Its name, for people. */
  name: string;
  /** Its address; null if it has none, such as a folder or a reader's own files. */
  address: string | null;
  /** The checksum of all that it holds; null if it has none. */
  hash: string | null;
  /** Its date, as YYYY-MM-DD; null if it does not say. */
  date: string | null;
  /** Its licence; null if it does not say. A passage may have one of its own. */
  license: string | null;
  /** Its number of passages; null if that is not known. */
  passages: number | null;
  /** What a search for one claim may cost. */
  cost: SearchCost;
  /** What a search reveals about the claim, and to whom; null if nothing. */
  reveals: Reveals | null;
}

/** Everything that was found about one answer. All offsets are UTF-16 code units, as JavaScript counts. */
export interface Report {
  /** The version of this format. Another is refused. */
  schema: 3;
  /** What the user asked the chatbot. */
  question: string | null;
  /** What the chatbot said. */
  answer: string;
  /** The sentences that were judged, in order. */
  sentences: SentenceReport[];
  /** The sentences that were not judged because they are no claims, in order. */
  leftOut: LeftOut[];
  /** The number of sentences with each verdict. */
  summary: Summary;
  /** What the models ran on. */
  backend: Backend;
  /** The models that scores and verdicts come from. */
  decidedBy: Decider[];
  /** How both models make one score; only with `scoreBy` "both". */
  combination?: Combination;
  /** The pack of these models. */
  pack: PackReport;
  /** The packs of the deciding models that are from another pack. */
  models?: { [key in Decider]?: PackReport };
  /** The pack of the model that marked words in place of the NLI model. */
  markedBy?: PackReport;
  /** The sources of evidence, in the order in which they are asked: a passage's `from` is a number in this list. */
  sources: ConsultedSource[];
  /** What re-ranked the passages after BM25; null if nothing did. */
  rerank: RerankReport | null;
  /** The settings in full. */
  settings: Settings;
  /** The time that each stage took. */
  timings: Timings;
  /** What this verification read of all sources. */
  traffic: TrafficReport;
}

/**
 * The stages of judging one sentence.
 *
 * - "retrieve": Searching the index.
 * - "rerank": Re-ranking what was found, if there is a model for it.
 * - "nli": Running the NLI model.
 * - "verify": Running the T5.
 */
export type Stage = "retrieve" | "rerank" | "nli" | "verify";

/**
 * An event of a verification.
 *
 * - "sentences": The answer was split into sentences.
 * - "stage": A stage of one sentence begins.
 * - "sentence": A sentence is done.
 * - "source": A sentence was compared with a page that it cites.
 */
export type JudgingEvent =
  | {
      kind: "sentences";
      /** The sentences that will be judged, in order. */
      sentences: Sentence[];
      /** The sentences that are no claims and will not be judged, in order. */
      leftOut: LeftOut[];
      /** The answer, block by block. */
      blocks: Markup[];
    }
  | {
      kind: "stage";
      /** The sentence's number, from 0. */
      sentence: number;
      /** The stage. */
      stage: Stage;
    }
  | {
      kind: "sentence";
      /** Its number, from 0. */
      index: number;
      /** Its report. */
      sentence: SentenceReport;
    }
  | {
      kind: "source";
      /** The sentence's number, from 0. */
      index: number;
      /** What the page says of it. */
      source: SourceReport;
    };
