/**
 * The models beside onnxruntime-web in one Chromium page and beside PyTorch natively, on the same random weights of published
 * shapes. Engines take turns and their medians are compared. None is timed that does not give PyTorch's logits.
 *
 *   node tests/bench/models.mjs [--rounds N] [--only TEXT]... [--out DIR]      ./build.sh bench models makes what it needs first
 *
 * N: turns of each engine (default 7). TEXT: the engines to run, by a part of their names (default all). DIR: where models.json
 * and models.md go (default dist/bench).
 */

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { listen, staticFiles } from "../../web/serve.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const TARGET = process.env.CARGO_TARGET_DIR ?? here("../../target");
const MODELS = join(TARGET, "bench/models");
const CORES = availableParallelism();
/** How far logits may be from PyTorch's, against the largest: f32 by rounding; int8 by much, where all that there are is one small logit. */
const BOUND = { f32: 1e-3, int8: 1 };

/** How long each engine runs a case before it is timed. */
const WARM_MS = 2_000;

/** The same on every core, where there are more than one. */
const onEvery = (...engines) => (CORES > 1 ? engines.map((engine) => ({ ...engine, threads: CORES })) : []);

/** What is measured: our engine first, then those that its times are compared with. */
const PLACES = {
  "Chromium, CPU": [
    { engine: "evident", backend: "cpu", precision: "f32", module: "relaxed" },
    { engine: "evident", backend: "cpu", precision: "int8", module: "relaxed" },
    { engine: "evident", backend: "cpu", precision: "f32", module: "cpu" },
    { engine: "evident", backend: "cpu", precision: "int8", module: "cpu" },
    { engine: "onnxruntime", backend: "cpu", precision: "f32" },
    { engine: "onnxruntime", backend: "cpu", precision: "int8" },
    ...onEvery(
      { engine: "evident", backend: "cpu", precision: "f32", module: "relaxed" },
      { engine: "evident", backend: "cpu", precision: "int8", module: "relaxed" },
    ),
    ...onEvery({ engine: "onnxruntime", backend: "cpu", precision: "f32" }, { engine: "onnxruntime", backend: "cpu", precision: "int8" }),
  ],
  "Chromium, WebGPU": [
    { engine: "evident", backend: "webgpu", precision: "f32", module: "webgpu" },
    { engine: "onnxruntime", backend: "webgpu", precision: "f32" },
  ],
  native: [
    { engine: "evident", backend: "native", precision: "f32" },
    { engine: "evident", backend: "native", precision: "int8" },
    { engine: "pytorch", backend: "native", precision: "f32" },
    ...onEvery({ engine: "evident", backend: "native", precision: "f32" }, { engine: "pytorch", backend: "native", precision: "f32" }),
  ],
};

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    only: { type: "string", multiple: true, default: [""] },
    out: { type: "string", default: here("../../dist/bench") },
  },
});
const models = JSON.parse(readFileSync(join(MODELS, "models.json"), "utf8"));
const say = (text) => console.error(`== ${text}`);
const title = ({ engine, backend, precision, module, threads = 1 }) =>
  [engine, backend === "native" ? "" : backend, precision, module === "cpu" ? "without relaxed SIMD" : "", threads > 1 ? `${threads} threads` : ""]
    .filter(Boolean)
    .join(" ");

/** A program that answers a line of JSON with another. */
function program(command, ...words) {
  const child = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (question) => {
    child.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error(`${command} ended`);
    return JSON.parse(value);
  };
  return { ask, end: () => child.stdin.end() };
}

/** Opens an engine on a model in the page; gives what runs a case: milliseconds, and the difference from PyTorch's logits. */
async function inPage(page, how, model) {
  const name = `${title(how)} ${model}`;
  await page.evaluate(async ([name, engine, how]) => (await import("/bench/models-page.mjs")).open(name, engine, how), [name, how.engine, { ...how, model }]);
  return (kase) => page.evaluate(async ([name, kase]) => (await import("/bench/models-page.mjs")).run(name, kase), [name, kase]);
}

/** The same outside of it. */
const natively = {
  evident(programs, { precision, threads = 1 }, model) {
    const name = `evident ${threads}`;
    const pack = join(MODELS, `${model}-${precision}.pack`);
    const { seq2seq, cases } = models[model];
    programs[name] ??= program(join(TARGET, "release/examples/forward"), String(threads));
    return (kase) => programs[name].ask({ pack, seq2seq, texts: cases[kase].texts, expected: cases[kase].logits });
  },
  pytorch(programs, { threads = 1 }, model) {
    const name = `pytorch ${threads}`;
    programs[name] ??= program(process.env.PYTHON, here("models.py"), "time", MODELS, String(threads));
    return (kase) => programs[name].ask({ model, case: kase });
  },
};

const results = [];

/** Lets the engines take turns at a case and keeps their medians. */
async function measure(place, model, kase, engines) {
  const times = engines.map(() => []);
  for (const { how, run } of engines) {
    const { difference } = await run(kase);
    if (!(difference <= BOUND[how.precision])) throw new Error(`${title(how)} on ${model}, ${kase}: its logits are off by ${difference} of the largest`);
    how.difference = difference;
    // Until an engine of JavaScript has optimised the code that this case runs.
    for (let ran = 0; ran < WARM_MS; ) ran += (await run(kase)).ms;
  }
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [i, { run }] of engines.entries()) times[i].push((await run(kase)).ms);
  }
  for (const [i, { how }] of engines.entries()) {
    const sorted = times[i].sort((a, b) => a - b);
    const { engine, backend, precision, module, threads = 1, difference } = how;
    results.push({ place, model, case: kase, engine, backend, precision, module, threads, ms: sorted[sorted.length >> 1], least: sorted[0], difference });
    console.error(`${model}, ${kase}: ${title(how)} ${sorted[sorted.length >> 1].toFixed(1)} ms, off by ${difference.toExponential(1)}`);
  }
}

async function measureAll(place, open) {
  const wanted = PLACES[place].filter((how) => options.only.some((part) => title(how).includes(part)));
  for (const [model, { cases }] of Object.entries(models)) {
    const engines = [];
    for (const how of wanted) engines.push({ how: { ...how }, run: await open(how, model) });
    for (const kase of Object.keys(cases)) await measure(place, model, kase, engines);
  }
}

async function inChromium() {
  const folders = { bench: here("."), models: MODELS, ort: here("node_modules/onnxruntime-web/dist"), evident: join(TARGET, "model") };
  const serve = Object.fromEntries(Object.entries(folders).map(([name, folder]) => [name, staticFiles(folder)]));
  const isolated = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
  const { server, url } = await listen(async (request, response) => {
    const [, folder] = request.url.split("/");
    for (const header of Object.entries(isolated)) response.setHeader(...header);
    if (!serve[folder]) return response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>bench</title>");
    request.url = request.url.slice(folder.length + 1);
    await serve[folder](request, response);
  }, 0);
  const args = ["--headless=new", "--no-sandbox", "--enable-unsafe-webgpu"];
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    page.on("console", (message) => message.type() === "error" && console.error(message.text()));
    await page.goto(url);
    const open = (how, model) => inPage(page, how, model);
    await measureAll("Chromium, CPU", open);
    const adapter = await page.evaluate(async () => (await import("/bench/models-page.mjs")).adapter());
    if (!adapter) say("WebGPU is left out: there is no adapter");
    else if (adapter.software) say(`WebGPU is left out: ${adapter.name} is software, which takes minutes and says nothing about hardware`);
    else await measureAll("Chromium, WebGPU", open);
    return adapter;
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

const adapter = await inChromium();
const programs = {};
await measureAll("native", (how, model) => natively[how.engine](programs, how, model));
for (const { end } of Object.values(programs)) end();

/** A table of each place: milliseconds of each engine, and how many times faster than the others Evident is in the same precision. */
function tables() {
  const lines = [];
  for (const place of Object.keys(PLACES)) {
    const here = results.filter((result) => result.place === place);
    if (here.length === 0) continue;
    const columns = [...new Set(here.map(title))];
    const own = (result, kase) => kase.filter(({ engine, precision }) => engine === "evident" && precision === result.precision);
    // On as many threads, or on one where that is all there is.
    const ours = (result, kase) => own(result, kase).find(({ threads }) => threads === result.threads) ?? own(result, kase)[0];
    const theirs = columns.filter((name) => !name.startsWith("evident"));
    const label = place === "Chromium, WebGPU" ? `${place} (${adapter.name})` : place;
    lines.push(`| ${label}, ms | ${columns.join(" | ")} | ${theirs.map((name) => `ratio to ${name}`).join(" | ")} |`);
    lines.push(`|${"---|".repeat(1 + columns.length + theirs.length)}`);
    for (const model of Object.keys(models)) {
      for (const name of Object.keys(models[model].cases)) {
        const kase = here.filter((result) => result.model === model && result.case === name);
        if (kase.length === 0) continue;
        const find = (column) => kase.find((result) => title(result) === column);
        const times = columns.map((column) => find(column)?.ms.toFixed(0) ?? "");
        const ratios = theirs.map((column) => {
          const other = find(column);
          const evident = other && ours(other, kase);
          return evident ? (other.ms / evident.ms).toFixed(2) : "";
        });
        lines.push(`| ${model}, ${name} | ${[...times, ...ratios].join(" | ")} |`);
      }
    }
    lines.push("");
  }
  return lines.join("\n");
}

mkdirSync(options.out, { recursive: true });
writeFileSync(join(options.out, "models.json"), `${JSON.stringify({ rounds: Number(options.rounds), cores: CORES, adapter, results }, null, 2)}\n`);
writeFileSync(join(options.out, "models.md"), tables());
console.log(tables());
console.log(`all figures: ${join(options.out, "models.json")}`);
