/**
 * The service worker: keeps the page's own files, so that a later visit needs no network, and makes the page
 * cross-origin isolated where its host cannot, so that the engine's threads share a memory: from the second visit on,
 * for the first is not yet in its hands.
 *
 * `list.mjs` names every file of the folder with its SHA-256, and nothing is kept or answered with another hash. The
 * code and the two manifests lie in a cache of this version, which the next one replaces. The files of pack and index
 * go into the engine's own caches, under the addresses it looks them up by: each is stored once, whoever fetched it,
 * and the engine checks them. What the engine itself put into that of indexes it may evict; an entry without its
 * headers it leaves alone.
 */

import type { ModuleName } from "../../package/src/module.js";
import type { PackModel } from "../../package/src/protocol.js";
import { ENGINE_CACHES } from "./caches.js";
import type { Kept, Request } from "./messages.js";

/**
 * Path, SHA-256 in hexadecimal and bytes of every file, and of the pack's files which of the judging models need them;
 * the hash of all that. The line above this script has both.
 */
declare const FILES: [path: string, sha256: string, bytes: number, models?: PackModel[]][];
declare const VERSION: string;
declare const self: ServiceWorkerGlobalScope;

const SCOPE = new URL(self.registration.scope);
/** The name of this folder's caches: caches belong to a whole origin. */
const OURS = `evident-page ${SCOPE.pathname} `;
const CODE = OURS + VERSION;
/** As crate/web/src/cache/bounded.rs names them. */
const EVICTABLE = ["Evident-Bytes", "Evident-Used", "Evident-Edition"];

const files = new Map(
  FILES.map(([path, sha256, bytes, models]) => [path, { url: new URL(path, SCOPE).href, path, sha256, bytes, models }]),
);
type Listed = typeof files extends Map<string, infer T> ? T : never;

const isData = ({ path }: Listed) => /^(pack|index)\/(?!(pack|manifest)\.json$)/.test(path);
/** A wasm module or a reader of documents: kept once it was used, or with the copy that the reader asks for. */
const isOptional = ({ path }: Listed) => /^((wasm|readers)\/|pdf\.js$)/.test(path);
const listed = [...files.values()];

self.addEventListener("install", (event) => event.waitUntil(keepCode()));
self.addEventListener("activate", (event) => event.waitUntil(dropOld()));
self.addEventListener("fetch", (event) => {
  const { method, cache, url } = event.request;
  const file = method === "GET" && cache !== "no-store" ? fileAt(url) : undefined;
  if (file && !isData(file)) event.respondWith(answer(file, event.request).then(isolated));
});
self.addEventListener("message", (event) => {
  const request = event.data as Request;
  if (request.type === "takeOver") return void self.skipWaiting();
  const page = event.ports[0];
  if (request.type === "reach")
    return event.waitUntil(reaches(request.address).then((answer) => page?.postMessage(answer)));
  event.waitUntil(keepAll(request, (news) => page?.postMessage(news)));
});

/** The listed file at an address, whatever its query. The folder itself is index.html. */
function fileAt(address: string): Listed | undefined {
  const { origin, pathname } = new URL(address);
  if (origin !== SCOPE.origin || !pathname.startsWith(SCOPE.pathname)) return undefined;
  return files.get(pathname.slice(SCOPE.pathname.length) || "index.html");
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
  for (const file of listed.filter((it) => !isData(it) && !isOptional(it))) {
    const response = (await whole(await caches.match(file.url), file)) ?? (await download(file));
    await cache.put(file.url, response);
  }
}

/** The cache in which a file is kept. */
const cacheOf = (file: Listed) =>
  caches.open(!isData(file) ? CODE : file.path.startsWith("pack/") ? ENGINE_CACHES.pack : ENGINE_CACHES.index);

/**
 * Fetches what a copy that works without a network still lacks, one file after another; or drops the copy, or leaves it;
 * and says how much it is.
 */
async function keepAll(
  { type, module, model }: { type: "keep" | "weigh" | "drop"; module: ModuleName; model: PackModel },
  tell: (news: Kept) => void,
): Promise<void> {
  if (type === "drop")
    for (const file of listed.filter((it) => isData(it) || isOptional(it)))
      await (await cacheOf(file)).delete(file.url, { ignoreSearch: true });
  const isNeeded = (file: Listed) => isData(file) && (!file.models || file.models.includes(model));
  const wanted = listed.filter((file) => isNeeded(file) || file.path.startsWith(`wasm/${module}/`));
  const total = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  let kept = 0;
  try {
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
    tell({ kept, total });
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
  for (const [folder, name] of Object.entries(ENGINE_CACHES)) {
    // Of an index too large to be listed, what visits have used stays.
    if (!listed.some((file) => isData(file) && file.path.startsWith(`${folder}/`))) continue;
    const engine = await caches.open(name);
    const ours = new URL(`${folder}/`, SCOPE).href;
    for (const { url } of await engine.keys()) if (url.startsWith(ours) && !fileAt(url)) await engine.delete(url);
  }
}

async function download(file: Listed): Promise<Response> {
  const response = await whole(await fetch(file.url, { cache: "no-cache" }), file);
  if (!response) throw new Error(`${file.path} is not the file that this version lists`);
  return response;
}

/** The response if its bytes are the file's; made anew, for one that was redirected may not answer a navigation. */
async function whole(response: Response | undefined, file: Listed): Promise<Response | undefined> {
  if (!response?.ok) return undefined;
  const bytes = await response.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  if (Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") !== file.sha256) return undefined;
  const headers = new Headers(response.headers);
  // Of the bytes on the wire, and of the engine's copy.
  for (const name of ["Content-Encoding", "Content-Length", ...EVICTABLE]) headers.delete(name);
  return new Response(bytes, { headers });
}
