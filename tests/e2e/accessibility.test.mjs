/** axe-core finds nothing on the page, in any state, light or dark, wide or narrow. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { check, done, firstVerdict, launch, options, outcome, serve, visit } from "./browser.mjs";

const ANSWER = "The atomic number of carbon is 8. Its chemical symbol is C. Somebody whistled. ";
const MARKDOWN = `### Carbon

- The atomic number of **carbon** is [8](https://example.org/).
  - Its *chemical* symbol is \`C\`.

| Planet | Moons |
|---|--:|
| Mars | 2 |

> Paris is the capital of France.[^1]

\`\`\`
code
\`\`\`

<think>why</think>

[^1]: A note.`;

let axe;
let browser;
let site;
/** Holds the pack back, so that the page stays at loading. */
let held;
before(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  [browser, site] = await Promise.all([launch(), serve((path) => (path === "pack/pack.json" ? held : undefined))]);
});
after(() => Promise.all([browser?.close(), site?.close()]));

async function audit(page, state) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  assert.deepEqual(found, [], state);
}

const VIEWS = [
  ["light", { width: 1280, height: 900 }],
  ["dark", { width: 360, height: 740 }],
];

for (const [colorScheme, viewport] of VIEWS)
  test(`axe-core finds nothing: ${colorScheme}, ${viewport.width} pixels wide`, async () => {
    const page = await visit(browser, site.url, { colorScheme, viewport, reducedMotion: "reduce" });
    await audit(page, "idle");

    let release;
    held = new Promise((resolve) => {
      release = resolve;
    });
    await check(page, { answer: ANSWER.repeat(20), passages: 3 });
    await audit(page, "loading");
    release();
    await firstVerdict(page);
    await audit(page, "verifying");
    await page.getByRole("button", { name: "Cancel" }).click();
    await outcome(page);
    await audit(page, "cancelled");

    await check(page, { answer: MARKDOWN });
    await done(page);
    await options(page).last().click();
    await page
      .locator(":is(#evidence, #result, #earlier) details")
      .evaluateAll((all) => all.forEach((one) => (one.open = true)));
    await audit(page, "done");

    await page.getByText("Use other evidence").click();
    await page.getByRole("button", { name: "share this text by a link" }).click();
    await page.getByLabel("Link to this text").waitFor();
    await audit(page, "other evidence, and a link");
    await page.getByRole("button", { name: "Use it" }).click();
    await page.locator("#library-alert code").waitFor();
    await audit(page, "an address refused");
    await page
      .locator("#pick-files")
      .setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("Carbon is an element.") });
    await page.locator("#library-status", { hasText: "against" }).waitFor();
    await audit(page, "own files");

    await check(page, { answer: " " });
    await outcome(page);
    await audit(page, "error");
    await page.context().close();
  });

for (const [colorScheme, viewport] of VIEWS)
  test(`axe-core finds nothing on the labelling page: ${colorScheme}, ${viewport.width} pixels wide`, async () => {
    const page = await visit(browser, `${site.url}label.html`, { colorScheme, viewport, reducedMotion: "reduce" });
    await audit(page, "idle");
    await page.getByRole("button", { name: "Choose a file" }).click();
    await audit(page, "without a name");
    await page.getByLabel("Your name").fill("ann");
    const evidence = [{ title: "Iron", text: "Iron rusts. ".repeat(200) }, { text: "Tin is soft." }];
    for (const [task, line] of [
      ["Facts", { statement: "It rusts.", context: "Iron is a metal.", question: "What is iron?", evidence }],
      ["Ratings", { question: "What is iron?", knowledge: "Iron rusts.", answer: "A metal.", reference: "A metal." }],
    ]) {
      await page.getByLabel(task).setChecked(true);
      const buffer = Buffer.from(JSON.stringify(line));
      await page.locator("#pick").setInputFiles({ name: "a.jsonl", mimeType: "application/jsonl", buffer });
      await page.locator("#work:focus").waitFor();
      await audit(page, `${task}, open`);
      await page.keyboard.press(task === "Facts" ? "f" : "2");
      await audit(page, `${task}, with a label`);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= viewport.width, `${task}: ${width} pixels in ${viewport.width}`);
      await page.locator("#choices summary").click();
      await page.getByRole("button", { name: /^Save the (labels|ratings)/ }).click();
    }
    await page.context().close();
  });
