/** What is read of documents: numbers as they are meant, words that are shown, tables, and files with oddities. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { strToU8, zipSync } from "fflate";
import { pdfjs } from "../../pdfjs.mjs";
import { changes } from "./changes.mjs";

const WEB = fileURLToPath(new URL("../..", import.meta.url));

/** The readers, and what makes passages of what they read. */
let readers;
before(async () => {
  Promise.withResolvers ??= () => {
    const made = {};
    made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
    return made;
  };
  const kinds = { docx: "demo/readers/docx", epub: "demo/readers/epub", html: "demo/readers/html" };
  const contents = [
    ...Object.entries(kinds).map(([kind, path]) => `export { read as ${kind} } from "./${path}.ts";`),
    `export { read as pdf } from "./package/src/sources/pdf.ts";`,
    `export { passagesIn } from "./package/src/sources/passages.ts";`,
    `export { passagesOfBytes } from "./package/src/sources/bytes.ts";`,
    `export { documentOfText } from "./demo/documents.ts";`,
    `export { OWN, Reading } from "./package/src/sources/reading.ts";`,
  ].join("\n");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: WEB, loader: "ts" },
    bundle: true,
    format: "esm",
    charset: "utf8",
    plugins: [pdfjs],
    write: false,
  });
  readers = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
});

/** What a file says. */
function documentOf(kind, file) {
  const bytes = typeof file === "string" ? strToU8(file) : file;
  return readers[kind](`a.${kind}`, bytes, new readers.Reading(`a.${kind}`, readers.OWN));
}

/** The texts of a file's passages, a line each, under the headings that the file has. */
async function lines(kind, file) {
  const passages = [...readers.passagesIn(await documentOf(kind, file), `a.${kind}`)];
  return passages.flatMap(({ title, text }) => [...(title === "a" ? [] : [`# ${title}`]), ...text.split("\n")]);
}

const html = (markup) => lines("html", markup);

test("small text of a page is as it is meant, and a note's number is none of its sentence", async () => {
  for (const [markup, text] of [
    ["2×10<sup>30</sup> kg", "2×10³⁰ kg"],
    ["19<sup>th</sup>, 31 km<sup>2 </sup>and CO<sub>2</sub>", "19th, 31 km² and CO₂"],
    ["x<sup><i>n</i></sup>, x<sup>n+1</sup>, 5<sup>o</sup>C", "x^n, x^(n+1), 5°C"],
    ["Tarn has 900<sup><a href='#n1'>12</a></sup> people", "Tarn has 900 people"],
    ["Tarn has 900<a href='#n1'><sup>12</sup></a> people<a href='#n2'><sup>[a]</sup></a>", "Tarn has 900 people"],
    ["Tarn has 900<a role='doc-noteref' href='#n1'>12</a> people", "Tarn has 900 people"],
    ["Tarn is old.<sup>3</sup> So is Brakto*<sup>†</sup>", "Tarn is old. So is Brakto*"],
    ["<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字", "漢字"],
  ])
    assert.deepEqual(await html(`<p>${markup}</p>`), [text]);
  assert.deepEqual(await html("<p>10<sup>3 and <b>more<p>CO<sub>2<p>Tin."), ["10^(3 and more)", "CO₂", "Tin."]);
});

test("a formula is its words, or its sentence is left out", async () => {
  const drawn = "<span class=katex-html aria-hidden=true>5</span>";
  for (const [formula, found] of [
    ["<math><mn>31.5</mn></math>", ["It is 31.5 km long.", "It is old."]],
    [`<span class=katex><math><mn>5</mn></math>${drawn}</span>`, ["It is 5 km long.", "It is old."]],
    [`<span class=katex>${drawn}</span>`, ["It is old."]],
    ["<mjx-container><svg><path/></svg></mjx-container>", ["It is old."]],
    ["<math><mtable><mtr><mtd>5</mtd></mtr></mtable></math>", ["It is old."]],
    [`<math>${"<mrow>".repeat(999)}`, []],
  ])
    assert.deepEqual(
      (await html(`<p>It is ${formula} km long. It is old.`)).join(" "),
      found.join(" "),
      formula.slice(0, 99),
    );
});

test("what a page does not show, or strikes out, is not read", async () => {
  const hidden = [
    "<s>",
    "<del>",
    "<span style='display: none'>",
    "<b style='color: red; VISIBILITY: hidden !important'>",
    "<i style='opacity:0'>",
    "<i style='text-decoration: line-through red'>",
    "<span hidden>",
    "<dialog>",
    "<template>",
  ];
  for (const tag of hidden)
    assert.deepEqual(await html(`<p>Tarn is ${tag}not ${tag.replace(/<(\w+).*/, "</$1>")}old.`), ["Tarn is old."], tag);
  for (const tag of ["<i style='opacity:0.5'>", "<ins>", "<dialog open>", "<template shadowrootmode=open>"])
    assert.match((await html(`<div>Tarn is ${tag}not</div>`)).join(" "), /Tarn is not/, tag);
});

test("a page is read to its end, however it is written", async () => {
  const form = "<!doctype html><title>a</title><body><form action=./p.aspx><p>Tarn has 900 people.</p></form></body>";
  assert.deepEqual(await html(form), ["Tarn has 900 people."]);
  assert.deepEqual(await html("<head><title>a</title><body><p>Tarn is old."), ["Tarn is old."]);
  const icon = "<svg><title>Icon</title></svg><title>Tarn</title><p>It is old.";
  assert.deepEqual(await html(icon), ["# Tarn", "It is old."]);
});

test("a table is read with the names of its columns and rows, and one of layout as its paragraphs", async () => {
  for (const [table, found] of [
    [
      "<tr><th>Town<th>People<th>Area<tr><td>Tarn<td>900<td><tr><td>Brakto<td>412<td>31 km<sup>2</sup>",
      ["Tarn: People 900.", "Brakto: People 412, Area 31 km²."],
    ],
    [
      "<tr><th>Town<th>Year<th>People<tr><td rowspan=2>Tarn<td>1900<td>800<tr><td>2000<td>900",
      ["Tarn: Year 1900, People 800.", "Tarn: Year 2000, People 900."],
    ],
    [
      "<tr><th rowspan=2>Town<th colspan=2>People<tr><th>1900<th>2000<tr><td>Tarn<td>800<td>900",
      ["Tarn: People 1900 800, People 2000 900."],
    ],
    [
      "<tr><th colspan=2>Iron<tr><th>Melts at<td>1538 °C<tr><td colspan=2>A metal",
      ["Iron", "Melts at: 1538 °C.", "A metal"],
    ],
    ["<tr><td>Mill<td>1742", ["Mill 1742"]],
    ["<tr><td>Menu<td><p>One.<p>Two.<table><tr><th>A<th>B<tr><td>x<td>1</table>", ["Menu", "One.", "Two.", "x: B 1."]],
    ["<tr><td>Menu<td><h2>Tarn</h2>Old.", ["# Tarn", "Menu", "# Tarn", "Old."]],
  ])
    assert.deepEqual(await html(`<table>${table}</table>`), found, table);
});

const XML = '<?xml version="1.0"?>';
const docx = (body, parts = {}) =>
  zipSync({
    "word/document.xml": strToU8(`${XML}<w:document><w:body>${body}</w:body></w:document>`),
    ...Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(XML + xml)])),
  });
const word = (body, parts) => lines("docx", docx(body, parts));
const run = (text, looks = "") => `<w:r>${looks && `<w:rPr>${looks}</w:rPr>`}<w:t>${text}</w:t></w:r>`;
const paragraph = (...runs) => `<w:p>${runs.join("")}</w:p>`;

test("of a Word file nothing is read that Word does not show", async () => {
  const shown = '<w:strike w:val="0"/><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>';
  const body = paragraph(
    run("The mill was "),
    run("never ", "<w:vanish/>"),
    run("sold for "),
    run("900 ", "<w:strike/>"),
    `<w:moveFrom>${run("80 ")}</w:moveFrom><w:del><w:r><w:tab/><w:delText>70 </w:delText></w:r></w:del>`,
    run("60 ", '<w:rStyle w:val="Old"/>'),
    run("700 crowns.", shown),
  );
  const styles =
    '<w:styles><w:style w:styleId="Old"><w:basedOn w:val="Base"/></w:style><w:style w:styleId="Base"><w:rPr><w:dstrike/></w:rPr></w:style></w:styles>';
  assert.deepEqual(await word(body, { "word/styles.xml": styles }), ["The mill was sold for 700 crowns."]);
});

test("numbers and words of a Word file stay apart, and its notes are read", async () => {
  const raised = '<w:vertAlign w:val="superscript"/>';
  const signs =
    '<w:r><w:t>Pages 12</w:t><w:noBreakHyphen/><w:t>15.</w:t><w:cr/><w:t>At 5</w:t><w:sym w:font="Symbol" w:char="F0B0"/><w:t>C.</w:t></w:r>';
  const equation = (inner) => `<m:oMath>${inner}</m:oMath>`;
  const text = (words) => `<m:r><w:rPr/><m:t>${words}</m:t></m:r>`;
  const power = `<m:sSup><m:sSupPr/><m:e>${text("c")}</m:e><m:sup>${text("2")}</m:sup></m:sSup>`;
  const body = [
    paragraph(run("It weighs 2×10"), run("30", raised), run(" kg"), run("1", '<w:rStyle w:val="Note"/>'), run(".")),
    paragraph(signs),
    paragraph(run("So "), equation(text("E=m") + power), run(" holds. Then "), equation("<m:nary/>"), run(" does.")),
  ].join("");
  const notes = `<w:footnotes><w:footnote>${paragraph(run("Ruiz, 1999."))}</w:footnote></w:footnotes>`;
  const styles = '<w:styles><w:style w:styleId="Note"><w:name w:val="footnote reference"/></w:style></w:styles>';
  assert.deepEqual(await word(body, { "word/styles.xml": styles, "word/footnotes.xml": notes }), [
    "It weighs 2×10³⁰ kg.",
    "Pages 12-15. At 5°C.",
    "So E=mc^2 holds.",
    "Ruiz, 1999.",
  ]);
});

test("a paragraph of a Word file keeps its words around a box, which is read once behind it", async () => {
  const box = `<w:txbxContent>${paragraph(run("A box of words."))}</w:txbxContent>`;
  const drawing = `<mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent>`;
  assert.deepEqual(
    await word(paragraph(run("Tarn has 900 people. "), `<w:r>${drawing}</w:r>`, run("Brakto has 412."))),
    ["Tarn has 900 people. Brakto has 412.", "A box of words."],
  );
});

test("a Word file may have other prefixes, another body, and UTF-16", async () => {
  const named = (p) =>
    `<${p}document><${p}body><${p}p><${p}r><${p}t>Tarn is old.</${p}t></${p}r></${p}p></${p}body></${p}document>`;
  const rels =
    '<Relationships><Relationship Type="http://x.org/officeDocument" Target="/word/document2.xml"/></Relationships>';
  const core = "<c:coreProperties><d:title>Tarn &amp; Brakto</d:title></c:coreProperties>";
  for (const prefix of ["", "ns0:", "w:"]) {
    const files = { "_rels/.rels": rels, "word/document2.xml": named(prefix), "docProps/core.xml": core };
    const packed = Object.entries(files).map(([path, xml]) => [path, strToU8(xml)]);
    assert.deepEqual(await lines("docx", zipSync(Object.fromEntries(packed))), ["# Tarn & Brakto", "Tarn is old."]);
  }
  const wide = new Uint8Array(Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${named("w:")}`, "utf16le"));
  assert.deepEqual(await lines("docx", zipSync({ "word/document.xml": wide })), ["Tarn is old."]);
});

test("a table of a Word file is read with the names of its columns", async () => {
  const cell = (text) => `<w:tc>${text.startsWith("<") ? text : paragraph(run(text))}</w:tc>`;
  const table = (...rows) => `<w:tbl>${rows.map((row) => `<w:tr>${row.map(cell).join("")}</w:tr>`).join("")}</w:tbl>`;
  const merged = (how, text) => `<w:tcPr><w:vMerge${how}/></w:tcPr>${paragraph(run(text))}`;
  for (const [body, found] of [
    [table(["Town", "People"], ["Tarn", "900"], ["Brakto", "412"]), ["Tarn: People 900.", "Brakto: People 412."]],
    [
      table(["Town", "Year"], [merged(' w:val="restart"', "Tarn"), "1900"], [merged("", ""), "2000"]),
      ["Tarn: Year 1900.", "Tarn: Year 2000."],
    ],
    [table(["Mill", "1742"]), ["Mill 1742"]],
    [table([paragraph(run("One.")) + paragraph(run("Two.")), "Three."]), ["One.", "Two.", "Three."]],
  ])
    assert.deepEqual(await word(body), found);
});

/** A book of one chapter, at this address of its manifest. */
const epub = (href, file, chapter) =>
  lines(
    "epub",
    zipSync({
      "META-INF/container.xml": strToU8("<c:container><c:rootfile full-path='OEBPS/book.opf'/></c:container>"),
      "OEBPS/book.opf": strToU8(
        `<o:package><d:title>a</d:title><o:manifest><o:item id="a" href="${href}"/></o:manifest><o:spine><o:itemref idref="a"/></o:spine></o:package>`,
      ),
      [`OEBPS/${file}`]: typeof chapter === "string" ? strToU8(chapter) : chapter,
    }),
  );

test("a book's chapters are found and read as XML lets them be written", async () => {
  const chapter = "<html><head><title/></head><body><p>Tarn is old.</p></body></html>";
  for (const [href, file] of [
    ["100%.xhtml", "100%.xhtml"],
    ["a%20b.xhtml", "a b.xhtml"],
    ["a%20b.xhtml", "a%20b.xhtml"],
    ["50%/%C3%A9.xhtml", "50%/é.xhtml"],
  ])
    assert.deepEqual(await epub(href, file, chapter), ["Tarn is old."], href);
  const entities =
    "<h:html><h:body><h:p>Caf&eacute;s&nbsp;of 900&#160;people, &lt;b&gt; &bogus;</h:p></h:body></h:html>";
  assert.deepEqual(await epub("a.xhtml", "a.xhtml", entities), ["Cafés of 900 people, <b> &bogus;"]);
  const latin = Buffer.from("<?xml version='1.0' encoding='windows-1252'?><html><p>Caf\xe9</p></html>", "latin1");
  assert.deepEqual(await epub("a.xhtml", "a.xhtml", new Uint8Array(latin)), ["Café"]);
  const note = "<html><p>Tarn has 900<a epub:type='noteref' href='#n1'>12</a> people.</p></html>";
  assert.deepEqual(await epub("a.xhtml", "a.xhtml", note), ["Tarn has 900 people."]);
});

/** A book whose spine names its chapters this often each. */
const book = (chapters, times = 1) =>
  zipSync({
    "META-INF/container.xml": strToU8("<container><rootfile full-path='book.opf'/></container>"),
    "book.opf": strToU8(
      `<package><manifest>${chapters.map((_, at) => `<item id="${at}" href="${at}.xhtml"/>`).join("")}</manifest><spine>${chapters
        .map((_, at) => `<itemref idref="${at}"/>`.repeat(times))
        .join("")}</spine></package>`,
    ),
    ...Object.fromEntries(chapters.map((text, at) => [`${at}.xhtml`, strToU8(`<html><p>${text}</p></html>`)])),
  });

test("each file of an archive is read once, and what is read of one has limits", async () => {
  assert.deepEqual(await lines("epub", book(["Tarn is old.", "It is cold."], 200)), ["Tarn is old.", "It is cold."]);
  const letter = zipSync({
    "word/document.xml": strToU8(
      `<w:document><w:p><w:r><w:t>${"Tarn is old. ".repeat(9)}</w:t></w:r></w:p></w:document>`,
    ),
    "word/styles.xml": strToU8("<w:styles/>"),
  });
  const most = { "characters of text": 1_000, files: 9, "bytes when it is unpacked": 9_000 };
  const read = (kind, bytes, changed = {}, ends = {}) => {
    const reading = new readers.Reading(`a.${kind}`, { seconds: 15, most: { ...most, ...changed } }, ends);
    return readers[kind](`a.${kind}`, bytes, reading);
  };
  for (const [kind, bytes] of [
    ["epub", book(Array(9).fill("Tarn is old. ".repeat(9)))],
    ["docx", letter],
  ]) {
    await read(kind, bytes, { "characters of text": 1_100, files: 11 });
    for (const [what, number] of [
      ["characters of text", 100],
      ["files", 1],
      ["bytes when it is unpacked", 150],
    ])
      await assert.rejects(read(kind, bytes, { files: 11, [what]: number }), {
        code: "bad-document",
        unread: "tooLarge",
        message: `a.${kind} has more than ${number} ${what}: take a part of it`,
      });
  }
  // The time ends while it is read, at the next turn of the thread.
  const ended = new AbortController();
  setImmediate(() => ended.abort());
  const long = book(Array(20).fill("Tarn is old. <b>".repeat(10_000)));
  const ample = { "characters of text": 1e9, files: 99, "bytes when it is unpacked": 1e9 };
  await assert.rejects(read("epub", long, ample, { patience: ended.signal }), {
    code: "bad-document",
    unread: "timeout",
  });
});

test("a Word file's or a book's elements may stand in each other however deep", async () => {
  const before = process.cpuUsage();
  assert.deepEqual(await lines("epub", book([`${"<b>".repeat(200_000)}Tarn is old.`])), ["Tarn is old."]);
  assert.deepEqual(
    await word(`${"<w:x>".repeat(200_000)}${"</w:x>".repeat(200_000)}${paragraph(run("Tarn is old."))}`),
    ["Tarn is old."],
  );
  assert.deepEqual(await epub("a.xhtml", "a.xhtml", `${"<b>".repeat(400)}Tarn<b/> is<b/> old.`), ["Tarn is old."]);
  assert.ok(process.cpuUsage(before).user < 4e6);
});

test("a cited page is in the encoding of its Content-Type, or of its mark", async () => {
  const read = async (bytes, type) => {
    const found = await readers.passagesOfBytes("https://a.org/a", new Uint8Array(bytes), type);
    return found.unread ?? found[0].text;
  };
  const cyrillic = [0xd2, 0xe0, 0xf0, 0xed];
  const latin = Buffer.from("Für immer", "latin1");
  const wide = (text) => Buffer.from(`\ufeff${text}`, "utf16le");
  for (const [bytes, type, text] of [
    [cyrillic, "text/html; charset=windows-1251", "Тарн"],
    [cyrillic, 'text/plain; charset="windows-1251"', "Тарн"],
    [latin, "text/plain; charset=ISO-8859-1", "Für immer"],
    [latin, "text/plain; charset=none-such", "notText"],
    [latin, "text/plain", "notText"],
    [latin, "text/html; charset=utf-8", "Für immer"],
    [wide("Für immer"), "text/plain", "Für immer"],
    [wide("<p>Für immer").swap16(), "text/html; charset=utf-8", "Für immer"],
    [Buffer.from("<meta charset=utf-16><p>Für immer"), "text/html", "Für immer"],
  ])
    assert.equal(await read(bytes, type), text, type);
});

/** A PDF of pages that draw these contents, with a picture named I. */
function pdf(...pages) {
  const stream = (content, more = "") => `<<${more}/Length ${content.length}>> stream\n${content}\nendstream`;
  const resources = "/Resources<</Font<</F 3 0 R>>/XObject<</I 4 0 R>>>>";
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, index) => `${5 + 2 * index} 0 R`).join(" ")}]>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    stream("x", "/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray"),
    ...pages.flatMap((content, index) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${6 + 2 * index} 0 R${resources}>>`,
      stream(content),
    ]),
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj ${object} endobj`).join("\n");
  return strToU8(`%PDF-1.4\n${body}\ntrailer <</Root 1 0 R>>\n`);
}

/** Draws words at a place. */
const drawn = (x, y, words, size = 12, mode = 0) => `BT ${mode} Tr /F ${size} Tf ${x} ${y} Td (${words}) Tj ET\n`;

test("numbers of a PDF stay apart from the raised ones behind them", async () => {
  const line = (...pieces) =>
    pieces
      .map(([words, rise]) => (rise ? `${rise} Ts /F 7 Tf (${words}) Tj 0 Ts /F 12 Tf ` : `(${words}) Tj `))
      .join("");
  for (const [pieces, text] of [
    [[["It weighs 2x10"], ["30", 5], [" kg."]], "It weighs 2x10³⁰ kg."],
    [[["Tarn has 900"], ["12", 5], [" people."]], "Tarn has 900 people."],
    [[["Tarn is old."], ["3", 5], [" So is Brakto."]], "Tarn is old. So is Brakto."],
    [[["The 19"], ["th", 5], [" gas is CO"], ["2", -2], [" of 31 km"], ["2", 5]], "The 19th gas is CO₂ of 31 km²"],
  ])
    assert.deepEqual(await lines("pdf", pdf(`BT /F 12 Tf 50 700 Td ${line(...pieces)} ET`)), [text]);
  const note = drawn(50, 704, "4", 7) + drawn(55, 700, "Ruiz, 1999.");
  assert.deepEqual(await lines("pdf", pdf(note)), ["Ruiz, 1999."]);
});

test("invisible text of a PDF is read of a picture alone", async () => {
  const hidden = drawn(50, 700, "Tarn is not very old.", 12, 3);
  assert.deepEqual(await lines("pdf", pdf(hidden + drawn(50, 700, "Tarn is old."))), ["Tarn is old."]);
  const picture = `${hidden + drawn(50, 760, "Stamp.")}/I Do\n`;
  assert.deepEqual(await lines("pdf", pdf(picture)), ["Tarn is not very old. Stamp."]);
  await assert.rejects(lines("pdf", pdf(hidden)), /has no text/);
});

test("columns of a PDF are read one behind the other, and rows of a table across", async () => {
  const rows = (...rows) =>
    rows.flatMap(([left, right], row) => [drawn(50, 700 - 14 * row, left), drawn(300, 700 - 14 * row, right)]).join("");
  const columns = rows(["Tarn is a town", "Brakto is a"], ["of 900 people.", "village of 412."]);
  const found = ["A line over both of the columns that ends with a full stop.", "Tarn is a town of 900 people."];
  const head = drawn(50, 714, found[0]);
  assert.deepEqual(await lines("pdf", pdf(head + columns)), [[...found, "Brakto is a village of 412."].join(" ")]);
  const table = rows(["Town", "People"], ["Tarn", "900"], ["Brakto", "412"]);
  assert.deepEqual(await lines("pdf", pdf(table)), ["Town People Tarn 900 Brakto 412"]);
});

test("a sentence that goes on over a page of a PDF is whole, of the page where it begins", async () => {
  const pages = async (...texts) => {
    const file = pdf(...texts.map((text) => drawn(50, 700, text)));
    return [...readers.passagesIn(await documentOf("pdf", file), "a.pdf")].map(({ section, text }) => [section, text]);
  };
  assert.deepEqual(await pages("Tarn lies in the moun-", "tains of the north. It is old."), [
    ["page 1", "Tarn lies in the mountains of the north."],
    ["page 2", "It is old."],
  ]);
  assert.deepEqual(await pages("Tarn has", "900 people."), [["page 1", "Tarn has 900 people."]]);
  assert.deepEqual(await pages("On Tarn", "It is old."), [
    ["page 1", "On Tarn"],
    ["page 2", "It is old."],
  ]);
});

test("Markdown is read without its marks, code, comments, notes and what is struck out", () => {
  const passagesOf = (text) => [...readers.passagesIn(readers.documentOfText(text, "markdown"), "a.md")];
  const read = (text) =>
    passagesOf(text)
      .flatMap(({ text }) => text.split("\n"))
      .join(" ");
  for (const [text, found] of [
    ["````md\n```\nParis is in Spain.\n```\n````\nMars has two moons.", "Mars has two moons."],
    ["Tarn is old.\n<!-- draft:\n\nTarn is gone.\n-->\nIt is cold.", "Tarn is old. It is cold."],
    [
      "It costs ~~90~~ <del>80</del> 70 crowns, ~5 or 6~.[^1]\n\n[^1]: Ruiz, 1999.\n    More.",
      "It costs 70 crowns, ~5 or 6~.",
    ],
    ["See <https://example.org/a>, 2*3*4 and 2 \\* 3.", "See https://example.org/a, 2*3*4 and 2 * 3."],
    ["It weighs 2×10<sup>30</sup> kg.", "It weighs 2×10³⁰ kg."],
    ["| Town | People |\n|---|---:|\n| Tarn | **900** |\n| Brakto | 412 |\n", "Tarn: People 900. Brakto: People 412."],
    ["It is old.\n```\ncode\n```\n---\nIt is cold.", "It is old. It is cold."],
    ["[a]: https://example.org\nSee [a](b).", "See a."],
  ])
    assert.equal(read(text), found);
  const [passage] = passagesOf("Tarn\n----\nIt is *old*.\n");
  assert.deepEqual([passage.title, passage.text], ["Tarn", "It is old."]);
});

/** The files of documents of each kind that have a bit of everything; those of a page of HTML by its name alone. */
function samples() {
  const cell = (text, how = "") => `<w:tc><w:tcPr>${how}</w:tcPr>${paragraph(run(text))}</w:tc>`;
  const rows = [
    ["Town", "People", '<w:tblHeader w:val="1"/>'],
    ["Tarn", "900", '<w:gridSpan w:val="2"/>'],
    ["Brakto", "412", '<w:vMerge w:val="restart"/>'],
    ["", "3", "<w:vMerge/>"],
  ].map(([town, people, how]) => `<w:tr>${cell(town, how)}${cell(people)}</w:tr>`);
  const body = [
    '<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>Tarn</w:t></w:r></w:p>',
    paragraph(run("It weighs 2×10"), run("30", '<w:vertAlign w:val="superscript"/>'), run(" kg.", "<w:vanish/>")),
    `<w:tbl>${rows.join("")}</w:tbl>`,
    paragraph(
      "<m:oMath><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>",
    ),
    paragraph(`<w:r><w:txbxContent>${paragraph(run("A box."))}</w:txbxContent></w:r><w:del>${run("80")}</w:del>`),
  ].join("");
  const styles =
    '<w:styles><w:style w:styleId="H"><w:name w:val="heading 1"/><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="H"/></w:style></w:styles>';
  const page = `<html><head><title>Tarn</title></head><body><main><h1>Tarn</h1><p>Tarn has 900<sup><a href="#n">1</a></sup> people.
    <table><tr><th>Town<th colspan="2">People</tr><tr><td rowspan="3">Tarn<td>900</table><ruby>漢<rt>kan</rt></ruby>
    <math><msup><mi>x</mi><mn>2</mn></msup></math> <span class="katex"></span> caf&eacute;s &#233; <s>old</s><ul><li>one<li>two</ul>`;
  return {
    html: { page },
    docx: {
      "word/document.xml": `<w:document><w:body>${body}</w:body></w:document>`,
      "word/styles.xml": styles,
      "word/footnotes.xml": `<w:footnotes>${paragraph(run("Ruiz, 1999."))}</w:footnotes>`,
      "docProps/core.xml": "<c:coreProperties><d:title>Tarn &amp; Brakto</d:title></c:coreProperties>",
    },
    epub: {
      "META-INF/container.xml": "<container><rootfile full-path='OEBPS/book.opf'/></container>",
      "OEBPS/book.opf":
        '<package><title>Tarn</title><manifest><item id="a" href="a.xhtml"/><item id="b" href="b%20c.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
      "OEBPS/a.xhtml": page,
      "OEBPS/b c.xhtml":
        "<html><body><p>Brakto has 412<a epub:type='noteref' href='#n'>1</a> people.</p></body></html>",
    },
  };
}

for (const [kind, files] of Object.entries(samples()))
  test(`a document in ${kind} that was changed at random is read, or refused as one`, async (t) => {
    const bytes = Object.entries(files).map(([path, text]) => [path, strToU8(text)]);
    const packed = (files) => (kind === "html" ? files[0][1] : zipSync(Object.fromEntries(files), { level: 0 }));
    let turn = 0;
    // One of its files is changed, or what they are packed into.
    const changed = changes([...bytes.map(([, text]) => text), packed(bytes)], (count) => t.diagnostic(count));
    for (const input of changed) {
      const at = turn++ % (bytes.length + 1);
      const file = at < bytes.length ? packed(bytes.with(at, [bytes[at][0], input])) : input;
      const shown = () => `${kind} ${Buffer.from(file).toString("base64")}`;
      const found = await documentOf(kind, file).catch((error) => {
        assert.equal(error.code, "bad-document", `${error.stack} of ${shown()}`);
        return { title: "", sections: [] };
      });
      for (const { title, text } of readers.passagesIn(found, `a.${kind}`)) {
        assert.ok(title && text.trim() === text && text.length > 0 && text.length <= 1_000, shown());
        assert.ok(text.split(/[ \n]/).length <= 100, shown());
      }
    }
  });
