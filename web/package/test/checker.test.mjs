/**
 * What the extension makes of the engine's reports on single statements. The engine is a stand-in that says what a test
 * wants.
 */

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** What the engine answers with: events, notices, and the report of a sentence. */
let said;

/** What the engine was asked to judge, and how. */
let asked;

/** What the engine was told to hold its data to, and the wiki that it was told to ask. */
let expected;
let wiki;

class Engine extends EventTarget {
  postMessage({ type, claim, options, module }) {
    if (type === "open") ({ expected, wiki } = options);
    if (type === "open")
      this.say({ type: "opened", backend: { kind: options.backend, name: "" }, module, fetched: 1, memory: 1 });
    if (type !== "judge") return;
    asked = { claim, options };
    for (const event of said.events) this.say({ type: "event", event });
    for (const notice of said.notices) this.say({ type: "notice", notice });
    this.say({ type: "judged", result: said.report, memory: 1 });
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

const SENTENCE = {
  start: 10,
  end: 40,
  text: "It has 25 protons.",
  statement: "Iron has 25 protons.",
  context: "What is iron? It is a metal.",
};
const ORDER = {
  pack: "",
  index: "",
  packHash: "",
  indexHash: "",
  wiki: "",
  backend: "cpu",
  preset: "recommended",
  evidence: null,
  factualFrom: null,
  unfactualBelow: null,
};

const REPORT = { ...SENTENCE, verdict: "unfactual", related: true, score: 0.1, evidence: [] };

async function judge({ order = {}, events = [], notices = [], question = "What is iron?" } = {}) {
  said = { report: REPORT, events, notices };
  const [loads, stages] = [[], []];
  const checker = new SentenceChecker(
    { ...ORDER, ...order },
    (progress) => loads.push(progress),
    () => {},
  );
  const { signal } = new AbortController();
  const { report, unasked } = await checker.judge(SENTENCE, question, signal, (stage) => stages.push(stage));
  const elsewhere = checker.recall({ ...SENTENCE, start: 0, end: 30 });
  checker.rest();
  return { checker, report, unasked, elsewhere, loads, stages };
}

test("a sentence is judged with its context and question as the engine gave them, and known again elsewhere", async () => {
  const { report, unasked, elsewhere } = await judge();
  assert.deepEqual([report, unasked], [REPORT, null]);
  const { start, end, ...words } = SENTENCE;
  assert.deepEqual(asked.claim, { number: 0, span: { start, end }, ...words, question: "What is iron?" });
  assert.deepEqual(elsewhere, { report: { ...REPORT, start: 0, end: 30 }, unasked: null });
});

test("of a question that is longer than the engine reads, the engine gets the start", async () => {
  await judge({ question: `What is this? ${"x".repeat(30_000)}` });
  assert.equal(asked.claim.question, `What is this? ${"x".repeat(19_986)}`);
});

test("the wiki that the reader chose is the engine's to ask; a sentence that it failed for is forgotten on request", async () => {
  await judge();
  assert.equal(wiki, undefined, "none is named where none is chosen");
  const asked = await judge({ order: { wiki: "https://wiki.example/api.php" } });
  assert.equal(wiki, "https://wiki.example/api.php");
  assert.equal(asked.checker.forgetUnasked(asked.report), false);
  assert.ok(asked.checker.recall(SENTENCE));

  const message = "the wiki could not be asked: it answered with HTTP 500";
  const { checker, report, unasked, elsewhere } = await judge({ notices: [{ kind: "wiki-failed", message }] });
  assert.deepEqual([report, unasked, elsewhere.unasked], [REPORT, message, message]);
  assert.equal(checker.forgetUnasked(report), true);
  assert.equal(checker.recall(SENTENCE), null);
  const other = await judge({ notices: [{ kind: "not-kept", message: "the disk is full" }] });
  assert.equal(other.unasked, null);
});

test("the certainty that the reader asks for is the engine's to keep", async () => {
  await judge();
  assert.deepEqual(asked.options, { settings: { preset: "recommended" }, certainty: {} });
  await judge({ order: { factualFrom: 0.9, unfactualBelow: 0.2, evidence: 3 } });
  assert.deepEqual(asked.options.certainty, { factualFrom: 0.9, unfactualBelow: 0.2 });
  assert.equal(asked.options.settings.evidence, 3);
});

test("a model that a check is the first to ask for is told of as loading", async () => {
  const load = { kind: "load", stage: "pack", loaded: 15, total: 20 };
  const { loads, stages } = await judge({
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
  await judge({ order: { packHash, indexHash } });
  assert.deepEqual(expected, {});
  await judge({ order: { index: "https://host.example/", packHash, indexHash } });
  assert.deepEqual(expected, { index: indexHash });
});
