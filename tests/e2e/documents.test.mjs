/** A reader's own evidence: documents of every kind, pages of the web, and the list of known indexes. */

import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { check, done, fact, launch, options, REPOSITORY, visit } from "./browser.mjs";
import { DEMO, host, indexOf, largestOfJudge, PASSAGES } from "./host.mjs";

const { zipSync, strToU8 } = createRequire(`${REPOSITORY}web/package.json`)("fflate");

const PAGES = [
  "Brakto is a village of 412 people on the river Ool. It has a bakery and a mill.",
  "The Ool rises in the hills of Tarn and flows to the north-<br>west through Brakto.",
  "Tarn is a town with a market. Its market is held on Fridays.",
];
const XML = '<?xml version="1.0" encoding="UTF-8"?>';

/** A document of Word as a German one writes it: its headings have German ids and English names. */
const docx = (body, more = {}) =>
  zipSync({
    "word/document.xml": strToU8(`${XML}<w:document><w:body>${body}</w:body></w:document>`),
    "word/styles.xml": strToU8(
      `${XML}<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    ),
    "docProps/core.xml": strToU8(`${XML}<cp:coreProperties><dc:title>A guide to Brakto</dc:title></cp:coreProperties>`),
    ...more,
  });
const paragraph = (text, style = "") =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
const DOCX = docx(
  paragraph("Brakto is a <w:tab/>village.".replace("<w:tab/>", "</w:t><w:tab/><w:t>")) +
    paragraph("The river", "berschrift1") +
    paragraph("The Ool is 31 km long &amp; cold.") +
    "<w:p><w:del><w:r><w:delText>It is warm.</w:delText></w:r></w:del></w:p>" +
    `<w:tbl><w:tr><w:tc>${paragraph("Mill")}</w:tc><w:tc>${paragraph("1742")}</w:tc></w:tr></w:tbl>`,
);

/** A book whose spine has another order than its manifest, in a folder of its own. */
const epub = (more = {}) =>
  zipSync({
    mimetype: strToU8("application/epub+zip"),
    "META-INF/container.xml": strToU8(
      `${XML}<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    ),
    "OEBPS/book.opf": strToU8(
      `${XML}<package><metadata><dc:title>Tales of the Ool</dc:title></metadata><manifest>
        <item id="two" href="text/two.xhtml"/><item id="one" href="text/on%20e.xhtml"/><item id="css" href="a.css"/></manifest>
        <spine><itemref idref="one"/><itemref idref="two"/></spine></package>`,
    ),
    "OEBPS/text/on e.xhtml": strToU8(
      `${XML}<html><head><title>x</title></head><body><h1>Spring</h1><p>The Ool rises in Tarn.</p></body></html>`,
    ),
    "OEBPS/text/two.xhtml": strToU8(`${XML}<html><body><h2>Mouth</h2><p>The Ool ends in the sea.</p></body></html>`),
    ...more,
  });

const HTML = `<!doctype html><html><head><title>Brakto - A site</title><script>document.title = "owned"</script>
  <style>p { color: red }</style></head><body><nav>Home Contact</nav><main><h1>Brakto</h1>
  <p>Brakto has <b>412</b> people.<sup class="reference">[1]</sup><img src="https://tracker.example/pixel.png">
  <h2>River<br>and mill</h2><ul><li>The Ool is cold<li>The mill is old</ul><p hidden>Secret.</p>
  <table><tr><td>Mill</td><td>1742</td></tr></table><iframe src="https://tracker.example/">x</iframe>
  <noscript><img src="https://tracker.example/2.png">No script.</noscript></main><footer>Imprint</footer></body></html>`;

let browser;
let scratch;
/** Of three pages with a running head, as Chromium prints it; and one that has no text. */
let pdf;
let blank;
before(async () => {
  [browser, scratch] = await Promise.all([launch(), mkdtemp(join(tmpdir(), "evident-documents-"))]);
  const page = await browser.newPage();
  const pages = PAGES.map(
    (text, n) => `<div style="break-after: page"><p>Guide, page ${n + 1}</p><p>${text}</p></div>`,
  );
  await page.setContent(`<title>A guide</title>${pages.join("")}`);
  pdf = await page.pdf();
  await page.setContent(`<div style="width: 3in; height: 3in; border: 1in solid red"></div>`);
  blank = await page.pdf();
  await page.close();
});
after(() => Promise.all([browser?.close(), rm(scratch, { recursive: true, force: true })]));

/** What a reader makes of a file, as passages: title, section, text and source of each. */
async function passagesOf(kind, name, bytes) {
  const { build } = createRequire(`${REPOSITORY}web/package.json`)("esbuild");
  const contents = `export { read } from "./readers/${kind}.ts";
    export { passagesIn } from "../package/src/sources/passages.ts";
    export { OWN, Reading } from "../package/src/sources/reading.ts";`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: `${REPOSITORY}web/demo`, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    write: false,
  });
  const { read, passagesIn, OWN, Reading } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`
  );
  const document = await read(name, new Uint8Array(bytes), new Reading(name, OWN));
  return [...passagesIn(document, name)].map(({ title, section, text, source }) => [
    title,
    ...(section ? [section] : []),
    text,
    source,
  ]);
}

describe("documents", () => {
  test("a document of Word falls into its headings, without what was struck out", async () => {
    assert.deepEqual(await passagesOf("docx", "brakto.docx", DOCX), [
      ["A guide to Brakto", "Brakto is a village.", "brakto.docx"],
      ["A guide to Brakto: The river", "The Ool is 31 km long & cold.\nMill 1742", "brakto.docx"],
    ]);
  });

  test("a book falls into its chapters, in the order of its spine", async () => {
    assert.deepEqual(await passagesOf("epub", "tales.epub", epub()), [
      ["Tales of the Ool: Spring", "The Ool rises in Tarn.", "tales.epub"],
      ["Tales of the Ool: Mouth", "The Ool ends in the sea.", "tales.epub"],
    ]);
  });

  test("of a page of HTML its main prose is read, without menus, scripts, notes and what is hidden", async () => {
    assert.deepEqual(await passagesOf("html", "brakto.html", Buffer.from(HTML)), [
      ["Brakto", "Brakto has 412 people.", "brakto.html"],
      ["Brakto: River and mill", "The Ool is cold\nThe mill is old\nMill 1742", "brakto.html"],
    ]);
    const latin = Buffer.from("<title>x</title><p>Das Caf\xe9 in Brakto ist klein.", "latin1");
    assert.deepEqual(await passagesOf("html", "a.html", latin), [["x", "Das Café in Brakto ist klein.", "a.html"]]);
  });
});

const library = (page) => page.getByRole("region", { name: "Checked against" });
const evidence = (page) => page.getByRole("complementary", { name: "Evidence" });

/** Waits until the library has done what it was asked; its error's code, or its status line. */
async function chosen(page) {
  const ended = library(page)
    .locator("#library-alert code")
    .or(library(page).locator("#library-status", { hasText: /^Answers are checked against|Cancelled/ }));
  await ended.first().waitFor();
  return ended.first().textContent();
}

const file = (name, bytes) => ({ name, mimeType: "", buffer: Buffer.from(bytes) });

describe("in the page", () => {
  let site;
  let page;
  let requests;
  const choose = async (...files) => {
    await page.evaluate(() => {
      for (const id of ["library-alert", "library-status"]) document.getElementById(id).replaceChildren();
    });
    await page.locator("#pick-files").setInputFiles(files);
    return chosen(page);
  };
  before(async () => {
    site = await host();
    page = await visit(browser, site.url, { serviceWorkers: "block" });
    requests = [];
    page.context().on("request", (request) => requests.push(request.url()));
    await library(page).getByText("Use other evidence").click();
  });
  after(() => Promise.all([page?.context().close(), site?.close()]));
  const readers = () => requests.flatMap((url) => /(?:readers\/|\/)(docx|epub|html|pdf)\.js$/.exec(url)?.[1] ?? []);

  test("a reader of a kind is fetched when a file of its kind comes, and nothing that a file names", async () => {
    assert.match(await choose(file("a.txt", "Brakto is a village.")), /1 passage/);
    assert.deepEqual(readers(), []);
    assert.match(await choose(file("a.html", HTML)), /2 passages/);
    assert.deepEqual(readers(), ["html"]);
    assert.match(await choose(file("a.docx", DOCX), file("b.epub", epub()), file("c.pdf", pdf)), /7 passages/);
    assert.deepEqual(readers().toSorted(), ["docx", "epub", "html", "pdf"]);
    assert.deepEqual(
      requests.filter((url) => !url.startsWith(site.url)),
      [],
    );
    assert.equal(await page.title(), "Evident: check a chatbot's answer");
  });

  test("a passage of a PDF says its page, without the running head, and a word is whole again", async () => {
    await choose(file("guide.pdf", pdf));
    await check(page, { answer: "The Ool flows to the northwest.", question: "", passages: 1 });
    await done(page);
    await options(page).first().click();
    const deciding = evidence(page).locator(".deciding");
    assert.equal(await deciding.locator(".title").textContent(), "A guide");
    assert.equal(await deciding.locator(".from").textContent(), "Source: guide.pdf, page 2");
    assert.equal(
      await deciding.locator("blockquote").textContent(),
      "The Ool rises in the hills of Tarn and flows to the northwest through Brakto.",
    );
  });

  test("a bad file is told with its code, by name", async () => {
    const bomb = docx(paragraph("x"), { "word/styles.xml": new Uint8Array(101_000_000) });
    const locked = epub({
      "META-INF/encryption.xml": strToU8(`${XML}<enc:CipherReference URI="OEBPS/text/two.xhtml"/>`),
    });
    for (const [name, bytes, message] of [
      ["a.pdf", "%PDF", /a\.pdf is damaged, or no PDF/i],
      ["a.pdf", "GIF89a", /a\.pdf is damaged, or no PDF/i],
      ["scan.pdf", blank, /scan\.pdf has no text: its pages are pictures/i],
      ["a.docx", "no archive", /a\.docx is damaged/i],
      ["a.docx", zipSync({ "a.txt": strToU8("a") }), /a\.docx is no document of Word/i],
      ["a.docx", docx(""), /a\.docx has no text/i],
      ["bomb.docx", bomb, /bomb\.docx has more than 100,000,000 bytes when it is unpacked/i],
      ["a.epub", zipSync({ "a.txt": strToU8("a") }), /a\.epub is no book in EPUB/i],
      ["a.epub", locked, /a\.epub is locked/i],
      ["a.html", "<script>text</script>", /a\.html has no text/i],
    ]) {
      assert.equal(await choose(file(name, bytes)), "bad-document", name);
      assert.match(await library(page).getByRole("alert").innerText(), message);
    }
  });

  test("a folder of 200 files shows how far it is, and leaves out what cannot be read", async () => {
    const files = Array.from({ length: 199 }, (_, n) =>
      file(`${n}.html`, `<h1>Page ${n}</h1><p>Brakto has ${n} mills.`),
    );
    await page.evaluate(() => {
      globalThis.told = [];
      const watch = (element, tell) =>
        new MutationObserver(() => globalThis.told.push(tell())).observe(element, {
          childList: true,
          characterData: true,
          subtree: true,
          attributes: true,
        });
      const status = document.querySelector("#library-status");
      const progress = document.querySelector("#library-progress");
      watch(status, () => `${status.textContent} ${progress.value}`);
    });
    const status = await choose(...files, file("scan.pdf", blank));
    assert.match(status, /199 passages.* 1 file could not be read: scan\.pdf has no text/);
    const told = await page.evaluate(() => globalThis.told);
    const reading = told.filter((line) => /^Reading file \d+ of 200, .*: .* of /.test(line));
    assert.ok(reading.length > 20, `told ${reading.length} times`);
    assert.ok(new Set(reading.map((line) => line.split(" ").at(-1))).size > 20, "and the bar moves");
  });

  test("a page of the web is read where its host lets other sites, and its passages link to it", async () => {
    const type = { "page.html": "text/html", "guide.pdf": "application/pdf", "map.gif": "image/gif" };
    const body = { "page.html": HTML, "guide.pdf": pdf, "map.gif": "GIF89a" };
    const headers = [];
    const open = await host({
      alter(address, response) {
        const [path] = address.split("?");
        headers.push(response.req.headers);
        if (!(path in type)) return false;
        response.writeHead(200, { "Content-Type": type[path], "Access-Control-Allow-Origin": "*" }).end(body[path]);
        return true;
      },
    });
    const use = async (address) => {
      await page.getByLabel("Or a page of the web").fill(address);
      await page.getByRole("button", { name: "Read it" }).click();
      return chosen(page);
    };
    const closed = await host({ folder: scratch });
    for (const [address, code] of [
      ["", "bad-address"],
      ["file:///etc/passwd", "bad-address"],
      [`${closed.url}page.html`, "page-blocked"],
      ["http://localhost:9/page.html", "network"],
      [`${open.url}map.gif`, "bad-document"],
      [new URL("none.html", site.url).href, "page-missing"],
    ])
      assert.equal(await use(address), code, address);

    assert.match(await use(`${open.url}page.html?a=b#c`), /2 passages/);
    const asked = headers.at(-1);
    assert.deepEqual([asked.cookie, asked.referer], [undefined, undefined]);
    assert.match(await use(`${open.url}guide.pdf`), /3 passages/);
    await check(page, { answer: "The market of Tarn is held on Fridays.", question: "", passages: 1 });
    await done(page);
    await options(page).first().click();
    assert.equal(await evidence(page).locator(".source a").getAttribute("href"), `${open.url}guide.pdf#page=3`);
    await Promise.all([open.close(), closed.close()]);
  });
});

describe("known indexes", () => {
  test("the list that the demo ships says what its index is", async () => {
    const [known] = JSON.parse(await readFile(join(DEMO, "indexes.json"), "utf8"));
    const { passages } = JSON.parse(await readFile(join(DEMO, "index/manifest.json"), "utf8"));
    const sizes = (await readdir(join(DEMO, "index"))).map(
      async (name) => (await stat(join(DEMO, "index", name))).size,
    );
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.deepEqual([known.passages, known.bytes], [passages, bytes]);
  });

  test("a reader uses a listed index, adds one that was tried, and removes it", async () => {
    const passage = { id: "a", title: "Brakto", text: "Brakto is a village on the Ool." };
    const other = await host({
      folder: indexOf([passage], scratch, "brakto"),
      headers: { "Access-Control-Allow-Origin": "*" },
    });
    const listed = JSON.stringify([
      { name: "Village", address: other.url, licence: "CC0-1.0", passages: 1, bytes: 1_234_000 },
      { name: "", address: "x", passages: 1 },
      { name: "No address" },
      null,
    ]);
    const site = await host({
      alter(path, response) {
        if (path !== "indexes.json") return false;
        response.writeHead(200, { "Content-Type": "application/json" }).end(listed);
        return true;
      },
    });
    const page = await visit(browser, site.url, { serviceWorkers: "block" });
    const open = () => library(page).getByText("Use other evidence").click();
    const rows = page.locator("#indexes > li");
    await open();
    await rows.first().waitFor();
    assert.equal(await rows.count(), 1);
    assert.match(await rows.first().innerText(), /Village\s+1 passage · 1\.2 MB · CC0-1\.0 · localhost:\d+/);
    await page.getByRole("button", { name: "Use Village" }).click();
    assert.match(await chosen(page), /1 passage\./);
    assert.match(await library(page).innerText(), /Checked against\s+Village/);

    const add = async (address) => {
      await page.getByLabel("Or an index at an address").fill(address);
      await page.getByRole("button", { name: "Add it to the list" }).click();
      return chosen(page);
    };
    assert.equal(await add(new URL("nowhere/", site.url).href), "index-missing");
    assert.equal(await rows.count(), 1, "what was not there is not kept");
    assert.match(await add(new URL("index/", site.url).href), new RegExp(`${PASSAGES} passages`));
    await rows.nth(1).waitFor();
    await page.reload();
    await open();
    await rows.nth(1).waitFor();
    assert.match(await rows.nth(1).innerText(), new RegExp(`${PASSAGES} passages · licence not known`));
    await rows
      .nth(1)
      .getByRole("button", { name: /^Remove / })
      .click();
    await rows.nth(1).waitFor({ state: "detached" });
    await Promise.all([page.context().close(), site.close(), other.close()]);
  });
});

test("an index that is chosen while the models load is the one that the check uses", async () => {
  let release;
  let isAsked = false;
  const held = new Promise((done) => {
    release = done;
  });
  const name = `pack/${largestOfJudge()}`;
  const site = await host({
    async alter(path) {
      if (path !== name) return false;
      isAsked = true;
      await held;
      return false;
    },
  });
  const page = await visit(browser, site.url, { serviceWorkers: "block" });
  await check(page, { answer: "Brakto has 412 people.", question: "" });
  while (!isAsked) await page.waitForTimeout(50);
  await library(page).getByText("Use other evidence").click();
  await page.locator("#pick-files").setInputFiles([file("brakto.txt", "Brakto has 412 people.")]);
  assert.match(await chosen(page), /your own text now: 1 passage/);
  release();
  await done(page);
  assert.match(await fact(page, "Index"), /^1 passage/);
  assert.deepEqual(page.errors, []);
  await page.context().close();
  await site.close();
});
