/**
 * `<evident-check>` on pages of others: what it loads, marks, shows and tells, and that it leaves the page as it was.
 */

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { DONE, launch, PATIENCE_MS, REPOSITORY, serve, visit } from "./browser.mjs";
import { citedPages, host as folderHost, indexOf, pdfOf, sealed } from "./host.mjs";
import { HOSTILE, PRIVATE, session, sound } from "./safety.mjs";

const TEXT = "The atomic number of carbon is 8. Paris is the capital of France.";

/** A host whose name is not a private one. */
const HOST = "pages.example";

let browser;
let site;
/** How often the site was asked for each file. */
const sent = {};
/** Holds the pack back, so that a check stays at loading. */
let held;
/** One page for the tests that need no page of their own: its engine stays, for the element #keeper never leaves it. */
let page;
before(async () => {
  [browser, site] = await Promise.all([
    launch({ named: HOST }),
    serve((path) => {
      sent[path] = (sent[path] ?? 0) + 1;
      return path === "pack/pack.json" ? held : undefined;
    }),
  ]);
  page = await host(
    `<main></main><evident-check id="keeper" device="cpu" pack="pack/" index="index/"></evident-check>`,
    { hasTouch: true },
  );
});
after(() => Promise.all([browser?.close(), site?.close()]));

/**
 * A page of this body at the demo's address, with the one script tag and the least that its policy can allow; `init`
 * runs in it first.
 */
async function host(body, { init, ...options } = {}) {
  const made = await visit(browser, "about:blank", options);
  if (init) await made.addInitScript(init);
  const html = `<!doctype html><html lang="en"><head><title>Host</title><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'">
    <script type="module" src="evident-check.js"></script></head><body>${body}</body></html>`;
  await made.route(`${site.url}host.html`, (route) => route.fulfill({ contentType: "text/html", body: html }));
  await made.goto(`${site.url}host.html`);
  return made;
}

/** Puts this into the shared page's <main>; gives its one element, or the first. */
async function show(html) {
  await page.evaluate((html) => {
    document.querySelector("main").innerHTML = html;
  }, html);
  return page.locator("main evident-check").first();
}

/** Waits until the element's check has ended; resolves to its report, which it must have. */
async function checked(element) {
  await element.locator(".widget[aria-busy=false]").waitFor({ timeout: PATIENCE_MS });
  const error = element.locator(".error");
  assert.equal(await error.textContent(), "");
  return element.evaluate(({ report }) => report);
}

async function press(element) {
  await element.getByRole("button", { name: "Check", exact: true }).click();
}

/** The texts under each highlight of the page. */
function highlights(page) {
  return page.evaluate(() =>
    Object.fromEntries(
      [...CSS.highlights].map(([name, ranges]) => [name, [...ranges].map((range) => `${range}`.replace(/\s+/g, " "))]),
    ),
  );
}

const NAME = {
  factual: "evident-factual",
  unfactual: "evident-unfactual",
  mixed: "evident-mixed",
  noEvidence: "evident-no-evidence",
};

/** Where the first text of this highlight stands on the screen. */
function place(page, name) {
  return page.evaluate((name) => {
    const [range] = CSS.highlights.get(name);
    range.startContainer.parentElement.scrollIntoView({ block: "center" });
    const { x, y, width, height } = range.getClientRects()[0];
    return [x + width / 2, y + height / 2];
  }, name);
}

test("the module can be imported where there is no window", async () => {
  const { defineEvidentCheck } = await import("../../web/package/dist/element.js");
  defineEvidentCheck();
});

test("a page with three elements loads one script until the first check, and then one engine for all", async () => {
  const page = await visit(browser, "about:blank");
  const requests = [];
  page.context().on("request", (request) => requests.push(new URL(request.url()).pathname));
  const before = { ...sent };
  await page.goto(`${site.url}widget.html`, { waitUntil: "networkidle" });
  assert.deepEqual(
    requests.filter((path) => path !== "/icon.svg"),
    ["/widget.html", "/evident-check.js"],
  );
  assert.equal(page.workers().length, 0);

  const [slot, named, typed] = await page.locator("evident-check").all();
  const outerHTML = () => page.evaluate(() => document.querySelector("main").outerHTML);
  const untouched = await outerHTML();
  await press(slot);
  await press(named);
  await typed.getByLabel("Text to check").fill(TEXT);
  await press(typed);
  const reports = [];
  for (const element of [slot, named, typed]) reports.push(await checked(element));
  assert.equal(page.workers().length, 1);
  assert.equal(await outerHTML(), untouched);
  for (const path of ["worker.js", "pack/pack.json", "index/manifest.json"])
    assert.equal(sent[path] - (before[path] ?? 0), 1, path);

  // What is marked is what was judged, under its verdict; what was typed is marked in a copy.
  const expected = {};
  for (const { sentences } of reports.slice(0, 2))
    for (const { verdict, text } of sentences) (expected[NAME[verdict]] ??= []).push(text);
  const sorted = (lists) => Object.fromEntries(Object.entries(lists).map(([name, texts]) => [name, texts.sort()]));
  // The most doubtful sentence is open, and its wrong words are marked.
  const { "evident-open": _, "evident-wrong": __, ...marked } = await highlights(page);
  assert.deepEqual(sorted(marked), sorted(expected));
  assert.ok(reports[1].sentences.some(({ text }) => text === "Paris is the capital of France."));
  assert.deepEqual(
    reports[0].leftOut.map(({ text }) => text),
    ["Shall I go on?"],
  );
  assert.match(await slot.locator(".left-out").textContent(), /^1 sentence makes no claim/);
  assert.equal(await typed.locator(".copy .marked").count(), 2);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("the keyboard opens a sentence's evidence and closes it", async () => {
  const element = await show(`<evident-check device="cpu" pack="pack/" index="index/">${TEXT}</evident-check>`);
  await press(element);
  await checked(element);
  assert.match(await element.getByRole("status").first().textContent(), DONE);

  const buttons = element.locator(".sentence-button");
  assert.match(await buttons.first().textContent(), /^(Supported|Contradicted) The atomic number of carbon is 8\.$/);
  const evidence = element.getByRole("group", { name: "Evidence" });
  if (await evidence.count()) {
    await buttons.first().focus();
    await page.keyboard.press("Escape"); // the most doubtful opens by itself
  }
  assert.equal(await evidence.count(), 0);
  await buttons.first().focus();
  await page.keyboard.press("Enter");
  assert.equal(await evidence.count(), 1);
  const deciding = evidence.locator(".deciding").first();
  assert.match(await deciding.locator("blockquote").textContent(), /carbon/i);
  assert.ok((await deciding.locator("blockquote mark").count()) > 0);
  assert.ok((await deciding.locator(".source").textContent()).trim());
  assert.ok((await evidence.locator(".why").textContent()).trim());
  assert.doesNotMatch(await evidence.innerText(), /\d\.\d\d|BM25/);
  await evidence.locator("summary", { hasText: "Details" }).click();
  assert.match(await evidence.locator(".ranked").innerText(), /BM25 \d+\.\d\d/);
  const three = (await evidence.locator(".ranked .numbers").first().locator("dd").allTextContents()).map(Number);
  assert.equal(three.length, 3);
  assert.ok(Math.abs(three.reduce((sum, p) => sum + p) - 1) < 0.02);
  assert.deepEqual((await highlights(page))["evident-open"], ["The atomic number of carbon is 8."]);

  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  assert.equal(await evidence.count(), 0);
  assert.equal(await buttons.first().evaluate((button) => button.getRootNode().activeElement === button), true);
  assert.equal((await highlights(page))["evident-open"], undefined);
});

test("a dismissed mark leaves the text, and comes back when it is wanted", async () => {
  for (const text of [
    `<p id="own">${TEXT}</p><evident-check for="own"`,
    `<textarea id="field">${TEXT}</textarea><evident-check for="field"`,
  ]) {
    const element = await show(`${text} device="cpu" pack="pack/" index="index/"></evident-check>`);
    await press(element);
    const [{ verdict }] = (await checked(element)).sentences;
    const marked = async () =>
      text.includes("textarea")
        ? element.locator(".copy .marked").allTextContents()
        : ((await highlights(page))[NAME[verdict]] ?? []);
    const open = element.locator(".sentence-button").first();
    if ((await open.getAttribute("aria-expanded")) === "false") await open.click();
    const carbon = async () => (await marked()).some((text) => text.includes("carbon"));
    const summary = element.locator(".summary");
    const all = await summary.innerText();
    assert.ok(await carbon());
    await element.getByRole("button", { name: "Dismiss this mark" }).click();
    assert.equal(await carbon(), false);
    assert.notEqual(await summary.innerText(), all, "it leaves the count");
    assert.match(await open.textContent(), /^dismissed /);
    await element.getByRole("button", { name: "Show this mark again" }).click();
    assert.ok(await carbon());
    assert.equal(await summary.innerText(), all);
  }
});

test("a click and a touch in the text open the evidence, but not beside a sentence and not on a link", async () => {
  const element = await show(
    `<p id="prose">Paris is the capital of <a href="#there">France</a>.</p><evident-check for="prose" device="cpu" pack="pack/" index="index/"></evident-check>`,
  );
  await press(element);
  const { sentences } = await checked(element);
  const evidence = element.getByRole("group", { name: "Evidence" });
  const [x, y] = await place(page, NAME[sentences[0].verdict]);
  const { x: left, width } = await page.locator("#prose").boundingBox();
  await page.mouse.click(left + width - 5, y);
  await page.locator("#prose a").click();
  assert.equal(await evidence.count(), 0);
  assert.match(page.url(), /#there$/);

  await page.mouse.click(x - 40, y);
  assert.equal(await evidence.count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await evidence.count(), 0);
  await page.touchscreen.tap(x - 40, y);
  assert.equal(await evidence.count(), 1);

  await page.keyboard.press("Escape");
  await page.evaluate(() => delete Document.prototype.caretPositionFromPoint); // as in older browsers
  await page.mouse.click(x - 40, y);
  assert.equal(await evidence.count(), 1);
});

test("marks follow a text that is rendered again, and leave one that has changed", async () => {
  const element = await show(
    `<p id="prose">Paris is the capital of France.</p><evident-check for="prose" device="cpu" pack="pack/" index="index/"></evident-check>`,
  );
  await press(element);
  const { sentences } = await checked(element);
  const name = NAME[sentences[0].verdict];
  const write = (html) => page.evaluate((html) => void (document.getElementById("prose").innerHTML = html), html);
  await write("Paris is the <b>capital</b> of France.");
  assert.deepEqual((await highlights(page))[name], ["Paris is the capital of France."]);

  await write("Paris is the capital of Spain.");
  assert.deepEqual(await highlights(page), {});
  assert.equal(await element.getByRole("status").first().textContent(), "The text has changed since it was checked.");
  await page.evaluate(() => document.querySelector("main evident-check").remove());
  assert.equal(page.workers().length, 1);
});

test("headings, list items and links are read apart, hidden text and scripts not at all", async () => {
  const element =
    await show(`<evident-check device="cpu" pack="pack/" index="index/"><h3>A Day in Paris</h3><ul><li>Paris is the capital
    of France</li><li hidden>The Moon is made of cheese.</li><li>Carbon is a chemical element<script>// no prose</script></li></ul>
    <a href="https://a.example/"><h4>More</h4></a><ol start="3"><li><a href="https://a.example/(1">No [one</a></li><li>
          <a href="/b">Some one</a></li></ol></evident-check>`);
  await press(element);
  const { sentences, answer } = await checked(element);
  assert.equal(answer.slice(answer.indexOf("More")), "More\n\nNo [one\n\nSome one");
  assert.deepEqual(
    sentences.map(({ text }) => text),
    ["Paris is the capital of France", "Carbon is a chemical element"],
  );
  assert.deepEqual(
    Object.values(await highlights(page))
      .flat()
      .sort(),
    sentences.map(({ text }) => text).sort(),
  );
});

test("Cancel stops a check and says how far it came, and the next one works", async () => {
  const element = await show(`<evident-check device="cpu" pack="pack/" index="index/"></evident-check>`);
  const box = element.getByLabel("Text to check");
  await box.fill("Paris is the capital of France. ".repeat(60));
  const ended = element.evaluate(
    (element) =>
      new Promise((done) => element.addEventListener("evident-error", ({ detail }) => done(detail.error.code))),
  );
  await press(element);
  await element.locator(".sentence-button").first().waitFor({ timeout: PATIENCE_MS });
  await element.getByRole("button", { name: "Cancel" }).press("Enter");
  assert.equal(await ended, "cancelled");
  assert.match(await element.getByRole("status").first().textContent(), /^Cancelled: \d+ of 60 sentences checked\.$/);
  assert.equal(
    await element.evaluate(({ report, shadowRoot }) => report === null && shadowRoot.activeElement.textContent),
    "Check",
  );

  await box.fill("Paris is the capital of France.");
  await press(element);
  assert.equal((await checked(element)).sentences.length, 1);
});

test("what goes wrong is shown with its code, rejects, and is told outside of shadow trees", async () => {
  await show(`<div></div>`);
  const told = await page.evaluate(async () => {
    const root = document.querySelector("main div").attachShadow({ mode: "open" });
    root.innerHTML = `<evident-check device="cpu" pack="nowhere/">Paris is the capital of France.</evident-check>`;
    const told = new Promise((done) =>
      document.addEventListener("evident-error", ({ detail }) => done(detail.error.code), { once: true }),
    );
    const rejected = await root.firstChild.check().catch(({ code }) => code);
    return [await told, rejected];
  });
  assert.deepEqual(told, ["pack-missing", "pack-missing"]);
  const element = page.locator('evident-check[pack="nowhere/"]');
  assert.match(await element.getByRole("alert").textContent(), /^The models are not there.*nowhere.*pack-missing$/s);

  for (const [html, code] of [
    [`<evident-check for="nobody"></evident-check>`, "bad-settings"],
    [`<evident-check></evident-check>`, "empty-answer"],
    [`<evident-check backend="cpu">Text.</evident-check>`, "bad-settings"],
    [`<evident-check device="abacus" pack="pack/" index="index/">Text.</evident-check>`, "bad-settings"],
  ]) {
    const element = await show(html);
    await press(element);
    assert.equal(await element.getByRole("alert").locator("code").textContent(), code);
  }
  assert.equal(
    await page.evaluate(() => document.querySelector("#keeper").shadowRoot.querySelector(".error").textContent),
    "",
  );
});

test("the page hears of progress, sentences and the report; `auto` checks on sight, by the settings and wording of the page", async () => {
  await show(
    `<div></div><evident-check device="cpu" pack="pack/" index="index/" question="Where is Paris?" auto hidden>${TEXT}</evident-check>`,
  );
  const told = await page.evaluate(async () => {
    document.querySelector("main div").style.blockSize = "200vh";
    const element = document.querySelector("main evident-check");
    element.settings = { evidence: 2 };
    element.strings = { checking: { one: "Einen Satz", other: "{n} Sätze" }, factual: "belegt" };
    const told = [];
    for (const name of ["evident-progress", "evident-sentence"])
      document.addEventListener(name, ({ type, detail }) => told.push({ type, detail }));
    const done = new Promise((done) =>
      document.addEventListener("evident-report", ({ detail }) => done(detail.report)),
    );
    element.hidden = false;
    await new Promise((later) => setTimeout(later, 300));
    const early = told.length;
    element.scrollIntoView();
    return { early, report: await done, told, same: (await done) === element.report };
  });
  assert.equal(told.early, 0);
  assert.equal(told.same, true);
  assert.equal(told.report.question, "Where is Paris?");
  assert.equal(told.report.settings.evidence, 2);
  const sentences = told.told.filter(({ type }) => type === "evident-sentence").map(({ detail }) => detail);
  assert.deepEqual(
    sentences.map(({ sentence }) => sentence),
    told.report.sentences,
  );
  const fractions = told.told.filter(({ type }) => type === "evident-progress").map(({ detail }) => detail.fraction);
  assert.deepEqual(
    fractions,
    fractions.toSorted((a, b) => a - b),
  );
  assert.equal(fractions.at(-1), 1);
  assert.match(await page.locator("main evident-check .summary").textContent(), /^belegt: /);
});

test("in a page from right to left the wording stands as its language does, and nothing scrolls sideways", async () => {
  const page = await host(
    `<main><evident-check device="cpu" pack="pack/" index="index/">${TEXT}</evident-check></main>`,
    {
      viewport: { width: 360, height: 740 },
    },
  );
  const side = () =>
    page.evaluate(() => {
      const widget = document.querySelector("evident-check").shadowRoot.querySelector(".widget");
      return {
        direction: getComputedStyle(widget).direction,
        lang: widget.lang,
        wide: document.documentElement.scrollWidth > 360,
      };
    });
  await page.evaluate(() => {
    document.documentElement.dir = "rtl";
  });
  assert.deepEqual(await side(), { direction: "ltr", lang: "en", wide: false });
  await page.evaluate(() => {
    const element = document.querySelector("evident-check");
    element.lang = "he";
    element.strings = { check: "בדיקה", factual: "נכון" };
  });
  assert.deepEqual(await side(), { direction: "rtl", lang: "he", wide: false });
  assert.equal(await page.getByRole("button", { name: "בדיקה" }).count(), 1);
  await page.context().close();
});

const CITED = {
  "iron.html": "<title>Iron</title><main><p>Iron is a metal. The atomic number of iron is 26.</p></main>",
  "carbon.html": "<title>Carbon</title><p>Carbon is a chemical element. The atomic number of carbon is 6.</p>",
  "bread.html": "<title>Bread</title><p>Bread is baked of flour and water.</p>",
  "closed.html": "<p>Iron is a metal.</p>",
  "inner.html": "<p>Iron is a metal.</p>",
};

test("sentences are compared with the pages that they cite, once the reader has said so", async () => {
  const guide = await pdfOf(browser, "A guide", "Bread is no metal.", "The atomic number of carbon is 6.");
  const inner = await citedPages("127.0.0.1", CITED);
  const pages = await citedPages(
    HOST,
    { ...CITED, "guide.pdf": guide },
    { closed: ["closed.html"], moved: { "moved.html": inner.at("inner.html") } },
  );
  const { at, asked } = pages;
  const link = (path, words) => `<a href="${at(path)}">${words}</a>`;
  const own = await folderHost({
    alter(path, response) {
      if (path !== "cites.html") return false;
      response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
      return true;
    },
  });
  const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title>
    <script type="module" src="evident-check.js"></script><main><article id="cited"><p>The atomic number of iron is 26 (${link("iron.html", "iron")}).
      The atomic number of carbon is 8.<sup><a href="#note">1</a></sup>
      The atomic number of iron is 26 [${link("bread.html", "7")}].</p>
      <ul><li>The atomic number of carbon is 6 (${link("gone.html", "gone")}).</li>
      <li>Iron is a metal (${link("closed.html", "closed")}).</li>
      <li>Iron is a metal ${link("moved.html", "[2]")}.</li>
      <li>Iron is a metal (<a href="http://192.168.0.1/iron.html">inside</a>).</li></ul>
      <ol><li id="note">A guide, ${link("guide.pdf", "the guide")}</li></ol></article>
      <evident-check for="cited" device="cpu" pack="pack/" index="index/"></evident-check></main>`;
  const page = await visit(browser, `${own.url}cites.html`);
  const element = page.locator("evident-check");
  const untouched = await page.locator("#cited").evaluate((article) => article.outerHTML);
  await press(element);
  await checked(element);
  const sources = element.getByRole("region", { name: "Check the sources" });
  await sources.getByRole("button", { name: "Check the sources" }).click();
  const ask = await sources.getByText(/^This fetches 7 pages/).textContent();
  assert.match(ask, new RegExp(`from ${HOST}:\\d+, 192\\.168\\.0\\.1\\.`));
  await sources.getByRole("button", { name: "Cancel" }).click();
  await sources.getByRole("button", { name: "Check the sources" }).click();
  assert.deepEqual([...asked, ...inner.asked], [], "nothing is fetched before the reader agrees");
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const faults = () =>
    page.evaluate(async () => (await window.axe.run("evident-check")).violations.map(({ id }) => id));
  assert.deepEqual(await faults(), []);

  const told = element.evaluate(
    (element) =>
      new Promise((done) => element.addEventListener("evident-sources", ({ detail }) => done(detail.report))),
  );
  await element.evaluate((element) => element.setAttribute("threads", "1")); // another engine, which loads for this
  await sources.getByRole("button", { name: "Fetch and check" }).click();
  await sources.getByText("The sources are checked.").waitFor({ timeout: PATIENCE_MS });
  assert.ok(await element.locator(".progress").isHidden(), "what was loaded is there");
  assert.deepEqual(await element.locator(".sentence-button .by-source .word").allTextContents(), [
    "Supported by its source",
    "Contradicted by its source",
    "Not in its source",
    "Source could not be read (not found)",
    "Source could not be read (blocked)",
    "Source could not be read (private network)",
    "Source could not be read (private network)",
  ]);
  const { sentences } = await told;
  assert.deepEqual(
    sentences.map(({ text }) => text.replace(/ ?\(.*\)/, "")),
    [
      "The atomic number of iron is 26.",
      "The atomic number of carbon is 8.",
      "The atomic number of iron is 26.",
      "The atomic number of carbon is 6.",
      "Iron is a metal.",
      "Iron is a metal.",
      "Iron is a metal.",
    ],
  );
  assert.equal(sentences[0].sources[0].state, "supported");
  assert.deepEqual(await element.evaluate(({ report }) => report.sentences), sentences);
  for (const [, { cookie, referer }] of asked) assert.deepEqual([cookie, referer], [undefined, undefined]);
  assert.equal(await page.locator("#cited").evaluate((article) => article.outerHTML), untouched);

  // A passage of a PDF says its page, and a file stands in for what could not be read.
  const carbon = element.locator(".sentence-button").nth(1); // the most doubtful opens by itself
  if ((await carbon.getAttribute("aria-expanded")) === "false") await carbon.click();
  const cited = element.locator(".evidence:not([hidden]) .cited");
  assert.equal(await cited.locator(".source a").getAttribute("href"), `${at("guide.pdf")}#page=2`);
  assert.equal(await cited.locator(".source a").textContent(), "page 2");
  await element.locator(".sentence-button").nth(3).click();
  await cited.locator("input[type=file]").setInputFiles({ name: "c.pdf", mimeType: "application/pdf", buffer: guide });
  await cited.getByText("Supported by its source").waitFor({ timeout: PATIENCE_MS });
  await element.locator(".sentence-button").nth(4).click();
  const dropped = await page.evaluateHandle((html) => {
    const data = new DataTransfer();
    data.items.add(new File([html], "iron.html", { type: "text/html" }));
    return data;
  }, CITED["iron.html"]);
  await cited.locator("li").dispatchEvent("drop", { dataTransfer: dropped });
  await cited.getByText("Supported by its source").waitFor({ timeout: PATIENCE_MS });
  assert.deepEqual(await faults(), []);
  assert.equal(await page.evaluate(() => globalThis.pdfjsWorker), undefined, "a page's own pdf.js is left alone");
  assert.deepEqual(page.errors, []);
  await Promise.all([page.context().close(), own.close(), pages.close(), inner.close()]);
});

test("a card says how often such a verdict was right, or that the models do not say", async () => {
  const element = await show(`<evident-check device="cpu" pack="pack/" index="index/">${TEXT}</evident-check>`);
  await press(element);
  const { sentences } = await checked(element);
  const index = sentences.findIndex(({ verdict }) => verdict === "factual" || verdict === "unfactual");
  const open = element.locator(".sentence-button").nth(index);
  if ((await open.getAttribute("aria-expanded")) === "false") await open.click();
  const card = element.locator(".evidence:not([hidden])");
  await card
    .getByText(/^Of [\d,]+ test claims that were called (supported|contradicted), \d+% are (true|false)\.$/)
    .waitFor();

  const other = await host(
    `<main><evident-check device="cpu" pack="other/pack/" index="index/" lang="de">${TEXT}</evident-check></main>`,
  );
  await other.route("**/other/pack/**", async (route) => {
    const { models, ...pack } = JSON.parse(await readFile(`${REPOSITORY}dist/demo/pack/pack.json`, "utf8"));
    for (const model of Object.values(models)) delete model.measured;
    if (route.request().url().endsWith("pack.json")) await route.fulfill({ body: sealed({ ...pack, models }) });
    else await route.continue({ url: route.request().url().replace("other/", "") });
  });
  const without = other.locator("evident-check");
  await without.getByRole("button", { name: "Prüfen" }).click();
  await checked(without);
  const first = without.locator(".sentence-button").nth(index);
  if ((await first.getAttribute("aria-expanded")) === "false") await first.click();
  await without.getByText("Diese Modelle geben nicht an, wie oft ihre Urteile richtig sind.").first().waitFor();
  await other.context().close();
});

for (const colorScheme of ["light", "dark"])
  test(`axe-core finds nothing in any state: ${colorScheme}`, async () => {
    const page = await host(
      `<main><h1>Host</h1><evident-check device="cpu" pack="pack/" index="index/">${TEXT}</evident-check><evident-check device="cpu" pack="pack/" index="index/"></evident-check></main>`,
      {
        colorScheme,
        reducedMotion: "reduce",
      },
    );
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
    const audit = async (state) => {
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`),
        [],
        state,
      );
    };
    await audit("idle");

    let release;
    held = new Promise((resolve) => {
      release = resolve;
    });
    const [slot, typed] = await page.locator("evident-check").all();
    await press(slot);
    await typed.getByLabel("Text to check").fill(TEXT);
    await press(typed);
    await audit("loading");
    release();
    await slot.locator(".sentence-button").first().waitFor({ timeout: PATIENCE_MS });
    await audit("verifying");
    for (const element of [slot, typed]) {
      await checked(element);
      await element.locator(".sentence-button").first().click();
      await element.locator("details").evaluateAll((all) => all.forEach((details) => (details.open = true)));
    }
    await audit("done");
    await typed.getByLabel("Text to check").fill("");
    await press(typed);
    await audit("error");
    await page.context().close();
  });

test("where there are no highlights a copy in the shadow tree is marked; the last element takes the engine with it", async () => {
  const page = await host(
    `<main><evident-check device="cpu" pack="pack/" index="index/"><p>${TEXT}</p></evident-check></main>`,
    {
      init: () => {
        delete window.Highlight;
        delete CSS.highlights;
      },
    },
  );
  const element = page.locator("evident-check");
  const outerHTML = () => page.evaluate(() => document.querySelector("main").outerHTML);
  const untouched = await outerHTML();
  await press(element);
  const { sentences } = await checked(element);
  const spans = element.locator(".copy .marked");
  assert.deepEqual(
    await spans.allTextContents(),
    sentences.map(({ text }) => text),
  );
  await spans.first().click();
  assert.equal(await element.getByRole("group", { name: "Evidence" }).count(), 1);
  assert.equal(await outerHTML(), untouched);

  assert.equal(page.workers().length, 1);
  const [worker] = page.workers();
  const closed = new Promise((done) => worker.once("close", done));
  await page.evaluate(() => document.querySelector("evident-check").remove());
  await closed;
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

describe("nothing leaks, nothing injects, in a page of the element alone that enforces Trusted Types", () => {
  const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Alone</title>
    <script type="module" src="evident-check.js"></script><evident-check engine="./" device="cpu" pack="pack/" index="index/"></evident-check>`;
  const POLICY =
    "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; require-trusted-types-for 'script'; trusted-types evident-check";
  let alone;
  let scratch;
  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), "evident-widget-"));
    alone = await folderHost({
      headers: { "Content-Security-Policy": POLICY },
      alter(path, response) {
        if (path !== "alone.html") return false;
        response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
        return true;
      },
    });
  });
  after(() => Promise.all([alone?.close(), rm(scratch, { recursive: true, force: true })]));

  const fill = async (page, text) => {
    const element = page.locator("evident-check");
    await element.getByLabel("Text to check").fill(text);
    await press(element);
    await checked(element);
    const first = element.locator(".sentence-button").first();
    if ((await first.getAttribute("aria-expanded")) === "false") await first.click();
    return element;
  };

  test("no request of a whole session holds a piece of the text", async () => {
    const { question, answer } = PRIVATE;
    await session(browser, `${alone.url}alone.html`, [question, answer], async (page) => {
      await page
        .locator("evident-check")
        .evaluate((element, question) => element.setAttribute("question", question), question);
      await fill(page, answer);
    });
  });

  test("markup, turned text and endless lines in answer, titles and passages stay text", async () => {
    const data = await folderHost({
      folder: indexOf(HOSTILE.passages, scratch, "hostile"),
      headers: { "Access-Control-Allow-Origin": "*" },
    });
    const page = await visit(browser, `${alone.url}alone.html`, { viewport: { width: 800, height: 900 } });
    await page
      .locator("evident-check")
      .evaluate((element, address) => element.setAttribute("index", address), data.url);
    const element = await fill(page, HOSTILE.answer);
    await element.locator("details").evaluateAll((all) => all.forEach((details) => (details.open = true)));
    assert.equal(await element.locator(":is(img, script)").count(), 0);
    assert.ok((await element.locator(".sentences").innerText()).includes(HOSTILE.markup));
    assert.equal(await element.locator("a[href^=javascript]").count(), 0);
    const lengths = (await element.locator(".passage, .title, .source").allTextContents()).map(({ length }) => length);
    assert.ok(Math.max(...lengths) < 10_000, `as many characters of each are shown: ${lengths}`);
    await sound(page);
    assert.deepEqual(page.errors, []);
    await Promise.all([page.context().close(), data.close()]);
  });
});
