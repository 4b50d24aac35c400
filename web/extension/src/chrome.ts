/**
 * Chrome's background: the desk lives in an offscreen document, for a service worker may start no worker and is ended
 * after half a minute without work.
 */

import { attend } from "./background.js";
import type { Order } from "./preferences.js";

const DESK = "offscreen.html";

/** The desk that is being made; two wakes at once make one. */
let making: Promise<void> | null = null;

attend({
  wake: (order) => (making ??= make(order).finally(() => (making = null))),
  restart: async () => {
    await making;
    if (await isThere()) await chrome.offscreen.closeDocument();
  },
  openPanel: ({ windowId }) => chrome.sidePanel.open({ windowId }),
});

/** Of the extension's APIs an offscreen document has only messages, so its options come with its address. */
async function make(order: Order): Promise<void> {
  if (await isThere()) return;
  await chrome.offscreen.createDocument({
    url: `${DESK}#${encodeURIComponent(JSON.stringify(order))}`,
    reasons: ["WORKERS"],
    justification: "Runs the models that check the text, in a worker",
  });
}

async function isThere(): Promise<boolean> {
  return (await chrome.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT"] })).length > 0;
}
