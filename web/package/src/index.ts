/**
 * Evident checks what a chatbot said, sentence by sentence, in the reader's own browser.
 *
 * ```ts
 * import { createVerifier } from "evident-check";
 *
 * const verifier = await createVerifier({ pack: "/evident/pack/", index: "/evident/index/" });
 * const report = await verifier.verify("The atomic number of carbon is 8.");
 * for (const { text, verdict, score } of report.sentences) console.log(verdict, score, text);
 * verifier.dispose();
 * ```
 *
 * The page's Content-Security-Policy has to allow `script-src 'self' 'wasm-unsafe-eval'` and `worker-src 'self'`.
 */

import { unlessAborted } from "./abort.js";
import { type BackendChoice, chooseBackend } from "./backend.js";
import type { ConnerItem, ConnerReport, ConnerSettings, ConnerStep } from "./conner.js";
import { chooseModel, type ModelChoice } from "./device.js";
import { type ErrorCode, EvidentError } from "./errors.js";
import type { BackendKind } from "./module.js";
import type { EngineOptions, IndexFiles, News, OpenOptions, PackModel } from "./protocol.js";
import type { Backend, LoadProgress, Notice, Report, SentenceReport, Settings, Split, VerifyEvent } from "./report.js";
import { Session } from "./session.js";

export type { BackendChoice } from "./backend.js";
export type * from "./conner.js";
export type { ModelChoice } from "./device.js";
export { type ErrorCode, EvidentError } from "./errors.js";
export type { BackendKind } from "./module.js";
export type { IndexFiles } from "./protocol.js";
export type * from "./report.js";

/** What `createVerifier` takes. */
export interface VerifierOptions {
  /** Address of the model pack's directory (the one that holds pack.json), absolute or relative to the page. */
  pack: string | URL;
  /** Address of the index's directory, absolute or relative to the page; or its files, as from a folder that was picked. */
  index: string | URL | IndexFiles;
  /**
   * The most bytes of indexes that the browser's cache keeps from one visit to the next; what was used least recently makes room. 64 MiB
   * by default; 0 keeps nothing. Several tabs together may exceed it by an eighth each.
   */
  indexCache?: number;
  /**
   * Address of the directory that holds `worker.js` and `wasm/`, of any origin, absolute or relative to the page. Left out, they
   * are taken from beside this module, or from where a bundler has put them.
   */
  engine?: string | URL;
  /** What to compute on; "auto" by default. */
  backend?: BackendChoice;
  /**
   * Which of the pack's models reads the evidence: "full", or "small", which is smaller and errs more often, where the pack has it. "auto",
   * the default, is "small" on phones.
   */
  model?: ModelChoice;
  /**
   * How many workers judge the sentences of an answer at once where the CPU computes, 1 to 8. Each has the models in its own memory, some
   * 200 MB (`footprint`), and all but the first are started for the first answer of several sentences: by default half of the processors,
   * two at most, and one on phones and where the browser does not say that the device has 4 GB of memory. In a page that is cross-origin isolated
   * they share one memory, start at once, and work on one sentence together where there are fewer than threads: by default half of the
   * processors, four at most, and one where the device has less than 4 GB.
   */
  threads?: number;
  /**
   * Address of a pack whose model puts the hundred passages that BM25 ranks highest in order: a cross-encoder (its "relevance") or
   * a bi-encoder (its "embedder"), which the embedded pack has. Left out, BM25 alone decides.
   */
  rerank?: string | URL;
  /** Whether to load pack, index and models only when the first verification or scoring asks for them; `split` needs none. */
  lazy?: boolean;
  /** Told how far loading is, at creation and whenever the engine has to be loaded again. */
  onProgress?(progress: LoadProgress): void;
  /** Told when the GPU fails and the CPU takes over, and when the browser has no room to keep a file. */
  onNotice?(notice: Notice): void;
  /** Abandons the creation. */
  signal?: AbortSignal;
}

/** What `verify` takes beside the answer. */
export interface VerifyOptions {
  /** What the chatbot was asked. */
  question?: string;
  /** How to verify; what is left out is the preset's. */
  settings?: Partial<Settings>;
  /** Stops this verification: it rejects with the code "cancelled" at once. */
  signal?: AbortSignal;
  /** Told of each sentence as soon as it is judged. After a GPU failure the work starts over, and sentences are told again. */
  onSentence?(sentence: SentenceReport, index: number): void;
  /** Told of each step; `onSentence` is the part of it that most callers need. */
  onEvent?(event: VerifyEvent): void;
}

/** What `conner` takes beside the texts. */
export interface ConnerOptions {
  settings?: Partial<ConnerSettings>;
  /** Stops this scoring: it rejects with the code "cancelled" at once. */
  signal?: AbortSignal;
  /** Told of each step before it is computed. After a GPU failure the work starts over, and steps are told again. */
  onStep?(step: ConnerStep): void;
}

/** What the engine that is running now has cost. */
export interface Footprint {
  /** Milliseconds that opening took. */
  openMs: number;
  /**
   * Bytes that opening took from the network, the wasm module included. What the browser had cached counts as nothing, and so does
   * what comes from another origin without the header `Timing-Allow-Origin`.
   */
  fetched: number;
  /** Bytes of wasm memory, that of helping workers included: the peak, for it never shrinks. */
  memory: number;
}

/** A loaded engine. Verifications and scorings run one after another, in the order they were asked for. */
export interface Verifier {
  /** What computes now; "auto" may change it from WebGPU to the CPU when the GPU fails. */
  readonly backend: Backend;
  /** What the engine that computes now has cost so far. */
  readonly footprint: Footprint;
  /**
   * How the answer falls into sentences: what `verify`, with the same question and settings, would judge and what it would leave out.
   * No model runs.
   *
   * ```ts
   * const { sentences, leftOut } = await verifier.split("Sure! Iron is a metal.");
   * console.log(sentences[0].text); // "Iron is a metal."
   * console.log(leftOut[0].kind); // "pleasantry"
   * ```
   *
   * @throws EvidentError, as a rejection; `code` says what went wrong, `message` what to do.
   */
  split(answer: string, options?: Pick<VerifyOptions, "question" | "settings" | "signal">): Promise<Split>;
  /**
   * Judges every sentence of the answer. An abort, or `dispose`, rejects at once.
   * @throws EvidentError, as a rejection; `code` says what went wrong, `message` what to do.
   */
  verify(answer: string, options?: VerifyOptions): Promise<Report>;
  /**
   * Gives CONNER's six scores (chen2023), as far as the item's texts and the pack's models allow: a score that lacks something says
   * what, and nothing stands in for it. Evidence and random passages come from the index. The first call fetches the models that
   * only these scores need.
   *
   * ```ts
   * const { factuality, helpfulness } = await verifier.conner({ question: "What is iron?", knowledge: "Iron is a metal." });
   * console.log(factuality.value); // a number from 0 to 1
   * console.log(helpfulness.missing); // ["answer"]
   * ```
   *
   * @throws EvidentError, as a rejection; `code` says what went wrong, `message` what to do.
   */
  conner(item: ConnerItem, options?: ConnerOptions): Promise<ConnerReport>;
  /** Ends the worker and frees its memory; what is running rejects with the code "cancelled". */
  dispose(): void;
}

/**
 * Starts a worker and loads pack, index and models into it, unless `lazy` says to wait with them.
 * @throws EvidentError, as a rejection; `code` says what went wrong, `message` what to do.
 */
export async function createVerifier(options: VerifierOptions): Promise<Verifier> {
  const kind = await unlessAborted(chooseBackend(options.backend ?? "auto"), options.signal);
  const verifier = new SupervisedVerifier(options, kind);
  if (!options.lazy) await verifier.open(options.signal);
  return verifier;
}

/** The engine judges no more sentences at once (crate/web, workers.rs). */
const MOST_THREADS = 8;

/** What a session is asked to do. */
type Work<R> = (session: Session) => Promise<{ result: R; memory: number }>;

/** What a GPU fails with; a trap is "internal". */
const GPU_FAILURES: readonly ErrorCode[] = ["backend-lost", "backend-unavailable", "out-of-memory", "internal"];

/** Keeps a session alive: opens it when there is none, and moves to the CPU when "auto" meets a failing GPU. */
class SupervisedVerifier implements Verifier {
  backend: Backend = { kind: "cpu", name: "" };
  footprint: Footprint = { openMs: 0, fetched: 0, memory: 0 };

  readonly #options: VerifierOptions;
  readonly #forced: boolean;
  readonly #engine: string | undefined;
  readonly #threads: number | undefined;
  readonly #model: PackModel;
  #kind: BackendKind;
  #session: Session | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #disposed = false;

  constructor(options: VerifierOptions, kind: BackendKind) {
    this.#options = options;
    this.#forced = options.backend === "webgpu";
    this.#engine = options.engine === undefined ? undefined : directory(options.engine);
    const { threads } = options;
    this.#threads = threads;
    if (threads !== undefined && !(Number.isSafeInteger(threads) && threads >= 1 && threads <= MOST_THREADS))
      throw new EvidentError("bad-settings", `threads takes a number from 1 to ${MOST_THREADS}, not ${threads}`);
    this.#model = chooseModel(options.model ?? "auto");
    this.#kind = kind;
  }

  /** The living session with its models loaded, or a new one on the CPU where the GPU does not open. */
  async open(signal: AbortSignal | undefined): Promise<Session> {
    for (;;) {
      const session = this.#living(signal);
      if (session.opened) return session;
      const started = performance.now();
      try {
        const { backend, fetched, memory } = await session.open(this.#addresses(), signal, (news) => {
          if (news.type === "progress") this.#options.onProgress?.(news.progress);
          else if (news.type === "notice") this.#options.onNotice?.(news.notice);
        });
        this.backend = backend;
        this.footprint = { openMs: performance.now() - started, fetched, memory };
        return session;
      } catch (error) {
        session.end("internal", "the engine did not open");
        this.#session = null;
        if (!this.#fallsBack(error)) throw error;
      }
    }
  }

  split(answer: string, options: Pick<VerifyOptions, "question" | "settings" | "signal"> = {}): Promise<Split> {
    const { signal } = options;
    return this.#enqueue(
      signal,
      () => this.#living(signal),
      (session) => session.split(answer, engineOptions(options)),
    );
  }

  verify(answer: string, options: VerifyOptions = {}): Promise<Report> {
    const { signal, onSentence, onEvent } = options;
    const tell = (news: News) => {
      if (signal?.aborted || news.type !== "event") return;
      onEvent?.(news.event);
      if (news.event.kind === "sentence") onSentence?.(news.event.sentence, news.event.index);
    };
    return this.#enqueue(
      signal,
      () => this.open(signal),
      (session) => session.verify(answer, engineOptions(options), signal, tell),
    );
  }

  conner(item: ConnerItem, { settings, signal, onStep }: ConnerOptions = {}): Promise<ConnerReport> {
    const options = settings ? { settings } : {};
    const tell = (news: News) => {
      if (news.type === "notice") this.#options.onNotice?.(news.notice);
      else if (!signal?.aborted && news.type === "step") onStep?.(news.step);
    };
    return this.#enqueue(
      signal,
      () => this.open(signal),
      (session) => session.conner(item, options, signal, tell),
    );
  }

  dispose(): void {
    this.#disposed = true;
    this.#session?.end("cancelled", "the verifier was disposed of");
  }

  /** Does work with a session that is `ready` for it, once all that was asked for before has ended; an abort rejects at once, even in the queue. */
  #enqueue<R>(signal: AbortSignal | undefined, ready: () => Session | Promise<Session>, work: Work<R>): Promise<R> {
    const result = this.#queue.then(() => this.#run(ready, work));
    this.#queue = result.catch(() => undefined);
    return unlessAborted(result, signal);
  }

  async #run<R>(ready: () => Session | Promise<Session>, work: Work<R>): Promise<R> {
    for (;;) {
      const session = await ready();
      try {
        const { result, memory } = await work(session);
        this.footprint = { ...this.footprint, memory };
        return result;
      } catch (error) {
        if (!session.ended || !this.#fallsBack(session.ended)) throw error;
      }
    }
  }

  /** The living session, or a new one with nothing loaded. */
  #living(signal: AbortSignal | undefined): Session {
    if (this.#disposed || signal?.aborted) throw EvidentError.cancelled(signal);
    if (this.#session?.ended) {
      this.#fallsBack(this.#session.ended);
      this.#session = null;
    }
    const [backend, forced, engine, threads] = [this.#kind, this.#forced, this.#engine, this.#threads];
    return (this.#session ??= new Session({ backend, forced, engine, threads }));
  }

  /** Whether this error is a GPU's failure that the CPU can make good; if so, what opens next is on the CPU. */
  #fallsBack(error: unknown): boolean {
    if (this.#kind === "cpu" || this.#forced) return false;
    if (!(error instanceof EvidentError) || !GPU_FAILURES.includes(error.code)) return false;
    this.#kind = "cpu";
    this.#session = null;
    this.#options.onNotice?.({ kind: "gpu-failed", message: error.message });
    return true;
  }

  #addresses(): OpenOptions {
    const { pack, index, indexCache, rerank } = this.#options;
    if (indexCache !== undefined && !(Number.isSafeInteger(indexCache) && indexCache >= 0))
      throw new EvidentError("bad-settings", `indexCache takes a number of bytes, 0 or more, not ${indexCache}`);
    return {
      pack: directory(pack),
      index: index instanceof Map ? index : directory(index as string | URL),
      ...(indexCache === undefined ? {} : { indexCache }),
      ...(rerank === undefined ? {} : { rerank: directory(rerank) }),
      model: this.#model,
      backend: this.#kind,
    };
  }
}

/** What the engine takes of a caller's options. */
function engineOptions({ question, settings }: VerifyOptions): EngineOptions {
  return { ...(question ? { question } : {}), ...(settings ? { settings } : {}) };
}

/** An absolute address that ends in a slash. */
function directory(address: string | URL): string {
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  if (!URL.canParse(address, base)) throw new EvidentError("bad-settings", `"${address}" is not an address`);
  const { href } = new URL(address, base);
  return href.endsWith("/") ? href : `${href}/`;
}
