/**
 * Serves a folder of static files on localhost, the way any static host would.
 *
 *   node serve.mjs [FOLDER] [--port N]      FOLDER: dist/demo; N: 8077, or the next free port
 */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const HOST = "127.0.0.1";
const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".jsonl": "application/jsonl; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};
/** A name that carries its content's hash never means other content. */
const HASHED = /(^|[-._/])[0-9a-f]{16,}(\.|$)/;
/** Files up to this size are tagged by their content; larger ones by size and time of change. */
const TAGGED_BY_CONTENT = 1 << 20;

/** A request handler for the files under `root`; nothing outside it can be reached, not even by a symbolic link. */
export function staticFiles(root) {
  const home = realpath(root);
  return async (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD")
      return end(response, 405, { Allow: "GET, HEAD" }, "Only GET and HEAD are served here.\n");
    const found = await find(await home, request.url).catch(() => null);
    if (!found) return end(response, 404, {}, "There is no such file.\n");
    if (found.redirect) return end(response, 308, { Location: found.redirect }, "");
    await send(request, response, found);
  };
}

/**
 * Listens on localhost, on `port` or, if it is taken, on the next free one after it; 0 takes any. Resolves to the
 * server and its address.
 */
export async function listen(handler, port) {
  for (let candidate = port; ; candidate++) {
    const server = createServer((request, response) => {
      handler(request, response).catch(() => response.destroy());
    });
    const taken = await new Promise((done, fail) => {
      server.once("error", (error) =>
        error.code === "EADDRINUSE" && candidate < port + 100 ? done(true) : fail(error),
      );
      server.listen(candidate, HOST, () => done(false));
    });
    if (!taken) return { server, url: `http://localhost:${server.address().port}/` };
  }
}

async function find(home, url) {
  const { pathname, search } = new URL(url, "http://localhost");
  let path = await realpath(join(home, decodeURIComponent(pathname)));
  if (path !== home && !path.startsWith(home + sep)) return null;
  let info = await stat(path);
  if (info.isDirectory()) {
    if (!pathname.endsWith("/")) return { redirect: `${pathname.slice(pathname.lastIndexOf("/") + 1)}/${search}` };
    path = await realpath(join(path, "index.html"));
    if (!path.startsWith(home + sep)) return null;
    info = await stat(path);
  }
  return info.isFile() ? { path, info } : null;
}

async function send(request, response, { path, info }) {
  const etag = await tag(path, info);
  const headers = {
    "Content-Type": TYPES[extname(path)] ?? "application/octet-stream",
    "Cache-Control": HASHED.test(path) ? "public, max-age=31536000, immutable" : "no-cache",
    "Accept-Ranges": "bytes",
    "X-Content-Type-Options": "nosniff",
    ETag: etag,
  };
  if (request.headers["if-none-match"]?.split(/,\s*/).includes(etag)) return end(response, 304, headers);

  const conditional = request.headers["if-range"];
  const range = !conditional || conditional === etag ? byteRange(request.headers.range, info.size) : null;
  if (range === "unsatisfiable") return end(response, 416, { ...headers, "Content-Range": `bytes */${info.size}` });
  const { start, end: last } = range ?? { start: 0, end: info.size - 1 };
  response.writeHead(range ? 206 : 200, {
    ...headers,
    "Content-Length": last - start + 1,
    ...(range ? { "Content-Range": `bytes ${start}-${last}/${info.size}` } : {}),
  });
  if (request.method === "HEAD" || info.size === 0) return response.end();
  createReadStream(path, { start, end: last })
    .on("error", () => response.destroy())
    .pipe(response);
}

async function tag(path, { size, mtimeMs }) {
  if (size > TAGGED_BY_CONTENT) return `"${size.toString(16)}-${Math.round(mtimeMs).toString(16)}"`;
  return `"${createHash("sha256")
    .update(await readFile(path))
    .digest("hex")
    .slice(0, 32)}"`;
}

/** One range of bytes (RFC 9110, 14.1.2); null where there is none or several, which a server may answer in full. */
function byteRange(header, size) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return null;
  const start = match[1] === "" ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = match[1] === "" || match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (match[2] !== "" && match[1] !== "" && Number(match[2]) < start) return null;
  return start < size ? { start, end } : "unsatisfiable";
}

function end(response, status, headers, body) {
  const text =
    body === undefined
      ? {}
      : { "Content-Type": "text/plain; charset=utf-8", "Content-Length": Buffer.byteLength(body) };
  response.writeHead(status, { ...text, ...headers }).end(response.req.method === "HEAD" ? undefined : body);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: "string", default: "8077" } },
  });
  const root = positionals[0] ?? fileURLToPath(new URL("../../dist/demo", import.meta.url));
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    console.error(`--port takes a number from 0 to 65535, not "${values.port}"`);
    process.exit(2);
  }
  if (!(await stat(root).catch(() => null))?.isDirectory()) {
    console.error(`${root} is not a folder; ./build.sh demo builds it`);
    process.exit(1);
  }
  const { url } = await listen(staticFiles(root), port);
  console.log(`Evident is at ${url}   (Ctrl+C ends it)`);
}
