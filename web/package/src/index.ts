/**
 * Evident checks what a chatbot said, sentence by sentence, in the reader's own browser.
 *
 * ```ts
 * import { createVerifier } from "evident-check";
 *
 * const verifier = await createVerifier({ pack: "/evident/pack/", index: "/evident/index/" });
 * const report = await verifier.verify("The atomic number of carbon is 12.");
 * for (const { text, verdict, score } of report.sentences) console.log(verdict, score, text);
 * verifier.dispose();
 * ```
 *
 * The page's Content-Security-Policy has to allow `script-src 'self' 'wasm-unsafe-eval'` and `worker-src 'self'`.
 */

import { unlessAborted } from "./abort.js";
import { type BackendChoice, type BackendKind, chooseBackend } from "./backend.js";
import type { ConnerItem, ConnerReport, ConnerSettings, ConnerStep } from "./conner.js";
import { type ErrorCode, EvidentError } from "./errors.js";
import type { IndexFiles, News, OpenOptions } from "./protocol.js";
import type { Backend, LoadProgress, Report, SentenceReport, Settings, VerifyEvent } from "./report.js";
import { Session } from "./session.js";

export type { BackendChoice, BackendKind } from "./backend.js";
export type * from "./conner.js";
export { type ErrorCode, EvidentError } from "./errors.js";
export type { IndexFiles } from "./protocol.js";
export type * from "./report.js";

/** What `createVerifier` takes. */
export interface VerifierOptions {
  /** Address of the model pack's directory (the one that holds pack.json), absolute or relative to the page. */
  pack: string | URL;
  /** Address of the index's directory, absolute or relative to the page; or its files, as from a folder that was picked. */
  index: string | URL | IndexFiles;
  /**
   * Address of the directory that holds `worker.js` and `wasm/`, of any origin, absolute or relative to the page. Left out, they
   * are taken from beside this module, or from where a bundler has put them.
   */
  engine?: string | URL;
  /** What to compute on; "auto" by default. */
  backend?: BackendChoice;
  /** Told how far loading is, at creation and whenever the engine has to be loaded again. */
  onProgress?(progress: LoadProgress): void;
  /** Told when the GPU fails and the CPU takes over. */
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
  /** Stops once `onEvent` is told how the answer splits into sentences: rejects with the code "cancelled" then. */
  splitOnly?: boolean;
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

/** The GPU failed, for the reason in `message`, and work goes on (or starts over) on the CPU. */
export interface Notice {
  kind: "gpu-failed";
  message: string;
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
  /** Bytes of wasm memory: the peak, for it never shrinks. */
  memory: number;
}

/** A loaded engine. Verifications and scorings run one after another, in the order they were asked for. */
export interface Verifier {
  /** What computes now; "auto" may change it from WebGPU to the CPU when the GPU fails. */
  readonly backend: Backend;
  /** What the engine that computes now has cost so far. */
  readonly footprint: Footprint;
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
 * Starts a worker and loads pack, index and models into it.
 * @throws EvidentError, as a rejection; `code` says what went wrong, `message` what to do.
 */
export async function createVerifier(options: VerifierOptions): Promise<Verifier> {
  const kind = await unlessAborted(chooseBackend(options.backend ?? "auto"), options.signal);
  const verifier = new SupervisedVerifier(options, kind);
  await verifier.open(options.signal);
  return verifier;
}

/** What a session is asked to do. */
type Work<R> = (session: Session, onNews: (news: News) => void) => Promise<{ report: R; memory: number }>;

/** What a GPU fails with; a trap is "internal". */
const GPU_FAILURES: readonly ErrorCode[] = ["backend-lost", "backend-unavailable", "internal"];

/** Keeps a session alive: opens it when there is none, and moves to the CPU when "auto" meets a failing GPU. */
class SupervisedVerifier implements Verifier {
  backend: Backend = { kind: "cpu", name: "" };
  footprint: Footprint = { openMs: 0, fetched: 0, memory: 0 };

  readonly #options: VerifierOptions;
  readonly #forced: boolean;
  readonly #engine: string | undefined;
  #kind: BackendKind;
  #session: Session | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #disposed = false;

  constructor(options: VerifierOptions, kind: BackendKind) {
    this.#options = options;
    this.#forced = options.backend === "webgpu";
    this.#engine = options.engine === undefined ? undefined : directory(options.engine);
    this.#kind = kind;
  }

  /** The living session, or a new one on the CPU where the GPU does not open. */
  async open(signal: AbortSignal | undefined): Promise<Session> {
    for (;;) {
      if (this.#disposed || signal?.aborted) throw EvidentError.cancelled(signal);
      if (this.#session && !this.#session.ended) return this.#session;
      if (this.#session?.ended && this.#fallsBack(this.#session.ended)) continue;
      const session = new Session(this.#kind, this.#forced, this.#engine);
      this.#session = session;
      const started = performance.now();
      try {
        const { backend, fetched, memory } = await session.open(this.#addresses(), signal, (news) => {
          if (news.type === "progress") this.#options.onProgress?.(news.progress);
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

  verify(answer: string, { question, settings, signal, splitOnly, onSentence, onEvent }: VerifyOptions = {}): Promise<Report> {
    const options = { ...(question ? { question } : {}), ...(settings ? { settings } : {}), ...(splitOnly ? { splitOnly } : {}) };
    const tell = (news: News) => {
      if (news.type !== "event") return;
      onEvent?.(news.event);
      if (news.event.kind === "sentence") onSentence?.(news.event.sentence, news.event.index);
    };
    return this.#enqueue(signal, tell, (session, onNews) => session.verify(answer, options, signal, onNews));
  }

  conner(item: ConnerItem, { settings, signal, onStep }: ConnerOptions = {}): Promise<ConnerReport> {
    const options = settings ? { settings } : {};
    const tell = (news: News) => {
      if (news.type === "step") onStep?.(news.step);
    };
    return this.#enqueue(signal, tell, (session, onNews) => session.conner(item, options, signal, onNews));
  }

  dispose(): void {
    this.#disposed = true;
    this.#session?.end("cancelled", "the verifier was disposed of");
  }

  /** Runs work once all that was asked for before it has ended; an abort rejects at once, even in the queue. */
  #enqueue<R>(signal: AbortSignal | undefined, tell: (news: News) => void, work: Work<R>): Promise<R> {
    const result = this.#queue.then(() => this.#run(signal, tell, work));
    this.#queue = result.catch(() => undefined);
    return new Promise((resolve, reject) => {
      const abort = () => reject(EvidentError.cancelled(signal));
      if (signal?.aborted) abort();
      signal?.addEventListener("abort", abort, { once: true });
      result.then(resolve, reject).finally(() => signal?.removeEventListener("abort", abort));
    });
  }

  async #run<R>(signal: AbortSignal | undefined, tell: (news: News) => void, work: Work<R>): Promise<R> {
    for (;;) {
      const session = await this.open(signal);
      try {
        const { report, memory } = await work(session, (news) => {
          if (!signal?.aborted) tell(news);
        });
        this.footprint = { ...this.footprint, memory };
        return report;
      } catch (error) {
        if (!session.ended || !this.#fallsBack(session.ended)) throw error;
      }
    }
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
    const { pack, index } = this.#options;
    return { pack: directory(pack), index: index instanceof Map ? index : directory(index as string | URL), backend: this.#kind };
  }
}

/** An absolute address that ends in a slash. */
function directory(address: string | URL): string {
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  if (!URL.canParse(address, base)) throw new EvidentError("bad-settings", `"${address}" is not an address`);
  const { href } = new URL(address, base);
  return href.endsWith("/") ? href : `${href}/`;
}
