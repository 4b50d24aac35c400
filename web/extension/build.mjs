/**
 * Builds the extension from one source: an unpacked folder and a zip for each browser.
 *
 *   node web/extension/build.mjs [--out DIR] [--browser chrome|firefox] [--grant PATTERN...]      DIR: dist/extension
 *                                [--adapters ADDRESS --adapters-key KEY]
 *
 * It needs what ./build.sh build makes: the worker and its wasm in web/package/dist, the pack, and the demo's index.
 * `--grant` is for tests, where nobody can be asked for a permission: these sites are granted from the start, and no
 * zip is written. `--adapters` is where newer adapters are published, by default on the Pages of GITHUB_REPOSITORY, and
 * `--adapters-key` the public key of minisign that signs them, by default ADAPTERS_KEY. Without both none are offered.
 */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { zipSync } from "fflate";
import { load } from "../load.mjs";
import { manifestFor, SENT_TO_WIKI } from "./manifest.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(root, "dist/extension") },
    browser: { type: "string", multiple: true, default: ["chrome", "firefox"] },
    grant: { type: "string", multiple: true, default: [] },
    adapters: { type: "string", default: pagesOf(process.env.GITHUB_REPOSITORY) },
    "adapters-key": { type: "string", default: process.env.ADAPTERS_KEY ?? "" },
  },
});
const out = resolve(values.out);
const { adapters: address, "adapters-key": key } = values;
const adapters = address && key ? { address, key } : null;
const dist = join(root, "web/package/dist");
const { version } = JSON.parse(readFileSync(join(root, "web/package/package.json"), "utf8"));

/** What goes in as it is, by its name in the extension; packs and indexes are data, all code is here. */
const PARTS = {
  "worker.js": join(dist, "worker.js"),
  "page.js": join(dist, "page.js"),
  "pdf.js": join(dist, "pdf.js"),
  "index-worker.js": join(root, "dist/demo/index-worker.js"), // makes an index of the reader's files
  readers: join(root, "dist/demo/readers"),
  wasm: join(dist, "wasm"),
  pack: join(root, "models/embedded"),
  index: join(root, "dist/demo/index"),
  "indexes.json": join(root, "web/demo/indexes.json"),
  "card.txt": join(root, "models/embedded/README.md"),
  icons: join(here, "icons"),
  "panel.html": join(here, "src/panel.html"),
  "options.html": join(here, "src/options.html"),
  "welcome.html": join(here, "src/welcome.html"),
  LICENSE: join(root, "LICENSE"),
  "LICENSES.txt": join(dist, "LICENSES.txt"), // of the packages that are bundled; wasm/ has those of the crates
  "LICENSES-index.txt": join(root, "web/demo/corpus/LICENSES.txt"),
};
for (const needed of Object.values(PARTS))
  if (!existsSync(needed)) {
    console.error(`${needed} is missing; ./build.sh build makes what this needs`);
    process.exit(1);
  }

const bundle = {
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  define: { ADAPTERS: JSON.stringify(adapters) },
  external: ["./page.js", "./pdf.js"], // read a cited page or PDF, when one comes
};
const source = (file) => join(here, "src", file);
const shared = (file) => join(root, "web/package/src/ui", file);
const { pageColours } = await load(shared("colours.ts"));

for (const browser of values.browser) {
  const folder = join(out, browser);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, from] of Object.entries(PARTS))
    cpSync(from, join(folder, name), { recursive: true, filter: (path) => !path.endsWith(".d.ts") });
  const pages = ["panel", "options", "welcome", ...(browser === "chrome" ? ["offscreen"] : [])];
  await build({
    ...bundle,
    define: { ...bundle.define, SENT_TO_WIKI: JSON.stringify(SENT_TO_WIKI[browser]) },
    entryPoints: [{ in: source(`${browser}.ts`), out: "background" }, ...pages.map((page) => source(`${page}.ts`))],
    outdir: folder,
  });
  await build({ ...bundle, format: "iife", entryPoints: [source("content.ts")], outdir: folder });
  if (browser === "chrome") cpSync(source("offscreen.html"), join(folder, "offscreen.html"));
  writeFileSync(join(folder, "page.css"), pageColours() + readFileSync(source("page.css"), "utf8"));
  writeFileSync(
    join(folder, "manifest.json"),
    `${JSON.stringify(manifestFor(browser, { version, granted: values.grant }), null, 2)}\n`,
  );
  if (values.grant.length > 0) continue;
  const zipped = zip(folder);
  writeFileSync(join(out, `evident-${browser}.zip`), zipped);
  console.log(`evident-${browser}.zip: ${(zipped.length / 1e6).toFixed(1)} MB`);
}

/** Where the Pages of a repository, as owner/name, have the adapters; "" for none. */
function pagesOf(repository = "") {
  const [owner, name] = repository.split("/");
  return owner && name ? `https://${owner.toLowerCase()}.github.io/${name}/adapters.json` : "";
}

/** The folder as a zip, the same bytes from the same files. */
function zip(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  const mtime = new Date(1980, 0, 2);
  return zipSync(Object.fromEntries(paths.map((path) => [relative(folder, path), [readFileSync(path), { mtime }]])), {
    level: 6,
  });
}
