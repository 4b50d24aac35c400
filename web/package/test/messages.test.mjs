/**
 * What pages may send to the extension's desk. A page's renderer may be an attacker's: whatever comes is understood as
 * it should be or not at all, and says nothing to another tab.
 */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const INPUTS = 20_000;

/** Numbers from 0 to 1, the same in each run (mulberry32). */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of `values`. */
const pick = (next, values) => values[Math.floor(next() * values.length)];

const SHORT = ["", "a", "1", "__proto__", "\ud800", "x".repeat(2_000)];
const INDEXES = [0, 1, 7, 2 ** 53 - 1];

/** A block as a page should write it. */
const block = (next, text) => ({
  kind: pick(next, ["paragraph", "item", "heading", "row", "reference"]),
  text,
  ...(next() < 0.5 ? { number: pick(next, INDEXES) } : {}),
  ...(next() < 0.5 ? { heads: ["Metal", ""] } : {}),
  ...(next() < 0.5 ? { links: [{ start: 0, end: 1, url: pick(next, SHORT) }] } : {}),
});

/** A message as a page should write it. */
function written(next) {
  const id = pick(next, SHORT);
  switch (pick(next, ["state", "reading", "gone", "open", "ping"])) {
    case "state":
      return {
        type: "state",
        site: pick(next, [null, ...SHORT]),
        state: pick(next, ["empty", "reading", "unreadable", "off", "other"]),
      };
    case "reading": {
      const kind = pick(next, ["answer", "selection"]);
      const text = pick(next, [...SHORT, "Iron is a metal. It rusts.", "\u202eIron"]);
      const answer = next() < 0.3 ? { markdown: text } : { blocks: [block(next, text), block(next, "Tin is soft.")] };
      const whole =
        answer.markdown ??
        answer.blocks
          .map(({ text }) => text)
          .filter(Boolean)
          .join("\n\n");
      const reading = { id, kind, question: pick(next, SHORT), answer, text: whole, streaming: next() < 0.5 };
      return { type: "reading", reading };
    }
    case "gone":
      return { type: "gone", id };
    case "open":
      return { type: "open", id, index: pick(next, INDEXES) };
    default:
      return { type: "ping" };
  }
}

const TOO_LONG = "x".repeat(1_000_001);
/** What can cross to the desk, and is nothing that it expects. */
const ODD = [
  ...[undefined, null, true, 0, -1, 1.5, NaN, Infinity, 2 ** 53, 10n, "toString", "x".repeat(2_001), TOO_LONG],
  ...[[], [[]], {}, { length: 3 }, new Date(0), new Map([["type", "ping"]]), new Uint8Array(3), /x/],
  ...[{ type: "ping" }, "reading", "answer"],
];

/** A message of which some fields are others, are missing or are too many; or none at all. */
function spoilt(next) {
  if (next() < 0.1) return pick(next, ODD);
  const message = written(next);
  for (let changes = 1 + Math.floor(3 * next()); changes > 0; changes--) {
    const inner = [message, message.reading, message.reading?.answer, message.reading?.answer?.blocks?.[0]];
    const holder = pick(
      next,
      inner.filter((value) => value?.constructor === Object),
    );
    const field = pick(next, [...Object.keys(holder), "type", "id", "index", "reading", "more"]);
    if (next() < 0.2) delete holder[field];
    else holder[field] = structuredClone(pick(next, ODD));
  }
  return message;
}

const isShort = (value) => typeof value === "string" && value.length <= 2_000;
const isText = (value) => typeof value === "string" && value.length <= 1_000_000;

/** The fields of each message, and what they may be. */
const FIELDS = {
  state: {
    site: (value) => value === null || isShort(value),
    state: (value) => ["empty", "reading", "unreadable", "off", "other"].includes(value),
  },
  reading: { reading: (value) => fits(value, READING) },
  gone: { id: isShort },
  open: { id: isShort, index: (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 53 },
  ping: {},
};
const READING = {
  id: isShort,
  kind: (value) => ["answer", "selection"].includes(value),
  question: isText,
  answer: ({ markdown, blocks }) =>
    markdown === undefined
      ? blocks.every(({ text, links = [] }) => isText(text) && Array.isArray(links))
      : isText(markdown),
  text: isText,
  streaming: (value) => typeof value === "boolean",
};

function fits(value, fields) {
  const names = Object.keys(value).filter((name) => name !== "type");
  return names.length === Object.keys(fields).length && names.every((name) => fields[name]?.(value[name]));
}

/** An engine that cannot be opened. */
class Engine extends EventTarget {
  postMessage() {
    const data = { type: "failed", error: { code: "network", message: "offline" } };
    queueMicrotask(() => this.dispatchEvent(new MessageEvent("message", { data })));
  }
  terminate() {}
}

let fromPage;
let Desk;
before(async () => {
  globalThis.Worker = Engine;
  globalThis.chrome = { runtime: { id: "evident", getURL: (path) => `https://extension.example/${path}` } };
  globalThis.location = new URL("https://extension.example/offscreen.html");
  const folder = fileURLToPath(new URL("../../extension/src/", import.meta.url));
  const contents = `export { fromPage } from "./messages.js"; export { Desk } from "./desk.js";`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    format: "esm",
    external: ["./wasm/*"],
    write: false,
  });
  ({ fromPage, Desk } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`));
});

test("a message is understood as it was written, without what does not belong to it", () => {
  const next = random(1);
  for (let input = 0; input < INPUTS; input++) {
    const message = structuredClone(written(next));
    assert.deepEqual(fromPage({ ...message, more: 1 }), message);
  }
});

test("a message that is not as it should be is none, or one that is", () => {
  const next = random(2);
  let understood = 0;
  for (let input = 0; input < INPUTS; input++) {
    const message = structuredClone(spoilt(next));
    const heard = fromPage(message);
    if (heard === null) continue;
    assert.ok(Object.hasOwn(FIELDS, heard.type) && fits(heard, FIELDS[heard.type]), JSON.stringify(heard));
    understood++;
  }
  assert.ok(understood > INPUTS / 100 && understood < INPUTS, `${understood}`);
});

test("whatever a page sends, the desk stands, and a panel at another tab hears nothing of it", async () => {
  const next = random(3);
  const isOfTab = (heard) => !heard.startsWith("engine");
  const desk = new Desk({ pack: "", index: "", backend: "cpu", preset: "recommended" }, () => {});
  /** A port to the desk: `send` is what its other end does. */
  const open = (name, tab) => {
    const [heard, listeners] = [[], []];
    const url = chrome.runtime.getURL("panel.html");
    desk.connect({
      name,
      sender: { id: "evident", url, ...(name === "page" ? { tab: { id: tab }, frameId: 0 } : {}) },
      postMessage: ({ type, page }) => heard.push(`${type} ${page}`),
      disconnect: () => {},
      onMessage: { addListener: (listener) => listeners.push(listener) },
      onDisconnect: { addListener: () => {} },
    });
    return { heard, send: (message) => listeners.forEach((listener) => listener(structuredClone(message))) };
  };
  const [hostile, own, elsewhere] = [open("page", 1), open("panel"), open("panel")];
  own.send({ type: "watch", tab: 1 });
  elsewhere.send({ type: "watch", tab: 2 });
  const before = elsewhere.heard.filter(isOfTab);
  for (let input = 0; input < INPUTS / 10; input++) {
    hostile.send(next() < 0.5 ? written(next) : spoilt(next));
    if (input % 10 === 0) await new Promise(setImmediate);
  }
  assert.deepEqual(elsewhere.heard.filter(isOfTab), before);
  assert.ok(own.heard.filter(isOfTab).length > 100, `${own.heard.length}`);
  desk.close();
});
