/**
 * The licences of all parts of others in what ships, in one text: of the crates that are linked into a program or into
 * the browser modules, with those of Rust's standard library, and of the npm packages of a bundle.
 *
 *   node web/licences.mjs FILE TARGET      those of the command line, built for TARGET, such as aarch64-apple-darwin
 */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { COMMAND_LINE, linkedCrates, spdx } from "./sbom.mjs";

const web = dirname(fileURLToPath(import.meta.url));
const read = (path) => readFileSync(join(web, path), "utf8").trim();

/** Files of a crate that say how it is licensed, those of code in it by others too. */
const IS_NOTICE = /(^|\/)(un)?(licen[cs]e|copying|copyright|notice)[^/]*(\/[^/]+)?$/i;
/** What is not linked, or is no text. */
const IS_OTHER = /(^|\/)(tests?|test_data|benches|examples)\/|\.(rs|c|h|py|toml|json)$/i;

/** The most characters of a file that only names licences or where they are. */
const ONLY_NAMED = 400;

/** The texts of licences for crates that bring none. `HOLDERS` stands for those who hold the rights. */
const STANDARD = {
  "Apache-2.0": read("../LICENSE"),
  MIT: read("licences/MIT.txt"),
  "MPL-2.0": read("licences/MPL-2.0.txt"),
};

/**
 * The texts of a crate's licences: its own, or else the standard text of one that it offers.
 * @throws Error if there is neither
 */
export function textsOf(crate) {
  const root = dirname(crate.manifest_path);
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
  const own = paths.filter((path) => IS_NOTICE.test(path) && !IS_OTHER.test(path)).sort();
  const texts = own.map((path) => readFileSync(join(root, path), "utf8").trim());
  if (texts.some((text) => text.length > ONLY_NAMED)) return texts;
  const name = `${crate.name} ${crate.version}`;
  const licence = Object.keys(STANDARD).find((known) => spdx(crate).split(" OR ").includes(known));
  if (!licence) throw new Error(`${name} has no text of its licence, ${spdx(crate)}: put that into web/licences`);
  return [...texts, STANDARD[licence].replace("HOLDERS", crate.authors.join(", ") || `the authors of ${crate.name}`)];
}

/** Rust's standard library and the crates in it, each with the texts of its licences, as Rust's own list has them. */
function standardLibrary() {
  const rust = (...what) => execFileSync("rustc", what, { cwd: web, encoding: "utf8" }).trim();
  const file = join(rust("--print", "sysroot"), "share/doc/rust/COPYRIGHT-library.html");
  if (!existsSync(file)) throw new Error(`${file} is missing: install Rust by rustup, which brings it`);
  const [about, ...crates] = readFileSync(file, "utf8").split(/<h3>\u{1f4e6} (?=.+<\/h3>)/u);
  const [, version] = rust("--version").split(" ");
  const own = plain(about.slice(about.indexOf("<h2 id"))).replaceAll(/\s*\n\s*/g, "\n");
  return [
    [`Rust's standard library ${version} (MIT OR Apache-2.0)`, [own, STANDARD["Apache-2.0"]]],
    ...crates.map((html) => {
      const [, name, version] = /^(.+?)-(\d\S*)<\/h3>/.exec(html);
      const licence = plain(/License:<\/b>(.*)<\/p>/.exec(html)[1]).trim();
      const texts = [...html.matchAll(/<pre>(.*?)<\/pre>/gs)].map(([, text]) =>
        plain(text).replace(/^\n+/, "").trimEnd(),
      );
      if (texts.length === 0) texts.push(STANDARD["Apache-2.0"]);
      return [`${name} ${version} (${licence})`, texts];
    }),
  ];
}

const plain = (html) =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&#(\d+);|&(amp|lt|gt|quot);/g, (_, code, name) =>
      code ? String.fromCodePoint(code) : { amp: "&", lt: "<", gt: ">", quot: '"' }[name],
    );

/** The licences of these crates and of the standard library that is linked with them, each text once. */
export function crateLicences(crates) {
  const named = crates.map((crate) => [`${crate.name} ${crate.version} (${spdx(crate)})`, textsOf(crate)]);
  const groups = new Map();
  for (const [name, texts] of [...named, ...standardLibrary()])
    for (const text of texts) {
      const group = groups.get(words(text)) ?? { names: new Set(), text };
      groups.set(words(text), group);
      group.names.add(name);
    }
  const about = "The source of each crate below is at https://crates.io/crates/NAME/VERSION.";
  return joined([about, ...[...groups.values()].map(({ names, text }) => `${[...names].join("\n")}\n\n${text}`)]);
}

/** The words of a text, which are the same however it is printed; without the form at the end of Apache's. */
const words = (text) =>
  text
    .toLowerCase()
    .replace(/end of terms and conditions\s+appendix:.*\[yyyy\] \[name of copyright owner\].*/s, "")
    .replaceAll("https:", "http:")
    .replaceAll(/[^a-z0-9]+/g, " ");

/** The licences of npm packages that are installed in a folder. */
export function packageLicences(folder, names) {
  const licenceOf = (name) => {
    const at = join(folder, "node_modules", name);
    const file = readdirSync(at).find((file) => /^licen[cs]e(\.|$)/i.test(file));
    if (!file) throw new Error(`the npm package ${name} has no text of its licence`);
    return `${name}\n\n${readFileSync(join(at, file), "utf8").trim()}`;
  };
  return joined(names.map(licenceOf));
}

const joined = (parts) => `${parts.join("\n\n---\n\n")}\n`;

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [file, target] = process.argv.slice(2);
  writeFileSync(file, crateLicences(linkedCrates(COMMAND_LINE, target)));
}
