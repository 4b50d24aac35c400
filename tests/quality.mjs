/**
 * How many of the demo's own statements the native engine gets right, over an index.
 *
 *   node tests/quality.mjs [SETTINGS] [OPTION ...]      after ./build.sh build; SETTINGS is JSON, such as '{"read": 5}', the
 *                                                      options are those of `evident verify`, such as --rerank PACK
 *
 * In the environment, PACK names another pack than the embedded one and INDEX another index than the demo's; WRONG=1
 * lists every sentence that is judged wrongly.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const EVIDENT = join(process.env.CARGO_TARGET_DIR ?? join(REPOSITORY, "target"), "release/evident");
const PACK = process.env.PACK ?? join(REPOSITORY, "models/embedded");
const INDEX = process.env.INDEX ?? join(REPOSITORY, "dist/demo/index");
const [settings = "{}", ...options] = process.argv.slice(2);

const data = (name) => join(REPOSITORY, "tests/data", name);
const jsonl = (text) => text.trim().split("\n").map((line) => JSON.parse(line));
const standing = (sentence) => {
  if (!sentence) return "leftOut"; // it was taken for no claim
  if (sentence.confidence === "likely") return `${sentence.verdict} likely`;
  return sentence.verdict === "noEvidence" && sentence.related ? "undecided" : sentence.verdict;
};
const STANDINGS = { factual: "supported", "factual likely": "probably supported", unfactual: "contradicted", "unfactual likely": "probably contradicted", mixed: "mixed", undecided: "undecided", noEvidence: "not in the index", leftOut: "left out" };

function evident(...words) {
  const run = spawnSync(EVIDENT, words, { encoding: "utf8", maxBuffer: 1 << 30 });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout;
}

function verify(name) {
  const folders = ["--index", INDEX, "--pack", PACK];
  const reports = jsonl(evident("verify", ...folders, "--settings", settings, ...options, "--jsonl", data(name)));
  return jsonl(readFileSync(data(name), "utf8")).map((row, i) => ({ row, report: reports[i] }));
}

/** One line: of the statements of a label, how many got each verdict. */
function tally(what, labelled) {
  for (const wanted of ["factual", "unfactual", "no evidence"].filter((label) => labelled.some((each) => each.label === label))) {
    const got = labelled.filter(({ label }) => label === wanted);
    const counts = Object.entries(STANDINGS).map(([key, words]) => `${got.filter(({ sentence }) => standing(sentence) === key).length} ${words}`);
    console.log(`${what}, ${got.length} ${wanted}: ${counts.join(", ")}`);
    if (!process.env.WRONG) continue;
    for (const { sentence } of got.filter(({ sentence }) => sentence && sentence.verdict !== (wanted === "no evidence" ? "noEvidence" : wanted))) {
      const seen = sentence.evidence.filter(({ nli }) => nli).map(({ id, nli }) => `${id} ${nli.entailment.toFixed(2)}/${nli.contradiction.toFixed(2)}`);
      console.log(`    ${standing(sentence)} ${sentence.score.toFixed(2)}: ${sentence.statement} [${seen.join(", ")}]`);
    }
  }
}

/** The labelled sentences of answers. */
const sentences = (name) =>
  verify(name).flatMap(({ row, report }) =>
    row.sentences.flatMap(({ text, label, passage }) => {
      const at = row.answer.indexOf(text);
      const sentence = report.sentences.find(({ start, end }) => start < at + text.length && end > at);
      return [{ label, passage, sentence }];
    }),
  );

for (const name of ["statements", "statements_held"]) {
  const statements = verify(`${name}.jsonl`).map(({ row, report }) => ({ ...row, sentence: report.sentences[0] }));
  tally(name, statements);
  const found = statements.filter(({ passage, sentence }) => sentence?.evidence.some(({ id }) => id === passage)).length;
  console.log(`${name} whose deciding passage was found: ${found} of ${statements.length}`);
}
for (const name of ["plain", "plain_held", "short", "short_held"]) {
  const statements = verify(`${name}.jsonl`).map(({ row, report }) => ({ ...row, sentence: report.sentences[0] }));
  tally(name, statements);
  const found = statements.filter(({ article, sentence }) => sentence?.evidence.some(({ title }) => title === article)).length;
  console.log(`${name} whose deciding article was found: ${found} of ${statements.length}`);
}
tally("outside the corpus", verify("outside.jsonl").map(({ row, report }) => ({ ...row, sentence: report.sentences[0] })));
tally("sentences of the six answers", sentences("answers.jsonl"));
tally("sentences of the ten held answers", sentences("answers_held.jsonl"));
tally("sentences of six everyday answers", sentences("everyday.jsonl"));
tally("sentences of six held everyday answers", sentences("everyday_held.jsonl"));
// Their labels are those of Simple English Wikipedia, so they say little of the demo's index.
if (process.env.INDEX) tally("sentences of sixteen ordinary answers", sentences("ordinary.jsonl"));
for (const name of ["compound", "compound_held"]) {
  const compound = verify(`${name}.jsonl`).map(({ row, report }) => ({ ...row, sentence: report.sentences[0] }));
  const taken = compound.filter(({ sentence }) => sentence?.parts?.length).length;
  tally(`${name} (${taken} of ${compound.length} taken apart)`, compound);
}
tally("held falsehoods", verify("spans_held.jsonl").map(({ report }) => ({ label: "unfactual", sentence: report.sentences[0] })));

// Minimal pairs, each statement by its own premise.
const folder = mkdtempSync(join(tmpdir(), "evident-"));
const rows = join(folder, "pairs.jsonl");
const row = (pair, i, label) =>
  JSON.stringify({ id: `${i}-${label}`, statement: pair[label], label, evidence: [{ title: pair.title, text: pair.premise }], kind: pair.kind });
const pairs = jsonl(readFileSync(data("minimal_pairs.jsonl"), "utf8"));
writeFileSync(rows, pairs.flatMap((pair, i) => ["factual", "unfactual"].map((label) => row(pair, i, label))).join("\n"));
evident("eval", rows, "--evidence", "gold", "--pack", PACK, "--settings", settings, "--out", join(folder, "out"));
const records = jsonl(readFileSync(join(folder, "out/rows.jsonl"), "utf8"));
rmSync(folder, { recursive: true });
for (const kind of [...new Set(pairs.map((pair) => pair.kind))].sort()) {
  const both = pairs.flatMap((pair, i) => (pair.kind === kind ? [records.slice(2 * i, 2 * i + 2)] : []));
  const right = (n, verdict) => both.filter((pair) => pair[n].verdict === verdict).length;
  const ordered = both.filter(([factual, unfactual]) => factual.nli > unfactual.nli).length;
  console.log(
    `minimal pairs, ${kind}, ${both.length}: true ${right(0, "factual")} supported, ${right(0, "unfactual")} contradicted; ` +
      `false ${right(1, "unfactual")} contradicted, ${right(1, "factual")} supported; in order ${ordered}`,
  );
}
