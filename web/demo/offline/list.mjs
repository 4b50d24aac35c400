/**
 * Writes the list of a built demo's files, files.json, with the hash of each, and the list's own hash into the service
 * worker, which reads the list. Run it again whenever a file changes.
 *
 *   node web/demo/offline/list.mjs [DIR]      DIR: dist/demo
 */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The most bytes of an index in a visitor's copy. Of a larger one the engine keeps the files that it used. */
const INDEX_BYTES = 64 << 20;

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("../../../dist/demo", import.meta.url)));
const worker = join(folder, "sw.js");
const listed = join(folder, "files.json");
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The pack's models that judge: one of them reads the evidence. */
const JUDGES = ["nli", "small"];
const readers = readersIn(join(folder, "pack/pack.json"));

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => file !== worker && file !== listed)
  .sort()
  .map((file) => {
    const bytes = readFileSync(file);
    const path = relative(folder, file).replaceAll(sep, "/");
    return [
      path,
      sha256(bytes),
      bytes.length,
      ...(path.startsWith("pack/") ? [readers(path.slice("pack/".length))] : []),
    ];
  });
const isShard = ([path]) => path.startsWith("index/") && path !== "index/manifest.json";
const tooLarge = files.filter(isShard).reduce((sum, [, , bytes]) => sum + bytes, 0) > INDEX_BYTES;
const list = JSON.stringify(tooLarge ? files.filter((file) => !isShard(file)) : files);

/**
 * Which of those models need a file of the pack: all of them, if no model names it; none, if only other models do. The
 * T5 and CONNER's models are kept once they were used.
 */
function readersIn(manifest) {
  const models = Object.entries(existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).models : {});
  const naming = (file, value) =>
    value === file ||
    (typeof value === "object" && value !== null && Object.values(value).some((part) => naming(file, part)));
  return (file) => {
    const found = models.filter(([, model]) => naming(file, model)).map(([name]) => name);
    return found.length
      ? JUDGES.filter((judge) => found.includes(models.some(([name]) => name === judge) ? judge : JUDGES[0]))
      : JUDGES;
  };
}

const [, ...code] = readFileSync(worker, "utf8").split("\n");
writeFileSync(listed, list);
writeFileSync(worker, [`const LIST = "${sha256(list)}";`, ...code].join("\n"));
