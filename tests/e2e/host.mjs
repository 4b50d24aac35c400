/** A static host of a test's own: any folder under any path, with the headers and the changes that the test wants. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { listen, staticFiles } from "../../web/demo/serve.mjs";
import { REPOSITORY } from "./browser.mjs";

export const DEMO = `${REPOSITORY}dist/demo`;
/** Where Rust is built. */
export const TARGET = process.env.CARGO_TARGET_DIR ?? `${REPOSITORY}target`;
export const EVIDENT = join(TARGET, "release/evident");

/**
 * Serves `folder` under `/some/path/`, with `headers` on everything. `alter(path, response)` may answer in the folder's place, by returning true.
 */
export async function host({ folder = DEMO, headers = {}, alter = () => false } = {}) {
  const files = staticFiles(folder);
  const { server, url } = await listen(async (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (!request.url.startsWith("/some/path/")) return response.writeHead(404).end();
    request.url = request.url.slice("/some/path".length);
    if (!(await alter(request.url.slice(1), response))) await files(request, response);
  }, 0);
  server.unref(); // a test that fails before it closes its host does not keep the others waiting
  const close = () => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  };
  return { url: `${url}some/path/`, close };
}

/** The folder `name` in `scratch`, with an index that the command line has built of these passages. */
export function indexOf(passages, scratch, name) {
  const [file, folder] = [join(scratch, `${name}.jsonl`), join(scratch, name)];
  writeFileSync(file, passages.map((passage) => `${JSON.stringify(passage)}\n`).join(""));
  const { status, stderr } = spawnSync(EVIDENT, ["index", "build", file, "--out", folder], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return folder;
}
