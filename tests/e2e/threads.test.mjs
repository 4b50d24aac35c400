/** Sentences that several workers judge at once, and passages that a model puts in order. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { check, done, fact, launch, PATIENCE_MS, REPOSITORY, serve, visit } from "./browser.mjs";
import { DEMO, EVIDENT, sealed } from "./host.mjs";
import { cancelling, offer } from "./verifier.mjs";

const ANSWER =
  "The atomic number of carbon is 8. Paris is the capital of France. Mars is the ninth planet from the Sun. Iron is a metal. " +
  "The currency of Japan is the yen. The capital of Italy is Milan.";

/** A worker that helps throws where no promise is rejected, as a trap does, whenever it is to judge. */
const TRAP = `self.addEventListener("message", ({ data }) => {
  if (data.type === "assist")
    data.port.addEventListener("message", ({ data }) => {
      if (data !== "cancel") queueMicrotask(() => { throw new WebAssembly.RuntimeError("unreachable"); });
    });
});\n`;

let browser;
let site;
let trapped;
before(async () => {
  const embedded = JSON.parse(await readFile(join(REPOSITORY, "models/embedded/pack.json"), "utf8"));
  const { embedder, ...models } = embedded.models;
  const unranked = (path) => (path === "unranked/pack.json" ? sealed({ ...embedded, models }) : undefined);
  const trap = (path, bytes) => (path === "worker.js" ? Buffer.concat([Buffer.from(TRAP), bytes]) : undefined);
  [browser, site, trapped] = await Promise.all([launch(), serve(unranked), serve(trap)]);
});
after(() => Promise.all([browser?.close(), site?.close(), trapped?.close()]));

/**
 * A page of its own with `check`: what becomes of the answer by these options, without what differs from run to run.
 */
async function open(t, { url } = site) {
  const page = await visit(browser, `${url}widget.html`, { serviceWorkers: "block" });
  page.setDefaultTimeout(PATIENCE_MS);
  t.after(() => page.context().close());
  await offer(page);
  return page;
}

/** The report by one worker. */
async function alone(page) {
  return page.evaluate(async (answer) => {
    const verifier = await globalThis.open({ threads: 1 });
    const report = await globalThis.check(verifier, answer);
    verifier.dispose();
    return report;
  }, ANSWER);
}

test("several workers give the report of one, and stay for the next answer", async (t) => {
  const page = await open(t);
  const expected = await alone(page);
  assert.equal(expected.sentences.length, 6);
  const { reports, orders, memory } = await page.evaluate(async (answer) => {
    const verifier = await globalThis.open({ threads: 3 });
    const [reports, orders, memory] = [[], [], [verifier.footprint.memory]];
    do {
      const order = [];
      reports.push(await globalThis.check(verifier, answer, { onSentence: (_, index) => order.push(index) }));
      orders.push(order);
      memory.push(verifier.footprint.memory);
    } while (memory.at(-1) < 2.5 * memory[0]); // until both helpers have joined
    await verifier.conner({ question: "What is iron?" });
    memory.push(verifier.footprint.memory);
    verifier.dispose();
    return { reports, orders, memory };
  }, ANSWER);
  for (const report of reports) assert.deepEqual(report, expected);
  for (const order of orders) assert.deepEqual(order, [0, 1, 2, 3, 4, 5]);
  assert.ok(memory.at(-1) >= memory.at(-2), "other work does not forget the helpers' memory");
  t.diagnostic(
    `wasm memory in MB, after loading and each answer: ${memory.map((bytes) => (bytes / 1e6).toFixed(0)).join(", ")}`,
  );
});

test("a cancelled check leaves the workers ready for the next", async (t) => {
  const page = await open(t);
  const expected = await alone(page);
  const found = await cancelling(page, ANSWER);
  assert.deepEqual(found, { codes: Array(4).fill("cancelled"), report: expected });
});

test("what a helper that fails was at is judged without it", async (t) => {
  const expected = await alone(await open(t));
  const page = await open(t, trapped);
  const { report, ended } = await page.evaluate(async (answer) => {
    let ended = 0;
    const { terminate } = Worker.prototype;
    Worker.prototype.terminate = function () {
      ended += 1;
      terminate.call(this);
    };
    const verifier = await globalThis.open({ threads: 2 });
    let report;
    while (ended === 0) report = await globalThis.check(verifier, answer); // until the helper was asked
    return { report, ended };
  }, ANSWER);
  assert.deepEqual(report, expected);
  assert.equal(ended, 1);
});

test("helpers take the models from the browser's cache, and are done without where it has none", async (t) => {
  const page = await open(t);
  const expected = await alone(page);
  const fetched = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  const weights = () => fetched.filter((path) => path.endsWith(".safetensors")).length;
  const report = await page.evaluate(async (answer) => {
    const verifier = await globalThis.open({ threads: 2 });
    await caches.delete("evident-1");
    let ended = false;
    const { terminate } = Worker.prototype;
    Worker.prototype.terminate = function () {
      ended = true;
      terminate.call(this);
    };
    let report;
    while (!ended) report = await globalThis.check(verifier, answer);
    verifier.dispose();
    return report;
  }, ANSWER);
  assert.deepEqual(report, expected);
  assert.equal(weights(), 0);
});

test("a number of threads that makes no sense is refused", async (t) => {
  const page = await open(t);
  for (const threads of [0, -1, 1.5, 9, "two"]) {
    const { code, message } = await page.evaluate(
      (threads) => globalThis.open({ threads, lazy: true }).catch(({ code, message }) => ({ code, message })),
      threads,
    );
    assert.equal(code, "bad-settings");
    assert.match(message, /threads takes a number from 1 to 8/);
  }
});

test("re-ranked by the pack's bi-encoder, the evidence is that of the command line", async (t) => {
  const page = await open(t);
  const [statement, pack] = ["The atomic number of carbon is 8.", join(REPOSITORY, "models/embedded")];
  const { loading, stages, found } = await page.evaluate(async (statement) => {
    const [loading, stages] = [[], []];
    const onProgress = ({ stage, bytes }) => stage === "rerank" && loading.push([bytes.loaded, bytes.total]);
    const verifier = await globalThis.open({ rerank: "pack/", onProgress });
    const onEvent = ({ kind, stage }) => kind === "stage" && stages.push(stage);
    const { sentences, rerank } = await globalThis.check(verifier, statement, { onEvent });
    return { loading, stages, found: { rerank, ids: sentences[0].evidence.map(({ id }) => id) } };
  }, statement);
  const args = ["verify", "--index", join(DEMO, "index"), "--pack", pack, "--rerank", pack, "--json", statement];
  const report = JSON.parse(
    execFileSync(EVIDENT, args, { encoding: "utf8", env: { ...process.env, EVIDENT_MODEL: "small" } }),
  );
  const [loaded, total] = loading.at(-1);
  assert.ok(loaded > 0 && loaded === total, String(loading));
  assert.deepEqual(stages.slice(0, 3), ["retrieve", "rerank", "nli"]);
  assert.equal(found.rerank.kind, "biEncoder");
  assert.deepEqual(found.rerank, report.rerank);
  // The weights are int8 in wasm, so two passages of nearly one score may stand the other way round.
  const ids = report.sentences[0].evidence.map(({ id }) => id);
  assert.equal(found.ids.length, ids.length);
  const places = ids.map((id) => found.ids.indexOf(id));
  assert.ok(
    places.every((place, i) => place >= 0 && Math.abs(place - i) <= 1),
    `${found.ids} are not ${ids}`,
  );
});

test("the demo re-ranks where its settings say so, and only there", async () => {
  const page = await visit(browser, site.url);
  await check(page, { answer: "Iron is a metal.", question: "", rerank: true });
  await done(page);
  assert.match(await fact(page, "Index"), /^[\d,]+ passages, re-ranked by evident-embedded$/);
  await check(page, { rerank: false });
  await done(page);
  assert.match(await fact(page, "Index"), /^[\d,]+ passages$/);
  await page.context().close();
});

test("a pack that ranks nothing is refused before anything is judged", async (t) => {
  const page = await open(t);
  const codeOf = (rerank) => page.evaluate((rerank) => globalThis.open({ rerank }).catch(({ code }) => code), rerank);
  assert.equal(await codeOf("unranked/"), "pack-architecture");
  assert.equal(await codeOf("nowhere/"), "pack-missing");
});
