/**
 * What the extension makes of the engine's reports on single statements. The engine is a stand-in that says what a test
 * wants.
 */

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** What the engine answers a verification with: events, and the sentences of its report. */
let said;

/** What the engine was told to hold its data to. */
let expected;

class Engine extends EventTarget {
  postMessage({ type, options, module }) {
    if (type === "open") expected = options.expected;
    if (type === "open")
      this.say({ type: "opened", backend: { kind: options.backend, name: "" }, module, fetched: 1, memory: 1 });
    if (type !== "verify") return;
    for (const event of said.events ?? []) this.say({ type: "event", event });
    this.say({ type: "report", result: { schema: 3, sentences: said.sentences }, memory: 1 });
  }
  terminate() {}
  say(data) {
    queueMicrotask(() => this.dispatchEvent(new MessageEvent("message", { data })));
  }
}

let SentenceChecker;
before(async () => {
  globalThis.Worker = Engine;
  globalThis.chrome = { runtime: { getURL: (path) => `https://extension.example/${path}` } };
  globalThis.location = new URL("https://extension.example/offscreen.html");
  const entry = fileURLToPath(new URL("../../extension/src/checker.ts", import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    external: ["./wasm/*"],
    write: false,
  });
  ({ SentenceChecker } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`));
});
beforeEach(() => {
  said = null;
});

const STATEMENT = "Iron is a metal. Iron has 25 protons.";
const SENTENCE = { start: 10, end: 47, text: "Iron, a metal, has 25 protons.", statement: STATEMENT };
const ORDER = {
  pack: "",
  index: "",
  packHash: "",
  indexHash: "",
  backend: "cpu",
  preset: "recommended",
  evidence: null,
  factualFrom: null,
  unfactualBelow: null,
};

/** The engine's report on a piece of the statement. */
function piece(start, end, verdict, score, more = {}) {
  const text = STATEMENT.slice(start, end);
  const evidence = [
    { id: "iron", nli: { entailment: 0.1, neutral: 0.1, contradiction: 0.8 }, decisive: verdict !== "noEvidence" },
  ];
  return { start, end, text, statement: text, context: "", verdict, related: true, score, evidence, ...more };
}

async function judge(sentences, { order = {}, events = [] } = {}) {
  said = { sentences, events };
  const [loads, stages] = [[], []];
  const checker = new SentenceChecker({ ...ORDER, ...order }, (progress) => loads.push(progress));
  const report = await checker.judge(
    { sentence: SENTENCE, context: "What is iron?" },
    new AbortController().signal,
    (stage) => stages.push(stage),
  );
  checker.rest();
  return { report, loads, stages };
}

test("a statement that falls into pieces is as true as the worst, whose words are found in the whole", async () => {
  const number = { start: 9, end: 11 }; // in the second piece
  const { report } = await judge([
    piece(0, 16, "factual", 0.2),
    piece(17, 37, "unfactual", 0.3, {
      reason: { evidence: 0, said: number, found: { start: 0, end: 2 } },
      marks: [number],
      parts: [{ ...number, text: "x" }],
      unread: [number],
    }),
  ]);
  assert.equal(report.verdict, "unfactual");
  assert.deepEqual([report.start, report.end, report.statement, report.context], [10, 47, STATEMENT, "What is iron?"]);
  for (const { start, end } of [report.reason.said, ...report.marks, ...report.parts, ...report.unread])
    assert.equal(STATEMENT.slice(start, end), "25");
  assert.deepEqual(report.reason.found, { start: 0, end: 2 });
});

test("of the verdicts the worst is contradicted, then mixed, then none, whatever the scores", async () => {
  const pieces = [
    piece(0, 16, "factual", 0.1),
    piece(0, 16, "noEvidence", 0.2),
    piece(0, 16, "mixed", 0.6),
    piece(0, 16, "unfactual", 0.4),
  ];
  for (let most = 4; most > 0; most--)
    assert.equal((await judge(pieces.slice(0, most))).report.verdict, pieces[most - 1].verdict);
});

test("where the reader asks for more certainty, what falls between is undecided, and no passage decides", async () => {
  const reason = { evidence: 0, said: { start: 0, end: 4 }, found: { start: 0, end: 4 } };
  const whole = (verdict, score) => ({ ...piece(0, 37, verdict, score), reason, marks: [reason.said] });
  const { report } = await judge([whole("unfactual", 0.3)], { order: { unfactualBelow: 0.2 } });
  assert.deepEqual(
    [report.verdict, report.related, report.reason, report.marks],
    ["noEvidence", true, undefined, undefined],
  );
  assert.deepEqual(
    report.evidence.map(({ decisive }) => decisive),
    [false],
  );
  assert.equal(
    (await judge([whole("unfactual", 0.1)], { order: { unfactualBelow: 0.2 } })).report.verdict,
    "unfactual",
  );
  assert.equal((await judge([whole("factual", 0.7)], { order: { factualFrom: 0.9 } })).report.verdict, "noEvidence");
  assert.equal(
    (await judge([whole("mixed", 0.5)], { order: { factualFrom: 0.9, unfactualBelow: 0.1 } })).report.verdict,
    "mixed",
  );
});

test("a model that a check is the first to ask for is told of as loading", async () => {
  const load = { kind: "load", stage: "pack", loaded: 15, total: 20 };
  const { loads, stages } = await judge([piece(0, 37, "factual", 0.9)], {
    events: [{ kind: "stage", sentence: 0, stage: "nli" }, load],
  });
  assert.deepEqual(
    loads.map(({ kind, stage, bytes }) => ({ kind, stage, ...bytes })),
    [load],
  );
  assert.deepEqual(stages, ["nli"]);
});

test("the engine is held to the reader's hashes of data elsewhere, and of the extension's own to none", async () => {
  const [packHash, indexHash] = ["a".repeat(64), "b".repeat(64)];
  await judge([piece(0, 37, "factual", 0.9)], { order: { packHash, indexHash } });
  assert.deepEqual(expected, {});
  await judge([piece(0, 37, "factual", 0.9)], { order: { index: "https://host.example/", packHash, indexHash } });
  assert.deepEqual(expected, { index: indexHash });
});
