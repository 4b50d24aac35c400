/**
 * One text, one pack, one index: WebGPU in Chromium, the CPU in Chromium with relaxed SIMD and without, and the native
 * command line give the same numbers, or where weights are in int8 nearly the same.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { launch, PATIENCE_MS, REPOSITORY, serve, visit } from "./browser.mjs";
import { EVIDENT, indexOf } from "./host.mjs";

const ANSWER = "The atomic number of carbon is 8.";
const QUESTION = "What is carbon?";
/** One short passage is all evidence: a software adapter takes minutes for a long one. */
const PASSAGE = { id: "carbon", title: "Carbon", text: "Carbon is a chemical element. Its atomic number is 6." };
/** What is judged, and by which models: a T5 on a software adapter takes minutes, and models.test.mjs has it. */
const settings = (module) => ({
  ...{ evidence: 1, windows: 1, maxFacts: 1, maxSteps: 2 },
  scoreBy: module === "webgpu" ? "nli" : "both",
});
const TOLERANCE = 1e-3;
/** On the CPU in wasm 4 bits are widened to int8 with one scale a row; on WebGPU and natively to f32. */
const TOLERANCE_OF_INT8 = 0.06;
/** EVIDENT_MODULE may name another than those for the CPU, `webgpu`. */
const MODULES = process.env.EVIDENT_MODULE?.split(" ") ?? ["relaxed", "cpu"];

let browser;
let site;
let scratch;
before(async () => {
  scratch = mkdtempSync(join(tmpdir(), "evident-parity-"));
  indexOf([PASSAGE], scratch, "index");
  const fromScratch = (path) =>
    path.startsWith("one/") ? readFile(join(scratch, "index", path.slice("one/".length))).catch(() => 404) : undefined;
  [browser, site] = await Promise.all([launch({ webgpu: true }), serve(fromScratch)]);
});
after(async () => {
  await Promise.all([browser?.close(), site?.close()]);
  rmSync(scratch, { recursive: true });
});

/** The npm package's report, computed in a page; `module` is the one that it takes. */
async function inChromium(module, model = "small") {
  // The policy of the demo's page allows only workers of its own.
  const page = await visit(browser, `${site.url}widget.html`, { model });
  const loaded = new Set();
  page.on("request", (request) => loaded.add(/\/wasm\/(\w+)\//.exec(request.url())?.[1]));
  const report = await page.evaluate(
    async ({ module, answer, question, settings }) => {
      if (module === "cpu") WebAssembly.validate = () => false; // no relaxed SIMD
      const device = module === "webgpu" ? module : "cpu";
      const { createVerifier } = await import("/package/index.js");
      const verifier = await createVerifier({ pack: "pack/", index: "one/", device });
      try {
        return await verifier.verify(answer, { question, settings });
      } finally {
        verifier.dispose();
      }
    },
    { module, answer: ANSWER, question: QUESTION, settings: settings(module) },
  );
  assert.deepEqual([...loaded].filter(Boolean), [module]);
  await page.context().close();
  return report;
}

/** The command line's report, with the settings of a module. */
async function natively(module, model = "small") {
  const folders = ["--index", join(scratch, "index"), "--pack", `${REPOSITORY}dist/demo/pack`];
  const options = [...folders, "--question", QUESTION, "--json"];
  const { stdout } = await promisify(execFile)(
    EVIDENT,
    ["verify", ...options, "--settings", JSON.stringify(settings(module)), ANSWER],
    {
      timeout: PATIENCE_MS,
      env: { ...process.env, EVIDENT_MODEL: model },
    },
  );
  return JSON.parse(stdout);
}

/** Every number that a model or BM25 made, by its name. */
function numbers({ sentences }) {
  const found = {};
  sentences.forEach(({ score, pFactual, nli, evidence }, i) => {
    found[`${i}.score`] = score;
    if (pFactual !== null) found[`${i}.pFactual`] = pFactual;
    for (const [name, p] of Object.entries(nli)) found[`${i}.nli.${name}`] = p;
    for (const { id, bm25, nli } of evidence) {
      found[`${i}.${id}.bm25`] = bm25;
      for (const [name, p] of Object.entries(nli ?? {})) found[`${i}.${id}.${name}`] = p;
    }
  });
  return found;
}

test("the native command line agrees with WebGPU within 1e-3, and the CPU in wasm stays near it", async (t) => {
  const shape = ({ schema, answer, question, settings, pack, sources, sentences }) => ({
    ...{ schema, answer, question, settings, pack, index: sources[0].hash },
    verdicts: sentences.map(({ start, end, text, verdict }) => ({ start, end, text, verdict })),
  });
  for (const module of MODULES) {
    const [native, ours] = [await natively(module), await inChromium(module)];
    assert.equal(ours.backend.kind, module === "webgpu" ? "webgpu" : "cpu");
    assert.deepEqual(shape(ours), shape(native), module);
    const [expected, found] = [numbers(native), numbers(ours)];
    assert.ok(Object.keys(expected).length >= 8);
    assert.deepEqual(Object.keys(found), Object.keys(expected), module);
    const apart = Math.max(...Object.keys(expected).map((name) => Math.abs(found[name] - expected[name])));
    t.diagnostic(`${module} and native differ by at most ${apart.toExponential(1)}`);
    const most = module === "webgpu" ? TOLERANCE : TOLERANCE_OF_INT8;
    assert.ok(apart <= most, `${module} and native differ by ${apart}`);
  }
});

test("the full model in wasm stays near the native one, and gives the same verdict", async (t) => {
  const [native, ours] = [await natively("relaxed", "nli"), await inChromium("relaxed", "full")];
  const [expected, found] = [numbers(native), numbers(ours)];
  assert.deepEqual(Object.keys(found), Object.keys(expected));
  const apart = Math.max(...Object.keys(expected).map((name) => Math.abs(found[name] - expected[name])));
  t.diagnostic(`wasm and native differ by at most ${apart.toExponential(1)}`);
  assert.ok(apart <= TOLERANCE_OF_INT8, `wasm and native differ by ${apart}`);
  assert.deepEqual(
    ours.sentences.map(({ verdict }) => verdict),
    native.sentences.map(({ verdict }) => verdict),
  );
});
