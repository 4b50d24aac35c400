/**
 * The messages between the page and its worker. The page asks one thing at a time; the worker ends each with one final
 * reply.
 */

import type { ConnerItem, ConnerReport, ConnerSettings, ConnerStep } from "./conner.js";
import type { PlainError } from "./errors.js";
import type { JudgingEvent, SourceReport } from "./generated/report.js";
import type { ModuleName } from "./module.js";
import type {
  Backend,
  BackendKind,
  Certainty,
  Input,
  LoadStage,
  Notice,
  Report,
  SentenceReport,
  Settings,
  Span,
  Split,
} from "./report.js";
import type { Page } from "./sources/source.js";

/** The files of an index by name, as `evident index build` writes them: picked by the reader, or built in the page. */
export type IndexFiles = ReadonlyMap<string, Blob>;

/** The model of the pack that reads the evidence: the full one, or the small one where the pack has it. */
export type PackModel = "nli" | "small";

/** How far a stage of loading is: in bytes for "pack" and "rerank", in steps for the others. */
export interface StageProgress {
  stage: LoadStage;
  loaded: number;
  total: number;
}

/** What the engine tells of a check; "load" where that is the first to ask for a model. */
export type EngineEvent = ({ kind: "load" } & StageProgress) | JudgingEvent;

/** What a model does. */
export type ModelRole = "nli" | "verifier" | "relevance" | "embedder" | "lm" | "seq2seq" | "discourse";

/** The SHA-256 of pack.json and the checksum of the index, each in 64 hexadecimal digits. */
export interface Expected {
  pack?: string;
  index?: string;
}

/** The addresses of packs by the role of their model; absolute, with their slash. */
export type ModelAddresses = Partial<Record<ModelRole, string>>;

/**
 * Where the pack and the index lie (absolute addresses that end in a slash; an index may be files), and the backend.
 */
export interface OpenOptions {
  pack: string;
  index: string | IndexFiles;
  /** The same of further indexes, in the order in which they are asked. */
  furtherIndexes?: (string | IndexFiles)[];
  /** A wiki that is asked after them: "en", "simple", or the address of its api.php. */
  wiki?: string;
  /** What pack and index must have, where it is known. */
  expected: Expected;
  /** The most bytes of the index that the browser's cache keeps; the engine's default where it is left out. */
  indexCache?: number;
  /** Packs whose models take the place of the pack's own. */
  models: ModelAddresses;
  /** The settings of the check that it is opened for: the NLI model is not loaded unless they ask it. */
  settings?: Partial<Settings>;
  /** A pack whose model puts passages in order after BM25. */
  rerank?: string;
  model: PackModel;
  backend: BackendKind;
}

/** A claim about which a wiki may be asked: such as a sentence of a report, or of a `split`. */
export interface WikiClaim {
  statement: string;
  context: string;
}

/** What a wiki may be sent about a claim. */
export interface WikiWords {
  /** The names that it is asked for as titles of articles. */
  names: string[];
  /** The words that it is searched for if no article of these names says anything; "" for none. */
  search: string;
}

/** What a wiki has found: Rust's `Found`, which passes through, and what is known of the wiki. */
export interface WikiAnswer {
  found: unknown;
  requests: number;
  bytes: number;
  license?: string;
}

/** Asks a wiki about a claim: its context, its statement, the most passages and the weight of the statement. */
export type AskWiki = (
  context: string,
  statement: string,
  count: number,
  statementWeight: number,
) => Promise<WikiAnswer>;

/** What the engine takes beside the answer; `certainty` is of single sentences. */
export interface EngineOptions {
  question?: string;
  settings?: Partial<Settings>;
  certainty?: Certainty;
}

/** A sentence that is judged by itself, as Rust's `Claim`. */
export interface Claim {
  number: number;
  span: Span;
  text: string;
  statement: string;
  context: string;
  question?: string;
}

/** What the engine takes beside the texts that CONNER scores. */
export interface ConnerEngineOptions {
  settings?: Partial<ConnerSettings>;
}

/** What a worker needs to become a thread of an engine: its wasm module, and the memory that they share. */
export interface Shared {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
}

/**
 * From the page. "split" needs nothing but the wasm module, and is answered before "open" as well, which says whether
 * the memory is to be shared. "cancel" has no reply of its own: the running request ends with the error "cancelled".
 * "assist" makes the worker a helper of the engine in another worker, with the same module: requests come through the
 * port, whose other end the engine's worker gets by "helper". "thread" makes the worker a thread of the engine in
 * another worker; "threads" says how many threads there are. "index" builds an index of passages, as lines of JSON.
 * "wiki-words" needs the module for wikis alone.
 */
export type Request =
  | { type: "open"; options: OpenOptions; module: ModuleName; shares: boolean }
  | { type: "index"; passages: Blob; module: ModuleName }
  | { type: "wiki-words"; claims: WikiClaim[] }
  | { type: "split"; answer: Input; options: EngineOptions; module: ModuleName }
  | { type: "verify"; answer: Input; options: EngineOptions }
  | { type: "judge"; claim: Claim; options: EngineOptions }
  | { type: "conner"; item: ConnerItem; options: ConnerEngineOptions }
  | { type: "opinion"; sentence: SentenceReport; options: EngineOptions }
  | { type: "opinion-bytes" }
  | { type: "sources"; sentences: SentenceReport[]; pages: ReadonlyMap<string, Page>; options: EngineOptions }
  | { type: "cancel" }
  | {
      type: "assist";
      pack: string;
      models: ModelAddresses;
      model: PackModel;
      module: ModuleName;
      port: MessagePort;
      expected: Expected;
      settings: Partial<Settings>;
    }
  | { type: "helper"; port: MessagePort; memory: number }
  | { type: "thread"; shared: Shared }
  | { type: "threads"; count: number };

/**
 * From the worker: news of the running request, then one final reply; "lost" comes whenever the GPU goes, "shared" when
 * other workers can become the engine's threads, "alive" now and then while bytes arrive.
 */
export type Reply =
  | News
  | Final
  | { type: "lost"; message: string }
  | { type: "shared"; shared: Shared }
  | { type: "alive" };

export type News =
  | { type: "progress"; progress: StageProgress }
  | { type: "notice"; notice: Notice }
  | { type: "event"; event: EngineEvent }
  | { type: "step"; step: ConnerStep };

/**
 * `module`: the one that was loaded; `fetched`: bytes that opening took from the network; `memory`: bytes of wasm
 * memory, which never shrinks, so it is the peak.
 */
export type Final =
  | { type: "opened"; backend: Backend; module: ModuleName; fetched: number; memory: number }
  | { type: "assisting"; memory: number }
  | { type: "threading" }
  | { type: "index"; files: Map<string, Uint8Array<ArrayBuffer>> }
  | { type: "wiki-words"; words: WikiWords[] }
  | { type: "split"; result: Split; memory: number }
  | { type: "report"; result: Report; memory: number }
  | { type: "scores"; result: ConnerReport; memory: number }
  | { type: "judged"; result: SentenceReport; memory: number }
  | { type: "opinion"; result: SentenceReport; memory: number }
  | { type: "opinion-bytes"; result: number; memory: number }
  | { type: "sources"; result: SourceReport[][]; memory: number }
  | { type: "failed"; error: PlainError };
