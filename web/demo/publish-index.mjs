/**
 * Puts the index of a Wikipedia beside a built demo and lists it there, if static hosts take it.
 *
 *   node web/demo/publish-index.mjs INDEX SITE      INDEX: dist/simplewiki, SITE: the folder of the demo
 */

import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve, sep } from "node:path";

/** What a site may have: GitHub Pages takes 1 GB, Cloudflare Pages 20,000 files of at most 25 MiB. */
const SITE_BYTES = 1_000_000_000;
const FILES = 20_000;
const FILE_BYTES = 25 << 20;

const NAMES = { simplewiki: "Simple English Wikipedia", enwiki: "English Wikipedia" };
const LICENCE = "CC-BY-SA-4.0";

const [index, site] = process.argv.slice(2).map((path) => resolve(path));
const wiki = basename(index);
const address = `${wiki}/`;

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const sizes = (files) => files.map((file) => statSync(file).size);
const sum = (sizes) => sizes.reduce((sum, size) => sum + size, 0);

const { passages } = JSON.parse(readFileSync(join(index, "manifest.json"), "utf8"));
const own = sizes(filesIn(index));
const place = join(site, wiki);
const all = [...sizes(filesIn(site).filter((file) => !file.startsWith(place + sep))), ...own];
for (const [what, found, most] of [
  ["bytes", sum(all), SITE_BYTES],
  ["files", all.length, FILES],
  ["bytes in its largest file", Math.max(...all), FILE_BYTES],
])
  if (found > most) {
    console.error(
      `error: ${site} would have ${found} ${what}, and static hosts take ${most}: serve ${index} elsewhere`,
    );
    process.exit(1);
  }

rmSync(place, { recursive: true, force: true });
cpSync(index, place, { recursive: true });
const list = join(site, "indexes.json");
const others = JSON.parse(readFileSync(list, "utf8")).filter((known) => known.address !== address);
const entry = { name: NAMES[wiki] ?? wiki, address, licence: LICENCE, passages, bytes: sum(own) };
writeFileSync(list, `${JSON.stringify([...others, entry], null, 2)}\n`);
console.log(`${wiki}: ${passages} passages, ${sum(own)} bytes in ${own.length} files; the site has ${sum(all)} bytes`);
