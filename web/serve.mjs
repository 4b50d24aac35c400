/**
 * Serves a folder of static files on localhost, the way any static host would.
 *
 *   node serve.mjs [FOLDER] [--port N]      FOLDER: dist/demo; N: 8077, or the next free port
 */

import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import serveStatic from "serve-static";

const HOST = "127.0.0.1";
/** A name that carries its content's hash never means other content. */
const HASHED = /(^|[-._/])[0-9a-f]{16,}(\.|$)/;

/** A request handler for the files under `root`. It resolves as soon as the answer is sent. */
export function staticFiles(root) {
  const files = serveStatic(root, {
    setHeaders(response, path) {
      response.setHeader("Cache-Control", HASHED.test(path) ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  return (request, response) =>
    new Promise((done) => {
      response.once("close", done);
      files(request, response, () => response.writeHead(404).end("There is no such file.\n"));
    });
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

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: "string", default: "8077" } },
  });
  const root = positionals[0] ?? fileURLToPath(new URL("../dist/demo", import.meta.url));
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
