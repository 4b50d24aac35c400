/**
 * CONNER's scores in Chromium: over the npm package and on the page, by models that are fetched when they are first
 * asked for.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { check, done, launch, PATIENCE_MS, REPOSITORY, serve, visit } from "./browser.mjs";
import { EVIDENT, filesOf, sealed } from "./host.mjs";

const ANSWER = "Sure! The atomic number of carbon is 8. Its chemical symbol is C. Carbon is not a metal.";
const QUESTION = "What is carbon?";
const ITEM = { question: QUESTION, knowledge: ANSWER, answer: "a chemical element", reference: "an element" };
/** In wasm the pack's 4 bits are widened to int8 with one scale a row, natively to f32. */
const TOLERANCE = 0.02;
const NAMES = [
  "Factuality",
  "Relevance",
  "Coherence within sentences",
  "Coherence across sentences",
  "Informativeness",
  "Helpfulness",
  "Validity",
];

let browser;
let pack;
let site;
/** The paths of the pack's files in the order in which they were asked for. */
let asked = [];
/** Bytes or a promise in place of a file of the pack. */
let altered = {};
before(async () => {
  pack = await untrainedPack();
  const fromPack = async (path) => {
    if (!path.startsWith("pack/")) return undefined;
    asked.push(path.slice("pack/".length));
    return (await altered[path.slice("pack/".length)]) ?? readFile(join(pack, path.slice("pack/".length)));
  };
  [browser, site] = await Promise.all([launch(), serve(fromPack)]);
});
after(() => Promise.all([browser?.close(), site?.close(), rm(pack, { recursive: true, force: true })]));

/**
 * The embedded pack's verifier and its small NLI model as "nli", with untrained models of the other kinds beside them:
 * what they score means nothing.
 */
async function untrainedPack() {
  const folder = await mkdtemp(join(tmpdir(), "evident-pack-"));
  await cp(`${REPOSITORY}models/embedded`, folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(folder, "pack.json"), "utf8"));
  const nli = JSON.parse(await readFile(join(folder, manifest.models.small.config), "utf8"));
  const width = nli.hidden_size;
  const head = safetensors({ "classifier.weight": [1, width], "classifier.bias": [1] });
  const classifier = JSON.stringify({ ...nli, id2label: { 0: "LABEL_0" }, label2id: { LABEL_0: 0 } });
  const files = { "untrained/config.json": classifier, "untrained/head.safetensors": head };
  const [table] = manifest.models.small.weights.filter(({ names }) => names);
  const wordTable = Object.keys(table.names)[0];

  files["lm/config.json"] = JSON.stringify({
    ...{
      model_type: "gpt_neo",
      vocab_size: nli.vocab_size,
      hidden_size: width,
      num_layers: 1,
      num_heads: 12,
      intermediate_size: 64,
    },
    ...{ max_position_embeddings: 256, attention_types: [[["global"], 1]] },
  });
  const layer = { "ln_1.weight": [width], "ln_1.bias": [width], "ln_2.weight": [width], "ln_2.bias": [width] };
  for (const part of ["q_proj", "k_proj", "v_proj", "out_proj"])
    layer[`attn.attention.${part}.weight`] = [width, width];
  Object.assign(layer, {
    "attn.attention.out_proj.bias": [width],
    "mlp.c_fc.weight": [64, width],
    "mlp.c_fc.bias": [64],
  });
  Object.assign(layer, { "mlp.c_proj.weight": [width, 64], "mlp.c_proj.bias": [width] });
  files["lm/model.safetensors"] = safetensors({
    ...Object.fromEntries(Object.entries(layer).map(([name, shape]) => [`transformer.h.0.${name}`, shape])),
    ...{ "transformer.wpe.weight": [256, width], "transformer.ln_f.weight": [width], "transformer.ln_f.bias": [width] },
  });
  const { tokenizer } = manifest.models.small;
  const ranker = {
    config: "untrained/config.json",
    tokenizer,
    weights: [...manifest.models.small.weights, { path: "untrained/head.safetensors" }],
  };
  const words = { path: table.path, names: { [wordTable]: "transformer.wte.weight" } };
  const lm = { config: "lm/config.json", tokenizer, weights: [{ path: "lm/model.safetensors" }, words] };
  const { verifier, small } = manifest.models;
  manifest.models = { verifier, nli: small, relevance: ranker, discourse: ranker, lm };
  manifest.files = manifest.files.filter(({ path }) => !(path in files));
  for (const [path, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), bytes);
    manifest.files.push({ path, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
  }
  await writeFile(join(folder, "pack.json"), sealed(manifest));
  return folder;
}

/** A safetensors file of small numbers without a pattern, in these shapes. */
function safetensors(shapes) {
  const header = {};
  let end = 0;
  for (const [name, shape] of Object.entries(shapes)) {
    const start = end;
    end += 4 * shape.reduce((a, b) => a * b);
    header[name] = { dtype: "F32", shape, data_offsets: [start, end] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const values = Float32Array.from(
    { length: end / 4 },
    (_, i) => ((Math.imul(i + 1, 2654435761) >>> 8) / 2 ** 24 - 0.5) / 8,
  );
  return Buffer.concat([length, text, Buffer.from(values.buffer)]);
}

/** A verifier of the npm package in a page other than the demo's, whose policy allows only workers of its own. */
function verifierIn(page) {
  return page.evaluateHandle(async () => {
    const { createVerifier } = await import("/package/index.js");
    return createVerifier({ pack: "pack/", index: "index/", device: "cpu" });
  });
}

async function natively(item) {
  const items = join(pack, "items.jsonl");
  await writeFile(items, JSON.stringify(item));
  const options = ["--pack", pack, "--index", `${REPOSITORY}dist/demo/index`, "--json"];
  const { stdout } = await promisify(execFile)(EVIDENT, ["conner", items, ...options], { timeout: PATIENCE_MS });
  return JSON.parse(stdout);
}

/** Every number of a report by its place in it. */
function numbers(value, place = "") {
  if (typeof value === "number") return { [place]: value };
  if (value === null || typeof value !== "object") return {};
  return Object.assign({}, ...Object.entries(value).map(([name, inner]) => numbers(inner, `${place}.${name}`)));
}

const isOfScorers = (path) => /^(untrained|lm)\//.test(path);

test("the scores are the command line's, and their models are fetched once, when they are first asked for", async (t) => {
  const page = await visit(browser, `${site.url}widget.html`);
  asked = [];
  const found = await (await verifierIn(page)).evaluate(async (verifier, item) => {
    const steps = [];
    await verifier.verify("Carbon is not a metal.");
    const report = await verifier.conner(item, { onStep: ({ step }) => steps.push(step) });
    const again = await verifier.conner(item);
    return { report, same: JSON.stringify(again) === JSON.stringify(report), steps: [...new Set(steps)] };
  }, ITEM);
  assert.ok(found.same, "the same item gives the same report");
  const order = [
    "fetch",
    "models",
    "factuality",
    "relevance",
    "cohesion",
    "coherence",
    "informativeness",
    "helpfulness",
    "validity",
  ];
  assert.deepEqual(found.steps, order);
  const first = asked.findIndex(isOfScorers);
  for (const file of filesOf("small")) assert.ok(asked.slice(0, first).includes(file), file);
  assert.ok(!asked.includes("verifier/model.safetensors"), "nobody asks the T5");
  assert.deepEqual(asked.slice(first).toSorted(), [
    "lm/config.json",
    "lm/model.safetensors",
    "untrained/config.json",
    "untrained/head.safetensors",
  ]);

  const { report } = found;
  const native = await natively(ITEM);
  assert.deepEqual(
    Object.keys(report).map((name) => [name, report[name].model]),
    Object.keys(report).map((name) => [name, native[name].model]),
  );
  const [ours, theirs] = [
    numbers(report),
    numbers(Object.fromEntries(Object.keys(report).map((name) => [name, native[name]]))),
  ];
  assert.deepEqual(Object.keys(ours), Object.keys(theirs));
  const apart = (name) => Math.abs(ours[name] - theirs[name]) / Math.max(1, Math.abs(theirs[name]));
  const most = Math.max(...Object.keys(ours).map(apart));
  t.diagnostic(`Chromium and native differ by at most ${most.toExponential(1)}`);
  assert.ok(most <= TOLERANCE, `Chromium and native differ by ${most}`);
  await page.context().close();
});

test("what is missing is named, and what goes wrong has a code", async () => {
  const page = await visit(browser, `${site.url}widget.html`);
  const it = await verifierIn(page);
  const lacking = await it.evaluate((verifier) => verifier.conner({ knowledge: "Carbon is not a metal." }));
  assert.ok(lacking.factuality.value >= 0 && lacking.factuality.value <= 1);
  assert.deepEqual(lacking.relevance, { missing: ["question"] });
  assert.deepEqual(lacking.helpfulness, { missing: ["question", "reference"] });
  assert.deepEqual(lacking.validity, { missing: ["answer"] });

  const codes = await it.evaluate(async (verifier, item) => {
    const code = (options) =>
      verifier.conner(item, options).then(
        () => "none",
        (error) => error.code,
      );
    const stopped = new AbortController();
    const whileScoring = code({
      signal: stopped.signal,
      onStep: ({ step }) => step === "factuality" && stopped.abort(),
    });
    return [
      await code({ settings: { evidence: 0 } }),
      await code({ settings: { aggregate: "worst" } }),
      await whileScoring,
      await code(),
    ];
  }, ITEM);
  assert.deepEqual(codes, ["bad-settings", "bad-settings", "cancelled", "none"]);
  await page.context().close();
});

/** The rows of the panel: name, number (null where there is none), and all of the text. */
function rows(page) {
  return page
    .getByRole("list", { name: "Scores" })
    .getByRole("listitem")
    .evaluateAll((found) =>
      found.map((row) => {
        const value = row.querySelector(".value")?.textContent;
        return {
          name: row.querySelector("h3").textContent,
          value: value === undefined ? null : Number(value),
          text: row.textContent,
        };
      }),
    );
}

async function score(page) {
  await page.locator("#details").evaluate((details) => (details.open = true));
  await page.getByRole("button", { name: "Score the answer" }).click();
  const ended = page
    .locator("#score-status", { hasText: /^(Scored|Stopped)/ })
    .or(page.locator("#score-alert:not(:empty)"));
  await ended.first().waitFor({ timeout: PATIENCE_MS });
}

async function audit(page) {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const { violations } = await page.evaluate(() => window.axe.run());
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`),
    [],
  );
}

test("after the verdicts the page gives the six scores, what each is from or lacks, and the sentence that pulls it down", async () => {
  const page = await visit(browser, site.url, {
    colorScheme: "dark",
    viewport: { width: 360, height: 740 },
    reducedMotion: "reduce",
  });
  assert.ok(!(await page.locator("#conner").isVisible()));
  await check(page, { answer: ANSWER, question: QUESTION, backend: "cpu" });
  await done(page);
  await score(page);
  let found = await rows(page);
  assert.deepEqual(
    found.map(({ name }) => name),
    NAMES,
  );
  for (const { name, value, text } of found) {
    if (name === "Helpfulness") assert.match(text, /No score\. It needs a known right answer/);
    else if (name === "Validity") assert.match(text, /No score\. It needs a final answer/);
    else assert.ok(value >= 0 && value <= 1 && /By evident-embedded\/\w+/.test(text), text);
  }
  await audit(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `the page is ${width} pixels wide`);

  // With the keyboard to the sentence that factuality rests on: a judged one is chosen, one that was left out is
  // outlined.
  const lowest = page.getByRole("listitem").filter({ hasText: "Factuality" }).getByRole("button");
  const sentence = await lowest.textContent();
  await lowest.focus();
  await page.keyboard.press("Enter");
  const sought = page.locator(".left-out.sought");
  const shown = (await sought.count()) > 0 ? sought : page.locator(".sentence.selected");
  assert.equal((await shown.allTextContents()).join(""), sentence); // marked words part a sentence into several elements
  await audit(page);

  await page.getByText("Final and right answer, for helpfulness and validity").click();
  await page.getByLabel("Final answer", { exact: false }).first().fill("a chemical element");
  await page.getByLabel("Known right answer").fill("an element");
  await page.keyboard.press("Enter");
  await page.getByText("Scored: 7 of 7").waitFor({ timeout: PATIENCE_MS });
  found = await rows(page);
  assert.ok(found.every(({ value }) => value >= 0 && value <= 1));
  assert.match(found.at(-1).text, /against the known right answer/);

  await check(page, { answer: "Carbon is not a metal." });
  await done(page);
  assert.equal((await rows(page)).length, 0, "scores go with the answer that they are of");
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("scoring is stopped by its button, a damaged model is an error that says so, and both can be tried again", async () => {
  const page = await visit(browser, site.url);
  await check(page, { answer: ANSWER, question: QUESTION, backend: "cpu" });
  await done(page);
  const path = "untrained/head.safetensors";
  const damaged = await readFile(join(pack, path));
  damaged[damaged.length - 1] ^= 1;
  altered = { [path]: damaged };
  await score(page);
  assert.equal(await page.locator("#score-alert code").textContent(), "pack-corrupt");

  let release;
  altered = {
    [path]: new Promise((resolve) => {
      release = resolve;
    }),
  };
  const scoring = score(page);
  await page.getByText("Loading the models").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await scoring;
  assert.equal(await page.locator("#score-status").textContent(), "Stopped.");
  altered = {};
  release();
  await score(page);
  assert.match(await page.locator("#score-status").textContent(), /^Scored: 5 of 7, in /);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});
