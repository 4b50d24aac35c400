/**
 * The extension's first run: the page that opens, its buttons and the panel's. Nobody is there to grant a permission,
 * so a test answers in the browser's place; one site is granted from the start.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import axe from "axe-core";
import { launchExtension, REPOSITORY } from "./browser.mjs";

let folder;
let context;
let extension;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "evident-welcome-"));
  const build = [join(REPOSITORY, "web/extension/build.mjs"), "--browser", "chrome", "--out", folder];
  execFileSync(process.execPath, [...build, "--grant", "https://claude.ai/*"]);
  context = await launchExtension(join(folder, "chrome"), join(folder, "profile"));
  await context.route("https://claude.ai/**", (route) => route.fulfill({ contentType: "text/html", body: "<p>Hello" }));
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  extension = worker.url().replace(/[^/]*$/, "");
});
after(async () => {
  await context?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** A page of the extension's; the browser's question is answered so, and kept in `globalThis.asked`. */
async function open(path, answer) {
  const page = await context.newPage();
  await page.addInitScript((answer) => {
    globalThis.asked = [];
    chrome.permissions.request = async ({ origins }) => {
      globalThis.asked.push(origins);
      return answer;
    };
  }, answer);
  await page.goto(`${extension}${path}`);
  return page;
}

/** What axe-core complains of. */
async function faults(page) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

test("the page opens once the extension is installed, and says what stays here", async () => {
  while (!context.pages().some((page) => page.url() === `${extension}welcome.html`))
    await new Promise((done) => setTimeout(done, 100));
  const page = context.pages().find((page) => page.url() === `${extension}welcome.html`);
  assert.match(await page.locator("main").textContent(), /What stays on this machine.*No server sees it/s);
  assert.deepEqual(await faults(page), []);
});

test("a button for each site asks for that site alone; what is on says so, with its open pages", async () => {
  await (await context.newPage()).goto("https://claude.ai/chat/1");
  const page = await open("welcome.html", true);
  await page.getByText("Claude is on").waitFor();
  assert.deepEqual(await page.getByRole("button").allTextContents(), [
    "Enable on ChatGPT",
    "Enable on Gemini",
    "Enable on Copilot",
    "Enable on Perplexity",
  ]);
  await page.getByRole("button", { name: "Enable on Gemini" }).click();
  await page.getByText("Gemini is on: open it").waitFor();
  assert.deepEqual(await page.evaluate(() => globalThis.asked), [["https://gemini.google.com/*"]]);
  const refused = await open("welcome.html", false);
  await refused.getByRole("button", { name: "Enable on ChatGPT" }).click();
  await refused.getByText("Without leave to read ChatGPT").waitFor();
});

test("a site that is granted while its page is open is read with no reload", async () => {
  const page = await context.newPage();
  await page.goto("https://claude.ai/chat/2");
  const own = await open("welcome.html", true);
  const worker = context.serviceWorkers()[0];
  await own.evaluate(() => chrome.scripting.unregisterContentScripts());
  await page.reload();
  const isRead = () =>
    own.evaluate(async () => {
      const [tab] = await chrome.tabs.query({ url: "https://claude.ai/chat/2" });
      return chrome.tabs.sendMessage(tab.id, { type: "anybody" }).then(
        () => true,
        ({ message }) => !/Receiving end does not exist/.test(message),
      );
    });
  assert.equal(await isRead(), false);
  // As the browser does once the reader has given leave.
  await worker.evaluate(() => chrome.permissions.onAdded.dispatch({ origins: ["https://claude.ai/*"] }));
  while (!(await isRead())) await new Promise((done) => setTimeout(done, 100));
});

test("the empty panel has the button of a page that was handed over, and else the way to all of them", async () => {
  const page = await context.newPage();
  await page.goto("about:blank");
  const helper = await open("welcome.html", true);
  const tab = await helper.evaluate(
    async () => (await chrome.tabs.query({})).find(({ url }) => url === undefined)?.id ?? null,
  );
  assert.ok(tab !== null);
  const panel = await context.newPage();
  await panel.addInitScript(() => {
    globalThis.asked = [];
    chrome.permissions.request = async ({ origins }) => {
      globalThis.asked.push(origins);
      return true;
    };
    // As once the reader has pressed the icon on that page.
    if (location.search === "?handed") chrome.tabs.get = async (id) => ({ id, url: "https://chatgpt.com/c/1" });
  });
  await panel.goto(`${extension}panel.html#tab=${tab}`);
  await panel.getByRole("link", { name: "Enable on a site" }).waitFor();
  await panel.goto(`${extension}panel.html?handed#tab=${tab}`);
  await panel.getByRole("button", { name: "Enable on ChatGPT" }).click();
  assert.deepEqual(await panel.evaluate(() => globalThis.asked), [["https://chatgpt.com/*"]]);
  assert.equal(await panel.locator("#enable").isVisible(), false);
  assert.deepEqual(await faults(panel), []);
});
