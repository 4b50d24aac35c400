/** What the demo's labelling page reads and writes, without a browser: files to label, labels and ratings. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../load.mjs";

const source = (name) => fileURLToPath(new URL(`../../demo/labels/${name}.ts`, import.meta.url));

let [lines, files] = [];
before(async () => {
  [lines, files] = await Promise.all([load(source("lines")), load(source("files"))]);
});

/** Splits at full stops; what is short is left out. */
const split = async (answer) => {
  const parts = [...answer.matchAll(/[^.!]+[.!]/g)].map(({ 0: text, index }) => ({ text: text.trim(), start: index }));
  const [sentences, leftOut] = [
    parts.filter(({ text }) => text.length > 6),
    parts.filter(({ text }) => text.length <= 6),
  ];
  return { sentences, leftOut };
};
const rowsIn = (text, file = "a.jsonl") => lines.rowsIn(file, text, split);
const jsonl = (...objects) => objects.map((object) => JSON.stringify(object)).join("\n");
const read = (text) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const mark = (values, more = {}) => ({ values, evidence: "", comment: "", ...more });

test("a row keeps what it has, but for the labels of others", async () => {
  const row = {
    id: 7,
    statement: "It rusts.",
    context: "Iron is a metal.",
    question: "What rusts?",
    evidence: [{ title: "Iron", text: "It rusts." }, { text: "Tin." }],
    generator: "a",
  };
  const [found, bare] = await rowsIn(
    [jsonl({ ...row, label: true, annotator: "bob", comments: ["no"] }), "", '{"statement": "Tin is soft."}'].join(
      "\r\n",
    ),
  );
  assert.deepEqual(found, { ...row, id: "7", evidence: [row.evidence[0], { title: "", text: "Tin." }] });
  assert.deepEqual(bare, { id: "3", statement: "Tin is soft.", context: "", question: "", evidence: [] });
});

test("answers are split into sentences that know what precedes them and where they stand", async () => {
  const answer = { question: "What is iron?", answer: "Sure! Iron is a metal. It rusts in rain.", generator: "a" };
  const rows = await rowsIn(
    jsonl(answer, { knowledge: "Tin is soft.", id: "tin", topic: "Tin" }),
    "some.answers.jsonl",
  );
  const shared = { question: "What is iron?", evidence: [], generator: "a", paragraph: "some.answers.1" };
  assert.deepEqual(rows, [
    { ...shared, id: "some.answers.1.1", position: 1, statement: "Iron is a metal.", context: "Sure!" },
    {
      ...shared,
      id: "some.answers.1.2",
      position: 2,
      statement: "It rusts in rain.",
      context: "Sure! Iron is a metal.",
    },
    { id: "tin.1", paragraph: "tin", position: 1, statement: "Tin is soft.", context: "", question: "", evidence: [] },
  ]);
});

test("of a report every sentence is a row, with its evidence and verdict", async () => {
  const passage = { id: "1", title: "Iron", text: "Iron rusts.", bm25: 3 };
  const report = {
    question: null,
    answer: "Hm! Iron rusts. Tin is soft.",
    sentences: [{ text: "Tin is soft.", start: 16, evidence: [passage], verdict: "noEvidence" }],
    unjudged: [{ text: "Iron rusts.", start: 4 }],
    leftOut: [{ text: "Hm!", start: 0 }],
  };
  const rows = await rowsIn(JSON.stringify(report, null, 2), "evident-report.json");
  assert.deepEqual(
    rows.map(({ statement, context, position, verdict, evidence }) => [
      statement,
      context,
      position,
      verdict,
      evidence,
    ]),
    [
      ["Iron rusts.", "Hm!", 1, undefined, []],
      ["Tin is soft.", "Hm! Iron rusts.", 2, "noEvidence", [{ title: "Iron", text: "Iron rusts." }]],
    ],
  );
});

test("answers to rate are those that `evident conner` reads, with its ids", () => {
  const given = { query: "What is iron?", knowledge: "A metal.", answer: "metal", model: "a" };
  const items = lines.itemsIn("a.jsonl", `\n${jsonl(given, { id: "x", question: "Tin?", answer: "Tin is soft." })}`);
  assert.deepEqual(items, [
    { id: "2", question: "What is iron?", evidence: [], knowledge: "A metal.", answer: "metal", model: "a" },
    { id: "x", question: "Tin?", evidence: [], knowledge: "Tin is soft." },
  ]);
  const [tsv] = lines.itemsIn("nq.TSV", "Beard\tI like beards. [SEP] Who grows them?\tMen do.\tMen.\n");
  const shared = { topic: "Beard", question: "Who grows them?", knowledge: "Men do.", reference: "Men." };
  assert.deepEqual(tsv, { ...shared, id: "1", evidence: [] });
});

test("what cannot be labelled is an error that names the line", async () => {
  for (const [text, says] of [
    ["", "there is nothing"],
    [`${jsonl({ statement: "It." })}\nno`, "line 2 cannot be labelled: it is no JSON"],
    ["[1]", "line 1 cannot be labelled: it is no JSON object"],
    [jsonl({ text: "a" }), "line 1 cannot be labelled: it has no statement, answer or knowledge"],
    [jsonl({ statement: 3 }), "its statement is no text"],
    [jsonl({ statement: "" }), "its statement is empty"],
    [jsonl({ statement: "It.", evidence: [3] }), "its evidence must be a list of objects"],
    [jsonl({ sentences: 3 }), "its sentences must be a list"],
    [jsonl({ sentences: [{ text: "It." }] }), "one of its sentences has no start"],
    [jsonl({ sentences: [{ text: "It.", start: 0, evidence: [{}] }] }), "a passage of its evidence has no text"],
    [jsonl({ statement: "It.", evidence: {} }), "its evidence must be a list"],
    [jsonl({ statement: "It.", evidence: [{}] }), "a passage of its evidence has no text"],
  ])
    await assert.rejects(rowsIn(text), ({ code, message }) => code === "bad-lines" && message.includes(says), says);
  for (const [text, says, file] of [
    [
      jsonl({ id: "a", knowledge: "k" }, { id: "a", knowledge: "k" }),
      'line 2 cannot be labelled: another line has the id "a"',
    ],
    [jsonl({ id: "a\tb", knowledge: "k" }), "its id has a tab"],
    ["a\tb", "line 1 cannot be labelled: it has not topic", "a.tsv"],
  ])
    assert.throws(() => lines.itemsIn(file ?? "a.jsonl", text), new RegExp(says));
});

test("labels go into one file, and what is left out, with its reason, into another", async () => {
  const rows = await rowsIn(
    jsonl(...["a", "b", "c", "d"].map((id) => ({ id, statement: `${id} is so.`, paragraph: "p" }))),
  );
  const marks = {
    0: mark({ label: "factual" }, { evidence: "One.\n\n \nTwo.\n", comment: " sure " }),
    1: mark({ label: "subjective" }),
    3: mark({ label: "no evidence" }),
  };
  const shared = { paragraph: "p" };
  assert.deepEqual(read(files.labelsFile(rows, marks, "ann")), [
    {
      ...{ id: "a", statement: "a is so.", ...shared, label: "factual", annotator: "ann", comments: ["sure"] },
      evidence: ["One.", "Two."].map((text) => ({ title: "", text })),
    },
    { id: "d", statement: "d is so.", ...shared, label: "no evidence", annotator: "ann" },
  ]);
  const leftOut = { label: "not sure", reason: "subjective", annotator: "ann" };
  assert.deepEqual(read(files.leftOutFile(rows, marks, "ann")), [
    { id: "b", statement: "b is so.", ...shared, ...leftOut },
  ]);
  assert.equal(files.withoutEvidence(rows, marks), 0);
  assert.equal(files.withoutEvidence(rows, { ...marks, 2: mark({ label: "unfactual" }) }), 1);
});

test("ratings are columns under the names of Tab. 17, and only an answer's own sides are asked", () => {
  const items = lines.itemsIn(
    "a.jsonl",
    jsonl({ knowledge: "k", answer: "a" }, { knowledge: "k" }, { knowledge: "k" }),
  );
  const all = { factuality: "2", relevance: "1", coherence: "0", informative: "2", helpfulness: "1" };
  const marks = { 0: mark({ ...all, validity: "0" }), 1: mark(all, { comment: "so so" }) };
  assert.equal(
    files.ratingsFile(items, marks, "ann"),
    [
      ...["id\trater\tfactuality\trelevance\tcoherence\tinformative\thelpfulness\tvalidity\n"],
      ...["1\tann\t2\t1\t0\t2\t1\t0\n", "2\tann\t2\t1\t0\t2\t1\t\n"],
    ].join(""),
  );
  assert.ok(files.isDone(items[1], marks[1]) && !files.isDone(items[0], marks[1]) && !files.isDone(items[2]));
  assert.deepEqual(read(files.answersFile(items, marks)), [
    { id: "1", knowledge: "k", answer: "a" },
    { id: "2", knowledge: "k", comments: ["so so"] },
    { id: "3", knowledge: "k" },
  ]);
});

test("a file is due as long as it has what the other has not", () => {
  const due = (task, marks) => files.OUTPUTS[task].map(({ isDue }) => Boolean(isDue(marks)));
  assert.deepEqual(due("facts", { 0: mark({}) }), [false, false]);
  assert.deepEqual(due("facts", { 0: mark({ label: "factual" }) }), [true, false]);
  assert.deepEqual(due("facts", { 4: mark({ label: "hard to understand" }) }), [false, true]);
  assert.deepEqual(due("ratings", { 0: mark({ validity: "0" }), 1: mark({}, { comment: "a" }) }), [true, true]);
});
