/** The browser's leave to read the pages that a text cites: asked for when the reader says so, for their hosts alone. */

import { isPrivateHost } from "../../package/src/sources/private-hosts.js";
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
   * Asks the reader, by the browser, which takes that only in the click itself. Gives the patterns that were granted for
   * this alone, or null for a refusal.
   */
  async request(): Promise<string[] | null> {
    const origins = this.#origins;
    // The browser answers these two in turn: what is held is what was before.
    const holding = origins.map((pattern) => chrome.permissions.contains({ origins: [pattern] }).catch(() => true));
    const granted = origins.length === 0 || (await chrome.permissions.request({ origins }).catch(() => false));
    if (!granted) return null;
    const held = await Promise.all(holding);
    return origins.filter((_, at) => !held[at]);
  }

  /** Leave for a chatbot's site would turn it on: its pages are fetched without. */
  async #leaveOutSites(): Promise<void> {
    const sites = sitePatterns((await loadPreferences()).hosts);
    this.#origins = this.#origins.filter((pattern) => !sites.includes(pattern));
  }
}

/** A host by its name. In a pattern "*" would be many hosts, and an address may have it. */
const HOST = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/;

/** The patterns of these addresses. Of a page by http also its host's by https, where most hosts lead. */
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
