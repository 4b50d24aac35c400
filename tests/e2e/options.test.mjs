/** What the wasm module itself makes of options, without the package around it: it runs in Node as well. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { REPOSITORY } from "./browser.mjs";

test("the engine refuses options and settings that it does not know, by name", async () => {
  const module = `${REPOSITORY}web/package/dist/wasm/cpu/evident`;
  const { initSync, split } = await import(pathToFileURL(`${module}.js`).href);
  const answer = { markdown: "Iron is a metal." };
  initSync({ module: readFileSync(`${module}_bg.wasm`) });
  assert.equal(split(answer, { question: "What is iron?", settings: { context: 1 } }).sentences.length, 1);
  assert.equal(split(answer, undefined).sentences.length, 1);
  const demonstrations = [{ statement: "Iron rusts.", factual: true, reason: "" }];
  for (const [options, name] of [
    [{ settigns: {} }, "settigns"],
    [{ settings: { evidenec: 5 } }, "evidenec"],
    [{ settings: { demonstrations } }, "reason"],
  ])
    assert.throws(() => split(answer, options), {
      code: "bad-settings",
      message: new RegExp(`^the options are not right: unknown field \`${name}\`, expected [^\\n]*\`$`),
    });
});
