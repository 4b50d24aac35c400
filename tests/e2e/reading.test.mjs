/** The answer as it is shown: its Markdown, the marks on it, and the way through them. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answerOf, check, done, launch, options, outcome, sentences, serve, visit } from "./browser.mjs";
import { sound } from "./safety.mjs";

let browser;
let site;
let page;
before(async () => {
  [browser, site] = await Promise.all([launch(), serve()]);
  page = await visit(browser, site.url);
});
after(() => Promise.all([browser?.close(), site?.close()]));

async function checked(answer, question = "") {
  await check(page, { answer, question, passages: 2 });
  await done(page);
  return answerOf(page);
}

/** What an element holds, in short: tags with their children, and words. */
const outline = (locator) =>
  locator.evaluate((root) => {
    const short = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return node.data;
      if (node.matches("button, .badge")) return "";
      const within = [...node.childNodes].map(short).join("");
      return node.matches("mark, u, .scrolled, .left-out, .kept") ? within : `<${node.localName}>${within}</>`;
    };
    return [...root.childNodes].map(short).join("");
  });

test("Markdown is rendered from the engine's blocks, with the marks on what is shown", async () => {
  const shown = await checked(
    "# Iron\n\n- **Iron** is a *metal* 🦀.\n  1. `Fe` is its symbol.\n\n> Paris is the capital of France.\n\n| Planet | Moons |\n|---|--:|\n| Mars | 2 |\n\n```\ncode\n```",
  );
  assert.equal(
    await outline(shown),
    "<h3>Iron</><ul><li><strong>Iron</> is a <em>metal</> 🦀.<ol><li><code>Fe</> is its symbol.</></></></>" +
      "<blockquote><p>Paris is the capital of France.</></>" +
      "<table><thead><tr><th>Planet</><th>Moons</></></><tbody><tr><td>Mars</><td>2</></></></>" +
      "<pre><code>code\n</></>",
  );
  const judged = await sentences(page);
  assert.deepEqual(
    judged.map(({ text }) => text),
    ["Iron is a metal 🦀.", "Fe is its symbol.", "Paris is the capital of France.", "Mars2"],
  );
  const details = await shown
    .locator("mark")
    .evaluateAll((marks) =>
      marks.map((mark) => document.getElementById(mark.getAttribute("aria-details"))?.matches(".sentence-button")),
    );
  assert.ok(details.length > 4 && details.every(Boolean), "each mark says where its verdict is told");
  const names = await options(page).evaluateAll((all) => all.map((button) => button.getAttribute("aria-label")));
  assert.match(
    names[2],
    /^(Supported|Contradicted|Probably (?:supported|contradicted)|Mixed evidence|Undecided|Not in this index): Paris is the capital/,
  );
  const washes = await shown
    .locator("mark")
    .evaluateAll((all) => all.map((mark) => getComputedStyle(mark).backgroundColor));
  assert.ok(
    washes.every((colour) => colour !== "rgba(0, 0, 0, 0)"),
    "every judged sentence is shaded",
  );
});

test("links of the web alone open, images are their words, HTML is text, and nothing is fetched", async () => {
  const asked = [];
  const listen = (request) => asked.push(request.url());
  page.on("request", listen);
  const shown = await checked(
    '[Iron](https://example.org/iron) is a metal. [Gold](javascript:window.injected=1) is a metal. [Tin](data:text/html,x) is one. ![A red planet](https://example.org/mars.png) <script>window.injected=1</script> <b onclick="x">bold</b> ![x](data:image/png;base64,AAAA)',
  );
  page.off("request", listen);
  const links = await shown
    .getByRole("link")
    .evaluateAll((all) => all.map(({ href, rel, target }) => [href, rel, target]));
  assert.deepEqual(links, [["https://example.org/iron", "noopener noreferrer", "_blank"]]);
  assert.equal(await shown.locator("img, script, b").count(), 0);
  const text = await shown.evaluate((box) => box.textContent);
  for (const words of ["A red planet", "<script>window.injected=1</script>", '<b onclick="x">bold</b>'])
    assert.ok(text.includes(words), words);
  assert.deepEqual(
    asked.filter((url) => /example\.org|^data:/.test(url)),
    [],
  );
  await sound(page);
});

test("hostile Markdown is shown in time, and no wider than the page", async () => {
  await checked("Iron is a metal."); // so that no time is the models'
  for (const answer of [
    "*".repeat(19_000),
    `${"*a ".repeat(6_000)}`,
    Array.from({ length: 130 }, (_, level) => `${"  ".repeat(level)}- level ${level}`).join("\n"),
    `${"> ".repeat(5_000)}Iron is a metal.`,
    `| ${"a | ".repeat(500)}\n|${"-|".repeat(500)}\n| ${"Iron is a metal. | ".repeat(500)}`.slice(0, 19_000),
    "<think>".repeat(2_000),
    `[${"x".repeat(9_000)}](https://example.org/${"y".repeat(9_000)})`,
  ]) {
    const began = Date.now();
    await check(page, { answer, question: "" });
    const cancel = page.getByRole("button", { name: "Cancel", exact: true });
    const split = answerOf(page).locator(":scope > *").first();
    await split.or(page.locator("#alert:not(:empty)")).first().waitFor();
    assert.ok(Date.now() - began < 20_000, `${answer.slice(0, 20)} took ${Date.now() - began} ms`);
    await cancel.evaluate((button) => button.click()); // or the check has ended
    await outcome(page);
    await sound(page);
  }
});

test("the words that are wrong are marked within their sentence, across the elements that it has", async () => {
  const shown = await checked("The **atomic number** of carbon is *8*. Its symbol is C.");
  const [first] = await sentences(page);
  assert.equal(first.word, "Contradicted");
  assert.deepEqual(await shown.locator("u.wrong").allTextContents(), ["8"]);
  assert.equal(first.text, "The atomic number of carbon is 8.");
});

test("the most doubtful sentence opens first, and a button and a key go to the next flagged one", async () => {
  await checked(
    "Paris is the capital of France. The atomic number of carbon is 8. The symbol of gold is Au. The atomic number of iron is 3.",
  );
  const words = (await sentences(page)).map(({ word }) => word);
  const flagged = words.flatMap((word, at) => (/Contradicted|Mixed/.test(word) ? [at] : []));
  assert.ok(flagged.length >= 2, words.join());
  const selected = () => options(page).evaluateAll((all) => all.findIndex((one) => one.ariaCurrent === "true"));
  const first = await selected();
  assert.ok(flagged.includes(first));
  assert.match(
    await page.getByRole("complementary", { name: "Evidence" }).locator(".verdict").textContent(),
    /Contradicted|Mixed/,
  );
  const after = (at) => flagged.find((one) => one > at) ?? flagged[0];
  await page.getByRole("button", { name: /^Next flagged/ }).click();
  assert.equal(await selected(), after(first));
  await page.keyboard.press("n");
  assert.equal(await selected(), after(after(first)));
  assert.ok(
    await options(page)
      .nth(await selected())
      .evaluate((one) => one === document.activeElement),
  );
});

test("a text that is edited after the check shows its marks as stale, until it is the old one again", async () => {
  const answer = "Paris is the capital of France.";
  await checked(answer);
  const result = page.locator("#result");
  const box = page.getByLabel("Answer", { exact: true });
  await box.fill(`${answer} Not.`);
  assert.equal(await page.locator("#stale").textContent(), "The text has changed since it was checked.");
  assert.ok(await result.evaluate((one) => one.classList.contains("stale")));
  await box.fill(answer);
  assert.equal(await page.locator("#stale").textContent(), "");
  assert.ok(!(await result.evaluate((one) => one.classList.contains("stale"))));
});

test("the widget's copy of a typed text is rendered alike, and goes stale alike", async () => {
  const other = await visit(browser, `${site.url}widget.html`);
  const typed = other.locator("evident-check").last();
  const text = "- **Paris** is the capital of [France](https://example.org/).\n- The atomic number of carbon is 8.";
  await typed.getByLabel("Text to check").fill(text);
  await typed.getByRole("button", { name: "Check", exact: true }).click();
  await typed.locator(".widget[aria-busy=false] .sentence-button").nth(1).waitFor();
  assert.equal(
    await outline(typed.locator(".copy")),
    "<ul><li><strong>Paris</> is the capital of <a>France</>.</><li>The atomic number of carbon is 8.</></>",
  );
  assert.equal(await typed.getByRole("group", { name: "Evidence" }).count(), 1, "the flagged sentence is open");
  assert.deepEqual(await typed.locator(".copy .wrong").allTextContents(), ["8"]);
  await typed.getByLabel("Text to check").fill("Another text.");
  assert.ok(await typed.locator(".copy.stale").count());
  assert.deepEqual(other.errors, []);
  await other.context().close();
});
