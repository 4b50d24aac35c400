/**
 * How many of the demo's own statements the native engine gets right, over the demo's index.
 *
 *   node tests/quality.mjs [SETTINGS] [OPTION ...]      after ./build.sh build; SETTINGS is JSON, such as '{"evidence": 5}',
 *                                                      the options are those of `evident verify`, such as --rerank PACK
 */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const EVIDENT = join(process.env.CARGO_TARGET_DIR ?? join(REPOSITORY, "target"), "release/evident");
const [settings = "{}", ...options] = process.argv.slice(2);

const jsonl = (text) => text.trim().split("\n").map((line) => JSON.parse(line));
const labelOf = { factual: "factual", unfactual: "unfactual", noEvidence: "no evidence" };

function verify(name) {
  const file = join(REPOSITORY, "tests/data", name);
  const folders = ["--index", join(REPOSITORY, "dist/demo/index"), "--pack", join(REPOSITORY, "models/embedded")];
  const run = spawnSync(EVIDENT, ["verify", ...folders, "--settings", settings, ...options, "--jsonl", file], { encoding: "utf8", maxBuffer: 1 << 30 });
  if (run.status !== 0) throw new Error(run.stderr);
  const reports = jsonl(run.stdout);
  return jsonl(readFileSync(file, "utf8")).map((row, i) => ({ row, report: reports[i] }));
}

/** One line: of the statements of a label, how many got each verdict. */
function tally(what, labelled) {
  for (const wanted of new Set(labelled.map(({ label }) => label))) {
    const got = labelled.filter(({ label }) => label === wanted).map(({ sentence }) => labelOf[sentence.verdict]);
    const counts = Object.values(labelOf).map((label) => `${got.filter((verdict) => verdict === label).length} ${label}`);
    console.log(`${what}, ${got.length} ${wanted}: ${counts.join(", ")}`);
  }
}

for (const name of ["statements", "statements_held"]) {
  const statements = verify(`${name}.jsonl`).map(({ row, report }) => ({ ...row, sentence: report.sentences[0] }));
  tally(name, statements);
  const right = (judge) => statements.filter(({ label, sentence }) => judge(sentence) === (label === "factual")).length;
  const found = statements.filter(({ passage, sentence }) => sentence.evidence.some(({ id }) => id === passage)).length;
  console.log(`${name} whose deciding passage was found: ${found} of ${statements.length}`);
  console.log(`right at 0.5, whatever the evidence: score ${right(({ score }) => score >= 0.5)}, T5 ${right(({ pFactual }) => pFactual >= 0.5)}`);
}
tally("outside the corpus", verify("outside.jsonl").map(({ row, report }) => ({ ...row, sentence: report.sentences[0] })));

const answers = verify("answers.jsonl").flatMap(({ row, report }) =>
  row.sentences.flatMap(({ text, label }) => {
    const at = row.answer.indexOf(text);
    const sentence = report.sentences.find(({ start, end }) => start < at + text.length && end > at);
    return sentence ? [{ label, sentence }] : [];
  }),
);
tally("sentences of answers", answers);
