/**
 * Firefox's background page, which may start workers: the desk lives in it, and is made again when a port wakes the
 * page after the browser has ended it.
 */

import { attend, currentOrder, giveBack, showBadge } from "./background.js";
import { Desk } from "./desk.js";
import type { Order } from "./preferences.js";

/** What @types/chrome does not know. */
declare const browser: { sidebarAction: { open(): Promise<void> } };

let desk: Desk | null = null;

const make = (order: Order) =>
  new Desk(order, (message) => (message.type === "badge" ? showBadge(message) : void giveBack(message.origins)));

attend({
  wake: async (order) => {
    desk ??= make(order);
  },
  restart: async () => {
    desk?.close();
    desk = null;
  },
  openPanel: () => browser.sidebarAction.open(),
});

chrome.runtime.onConnect.addListener((port) => {
  if (desk) return desk.connect(port);
  void currentOrder().then((order) => (desk ??= make(order)).connect(port));
});
