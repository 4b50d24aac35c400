/**
 * The browser's leave to ask the wiki that the reader chose: for its host, and in Firefox also for the kind of data
 * that it is sent. Without it the wiki is not asked, even if it would answer.
 */

import { isBroad, patternOf } from "./sites.js";

/** Put in by build.mjs: the kinds of data that a wiki is sent, as Firefox names them; none in Chrome. */
declare const SENT_TO_WIKI: string[];

/** Permissions, with those of Firefox for kinds of data, which @types/chrome does not know. */
export interface Permissions {
  origins?: string[];
  data_collection?: string[];
}

/** The leave that a wiki needs for what it is sent, wherever it is. */
export const leaveToSend = (): Permissions => (SENT_TO_WIKI.length > 0 ? { data_collection: SENT_TO_WIKI } : {});

/** The leave to ask a wiki, which has the address of its api.php. */
export const leaveFor = (wiki: string) => ({ origins: [patternOf(wiki)], ...leaveToSend() });

/** Whether the browser lets this wiki be asked; "" is none. */
export async function mayAsk(wiki: string): Promise<boolean> {
  return wiki !== "" && (await chrome.permissions.contains(leaveFor(wiki)).catch(() => false));
}

/** Asks the reader for that through the browser, which allows it only within a click; false for a refusal. */
export const requestLeave = (wiki: string): Promise<boolean> =>
  chrome.permissions.request(leaveFor(wiki)).catch(() => false);

/** Whether this wiki needs a part of the leave that has come or gone; "" is none. */
export function concerns({ origins = [], data_collection = [] }: Permissions, wiki: string): boolean {
  if (wiki === "") return false;
  const needed: Required<Permissions> = { data_collection: [], ...leaveFor(wiki) };
  return (
    origins.some((pattern) => isBroad(pattern) || needed.origins.includes(pattern)) ||
    data_collection.some((kind) => needed.data_collection.includes(kind))
  );
}
