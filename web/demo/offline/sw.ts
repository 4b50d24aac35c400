/**
 * The service worker: keeps the page's own files, so that a later visit needs no network, and makes the page
 * cross-origin isolated where its host cannot, so that the engine's threads share a memory: from the second visit on,
 * for the first is not yet in its hands.
 *
 * The list, files.json, names every file of the folder with its SHA-256, and nothing is kept or answered with another
 * hash. This script has the list's own SHA-256: without a list of that hash every request goes to the network. The
 * list, the code and the two manifests lie in a cache of this version, which the next one replaces. The files of pack
 * and index go into the engine's own caches, under the addresses it looks them up by: each is stored once, whoever
 * fetched it, and the engine checks them. What the engine itself put into that of indexes it may evict; an entry
 * without its headers it leaves alone.
 */

import type { ModuleName } from "../../package/src/module.js";
import type { PackModel } from "../../package/src/protocol.js";
import { ENGINE_CACHES } from "./caches.js";
import type { Kept, Request } from "./messages.js";

/** The list's SHA-256 in hexadecimal, which is the version too. `list.mjs` writes the line that has it. */
declare const LIST: string;
declare const self: ServiceWorkerGlobalScope;

const SCOPE = new URL(self.registration.scope);
/** The name of this folder's caches: caches belong to a whole origin. */
const OURS = `evident-page ${SCOPE.pathname} `;
const CODE = OURS + LIST;
/** As crate/web/cache/src/bounded.rs names them. */
const EVICTABLE = ["Evident-Bytes", "Evident-Used", "Evident-Edition"];

/** A file of a path below the folder, and the SHA-256 that its bytes must have. */
interface Hashed {
  url: string;
  path: string;
  sha256: string;
}

/** A file of the list; of the pack's, which of the judging models need it. */
interface Listed extends Hashed {
  bytes: number;
  models: PackModel[] | undefined;
}

const hashed = (path: string, sha256: string): Hashed => ({ url: new URL(path, SCOPE).href, path, sha256 });

const isData = (path: string) => /^(pack|index)\/(?!(pack|manifest)\.json$)/.test(path);
/** A wasm module or a reader of documents: kept once it was used, or with the copy that the reader asks for. */
const isOptional = (path: string) => /^((wasm|readers)\/|pdf\.js$)/.test(path);

self.addEventListener("install", (event) => event.waitUntil(keepCode()));
self.addEventListener("activate", (event) => event.waitUntil(dropOld()));
self.addEventListener("fetch", (event) => {
  const { method, cache, url } = event.request;
  const path = method === "GET" && cache !== "no-store" ? pathOf(url) : undefined;
  if (path !== undefined && !isData(path)) event.respondWith(respond(path, event.request));
});
self.addEventListener("message", (event) => {
  const request = event.data as Request;
  if (request.type === "takeOver") return void self.skipWaiting();
  const page = event.ports[0];
  if (request.type === "reach")
    return event.waitUntil(reaches(request.address).then((answer) => page?.postMessage(answer)));
  event.waitUntil(keepAll(request, (news) => page?.postMessage(news)));
});

/** An address's path below the folder, without its query. The folder itself is index.html. */
function pathOf(address: string): string | undefined {
  const { origin, pathname } = new URL(address);
  if (origin !== SCOPE.origin || !pathname.startsWith(SCOPE.pathname)) return undefined;
  return pathname.slice(SCOPE.pathname.length) || "index.html";
}

/** The list, from when it is first needed until this worker stops. */
let reading: Promise<Map<string, Listed>> | undefined;

/** The list's files by path. After a failure the next call tries again. */
function list(): Promise<Map<string, Listed>> {
  reading ??= readList().catch((error) => {
    reading = undefined;
    throw error;
  });
  return reading;
}

/** Reads the list from the cache, or else from the network. It throws if neither has one of the right hash. */
async function readList(): Promise<Map<string, Listed>> {
  const file = hashed("files.json", LIST);
  const cache = await caches.open(CODE);
  let response = await whole(await cache.match(file.url), file);
  if (!response) {
    response = await download(file);
    await cache.put(file.url, response.clone()).catch(() => undefined); // no room: it is fetched again
  }
  const rows: [path: string, sha256: string, bytes: number, models?: PackModel[]][] = await response.json();
  return new Map(rows.map(([path, sha256, bytes, models]) => [path, { ...hashed(path, sha256), bytes, models }]));
}

/** A listed file, as an isolated page's. What the list does not name, and all without a list, is the network's. */
async function respond(path: string, request: globalThis.Request): Promise<Response> {
  const files = await list().catch(() => undefined);
  const file = files?.get(path);
  return file ? isolated(await answer(file, request)) : fetch(request);
}

/**
 * The kept copy if it is whole, or else the network's, which is kept too. Where the host has another file, it is that
 * of another version, which is looked for, or damaged: then there is none.
 */
async function answer(file: Listed, request: globalThis.Request): Promise<Response> {
  const cache = await caches.open(CODE);
  const kept = await whole(await cache.match(file.url), file);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.type === "opaqueredirect") return response; // a navigation that the host sends elsewhere
  const fetched = (await whole(response, file)) ?? (await whole(await fetch(file.url, { cache: "reload" }), file));
  if (!fetched) {
    void self.registration.update().catch(() => undefined);
    return response.ok ? Response.error() : new Response(null, { status: response.status });
  }
  await cache.put(file.url, fetched.clone()).catch(() => undefined); // no room: it is fetched again
  return fetched;
}

/** The two headers of an isolated page, for the page and for its workers' scripts. */
const ISOLATION = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/** The response with these headers. One that cannot be made anew, such as a redirect's, stays as it is. */
function isolated(response: Response): Response {
  if (response.type === "opaqueredirect" || response.type === "error" || response.redirected) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

/** Keeps all code, and takes from the old version each file that is the same. */
async function keepCode(): Promise<void> {
  const cache = await caches.open(CODE);
  for (const file of (await list()).values()) {
    if (isData(file.path) || isOptional(file.path)) continue;
    const response = (await whole(await caches.match(file.url), file)) ?? (await download(file));
    await cache.put(file.url, response);
  }
}

/** The cache in which a file is kept. */
const cacheOf = ({ path }: Listed) =>
  caches.open(!isData(path) ? CODE : path.startsWith("pack/") ? ENGINE_CACHES.pack : ENGINE_CACHES.index);

/**
 * What a copy with this module and model needs: the page's code, the data, and the module. A folder may be built
 * without "relaxed" or "webgpu": the engine then falls back to "cpu".
 */
function isWanted(module: ModuleName, model: PackModel, listed: Listed[]): (file: Listed) => boolean {
  const isOf = (name: ModuleName) => (file: Listed) => file.path.startsWith(`wasm/${name}/`);
  const isOfModule = isOf(listed.some(isOf(module)) ? module : "cpu");
  return (file) =>
    isData(file.path) ? !file.models || file.models.includes(model) : isOfModule(file) || !isOptional(file.path);
}

/**
 * Fetches what a copy that works without a network still lacks, one file after another; or drops the copy, or leaves it;
 * and says how much it is.
 */
async function keepAll(
  { type, module, model }: { type: "keep" | "weigh" | "drop"; module: ModuleName; model: PackModel },
  tell: (news: Kept) => void,
): Promise<void> {
  let kept = 0;
  let total = Infinity; // until the list says it
  try {
    const listed = [...(await list()).values()];
    if (type === "drop")
      for (const file of listed.filter(({ path }) => isData(path) || isOptional(path)))
        await (await cacheOf(file)).delete(file.url, { ignoreSearch: true });
    const wanted = listed.filter(isWanted(module, model, listed));
    total = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
    const missing: [Cache, Listed][] = [];
    for (const file of wanted) {
      const cache = await cacheOf(file);
      const found = await cache.match(file.url);
      if (found && !EVICTABLE.some((name) => found.headers.has(name))) kept += file.bytes;
      else missing.push([cache, file]);
    }
    if (type !== "keep") return tell({ kept, total });
    const { quota = Infinity, usage = 0 } = await navigator.storage.estimate();
    if (total - kept > quota - usage) return tell({ kept, total, left: "quota" });
    for (const [cache, file] of missing) {
      tell({ kept, total });
      const response = (await whole(await cache.match(file.url), file)) ?? (await download(file));
      await cache.delete(file.url, { ignoreSearch: true }); // what the engine has kept of it in parts
      await cache.put(file.url, response);
      kept += file.bytes;
    }
    // What is said of a copy is tried on it once, not on what was meant to be kept.
    for (const file of missing.length > 0 ? wanted : [])
      if (!(await whole(await (await cacheOf(file)).match(file.url), file))) kept -= file.bytes;
    tell(kept < total ? { kept, total, left: "network" } : { kept, total });
  } catch (error) {
    const full = error instanceof DOMException && error.name === "QuotaExceededError";
    tell({ kept, total, left: full ? "quota" : "network" });
  }
}

function reaches(address: string): Promise<boolean> {
  return fetch(address, { mode: "no-cors", credentials: "omit", referrerPolicy: "no-referrer" }).then(
    () => true,
    () => false,
  );
}

/** Drops what earlier versions kept of this folder; other folders of the same origin keep theirs. */
async function dropOld(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(OURS) && name !== CODE) await caches.delete(name);
  const files = await list();
  const data = [...files.keys()].filter(isData);
  for (const [folder, name] of Object.entries(ENGINE_CACHES)) {
    // Of an index too large to be listed, what visits have used stays.
    if (!data.some((path) => path.startsWith(`${folder}/`))) continue;
    const engine = await caches.open(name);
    const ours = new URL(`${folder}/`, SCOPE).href;
    for (const { url } of await engine.keys())
      if (url.startsWith(ours) && !files.has(pathOf(url) ?? "")) await engine.delete(url);
  }
}

async function download(file: Hashed): Promise<Response> {
  const response = await whole(await fetch(file.url, { cache: "no-cache" }), file);
  if (!response) throw new Error(`${file.path} is not the file that this version lists`);
  return response;
}

/** The response if its bytes are the file's; made anew, for one that was redirected may not answer a navigation. */
async function whole(response: Response | undefined, file: Hashed): Promise<Response | undefined> {
  if (!response?.ok) return undefined;
  const bytes = await response.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  if (Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") !== file.sha256) return undefined;
  const headers = new Headers(response.headers);
  // Of the bytes on the wire, and of the engine's copy.
  for (const name of ["Content-Encoding", "Content-Length", ...EVICTABLE]) headers.delete(name);
  return new Response(bytes, { headers });
}
