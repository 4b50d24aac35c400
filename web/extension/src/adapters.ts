/**
 * Adapters that were published after this version of the extension, for sites that have changed their pages. They are
 * data: selectors for sites of the table, which the key in this extension has signed. They are fetched when the reader
 * asks for them, and at no other time.
 */

import { signedVersion, Unsigned } from "../../package/src/signature.js";
import { type Selectors, siteById, TABLE } from "./sites.js";

/** Put in by build.mjs: where adapters are published, and the key that signs them; null where nobody publishes any. */
declare const ADAPTERS: { address: string; key: string } | null;

export const PUBLISHED = ADAPTERS;

/** Published adapters, by the ids of their sites. */
export interface Adapters {
  version: number;
  sites: Record<string, Selectors>;
}

/** Why adapters are not taken, for the reader. */
export class Refused extends Error {}

const MOST_BYTES = 64 << 10;
const MOST_CHARACTERS = 500;
/** How long a file may take to come. */
const PATIENCE_MS = 15_000;

/** The selectors by which a site is read in place of the table's; null for none, or for those of an older table. */
export function selectorsOf({ version, sites }: Adapters, id: string): Selectors | null {
  return version > TABLE && Object.hasOwn(sites, id) ? (sites[id] ?? null) : null;
}

/**
 * Fetches the published adapters.
 * @throws Refused, as a rejection, for any that cannot be had, are not signed, are older than those `before` or than the
 * table, or are no adapters.
 */
export async function fetchAdapters(
  { address, key }: NonNullable<typeof PUBLISHED>,
  before: Adapters,
  parses: (selector: string) => boolean,
): Promise<Adapters> {
  const [file, signature] = await Promise.all([read(address), read(`${address}.minisig`)]);
  const version = await signedVersion(key, file, signature).catch((error: unknown) => {
    if (error instanceof Unsigned) throw new Refused(`They are not signed by Evident's key: ${error.message}.`);
    throw new Refused(error instanceof Error ? error.message : String(error));
  });
  if (version < Math.max(before.version, TABLE))
    throw new Refused(`They are version ${version}, older than version ${Math.max(before.version, TABLE)} here.`);
  return { version, sites: sitesOf(file, parses) };
}

async function read(address: string): Promise<ArrayBuffer> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const why = () => (patience.aborted ? `: it took more than ${PATIENCE_MS / 1000} seconds` : "");
  const failed = () => Promise.reject(new Refused(`${address} could not be fetched${why()}.`));
  const response = await fetch(address, {
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal: patience,
  }).catch(failed);
  if (!response.ok) throw new Refused(`${address} could not be fetched: HTTP ${response.status}.`);
  const bytes = await response.arrayBuffer().catch(failed);
  if (bytes.byteLength > MOST_BYTES) throw new Refused(`${address} is not what it should be.`);
  return bytes;
}

/** The fields of a site's selectors: which may be null, and which are no selectors. */
const FIELDS: Record<keyof Selectors, { optional?: true; text?: true }> = {
  answer: {},
  question: {},
  streaming: { optional: true },
  except: { optional: true },
  asOf: { text: true },
};

/**
 * What a file of adapters says of the sites of the table, if it says nothing else: `{ "format": 1, "sites": { ID:
 * Selectors } }`. It may have sites that only a newer version knows.
 */
export function sitesOf(file: BufferSource, parses: (selector: string) => boolean): Adapters["sites"] {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(file));
  } catch {
    throw new Refused("They are no JSON.");
  }
  const { format, sites } = fieldsOf("the file", json, ["format", "sites"]);
  if (format !== 1) throw new Refused("They are of a format that this version does not know: update the extension.");
  const found = Object.entries(fieldsOf("sites", sites)).map(([id, row]): [string, unknown] => {
    const fields = fieldsOf(id, row, Object.keys(FIELDS));
    for (const [name, { optional, text }] of Object.entries(FIELDS)) {
      const value = fields[name];
      if (value === null && optional) continue;
      const isString = typeof value === "string" && value.trim() !== "" && value.length <= MOST_CHARACTERS;
      if (!isString || !(text || parses(value)))
        throw new Refused(`${id}: ${name} is no ${text ? "text" : "selector"}.`);
    }
    return [id, fields];
  });
  return Object.fromEntries(found.filter(([id]) => siteById(id) !== null)) as Adapters["sites"];
}

/** An object that has these fields and no others; any, if none are named. */
function fieldsOf(what: string, value: unknown, names?: readonly string[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Refused(`${what} is no object.`);
  const unknown = Object.keys(value).find((name) => names && !names.includes(name));
  if (unknown !== undefined) throw new Refused(`${what} has a field ${unknown}, which this version does not know.`);
  const missing = names?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) throw new Refused(`${what} has no field ${missing}.`);
  return value as Record<string, unknown>;
}

/** Whether a browser takes it for one selector, or a list of them, that is closed. */
export function parses(selector: string): boolean {
  try {
    document.createDocumentFragment().querySelector(selector);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${selector}{}`); // a parenthesis that is left open would take in the braces
    return sheet.cssRules.length === 1;
  } catch {
    return false;
  }
}
