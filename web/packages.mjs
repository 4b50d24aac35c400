/**
 * Lays out the npm packages, ready to be packed and published, in a folder each: evident-check, evident-check-models
 * and evident-check-demo-index.
 *
 *   node web/packages.mjs [--out DIR]      DIR: dist/packages
 *
 * It needs what ./build.sh build makes. GITHUB_REPOSITORY, as owner/name, becomes the packages' repository, which npm
 * wants for provenance.
 */

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { integrityOf, PACK, published } from "./published.mjs";

const web = dirname(fileURLToPath(import.meta.url));
const root = join(web, "..");
const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "dist/packages") } } });
const out = resolve(values.out);
const index = join(root, "dist/demo/index");
const element = join(web, "package/dist/evident-check.js");
const read = (path) => readFileSync(join(root, path), "utf8");

const { pack: models, index: evidence } = published(index);
if (!evidence.hash || !existsSync(element) || !readFileSync(element, "utf8").includes(evidence.hash)) {
  console.error("the package was not built with this index: run ./build.sh build");
  process.exit(1);
}

const { GITHUB_REPOSITORY } = process.env;
/** What all three have in their package.json. */
const common = {
  type: "module",
  engines: { node: ">=20" },
  ...(GITHUB_REPOSITORY ? { repository: { type: "git", url: `git+https://github.com/${GITHUB_REPOSITORY}.git` } } : {}),
};

const own = JSON.parse(read("web/package/package.json"));
const evident = folder("evident-check", {
  ...own,
  ...common,
  peerDependencies: { [models.name]: models.version, [evidence.name]: evidence.version },
});
for (const name of own.files) cpSync(join(web, "package", name), join(evident, name), { recursive: true });
cpSync(join(root, "LICENSE"), join(evident, "LICENSE"));
writeFileSync(
  join(evident, "README.md"),
  read("web/package/README.md")
    .replaceAll("evident-check@VERSION", `evident-check@${own.version}`)
    .replaceAll("INTEGRITY", integrityOf(element, "sha384")),
);

const usage = (name, part) => `\`\`\`sh
npm install evident-check ${name}
\`\`\`

In a browser evident-check reads this version of the package from the CDN jsDelivr, and in Node what is installed,
unless you say otherwise. To serve it yourself, copy the folder \`${part}/\` to your host and give its address as
\`${part}\`. In Node, and where modules are served as they are, the package's export \`${part}\` is its address.
`;
data(models.name, "pack", {
  from: PACK,
  version: models.version,
  license: "Apache-2.0",
  description: "The models with which evident-check judges sentences",
  readme: (text) => `# The models of evident-check\n\n${usage(models.name, "pack")}\n${text.replace(/^# /, "## ")}`,
  card: read("models/embedded/README.md"),
  licence: read("LICENSE"),
});
data(evidence.name, "index", {
  from: index,
  version: evidence.version,
  license: "Apache-2.0 AND ODbL-1.0 AND CC-BY-4.0",
  description: "The demo's index of evident-check: short passages on many subjects, as evidence",
  readme: (text) =>
    `# The demo's index of evident-check\n\n${usage(evidence.name, "index")}\n${between(text, "## What is in it", "## Writing articles")}`,
  card: read("web/demo/corpus/README.md"),
  licence: `${read("web/demo/corpus/LICENSES.txt")}\n---\n\n${read("LICENSE")}`,
});

/** The part of a text from one heading up to another. */
function between(text, from, to) {
  const [start, end] = [text.indexOf(from), text.indexOf(to)];
  if (start < 0 || end < start) throw new Error(`the text has no part from "${from}" to "${to}"`);
  return text.slice(start, end);
}

/** A package of one folder of data, and a module that says where that is. */
function data(name, part, { from, version, license, description, readme, card, licence }) {
  const at = folder(name, {
    name,
    version,
    description,
    license,
    ...common,
    exports: {
      ".": { types: "./index.d.ts", default: "./index.js" },
      [`./${part}/*`]: `./${part}/*`,
      "./package.json": "./package.json",
    },
    files: ["index.js", "index.d.ts", part],
    sideEffects: false,
    keywords: ["evident-check", "fact-checking"],
  });
  cpSync(from, join(at, part), { recursive: true, filter: (path) => !path.endsWith("README.md") });
  // Bundlers take `new URL(.., import.meta.url)` for a file to copy, which a folder is not.
  writeFileSync(
    join(at, "index.js"),
    `const here = import.meta.url;\n\n/** The address of the folder, with its slash. */\nexport const ${part} = new URL("./${part}/", here).href;\n`,
  );
  writeFileSync(
    join(at, "index.d.ts"),
    `/** The address of the folder, with its slash. */\nexport declare const ${part}: string;\n`,
  );
  const text = readme(card).replaceAll(/\[([^\]]+)\]\(\.[^)]*\)/g, "$1"); // links within the repository
  writeFileSync(join(at, "README.md"), text);
  writeFileSync(join(at, "LICENSE"), licence);
}

/** An empty folder for a package, with its package.json. */
function folder(name, manifest) {
  const at = join(out, name);
  rmSync(at, { recursive: true, force: true });
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  return at;
}
