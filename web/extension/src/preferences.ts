/** What the reader chose in the options. Which sites are on is not kept here: the browser's grants say that. */

import type { DeviceChoice } from "../../package/src/index.js";
import type { Settings } from "../../package/src/report.js";
import type { KnownIndex } from "../../package/src/ui/index-library.js";
import type { Adapters } from "./adapters.js";

/** Stands in the place of an index's address for the index of the reader's own files. */
export const OWN_FILES = "your files";

export interface Preferences {
  /** Address of the pack's directory; "" is the one in the extension. */
  pack: string;
  /** Address of the index's directory; "" is the one in the extension, OWN_FILES that of the reader's own files. */
  index: string;
  /** The SHA-256 that the pack at that address must have; "" for any. */
  packHash: string;
  /** The checksum that the index at that address must have; "" for any. */
  indexHash: string;
  /** The public key of minisign by which the pack at that address must be signed; "" for none. */
  packKey: string;
  /** The same of the index at that address. */
  indexKey: string;
  /** The address of the api.php of a wiki that is asked about what the index leaves open; "" for none. */
  wiki: string;
  backend: DeviceChoice;
  preset: Settings["preset"];
  /** Passages retrieved for each sentence; null: as many as the preset says. */
  evidence: number | null;
  /** A sentence counts as factual only from this probability on; null: as the pack says. */
  factualFrom: number | null;
  /** A sentence is flagged only below this probability; null: as the pack says. */
  unfactualBelow: number | null;
  /** The index of the reader's own files, if there is one: when it was made, in milliseconds since 1970. */
  ownFiles: { passages: number; bytes: number; made: number } | null;
  /** Indexes that the reader has named, beside those that come with the extension. */
  indexes: KnownIndex[];
  /** Self-hosted sites: the adapter's id by origin. */
  hosts: Record<string, string>;
  /** The ids of the adapters whose sites are on, but not read for the time being. */
  paused: string[];
  /** The adapters that the reader has fetched; of version 0 before that. */
  adapters: Adapters;
}

export const DEFAULTS: Preferences = {
  pack: "",
  index: "",
  packHash: "",
  indexHash: "",
  packKey: "",
  indexKey: "",
  wiki: "",
  backend: "auto",
  preset: "recommended",
  evidence: null,
  factualFrom: null,
  unfactualBelow: null,
  ownFiles: null,
  indexes: [],
  hosts: {},
  paused: [],
  adapters: { version: 0, sites: {} },
};

export async function loadPreferences(): Promise<Preferences> {
  return (await chrome.storage.local.get({ ...DEFAULTS })) as unknown as Preferences;
}

export async function savePreferences(changed: Partial<Preferences>): Promise<void> {
  await chrome.storage.local.set(changed);
}

/** The part of the preferences that the desk needs. */
export type Order = Omit<Preferences, (typeof LISTS)[number]>;

/** The preferences that the desk can do without. */
export const LISTS = ["hosts", "paused", "indexes", "adapters"] as const;

export function orderOf({ hosts: _, paused: __, indexes: ___, adapters: ____, ...order }: Preferences): Order {
  return order;
}
