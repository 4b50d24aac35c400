/** The packages of data that evident-check uses by default: their names, versions, hashes and sizes. */

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const web = dirname(fileURLToPath(import.meta.url));
const json = (file) => JSON.parse(readFileSync(file, "utf8"));

/** The folder of the models. */
export const PACK = join(web, "../models/embedded");

/** What web/package/src/published.ts knows of them; `index` is the folder of the index, which may not be built yet. */
export function published(index) {
  const pack = json(join(PACK, "pack.json"));
  return {
    pack: {
      name: "evident-check-models",
      version: pack.version,
      hash: createHash("sha256")
        .update(readFileSync(join(PACK, "pack.json")))
        .digest("hex"),
      bytes: { full: bytesOf(pack, "nli"), small: bytesOf(pack, "small") },
    },
    index: {
      name: "evident-check-demo-index",
      version: json(join(web, "package/package.json")).version,
      hash: existsSync(join(index, "manifest.json")) ? json(join(index, "manifest.json")).checksum : null,
    },
  };
}

/** A file's hash as the attribute `integrity` writes it; null where there is no file. */
export function integrityOf(file, algorithm = "sha256") {
  if (!existsSync(file)) return null;
  return `${algorithm}-${createHash(algorithm).update(readFileSync(file)).digest("base64")}`;
}

/** Bytes of the files that a model of a pack is made of. */
function bytesOf({ files, models }, name) {
  const { config, tokenizer, weights } = models[name];
  const paths = [config, tokenizer, ...weights.map(({ path }) => path)];
  return files.filter(({ path }) => paths.includes(path)).reduce((sum, { bytes }) => sum + bytes, 0);
}
