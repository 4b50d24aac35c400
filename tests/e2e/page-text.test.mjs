/** What is read of a page's text, in real Chromium: the modules alone, on pages of a few lines. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
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

/**
 * What is taken of the first element that `part` selects, with the references around it on a page of this site: the
 * texts of its blocks, and references as "[^1]: <address>".
 */
async function excerpt(body, part, site = null) {
  await page.setContent(`<!doctype html><title>Page</title><body>${body}`);
  const script = await bundle(`${REPOSITORY}web/extension/src/turns.ts`);
  return page.evaluate(
    async ([script, part, site]) => {
      const { readAround, readTurn } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
      const element = document.querySelector(part);
      const shown = readTurn(element, site);
      const range = document.createRange();
      range.selectNodeContents(element);
      const blocks = shown.excerpt(shown.within(range), readAround(element, site));
      const written = ({ kind, text, number, links }) =>
        kind === "reference" ? `[^${number}]: <${links[0].url}>` : text;
      return blocks.map(written).join("\n\n");
    },
    [script, part, site],
  );
}

test("a part of a text keeps the addresses of its numbers, wherever the list of references stands", async () => {
  const at = (name) => `https://a.org/${name}`;
  const second = (list) => excerpt(`<p id="one">Iron rusts [2].</p><p>Tin is soft [1].</p>${list}`, "#one");
  const expected = `Iron rusts [2].\n\n[^2]: <${at("iron")}>`;
  const link = (name, words) => `<a href="${at(name)}">${words}</a>`;
  for (const list of [
    `<ol><li>Tin, ${link("tin", "a page")}</li><li>${link("iron", "Iron")}, 1999</li></ol>`,
    `<ol><li><p>Tin</p><p>${at("tin")}</p></li><li><p>Iron</p><p>${at("iron")}</p></li></ol><p>More: ${at("more")}</p>`,
    `<ol><li>${at("home")}</li></ol><ol><li>${at("tin")}</li><li>${at("iron")}</li></ol>`,
    `<ol><li>Open it</li><li>Close it</li></ol><h2>References</h2><ol><li>${at("tin")}.</li><li>(${at("iron")})</li></ol>`,
    `<p>[1] Tin: ${at("tin")}.<br>[2] Iron (${at("iron")}), 1999</p>`,
    `<ul><li>[1]: ${link("tin", "Tin")}</li><li>[2]: ${link("iron", at("iron"))}</li></ul>`,
  ])
    assert.equal(await second(list), expected, list);
});

test("a number that is a link keeps its address in a part of the text", async () => {
  const body = `<p><span id="one">Iron rusts [<a href="https://a.org/iron">2</a>].</span> Tin is soft
    [<a href="#note">3</a>].</p><p id="note">3. <a href="https://a.org/tin">Tin</a></p>`;
  assert.equal(await excerpt(body, "#one"), "Iron rusts [2].\n\n[^2]: <https://a.org/iron>");
  assert.match(await excerpt(body, "p"), /\n\[\^3\]: <https:\/\/a\.org\/tin>/);
});

test("a part without numbers, and one whose numbers refer to nothing, is its words", async () => {
  const list = `<ol><li>Tin</li><li>https://a.org/iron</li></ol>`;
  assert.equal(await excerpt(`<p>Iron rusts.</p>${list}`, "p"), "Iron rusts.");
  assert.equal(await excerpt(`<p>Iron rusts [1].</p>${list}`, "p"), "Iron rusts [1].");
});

test("a list behind a part is taken before one that stands before it", async () => {
  const list = (name) => `<ol><li>https://${name}.org/1</li><li>https://${name}.org/2</li></ol>`;
  const body = `${list("crumbs")}<p>Iron rusts [2].</p>${list("references")}`;
  assert.equal(await excerpt(body, "p"), "Iron rusts [2].\n\n[^2]: <https://references.org/2>");
});

test("each kind of mark keeps the addresses of its numbers", async () => {
  const list = ["", "", ""].map((_, index) => `<li>https://a.org/${index + 1}</li>`).join("");
  for (const [mark, numbers] of [
    [" [2, 3].", [2, 3]],
    [" [1-3].", [1, 2, 3]],
    [".[^2]", [2]],
    [".²", [2]],
    ["【2†source】.", [2]],
    [" by 10² m.", []],
  ]) {
    const notes = numbers.map((number) => `\n\n[^${number}]: <https://a.org/${number}>`).join("");
    assert.equal(await excerpt(`<p>Iron rusts${mark}</p><ol>${list}</ol>`, "p"), `Iron rusts${mark}${notes}`);
  }
  const link = (number) => `<a href="https://b.org/${number}">${number}</a>`;
  assert.equal(
    await excerpt(`<p>Iron rusts [${link(2)}, ${link(3)}].</p>`, "p"),
    "Iron rusts [2, 3].\n\n[^2]: <https://b.org/2>\n\n[^3]: <https://b.org/3>",
  );
});

test("a number has the address of the nearest part of the page that knows it, and none of a menu or of a side", async () => {
  const list = (name) => `<ol><li>https://${name}.org/1</li><li>https://${name}.org/2</li></ol>`;
  const said = (name) => (name ? `Iron rusts [2].\n\n[^2]: <https://${name}.org/2>` : "Iron rusts [2].");
  const iron = `<p id="iron">Iron rusts [2].</p>`;
  for (const [body, name] of [
    [`<main><article><section>${iron}${list("section")}</section>${list("article")}</article></main>`, "section"],
    [`<main><article><section>${iron}</section>${list("article")}</article>${list("main")}</main>`, "article"],
    [`<article>${iron}</article>${list("page")}`, "page"],
    [`${["nav", "header", "aside"].map((part) => `<${part}>${list(part)}</${part}>`).join("")}${iron}`, null],
    [`<nav>${list("nav")}</nav>${iron}<footer>${list("footer")}</footer>`, "footer"],
    [`<aside>${iron}${list("aside")}</aside>${list("page")}`, "aside"],
  ])
    assert.equal(await excerpt(body, "#iron"), said(name), body);
});

test("a number in a chatbot's answer has an address of that answer alone", async () => {
  const list = `<ol><li>https://a.org/1</li><li>https://a.org/2</li></ol>`;
  const inAnswer = (more) => `<div class="answer"><p id="iron">Iron rusts [2].</p>${more}</div>`;
  const site = { answer: ".answer" };
  assert.equal(await excerpt(inAnswer(list), "#iron", site), "Iron rusts [2].\n\n[^2]: <https://a.org/2>");
  const other = `<div class="answer"><p>Tin is soft [2].</p>${list}</div>`;
  assert.equal(await excerpt(inAnswer("") + other, "#iron", site), "Iron rusts [2].");
  assert.match(await excerpt(`<p id="iron">Iron rusts [2].</p>${other}`, "#iron", site), /\n\[\^2\]: /);
});

/** The blocks of a page, and the words that ranges of each stretch of its text show. */
async function read(body) {
  await page.setContent(`<!doctype html><title>Page</title><body>${body}`);
  const script = await bundle(`${REPOSITORY}web/package/src/ui/page-text.ts`);
  return page.evaluate(async (script) => {
    const { PageText } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
    const shown = new PageText(document.body, {});
    const { text } = shown;
    const words = Array.from(text.matchAll(/[^\s.]+/g), ({ 0: word, index }) => [
      word,
      shown.range({ start: index, end: index + word.length })?.toString() ?? "",
    ]);
    return { blocks: shown.blocks, text, words };
  }, script);
}

test("twenty rendered answers are the blocks that the engine's test reads, and their words stand where they say", async () => {
  const lines = (await readFile(`${REPOSITORY}tests/data/rendered.jsonl`, "utf8")).trim().split("\n");
  assert.equal(lines.length, 20);
  for (const { html, blocks } of lines.map((line) => JSON.parse(line))) {
    const found = await read(html);
    assert.deepEqual(found.blocks, blocks, html);
    assert.equal(found.text, blocks.map(({ text }) => text).join("\n\n"));
    for (const [word, stands] of found.words)
      if (/^[\p{L}\d]+$/u.test(word)) assert.ok(stands.includes(word), `${word} is marked at "${stands}"`);
  }
});

test("a formula is its words, and one that has none in words is an object", async () => {
  const textOf = async (formula) => (await read(`<p>It is ${formula} long.</p>`)).text;
  const math = (inner) => `<math>${inner}</math>`;
  const drawn = `<span class="katex-html" aria-hidden="true">5</span>`;
  for (const [formula, words] of [
    [math("<mn>5</mn>"), "5"],
    [`<span class="katex"><span class="katex-mathml">${math("<mn>5</mn>")}</span>${drawn}</span>`, "5"],
    [`<mjx-container><svg></svg><mjx-assistive-mml>${math("<mi>x</mi>")}</mjx-assistive-mml></mjx-container>`, "x"],
    [math("<mo>−</mo><mn>5</mn>"), "-5"],
    [math("<mi>a</mi><mo>+</mo><mfrac><mn>1</mn><mrow><mn>2</mn><mi>b</mi></mrow></mfrac>"), "a + 1/(2b)"],
    [math("<msup><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup>"), "x^(n + 1)"],
    [math("<msub><mi>H</mi><mn>2</mn></msub><mi>O</mi>"), "H2O"],
    [math("<msqrt><mn>2</mn></msqrt>"), "√2"],
    [math("<mtable><mtr><mtd><mn>1</mn></mtd></mtr></mtable>"), "\ufffc"],
    [`<span class="katex">${drawn}</span>`, "\ufffc"],
  ])
    assert.equal(await textOf(formula), `It is ${words} long.`, formula);
});

test("a table of layout is no row, a cell may span columns, and a row without words is none", async () => {
  const { blocks } = await read(`
    <table><tr><td><p>Iron is a metal.</p><p>Tin is soft.</p></td><td>Menu</td></tr></table>
    <table><tr><th>Metal</th><th colspan="2">Melts at, in °C and K</th></tr>
    <tr><th>Tin</th><td>232</td><td>505</td></tr><tr><td></td><td></td><td></td></tr></table>`);
  const heads = ["Metal", "Melts at, in °C and K", "Melts at, in °C and K"];
  assert.deepEqual(blocks, [
    ...["Iron is a metal.", "Tin is soft.", "Menu"].map((text) => ({ kind: "paragraph", text })),
    { kind: "row", text: "Tin\t232\t505", heads },
  ]);
});

test("what is folded away to no height is not read", async () => {
  const folded = (style) => `<div style="${style}"><p>Maybe five.</p></div><p>The heart has four chambers.</p>`;
  assert.equal((await read(folded("overflow: hidden; height: 0; opacity: 0"))).text, "The heart has four chambers.");
  assert.match((await read(folded("overflow: hidden; height: 3em"))).text, /^Maybe five\./);
  assert.match((await read(folded("height: 0"))).text, /^Maybe five\./);
});

test("a document that a chatbot writes beside the conversation is a turn of its own", async () => {
  const pages = {
    chatgpt: `<main><p data-message-author-role="user">Write on iron.</p><p data-message-author-role="assistant">Done.</p>
      <div class="ProseMirror" id="prompt-textarea">Thank you</div></main><section>
      <div id="prosemirror-editor-container"><div class="ProseMirror"><p>Iron rusts.</p></div></div></section>`,
    gemini: `<user-query><p class="query-text">Write on iron.</p></user-query>
      <model-response><message-content>Done.</message-content></model-response>
      <deep-research-immersive-panel><message-content>Iron rusts.</message-content></deep-research-immersive-panel>`,
  };
  const scripts = await Promise.all(
    ["turns", "sites"].map((name) => bundle(`${REPOSITORY}web/extension/src/${name}.ts`)),
  );
  for (const [id, body] of Object.entries(pages)) {
    await page.setContent(`<!doctype html><title>Page</title><body>${body}`);
    const turns = await page.evaluate(
      async ([scripts, id]) => {
        const modules = scripts.map((script) => import(`data:text/javascript,${encodeURIComponent(script)}`));
        const [{ readQuestion, turnsOf }, { siteById }] = await Promise.all(modules);
        const site = siteById(id);
        return turnsOf(site).map(({ element, question }) => [readQuestion(question, site), element.textContent.trim()]);
      },
      [scripts, id],
    );
    assert.deepEqual(turns, [
      ["Write on iron.", "Done."],
      ["Write on iron.", "Iron rusts."],
    ]);
  }
});
