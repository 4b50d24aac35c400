/** `<evident-check>` in its sizes and languages, and what it says before it fetches anything. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launch, PATIENCE_MS, serve, visit } from "./browser.mjs";

const TEXT = "The atomic number of carbon is 8. Paris is the capital of France.";
const DATA = `device="cpu" pack="pack/" index="index/"`;

let browser;
let site;
let page;
before(async () => {
  [browser, site] = await Promise.all([launch(), serve()]);
  page = await host(`<main></main><evident-check id="keeper" ${DATA}></evident-check>`);
});
after(() => Promise.all([browser?.close(), site?.close()]));

/** A page of this body, with the element's script. */
async function host(body, lang = "en") {
  const made = await visit(browser, "about:blank");
  made.warnings = [];
  made.on("console", (message) => message.type() === "warning" && made.warnings.push(message.text()));
  const html = `<!doctype html><html lang="${lang}"><head><title>Host</title><meta name="viewport" content="width=device-width">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'">
    <script type="module" src="evident-check.js"></script></head><body>${body}</body></html>`;
  await made.route(`${site.url}host.html`, (route) => route.fulfill({ contentType: "text/html", body: html }));
  await made.goto(`${site.url}host.html`);
  return made;
}

/** Puts this into the shared page; gives its one element. */
async function show(html) {
  await page.evaluate((html) => void (document.querySelector("main").innerHTML = html), html);
  return page.locator("main evident-check").first();
}

async function checked(element) {
  await element.locator(".form button").first().click();
  await element.locator(".result:not([hidden])").waitFor({ state: "attached", timeout: PATIENCE_MS });
  await element.locator(".widget[aria-busy=false]").waitFor({ timeout: PATIENCE_MS });
  assert.equal(await element.locator(".error").textContent(), "");
}

test("in one line and as a badge, what was found opens and closes", async () => {
  for (const size of ["inline", "badge"]) {
    const element = await show(`<p>A claim: <evident-check size="${size}" ${DATA}>${TEXT}</evident-check></p>`);
    const more = element.locator(".more");
    assert.equal(await more.isVisible(), false);
    const { height } = await element.locator(".widget").boundingBox();
    assert.ok(height < 50, `${size}: ${height} pixels high`);
    await checked(element);
    assert.equal(await element.locator(".result").isVisible(), false);
    if (size === "badge") {
      assert.match(await more.locator(".said").textContent(), /^\d supported, \d contradicted.*\. Show the sentences$/);
      assert.match((await more.locator(".tally").allTextContents()).join(""), /^\d+$/);
    } else assert.equal(await more.textContent(), "Show the sentences");
    await more.click();
    assert.equal(await more.getAttribute("aria-expanded"), "true");
    assert.equal(await element.locator(".sentence-button").count(), 2);
    const { x, width } = await element.locator(".drop").boundingBox();
    assert.ok(x >= 0 && x + width <= page.viewportSize().width);
    await element.getByRole("group", { name: "Evidence" }).waitFor(); // of the most doubtful sentence
    await element.locator(".sentence-button").first().press("Escape");
    assert.equal(await element.locator(".result").isVisible(), true);
    await page.keyboard.press("Escape");
    assert.equal(await element.locator(".result").isVisible(), false);
    assert.equal(await more.evaluate((button) => button.getRootNode().activeElement === button), true);
  }
});

test("a badge opens within a phone, at its edge and among words", async () => {
  await page.setViewportSize({ width: 360, height: 640 });
  for (const before of ['<p align="right">', "<p>Words before it: "]) {
    const element = await show(`${before}<evident-check size="badge" ${DATA}>${TEXT}</evident-check></p>`);
    await checked(element);
    await element.locator(".more").click();
    const { x, width } = await element.locator(".drop").boundingBox();
    assert.ok(x >= -1 && x + width <= 361, `${x}, ${width}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, "nothing scrolls sideways");
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("a mark in the text opens a small size too, and a box to type in has the panel", async () => {
  const element = await show(
    `<p id="prose">Paris is the capital of France.</p><evident-check for="prose" size="badge" ${DATA}></evident-check>`,
  );
  await checked(element);
  const [x, y] = await page.evaluate(() => {
    const [range] = [...CSS.highlights.values()].flatMap((highlight) => [...highlight]);
    const { x, y, width, height } = range.getClientRects()[0];
    return [x + width / 2, y + height / 2];
  });
  await page.mouse.click(x, y);
  assert.equal(await element.locator(".result").isVisible(), true);
  const typed = await show(`<evident-check size="badge" ${DATA}></evident-check>`);
  assert.equal(await typed.getByLabel("Text to check").isVisible(), true);
});

test("what will be fetched is said before anything is, and not again", async () => {
  const made = await host(`<evident-check>${TEXT}</evident-check><evident-check size="badge">${TEXT}</evident-check>
    <evident-check ${DATA}>${TEXT}</evident-check>`);
  const [panel, badge, own] = await made.locator("evident-check").all();
  // The pages of these tests are taken for phones, which get the small model.
  assert.match(await panel.locator(".before").textContent(), /^The first check fetches models \(13\.7 MB\)/);
  assert.equal(await panel.locator(".check").textContent(), "Check");
  assert.equal(await badge.locator(".check").textContent(), "Check (13.7 MB)");
  assert.match(await badge.locator(".check").getAttribute("title"), /13\.7 MB/);
  assert.match(await own.locator(".before").textContent(), /^The first check fetches models, which/);
  await checked(own);
  assert.equal(await own.locator(".before").isVisible(), false);
  await made.context().close();
});

test("the words are in the language of the page or the element, in ten of them, and else in English", async () => {
  const langs = {
    de: "Prüfen",
    en: "Check",
    es: "Verificar",
    fr: "Vérifier",
    it: "Verifica",
    ja: "確認する",
    nl: "Controleren",
    pl: "Sprawdź",
    pt: "Verificar",
    zh: "核查",
    tlh: "Check",
  };
  const html = Object.keys(langs).map((lang) => `<evident-check lang="${lang}" ${DATA}>${TEXT}</evident-check>`);
  await page.evaluate((html) => void (document.querySelector("main").innerHTML = html), html.join(""));
  assert.deepEqual(await page.locator("main .check").allTextContents(), Object.values(langs));
  assert.deepEqual(
    await page.locator("main .widget").evaluateAll((all) => all.map(({ lang }) => lang)),
    Object.keys(langs).map((lang) => (lang === "tlh" ? "en" : lang)),
  );
  const made = await host(`<evident-check ${DATA}>${TEXT}</evident-check>`, "de-AT");
  const element = made.locator("evident-check");
  await checked(element);
  assert.match(await element.getByRole("status").first().textContent(), /^Fertig: \d gestützt, \d widersprochen/);
  await element.evaluate((element) => void (element.strings = { check: "Los" }));
  assert.equal(await element.locator(".check").textContent(), "Los");
  assert.equal(
    await element
      .locator(".hint")
      .last()
      .textContent()
      .then((hint) => hint.startsWith("Das Modell ist klein")),
    true,
  );
  await made.context().close();
});

test("a `for` that finds nothing is warned of, with what it may have meant", async () => {
  const made =
    await host(`<p id="answer">Text.</p><evident-check for="anwser"></evident-check><evident-check for="#answer"></evident-check>
    <evident-check for="answer"></evident-check><evident-check for="later"></evident-check>`);
  await made.evaluate(() => {
    const later = document.createElement("p");
    later.id = "later";
    document.body.append(later);
  });
  while (made.warnings.length < 2) await made.waitForTimeout(100);
  await made.waitForTimeout(500);
  assert.equal(made.warnings.length, 2, made.warnings.join("\n"));
  assert.match(made.warnings[0], /for="anwser"> finds nothing: .* did you mean "answer"\?/);
  assert.match(made.warnings[1], /write the id without the #/);
  await made.context().close();
});

test("a small size has no accessibility faults, closed and open", async () => {
  const element = await show(`<evident-check size="badge" ${DATA}>${TEXT}</evident-check>`);
  await checked(element);
  await element.locator(".more").click();
  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  await page.evaluate(await readFile(axe, "utf8"));
  const violations = await page.evaluate(
    async () => (await globalThis.axe.run("main", { resultTypes: ["violations"] })).violations,
  );
  assert.deepEqual(
    violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    [],
  );
});
