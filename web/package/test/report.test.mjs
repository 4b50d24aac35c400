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
  classList = {
    add: (name) => {
      this.className += ` ${name}`;
    },
  };
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
    "alignment",
    "badge",
    "doubt",
    "evidence-card",
    "findings",
    "measured",
    "objection",
    "progress",
    "second-opinion",
    "source-notes",
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

test("five words for how a sentence stands, and a score only on the side of its verdict", () => {
  const words = [["factual"], ["unfactual"], ["mixed"], ["noEvidence", true], ["noEvidence", false]].map(
    ([verdict, related = true]) => wording.say(ui.standingOf({ verdict, related })),
  );
  assert.deepEqual(words, ["Supported", "Contradicted", "Mixed evidence", "Undecided", "Not in this index"]);
  const shown = [0.2, 0.8].map((score) =>
    ["factual", "unfactual", "mixed", "noEvidence"].filter((verdict) => ui.hasScore({ verdict, score })),
  );
  assert.deepEqual(shown, [["unfactual"], ["factual"]]);
});

test("a likely verdict has words and a look of its own, and is not flagged", () => {
  const likely = ["factual", "unfactual"].map((verdict) => ({
    verdict,
    confidence: "likely",
    related: true,
    score: 0.5,
  }));
  const standings = likely.map(ui.standingOf);
  assert.deepEqual(
    standings.map((standing) => wording.say(standing)),
    ["Probably supported", "Probably contradicted"],
  );
  assert.deepEqual(standings.map(ui.lookOf), ["likelyFactual", "likelyUnfactual"]);
  assert.equal(
    ui.tallyOf(likely, wording),
    "0 supported, 1 probably supported, 0 contradicted, 1 probably contradicted, 0 not in this index",
  );
  assert.equal(ui.nextFlagged(likely, null), null);
  assert.equal(ui.mostDoubtful(likely), 1);
  const [, denied] = likely;
  const report = { ...denied, statement: "Tin rusts.", marks: [{ start: 4, end: 9 }], start: 0, end: 10 };
  assert.deepEqual(ui.wrongWords(report, "Tin rusts."), []);
  assert.deepEqual(ui.wrongWords({ ...report, confidence: "sure" }, "Tin rusts."), [{ start: 4, end: 9 }]);
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

/** The passages that decide, each as its lead, its quote and its title. */
const deciding = (shown) =>
  shown.all("figure").map((figure) => ["figcaption", "blockquote", "bdi"].map((tag) => figure.all(tag)[0].textContent));

/** What an element says without what is folded. */
const unfolded = (shown) =>
  shown.children.map((child) => (child.tag === "details" ? "" : child.all ? unfolded(child) : child)).join("");

test("of a mixed sentence both passages are quoted, the one that supports it before the one that contradicts it", () => {
  const shown = panel(
    sentence("mixed", [
      passage("Nickel", nli(0.1, 0.1)),
      passage("Steel", nli(0.1, 0.8), { decisive: true }),
      passage("Rust", null),
      passage("Iron", nli(0.8, 0.1), { decisive: true }),
    ]),
  );
  assert.deepEqual(deciding(shown), [
    ["This passage supports it:", "It has 26 protons.", "Iron"],
    ["This passage contradicts it:", "It has 26 protons.", "Steel"],
  ]);
  assert.match(shown.textContent, /^One passage supports it, another contradicts it\./);
  const others = shown.children.find(({ className }) => className === "others");
  assert.equal(others.all("summary")[0].textContent, "2 other passages");
  assert.deepEqual(
    others.all("details").map((card) => card.all("summary")[0].textContent),
    ["Nickel", "Rust"],
  );
});

test("numbers are folded under Details, and a passage that was not read has none", () => {
  const shown = panel(
    sentence("factual", [passage("Iron", nli(0.9, 0), { decisive: true }), passage("Rust", null)], { score: 0.9 }),
  );
  assert.doesNotMatch(unfolded(shown), /0\.\d|BM25|Entailment/);
  const details = shown.children.find(({ className }) => className === "details");
  assert.match(details.textContent, /^DetailsProbability of being factual0\.90/);
  const [iron, rust] = details.all("li");
  assert.equal(iron.textContent, "IronNo. 1 · BM25 7.00Entailment0.90Neutral0.10Contradiction0.00");
  assert.equal(rust.textContent, "RustNo. 2 · BM25 7.00 · not read");
  const against = panel(sentence("factual", [passage("Iron", nli(0.9, 0), { decisive: true })], { score: 0.31 }));
  assert.ok(!against.textContent.includes("0.31"), "a score that speaks against the verdict");
});

test("where nothing decides, the closest passage is quoted, unless the index says nothing of the sentence", () => {
  const evidence = [passage("Rust", null), passage("Iron", nli(0.2, 0.1))];
  const shown = panel(sentence("noEvidence", evidence));
  assert.deepEqual(deciding(shown), [["The closest passage:", "It has 26 protons.", "Iron"]]);
  assert.match(shown.textContent, /^The passages found do not settle it\./);
  assert.ok(!shown.textContent.includes("Probability of being factual"));
  const unknown = panel(sentence("noEvidence", evidence, { related: false }));
  assert.match(unknown.textContent, /^No passage found says whether it is so\./);
  assert.deepEqual(deciding(unknown), []);
});

test("a name of several articles is said where there is no verdict, with links to them", () => {
  const source = "https://wiki.example/index.php?title=Mercury";
  const articles = [
    { title: "Mercury (planet)", source: `${source}_(planet)` },
    { title: "Mercury (element)", source: "javascript:alert(1)" },
  ];
  const more = { ambiguous: [{ name: "Mercury", source, articles }] };
  for (const evidence of [[], [passage("Iron", nli(0.2, 0.1))]]) {
    const shown = panel(sentence("noEvidence", evidence, more));
    assert.ok(
      shown.textContent.includes("“Mercury” has several articles: Mercury (planet), Mercury (element)"),
      shown.textContent,
    );
    assert.deepEqual(
      shown.all("a").map(({ href }) => href),
      [`${source}_(planet)`],
    );
  }
  const settled = panel(sentence("factual", [passage("Iron", nli(0.9, 0), { decisive: true })], more));
  assert.ok(!settled.textContent.includes("several articles"));
});

test("where passages that were read say different things, the closest is the one that says most", () => {
  const shown = panel(sentence("noEvidence", [passage("Mass", nli(0.3, 0.7)), passage("Iron", nli(0.98, 0.01))]));
  assert.deepEqual(deciding(shown), [["The closest passage:", "It has 26 protons.", "Iron"]]);
});

test("the T5's number is there where the T5 was asked", () => {
  const evidence = [passage("Iron", nli(0, 0.9), { decisive: true })];
  const numbers = (more) => panel(sentence("unfactual", evidence, more)).all("dl")[0].textContent;
  assert.equal(numbers({}), "Probability of being factual0.31");
  assert.equal(numbers({ pFactual: 0.25, answeredAt: 0 }), "Probability of being factual0.31T50.25");
  assert.match(numbers({ pFactual: 0.5 }), /gave no answer/);
});

test("a source that is an address is the title's link, any other stays text", () => {
  const cited = (source) =>
    panel(sentence("factual", [passage("Iron", nli(0.9, 0), { decisive: true, source })])).all("figure")[0];
  const [link] = cited("https://example.org/iron").all("a");
  assert.deepEqual(
    [link.textContent, link.href, link.rel],
    ["Iron", "https://example.org/iron", "noopener noreferrer"],
  );
  for (const source of ["javascript:alert(1)", "iron.md"]) {
    assert.equal(cited(source).all("a").length, 0);
    assert.ok(cited(source).textContent.includes(`Source: ${source}`));
  }
});

test("the words of the quote that bear on the claim are marked: those against it, or those that both have", () => {
  const iron = passage("Iron", nli(0, 0.9), { decisive: true });
  const marked = (report) => panel(report).all("figure")[0].all("blockquote")[0].all("mark");
  const texts = (report) => marked(report).map(({ textContent }) => textContent);
  const reason = { evidence: 0, said: at(STATEMENT, "25"), found: at(iron.text, "26") };
  assert.deepEqual(texts(sentence("unfactual", [iron], { reason })), ["26"]);
  assert.deepEqual(texts(sentence("unfactual", [iron])), ["protons"]);
  const [claim, quote] = ["The atomic number of Ur is 6.", "The atomic mass of Ur is about 12."];
  assert.deepEqual(
    ui.bearingOn(claim, quote).map(({ start, end }) => quote.slice(start, end)),
    ["atomic", "Ur"],
    "a word is no name because the quote begins with it",
  );
});

test("words of a statement have their place in the sentence that it was made of", () => {
  const found = (statement, words, other) =>
    ui
      .placesIn(
        statement,
        words.map((word) => at(statement, word)),
        other,
      )
      .map(({ start, end }) => other.slice(start, end));
  assert.deepEqual(found("Marie Curie won three prizes.", ["three"], "She won three prizes."), ["three"]);
  assert.deepEqual(found("Marie Curie won three prizes.", ["Marie Curie"], "She won three prizes."), []);
  assert.deepEqual(found("Mars: Moons 2, Colour red", ["2", "Colour red"], "Mars2red"), []);
  assert.deepEqual(found("Mars: Moons 2, Colour red", ["Moons 2"], "Mars 2 red"), ["2"]);
  assert.deepEqual(found("It has 1,500 long words", ["1,500 long"], "It has [1] 1,500 long words"), ["1,500 long"]);
});

test("the most doubtful sentence is the contradicted one with the lowest score; the flagged ones come round", () => {
  const judged = [
    { verdict: "factual", related: true, score: 0.9 },
    { verdict: "unfactual", related: true, score: 0.3 },
    null,
    { verdict: "mixed", related: true, score: 0.5 },
    { verdict: "unfactual", related: true, score: 0.1 },
  ];
  assert.equal(ui.mostDoubtful(judged), 4);
  assert.equal(ui.mostDoubtful([null, judged[0]]), 1);
  assert.equal(ui.mostDoubtful([null]), null);
  assert.deepEqual(
    [null, 1, 3, 4].map((from) => ui.nextFlagged(judged, from)),
    [1, 3, 4, 1],
  );
  assert.equal(ui.nextFlagged([judged[0]], 0), null);
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
    ["Contradicted Iron has 25 protons.", "Supported Iron rusts.", "Undecided Iron rusts."],
  );
});

test("one line says which words stand against each other, and those of the statement are marked", () => {
  const iron = passage("Iron", nli(0, 0.9), { decisive: true });
  const reason = { evidence: 0, said: at(STATEMENT, "25"), found: at(iron.text, "26") };
  const shown = panel(sentence("unfactual", [iron], { reason, marks: [reason.said] }));
  assert.ok(shown.textContent.includes("The passage says “26”, the claim says “25”."));
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
  assert.equal(
    ui.leftOutOf(["question", "language", "language"], wording),
    "1 sentence makes no claim and was not judged. 2 sentences were not judged: not in English.",
    "another language is no lack of a claim",
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
  assert.equal(shown.all("strong")[0].textContent, "Contradicted");
  assert.ok(!unfolded(shown).includes("0.31"));
  assert.ok(shown.textContent.includes("Look twice: it has a number; the index hardly has a name in it."));
});

test("a page adds to each passage of a card, and says where the link to a cited page leads", () => {
  const evidence = [passage("Iron", nli(0, 0.9), { decisive: true }), passage("Rust", null)];
  const shown = new Node("div");
  const more = ({ title }) => [new Node(`cite-${title}`)];
  shown.append(...ui.evidenceBeside(sentence("unfactual", evidence), wording, more));
  for (const title of ["Iron", "Rust"]) assert.equal(shown.all(`cite-${title}`).length, 1, title);

  const sources = [{ address: "https://example.org/iron", state: "supported", evidence: [] }];
  const notes = new Node("div");
  const at = ({ address }) => `${address}#:~:text=iron`;
  notes.append(...ui.sourceNotes(sentence("factual", [], { sources }), wording, () => [], at));
  assert.equal(notes.all("a")[0].href, "https://example.org/iron#:~:text=iron");
  assert.equal(notes.all("a")[0].textContent, "example.org");
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
  assert.deepEqual(said({}), ["Second opinion by the T5: Supported It agrees.", "T5 ± 0.130.80"]);
  const [verdict, numbers, note] = said({ verdict: "unfactual", score: 0.1, answeredAt: null, risks: ["wording"] });
  assert.match(verdict, /Contradicted It does not agree/);
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

test("a case has what was judged, its evidence, and what the reader says is right", () => {
  const report = sentence("unfactual", [passage("Iron", nli(0, 1)), passage("Tin", null)], { context: "About iron." });
  const line = ui.caseLine(report, "factual");
  assert.ok(line.endsWith("}\n"));
  assert.deepEqual(JSON.parse(line), {
    statement: STATEMENT,
    label: "factual",
    context: "About iron.",
    evidence: ["Iron", "Tin"].map((title) => ({ title, text: `${title} is a metal. It has 26 protons.` })),
    verdict: "unfactual",
  });
});

test("a mark can be dismissed and had back, and only other verdicts are offered as right", () => {
  const told = [];
  const shown = ui.objection(sentence("unfactual"), false, (dismissed) => told.push(dismissed), wording);
  const [dismiss, ...answers] = shown.all("button");
  assert.deepEqual(
    answers.map(({ textContent }) => textContent),
    ["It is true", "The evidence does not say"],
  );
  assert.equal(dismiss.textContent, "Dismiss this mark");
  dismiss.onclick();
  assert.equal(dismiss.textContent, "Show this mark again");
  dismiss.onclick();
  assert.deepEqual(told, [true, false]);
});

test("how often a verdict is right is counted among the claims that got it, and nothing is made up", () => {
  const measured = {
    true: { claims: 100, factual: 60, unfactual: 2 },
    false: { claims: 100, factual: 4, unfactual: 38 },
  };
  assert.equal(
    ui.rateOf({ verdict: "factual", related: true }, measured, wording),
    "Of 64 test claims that were called supported, 94% are true.",
  );
  assert.equal(
    ui.rateOf({ verdict: "unfactual", related: true }, measured, wording),
    "Of 40 test claims that were called contradicted, 95% are false.",
  );
  assert.equal(ui.rateOf({ verdict: "mixed", related: true }, measured, wording), null);
  assert.equal(ui.rateOf({ verdict: "noEvidence", related: true }, null, wording), null);
  assert.match(ui.rateOf({ verdict: "factual", related: true }, null, wording), /do not state/);
  const none = {
    ...measured,
    true: { claims: 1, factual: 0, unfactual: 0 },
    false: { claims: 1, factual: 0, unfactual: 0 },
  };
  assert.equal(ui.rateOf({ verdict: "factual", related: true }, none, wording), null);
  const likely = { verdict: "factual", confidence: "likely", related: true };
  assert.equal(ui.rateOf(likely, measured, wording), null, "no figures of likely verdicts");
  const both = {
    true: { ...measured.true, likely_factual: 15, likely_unfactual: 3 },
    false: { ...measured.false, likely_factual: 5, likely_unfactual: 9 },
  };
  assert.equal(
    ui.rateOf(likely, both, wording),
    "Of 20 test claims that were called probably supported, 75% are true.",
  );
  assert.equal(
    ui.rateOf({ ...likely, verdict: "unfactual" }, both, wording),
    "Of 12 test claims that were called probably contradicted, 75% are false.",
  );
});

test("what a pack.json states is read of the model that judges, and what is no statement is none", async () => {
  const measured = { true: { claims: 2, factual: 1, unfactual: 0 }, false: { claims: 2, factual: 0, unfactual: 1 } };
  const stated = (models, model) => {
    globalThis.fetch = async (address) => {
      assert.equal(address, "https://example.org/pack/pack.json");
      return { json: async () => ({ models }) };
    };
    return ui.measuredOf("https://example.org/pack/", model);
  };
  assert.deepEqual(await stated({ nli: {}, small: { measured } }, "small"), measured);
  assert.deepEqual(await stated({ nli: { measured } }, "small"), measured, "a pack without a small model");
  const counts = (changed) => ({ ...measured, false: { ...measured.false, ...changed } });
  for (const other of [
    undefined,
    null,
    1,
    {},
    { true: {}, false: {} },
    { true: measured.true },
    counts({ claims: 0, unfactual: 0 }),
    counts({ claims: 2.5 }),
    counts({ claims: "2" }),
    counts({ factual: -2 }), // what would be 150 %
    counts({ unfactual: -3 }),
    counts({ unfactual: 3 }),
    counts({ factual: 2 }),
    counts({ unfactual: 1e300 }),
    counts({ likely_factual: 2 }), // with the sure ones three of two
    counts({ likely_unfactual: "1" }),
  ])
    assert.equal(await stated({ nli: { measured: other } }, "nli"), null, JSON.stringify(other));
});
