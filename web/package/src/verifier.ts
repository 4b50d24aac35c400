/** The verifier that callers hold. It queues requests, and opens a new engine after one failed. */

import { unlessAborted } from "./abort.js";
import type { ConnerItem, ConnerReport } from "./conner.js";
import { chooseModel } from "./device.js";
import { type ErrorCode, EvidentError } from "./errors.js";
import { inputOf } from "./input.js";
import { checkExpected, checkItem, checkOptions, checkSettings, checkSignedBy } from "./known.js";
import { Loading } from "./loading.js";
import {
  type CheckSourcesOptions,
  type ConnerOptions,
  directory,
  type JudgeOptions,
  type SecondOpinionOptions,
  type VerifierOptions,
  type VerifyOptions,
} from "./options.js";
import type {
  EngineEvent,
  EngineOptions,
  Expected,
  IndexFiles,
  ModelAddresses,
  News,
  OpenOptions,
  PackModel,
} from "./protocol.js";
import { published } from "./published.js";
import type {
  Backend,
  BackendKind,
  Input,
  Report,
  Sentence,
  SentenceReport,
  Settings,
  SourceReport,
  Split,
  VerifyEvent,
} from "./report.js";
import { Session } from "./session.js";
import { signedHashes } from "./signed.js";
import { pagesOf } from "./sources/given.js";
import type { Sources } from "./sources/source.js";
import { type Verification, verification } from "./verification.js";

/** What the engine that is running now has cost. */
export interface Footprint {
  /** Milliseconds that opening took. */
  openMs: number;
  /**
   * Bytes that opening took from the network, the wasm module included. What the browser had cached counts as nothing,
   * and so does what comes from another origin without the header `Timing-Allow-Origin`.
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
   * How the answer falls into sentences: what `verify`, with the same question and settings, would judge and what it
   * would leave out. No model runs. A string is read as Markdown, which chatbots write; what a page shows is given as
   * `{ blocks }`, and words without marks as `{ plain }`.
   *
   * ```ts
   * const { sentences, leftOut } = await verifier.split("Sure! Iron is a metal.");
   * console.log(sentences[0].text); // "Iron is a metal."
   * console.log(leftOut[0].kind); // "pleasantry"
   * await verifier.split({ blocks: [{ kind: "row", text: "Mars\t2", heads: ["Planet", "Moons"] }] }); // "Mars: Moons 2"
   * ```
   *
   * @throws EvidentError, as a rejection; `code` says what went wrong, `message` what to do.
   */
  split(answer: string | Input, options?: Pick<VerifyOptions, "question" | "settings" | "signal">): Promise<Split>;
  /**
   * Judges every sentence of the answer, which is Markdown or what `split` takes. An abort, or `dispose`, rejects at once.
   *
   * ```ts
   * for await (const { text, verdict } of verifier.verify(answer)) console.log(verdict, text);
   * ```
   *
   * @throws EvidentError, as a rejection; `code` says what went wrong, `message` what to do.
   */
  verify(answer: string | Input, options?: VerifyOptions): Verification;
  /**
   * Judges one sentence by itself, as `verify` judges those of an answer. Its statement and context stand as they are:
   * `split` gives both. So an answer that is still being written is split as it grows, and each new sentence judged once.
   *
   * ```ts
   * const { sentences } = await verifier.split("Marie Curie was a physicist. She won two Nobel Prizes.");
   * const { verdict } = await verifier.judge(sentences[1]); // of "Marie Curie won two Nobel Prizes."
   * ```
   *
   * @throws EvidentError, as a rejection; `code` says what went wrong, `message` what to do.
   */
  judge(sentence: Pick<Sentence, "statement"> & Partial<Sentence>, options?: JudgeOptions): Promise<SentenceReport>;
  /**
   * Gives CONNER's six scores (chen2023), as far as the item's texts and the pack's models allow: a score that lacks
   * something says what, and nothing stands in for it. Evidence and random passages come from the index. The first call
   * fetches the models that only these scores need.
   *
   * ```ts
   * const item = { question: "What is iron?", knowledge: "Iron is a metal." };
   * const { factuality, helpfulness } = await verifier.conner(item);
   * console.log(factuality.value); // a number from 0 to 1
   * console.log(helpfulness.missing); // ["answer"]
   * ```
   *
   * @throws EvidentError, as a rejection; `code` says what went wrong, `message` what to do.
   */
  conner(item: ConnerItem, options?: ConnerOptions): Promise<ConnerReport>;
  /**
   * Judges a sentence of a report again, by the T5 alone and over the same evidence, in all four wordings of its question
   * (guan2024, Tab. 10): `score` and `verdict` are the T5's, `pFactual` is its mean p, `spread` tells how far the wordings
   * differ, and `risks` has "wording" where they disagree. The first call fetches the T5.
   *
   * ```ts
   * const report = await verifier.verify("Iron is a metal.");
   * const second = await verifier.secondOpinion(report.sentences[0], { settings: report.settings });
   * console.log(second.verdict === report.sentences[0].verdict ? "agrees" : "differs", second.pFactual);
   * ```
   *
   * @throws EvidentError, as a rejection: "pack-architecture" if there is no T5.
   */
  secondOpinion(sentence: SentenceReport, options?: SecondOpinionOptions): Promise<SentenceReport>;
  /**
   * Judges the sentences of a report by the pages that they cite, as `verify` does with the option `sources`, and resolves
   * to the same sentences with what these say, as `sources`. Verdicts by the index stay. An address that is cited and not
   * given is "unread", for the reason "notGiven".
   *
   * ```ts
   * const answer = "Carbon has six protons ([its page](https://example.org/carbon)).";
   * const page = "Carbon is a chemical element. It has six protons.";
   * const [sentence] = await verifier.checkSources(await verifier.verify(answer), { "https://example.org/carbon": page });
   * console.log(sentence.sources[0].state); // "supported"
   * ```
   *
   * @throws EvidentError, as a rejection: "bad-passages" names the page and the passage that cannot be indexed.
   */
  checkSources(
    report: Pick<Report, "sentences" | "settings">,
    sources: Sources,
    options?: CheckSourcesOptions,
  ): Promise<SentenceReport[]>;
  /**
   * The bytes of the T5 that a second opinion has to fetch, unless the browser has kept them; 0 if it is loaded.
   * @throws EvidentError, as a rejection: "pack-architecture" if there is no T5.
   */
  secondOpinionBytes(): Promise<number>;
  /** Ends the worker and frees its memory; what is running rejects with the code "cancelled". */
  dispose(): void;
}

/** The most sentences that the engine judges at once (crate/web, workers.rs). */
const MOST_THREADS = 8;

/** What a session is asked to do. */
type Work<R> = (session: Session) => Promise<{ result: R; memory: number }>;

/** The codes of a failing GPU; a trap is "internal". */
const GPU_FAILURES: readonly ErrorCode[] = ["backend-lost", "backend-unavailable", "out-of-memory", "internal"];

/** Keeps a session alive: opens it when there is none, and moves to the CPU when "auto" meets a failing GPU. */
export class SupervisedVerifier implements Verifier {
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
    this.#forced = options.device === "webgpu";
    this.#engine = options.engine === undefined ? undefined : directory(options.engine);
    const { threads } = options;
    this.#threads = threads;
    if (threads !== undefined && !(Number.isSafeInteger(threads) && threads >= 1 && threads <= MOST_THREADS))
      throw new EvidentError("bad-settings", `threads takes a number from 1 to ${MOST_THREADS}, not ${threads}`);
    checkExpected(options.expected ?? {});
    checkSignedBy(options.signedBy ?? {});
    this.#model = chooseModel(options.model ?? "auto");
    this.#kind = kind;
  }

  /**
   * The current session with its models loaded; a new one on the CPU if the GPU does not open. `settings` are those of the
   * check that it is for, if there is one.
   */
  async open(signal: AbortSignal | undefined, settings?: Partial<Settings>): Promise<Session> {
    const loading = new Loading();
    for (;;) {
      const session = this.#living(signal);
      if (session.opened) return session;
      const started = performance.now();
      try {
        const { backend, fetched, memory } = await session.open(await this.#held(settings, signal), signal, (news) => {
          if (news.type === "progress") this.#options.onProgress?.(loading.follow(news.progress));
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

  async split(
    answer: string | Input,
    options: Pick<VerifyOptions, "question" | "settings" | "signal"> = {},
  ): Promise<Split> {
    checkSettings("split", options);
    const { signal } = options;
    return this.#enqueue(
      signal,
      () => this.#living(signal),
      (session) => session.split(inputOf(answer), engineOptions(options)),
    );
  }

  verify(answer: string | Input, options: VerifyOptions = {}): Verification {
    return verification(options.signal, async (signal, onJudged) => {
      checkSettings("verify", options);
      const { onSentence, onEvent } = options;
      const loading = new Loading("pack", "models");
      const tell = (news: News) => {
        if (signal.aborted) return;
        // The report's sources say which wiki failed.
        if (news.type === "notice" && news.notice.kind === "wiki-waits") this.#options.onNotice?.(news.notice);
        if (news.type !== "event") return;
        const { event } = news;
        onEvent?.(followed(event, loading));
        if (event.kind !== "sentence") return;
        onSentence?.(event.sentence, event.index);
        onJudged(event.sentence, event.index);
      };
      return this.#enqueue(
        signal,
        () => this.open(signal, options.settings),
        async (session) => {
          const ended = await session.verify(inputOf(answer), engineOptions(options), signal, tell);
          if (!options.sources) return ended;
          const { sentences, settings } = ended.result;
          const pages = await pagesOf(options.sources, signal);
          const { result, memory } = await session.checkSources(sentences, pages, { settings }, signal, tell);
          return { result: { ...ended.result, sentences: withSources(sentences, result) }, memory };
        },
      );
    });
  }

  async judge(
    {
      start = 0,
      statement,
      end = statement.length,
      text = statement,
      context = "",
      citations,
    }: Pick<Sentence, "statement"> & Partial<Sentence>,
    options: JudgeOptions = {},
  ): Promise<SentenceReport> {
    checkSettings("judge", options);
    const { question, settings, certainty, signal, onEvent } = options;
    const loading = new Loading("pack", "models");
    const tell = (news: News) => {
      if (signal?.aborted) return;
      if (news.type === "notice") this.#options.onNotice?.(news.notice);
      else if (news.type === "event") onEvent?.(followed(news.event, loading));
    };
    const claim = { number: 0, span: { start, end }, text, statement, context, ...(question ? { question } : {}) };
    const asked = { ...(settings ? { settings } : {}), ...(certainty ? { certainty } : {}) };
    const report = await this.#enqueue(
      signal,
      () => this.open(signal, settings),
      (session) => session.judge(claim, asked, signal, tell),
    );
    return { ...report, ...(citations ? { citations } : {}) };
  }

  async checkSources(
    { sentences, settings }: Pick<Report, "sentences" | "settings">,
    sources: Sources,
    options: CheckSourcesOptions = {},
  ): Promise<SentenceReport[]> {
    checkOptions("checkSources", options);
    const { signal, onEvent } = options;
    const loading = new Loading("pack", "models");
    const tell = (news: News) => {
      if (!signal?.aborted && news.type === "event") onEvent?.(followed(news.event, loading));
    };
    const pages = await pagesOf(sources, signal);
    return this.#enqueue(
      signal,
      () => this.open(signal, settings),
      async (session) => {
        const { result, memory } = await session.checkSources(sentences, pages, { settings }, signal, tell);
        return { result: withSources(sentences, result), memory };
      },
    );
  }

  async conner(item: ConnerItem, options: ConnerOptions = {}): Promise<ConnerReport> {
    checkSettings("conner", options);
    checkItem(item);
    const { settings, signal, onStep } = options;
    const tell = (news: News) => {
      if (news.type === "notice") this.#options.onNotice?.(news.notice);
      else if (!signal?.aborted && news.type === "step") onStep?.(news.step);
    };
    return this.#enqueue(
      signal,
      () => this.open(signal),
      (session) => session.conner(item, settings ? { settings } : {}, signal, tell),
    );
  }

  async secondOpinion(sentence: SentenceReport, options: SecondOpinionOptions = {}): Promise<SentenceReport> {
    checkSettings("secondOpinion", options);
    const { settings, signal, onEvent } = options;
    const loading = new Loading("pack", "models");
    const tell = (news: News) => {
      if (news.type === "notice") this.#options.onNotice?.(news.notice);
      else if (!signal?.aborted && news.type === "event") onEvent?.(followed(news.event, loading));
    };
    return this.#enqueue(
      signal,
      () => this.open(signal, settings),
      (session) => session.secondOpinion(sentence, settings ? { settings } : {}, signal, tell),
    );
  }

  async secondOpinionBytes(): Promise<number> {
    return this.#enqueue(
      undefined,
      () => this.open(undefined),
      (session) => session.secondOpinionBytes(),
    );
  }

  dispose(): void {
    this.#disposed = true;
    this.#session?.end("cancelled", "the verifier was disposed of");
  }

  /**
   * Does work with the session that `ready` gives, after all earlier requests. An abort rejects at once, even in the
   * queue.
   */
  #enqueue<R>(signal: AbortSignal | undefined, ready: () => Session | Promise<Session>, work: Work<R>): Promise<R> {
    const result = this.#queue.then(() => this.#run(ready, work));
    this.#queue = result.catch(() => undefined);
    return unlessAborted(result, signal);
  }

  async #run<R>(ready: () => Session | Promise<Session>, work: Work<R>): Promise<R> {
    for (let renewed = false; ; ) {
      const session = await ready();
      try {
        const { result, memory } = await work(session);
        this.footprint = { ...this.footprint, memory };
        return result;
      } catch (error) {
        if (!renewed && this.#isReplaced(error)) {
          renewed = true;
          session.end("cancelled", "the index was replaced");
        } else if (!session.ended || !this.#fallsBack(session.ended)) throw error;
      }
    }
  }

  /** The current session, or a new one with nothing loaded. */
  #living(signal: AbortSignal | undefined): Session {
    if (this.#disposed || signal?.aborted) throw EvidentError.cancelled(signal);
    if (this.#session?.ended) {
      this.#fallsBack(this.#session.ended);
      this.#session = null;
    }
    const [backend, forced, engine, threads] = [this.#kind, this.#forced, this.#engine, this.#threads];
    return (this.#session ??= new Session({ backend, forced, engine, threads }));
  }

  /** Whether the index was replaced by another one, which its key may have signed: a new session finds out. */
  #isReplaced(error: unknown): boolean {
    return error instanceof EvidentError && error.code === "index-unexpected" && !!this.#options.signedBy?.index;
  }

  /** Whether the CPU can take over after this error. If so, the next session opens on the CPU. */
  #fallsBack(error: unknown): boolean {
    if (this.#kind === "cpu" || this.#forced) return false;
    if (!(error instanceof EvidentError) || !GPU_FAILURES.includes(error.code)) return false;
    this.#kind = "cpu";
    this.#session = null;
    this.#options.onNotice?.({ kind: "gpu-failed", message: error.message });
    return true;
  }

  /** Where everything is, and the hashes it must have: where a key is named, that of the file it has signed. */
  async #held(settings: Partial<Settings> | undefined, signal: AbortSignal | undefined): Promise<OpenOptions> {
    const addresses = this.#addresses(settings);
    const { signedBy, keepVersion, onNotice } = this.#options;
    if (!signedBy) return addresses;
    return { ...addresses, expected: await signedHashes(addresses, { signedBy, keepVersion, signal, onNotice }) };
  }

  #addresses(settings: Partial<Settings> | undefined): OpenOptions {
    const options = this.#options;
    const { furtherIndexes, indexCache, models, rerank, wiki } = options;
    if (indexCache !== undefined && !(Number.isSafeInteger(indexCache) && indexCache >= 0))
      throw new EvidentError("bad-settings", `indexCache takes a number of bytes, 0 or more, not ${indexCache}`);
    const pack = options.pack === undefined ? published("pack") : named(directory(options.pack));
    const index = options.index === undefined ? published("index") : named(indexPlace(options.index));
    return {
      pack: pack.address,
      models: addressesOf(models ?? {}),
      index: index.address,
      ...(wiki === undefined ? {} : { wiki }),
      ...(furtherIndexes === undefined ? {} : { furtherIndexes: furtherIndexes.map(indexPlace) }),
      expected: { ...pack.expected, ...index.expected, ...options.expected },
      ...(indexCache === undefined ? {} : { indexCache }),
      ...(rerank === undefined ? {} : { rerank: directory(rerank) }),
      ...(settings === undefined ? {} : { settings }),
      model: this.#model,
      backend: this.#kind,
    };
  }
}

/** The files of an index, or the absolute address of its directory. */
function indexPlace(index: string | URL | IndexFiles): string | IndexFiles {
  return index instanceof Map ? index : directory(index as string | URL);
}

/** Sentences, each with what its cited pages say. */
function withSources(sentences: SentenceReport[], found: SourceReport[][]): SentenceReport[] {
  return sentences.map((sentence, index) => ({ ...sentence, sources: found[index] ?? [] }));
}

/** The address of data that the caller names: no hash of it is known. */
function named<T>(address: T): { address: T; expected: Expected } {
  return { address, expected: {} };
}

/** The part of a caller's options that the engine takes. */
function engineOptions({ question, settings }: VerifyOptions): EngineOptions {
  return { ...(question ? { question } : {}), ...(settings ? { settings } : {}) };
}

/** An event as callers get it: with the progress of all that is loaded. */
function followed(event: EngineEvent, loading: Loading): VerifyEvent {
  return event.kind === "load" ? { kind: "load", ...loading.follow(event) } : event;
}

/** The absolute addresses of the packs for roles. */
function addressesOf(models: NonNullable<VerifierOptions["models"]>): ModelAddresses {
  return Object.fromEntries(Object.entries(models).map(([role, address]) => [role, directory(address)]));
}
