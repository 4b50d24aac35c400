/**
 * One worker with one engine in it, seen from the page. It runs one request at a time, and every request ends in an
 * answer or a typed error: a trap, a lost GPU, a silent worker and an aborted signal all end it.
 */

import type { ConnerItem, ConnerStep } from "./conner.js";
import { usualThreads } from "./device.js";
import { type ErrorCode, EvidentError } from "./errors.js";
import { type ModuleName, moduleOf, sharesMemory } from "./module.js";
import type {
  Claim,
  ConnerEngineOptions,
  EngineOptions,
  Expected,
  Final,
  ModelAddresses,
  News,
  OpenOptions,
  PackModel,
  Reply,
  Request,
  Shared,
  StageProgress,
  WikiClaim,
} from "./protocol.js";
import type { BackendKind, Input, SentenceReport, Settings } from "./report.js";
import type { Page } from "./sources/source.js";
import { startWorker } from "./start.js";

/**
 * Silence after which work on a graphics card counts as hung; a card takes about a second for a step, and some for its
 * first.
 */
const GPU_PATIENCE_MS = 60_000;
/** The same if the caller insists on WebGPU: a software adapter is slow, and nothing is left to fall back to. */
const FORCED_GPU_PATIENCE_MS = 300_000;
/** Silence after which a fetch counts as failed. */
const NETWORK_PATIENCE_MS = 60_000;
/**
 * The errors after which a worker is ended: after a trap the wasm instance cannot be trusted, a memory that has grown
 * never shrinks, and a lost device does not come back.
 */
const FATAL_CODES: readonly ErrorCode[] = ["internal", "out-of-memory", "backend-lost"];

/** How long a cancelled engine may take to finish its step. After that its worker is ended. */
const CANCEL_PATIENCE_MS = 2_000;

type Activity = "network" | "compute";

interface Pending {
  resolve(final: Final): void;
  reject(error: EvidentError): void;
  onNews(news: News): void;
}

/** What a session is started with. */
export interface SessionOptions {
  backend: BackendKind;
  /** Whether the caller insists on this backend. */
  forced: boolean;
  /** The directory of worker.js, if it does not lie beside this package. */
  engine: string | undefined;
  /** How many workers judge sentences at once on the CPU, if the caller says. */
  threads: number | undefined;
}

/** The final reply to a request. */
type Ended<Type extends Final["type"]> = Extract<Final, { type: Type }>;

export class Session {
  /** Why the worker ended; null while it lives. */
  ended: EvidentError | null = null;
  /** Whether the engine has its pack, index and models. */
  opened = false;

  readonly #options: SessionOptions;
  /** The wasm module: the one for this browser, then the one that the engine loaded. */
  #module: ModuleName;
  readonly #worker: Worker;
  readonly #gpuPatience: number;
  /** The other workers: helpers, or threads of the engine. */
  readonly #helpers = new Set<Worker>();
  #hasThreads = false;
  #pack = "";
  #expected: Expected = {};
  #models: ModelAddresses = {};
  #model: PackModel = "nli";
  #pending: Pending | null = null;
  #activity: Activity = "network";
  #watchdog: ReturnType<typeof setTimeout> | undefined;

  /** Starts the worker. */
  constructor(options: SessionOptions) {
    this.#options = options;
    this.#module = moduleOf(options.backend);
    this.#gpuPatience = options.forced ? FORCED_GPU_PATIENCE_MS : GPU_PATIENCE_MS;
    this.#worker = startWorker(options.engine);
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => this.#hear(data));
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      const reason = because(event.message);
      this.end(
        "network",
        `the worker could not be loaded${reason}: check its address, and what the page's Content-Security-Policy allows`,
      );
    });
  }

  /**
   * Loads pack, index and models into the engine. An abort ends the worker at once: what was fetched until then stays
   * in the browser's cache.
   */
  async open(
    options: OpenOptions,
    signal: AbortSignal | undefined,
    onNews: (news: News) => void,
  ): Promise<Ended<"opened">> {
    const abort = () => this.#end(EvidentError.cancelled(signal));
    signal?.addEventListener("abort", abort);
    try {
      const shares = sharesMemory(this.#module, this.#threads(true));
      const opened = (await this.#ask(
        { type: "open", options, module: this.#module, shares },
        onNews,
      )) as Ended<"opened">;
      this.#expected = options.expected;
      this.opened = true;
      this.#module = opened.module;
      this.#pack = options.pack;
      this.#models = options.models;
      this.#model = options.model;
      return opened;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Builds an index of passages, as lines of JSON. An abort ends the worker at once. */
  async buildIndex(passages: Blob, signal: AbortSignal | undefined): Promise<Ended<"index">> {
    const abort = () => this.#end(EvidentError.cancelled(signal));
    signal?.addEventListener("abort", abort);
    try {
      return (await this.#ask({ type: "index", passages, module: this.#module }, () => undefined)) as Ended<"index">;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** What a wiki would be sent about these claims. An abort ends the worker at once. */
  async wikiWords(claims: WikiClaim[], signal: AbortSignal | undefined): Promise<Ended<"wiki-words">> {
    const abort = () => this.#end(EvidentError.cancelled(signal));
    signal?.addEventListener("abort", abort);
    try {
      return (await this.#ask({ type: "wiki-words", claims }, () => undefined)) as Ended<"wiki-words">;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** How an answer falls into sentences; the engine need not be open. */
  async split(answer: Input, options: EngineOptions): Promise<Ended<"split">> {
    return (await this.#ask(
      { type: "split", answer, options, module: this.#module },
      () => undefined,
    )) as Ended<"split">;
  }

  /**
   * Verifies one answer, several of its sentences at once when the workers that help have loaded. An abort asks the
   * engine to stop; if it cannot within two seconds, the worker is ended.
   */
  async verify(
    answer: Input,
    options: EngineOptions,
    signal: AbortSignal | undefined,
    onNews: (news: News) => void,
  ): Promise<Ended<"report">> {
    const tell = (news: News) => {
      if (news.type === "event" && news.event.kind === "sentences" && news.event.sentences.length > 1)
        this.#recruit(options.settings ?? {});
      onNews(news);
    };
    return (await this.#askStoppably({ type: "verify", answer, options }, signal, tell)) as Ended<"report">;
  }

  /** Judges one sentence by itself. An abort works as in `verify`. */
  async judge(
    claim: Claim,
    options: EngineOptions,
    signal: AbortSignal | undefined,
    onNews: (news: News) => void,
  ): Promise<Ended<"judged">> {
    return (await this.#askStoppably({ type: "judge", claim, options }, signal, onNews)) as Ended<"judged">;
  }

  /** Scores one item. An abort works as in `verify`. */
  async conner(
    item: ConnerItem,
    options: ConnerEngineOptions,
    signal: AbortSignal | undefined,
    onNews: (news: News) => void,
  ): Promise<Ended<"scores">> {
    return (await this.#askStoppably({ type: "conner", item, options }, signal, onNews)) as Ended<"scores">;
  }

  /** Judges a sentence again by the T5. An abort works as in `verify`. */
  async secondOpinion(
    sentence: SentenceReport,
    options: EngineOptions,
    signal: AbortSignal | undefined,
    onNews: (news: News) => void,
  ): Promise<Ended<"opinion">> {
    return (await this.#askStoppably({ type: "opinion", sentence, options }, signal, onNews)) as Ended<"opinion">;
  }

  /** Judges sentences by the pages that they cite, with helpers as in `verify`. An abort works as there. */
  async checkSources(
    sentences: SentenceReport[],
    pages: ReadonlyMap<string, Page>,
    options: EngineOptions,
    signal: AbortSignal | undefined,
    onNews: (news: News) => void,
  ): Promise<Ended<"sources">> {
    if (sentences.length > 1) this.#recruit(options.settings ?? {});
    return (await this.#askStoppably(
      { type: "sources", sentences, pages, options },
      signal,
      onNews,
    )) as Ended<"sources">;
  }

  /** The bytes of the T5 that a second opinion has to fetch. */
  async secondOpinionBytes(): Promise<Ended<"opinion-bytes">> {
    return (await this.#ask({ type: "opinion-bytes" }, () => undefined)) as Ended<"opinion-bytes">;
  }

  /** Ends the worker; what was running fails with this error. */
  end(code: ErrorCode, message: string): void {
    this.#end(new EvidentError(code, message));
  }

  /** How many workers judge at once: as the caller says, or as many as suit the device. */
  #threads(shares: boolean): number {
    return this.#options.threads ?? usualThreads(shares);
  }

  /** Starts the helpers, unless they run. The session does without one that cannot start or load its models. */
  #recruit(settings: Partial<Settings>): void {
    if (this.#options.backend !== "cpu" || this.#hasThreads) return;
    try {
      while (this.#helpers.size < this.#threads(false) - 1) this.#helpers.add(this.#startHelper(settings));
    } catch {
      // The page has let one worker start, and no more.
    }
  }

  #startHelper(settings: Partial<Settings>): Worker {
    const helper = startWorker(this.#options.engine);
    const { port1, port2 } = new MessageChannel();
    helper.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      if (data.type === "assisting") this.#post({ type: "helper", port: port1, memory: data.memory }, [port1]);
      else helper.terminate();
    });
    helper.addEventListener("error", (event) => {
      event.preventDefault();
      helper.terminate();
    });
    const assist: Request = {
      type: "assist",
      pack: this.#pack,
      models: this.#models,
      model: this.#model,
      module: this.#module,
      port: port2,
      expected: this.#expected,
      settings,
    };
    helper.postMessage(assist, [port2]);
    return helper;
  }

  /** Starts the engine's threads. They begin when each is ready or has failed. */
  #startThreads(shared: Shared): void {
    this.#hasThreads = true;
    let [ready, expected] = [0, this.#threads(true)];
    const settle = () => {
      if (--expected > 0) return;
      this.#hasThreads = ready > 0;
      if (ready > 0) this.#post({ type: "threads", count: ready });
    };
    for (let left = expected; left > 0; left--) {
      try {
        this.#startThread(shared, (isReady) => {
          if (isReady) ready += 1;
          settle();
        });
      } catch {
        settle(); // the page lets no more workers start
      }
    }
  }

  /** Starts a thread. If it fails after it was ready, the memory that all share is damaged. */
  #startThread(shared: Shared, settled: (isReady: boolean) => void): void {
    const thread = startWorker(this.#options.engine);
    this.#helpers.add(thread);
    let isReady = false;
    const fail = (message: string) => {
      if (isReady) return this.end("internal", message);
      thread.terminate();
      this.#helpers.delete(thread);
      settled(false);
    };
    thread.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      if (data.type === "failed") return fail(data.error.message);
      if (data.type === "threading") settled((isReady = true));
    });
    thread.addEventListener("error", (event) => {
      event.preventDefault();
      fail(event.message);
    });
    const request: Request = { type: "thread", shared };
    thread.postMessage(request);
  }

  async #askStoppably(request: Request, signal: AbortSignal | undefined, onNews: Pending["onNews"]): Promise<Final> {
    if (signal?.aborted) throw EvidentError.cancelled(signal);
    let deadline: ReturnType<typeof setTimeout> | undefined;
    const abort = () => {
      this.#post({ type: "cancel" });
      deadline = setTimeout(() => this.#end(EvidentError.cancelled(signal)), CANCEL_PATIENCE_MS);
    };
    signal?.addEventListener("abort", abort);
    try {
      return await this.#ask(request, onNews);
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener("abort", abort);
    }
  }

  #ask(request: Request, onNews: Pending["onNews"]): Promise<Final> {
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(this.ended);
      this.#pending = { resolve, reject, onNews };
      this.#watch("network");
      this.#post(request);
    });
  }

  #hear(reply: Reply): void {
    switch (reply.type) {
      case "lost":
        return this.end("backend-lost", `the graphics device was lost${because(reply.message)}`);
      case "shared":
        return this.#startThreads(reply.shared);
      case "alive":
        if (this.#activity === "network" && this.#pending) this.#watch("network");
        return;
      case "progress":
      case "event":
      case "step":
      case "notice":
        this.#watch(whatFollows(reply));
        return this.#pending?.onNews(reply);
      case "failed": {
        const error = new EvidentError(reply.error.code, reply.error.message);
        if (FATAL_CODES.includes(error.code)) return this.#end(error);
        return this.#settle()?.reject(error);
      }
      case "opened":
      case "assisting":
      case "threading":
      case "index":
      case "wiki-words":
      case "split":
      case "report":
      case "scores":
      case "judged":
      case "opinion":
      case "opinion-bytes":
      case "sources":
        return this.#settle()?.resolve(reply);
    }
  }

  /** Restarts the watchdog: the worker has sent a message, and is busy with `activity` until the next one. */
  #watch(activity: Activity): void {
    this.#activity = activity;
    clearTimeout(this.#watchdog);
    if (activity === "network")
      this.#watchdog = setTimeout(
        () => this.end("network", "the server has sent nothing for a minute: check the connection and try again"),
        NETWORK_PATIENCE_MS,
      );
    else if (this.#options.backend === "webgpu")
      this.#watchdog = setTimeout(
        () => this.end("backend-lost", `the graphics device has not answered for ${this.#gpuPatience / 1000} seconds`),
        this.#gpuPatience,
      );
  }

  #post(request: Request, transfer: Transferable[] = []): void {
    this.#worker.postMessage(request, transfer);
  }

  #settle(): Pending | null {
    clearTimeout(this.#watchdog);
    const pending = this.#pending;
    this.#pending = null;
    return pending;
  }

  #end(error: EvidentError): void {
    this.ended ??= error;
    for (const worker of [this.#worker, ...this.#helpers]) worker.terminate();
    this.#settle()?.reject(error);
  }
}

/** The steps of a scoring that begin with fetching: models, evidence, random passages. */
const FETCHING: readonly ConnerStep["step"][] = ["fetch", "factuality", "helpfulness", "validity"];

/** The worker's activity after this message. */
function whatFollows(news: News): Activity {
  if (news.type === "event" && news.event.kind === "load") return whatLoads(news.event);
  if (news.type === "event")
    return news.event.kind === "stage" && news.event.stage === "retrieve" ? "network" : "compute";
  if (news.type === "notice") return news.notice.kind === "wiki-failed" ? "compute" : "network";
  if (news.type === "step") return FETCHING.includes(news.step.step) ? "network" : "compute";
  return whatLoads(news.progress);
}

function whatLoads({ stage, loaded, total }: StageProgress): Activity {
  if (stage === "models") return loaded === total ? "network" : "compute";
  if (stage === "rerank") return loaded === total ? "compute" : "network";
  return stage === "pack" || stage === "index" ? "network" : "compute";
}

function because(reason: string): string {
  return reason ? `: ${reason}` : "";
}
