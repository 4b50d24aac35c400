/** The page as a new user meets it, on the CPU. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  check,
  DONE,
  done,
  fact,
  firstVerdict,
  launch,
  options,
  outcome,
  PATIENCE_MS,
  REPOSITORY,
  sentences,
  serve,
  visit,
} from "./browser.mjs";
import { EVIDENT } from "./host.mjs";
import { watchVitals } from "./vitals.mjs";

let browser;
let site;
before(async () => {
  [browser, site] = await Promise.all([launch(), serve()]);
});
after(() => Promise.all([browser?.close(), site?.close()]));

test("the sample is there, and every sentence of it gets a verdict in words", async () => {
  const page = await visit(browser, site.url);
  const [sample] = (await readFile(`${REPOSITORY}tests/data/answers.jsonl`, "utf8")).split("\n");
  assert.equal(await page.getByLabel("Answer", { exact: true }).inputValue(), JSON.parse(sample).answer);

  await check(page);
  const status = await done(page);
  assert.match(status, DONE);
  const judged = await sentences(page);
  assert.ok(judged.length >= 3);
  for (const { word } of judged)
    assert.match(
      word,
      /^(Supported|Contradicted|Probably (?:supported|contradicted)|Mixed evidence|Undecided|Not in this index)$/,
    );
  assert.match(await fact(page, "Computed on"), /^CPU, \S/);
  assert.match(await fact(page, "NLI"), /\d (ms|s)$/);
  assert.equal(await page.locator(".facts dt", { hasText: "T5" }).count(), 0, "which nothing has asked for");
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("the page is painted without the engine, and little moves by itself, before a check and in one", async () => {
  for (const width of [360, 1280]) {
    const page = await visit(browser, "about:blank", { viewport: { width, height: 800 }, serviceWorkers: "block" });
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname.slice(1)));
    await page.addInitScript(watchVitals);
    await page.goto(site.url, { waitUntil: "networkidle" });
    assert.deepEqual(
      asked.filter((path) => path !== "icon.svg").toSorted(),
      ["", "main.js", "style.css"],
      "nothing of the engine, and no reader of documents",
    );
    assert.equal(page.workers().length, 0);
    const shift = () => page.evaluate(() => globalThis.vitals.cls);
    assert.equal(await shift(), 0);
    await check(page);
    await options(page).first().click(); // while the sentences are being judged
    await done(page);
    assert.ok((await shift()) < 0.1, `${await shift()} at ${width} pixels`); // "good"
    await page.context().close();
  }
});

test("the page says what the demo's index knows, and a question that is chosen goes into the form", async () => {
  const page = await visit(browser, site.url);
  await page.getByText("What it knows", { exact: true }).click();
  const subjects = page.locator("#subject-list > li");
  await subjects.first().waitFor();
  assert.ok((await subjects.count()) >= 40);
  await subjects.first().locator("summary").click();
  const question = subjects.first().locator("button").first();
  const text = await question.textContent();
  await question.click();
  assert.equal(await page.getByLabel("Question").inputValue(), text);
  assert.equal(await page.getByLabel("Answer", { exact: true }).inputValue(), "");
  await page.getByText("Use other evidence", { exact: true }).click();
  await page.getByLabel("Or an index at an address").fill(new URL("index/", site.url).href);
  await page.getByRole("button", { name: "Use it" }).click();
  await page.getByText("What it knows", { exact: true }).waitFor({ state: "hidden" });
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("a sentence is chosen with the keyboard, and the panel says why, with numbers under Details alone", async () => {
  const page = await visit(browser, site.url);
  await check(page, { answer: "The chemical symbol of carbon is C. The atomic number of carbon is 8.", question: "" });
  await done(page);

  await options(page).first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.equal(await options(page).and(page.locator("[aria-current=true]")).count(), 1);
  const panel = page.getByRole("complementary", { name: "Evidence" });
  assert.equal(await panel.locator("blockquote").first().textContent(), "The atomic number of carbon is 8.");
  const word = await panel.locator(".verdict").textContent();
  assert.match(word, /^(Supported|Contradicted|Probably (?:supported|contradicted)|Mixed evidence|Undecided)$/);
  assert.ok((await panel.locator(".why").textContent()).trim());

  const deciding = panel.locator(".deciding").first();
  assert.match(await deciding.locator("blockquote").textContent(), /carbon/i);
  assert.ok((await deciding.locator("blockquote mark").count()) > 0, "the words that bear on the claim are marked");
  assert.ok(await deciding.locator(".source .title").textContent());
  const numbers = /\d\.\d\d|BM25|NLI|Entailment/;
  assert.doesNotMatch(await panel.innerText(), numbers, "before Details are opened");

  await panel.locator("summary", { hasText: "Details" }).click();
  assert.match(await panel.innerText(), /BM25 \d+\.\d\d/);
  const probabilities = await panel.locator(".ranked .numbers").first().locator("dd").allTextContents();
  assert.equal(probabilities.length, 3);
  assert.ok(Math.abs(probabilities.map(Number).reduce((sum, p) => sum + p) - 1) < 0.02);
  assert.match(await page.locator("#status").textContent(), /^Evidence for sentence 2: /);

  await page.keyboard.press("Home");
  await options(page).first().press(" ");
  assert.match(await panel.locator("blockquote").first().textContent(), /symbol of carbon/);
  await page.context().close();
});

test("the T5 is asked about every sentence where the reader says so, and about one as a second opinion", async () => {
  const page = await visit(browser, site.url);
  const panel = page.getByRole("complementary", { name: "Evidence" });
  await check(page, { answer: "The atomic number of carbon is 8.", question: "", passages: 1 });
  await done(page);
  await panel.getByRole("button", { name: /^Second opinion by the T5 \(\d/ }).click();
  await panel.getByText("Second opinion by the T5:").waitFor({ timeout: PATIENCE_MS });
  assert.match(await panel.locator(".opinion").innerText(), /T5[^\n]*\n*0\.\d\d|T5[^\n]*\n*1\.00/);

  await page.getByLabel("Ask the T5 as well").check();
  await check(page);
  await done(page);
  assert.match(await fact(page, "T5"), /\d (ms|s)$/);
  assert.equal(await panel.getByRole("button", { name: "Second opinion" }).count(), 0, "it was asked already");
  await panel.locator("summary", { hasText: "Details" }).click();
  assert.match(await panel.locator(".details .numbers").first().innerText(), /T5/);
  await page.context().close();
});

test("a mark is dismissed, and a wrong verdict becomes a case that the command line measures by", async () => {
  const page = await visit(browser, site.url);
  const panel = page.getByRole("complementary", { name: "Evidence" });
  await check(page, { answer: "The atomic number of carbon is 8.", question: "", passages: 2 });
  await done(page);
  const rate = panel.getByText(/test claims that were called|do not state how often/);
  await rate.waitFor();
  const card = await page.request.get(new URL(await rate.getByRole("link").getAttribute("href"), page.url()).href);
  assert.match(card.headers()["content-type"], /^text\/plain/);
  assert.match(await card.text(), /On claims never trained on/);

  const mark = page.locator(".sentence").first();
  const next = page.getByRole("button", { name: /^Next flagged/ });
  const flagged = await next.isVisible();
  const counts = async () => (await page.locator("#summary").innerText()).match(/\d+/g).map(Number);
  const total = async () => (await counts()).reduce((sum, count) => sum + count, 0);
  assert.equal(await total(), 1);
  await panel.getByRole("button", { name: "Dismiss this mark" }).click();
  assert.equal(await total(), 0, "a dismissed mark leaves the count");
  assert.ok((await mark.getAttribute("class")).includes("dismissed"));
  assert.deepEqual(
    (await sentences(page)).map(({ word }) => word),
    ["dismissed"],
  );
  assert.equal(await next.isVisible(), false);
  await panel.getByRole("button", { name: "Show this mark again" }).click();
  assert.ok(!(await mark.getAttribute("class")).includes("dismissed"));
  assert.equal(await next.isVisible(), flagged);
  assert.equal(await total(), 1);

  await panel.getByText("This is wrong").click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    panel.getByRole("button", { name: "The evidence does not say" }).click(),
  ]);
  const file = await download.path();
  const report = await new Promise((resolve, reject) =>
    execFile(
      EVIDENT,
      ["eval", file, "--format", "jsonl", "--evidence", "gold", "--pack", join(REPOSITORY, "models/embedded")],
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    ),
  );
  assert.match(report, /verdict/i);
  await page.context().close();
});

test("what claims nothing is left unjudged and says so, and a pronoun is read as its name", async () => {
  const page = await visit(browser, site.url);
  await check(page, { answer: "Sure! Mars is a planet. It has two moons. Shall I go on?", question: "" });
  await done(page);
  assert.deepEqual(
    (await sentences(page)).map(({ text }) => text),
    ["Mars is a planet.", "It has two moons."],
  );
  assert.deepEqual(await page.locator(".left-out").allTextContents(), ["Sure!", "Shall I go on?"]);
  assert.deepEqual(await page.locator(".badge.no-claim").allTextContents(), ["no claim", "a question"]);
  await options(page).nth(1).click();
  const panel = page.getByRole("complementary", { name: "Evidence" });
  assert.equal(await panel.locator("q").textContent(), "Mars has two moons.");

  await check(page, { answer: "Danke! Der Mars hat zwei Monde.", question: "" });
  assert.match(await done(page), /^Done: nothing in this text is a claim that could be checked\..* not in English\.$/);
  assert.equal(await page.getByText("Select a sentence to see its evidence").isVisible(), false);
  assert.equal(await page.getByRole("list", { name: "Verdicts" }).isVisible(), false, "there is none to count");
  await page.context().close();
});

test("Cancel stops a check, and the next one works", async () => {
  const page = await visit(browser, site.url);
  const sentence = "Paris is the capital of France. ";
  await check(page, { answer: sentence.repeat(60) });
  await firstVerdict(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  const { status } = await outcome(page);
  const [, n] = /^Cancelled: (\d+) of 60 sentences checked\.$/.exec(status);
  const saved = async (name) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    return readFile(await download.path(), "utf8");
  };
  const { sentences: judged, unjudged } = JSON.parse(await saved("Save as JSON"));
  assert.deepEqual([judged.length, unjudged.length], [Number(n), 60 - n]);
  assert.ok(judged.every(({ verdict, evidence }) => verdict && evidence.length > 0));
  assert.match(await saved("Save as Markdown"), /The check ended before[\s\S]*## Not judged[\s\S]*\(not checked\)/);

  await check(page, { answer: sentence });
  await done(page);
  await page.context().close();
});

test("long work says how long it still takes", async () => {
  const page = await visit(browser, site.url);
  await check(page, { answer: "The atomic number of carbon is 6. ".repeat(400), question: "" });
  await page.getByText(/of 400.* · about \d+ (seconds?|minutes?) left$/).waitFor({ timeout: PATIENCE_MS });
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.context().close();
});

test("before the first check the page says what it fetches, and what is typed survives a reload", async () => {
  const page = await visit(browser, site.url);
  const before = page.locator("#before");
  await page.getByText(/^The first check fetches models \(\d+(\.\d)? MB\).* The models read English\.$/).waitFor();
  const check = page.getByRole("button", { name: "Check", exact: true });
  assert.equal(await check.getAttribute("aria-describedby"), "before");
  await page.getByLabel("Question").fill("Which number has iron?");
  await page.getByLabel("Answer", { exact: true }).fill("The atomic number of iron is 26.");
  await page.reload();
  assert.equal(await page.getByLabel("Question").inputValue(), "Which number has iron?");
  assert.equal(await page.getByLabel("Answer", { exact: true }).inputValue(), "The atomic number of iron is 26.");
  await check.click();
  assert.equal(await before.isVisible(), false);
  await done(page);
  await page.reload();
  await page.getByText(/^The models are in this browser already\..* The models read English\.$/).waitFor();
  await page.context().close();
});

test("Cancel while the models load stops the loading, and the next check works", async () => {
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  const slow = await serve((path) => (path === "pack/pack.json" ? held : undefined));
  const page = await visit(browser, slow.url);
  await check(page, { answer: "Paris is the capital of France." });
  await page.getByRole("button", { name: "Cancel" }).click();
  assert.equal((await outcome(page)).status, "Cancelled.");

  release();
  await check(page);
  await done(page);
  await page.context().close();
  await slow.close();
});

test("the page works from any folder of a host, and on a phone, without scrolling sideways", async () => {
  const page = await visit(browser, `${site.url}any/folder/`, {
    viewport: { width: 360, height: 740 },
    colorScheme: "dark",
  });
  await check(page); // the sample, which is longer than a screen
  await done(page);
  const inView = (title) => title.getBoundingClientRect().bottom < innerHeight && title.getBoundingClientRect().top > 0;
  assert.ok(
    await page.locator("#result-title").evaluate(inView),
    "a check that ends leaves the reader at what it found",
  );
  await options(page).first().click();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `the page is ${width} pixels wide`);
  await page.context().close();
});
