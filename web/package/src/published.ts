/**
 * The models and the index that are used where a caller names none: packages on npm, read from a CDN that serves every
 * version of every package.
 */

import { platform } from "./platform.js";
import type { Expected, PackModel } from "./protocol.js";

/** A package of data, as web/build.mjs finds it. */
interface Published {
  name: string;
  version: string;
  /** What it must have, as `Expected` has it; null where it was not there when this package was built. */
  hash: string | null;
}

/** Put in by web/build.mjs. `bytes` is what judging fetches of the pack, by the model that reads the evidence. */
declare const PUBLISHED: { pack: Published & { bytes: { full: number; small: number } }; index: Published };

/** The file of each folder that names the others. */
export const MANIFESTS = { pack: "pack.json", index: "manifest.json" } as const;

/**
 * The address of the folder `pack` or `index`: in Node that of the installed package, if there is one; else that of
 * this version on the CDN, which must have the hash that it had when this package was built.
 */
export function published(part: "pack" | "index"): { address: string; expected: Expected } {
  const { name, hash } = PUBLISHED[part];
  const installed = platform.installed(`${name}/${part}/${MANIFESTS[part]}`);
  if (installed) return { address: installed, expected: {} };
  return { address: onCdn(part), expected: hash ? { [part]: hash } : {} };
}

/** Bytes of the published models that the first check fetches if `model` reads the evidence. */
export function publishedBytes(model: PackModel): number {
  return PUBLISHED.pack.bytes[model === "small" ? "small" : "full"];
}

function onCdn(part: "pack" | "index"): string {
  const { name, version } = PUBLISHED[part];
  return `https://cdn.jsdelivr.net/npm/${name}@${version}/${part}/`;
}
