/**
 * The models and the index that are used where a caller names none: packages on npm, read from a CDN that serves every
 * version of every package.
 */

import { platform } from "./platform.js";
import type { PackModel } from "./protocol.js";

/** A package of data, as web/build.mjs finds it. */
interface Published {
  name: string;
  version: string;
  /** The SHA-256 of its manifest, which has those of all its other files, as the attribute `integrity` writes it. */
  integrity: string | null;
}

/** Put in by web/build.mjs. `bytes` is what judging fetches of the pack, by the model that reads the evidence. */
declare const PUBLISHED: { pack: Published & { bytes: { full: number; small: number } }; index: Published };

/** The file of each folder that names the others. */
const MANIFESTS = { pack: "pack.json", index: "manifest.json" } as const;

/**
 * The address of the folder `pack` or `index`: of the installed package where that can be known, which is in Node, and
 * else of this version of it on the CDN.
 */
export function publishedAddress(part: "pack" | "index"): string {
  const { name } = PUBLISHED[part];
  return platform.installed(`${name}/${part}/${MANIFESTS[part]}`) ?? onCdn(part);
}

/** The manifests on the CDN by address, with the hash that each must have. */
export function publishedIntegrity(): Record<string, string> {
  const parts = ["pack", "index"] as const;
  return Object.fromEntries(
    parts.flatMap((part) => {
      const { integrity } = PUBLISHED[part];
      return integrity ? [[`${onCdn(part)}${MANIFESTS[part]}`, integrity]] : [];
    }),
  );
}

/** Bytes that the first check fetches of the published models, of which that of this name reads the evidence. */
export function publishedBytes(model: PackModel): number {
  return PUBLISHED.pack.bytes[model === "small" ? "small" : "full"];
}

function onCdn(part: "pack" | "index"): string {
  const { name, version } = PUBLISHED[part];
  return `https://cdn.jsdelivr.net/npm/${name}@${version}/${part}/`;
}
