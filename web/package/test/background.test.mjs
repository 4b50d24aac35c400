/**
 * The extension's background with a browser that is a stand-in: which leave it gives back and when, when it has the
 * pages ask whether they are to be read, and whether the desk may ask a wiki.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../load.mjs";

/** An event of the browser's, which the test fires. */
function event() {
  const listeners = [];
  return {
    addListener: (listener) => listeners.push(listener),
    fire: (...told) => listeners.forEach((one) => one(...told)),
  };
}

/**
 * A background in a browser that has granted these origins and kinds of data, of a reader who has chosen this. `sent`
 * are the kinds of data that a wiki is sent.
 */
async function background({ origins = [], data = [], chosen = {}, sent = [] }) {
  const [returned, told, orders, styled] = [[], [], [], []];
  const [onInstalled, onStartup, onMessage, onChanged, onRemoved] = Array.from({ length: 5 }, event);
  globalThis.ADAPTERS = null; // nobody publishes any
  globalThis.SENT_TO_WIKI = sent;
  globalThis.chrome = {
    runtime: {
      id: "evident",
      getURL: (path) => `https://extension.example/${path}`,
      onInstalled,
      onStartup,
      onMessage,
    },
    permissions: {
      onAdded: event(),
      onRemoved,
      getAll: async () => ({ origins, data_collection: data }),
      contains: async (asked) =>
        asked.origins.every((one) => origins.includes(one)) &&
        (asked.data_collection ?? []).every((one) => data.includes(one)),
      remove: async (leave) => void returned.push(leave),
    },
    storage: { onChanged, local: { get: async (defaults) => ({ ...defaults, ...chosen }) } },
    tabs: {
      query: async () => [{ id: 7 }],
      sendMessage: async (id, { type }) => {
        told.push([id, type]);
        throw new Error("Receiving end does not exist"); // as of most tabs
      },
    },
    contextMenus: { removeAll: () => {}, onClicked: event() },
    action: { onClicked: event() },
    commands: { onCommand: event() },
    scripting: {
      unregisterContentScripts: async () => {},
      registerContentScripts: async () => {},
      insertCSS: async (style) => void styled.push(style),
    },
  };
  const { attend } = await load(fileURLToPath(new URL("../../extension/src/background.ts", import.meta.url)));
  let restarts = 0;
  attend({ wake: async (order) => void orders.push(order), restart: async () => void restarts++ });
  const settled = async () => {
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
  };
  return {
    onInstalled,
    onStartup,
    onChanged,
    onRemoved,
    /** What was given back since this was asked last. */
    given: async () => {
      await settled();
      return returned.splice(0);
    },
    /** What the pages were told since this was asked last. */
    told: () => told.splice(0),
    /** How often the desk was ended. */
    restarts: () => restarts,
    /** The style that a page has once it has said this. */
    styled: async (message, sender) => {
      onMessage.fire(message, { id: "evident", ...sender }, () => undefined);
      await settled();
      return styled.splice(0);
    },
    /** What a desk that is woken now is ordered. */
    ordered: async () => {
      onMessage.fire({ type: "wake" }, { id: "evident" }, () => undefined);
      await settled();
      return orders.at(-1);
    },
  };
}

test("leave that a fetch left behind is given back at install, start and a new desk; a site that is on stays so; pages hear of changes", async () => {
  const { onInstalled, onStartup, onChanged, onRemoved, given, told, restarts } = await background({
    origins: ["https://chatgpt.com/*", "https://iron.example/*"],
  });
  const left = [{ origins: ["https://iron.example/*"] }];
  assert.deepEqual(await given(), [], "nothing by itself: a panel may just have asked for it");
  onInstalled.fire({ reason: "update" });
  assert.deepEqual(await given(), left);
  onStartup.fire();
  assert.deepEqual(await given(), left);
  assert.deepEqual(told(), []);
  for (const change of [
    () => onChanged.fire({ hosts: {} }),
    () => onChanged.fire({ paused: {} }),
    () => onRemoved.fire({ origins: ["https://claude.ai/*"] }),
  ]) {
    change();
    assert.deepEqual(await given(), []);
    assert.deepEqual(told(), [[7, "site-changed"]]);
  }
  onChanged.fire({ index: {} });
  assert.deepEqual(await given(), left);
  assert.equal(restarts(), 1);
});

const WIKI = "https://wiki.example/w/api.php";
const [PATTERN, KIND] = ["https://wiki.example/*", "websiteContent"];

test("leave to ask the wiki that the reader chose is kept, and that of one that is no longer chosen given back", async () => {
  const granted = { origins: [PATTERN, "https://old.example/*"], data: [KIND], sent: [KIND] };
  const chosen = await background({ ...granted, chosen: { wiki: WIKI } });
  chosen.onChanged.fire({ wiki: {} });
  assert.deepEqual(await chosen.given(), [{ origins: ["https://old.example/*"] }]);
  assert.equal(chosen.restarts(), 1, "the next check asks the new wiki");
  const none = await background(granted);
  none.onChanged.fire({ wiki: {} });
  assert.deepEqual(await none.given(), [{ origins: granted.origins, data_collection: [KIND] }]);
});

test("a wiki is asked only while the browser allows its host, and what it is sent", async () => {
  const reader = { chosen: { wiki: WIKI, backend: "cpu" }, sent: [KIND] };
  const wikiOf = async (more) => (await (await background({ ...reader, ...more })).ordered()).wiki;
  assert.equal(await wikiOf({ origins: [PATTERN], data: [KIND] }), WIKI);
  assert.equal(await wikiOf({ origins: [PATTERN] }), "");
  assert.equal(await wikiOf({ data: [KIND] }), "");
  assert.equal(await wikiOf({ origins: [PATTERN], sent: [] }), WIKI, "as in Chrome, which knows no kinds of data");
  assert.equal(await wikiOf({ origins: [PATTERN], data: [KIND], chosen: {} }), "");

  const { onRemoved, restarts, given } = await background({ ...reader, origins: [PATTERN], data: [KIND] });
  for (const [removed, ended] of [
    [{ origins: ["https://iron.example/*"] }, 0],
    [{ origins: [PATTERN] }, 1],
    [{ origins: ["https://*/*"] }, 2],
    [{ origins: [], data_collection: [KIND] }, 3],
    [{ origins: [], data_collection: ["technicalAndInteraction"] }, 3],
  ]) {
    onRemoved.fire(removed);
    await given();
    assert.equal(restarts(), ended, JSON.stringify(removed));
  }
});

test("a page's marks get their style under the names that the page's script has drawn, and under no others", async () => {
  const { styled } = await background({});
  const prefix = `evident-${"0f".repeat(16)}-`;
  const page = { tab: { id: 7 }, frameId: 0 };
  const [{ target, css }] = await styled({ type: "style-marks", prefix }, page);
  assert.deepEqual(target, { tabId: 7, frameIds: [0] });
  assert.equal(css.match(/::highlight\(/g).length, 8);
  assert.equal(css.split(`::highlight(${prefix}`).length, 9);
  for (const bad of ["evident-", `${prefix}a) { } html { display: none } b(`, null])
    assert.deepEqual(await styled({ type: "style-marks", prefix: bad }, page), [], `${bad}`);
  assert.deepEqual(await styled({ type: "style-marks", prefix }, {}), [], "no page");
  assert.deepEqual(await styled({ type: "style-marks", prefix }, { ...page, id: "another" }), []);
});
