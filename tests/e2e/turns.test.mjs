/** The worker hears messages while it works, and a cancelled model stops within a layer. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { launch, PATIENCE_MS, serve, visit } from "./browser.mjs";

const SENTENCE =
  "The atomic number of carbon is 8, and the chemical symbol of the element is C, as every periodic table shows.";

/**
 * Counts the turns that the engine gives the event loop, those until it is cancelled, and the longest that the loop had
 * to wait.
 */
const WATCH = `{
  const Channel = self.MessageChannel;
  Object.assign(self, { turns: 0, turnsAtCancel: null, longest: 0 });
  self.MessageChannel = class extends Channel {
    constructor() {
      super();
      self.turns++;
    }
  };
  self.addEventListener("message", ({ data }) => data.type === "cancel" && (self.turnsAtCancel = self.turns));
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    self.longest = Math.max(self.longest, now - last);
    last = now;
  }, 1);
}\n`;

let browser;
let site;
before(async () => {
  const watched = (path, bytes) => (path === "worker.js" ? Buffer.concat([Buffer.from(WATCH), bytes]) : undefined);
  [browser, site] = await Promise.all([launch(), serve(watched)]);
});
after(() => Promise.all([browser?.close(), site?.close()]));

test("once cancelled, the engine begins with no more than the half of a layer that it is in", async (t) => {
  const page = await visit(browser, `${site.url}widget.html`, { serviceWorkers: "block" });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.evaluate(async () => {
    const { createVerifier } = await import("/package/index.js");
    self.verifier = await createVerifier({ pack: "pack/", index: "index/", engine: "./", device: "cpu" });
  });
  const [worker] = page.workers();
  const longest = () => worker.evaluate(() => [self.longest, (self.longest = 0)][0]);
  t.diagnostic(`the longest wait while loading: ${(await longest()).toFixed(0)} ms`);

  const code = await page.evaluate(async (answer) => {
    const abort = new AbortController();
    // In the middle of a model: the NLI model or the verifier has begun, and is still at work after the next tasks.
    const onEvent = (event) =>
      event.kind === "stage" && event.stage !== "retrieve" && setTimeout(() => abort.abort(), 100);
    return self.verifier.verify(answer, { signal: abort.signal, onEvent, settings: { evidence: 10 } }).then(
      () => "done",
      (error) => error.code,
    );
  }, `${SENTENCE} `.repeat(20));
  assert.equal(code, "cancelled");
  let seen = { turns: -1 };
  for (let before = -2; seen.turns !== before || seen.turnsAtCancel === null; await setTimeout(500)) {
    before = seen.turns;
    seen = await worker.evaluate(() => ({ turns: self.turns, turnsAtCancel: self.turnsAtCancel }));
  }
  t.diagnostic(`the longest wait while judging: ${(await longest()).toFixed(0)} ms`);
  assert.ok(seen.turns - seen.turnsAtCancel <= 1, `${seen.turns - seen.turnsAtCancel} turns after the cancellation`);

  // And it lives: the next answer is judged by the same worker.
  const report = await page.evaluate((answer) => self.verifier.verify(answer, { settings: { evidence: 1 } }), SENTENCE);
  assert.equal(report.sentences.length, 1);
  assert.equal(page.workers()[0], worker);
});
