/**
 * Fails where files of this folder import each other in a circle, types included, and says which.
 *
 *   node web/circles.mjs
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const web = dirname(fileURLToPath(import.meta.url));
const OURS = /^(?!.*(node_modules|dist|wasm)\/).*\.(ts|mjs)$/;
const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

const files = readdirSync(web, { recursive: true }).filter((file) => OURS.test(file));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** The files of ours that a file imports. TypeScript's are imported by the names that they are compiled to. */
function importsOf(file) {
  const source = readFileSync(join(web, file), "utf8").replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, "");
  const paths = [...source.matchAll(IMPORT)].map(([, path]) => resolve(web, dirname(file), path));
  return paths
    .map((path) => [path.replace(/\.js$/, ".ts"), path].find(existsSync))
    .filter((path) => path)
    .map((path) => relative(web, path));
}

/** Files from which no circle can be reached. */
const sound = new Set();

/** A circle that can be reached from a file, by the way of the files before it; null where there is none. */
function circleFrom(file, way = []) {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
  if (sound.has(file)) return null;
  for (const next of imports.get(file) ?? []) {
    const circle = circleFrom(next, [...way, file]);
    if (circle) return circle;
  }
  sound.add(file);
  return null;
}

const circle = files.map((file) => circleFrom(file)).find((found) => found);
if (circle) {
  console.error(`a circle of imports: ${circle.join(" -> ")}`);
  process.exit(1);
}
