/** What is read of a page's text, in real Chromium: the module alone, on pages of a few lines. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bundle } from "../../web/load.mjs";
import { launch, REPOSITORY } from "./browser.mjs";

let browser;
let page;
before(async () => {
  browser = await launch();
  page = await browser.newPage();
});
after(() => browser?.close());

/** What is taken of the first element that `part` selects, with the references of the body. */
async function excerpt(body, part) {
  await page.setContent(`<!doctype html><title>Page</title><body>${body}`);
  const script = await bundle(`${REPOSITORY}web/package/src/ui/page-text.ts`);
  return page.evaluate(
    async ([script, part]) => {
      const { PageText } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
      const read = (element) => new PageText(element, { links: true });
      const shown = read(document.querySelector(part));
      const range = document.createRange();
      range.selectNodeContents(document.querySelector(part));
      return shown.excerpt(shown.within(range), () => read(document.body));
    },
    [script, part],
  );
}

test("a part of a text keeps the addresses of its numbers, wherever the list of references stands", async () => {
  const at = (name) => `https://a.org/${name}`;
  const second = (list) => excerpt(`<p id="one">Iron rusts [2].</p><p>Tin is soft [1].</p>${list}`, "#one");
  const expected = `Iron rusts [2].\n\n[1]: <${at("tin")}>\n\n[2]: <${at("iron")}>`;
  const link = (name, words) => `<a href="${at(name)}">${words}</a>`;
  for (const list of [
    `<ol><li>Tin, ${link("tin", "a page")}</li><li>${link("iron", "Iron")}, 1999</li></ol>`,
    `<ol><li>Open it</li><li>Close it</li></ol><h2>References</h2><ol><li>${at("tin")}.</li><li>(${at("iron")})</li></ol>`,
    `<p>[1] Tin: ${at("tin")}.<br>[2] Iron (${at("iron")}), 1999</p>`,
    `<ul><li>[1]: ${link("tin", "Tin")}</li><li>[2]: ${link("iron", at("iron"))}</li></ul>`,
  ])
    assert.equal(await second(list), expected, list);
});

test("a number that is a link keeps its address in a part of the text", async () => {
  const body = `<p><span id="one">Iron rusts [<a href="https://a.org/iron">2</a>].</span> Tin is soft
    [<a href="#note">3</a>].</p><p id="note">3. <a href="https://a.org/tin">Tin</a></p>`;
  assert.match(await excerpt(body, "#one"), /^Iron rusts \[2\]\.\n(.*\n)*\[2\]: <https:\/\/a\.org\/iron>/);
  assert.match(await excerpt(body, "p"), /\n\[3\]: <https:\/\/a\.org\/tin>/);
});

test("a part without numbers, and one whose numbers refer to nothing, is its words", async () => {
  const list = `<ol><li>Tin</li><li>https://a.org/iron</li></ol>`;
  assert.equal(await excerpt(`<p>Iron rusts.</p>${list}`, "p"), "Iron rusts.");
  assert.equal(await excerpt(`<p>Iron rusts [1].</p>${list}`, "p"), "Iron rusts [1].");
});
