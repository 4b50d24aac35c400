/**
 * Measures what the demo's README states: sizes, bytes fetched, memory and times, in Chromium on the CPU and natively.
 *
 *   node tests/e2e/costs.mjs      after ./build.sh build; ./build.sh bench does both
 */

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import {
  check,
  done,
  fact,
  firstVerdict,
  launch,
  outcome,
  PATIENCE_MS,
  REPOSITORY,
  sentences,
  serve,
  withSmallModel,
} from "./browser.mjs";
import { filesOf } from "./host.mjs";
import { headers, snippets } from "./snippets.mjs";

const DEMO = join(REPOSITORY, "dist/demo");
const EVIDENT = join(process.env.CARGO_TARGET_DIR ?? join(REPOSITORY, "target"), "release/evident");
/** A second text, on another subject than the sample's, for what a later query fetches. */
const LATER = "The atomic number of carbon is 8.";

const kb = (bytes) => `${(bytes / 1e3).toFixed(0)} kB`;
const mb = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
const seconds = (ms) => `${(ms / 1e3).toFixed(1)} s`;
const row = (what, figure) => console.log(`${what.padEnd(58)} ${figure}`);

function bytesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, entry) => bytes + statSync(join(entry.parentPath, entry.name)).size, 0);
}

for (const name of ["cpu", "relaxed", "webgpu", "wiki"]) {
  const module = readFileSync(join(DEMO, "wasm", name, "evident_bg.wasm"));
  row(`wasm, ${name}: raw, brotli`, `${mb(module.length)}, ${mb(brotliCompressSync(module).length)}`);
}
row("models", mb(bytesIn(join(DEMO, "pack"))));
for (const [what, ...models] of [
  ["to judge", "nli"],
  ["to judge, small", "small"],
  ["for the T5", "verifier"],
  ["for CONNER's scores", "discourse", "embedder", "lm"],
]) {
  const bytes = filesOf(...models).reduce((sum, file) => sum + statSync(join(DEMO, "pack", file)).size, 0);
  row(`  of them ${what}`, mb(bytes));
}
row("index", mb(bytesIn(join(DEMO, "index"))));

const [site, browser] = await Promise.all([serve(), launch()]);

/** A page of its own cache. The service worker would fetch the page's files once more, beside a check and not for it. */
async function newPage(model) {
  const context = await browser.newContext({ serviceWorkers: "block" });
  return (model === "small" ? await withSmallModel(context) : context).newPage();
}

async function untilFirstVerdict(page, visitedBefore) {
  const began = performance.now();
  await (visitedBefore ? page.reload() : page.goto(site.url));
  await check(page, { backend: "cpu" });
  await firstVerdict(page);
  return performance.now() - began;
}

/** The median of three visits with what an earlier one has left in the cache. */
async function cached(page) {
  const times = [];
  for (let i = 0; i < 3; i++) {
    times.push(await untilFirstVerdict(page, true));
    await done(page);
  }
  return times.sort((a, b) => a - b)[1];
}

const page = await newPage("full");
row("first visit: page open to first verdict", seconds(await untilFirstVerdict(page, false)));
row("first visit: bytes before the first verdict, uncompressed", mb(site.sent()));
await outcome(page);
const count = (await sentences(page)).length;
for (const name of await page.locator(".facts dt").allTextContents())
  row(`  sample, ${count} sentences: ${name}`, await fact(page, name));

await page.locator("#details").evaluate((details) => (details.open = true));
for (const models of ["its models loaded first", "models loaded"]) {
  const began = performance.now();
  await page.getByRole("button", { name: "Score the answer" }).click();
  await page.locator("#score-status", { hasText: "Scored" }).waitFor({ timeout: PATIENCE_MS });
  row(`  sample, ${count} sentences: CONNER's scores, ${models}`, seconds(performance.now() - began));
}

const before = site.sent();
await check(page, { answer: LATER, question: "" });
await outcome(page);
row("a later query: bytes fetched", kb(site.sent() - before));

row("warm cache: page open to first verdict, median of 3", seconds(await cached(page)));
const small = await newPage("small");
row("small, first visit: page open to first verdict", seconds(await untilFirstVerdict(small, false)));
await outcome(small);
row("small, warm cache: page open to first verdict, median of 3", seconds(await cached(small)));
await small.context().close();

const first = (name) => JSON.parse(readFileSync(join(REPOSITORY, "tests/data", name), "utf8").split("\n")[0]);
const sample = first("answers.jsonl");
const { statement: compound } = first("compound.jsonl");
const isolated = await serve(undefined, headers(snippets(join(REPOSITORY, "web/package/docs/script.md")), "isolated"));
for (const [threads, { url }, model, how] of [
  [1, site, "full", ""],
  [1, site, "small", ", small"],
  [2, site, "full", ", a memory each"],
  [2, isolated, "full", ", one memory"],
]) {
  await page.goto(`${url}widget.html`);
  const { ms, one, parted, memory } = await page.evaluate(
    async ({ threads, apart, model, sample: { question, answer }, compound }) => {
      const { createVerifier } = await import("/package/index.js");
      const verifier = await createVerifier({ pack: "pack/", index: "index/", device: "cpu", model, threads });
      const loaded = verifier.footprint.memory;
      const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
      const all = [];
      // Workers that are apart join while the first answers are judged. And each engine's code is optimised by then.
      for (let check = 0; all.length < 3; check++) {
        const { timings } = await verifier.verify(answer, { question });
        if (check > 2 && (!apart || verifier.footprint.memory > (threads - 0.5) * loaded)) all.push(timings.totalMs);
      }
      const [sentence] = answer.split(". ");
      const [one, parted] = [[], []];
      for (let round = 0; round < 9; round++) {
        one.push((await verifier.verify(sentence)).timings.totalMs);
        parted.push((await verifier.verify(compound)).timings.totalMs);
      }
      verifier.dispose();
      return { ms: median(all), one: median(one), parted: median(parted), memory: verifier.footprint.memory };
    },
    { threads, apart: site.url === url, model, sample, compound },
  );
  row(`  sample, threads ${threads}${how}, median of 3`, seconds(ms));
  row("  one sentence of it, median of 9", seconds(one));
  row("  a compound sentence, and how many times that", `${seconds(parted)}, ${(parted / one).toFixed(2)}`);
  row("  memory", mb(memory));
}
await Promise.all([browser.close(), site.close(), isolated.close()]);

for (const threads of [1, 2]) {
  const times = [1, 2, 3].map(() => {
    const began = performance.now();
    const native = spawnSync(
      EVIDENT,
      [
        "verify",
        "--json",
        "--threads",
        String(threads),
        "--index",
        join(DEMO, "index"),
        "--pack",
        join(DEMO, "pack"),
        "--question",
        sample.question,
        sample.answer,
      ],
      { encoding: "utf8" },
    );
    if (native.status !== 0) throw new Error(native.stderr);
    return performance.now() - began;
  });
  row(`native: the sample, start to end, threads ${threads}, median of 3`, seconds(times.sort((a, b) => a - b)[1]));
}
