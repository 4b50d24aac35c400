/** The worker: loads the one wasm module that the chosen backend needs, and runs the engine off the page's thread. */

import type { ConnerItem } from "./conner.js";
import { EvidentError, type PlainError, plainError } from "./errors.js";
import { Helper, serve } from "./helpers.js";
import type { ModuleName } from "./module.js";
import type {
  Claim,
  ConnerEngineOptions,
  EngineOptions,
  Final,
  OpenOptions,
  Reply,
  Request,
  Shared,
  StageProgress,
  WikiClaim,
} from "./protocol.js";
import type { Backend, Input, SentenceReport, Unread } from "./report.js";
import type { Engine } from "./wasm/cpu/evident.js";
import { Wiki, type WikiModule } from "./wiki.js";

/** A wasm module that is ready to be called, and its memory. */
type Module = Omit<typeof import("./wasm/cpu/evident.js"), "default"> & {
  name: ModuleName;
  memory: WebAssembly.Memory;
};

/** Put in by web/build.mjs: the hash of each wasm module, as the attribute `integrity` writes it. */
declare const WASM: Record<ModuleName | "wiki", string>;

/** A wasm memory that cannot grow by so many pages of 64 KiB is full. */
const LEAST_PAGES = 256;

/** Milliseconds between two signs of life. */
const ALIVE_MS = 1_000;

let loading: Promise<Module> | undefined;
let engine: Engine | undefined;
let wiki: Wiki | undefined;
/** What computes, with the adapter's name as the browser gives it: wgpu knows it only as a number. */
let backend: Backend | undefined;
let adapter: GPUAdapterInfo | undefined;
const helpers: Helper[] = [];
/** How many threads there are; they may be ready before the engine is. */
let threads = 0;

self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  switch (data.type) {
    case "open":
      return void settle(open(data.options, data.module, data.shares));
    case "index":
      return void settle(buildIndex(data.passages, data.module));
    case "wiki-words":
      return void settle(wikiWords(data.claims));
    case "split":
      return void settle(split(data.answer, data.options, data.module));
    case "verify":
      return void settle(verify(data.answer, data.options));
    case "judge":
      return void settle(judge(data.claim, data.options));
    case "conner":
      return void settle(conner(data.item, data.options));
    case "opinion":
      return void settle(secondOpinion(data.sentence, data.options));
    case "opinion-bytes":
      return void settle(secondOpinionBytes());
    case "sources":
      return void settle(checkSources(data));
    case "cancel":
      wiki?.stop();
      return engine?.cancel();
    case "assist":
      return void settle(assist(data));
    case "helper":
      return addHelper(data.port, data.memory);
    case "thread":
      return void settle(thread(data.shared));
    case "threads":
      threads = data.count;
      return engine?.startThreads(threads);
  }
});

// A trap inside a Rust future rejects no promise. It surfaces only here.
self.addEventListener("error", (event) => void fail(event, event.error ?? event.message));
self.addEventListener("unhandledrejection", (event) => void fail(event, event.reason));

async function open(options: OpenOptions, name: ModuleName, shares: boolean): Promise<Final> {
  const onProgress = (progress: StageProgress) => post({ type: "progress", progress });
  tellOfBytes();
  if (options.backend === "webgpu") watchDevices();
  const { name: loaded, Engine, memory, shared } = await load(name);
  if (shares && loaded === "relaxed") share(shared());
  onProgress({ stage: "engine", loaded: 1, total: 2 });
  wiki = options.wiki === undefined ? undefined : new Wiki(options.wiki, loadWiki, tellOfWiki, tellOfWait);
  engine = await Engine.open({ ...options, askWiki: wiki?.ask }, onProgress, (notice) =>
    post({ type: "notice", notice }),
  );
  if (threads > 0) engine.startThreads(threads);
  backend = adapter ? { kind: "webgpu", name: nameOf(adapter) } : engine.backend;
  return { type: "opened", backend, module: loaded, fetched: fetched(), memory: memory.buffer.byteLength };
}

async function buildIndex(passages: Blob, name: ModuleName): Promise<Final> {
  const { IndexBuilder } = await load(name);
  post({ type: "progress", progress: { stage: "engine", loaded: 1, total: 1 } });
  const builder = new IndexBuilder();
  builder.add("passages", new Uint8Array(await passages.arrayBuffer()));
  return { type: "index", files: builder.build() };
}

async function wikiWords(claims: WikiClaim[]): Promise<Final> {
  const { words } = await loadWiki();
  return { type: "wiki-words", words: claims.map(({ statement, context }) => words(statement, context)) };
}

async function split(answer: Input, options: EngineOptions, name: ModuleName): Promise<Final> {
  const module = await load(name);
  return { type: "split", result: module.split(answer, options), memory: bytesOf(module) };
}

async function verify(answer: Input, options: EngineOptions): Promise<Final> {
  const module = await loading;
  if (!engine || !module || !backend) throw new EvidentError("internal", "the engine is not open");
  const report = await engine.verify(answer, options, (event) => post({ type: "event", event }));
  return { type: "report", result: { ...report, backend }, memory: bytesOf(module) };
}

async function judge(claim: Claim, options: EngineOptions): Promise<Final> {
  const module = await loading;
  if (!engine || !module) throw new EvidentError("internal", "the engine is not open");
  const result = await engine.judge(claim, options, (event) => post({ type: "event", event }));
  return { type: "judged", result, memory: bytesOf(module) };
}

/** Becomes a helper, with the same module as the engine: another one would round differently. */
async function assist(asked: Extract<Request, { type: "assist" }>): Promise<Final> {
  const { pack, models, model, module, port, expected, settings } = asked;
  const { Assistant, memory } = await instantiate(module);
  serve(port, await Assistant.open(pack, models, model, expected.pack, settings), memory);
  return { type: "assisting", memory: memory.buffer.byteLength };
}

/** Becomes a thread. From then on it hears no messages, only its work. */
async function thread({ module, memory }: Shared): Promise<Final> {
  const { default: init, serveThread } = await importModule("relaxed");
  await init({ module_or_path: module, memory });
  post({ type: "threading" });
  serveThread();
  throw new EvidentError("internal", "a thread has ended");
}

function share([module, memory]: [WebAssembly.Module, WebAssembly.Memory]): void {
  post({ type: "shared", shared: { module, memory } });
}

function addHelper(port: MessagePort, memory: number): void {
  const helper = new Helper(port, memory);
  helpers.push(helper);
  engine?.addHelper(helper);
}

async function conner(item: ConnerItem, options: ConnerEngineOptions): Promise<Final> {
  const module = await loading;
  if (!engine || !module) throw new EvidentError("internal", "the engine is not open");
  const result = await engine.conner(item, options, (step) => post({ type: "step", step }));
  return { type: "scores", result, memory: bytesOf(module) };
}

async function secondOpinion(sentence: SentenceReport, options: EngineOptions): Promise<Final> {
  const module = await loading;
  if (!engine || !module) throw new EvidentError("internal", "the engine is not open");
  const result = await engine.secondOpinion(sentence, options, (event) => post({ type: "event", event }));
  return { type: "opinion", result, memory: bytesOf(module) };
}

/** Has the engine judge sentences by the pages that they cite. */
async function checkSources({ sentences, pages, options }: Extract<Request, { type: "sources" }>): Promise<Final> {
  const module = await loading;
  if (!engine || !module) throw new EvidentError("internal", "the engine is not open");
  const read = new Map<string, Uint8Array | Unread>();
  for (const [address, page] of pages)
    read.set(address, typeof page === "string" ? page : new Uint8Array(await page.arrayBuffer()));
  const result = await engine.checkSources(sentences, read, options, (event) => post({ type: "event", event }));
  return { type: "sources", result, memory: bytesOf(module) };
}

async function secondOpinionBytes(): Promise<Final> {
  const module = await loading;
  if (!engine || !module) throw new EvidentError("internal", "the engine is not open");
  return { type: "opinion-bytes", result: await engine.secondOpinionBytes(), memory: bytesOf(module) };
}

/** Bytes of wasm memory, this worker's and the helpers'. */
function bytesOf({ memory }: Module): number {
  return helpers.reduce((bytes, helper) => bytes + helper.memory, memory.buffer.byteLength);
}

/**
 * The wasm module. It is loaded once; a failure is tried again. "cpu" stands in for "relaxed" where that cannot be
 * loaded, or where there is no room for the shared memory's maximum.
 */
function load(name: ModuleName): Promise<Module> {
  loading ??= name === "relaxed" ? instantiate(name).catch(() => instantiate("cpu")) : instantiate(name);
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

async function instantiate(name: ModuleName): Promise<Module> {
  const { default: init, ...module } = await importModule(name);
  try {
    const { memory } = await heldTo(WASM[name], init);
    return { ...module, name, memory };
  } catch (cause) {
    if (cause instanceof WebAssembly.CompileError)
      throw new EvidentError(
        "backend-unavailable",
        `this browser cannot run the engine's wasm module: ${cause.message}`,
        { cause },
      );
    throw moduleMissing(name, cause);
  }
}

/** The module that asks wikis. */
async function loadWiki(): Promise<WikiModule> {
  try {
    const { default: init, ...module } = await import("./wasm/wiki/evident.js");
    await heldTo(WASM.wiki, init);
    return module;
  } catch (cause) {
    throw new Error(`the module that asks wikis could not be loaded: ${plainError(cause).message}`, { cause });
  }
}

/** The report on a single sentence has no sources that could name the wiki, so its failure is a notice. */
function tellOfWiki(reason: string): void {
  post({ type: "notice", notice: { kind: "wiki-failed", message: `the wiki could not be asked: ${reason}` } });
}

function tellOfWait(seconds: number): void {
  const message = seconds
    ? `the wiki asked to wait ${seconds} s, and the sentences that it is asked about do`
    : "the wiki is asked again";
  post({ type: "notice", notice: { kind: "wiki-waits", message, seconds } });
}

/** Runs `init`, whose own fetch takes nothing but a file with this hash. */
function heldTo<T>(integrity: string, init: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis;
  globalThis.fetch = (input, options) => fetchHeld(fetch, input, { ...options, integrity });
  try {
    return init(); // it begins to fetch before it first waits
  } finally {
    globalThis.fetch = fetch;
  }
}

/**
 * Fetches a file with the hash that `options` name. If it does not come, that may be a cache's fault or the moment's:
 * it is asked for again, past all caches.
 */
async function fetchHeld(
  fetch: typeof globalThis.fetch,
  input: RequestInfo | URL,
  options: RequestInit,
): Promise<Response> {
  const anew: RequestInit = { ...options, cache: "reload" };
  try {
    return await fetch(input, options).catch(() => fetch(input, anew));
  } catch (cause) {
    // Only to tell why. The demo's service worker, which refuses a file of another hash too, lets "no-store" pass by.
    const { ok, status, body } = await fetch(input, { ...options, integrity: "", cache: "no-store" });
    void body?.cancel();
    throw new Error(
      ok
        ? "the host answered with a page, or another file, in its place: check that wasm/ was uploaded whole and beside the worker.js of its version, and that the host answers 404 where there is no file"
        : `HTTP ${status}`,
      { cause },
    );
  }
}

/** The addresses are spelled out so that bundlers find them; a visit downloads no module but its own. */
async function importModule(name: ModuleName) {
  try {
    switch (name) {
      case "cpu":
        return await import("./wasm/cpu/evident.js");
      case "relaxed":
        return await import("./wasm/relaxed/evident.js");
      case "webgpu":
        return await import("./wasm/webgpu/evident.js");
    }
  } catch (cause) {
    throw moduleMissing(name, cause);
  }
}

/** A host need not have the module for WebGPU: "auto" then takes the CPU. */
function moduleMissing(name: ModuleName, cause: unknown): EvidentError {
  return new EvidentError(
    name === "webgpu" ? "backend-unavailable" : "network",
    `the engine's wasm module could not be loaded: ${plainError(cause).message}`,
    { cause },
  );
}

/** Tells the page that bytes arrive, whichever code reads them: a large file may take minutes. */
function tellOfBytes(): void {
  const { read } = ReadableStreamDefaultReader.prototype;
  let told = 0;
  ReadableStreamDefaultReader.prototype.read = async function () {
    const chunk = await read.call(this);
    if (performance.now() - told >= ALIVE_MS) {
      told = performance.now();
      post({ type: "alive" });
    }
    return chunk;
  };
}

/**
 * Keeps the name of the adapter that the engine takes its device from, and has the device tell the page when it is
 * lost, or out of memory: the engine's own promises may then never settle, or resolve to wrong numbers.
 */
function watchDevices(): void {
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (descriptor) {
    const device = await requestDevice.call(this, descriptor);
    adapter = this.info;
    void device.lost.then(({ message }) => post({ type: "lost", message }));
    device.addEventListener("uncapturederror", ({ error }) => post({ type: "lost", message: error.message }));
    return device;
  };
}

function nameOf({ description, device, vendor, architecture }: GPUAdapterInfo): string {
  return description || [vendor, architecture, device].filter(Boolean).join(" ") || "unnamed adapter";
}

/** Bytes that came over the network so far, with the wasm module; what came from a cache does not count. */
function fetched(): number {
  const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  return resources.reduce((bytes, { transferSize }) => bytes + transferSize, 0);
}

async function settle(work: Promise<Final>): Promise<void> {
  post(await work.catch(async (thrown: unknown): Promise<Final> => ({ type: "failed", error: await failure(thrown) })));
}

async function fail(event: globalThis.Event, thrown: unknown): Promise<void> {
  event.preventDefault();
  const { code, message } = await failure(thrown);
  post({ type: "failed", error: { code: code === "out-of-memory" ? code : "internal", message } });
}

/** The error for anything thrown. A trap gives no reason: the memory counts as full if it can grow no further. */
async function failure(thrown: unknown): Promise<PlainError> {
  const module = await loading?.catch(() => undefined);
  if (!(thrown instanceof WebAssembly.RuntimeError) || !module) return plainError(thrown);
  try {
    module.memory.grow(LEAST_PAGES);
    return plainError(thrown);
  } catch {
    return {
      code: "out-of-memory",
      message: "the page's memory is full: take a smaller pack, or one in fewer bits, or give less text at once",
    };
  }
}

function post(reply: Reply): void {
  self.postMessage(reply);
}
