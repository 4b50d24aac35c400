/**
 * Builds the npm package into web/package/dist, with its element as one module for a script tag, and the demo into a
 * static folder of relative addresses.
 *
 *   node web/build.mjs [--out DIR]      DIR: dist/demo
 *
 * It needs a wasm module for the CPU in web/package/wasm, takes the others that are there, and the model pack in
 * models/embedded. The index, DIR/index, is left as it is; without it the package cannot hold the published index to
 * its hash.
 */

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { crateLicences, packageLicences } from "./licences.mjs";
import { load } from "./load.mjs";
import { pdfjs } from "./pdfjs.mjs";
import { integrityOf, PACK, published } from "./published.mjs";
import { linkedCrates, MODULES, WASM } from "./sbom.mjs";

const web = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({ options: { out: { type: "string", default: join(web, "../dist/demo") } } });
const out = resolve(values.out);
const dist = join(web, "package/dist");

for (const needed of [join(web, "package/wasm/cpu/evident_bg.wasm"), join(PACK, "pack.json")])
  if (!existsSync(needed)) {
    console.error(`${needed} is missing; ./build.sh build makes what this needs`);
    process.exit(1);
  }

const { version } = JSON.parse(readFileSync(join(web, "package/package.json"), "utf8"));
const options = {
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  external: ["./wasm/*", "./worker.js", "node:*"], // beside the worker, loaded when the backend is known
  define: { PUBLISHED: JSON.stringify(published(join(out, "index"))) },
  logLevel: "warning",
};

rmSync(dist, { recursive: true, force: true });
types("package");
const source = (file) => join(web, "package/src", file);
/** Modules that are fetched only for a page of HTML, a PDF or a signature. */
const LAZY = ["sources/page", "sources/pdf", "signature"];
const lazyFiles = LAZY.map((path) => `${basename(path)}.js`);
const external = [...options.external, ...lazyFiles.map((file) => `./${file}`)];
await build({
  ...options,
  external,
  entryPoints: ["index.ts", "element.ts", "node.ts"].map(source),
  splitting: true,
  outdir: dist,
});
const modules = ["cpu", "relaxed", "webgpu", "wiki"].map((name) => [
  name,
  integrityOf(join(web, `package/wasm/${name}/evident_bg.wasm`)) ?? "",
]);
await build({
  ...options,
  define: { WASM: JSON.stringify(Object.fromEntries(modules)), VERSION: JSON.stringify(version) },
  entryPoints: [source("worker.ts"), source("node-worker.ts")],
  outdir: dist,
});
await build({
  ...options,
  external,
  entryPoints: [source("element.ts")],
  minify: true,
  outfile: join(dist, "evident-check.js"),
});
for (const path of LAZY)
  await build({ ...options, plugins: [pdfjs], minify: true, entryPoints: [source(`${path}.ts`)], outdir: dist });
writeFileSync(
  join(dist, "LICENSES.txt"),
  packageLicences(web, ["htmlparser2", "entities", "pdfjs-dist", "@noble/hashes"]),
);
cpSync(join(web, "package/wasm"), join(dist, "wasm"), { recursive: true });
writeFileSync(join(dist, "wasm/LICENSES.txt"), crateLicences(linkedCrates(MODULES, WASM)));

types("demo");
types("demo/offline");
mkdirSync(out, { recursive: true });
await build({
  ...options,
  external: [...external, "./readers/*"],
  minify: true,
  entryPoints: ["main.ts", "label.ts", "label.css", "index-worker.ts"].map((file) => join(web, "demo", file)),
  outdir: out,
});
// Each is fetched when a file of its kind comes.
rmSync(join(out, "readers"), { recursive: true, force: true });
await build({
  ...options,
  minify: true,
  splitting: true,
  entryPoints: ["docx.ts", "html.ts", "epub.ts"].map((file) => join(web, "demo/readers", file)),
  outdir: join(out, "readers"),
});
writeFileSync(join(out, "readers/LICENSES.txt"), packageLicences(web, ["htmlparser2", "entities", "fflate"]));
const { pageColours } = await load(source("ui/colours.ts"));
const { READING } = await load(source("ui/reading-style.ts"));
const css = pageColours() + READING + readFileSync(join(web, "demo/style.css"), "utf8");
await build({ ...options, minify: true, stdin: { contents: css, loader: "css" }, outfile: join(out, "style.css") });
await build({
  ...options,
  format: "iife",
  minify: true,
  banner: { js: 'const LIST = "";' },
  entryPoints: [join(web, "demo/offline/sw.ts")],
  outdir: out,
});
for (const file of ["index.html", "label.html"]) writeFileSync(join(out, file), page(file));
for (const file of ["icon.svg", "widget.html", "indexes.json", "subjects.json"])
  cpSync(join(web, "demo", file), join(out, file));
for (const part of ["worker.js", "wasm", "evident-check.js", "LICENSES.txt", ...lazyFiles])
  replace(join(dist, part), join(out, part));
replace(PACK, join(out, "pack"));
cpSync(join(PACK, "README.md"), join(out, "card.txt")); // a name that every host sends as text

/** Checks the types of one folder; for the package this also writes its .d.ts files. */
function types(folder) {
  execFileSync(process.execPath, [join(web, "node_modules/typescript/bin/tsc"), "--project", join(web, folder)], {
    stdio: "inherit",
  });
}

/**
 * A page with the sample answers, as data that no markup in them can leave. The first is in its place from the start, so
 * that nothing moves when the script comes.
 */
function page(file) {
  const lines = readFileSync(join(web, "../tests/data/answers.jsonl"), "utf8").trim().split("\n");
  const samples = lines.map((line) => JSON.parse(line)).map(({ question, answer }) => ({ question, answer }));
  const data = JSON.stringify(samples).replaceAll("<", "\\u003c");
  const texts = { samples: data, question: escaped(samples[0].question), answer: escaped(samples[0].answer) };
  return readFileSync(join(web, "demo", file), "utf8").replace(/\{\{(\w+)\}\}/g, (_, name) => texts[name]);
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function replace(from, to) {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
}
