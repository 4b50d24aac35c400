/** Real Chromium on the built demo: starts both, and offers what a user does on the page. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { listen, staticFiles } from "../../web/serve.mjs";

export const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const DEMO = `${REPOSITORY}dist/demo`;
const PACKAGE = `${REPOSITORY}web/package/dist`;

/** Long enough for a software GPU on a busy machine; nothing that ends well takes as long. */
export const PATIENCE_MS = 300_000;

const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--no-first-run",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The switch by which Chromium answers a page's measurement of its memory at once. */
export const MEASURES = ["--enable-blink-features=ForceEagerMeasureMemory"];

/**
 * Chromium, with WebGPU on a software adapter or without any adapter; `named` is a host name that resolves to this
 * machine, and with `measures` a page that measures its memory is answered at once.
 */
export function launch({ webgpu = false, named, measures = false } = {}) {
  const more = [
    ...(measures ? MEASURES : []),
    ...(webgpu ? ["--enable-unsafe-webgpu"] : []),
    ...(named ? [`--host-resolver-rules=MAP ${named} 127.0.0.1`] : []),
  ];
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [...FLAGS, ...more],
  });
}

/**
 * Serves the demo, again under /any/folder/, and the npm package under /package/, on a free port, with `headers` on
 * everything. `alter(path, bytes)` sees each file before it is sent: it may return other bytes, a status (404), or a
 * promise that holds the file back; undefined leaves it as it is. `sent()` counts the bytes that have left the server,
 * headers included.
 */
export async function serve(alter = () => undefined, headers = {}) {
  const demo = staticFiles(DEMO);
  const packaged = staticFiles(PACKAGE);
  const { server, url } = await listen(async (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (request.url.startsWith("/package/")) {
      request.url = request.url.slice("/package".length);
      return packaged(request, response);
    }
    if (request.url.startsWith("/any/folder/")) request.url = request.url.slice("/any/folder".length);
    const path = new URL(request.url, "http://localhost").pathname.slice(1);
    const altered = await alter(path, await readFile(`${DEMO}/${path}`).catch(() => null));
    if (altered === undefined) return demo(request, response);
    if (typeof altered === "number") return response.writeHead(altered).end();
    const type = path.endsWith(".js") ? "text/javascript" : "application/octet-stream";
    response.writeHead(200, { "Content-Type": type, "Content-Length": altered.length }).end(altered);
  }, 0);
  server.unref(); // a test that fails before it closes its site does not keep the others waiting
  const sockets = new Set();
  server.on("connection", (socket) => sockets.add(socket));
  const sent = () => [...sockets].reduce((bytes, { bytesWritten }) => bytes + bytesWritten, 0);
  const close = () => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  };
  return { url, sent, close };
}

/**
 * Has the pages of a context take their device for a phone, so that they load the pack's small model: most tests are of
 * the page and not of how good the verdicts are, and it is several times as fast.
 */
export async function withSmallModel(context) {
  await context.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, "userAgentData", { get: () => ({ mobile: true }) }),
  );
  return context;
}

/**
 * A page of its own cache and storage, at the demo; what it logs as an error is kept in `page.errors`. It loads the
 * small model unless it is to have the `full` one.
 */
export async function visit(browser, url, { model = "small", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  if (model === "small") await withSmallModel(context);
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(error.message));
  await page.goto(url);
  return page;
}

/** Has a page take the software adapter for a graphics card. */
export function disguiseAdapter() {
  Object.defineProperty(GPUAdapter.prototype, "info", {
    get: () => ({ vendor: "acme", architecture: "one", device: "", description: "", isFallbackAdapter: false }),
  });
}

/** Chromium with an unpacked extension, and a profile in this folder; `args` are further switches. */
export async function launchExtension(unpacked, profile, { args = [], ...options } = {}) {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: [
      "--headless=new",
      "--no-sandbox",
      "--no-first-run",
      ...args,
      `--disable-extensions-except=${unpacked}`,
      `--load-extension=${unpacked}`,
    ],
    ...options,
  });
  context.setDefaultTimeout(60_000);
  return context;
}

/** Fills in the form as a user would, and presses Check. */
export async function check(page, { answer, question, backend, passages, rerank } = {}) {
  if (answer !== undefined) await page.getByLabel("Answer", { exact: true }).fill(answer);
  if (question !== undefined) await page.getByLabel("Question").fill(question);
  if (backend || passages || rerank !== undefined) {
    const settings = page.locator(".settings");
    if (!(await settings.getAttribute("open").then((open) => open !== null))) await settings.locator("summary").click();
    if (backend) await page.getByLabel("Compute on").selectOption(backend);
    if (passages) await page.getByLabel("Passages per sentence").fill(String(passages));
    if (rerank !== undefined) await page.getByLabel("Re-rank the passages").setChecked(rerank);
  }
  await page.getByRole("button", { name: "Check", exact: true }).click();
}

/** Waits until the check has ended; resolves to its status line, or to the alert's text and code. */
export async function outcome(page) {
  await page.locator("form[aria-busy=false]").waitFor({ timeout: PATIENCE_MS });
  const code = page.locator("#alert code");
  if (await code.count()) return { code: await code.textContent(), text: await page.locator("#alert").innerText() };
  return { status: await page.locator("#status").textContent() };
}

/** Waits until the check has ended, and it must have ended well; resolves to its status line. */
export async function done(page) {
  const { status, code, text } = await outcome(page);
  assert.equal(code, undefined, text);
  assert.match(status, /^Done/);
  return status;
}

/** The answer on the page, rendered. */
export function answerOf(page) {
  return page.getByRole("group", { name: "The answer, sentence by sentence" });
}

/** The buttons of the sentences on the page. */
export function options(page) {
  return answerOf(page).locator(".sentence-button");
}

/** The judged sentences as they stand on the page: text, and the verdict's word. */
export function sentences(page) {
  return options(page).evaluateAll((buttons) =>
    buttons.map((button) => {
      const marks = [...document.querySelectorAll(`mark[aria-details="${button.id}"]`)];
      return {
        text: marks.map((mark) => mark.textContent).join(""),
        word: button.querySelector(".word").textContent,
      };
    }),
  );
}

/** Waits for the first sentence that has its verdict. */
export async function firstVerdict(page) {
  const verdict = page.locator(
    ".badge:is(.factual, .likely-factual, .unfactual, .likely-unfactual, .mixed, .no-evidence)",
  );
  const alert = page.locator("#alert:not(:empty)");
  await verdict.or(alert).first().waitFor({ timeout: PATIENCE_MS });
  if (await alert.count()) assert.fail(await alert.innerText());
}

/** What the status line says when a check has ended well. */
export const DONE = /^Done: \d+ supported, \d+ contradicted(, \d+ mixed)?(, \d+ undecided)?, \d+ not in this index\.$/;

/** One line of the "This check" table. */
export function fact(page, name) {
  return page.locator(".facts > div", { hasText: name }).locator("dd").textContent();
}
