/** A page that is cross-origin isolated: the engine's threads are workers that share its memory. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, PATIENCE_MS, REPOSITORY, serve, visit } from "./browser.mjs";
import { headers, snippets } from "./snippets.mjs";
import { cancelling, offer } from "./verifier.mjs";

const ISOLATED = headers(snippets(join(REPOSITORY, "web/package/docs/script.md")), "isolated");

const ANSWER =
  "The atomic number of carbon is 8. Paris is the capital of France. Mars is the ninth planet from the Sun. Iron is a metal. " +
  "The currency of Japan is the yen. The capital of Italy is Milan.";

/** Memory that several workers share cannot be allocated. */
const NO_ROOM = `const { Memory } = WebAssembly;
WebAssembly.Memory = function (limits) {
  if (limits.shared) throw new RangeError("could not allocate memory");
  return new Memory(limits);
};\n`;

/** A thread traps when it has judged for a while. */
const TRAP = `self.addEventListener("message", ({ data }) => {
  if (data.type !== "thread") return;
  let left = 100;
  const { now } = Performance.prototype;
  Performance.prototype.now = function () {
    if (--left === 0) throw new WebAssembly.RuntimeError("unreachable");
    return now.call(this);
  };
});\n`;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/**
 * An isolated page of its own with `open` and `check`, whose workers begin with `page.host.prelude`, from a host
 * without what is under `page.host.lacks`.
 */
async function open(t, { prelude = "", lacks = "" } = {}) {
  const given = { prelude, lacks };
  const alter = (path, bytes) => {
    if (given.lacks && path.startsWith(given.lacks)) return 404;
    return path === "worker.js" ? Buffer.concat([Buffer.from(given.prelude), bytes]) : undefined;
  };
  const { url, close } = await serve(alter, ISOLATED);
  const page = await visit(browser, `${url}widget.html`, { serviceWorkers: "block" });
  page.setDefaultTimeout(PATIENCE_MS);
  t.after(async () => {
    await page.context().close();
    await close();
  });
  page.host = given;
  page.modules = new Set();
  page.on("request", (request) => {
    const [, module] = /\/wasm\/(\w+)\//.exec(request.url()) ?? [];
    if (module) page.modules.add(module);
  });
  await offer(page);
  return page;
}

/** The report and the scores of the answer by so many threads, and what was told meanwhile. */
function found(page, threads) {
  return page.evaluate(
    async ([answer, threads]) => {
      const verifier = await globalThis.open({ threads });
      const [stages, order, steps] = [[], [], []];
      const onEvent = ({ kind, sentence, stage }) => kind === "stage" && stages.push(`${sentence} ${stage}`);
      const onSentence = (_, index) => order.push(index);
      const report = await globalThis.check(verifier, answer, { onEvent, onSentence });
      const item = { question: "What is iron?", knowledge: "Iron is a metal. It rusts.", answer: "Iron is a metal." };
      const scores = await verifier.conner(item, { onStep: ({ step }) => steps.push(step) });
      const { memory } = verifier.footprint;
      verifier.dispose();
      return { report, stages: stages.sort(), order, scores, steps: [...new Set(steps)], memory };
    },
    [ANSWER, threads],
  );
}

test("threads that share a memory give the report and the scores of one, in a fraction of the memory of workers that do not", async (t) => {
  const page = await open(t);
  assert.ok(await page.evaluate(() => crossOriginIsolated));
  const alone = await found(page, 1);
  const { memory, ...shared } = await found(page, 3);
  assert.deepEqual([...page.modules], ["relaxed"]);
  const { memory: needed, ...expected } = alone;
  assert.deepEqual(shared, expected);
  assert.ok(memory < 1.5 * needed, `${memory} bytes where one worker takes ${needed}`);
  t.diagnostic(`wasm memory in MB: one thread ${(needed / 1e6).toFixed(0)}, three ${(memory / 1e6).toFixed(0)}`);
  assert.deepEqual(page.errors, []);
});

test("a cancelled check leaves the threads ready for the next", async (t) => {
  const page = await open(t);
  const expected = (await found(page, 1)).report;
  assert.deepEqual(await cancelling(page, ANSWER), { codes: Array(4).fill("cancelled"), report: expected });
});

test("a thread that traps ends the check with an error, and the next is by threads started anew", async (t) => {
  const page = await open(t);
  const expected = (await found(page, 1)).report;
  page.host.prelude = TRAP;
  const code = await page.evaluate(async (answer) => {
    globalThis.verifier = await globalThis.open({ threads: 2 });
    return globalThis.check(globalThis.verifier, answer).catch(({ code }) => code);
  }, ANSWER);
  assert.equal(code, "internal");
  page.host.prelude = "";
  assert.deepEqual(await page.evaluate((answer) => globalThis.check(globalThis.verifier, answer), ANSWER), expected);
});

for (const [why, host] of [
  ["a memory cannot be shared", { prelude: NO_ROOM }],
  ["the module for it cannot be had", { lacks: "wasm/relaxed/" }],
])
  test(`where ${why}, workers judge with one each`, async (t) => {
    const page = await open(t, host);
    const [{ memory: _, ...expected }, { memory, ...apart }] = [await found(page, 1), await found(page, 2)];
    assert.deepEqual(apart, expected);
    assert.ok(page.modules.has("cpu"));
  });
