/**
 * The index beside others, in one run on the same passages and queries: tantivy natively, pagefind in Chromium. Then its costs
 * by size of corpus.
 *
 *   node tests/bench/run.mjs [CORPUS] [--largest N] [--out DIR]      ./build.sh bench index builds what it needs first
 *
 * CORPUS: passages as JSONL, or synthetic:N (default synthetic:20000). N: the largest synthetic corpus of the
 * curves (default 1000000; 0 draws none). DIR: where index.json, the curves and the indexes go (default dist/bench).
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { inChromium } from "./chromium.mjs";
import { buildPagefind } from "./pagefind.mjs";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const BENCH = join(process.env.CARGO_TARGET_DIR ?? join(REPOSITORY, "target"), "bench/release/evident-bench");
const QUERIES = 200;
/** Queries in Chromium: each is asked in a fresh browser context, which takes its time. */
const IN_CHROMIUM = 30;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { largest: { type: "string", default: "1000000" }, out: { type: "string", default: join(REPOSITORY, "dist/bench") } },
});
const named = positionals[0] ?? "synthetic:20000";
const out = values.out;

const bench = (...words) => execFileSync(BENCH, words, { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "inherit"] });
const measured = (...words) => JSON.parse(bench(...words));
const say = (text) => console.error(`== ${text}`);

const sites = Object.fromEntries(["evident", "tantivy", "pagefind"].map((name) => [name, join(out, name)]));
mkdirSync(out, { recursive: true });
for (const folder of Object.values(sites)) rmSync(folder, { recursive: true, force: true });

// A synthetic corpus is made first, that making it counts nowhere.
const synthetic = /^synthetic:(\d+)$/.exec(named);
const corpus = synthetic ? join(out, "corpus.jsonl") : named;
if (synthetic) execFileSync(BENCH, ["corpus", synthetic[1]], { stdio: ["ignore", openSync(corpus, "w"), "inherit"] });

say(`queries from ${named}`);
const claims = bench("claims", corpus, String(QUERIES)).trim().split("\n");
const queries = join(out, "queries.txt");
writeFileSync(queries, `${claims.join("\n")}\n`);

const results = { corpus: named, queries: claims.length };
for (const engine of ["evident", "tantivy"]) {
  say(`${engine}: building and searching natively`);
  results[engine] = { build: measured("build", engine, corpus, sites[engine]) };
  bench("search", engine, sites[engine], queries); // once for the disk's cache
  results[engine].search = measured("search", engine, sites[engine], queries);
}
say("pagefind: building");
results.pagefind = { build: await buildPagefind(corpus, sites.pagefind) };
for (const engine of ["evident", "pagefind"]) {
  say(`${engine}: searching in Chromium`);
  results[engine].chromium = await inChromium(engine, sites[engine], claims.slice(0, IN_CHROMIUM).map((claim) => claim.split("\t")[0]));
}
writeFileSync(join(out, "index.json"), `${JSON.stringify(results, null, 2)}\n`);

/** Prints a figure of two engines and how many times that of the other ours is. */
function row(what, ours, theirs, unit, digits = 0) {
  const figure = (value) => `${value.toFixed(digits)} ${unit}`.padStart(16);
  console.log(`${what.padEnd(44)}${figure(ours)}${figure(theirs)}${(ours / theirs).toFixed(2).padStart(9)}`);
}
function head(other) {
  console.log(`\n${`${named}, ${results.evident.build.passages} passages`.padEnd(44)}${"evident".padStart(16)}${other.padStart(16)}${"ratio".padStart(9)}`);
}

const { evident, tantivy, pagefind } = results;
const speed = ({ build }) => build.passages / build.seconds;
head("tantivy");
row("building, passages a second", speed(evident), speed(tantivy), "/s");
row("building, peak memory", evident.build.peakMemory / 1e6, tantivy.build.peakMemory / 1e6, "MB");
row("size of the index", evident.build.bytes / 1e6, tantivy.build.bytes / 1e6, "MB", 1);
row("native query, median", evident.search.medianMs, tantivy.search.medianMs, "ms", 2);
row("native query, 95th percentile", evident.search.p95Ms, tantivy.search.p95Ms, "ms", 2);
head("pagefind");
row("building, passages a second", speed(evident), speed(pagefind), "/s");
row("size of the index", evident.build.bytes / 1e6, pagefind.build.bytes / 1e6, "MB", 1);
row("files", evident.build.files, pagefind.build.files, "");
// pagefind leaves to the first query what the page could have fetched before it: the sum of both is what compares.
for (const { chromium } of [evident, pagefind]) {
  chromium.answer = Object.fromEntries(Object.keys(chromium.query).map((key) => [key, chromium.opening[key] + chromium.query[key]]));
}
for (const [what, of] of [["from nothing to an answer", "answer"], ["of it, the query", "query"]]) {
  const [ours, theirs] = [evident.chromium[of], pagefind.chromium[of]];
  row(`${what}: bytes`, ours.bytes / 1e3, theirs.bytes / 1e3, "kB", 1);
  row(`${what}: requests`, ours.requests, theirs.requests, "");
  row(`${what}: time at 50 ms, 10 Mbit/s`, ours.ms, theirs.ms, "ms");
}
// pagefind shows only passages that hold every word.
row("passages found, all queries", evident.chromium.hits, pagefind.chromium.hits, "");

if (Number(values.largest) > 0) {
  say("the curves by size of corpus");
  bench("scale", join(out, "scale"), values.largest);
}
console.log(`\nall figures: ${join(out, "index.json")}${Number(values.largest) > 0 ? `, ${join(out, "scale")}` : ""}`);
