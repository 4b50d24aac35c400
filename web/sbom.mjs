/**
 * What a release is made of: every crate in the command line and the browser modules, and every npm package in the
 * bundles, with versions, licences and hashes, as a CycloneDX 1.6 bill of materials.
 *
 *   node web/sbom.mjs FILE
 */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");

/** What ships, as cargo names it: the command line, and the browser modules. */
export const COMMAND_LINE = [["-p", "evident"]];
export const MODULES = [
  ["-p", "evident-module", "--features", "cpu,relaxed-simd,threads,webgpu"],
  ["-p", "evident-wiki"],
];

/** The target of the browser modules. */
export const WASM = "wasm32-unknown-unknown";

/** The npm packages that are bundled; they have no dependencies that are not among them. */
const BUNDLED = ["@noble/hashes", "entities", "fflate", "htmlparser2", "pdfjs-dist"];

/** The registry that every crate comes from. */
export const CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index";

const read = (path) => readFileSync(join(ROOT, path), "utf8");

const cargo = (...arguments_) =>
  execFileSync("cargo", [...arguments_, "--locked"], { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28 });

/** Every crate of the lock file, or those for one target, as cargo describes them. */
export const lockedCrates = (target = "all") =>
  JSON.parse(cargo("metadata", "--format-version", "1", ...(target === "all" ? [] : ["--filter-platform", target])))
    .packages;

/** The SHA-256 of each crate by its name and version, as Cargo.lock has it. */
export function crateHashes() {
  const entry = /^name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(\w{64})"$/gm;
  const found = [...read("Cargo.lock").matchAll(entry)];
  return new Map(found.map(([, name, version, hash]) => [`${name} ${version}`, hash]));
}

/** The name and version of each crate in the trees of `shipped`, by the edges of `cargo tree`. */
function namesIn(shipped, target, edges) {
  const tree = (what) =>
    cargo("tree", "--edges", edges, "--prefix", "none", "--format", "{p}", "--target", target, ...what);
  return shipped.flatMap((what) => [...tree(what).matchAll(/^(\S+) v(\S+)/gm)].map(([, ...found]) => found.join(" ")));
}

/** The crates of others that have one of these names, in the order of their names. */
function othersOf(names, target) {
  const wanted = new Set(names);
  const others = lockedCrates(target).filter(({ name, version, source }) => source && wanted.has(`${name} ${version}`));
  return others.sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

/** The crates of others that ship or that build what ships. */
function shippedCrates() {
  const edges = "normal,build";
  return othersOf([...namesIn(COMMAND_LINE, "all", edges), ...namesIn(MODULES, WASM, edges)]);
}

/** The crates of others whose code is in what is built for this target. */
export const linkedCrates = (shipped, target) => othersOf(namesIn(shipped, target, "normal,no-proc-macro"), target);

/** The npm packages that are bundled, as the lock file has them. */
function bundledPackages() {
  const { packages } = JSON.parse(read("web/package-lock.json"));
  return BUNDLED.map((name) => ({ name, ...packages[`node_modules/${name}`] }));
}

/** The licence of each crate whose manifest only names a file, as that file has it. */
const IN_FILES = { "cfg_block 0.1.1": "Apache-2.0" };

/** A licence as SPDX writes it: crates once wrote "/" for "OR". */
export const spdx = ({ name, version, license }) =>
  (license ?? IN_FILES[`${name} ${version}`]).replaceAll(/\s*\/\s*/g, " OR ");

/** The bill of materials. */
export function billOfMaterials() {
  const hashes = crateHashes();
  const component = (type, it, alg, content) => {
    const { name, version } = it;
    const purl = `pkg:${type}/${name.replace("@", "%40")}@${version}`;
    const [licenses, hashes] = [[{ expression: spdx(it) }], [{ alg, content }]];
    return { type: "library", name, version, purl, "bom-ref": purl, licenses, hashes };
  };
  const { version } = JSON.parse(read("web/package/package.json"));
  const crates = shippedCrates().map((it) => component("cargo", it, "SHA-256", hashes.get(`${it.name} ${it.version}`)));
  const packages = bundledPackages().map((it) => {
    const hash = Buffer.from(it.integrity.slice("sha512-".length), "base64").toString("hex");
    return component("npm", it, "SHA-512", hash);
  });
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", name: "evident", version, "bom-ref": `evident@${version}` } },
    components: [...crates, ...packages],
  };
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  writeFileSync(process.argv[2], `${JSON.stringify(billOfMaterials(), null, 2)}\n`);
