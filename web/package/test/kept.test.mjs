/** The checks that the demo's page keeps, over an IndexedDB of as much as that takes. */

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../load.mjs";

/** What is stored, and whether there is room for more. */
let stored;
let isFull;
let ended = Promise.resolve();

/** A transaction: its requests run one after the other, on a copy that is stored if all goes well. */
class Transaction {
  #requests = [];
  error = null;
  constructor() {
    ended = ended.then(() => this.#run());
  }
  objectStore() {
    const ask = (act) => {
      const request = { result: undefined };
      this.#requests.push([request, act]);
      return request;
    };
    return {
      get: (key) => ask((data) => structuredClone(data.get(key))),
      put: (value, key) => {
        const copy = structuredClone(value);
        return ask((data) => {
          if (isFull) throw new DOMException("no room", "QuotaExceededError");
          data.set(key, copy);
        });
      },
      delete: (key) => ask((data) => void data.delete(key)),
      clear: () => ask((data) => data.clear()),
    };
  }
  async #run() {
    const data = new Map(stored);
    try {
      while (this.#requests.length > 0) {
        const [request, act] = this.#requests.shift();
        await null;
        request.result = act(data);
        request.onsuccess?.();
      }
    } catch (error) {
      this.error = error;
      return this.onabort();
    }
    stored = data;
    this.oncomplete();
  }
}

let kept;
before(async () => {
  kept = await load(fileURLToPath(new URL("../../demo/kept.ts", import.meta.url)));
});
beforeEach(() => {
  [stored, isFull] = [new Map(), false];
  globalThis.indexedDB = {
    open() {
      const result = { createObjectStore() {}, transaction: () => new Transaction(), close() {} };
      const opening = { result };
      queueMicrotask(() => opening.onsuccess());
      return opening;
    },
  };
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
  assert.equal(stored.size, 21, "each, and the list");
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
  assert.equal(stored.size, 0);
});

test("where there is no room the check is refused, and those before it stay", async () => {
  await kept.keepCheck(checkAt(1));
  isFull = true;
  await assert.rejects(kept.keepCheck(checkAt(2)), { name: "QuotaExceededError" });
  await assert.rejects(kept.keepCheck({ ...checkAt(3), act() {} }), "what cannot be stored");
  isFull = false;
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
