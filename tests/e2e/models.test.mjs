/**
 * Every architecture in Chromium: the small random checkpoints of tests/parity/models/golden give what transformers
 * gives with them on PyTorch. The module is the one that ships, with a class for a model by itself. EVIDENT_MODULE says
 * which of them: `relaxed`, or `webgpu`, which takes a software adapter a quarter of an hour, so that ./build.sh test
 * webgpu alone runs it.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, PATIENCE_MS, REPOSITORY, visit } from "./browser.mjs";
import { host, sealed, TARGET } from "./host.mjs";

const GOLDEN = `${REPOSITORY}tests/parity/models/golden`;
/** The largest error, relative to the largest number, as natively (crate/nn/tests/parity.rs). */
const TOLERANCE = 1e-4;
const STEPS = 8;
const MODULE = process.env.EVIDENT_MODULE ?? "relaxed";

/** What a checkpoint is, and the cases that its golden.json states: a name, texts, and the numbers that they give. */
const KINDS = {
  seq2seq: (cases) =>
    cases.map(({ prompt, logits }) => ({
      name: `${prompt.length} characters`,
      texts: [prompt],
      expected: logits.flat(),
    })),
  classifier: ({ pairs, logits }) => together(pairs, logits),
  embedder: ({ texts, embeddings }) =>
    together(
      texts.map((text) => [text]),
      embeddings,
    ),
  "causal-lm": ({ texts, log_probabilities, pairs, log_probabilities_after }) =>
    together([...texts.map((text) => ["", text]), ...pairs], [...log_probabilities, ...log_probabilities_after]),
};

/** All at once, so that short ones are padded, and one by one, so that none is. */
function together(inputs, outputs) {
  const alone = inputs.map((texts, i) => ({ name: JSON.stringify(texts), texts, expected: outputs[i] }));
  return [{ name: "all at once", texts: inputs.flat(), expected: outputs.flat() }, ...alone];
}

const CHECKPOINTS = {
  seq2seq: ["t5-v1.0", "t5-v1.1", "t5-v1.1-resaved", "t5-sharded", "t5-gelu"],
  classifier: ["bert", "bert-gelu-new", "bert-int8", "roberta", "mpnet", "deberta-v2-types", "deberta-v3"],
  embedder: ["bert-embedder", "mpnet-embedder"],
  "causal-lm": ["gpt2", "gpt2-unprefixed", "gpt-neo"],
};

/** The pack.json of a checkpoint that has none, as the packs on a host have it. */
async function manifestOf(name) {
  const folder = join(GOLDEN, name);
  const weights = (await readdir(folder)).filter((file) => file.endsWith(".safetensors"));
  const entry = async (path) => {
    const bytes = await readFile(join(folder, path));
    return { path, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
  };
  const [config, tokenizer] = ["config.json", "tokenizer.json"];
  const model = { config, tokenizer, weights: weights.map((path) => ({ path })) };
  const files = await Promise.all([config, tokenizer, ...weights].map(entry));
  return sealed({ name, version: "", files, models: { model } });
}

let browser;
let site;
let page;
before(async () => {
  const golden = async (path, response) => {
    const [, name, file] = /^golden\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    if (name) response.end(file === "pack.json" ? await manifestOf(name) : await readFile(join(GOLDEN, name, file)));
    return Boolean(name);
  };
  const modules = join(TARGET, "model", MODULE);
  [browser, site] = await Promise.all([
    launch({ webgpu: MODULE === "webgpu" }),
    host({ folder: modules, alter: golden }),
  ]);
  page = await visit(browser, site.url);
  page.setDefaultTimeout(PATIENCE_MS);
  await page.evaluate(async () => {
    const { default: start, Model } = await import("./evident.js");
    await start();
    self.Model = Model;
  });
});
after(() => Promise.all([browser?.close(), site?.close()]));

function assertClose(what, found, expected) {
  assert.equal(found.length, expected.length, what);
  const apart = expected.map((value, i) => Math.abs(found[i] - value));
  const largest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const worst = largest(apart) / largest(expected);
  assert.ok(expected.length === 0 || worst < TOLERANCE, `${what}: a number is off by ${worst} of the largest`);
  const relative = Math.hypot(...apart) / Math.hypot(...expected);
  assert.ok(
    expected.length === 0 || relative < TOLERANCE,
    `${what}: the difference's norm is ${relative} of the numbers'`,
  );
}

for (const [kind, names] of Object.entries(CHECKPOINTS))
  for (const name of names)
    test(`${name} gives what transformers gives, by the module ${MODULE}`, async () => {
      const cases = KINDS[kind](JSON.parse(await readFile(join(GOLDEN, name, "golden.json"), "utf8")));
      const found = await page.evaluate(
        async ([name, kind, inputs, steps]) => {
          const model = await Model.open(`golden/${name}/`, kind);
          const outputs = [];
          for (const texts of inputs) outputs.push([...(await model.run(texts, steps))]);
          model.free();
          return outputs;
        },
        [name, kind, cases.map(({ texts }) => texts), STEPS],
      );
      cases.forEach(({ name, expected }, i) => assertClose(name, found[i], expected));
    });
