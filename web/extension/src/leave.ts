/**
 * The permission to read the pages that a text cites: asked for when the reader says so, for their hosts alone. What
 * was granted for one use is given back.
 */

import { isPrivateHost } from "../../package/src/sources/private-hosts.js";
import type { GiveBack } from "./messages.js";
import { loadPreferences } from "./preferences.js";
import { patternOf, sitePatterns } from "./sites.js";

export class Leave {
  /** The patterns of the pages' hosts. */
  #origins: string[];

  constructor(addresses: string[]) {
    this.#origins = patternsOf(addresses);
    void this.#leaveOutSites();
  }

  /**
   * Asks the reader through the browser, which allows that only within a click. Resolves to the patterns that were not
   * granted before, or null for a refusal.
   */
  async request(): Promise<string[] | null> {
    const origins = this.#origins;
    // The browser answers in order, so these say what was granted before the request.
    const holding = origins.map((pattern) => chrome.permissions.contains({ origins: [pattern] }).catch(() => true));
    const granted = origins.length === 0 || (await chrome.permissions.request({ origins }).catch(() => false));
    if (!granted) return null;
    const held = await Promise.all(holding);
    return origins.filter((_, at) => !held[at]);
  }

  /** Leaves out chatbots' sites, for the permission would turn them on; their pages are fetched without it. */
  async #leaveOutSites(): Promise<void> {
    const sites = sitePatterns((await loadPreferences()).hosts);
    this.#origins = this.#origins.filter((pattern) => !sites.includes(pattern));
  }
}

/** Has the background give back patterns; what else needs them keeps them. */
export function giveBack(origins: string[]): void {
  void chrome.runtime.sendMessage({ type: "give-back", origins } satisfies GiveBack).catch(() => undefined);
}

/** A host by its name. An address may have a "*" in it, which would stand for many hosts in a pattern. */
export const HOST = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/;

/** The patterns of these addresses. For a page by http also its host by https, to which most hosts redirect. */
function patternsOf(addresses: string[]): string[] {
  const patterns = addresses.flatMap((address) => {
    const url = URL.parse(address);
    if (!url || !/^https?:$/.test(url.protocol) || isPrivateHost(url.hostname)) return [];
    if (!HOST.test(url.hostname)) return [];
    return (url.protocol === "http:" ? ["http:", "https:"] : ["https:"]).map((protocol) =>
      patternOf(`${protocol}//${url.host}`),
    );
  });
  return [...new Set(patterns)];
}
