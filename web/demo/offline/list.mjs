/**
 * Tells the service worker of a built demo which files the folder has, by the hash of each. Run it again whenever one changes.
 *
 *   node web/demo/offline/list.mjs [DIR]      DIR: dist/demo
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A visitor's copy has no index larger than this; of such a one the engine keeps the files that it has used. */
const INDEX_BYTES = 64 << 20;

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("../../../dist/demo", import.meta.url)));
const worker = join(folder, "sw.js");
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => file !== worker)
  .sort()
  .map((file) => {
    const bytes = readFileSync(file);
    return [relative(folder, file).replaceAll(sep, "/"), sha256(bytes), bytes.length];
  });
const isShard = ([path]) => path.startsWith("index/") && path !== "index/manifest.json";
const tooLarge = files.filter(isShard).reduce((sum, [, , bytes]) => sum + bytes, 0) > INDEX_BYTES;
const list = JSON.stringify(tooLarge ? files.filter((file) => !isShard(file)) : files);

const [, ...code] = readFileSync(worker, "utf8").split("\n");
writeFileSync(worker, [`const FILES = ${list}, VERSION = "${sha256(list).slice(0, 16)}";`, ...code].join("\n"));
