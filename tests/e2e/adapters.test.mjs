/**
 * Adapters that are mended without a release, in real Chromium: the page of a site that has changed cannot be read until
 * the reader fetches newer ones. The build is a test's, with a key of its own.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import axe from "axe-core";
import { keyPair, minisig } from "../../web/package/test/minisign.mjs";
import { launchExtension, PATIENCE_MS, REPOSITORY } from "./browser.mjs";

const ADAPTERS = "https://adapters.example/adapters.json";
const CHAT = "https://chatgpt.com/c/1";
const FIXTURES = join(REPOSITORY, "tests/e2e/fixtures/sites");
const pair = keyPair();

/** The site as it is once it has changed, and the adapter for that. */
const CHANGED = readFileSync(join(FIXTURES, "chatgpt.html"), "utf8")
  .replaceAll("data-message-author-role", "data-author")
  .replaceAll("stop-button", "halt-button");
const MENDED = {
  answer: '[data-author="assistant"] .markdown',
  question: '[data-author="user"]',
  streaming: '[data-testid="halt-button"]',
  except: null,
  asOf: "2026-12, the page of this test",
};
const fileOf = (row) => JSON.stringify({ format: 1, sites: { chatgpt: row } });

let folder;
let context;
let extension;
/** What the host of the adapters has, and how often it was asked. */
let published = {};
let asked = 0;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "evident-adapters-"));
  const build = [join(REPOSITORY, "web/extension/build.mjs"), "--browser", "chrome", "--out", folder];
  const own = ["--adapters", ADAPTERS, "--adapters-key", pair.publicKey];
  execFileSync(process.execPath, [...build, ...own, "--grant", "https://chatgpt.com/*"]);
  context = await launchExtension(join(folder, "chrome"), join(folder, "profile"));
  await context.route("https://chatgpt.com/**", (route) =>
    new URL(route.request().url()).pathname === "/stream.js"
      ? route.fulfill({ contentType: "text/javascript", body: readFileSync(join(FIXTURES, "stream.js"), "utf8") })
      : route.fulfill({ contentType: "text/html", body: CHANGED }),
  );
  await context.route("https://adapters.example/**", (route) => {
    asked += 1;
    const body = published[route.request().url()];
    const headers = { "Access-Control-Allow-Origin": "*" };
    return route.fulfill(body === undefined ? { status: 404, headers } : { headers, body });
  });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  extension = worker.url().replace(/[^/]*$/, "");
});
after(async () => {
  await context?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** The host has this file from now on, signed as this version. */
function publish(file, version, key = pair) {
  published = { [ADAPTERS]: file, [`${ADAPTERS}.minisig`]: minisig(key, file, `version:${version}`) };
}

async function open(address) {
  const page = await context.newPage();
  page.errors = [];
  page.on("pageerror", ({ message }) => page.errors.push(message));
  await page.goto(address);
  return page;
}

/** The panel on the tab that shows a page, in a tab of its own. */
async function panelOn(page, options) {
  await page.bringToFront();
  const [{ id }] = await options.evaluate(() => chrome.tabs.query({ active: true, lastFocusedWindow: true }));
  const panel = await open(`${extension}panel.html#tab=${id}`);
  await page.bringToFront();
  return panel;
}

/** Waits until the page's marks are on these texts. */
const marked = (page, texts) =>
  page.waitForFunction(
    (texts) => {
      const found = [...CSS.highlights.values()].flatMap((ranges) => [...ranges].map(String)).sort();
      return JSON.stringify(found) === texts;
    },
    JSON.stringify(texts.toSorted()),
    { timeout: PATIENCE_MS },
  );

const say = (page, text) => page.evaluate((text) => chat.say("Where is Paris?", [["p", text]], 15), text);

let options;

test("a site that has changed is unreadable, and nothing is fetched for it by itself", async () => {
  options = await open(`${extension}options.html`);
  const page = await open(CHAT);
  const panel = await panelOn(page, options);
  await say(page, "Paris is the capital of France.");
  await panel.getByText("Evident cannot read this site").waitFor();
  await options.getByText("The extension's own are used.").waitFor();
  assert.equal(asked, 0);
  await Promise.all([page.close(), panel.close()]);
});

test("a newer adapter reads it, as it streams, is rendered again and branches", async () => {
  publish(fileOf(MENDED), 5);
  await options.bringToFront();
  assert.match(await options.locator("#adapters .hint").innerText(), /from adapters\.example, which sees your IP/);
  await options.getByRole("button", { name: "Update adapters" }).click();
  await options.getByText("Version 5 reads ChatGPT").waitFor();
  assert.equal(asked, 2);
  await options.getByRole("button", { name: "Update adapters" }).click();
  await options.getByText("Nothing newer was there. Version 5 reads ChatGPT").waitFor();

  const page = await open(CHAT);
  const panel = await panelOn(page, options);
  await say(page, "Paris is the capital of France. It lies on the Seine.");
  const first = ["Paris is the capital of France.", "It lies on the Seine."];
  await marked(page, first);
  assert.equal(await panel.locator(".widget > .title").innerText(), "Where is Paris?");
  await page.evaluate(() => chat.render());
  await marked(page, first);
  await page.evaluate(() => chat.branch([["p", "Mars has four moons."]]));
  await marked(page, ["Mars has four moons."]);
  await page.evaluate(() => chat.back());
  await marked(page, first);
  assert.deepEqual([...page.errors, ...panel.errors, ...options.errors], []);
  await Promise.all([page.close(), panel.close()]);
});

test("a wrong adapter is refused with the reason, and the one before stays", async () => {
  const kept = () => options.evaluate(async () => (await chrome.storage.local.get("adapters")).adapters);
  const before = await kept();
  await options.bringToFront();
  const wrong = async (reason) => {
    await options.getByRole("button", { name: "Update adapters" }).click();
    await options.locator("#adapters-wrong", { hasText: reason }).waitFor();
    assert.deepEqual(await kept(), before);
  };
  publish(fileOf(MENDED), 4);
  await wrong("version 4, older than version 5");
  publish(fileOf(MENDED), 6, keyPair());
  await wrong("not signed by Evident's key: another key");
  for (const answer of ["::", "a{}b", "a{} b", ":is(a", "a, ", "</style>"]) {
    publish(fileOf({ ...MENDED, answer }), 6);
    await wrong("chatgpt: answer is no selector");
    publish("{}", 6); // another reason in between
    await wrong("the file has no field format");
  }
  publish(fileOf({ ...MENDED, origins: ["https://evil.example"] }), 6);
  await wrong("chatgpt has a field origins");
  published = {};
  await wrong("HTTP 404");
  await options.getByText("Version 5 reads ChatGPT").waitFor();
  await options.evaluate(axe.source);
  const { violations } = await options.evaluate(() => globalThis.axe.run());
  assert.deepEqual(
    violations.map(({ id }) => id),
    [],
  );
});

test("the extension's own can be had back, and an older version is still refused", async () => {
  await options.getByRole("button", { name: "Use the extension's own again" }).click();
  await options.getByText("The extension's own are used.").waitFor();
  publish(fileOf(MENDED), 4);
  await options.getByRole("button", { name: "Update adapters" }).click();
  await options.locator("#adapters-wrong", { hasText: "older than version 5" }).waitFor();
  publish(fileOf(MENDED), 5);
  await options.getByRole("button", { name: "Update adapters" }).click();
  await options.getByText("Version 5 reads ChatGPT").waitFor();
  assert.equal(await options.locator("#adapters-wrong").innerText(), "");
});
