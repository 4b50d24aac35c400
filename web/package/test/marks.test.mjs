/** The extension's marks in a page that shares the registry of highlights: their names, and whether they still stand. */

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../load.mjs";

/** As much of a page's highlights as marks take. */
class FakeHighlight extends Set {
  priority = 0;
}
const node = {};
const target = { getRootNode: () => ({}) };
const text = {
  range: ({ start, end }) => ({ startContainer: node, startOffset: start, endContainer: node, endOffset: end }),
};
const SENTENCES = [
  { start: 0, end: 10 },
  { start: 11, end: 20 },
];

let [own, isPrefix] = [];
before(async () => {
  globalThis.Highlight = FakeHighlight;
  globalThis.CSS = {};
  const source = (name) => fileURLToPath(new URL(`../../extension/src/${name}.ts`, import.meta.url));
  own = await load(source("own-marks"));
  ({ isPrefix } = await load(source("messages")));
});
beforeEach(() => {
  CSS.highlights = new Map();
});

/** Marks of two sentences, the second with a wrong word. */
function marksUnder(prefix) {
  const marks = new own.OwnMarks(target, text, SENTENCES, prefix);
  marks.mark(0, "factual");
  marks.mark(1, "unfactual", [{ start: 12, end: 14 }]);
  return marks;
}

test("the names of a page's highlights are its own, and cannot be guessed", () => {
  const [prefix, other] = [own.newPrefix(), own.newPrefix()];
  assert.notEqual(prefix, other);
  assert.ok(isPrefix(prefix) && isPrefix(other));
  marksUnder(prefix);
  assert.deepEqual([...CSS.highlights.keys()], [`${prefix}factual`, `${prefix}unfactual`, `${prefix}wrong`]);
  for (const bad of ["", "evident-", `${prefix}x`, `${prefix}) { } * {`, prefix.toUpperCase(), 7, null, undefined])
    assert.ok(!isPrefix(bad), `${bad}`);
});

test("marks that the page takes away, moves, covers or replaces stand no more, and are set again", () => {
  const prefix = own.newPrefix();
  const highlight = (name) => CSS.highlights.get(prefix + name);
  for (const change of [
    () => CSS.highlights.clear(),
    () => CSS.highlights.delete(`${prefix}wrong`),
    () => highlight("factual").clear(),
    () => CSS.highlights.set(`${prefix}factual`, new FakeHighlight()),
    () => Object.assign([...highlight("unfactual")][0], { endOffset: 11 }),
    () => Object.assign([...highlight("unfactual")][0], { startContainer: {} }),
    () => Object.assign(highlight("factual"), { priority: 9 }),
  ]) {
    CSS.highlights = new Map();
    const marks = marksUnder(prefix);
    assert.ok(marks.stand());
    change();
    assert.ok(!marks.stand(), `${change}`);
    marks.clear();
    assert.ok(marksUnder(prefix).stand(), `${change}`);
  }
});

test("marks that the extension takes back leave nothing behind", () => {
  const marks = marksUnder(own.newPrefix());
  marks.clear();
  assert.equal(CSS.highlights.size, 0);
});
