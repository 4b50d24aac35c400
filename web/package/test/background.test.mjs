/**
 * The extension's background with a browser that is a stand-in: which leave it gives back and when, and when it has the
 * pages ask whether they are to be read.
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

test("leave that a fetch left behind is given back at install, start and a new desk; a site that is on stays so; pages hear of changes", async () => {
  const returned = [];
  const told = [];
  const held = ["https://chatgpt.com/*", "https://iron.example/*"];
  const [onInstalled, onStartup, onChanged, onRemoved] = [event(), event(), event(), event()];
  globalThis.ADAPTERS = null; // nobody publishes any
  globalThis.chrome = {
    runtime: { id: "evident", onInstalled, onStartup, onMessage: event() },
    permissions: {
      onAdded: event(),
      onRemoved,
      getAll: async () => ({ origins: held }),
      contains: async () => false,
      remove: async ({ origins }) => void returned.push(origins),
    },
    storage: { onChanged, local: { get: async (defaults) => defaults } },
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
    scripting: { unregisterContentScripts: async () => {} },
  };
  const { attend } = await load(fileURLToPath(new URL("../../extension/src/background.ts", import.meta.url)));
  let restarts = 0;
  attend({ restart: async () => void restarts++ });
  const given = async () => {
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
    return returned.splice(0);
  };
  assert.deepEqual(await given(), [], "nothing by itself: a panel may just have asked for it");
  onInstalled.fire({ reason: "update" });
  assert.deepEqual(await given(), [["https://iron.example/*"]]);
  onStartup.fire();
  assert.deepEqual(await given(), [["https://iron.example/*"]]);
  assert.deepEqual(told, []);
  for (const change of [() => onChanged.fire({ hosts: {} }), () => onChanged.fire({ paused: {} }), onRemoved.fire]) {
    change();
    assert.deepEqual(await given(), []);
    assert.deepEqual(told.splice(0), [[7, "site-changed"]]);
  }
  onChanged.fire({ index: {} });
  assert.deepEqual(await given(), [["https://iron.example/*"]]);
  assert.equal(restarts, 1);
});
