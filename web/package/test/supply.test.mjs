/** Where all that is built comes from: one registry each, by exact versions and hashes, under licences that allow it. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { crateLicences, textsOf } from "../../licences.mjs";
import {
  billOfMaterials,
  COMMAND_LINE,
  CRATES_IO,
  crateHashes,
  linkedCrates,
  lockedCrates,
  MODULES,
  WASM,
} from "../../sbom.mjs";

const text = (path) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");
const json = (path) => JSON.parse(text(path));

/** Licences whose terms a binary meets that names them. The crates under the MPL are not changed here. */
const ALLOWED = [
  ...["0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0"],
  ...["CDLA-Permissive-2.0", "ISC", "MIT", "MPL-2.0", "NCSA", "Unicode-3.0", "Unlicense", "Zlib", "bzip2-1.0.6"],
];

/** Whether one of the licences that an expression offers is allowed, and each of those that it adds. */
const isAllowed = (expression) =>
  expression.split(" AND ").every((part) =>
    part
      .replaceAll(/[()]/g, "")
      .split(" OR ")
      .some((licence) => ALLOWED.includes(licence)),
  );

test("every crate comes from crates.io, and its hash is locked", () => {
  const hashes = crateHashes();
  for (const { name, version, source } of lockedCrates().filter(({ source }) => source !== null)) {
    assert.equal(source, CRATES_IO, name);
    assert.ok(hashes.has(`${name} ${version}`), `${name} ${version}`);
  }
});

for (const folder of ["web", "web/demo/corpus", "tests/e2e", "tests/bench"])
  test(`every npm package of ${folder} has an exact version and a hash`, () => {
    const { devDependencies } = json(`${folder}/package.json`);
    for (const [name, version] of Object.entries(devDependencies)) assert.match(version, /^\d+\.\d+\.\d+$/, name);
    const { packages } = json(`${folder}/package-lock.json`);
    assert.deepEqual(packages[""].devDependencies, devDependencies);
    for (const [path, it] of Object.entries(packages)) {
      // npm leaves out those for other systems where it finds the packages installed, and refuses the lock file there.
      for (const name of Object.keys(it.optionalDependencies ?? {}))
        assert.ok(`${path}/node_modules/${name}` in packages || `node_modules/${name}` in packages, `${path}: ${name}`);
      if (!path.includes("node_modules/") || it.link) continue;
      assert.match(it.integrity ?? "", /^sha512-/, path);
      assert.match(it.resolved ?? "https://registry.npmjs.org/", /^https:\/\/registry\.npmjs\.org\//, path);
    }
  });

for (const file of ["tests/bench/requirements.txt", "crate/index/cluster/requirements.txt"])
  test(`every Python package of ${file} has an exact version and a hash`, () => {
    const lines = text(file).replaceAll("\\\n", "").split("\n");
    const packages = lines.filter((line) => line && !line.startsWith("#"));
    assert.ok(packages.length > 10);
    for (const line of packages) assert.match(line, /^[\w.-]+==[\w.]+( ;[^;]+?)?( +--hash=sha256:[0-9a-f]{64})+$/);
  });

test("what build.sh installs is locked", () => {
  for (const [command] of text("build.sh").matchAll(/^.*\b(?:npm|pip"?) (?:install|i|ci) .*$/gm))
    assert.match(command, /npm ci |--require-hashes /);
});

const { components } = billOfMaterials();

test("the bill of materials names what ships, each part under a licence that allows it", () => {
  const names = components.map(({ name }) => name);
  for (const name of ["burn", "tokenizers", "serde_json", "clap", "wasm-bindgen", "pdfjs-dist", "htmlparser2"])
    assert.ok(names.includes(name), name);
  for (const name of ["proptest", "libfuzzer-sys", "typescript", "esbuild"]) assert.ok(!names.includes(name), name);
  for (const { purl, licenses, hashes } of components) {
    assert.ok(isAllowed(licenses[0].expression), `${purl}: ${licenses[0].expression}`);
    assert.match(hashes[0].content, /^(\w{64}|\w{128})$/, purl);
  }
  assert.equal(new Set(components.map(({ purl }) => purl)).size, components.length);
});

for (const [what, shipped, target] of [
  ["the browser modules", MODULES, WASM],
  ["the command line of any target", COMMAND_LINE, "all"],
])
  test(`each crate in ${what} stands in their licences, above a text`, () => {
    const linked = linkedCrates(shipped, target);
    const parts = crateLicences(linked)
      .split("\n\n---\n\n")
      .slice(1)
      .map((part) => {
        const end = part.indexOf("\n\n");
        return { names: part.slice(0, end).split("\n"), text: part.slice(end).trim() };
      });
    const licensed = parts.filter(({ text }) => text.length > 400).flatMap(({ names }) => names);
    const named = new Set(licensed.map((name) => name.replace(/ \(.*/, "")));
    const listed = new Set(components.map(({ name, version }) => `${name} ${version}`));
    for (const crate of linked.map(({ name, version }) => `${name} ${version}`)) {
      assert.ok(named.has(crate), crate);
      assert.ok(listed.has(crate), crate);
    }
    const names = [...named].map((crate) => crate.split(" ")[0]);
    const own = shipped === MODULES ? ["wasm-bindgen", "wgpu", "html5gum"] : ["clap", "ring", "mimalloc"];
    for (const name of ["burn-tensor", "serde_json", "Rust's", "hashbrown", ...own])
      assert.ok(names.includes(name), name);
    for (const name of ["syn", "proptest", "evident-nn"]) assert.ok(!names.includes(name), name);
  });

test("a release's archive of the command line has the licences of its crates", () => {
  const lines = text(".github/workflows/release.yml")
    .split("\n")
    .map((line) => line.trim());
  const written = lines.findIndex((line) => line.startsWith('node web/licences.mjs "dist/release/$name/LICENSES.txt"'));
  assert.ok(written > 0 && written < lines.findIndex((line) => line.startsWith("tar -C dist/release")));
});

test("a crate without a text has the standard one of a licence that it offers, or is refused", () => {
  const crate = {
    name: "none",
    version: "1.0.0",
    authors: ["Ada"],
    manifest_path: fileURLToPath(new URL("../../demo/labels/Cargo.toml", import.meta.url)),
  };
  assert.match(textsOf({ ...crate, license: "Zlib OR MIT" })[0], /^MIT License\n\nCopyright \(c\) Ada\n\nPermission/);
  assert.match(textsOf({ ...crate, license: "MIT OR Apache-2.0" })[0], /^Apache License/);
  for (const license of ["Zlib", "MIT AND Zlib"])
    assert.throws(() => textsOf({ ...crate, license }), /none 1\.0\.0 has no text of its licence, /);
});
