/** A static host of a test's own: any folder under any path, with the headers and the changes that the test wants. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listen, staticFiles } from "../../web/serve.mjs";
import { REPOSITORY } from "./browser.mjs";

export const DEMO = `${REPOSITORY}dist/demo`;

/** The number of passages of the demo's index, as a page writes it. */
export const PASSAGES = JSON.parse(
  readFileSync(`${REPOSITORY}web/demo/indexes.json`, "utf8"),
)[0].passages.toLocaleString("en");
/** Where Rust is built. */
export const TARGET = process.env.CARGO_TARGET_DIR ?? `${REPOSITORY}target`;
export const EVIDENT = process.env.EVIDENT ?? join(TARGET, "quick/evident");

/**
 * Serves `folder` under `/some/path/`, with `headers` on everything. `alter(path, response)` may answer in the folder's
 * place, by returning true.
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

/** The model of the pack that `visit` has pages judge by. */
export const JUDGE = "small";

/** The manifest of the demo's pack. */
export const manifestOfPack = () => JSON.parse(readFileSync(join(DEMO, "pack/pack.json"), "utf8"));

/** The bytes of a pack.json: its checksum is the SHA-256 of them with zeros in its place. */
export function sealed(manifest) {
  const zeros = "0".repeat(64);
  const text = JSON.stringify({ ...manifest, format: 2, checksum: zeros });
  return Buffer.from(text.replace(zeros, createHash("sha256").update(text).digest("hex")));
}

/** The files of the pack that its models of these names are made of. */
export function filesOf(...models) {
  const manifest = manifestOfPack();
  const texts = (value) =>
    typeof value === "string" ? [value] : value && typeof value === "object" ? Object.values(value).flatMap(texts) : [];
  const named = new Set(models.flatMap((name) => texts(manifest.models[name] ?? null)));
  return manifest.files.map(({ path }) => path).filter((path) => named.has(path));
}

/** The largest file of the model that judges. */
export function largestOfJudge() {
  const size = (path) => statSync(join(DEMO, "pack", path)).size;
  return filesOf(JUDGE).sort((a, b) => size(b) - size(a))[0];
}

/**
 * A host of pages that an answer cites, under `name`, which has to stand for this machine. `pages` are their bodies by
 * path: `closed` says which no other site may read, `moved` where paths lead. `asked` has each path that was asked for,
 * with the headers.
 */
export async function citedPages(name, pages, { closed = [], moved = {} } = {}) {
  const asked = [];
  const { url, close } = await host({
    alter(path, response) {
      asked.push([path, response.req.headers]);
      const open = closed.includes(path) ? {} : { "Access-Control-Allow-Origin": "*" };
      if (moved[path]) response.writeHead(302, { Location: moved[path], ...open }).end();
      else {
        const type = path.endsWith(".pdf") ? "application/pdf" : "text/html";
        response.writeHead(pages[path] ? 200 : 404, { "Content-Type": type, ...open }).end(pages[path]);
      }
      return true;
    },
  });
  return { asked, close, at: (path) => `${url.replace(/\/\/[^:/]+/, `//${name}`)}${path}`, inside: url };
}

/** What Chromium prints of these pages, as a PDF. */
export async function pdfOf(browser, title, ...pages) {
  const page = await browser.newPage();
  const bodies = pages.map((text) => `<div style="break-after: page"><p>${text}</p></div>`);
  await page.setContent(`<title>${title}</title>${bodies.join("")}`);
  const pdf = await page.pdf();
  await page.close();
  return pdf;
}

/** The folder `name` in `scratch`, with an index that the command line has built of these passages. */
export function indexOf(passages, scratch, name) {
  const [file, folder] = [join(scratch, `${name}.jsonl`), join(scratch, name)];
  writeFileSync(file, passages.map((passage) => `${JSON.stringify(passage)}\n`).join(""));
  const { status, stderr } = spawnSync(EVIDENT, ["index", "build", file, "--out", folder], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return folder;
}
