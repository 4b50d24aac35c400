/** Names that the package does not know: each is refused, and the message has the nearest one. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

let known;
before(async () => {
  const entry = fileURLToPath(new URL("../src/known.ts", import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false });
  known = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
});

const refusal = (message) => ({ name: "EvidentError", code: "bad-settings", message });

test("an unknown option is refused with the nearest name", () => {
  const { checkOptions } = known;
  checkOptions("createVerifier", { pack: "p", index: "i", threads: 2 });
  assert.throws(
    () => checkOptions("createVerifier", { pack: "p", index: "i", thread: 2 }),
    refusal("there is no option thread: the nearest name is threads"),
  );
  assert.throws(
    () => checkOptions("verify", { onsentence() {} }),
    refusal("there is no option onsentence: the nearest name is onSentence"),
  );
});

test("a number that is none is refused", () => {
  for (const settings of [{ evidence: Number.NaN }, { search: Infinity }])
    assert.throws(() => known.checkSettings("verify", { settings }), {
      code: "bad-settings",
      message: /give a number$/,
    });
});

test("names of other versions and other libraries are told what to use", () => {
  const { checkOptions } = known;
  assert.throws(
    () => checkOptions("createVerifier", { backend: "cpu" }),
    refusal('there is no option backend: it is called device now, and takes "auto", "webgpu" or "cpu"'),
  );
  assert.throws(() => checkOptions("createVerifier", { dtype: "q4" }), {
    code: "bad-settings",
    message: /pack or model/,
  });
  assert.throws(() => checkOptions("createVerifier", null), { code: "bad-settings", message: /give an object/ });
});

test("names within settings and items are checked too", () => {
  const { checkItem, checkSettings } = known;
  const demonstrations = [{ statement: "Iron rusts.", factual: true }];
  checkSettings("verify", { settings: { demonstrations } });
  assert.throws(
    () => checkSettings("verify", { settings: { demonstrations: [{ ...demonstrations[0], reason: "" }] } }),
    { code: "bad-settings", message: /^there is no field of a demonstration reason:/ },
  );
  checkItem({ question: "q", knowledge: "k" });
  assert.throws(
    () => checkItem({ refernce: "r" }),
    refusal("there is no text of an item refernce: the nearest name is reference"),
  );
});

test("an unknown setting is refused with the nearest name", () => {
  const { checkSettings } = known;
  checkSettings("verify", {});
  checkSettings("verify", { settings: { preset: "paper", maxFacts: 3 } });
  checkSettings("conner", { settings: { gamma: [1, 0, 0, 0] } });
  for (const [of, settings, unknown, nearest] of [
    ["verify", { evidenec: 5 }, "evidenec", "evidence"],
    ["verify", { maxfacts: 5 }, "maxfacts", "maxFacts"],
    ["conner", { perplexity: 200 }, "perplexity", "perplexityCap"],
  ])
    assert.throws(
      () => checkSettings(of, { settings }),
      refusal(`there is no setting ${unknown}: the nearest name is ${nearest}`),
    );
});
