/** How the worker asks a wiki. The module that knows what to ask is a stand-in. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../load.mjs";

let Wiki;
before(async () => {
  globalThis.VERSION = "1.2.3";
  ({ Wiki } = await load(fileURLToPath(new URL("../src/wiki.ts", import.meta.url))));
});

/** A wiki whose module answers with what `work` makes of the two functions that it gets; `told` has what is told. */
function wikiThat(work) {
  const told = [];
  class Module {
    constructor(_, get, wait) {
      this.ask = () => work(get, wait);
    }
  }
  const wiki = new Wiki(
    "https://wiki.example/api.php",
    async () => ({ Wiki: Module }),
    (reason) => told.push(reason),
    (seconds) => told.push(seconds),
  );
  return { wiki, told };
}

test("a wait is told, and that it is over; a check that is stopped ends it", async () => {
  const { wiki, told } = wikiThat((_, wait) => wait(30));
  const answer = wiki.ask("", "Iron rusts.", 10, 2);
  while (told.length === 0) await new Promise(setImmediate);
  assert.deepEqual(told, [30]);
  wiki.stop();
  await answer;
  assert.deepEqual(told, [30, 0]);
});

test("a request has no cookie and no referrer, says who asks, and follows no redirect", async (t) => {
  const { fetch } = globalThis;
  t.after(() => {
    globalThis.fetch = fetch;
  });
  const asked = [];
  globalThis.fetch = async (address, { signal, ...options }) => {
    asked.push([address, options]);
    return new Response("{}", { status: 429, headers: { "Retry-After": "7" } });
  };
  const { wiki } = wikiThat((get) => get("https://wiki.example/api.php?action=query", 99));
  const { status, retryAfter, body } = await wiki.ask("", "Iron rusts.", 10, 2);
  assert.deepEqual([status, retryAfter, new TextDecoder().decode(body)], [429, 7, "{}"]);
  assert.deepEqual(asked, [
    [
      "https://wiki.example/api.php?action=query",
      {
        credentials: "omit",
        referrerPolicy: "no-referrer",
        redirect: "error",
        headers: { "Api-User-Agent": "Evident/1.2.3" },
      },
    ],
  ]);
});
