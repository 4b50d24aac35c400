/** What callers of `createVerifier` and of its verifier may say. */

import type { DeviceChoice } from "./backend.js";
import type { ConnerSettings, ConnerStep } from "./conner.js";
import type { ModelChoice } from "./device.js";
import { EvidentError } from "./errors.js";
import type { Passage } from "./passage.js";
import { platform } from "./platform.js";
import type { Expected, IndexFiles, ModelRole } from "./protocol.js";
import type { Certainty, LoadProgress, Notice, SentenceReport, Settings, VerifyEvent } from "./report.js";
import type { SignedBy } from "./signed.js";
import type { Sources, UnreadSource } from "./sources/source.js";
import type { KeepVersion } from "./versions.js";

/** What `createVerifier` takes. */
export interface VerifierOptions {
  /**
   * Address of the model pack's directory (the one that holds pack.json), absolute or relative to the page. Left out,
   * it is the package `evident-check-models`, in the version of this package and on the CDN jsDelivr; in Node the
   * installed one, if there is one.
   */
  pack?: string | URL;
  /**
   * Address of the index's directory, absolute or relative to the page; or its files, as from a folder that was picked
   * or from `buildIndex`. Left out, it is the package `evident-check-demo-index`, as with `pack`.
   */
  index?: string | URL | IndexFiles;
  /**
   * Further indexes, each as `index`, in the order in which they are asked: by default each is asked only about what
   * those before it leave without a verdict (the setting `consult`). `expected` and `signedBy` say nothing of them.
   */
  furtherIndexes?: readonly (string | URL | IndexFiles)[];
  /**
   * A wiki that is asked after the indexes about what these leave without a verdict: "en" or "simple" for Wikipedia in
   * English or Simple English, or the address of the `api.php` of a MediaWiki that lets other sites read it. It is sent
   * the names in these sentences and in what precedes them, and some words of a sentence whose names have no article.
   * Nobody is asked if this is left out. Ask your reader first: what they check is then no longer on their device
   * alone.
   */
  wiki?: string;
  /**
   * The SHA-256 that pack and index must have, as reports state them (`report.pack.hash`, `report.sources[0].hash`).
   * Any other is refused, with "pack-unexpected" or "index-unexpected", and so is one that takes its place later, be it
   * newer or older.
   */
  expected?: Expected;
  /**
   * The public keys of minisign, such as "RWQ...", by which pack.json and the index's manifest.json must be signed, in
   * a file beside each that is called pack.json.minisig or manifest.json.minisig. Any other is refused, with
   * "pack-unsigned" or "index-unsigned". The trusted comment numbers the version, `version:42`: one before the last
   * that was accepted from the same address is refused, with "pack-rollback" or "index-rollback". What `expected` says
   * holds as well.
   */
  signedBy?: SignedBy;
  /**
   * Stores the highest version of each name, which is made of a key and an address, and returns it. Left out, the
   * browser stores it in IndexedDB; Node stores nothing. An index that was picked as files has no address, so none of
   * its versions is stored.
   */
  keepVersion?: KeepVersion;
  /**
   * The most bytes of indexes that the browser's cache keeps from one visit to the next; what was used least recently
   * makes room. 64 MiB by default; 0 keeps nothing. Several tabs together may exceed it by an eighth each.
   */
  indexCache?: number;
  /**
   * Address of the directory that holds `worker.js` and `wasm/`, of any origin, absolute or relative to the page. Left
   * out, they are taken from beside this module, or from where a bundler has put them.
   */
  engine?: string | URL;
  /** What to compute on; "auto" by default. */
  device?: DeviceChoice;
  /**
   * Which of the pack's models reads the evidence: "full", or "small", which is smaller and errs more often, where the
   * pack has it. "auto", the default, is "small" on phones.
   */
  model?: ModelChoice;
  /**
   * How many workers judge the sentences of an answer at once where the CPU computes, 1 to 8. Each has the models in
   * its own memory, some 120 MB (`footprint`), and all but the first are started for the first answer of several
   * sentences: by default half of the processors, two at most, and one on phones and where the browser does not say
   * that the device has 4 GB of memory. In a page that is cross-origin isolated they share one memory, start at once,
   * and work on one sentence together where there are fewer than threads: by default half of the processors, four at
   * most, and one where the device has less than 4 GB.
   */
  threads?: number;
  /**
   * Addresses of packs whose models take the place of the pack's own, or stand beside them, by role: "verifier" is a T5
   * such as FLAN-T5, "relevance" puts passages in order as `rerank` does, "embedder", "lm", "seq2seq" (the same role as
   * "verifier") and "discourse" are for CONNER. Only the manifests are fetched until a model is asked for: the T5 by
   * `scoreBy` or a second opinion. A model of another kind is refused with "pack-architecture". `evident pack convert`
   * makes a pack of a folder as published on Hugging Face.
   *
   * ```ts
   * const verifier = await createVerifier({ pack, index, models: { verifier: "packs/flan-t5-base-q8/" } });
   * const report = await verifier.verify(answer, { settings: { scoreBy: "verifier" } });
   * ```
   */
  models?: Partial<Record<ModelRole, string | URL>>;
  /**
   * Address of a pack whose model puts the hundred passages that BM25 ranks highest in order: a cross-encoder (its
   * "relevance") or a bi-encoder (its "embedder"), which the embedded pack has. Left out, BM25 alone decides.
   */
  rerank?: string | URL;
  /**
   * Whether to load pack, index and models only when the first verification or scoring asks for them; `split` needs
   * none. Then the NLI model is not fetched either, as long as `scoreBy` is "verifier" and `facts` is not "windows".
   */
  lazy?: boolean;
  /** Told how far loading is as a whole, at creation and whenever the engine has to be loaded again. */
  onProgress?(progress: LoadProgress): void;
  /**
   * Told when the GPU fails and the CPU takes over, when the browser has no room to keep a file, when the wiki asks to
   * wait, and when it cannot be asked about a sentence that `judge` judges.
   */
  onNotice?(notice: Notice): void;
  /** Abandons the creation. */
  signal?: AbortSignal;
}

/** What `secondOpinion` takes beside the sentence. */
export interface SecondOpinionOptions {
  /** The settings of the report that the sentence is from: `report.settings`. */
  settings?: Partial<Settings>;
  /** Stops it: it rejects with the code "cancelled" at once. */
  signal?: AbortSignal;
  /** Told of each step: the T5's bytes as they come ("load"), and the stages. */
  onEvent?(event: VerifyEvent): void;
}

/** What `verify` takes beside the answer. */
export interface VerifyOptions {
  /** What the chatbot was asked. */
  question?: string;
  /** How to verify; what is left out is the preset's. A T5 is fetched at the first check that asks for it. */
  settings?: Partial<Settings>;
  /**
   * The pages that the answer cites, by their addresses, as `fetchSources` gives them or you have them: each sentence is
   * also judged by the pages that it cites, and its `sources` say what they say. Left out, no sentence is judged by its
   * pages. `verify` itself fetches none.
   */
  sources?: Sources;
  /** Stops this verification: it rejects with the code "cancelled" at once. */
  signal?: AbortSignal;
  /**
   * Told of each sentence as soon as it is judged. After a GPU failure the work starts over, and sentences are told
   * again.
   */
  onSentence?(sentence: SentenceReport, index: number): void;
  /** Told of each step; `onSentence` is the part of it that most callers need. */
  onEvent?(event: VerifyEvent): void;
}

/** What `judge` takes beside the sentence. */
export interface JudgeOptions {
  /** What the chatbot was asked. */
  question?: string;
  /** How to judge; what is left out is the preset's. */
  settings?: Partial<Settings>;
  /** How sure a verdict must be; left out, the pack's thresholds decide. */
  certainty?: Certainty;
  /** Stops it: it rejects with the code "cancelled" at once. */
  signal?: AbortSignal;
  /** Told of each step. */
  onEvent?(event: VerifyEvent): void;
}

/** What `checkSources` takes beside the report and the pages. */
export interface CheckSourcesOptions {
  /** Stops it: it rejects with the code "cancelled" at once. */
  signal?: AbortSignal;
  /** Told of each step, and with "source" of each sentence that was compared with a page. */
  onEvent?(event: VerifyEvent): void;
}

/** What `fetchSources` takes beside the addresses. */
export interface FetchOptions {
  /** Stops it: it rejects with the code "cancelled" at once. */
  signal?: AbortSignal;
  /** Told of each page as it was read, or not. */
  onSource?(address: string, source: Passage[] | UnreadSource): void;
  /** What fetches; the platform's own by default. */
  fetch?: typeof globalThis.fetch;
  /** The IP addresses of a host, which are checked before it is asked; Node's by default. A browser has none. */
  lookup?(host: string): Promise<string[]>;
}

/** What `conner` takes beside the texts. */
export interface ConnerOptions {
  settings?: Partial<ConnerSettings>;
  /** Stops this scoring: it rejects with the code "cancelled" at once. */
  signal?: AbortSignal;
  /** Told of each step before it is computed. After a GPU failure the work starts over, and steps are told again. */
  onStep?(step: ConnerStep): void;
}

/** What `buildIndex` takes beside the passages, and `wikiWords` beside the claims. */
export interface BuildOptions {
  /** Address of the directory that holds `worker.js` and `wasm/`, as `createVerifier` takes it. */
  engine?: string | URL;
  /** Stops the work: it rejects with the code "cancelled" at once. */
  signal?: AbortSignal;
}

/** An absolute address that ends in a slash. */
export function directory(address: string | URL): string {
  const base = platform.base();
  if (!URL.canParse(address, base)) throw new EvidentError("bad-settings", `"${address}" is not an address`);
  const { href, username, password, host } = new URL(address, base);
  if (username || password)
    throw new EvidentError(
      "bad-settings",
      `the address at ${host} has a name or a password, which browsers do not send: leave them out`,
    );
  return href.endsWith("/") ? href : `${href}/`;
}
