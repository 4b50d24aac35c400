/** What a report says in words: verdicts, counts, passages, parts, reasons, and what was not read or not judged. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** As much of a DOM as building one takes. */
class Node {
  className = "";
  dir = "";
  style = {};
  constructor(tag) {
    this.tag = tag;
    this.children = [];
    this.attributes = {};
  }
  append(...children) {
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.children = children;
  }
  addEventListener(type, listener) {
    this[`on${type}`] = listener;
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  set textContent(text) {
    this.children = [text];
  }
  get textContent() {
    return this.children.map((child) => child.textContent ?? child).join("");
  }
  /** All elements below of this tag, in order. */
  all(tag) {
    return this.children.flatMap((child) =>
      child instanceof Node ? [...(child.tag === tag ? [child] : []), ...child.all(tag)] : [],
    );
  }
}

let ui;
let wording;
before(async () => {
  globalThis.document = { createElement: (tag) => new Node(tag), createElementNS: (_, tag) => new Node(tag) };
  const folder = fileURLToPath(new URL("../src/ui/", import.meta.url));
  const contents = [
    "badge",
    "evidence-card",
    "findings",
    "progress",
    "second-opinion",
    "standing",
    "strings",
    "summary",
  ]
    .map((name) => `export * from "./${name}.ts";`)
    .join("");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: "ts" },
    bundle: true,
    format: "esm",
    write: false,
  });
  ui = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  wording = new ui.Wording({}, "en");
});

const STATEMENT = "Iron has 25 protons and rusts.";
const at = (text, words) => ({ start: text.indexOf(words), end: text.indexOf(words) + words.length });

const nli = (entailment, contradiction) => ({ entailment, neutral: 1 - entailment - contradiction, contradiction });

function passage(title, found, more = {}) {
  const text = `${title} is a metal. It has 26 protons.`;
  const read = found
    ? { nli: found, read: { start: 0, end: text.length }, sentence: at(text, "It has 26 protons.") }
    : { nli: null, read: null, sentence: null };
  return { id: title, title, text, source: null, bm25: 7, ...read, decisive: false, inPrompt: false, ...more };
}

function sentence(verdict, evidence = [], more = {}) {
  const common = {
    start: 0,
    end: STATEMENT.length,
    text: STATEMENT,
    statement: STATEMENT,
    context: "",
    related: true,
    score: 0.31,
  };
  return {
    ...common,
    verdict,
    pFactual: null,
    answeredAt: null,
    nli: nli(0, 0),
    risks: [],
    bm25Bound: null,
    evidence,
    ...more,
  };
}

/** What the evidence panel shows, as one element. */
function panel(report) {
  const shown = new Node("div");
  shown.append(...ui.evidenceBelow(report, wording));
  return shown;
}

test("five words for how a sentence stands, the score only where it goes with the verdict", () => {
  const words = [["factual"], ["unfactual"], ["mixed"], ["noEvidence", true], ["noEvidence", false]].map(
    ([verdict, related = true]) => ui.labelOf(ui.standingOf({ verdict, related }), 0.9, wording),
  );
  assert.deepEqual(words, ["Supported 0.90", "Contradicted 0.90", "Mixed evidence", "Undecided", "Not in this index"]);
});

test("counts name mixed and undecided sentences where there are any", () => {
  const tally = (...verdicts) =>
    ui.tallyOf(
      verdicts.map(([verdict, related]) => ({ verdict, related })),
      wording,
    );
  assert.equal(tally(), "0 supported, 0 contradicted, 0 not in this index");
  assert.equal(
    tally(["mixed", true], ["factual", true], ["noEvidence", true], ["noEvidence", false], ["factual", true]),
    "2 supported, 0 contradicted, 1 mixed, 1 undecided, 1 not in this index",
  );
});

test("of a mixed sentence both passages come first and open, the one that supports it before the one that contradicts it", () => {
  const shown = panel(
    sentence("mixed", [
      passage("Nickel", nli(0.1, 0.1)),
      passage("Steel", nli(0.1, 0.8), { decisive: true }),
      passage("Rust", null),
      passage("Iron", nli(0.8, 0.1), { decisive: true }),
    ]),
  );
  const cards = shown.all("details");
  assert.deepEqual(
    cards.map((card) => card.all("span")[0].textContent),
    ["Iron", "Steel", "Nickel", "Rust"],
  );
  assert.deepEqual(
    cards.map(({ open }) => open),
    [true, true, false, false],
  );
  assert.deepEqual(
    cards.map((card) => /supports it|contradicts it|decisive|not read/.exec(card.all("summary")[0].textContent)?.[0]),
    ["supports it", "contradicts it", undefined, "not read"],
  );
  assert.match(shown.textContent, /^One passage supports it, another contradicts it\./);
  assert.ok(!shown.textContent.includes("0.31"), "no score");
});

test("a passage that was not read has no numbers and no marked sentence", () => {
  const [read, unread] = panel(
    sentence("factual", [passage("Iron", nli(0.9, 0), { decisive: true }), passage("Rust", null)]),
  ).all("details");
  assert.equal(read.all("mark").length, 1);
  assert.equal(read.all("figure").length, 1);
  assert.equal(unread.all("mark").length + unread.all("figure").length, 0);
  assert.ok(unread.textContent.includes("Rust is a metal."));
});

test("where nothing decides, the first passage that was read is open, and no number is shown", () => {
  const shown = panel(sentence("noEvidence", [passage("Rust", null), passage("Iron", nli(0.2, 0.1))]));
  assert.deepEqual(
    shown.all("details").map(({ open }) => open),
    [true, false],
  );
  assert.equal(shown.all("details")[0].all("span")[0].textContent, "Iron");
  assert.match(shown.textContent, /^The passages found do not settle it\./);
  assert.ok(!shown.textContent.includes("Probability of being factual"));
  assert.match(
    panel(sentence("noEvidence", [], { related: false })).textContent,
    /^No passage found says whether it is so\./,
  );
});

test("the T5's number is there where the T5 was asked", () => {
  const evidence = [passage("Iron", nli(0, 0.9), { decisive: true })];
  const numbers = (more) => panel(sentence("unfactual", evidence, more)).all("dl")[0].textContent;
  assert.equal(numbers({}), "Probability of being factual0.31");
  assert.equal(numbers({ pFactual: 0.25, answeredAt: 0 }), "Probability of being factual0.31T50.25");
  assert.match(numbers({ pFactual: 0.5 }), /gave no answer/);
});

test("the parts of a sentence are listed with their verdicts", () => {
  const part = (words, verdict, score) => ({ ...at(STATEMENT, words), text: `Iron ${words}.`, verdict, score });
  const parts = [
    part("has 25 protons", "unfactual", 0.1),
    part("rusts", "factual", 0.95),
    part("rusts", "noEvidence", 0.5),
  ];
  const [list] = panel(sentence("unfactual", [], { parts })).all("ul");
  assert.deepEqual(
    list.all("li").map((row) => row.textContent),
    ["Contradicted 0.10 Iron has 25 protons.", "Supported 0.95 Iron rusts.", "Undecided Iron rusts."],
  );
});

test("one line says which words stand against each other, and those of the statement are marked", () => {
  const iron = passage("Iron", nli(0, 0.9), { decisive: true });
  const reason = { evidence: 0, said: at(STATEMENT, "25"), found: at(iron.text, "26") };
  const shown = panel(sentence("unfactual", [iron], { reason, marks: [reason.said] }));
  assert.ok(shown.textContent.includes("The passage says “26”, the statement “25”."));
  assert.deepEqual(
    shown
      .all("q")[0]
      .all("mark")
      .map(({ textContent }) => textContent),
    ["25"],
  );
  assert.equal(shown.all("q")[0].textContent, STATEMENT);
  assert.equal(
    ui.reasonOf(sentence("unfactual", [], { reason }), wording),
    null,
    "a passage that is not there is not quoted",
  );
  const turned = passage("\u202eIron", nli(0, 0.9), { decisive: true });
  assert.match(
    ui.reasonOf(sentence("unfactual", [turned], { reason: { ...reason, found: { start: 0, end: 5 } } }), wording),
    /“\u2068\u202eIron\u2069”/,
  );
});

test("marks may touch, overlap and come in any order", () => {
  const spans = [
    { start: 4, end: 6 },
    { start: 1, end: 3 },
    { start: 2, end: 5 },
    { start: 6, end: 6 },
  ];
  assert.deepEqual(
    ui.cutAt("abcdefg", spans).map(({ text, marked }) => (marked ? text.toUpperCase() : text)),
    ["a", "BC", "DE", "F", "g"],
  );
  assert.deepEqual(ui.cutAt("abc", []), [{ text: "abc", marked: false }]);
});

test("a sentence that was not read to its end is said to be so, and nothing else is said of why", () => {
  const shown = panel(sentence("noEvidence", [], { related: false, unread: [{ start: 5, end: 10 }] })).textContent;
  assert.match(shown, /^Part of this sentence was too long to be read, so it is not judged\./);
  assert.ok(!shown.includes("No passage found says"));
});

test("what is left out is counted; kinds that are not known are named", () => {
  assert.equal(ui.leftOutOf([], wording), "");
  assert.equal(ui.leftOutOf(["question", "fragment"], wording), "2 sentences make no claim and were not judged.");
  assert.equal(
    ui.leftOutOf(["opinion", "tableCell", "foreign-language"], wording),
    "1 sentence makes no claim and was not judged. 2 sentences were not judged: table cell, foreign language.",
  );
  assert.equal(ui.kindOf("instruction", wording), "advice");
});

test("a model that loads in mid-check takes nothing from what is done", () => {
  const check = new ui.CheckProgress();
  check.follow({ kind: "sentences", sentences: [{}, {}], leftOut: [] });
  const done = check.follow({ kind: "sentence", index: 0, sentence: {} });
  assert.equal(check.follow({ kind: "load", stage: "pack", loaded: 0, total: 9 }), done);
  assert.equal(done, 0.5);
});

test("a card beside the answer says the sentence, its verdict, and why to look twice", () => {
  const iron = passage("Iron", nli(0, 0.9), { decisive: true });
  const shown = new Node("div");
  shown.append(...ui.evidenceBeside(sentence("unfactual", [iron], { risks: ["numeral", "rareName"] }), wording));
  assert.equal(shown.all("blockquote")[0].textContent, STATEMENT);
  assert.ok(shown.textContent.includes("Contradicted Probability of being factual: 0.31."));
  assert.ok(shown.textContent.includes("Look twice: it has a number; the index hardly has a name in it."));
  assert.equal(shown.all("h3")[0].textContent, "1 passage");
  assert.equal(shown.all("dl").length, 1, "bars of the passage alone: the T5 was not asked");
});

/** A sentence that NLI judged, and what the T5 says of it. */
const FIRST = { verdict: "factual", related: true, score: 0.9, pFactual: null, evidence: [{}], risks: [] };
const second = (more) => ({
  ...FIRST,
  pFactual: 0.8,
  score: 0.95,
  answeredAt: 0,
  spread: 0.125,
  wordings: [],
  ...more,
});

test("a second opinion says the T5's p, its spread, and whether it agrees", () => {
  const said = (more) => ui.opinionOf(FIRST, second(more), wording).map(({ textContent }) => textContent);
  assert.deepEqual(said({}), ["Second opinion by the T5: Supported 0.95 It agrees.", "T5 ± 0.130.80"]);
  const [verdict, numbers, note] = said({ verdict: "unfactual", score: 0.1, answeredAt: null, risks: ["wording"] });
  assert.match(verdict, /Contradicted 0\.10 It does not agree/);
  assert.match(numbers, /^T5 \(gave no answer\)/);
  assert.match(note, /depends on the wording/);
});

test("a second opinion says what it fetches, is fetched on request, and is not offered without a T5", async () => {
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  let asked = 0;
  const opinions = { bytes: async () => 13_100_000, ask: async () => second({ verdict: "unfactual" }, asked++) };
  const offered = ui.secondOpinion(FIRST, opinions, wording);
  await settled();
  const [button] = offered.all("button");
  assert.equal(button.textContent, "Second opinion by the T5 (13.1 MB)");
  assert.equal(asked, 0);
  button.onclick();
  await settled();
  assert.match(offered.textContent, /does not agree/);
  assert.equal(asked, 1);
  const none = { bytes: () => Promise.reject(new Error("no T5")) };
  const silent = ui.secondOpinion(FIRST, none, wording);
  await settled();
  assert.equal(silent.textContent, "");
  assert.equal(ui.secondOpinion({ ...FIRST, pFactual: 0.5 }, opinions, wording).textContent, "");
});
