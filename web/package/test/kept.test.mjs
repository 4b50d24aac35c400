/** The checks that the demo's page keeps in IndexedDB. */

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../load.mjs";
import { FakeDatabase } from "./indexed-db.mjs";

let [kept, database] = [];
before(async () => {
  kept = await load(fileURLToPath(new URL("../../demo/kept.ts", import.meta.url)));
});
beforeEach(() => {
  database = new FakeDatabase();
  database.install();
});

const sentence = (verdict) => ({ text: "It rusts.", verdict, related: true, confidence: "sure", evidence: [] });
const checkAt = (at, answer = `Check ${at}.`, more = {}) => ({
  at,
  report: { schema: 3, question: null, answer, sentences: [sentence("factual"), sentence("unfactual")], ...more },
});
const times = async () => (await kept.keptChecks()).map(({ at }) => at);

test("a check comes back as it was, and the list says its first words and its counts", async () => {
  assert.deepEqual(await times(), []);
  const check = checkAt(5, `**Iron**\n\nrusts. ${"Water is wet. ".repeat(20)}`);
  const [entry] = await kept.keepCheck(check);
  assert.deepEqual(await kept.keptCheck(5), check);
  assert.match(entry.words, /^\*\*Iron\*\* rusts\. Water .* …$/);
  assert.ok(entry.words.length <= 82, entry.words);
  assert.equal(entry.tally, "1 supported, 1 contradicted, 0 not in this index");
  const [empty] = await kept.keepCheck(checkAt(6, "Hello!", { sentences: [] }));
  assert.deepEqual([empty.words, empty.tally], ["Hello!", "nothing to check"]);
});

test("the last twenty are kept, the newest first, whatever the order in which they end", async () => {
  await Promise.all(Array.from({ length: 25 }, (_, n) => kept.keepCheck(checkAt(n === 3 ? 100 : n))));
  assert.deepEqual(await times(), [100, ...Array.from({ length: 19 }, (_, n) => 24 - n)]);
  assert.equal(database.stored.size, 21, "each, and the list");
  assert.equal(await kept.keptCheck(0), undefined);
});

test("what is forgotten is gone, and finding more of it does not bring it back", async () => {
  for (const at of [1, 2, 3]) await kept.keepCheck(checkAt(at));
  const sourced = checkAt(2, "Check 2, with its sources.");
  await kept.updateCheck(sourced);
  assert.deepEqual(await kept.keptCheck(2), sourced);
  assert.deepEqual(
    (await kept.forgetCheck(2)).map(({ at }) => at),
    [3, 1],
  );
  await kept.updateCheck(sourced);
  assert.equal(await kept.keptCheck(2), undefined);
  await kept.forgetChecks();
  assert.equal(database.stored.size, 0);
});

test("where there is no room the check is refused, and those before it stay", async () => {
  await kept.keepCheck(checkAt(1));
  database.isFull = true;
  await assert.rejects(kept.keepCheck(checkAt(2)), { name: "QuotaExceededError" });
  await assert.rejects(kept.keepCheck({ ...checkAt(3), act() {} }), "what cannot be stored");
  database.isFull = false;
  assert.deepEqual(await times(), [1]);
  assert.deepEqual(await kept.keptCheck(1), checkAt(1));
});

test("a report of another version is not listed, and goes with the next check", async () => {
  await kept.keepCheck(checkAt(1, "Old.", { schema: 2 }));
  assert.deepEqual(await times(), []);
  await kept.keepCheck(checkAt(2));
  assert.deepEqual(await times(), [2]);
  assert.equal(await kept.keptCheck(1), undefined);
});

test("a browser without such storage fails as a rejection", async () => {
  delete globalThis.indexedDB;
  await assert.rejects(kept.keepCheck(checkAt(1)));
  await assert.rejects(kept.keptChecks());
});
