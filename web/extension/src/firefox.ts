/**
 * Firefox's background page, which may start workers: the desk lives in it, and is there again when a port wakes the
 * page from its nap.
 */

import { attend, showBadge } from "./background.js";
import { Desk } from "./desk.js";
import { loadPreferences, orderOf } from "./preferences.js";

/** What @types/chrome does not know. */
declare const browser: { sidebarAction: { open(): Promise<void> } };

let desk: Desk | null = null;

attend({
  wake: async (order) => {
    desk ??= new Desk(order, showBadge);
  },
  restart: async () => {
    desk?.close();
    desk = null;
  },
  openPanel: () => browser.sidebarAction.open(),
});

chrome.runtime.onConnect.addListener((port) => {
  if (desk) return desk.connect(port);
  void loadPreferences().then((chosen) => (desk ??= new Desk(orderOf(chosen), showBadge)).connect(port));
});
