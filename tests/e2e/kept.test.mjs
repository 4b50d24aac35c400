/** Nothing of a check is lost on the demo's page: its last ones are kept in the browser, until the reader forgets them. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { answerOf, check, done, launch, options, sentences, serve, visit } from "./browser.mjs";
import { indexOf } from "./host.mjs";

const IRON = { answer: "The atomic number of iron is 26.", question: "Which number has iron?", passages: 2 };
const CARBON = { answer: "The atomic number of carbon is 8.", question: "" };

let browser;
let site;
before(async () => {
  [browser, site] = await Promise.all([launch(), serve()]);
});
after(() => Promise.all([browser?.close(), site?.close()]));

const earlier = (page) => page.getByRole("region", { name: "Earlier checks" });
const openEarlier = (page) => earlier(page).locator("summary").click();
const rows = (page) => page.locator("#earlier-list > li");
const isFrom = (page) => page.getByText(/^From .+, checked against this demo's index\.$/);

/** Waits until the browser has kept the check that has just ended. */
const kept = (page, text) => rows(page).filter({ hasText: text }).waitFor({ state: "attached" });

test("a result is there again after a reload and in a new tab, with nothing loaded, and can be checked again", async () => {
  const page = await visit(browser, site.url);
  await check(page, IRON);
  await done(page);
  await kept(page, IRON.answer);
  const before = await sentences(page);
  const again = await page.context().newPage();
  await again.goto(site.url);
  await page.reload();
  for (const one of [page, again]) {
    await isFrom(one).waitFor();
    assert.deepEqual(await sentences(one), before);
    assert.equal(await one.getByLabel("Question").inputValue(), IRON.question);
    assert.equal(await one.getByLabel("Answer", { exact: true }).inputValue(), IRON.answer);
    assert.equal(await one.locator("#passages").inputValue(), "2");
    assert.ok((await one.getByRole("complementary", { name: "Evidence" }).locator("blockquote").count()) > 0);
    assert.equal(one.workers().length, 0);
  }
  await page.getByRole("button", { name: "Check again" }).click();
  await done(page);
  assert.equal(await isFrom(page).isVisible(), false);
  await page.getByLabel("Answer", { exact: true }).fill("Another text.");
  await page.reload();
  await rows(page).first().waitFor({ state: "attached" });
  assert.equal(await page.getByLabel("Answer", { exact: true }).inputValue(), "Another text.");
  assert.equal(await answerOf(page).isVisible(), false, "the reader is at another text");
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("each earlier check opens what it found, and one or all can be forgotten", async () => {
  const page = await visit(browser, site.url);
  for (const one of [IRON, CARBON]) {
    await check(page, one);
    await done(page);
    await kept(page, one.answer);
  }
  await openEarlier(page);
  assert.match(await rows(page).first().innerText(), /carbon is 8\.\s.*\d\s[AP]M · \d supported, /);
  await rows(page).getByRole("button", { name: IRON.answer, exact: true }).click();
  await isFrom(page).waitFor();
  assert.deepEqual(
    (await sentences(page)).map(({ text }) => text),
    [IRON.answer],
  );
  await page.getByRole("button", { name: `Forget “${CARBON.answer}”` }).click();
  await rows(page).filter({ hasText: CARBON.answer }).waitFor({ state: "detached" });
  assert.equal(await rows(page).count(), 1);
  await earlier(page).getByRole("button", { name: "Forget all" }).click();
  await earlier(page).waitFor({ state: "hidden" });
  assert.equal(await page.locator("#check").evaluate((button) => button === document.activeElement), true);
  await page.context().close();
});

test("the switch deletes what is kept, and nothing more is kept, over a reload too", async () => {
  const page = await visit(browser, site.url);
  const stored = () =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          const opening = indexedDB.open("evident-checks");
          opening.onsuccess = () => {
            const counted = opening.result.transaction("checks").objectStore("checks").count();
            counted.onsuccess = () => resolve(counted.result);
          };
        }),
    );
  await check(page, IRON);
  await done(page);
  await kept(page, IRON.answer);
  assert.equal(await stored(), 2, "the check, and the list");
  await page.getByLabel("Keep my checks in this browser").uncheck();
  await earlier(page).waitFor({ state: "hidden" });
  await page.reload();
  await check(page, IRON);
  await done(page);
  assert.equal(await page.getByLabel("Keep my checks in this browser").isChecked(), false);
  assert.equal(await stored(), 0);
  assert.equal(await earlier(page).isVisible(), false);
  await page.context().close();
});

test("where the browser has no room the check goes on, and the reader is told once", async () => {
  const page = await visit(browser, "about:blank");
  await page.addInitScript(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...stored) {
      const request = put.apply(this, stored);
      if (stored[1] !== "list") request.onsuccess = () => this.transaction.abort();
      return request;
    };
  });
  await page.goto(site.url);
  const told = page.getByText("This browser could not keep this check");
  await check(page, IRON);
  await done(page);
  await told.waitFor();
  await check(page, CARBON);
  await done(page);
  assert.equal(await told.count(), 0);
  assert.equal(await earlier(page).isVisible(), false);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("Ctrl+Enter checks, and the field says how much text fits before anything is loaded", async () => {
  const page = await visit(browser, site.url);
  const field = page.getByLabel("Answer", { exact: true });
  await field.fill("");
  await page.getByText("About 3,300 words fit.").waitFor();
  await field.fill("iron ".repeat(5_000));
  await page.getByText("About 830 words too many: check it in parts.").waitFor();
  assert.equal(page.workers().length, 0);
  await field.fill(CARBON.answer);
  await page.getByText("7 words; about 3,300 more fit.").waitFor();
  await field.press("Control+Enter");
  await done(page);
  assert.equal((await sentences(page)).length, 1);
  await page.context().close();
});

test("a passage is copied as a citation, or shown to be copied by hand", async (t) => {
  const scratch = await mkdtemp(join(tmpdir(), "evident-kept-"));
  t.after(() => rm(scratch, { recursive: true }));
  const passage = {
    id: "brakto",
    title: "Brakto",
    text: "Brakto is a village on the river Ool.",
    source: "https://example.org/w/index.php?oldid=7",
  };
  const citation = `Brakto. example.org, revision 7. ${passage.source}`;
  const page = await visit(browser, site.url, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.locator("#pick-folder").setInputFiles(indexOf([passage], scratch, "brakto"));
  await page.locator("#library-status", { hasText: "1 passage." }).waitFor();
  await check(page, { answer: passage.text, question: "" });
  await done(page);
  await options(page).first().click();
  const panel = page.getByRole("complementary", { name: "Evidence" });
  await panel.getByRole("button", { name: "Copy as citation" }).click();
  await panel.getByText("Copied.").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), citation);

  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
  });
  await options(page).first().click();
  await panel.getByRole("button", { name: "Copy as citation" }).click();
  await panel.getByLabel("Citation").waitFor();
  assert.equal(await panel.getByLabel("Citation").inputValue(), citation);
  await page.context().close();
});
