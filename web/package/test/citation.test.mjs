/** What the demo's page says of a passage elsewhere: its citation, and the link to its words; and how much text fits. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../load.mjs";

const source = (name) => fileURLToPath(new URL(`../../demo/${name}.ts`, import.meta.url));

let [citationOf, atQuote, roomIn, most] = [];
before(async () => {
  const modules = await Promise.all(["citation", "text-fragment", "room"].map((name) => load(source(name))));
  [{ citationOf }, { atQuote }, { roomIn, MOST_CHARACTERS: most }] = modules;
});

const passage = (more) => ({ title: "Iron", source: null, from: null, ...more });

test("a citation has title, site, revision, date, licence and address, in one line", () => {
  const address = "https://en.wikipedia.org/w/index.php?oldid=123";
  const wiki = passage({ source: address, from: 0, date: "2026-05-01", license: "CC BY-SA 4.0" });
  assert.equal(
    citationOf(wiki, [{ date: "2020-01-01", license: "none" }]),
    `Iron. en.wikipedia.org, revision 123, 2026-05-01. CC BY-SA 4.0. ${address}`,
  );
});

test("what a passage does not say of itself is its source's, and what nobody says is left out", () => {
  const sources = [
    { date: null, license: null },
    { date: "2026-01-02", license: "CC BY 4.0" },
  ];
  assert.equal(citationOf(passage({ source: "iron.md", from: 1 }), sources), "Iron. iron.md, 2026-01-02. CC BY 4.0.");
  assert.equal(citationOf(passage({ source: "iron.md", from: 0 }), sources), "Iron. iron.md.");
  assert.equal(
    citationOf(passage({ source: "https://example.org/iron" }), sources),
    "Iron. example.org. https://example.org/iron",
  );
  assert.equal(
    citationOf(passage({ title: "What is iron?\n\u202eA metal.", source: "https://example.org/?oldid=<b>" }), []),
    "What is iron? A metal. example.org. https://example.org/?oldid=%3Cb%3E",
  );
  assert.ok(citationOf(passage({ title: "x".repeat(1 << 20), source: "y".repeat(1 << 20) }), []).length < 1_000);
});

test("a link to a quote has its first and last words, percent-encoded", () => {
  const page = "https://example.org/iron";
  assert.equal(atQuote(page, "It rusts."), `${page}#:~:text=It%20rusts.`);
  assert.equal(
    atQuote(page, "  Well-known iron, a metal & element, is\nno. 26 of the table. "),
    `${page}#:~:text=Well%2Dknown%20iron%2C%20a%20metal,26%20of%20the%20table.`,
  );
  assert.equal(atQuote(page, "Eisen – 鉄"), `${page}#:~:text=Eisen%20%E2%80%93%20%E9%89%84`);
  assert.equal(atQuote(page, "cut \ud83e"), `${page}#:~:text=cut%20%EF%BF%BD`);
});

test("an address with a fragment of its own, or that is none of the web, stays as it is", () => {
  for (const address of ["https://example.org/a.pdf#page=3", "https://example.org/#", "javascript:alert(1)", "iron.md"])
    assert.equal(atQuote(address, "It rusts."), address);
  assert.equal(atQuote("https://example.org/iron", " "), "https://example.org/iron");
});

test("the field says how many words it has and how many more fit, or are too many", () => {
  const said = (text) => [roomIn(text).said, roomIn(text).isOver];
  assert.deepEqual(said(""), ["About 3,300 words fit.", false]);
  assert.deepEqual(said("It rusts."), ["2 words; about 3,300 more fit.", false]);
  assert.deepEqual(said("word "), ["1 word; about 3,300 more fit.", false]);
  assert.deepEqual(said("x".repeat(most)), ["1 word; about 0 more fit.", false]);
  assert.deepEqual(said("x".repeat(most + 1)), ["About 1 word too many: check it in parts.", true]);
  assert.deepEqual(said("iron ".repeat(5_000)), ["About 830 words too many: check it in parts.", true]);
  assert.equal(roomIn("\u{1f980}".repeat(most)).isOver, false, "characters are counted as the engine counts them");
});
