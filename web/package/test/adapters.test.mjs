/** The extension's newer adapters: what is signed, new enough and nothing but selectors is taken, and no other. */

import assert from "node:assert/strict";
import { afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../load.mjs";
import { keyPair, minisig } from "./minisign.mjs";

const source = (file) => fileURLToPath(new URL(`../../extension/src/${file}`, import.meta.url));
const ADDRESS = "https://host.example/adapters.json";
const ROW = { answer: ".answer", question: ".question", streaming: null, except: null, asOf: "2026-12" };
const FILE = { format: 1, sites: { chatgpt: ROW } };
/** Stands in for the browser's parser, which tests/e2e has. */
const parses = (selector) => !selector.includes("{");

let adapters;
let sites;
before(async () => {
  globalThis.ADAPTERS = null;
  [adapters, sites] = await Promise.all([load(source("adapters.ts")), load(source("sites.ts"))]);
});

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

/** Fetches what a host has: this file, signed as this version by this key. */
function taken(file, { version = 9, key = pair, before = { version: 0, sites: {} }, signature } = {}) {
  const text = typeof file === "string" ? file : JSON.stringify(file);
  const files = { [ADDRESS]: text, [`${ADDRESS}.minisig`]: signature ?? minisig(key, text, `version:${version}`) };
  globalThis.fetch = async (address) =>
    files[address] === undefined ? new Response(null, { status: 404 }) : new Response(files[address]);
  return adapters.fetchAdapters({ address: ADDRESS, key: pair.publicKey }, before, parses);
}

const pair = keyPair();
const refused = (work, message) =>
  assert.rejects(work, (error) => error instanceof adapters.Refused && message.test(error.message), String(message));

test("signed selectors of a known site are taken, and go before the table's", async () => {
  const found = await taken(FILE);
  assert.deepEqual(found, { version: 9, sites: { chatgpt: ROW } });
  assert.deepEqual(adapters.selectorsOf(found, "chatgpt"), ROW);
  for (const id of ["claude", "toString", "__proto__"]) assert.equal(adapters.selectorsOf(found, id), null, id);
  assert.equal(adapters.selectorsOf({ ...found, version: sites.TABLE }, "chatgpt"), null, "of a table that is here");
  assert.deepEqual(
    await taken({ format: 1, sites: { ...FILE.sites, newer: ROW } }),
    found,
    "of a newer version's site",
  );
  assert.deepEqual(await taken({ format: 1, sites: {} }), { version: 9, sites: {} });
});

test("what is not signed, or older than before or than the table, is refused", async () => {
  await refused(taken(FILE, { key: keyPair() }), /not signed by Evident's key: another key/);
  await refused(taken(FILE, { signature: minisig(pair, "{}", "version:9") }), /not signed/);
  await refused(taken(FILE, { signature: "" }), /not signed/);
  await refused(taken(FILE, { before: { version: 10, sites: {} } }), /version 9, older than version 10/);
  await refused(taken(FILE, { version: sites.TABLE - 1 }), /older/);
  await taken(FILE, { before: { version: 9, sites: {} } });
  globalThis.fetch = async () => Promise.reject(new TypeError("Failed to fetch"));
  await refused(adapters.fetchAdapters({ address: ADDRESS, key: pair.publicKey }, {}, parses), /could not be fetched/);
  globalThis.fetch = async () => new Response(null, { status: 404 });
  await refused(adapters.fetchAdapters({ address: ADDRESS, key: pair.publicKey }, {}, parses), /HTTP 404/);
  await refused(taken(" ".repeat(70_000)), /not what it should be/);
});

test("a file that does not come in fifteen seconds is refused", async (t) => {
  t.mock.method(AbortSignal, "timeout", (ms) => {
    assert.equal(ms, 15_000);
    return AbortSignal.abort();
  });
  const asked = () => adapters.fetchAdapters({ address: ADDRESS, key: pair.publicKey }, {}, parses);
  const broken = new ReadableStream({ pull: (to) => to.error(new DOMException("late", "TimeoutError")) });
  for (const answer of [Promise.reject(new DOMException("late", "TimeoutError")), new Response(broken)]) {
    globalThis.fetch = async (_, { signal }) => {
      assert.ok(signal.aborted);
      return answer;
    };
    await refused(asked(), /could not be fetched: it took more than 15 seconds/);
  }
});

test("whatever is no selectors is refused, though it is signed", async () => {
  const row = (change) => ({ format: 1, sites: { chatgpt: { ...ROW, ...change } } });
  const { except: _, ...lacking } = ROW;
  for (const [file, message] of [
    ["{", /no JSON/],
    ["[]", /the file is no object/],
    ["null", /the file is no object/],
    [{ format: 2, sites: {} }, /update the extension/],
    [{ sites: {} }, /no field format/],
    [{ ...FILE, script: "alert(1)" }, /a field script/],
    [{ format: 1, sites: [] }, /sites is no object/],
    [{ format: 1, sites: { ...FILE.sites, newer: { ...ROW, answer: null } } }, /newer: answer is no selector/],
    ['{"format":1,"sites":{"__proto__":{}}}', /__proto__ has no field answer/],
    [{ format: 1, sites: { chatgpt: "x" } }, /chatgpt is no object/],
    [{ format: 1, sites: { chatgpt: lacking } }, /no field except/],
    [row({ origins: ["https://evil.example"] }), /a field origins/],
    [row({ conversation: ".*" }), /a field conversation/],
    [row({ answer: null }), /answer is no selector/],
    [row({ question: " " }), /question is no selector/],
    [row({ answer: "a{}" }), /answer is no selector/],
    [row({ streaming: 3 }), /streaming is no selector/],
    [row({ except: "a".repeat(501) }), /except is no selector/],
    [row({ asOf: null }), /asOf is no text/],
  ])
    await refused(taken(file), message);
});

test("the table's own rows are adapters that can be published", async () => {
  const rows = sites.SITES.map(({ id, answer, question, streaming, except, asOf }) => [
    id,
    { answer, question, streaming, except, asOf },
  ]);
  const file = { format: 1, sites: Object.fromEntries(rows) };
  assert.deepEqual((await taken(file)).sites, file.sites);
});
