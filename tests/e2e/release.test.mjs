/** What a release is made of, as far as that can be tried without publishing anything. */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";
import { crateLicences } from "../../web/licences.mjs";
import { linkedCrates, MODULES, WASM } from "../../web/sbom.mjs";
import { REPOSITORY } from "./browser.mjs";

const read = (path) => readFileSync(join(REPOSITORY, path), "utf8");
const run = (command, args, env = {}) =>
  execFileSync(command, args, {
    cwd: REPOSITORY,
    encoding: "utf8",
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1 << 26,
  });
const { packages } = JSON.parse(run("cargo", ["metadata", "--no-deps", "--offline", "--format-version", "1"]));
const published = packages.filter(({ publish }) => publish === null);

test("six crates can be published, and each has what crates.io and its readers want", () => {
  assert.deepEqual(
    published.map(({ name }) => name).sort(),
    ["base", "corpus", "eval", "index", "nn", "verify"].map((name) => `evident-${name}`),
  );
  const version = /^version = "(.*)"$/m.exec(read("Cargo.toml"))[1];
  for (const { name, ...crate } of published) {
    assert.equal(crate.version, version, name);
    assert.ok(crate.description && crate.license, name);
    assert.ok(crate.keywords.length <= 5 && crate.keywords.every((word) => word.length <= 20), name);
    if (crate.readme) assert.ok(existsSync(join(dirname(crate.manifest_path), crate.readme)), name);
    for (const needed of crate.dependencies.filter(({ kind, path }) => path && kind !== "dev")) {
      assert.equal(needed.req, `^${version}`, `${name} needs ${needed.name}`);
      assert.ok(
        published.some((other) => other.name === needed.name),
        `${name} needs ${needed.name}`,
      );
    }
  }
});

test("every crate of the workspace is held to its lints", () => {
  for (const { name, manifest_path } of packages)
    assert.match(readFileSync(manifest_path, "utf8"), /^\[lints\]\nworkspace = true$/m, name);
});

test("a crate holds all that it includes", () => {
  for (const { name, manifest_path } of published) {
    const root = dirname(manifest_path);
    const held = new Set(
      run("cargo", ["package", "--list", "--allow-dirty", "--offline", "-p", name]).trim().split("\n"),
    );
    for (const file of ["Cargo.toml", "src/lib.rs"]) assert.ok(held.has(file), `${name}: ${file}`);
    for (const file of [...held].filter((path) => /^src\/.*\.rs$/.test(path) && !/\btests?\b/.test(path))) {
      const source = readFileSync(join(root, file), "utf8").split("#[cfg(test)]")[0];
      for (const [, path] of source.matchAll(/include_(?:str|bytes)!\("([^"]+)"\)/g)) {
        const from = relative(root, resolve(root, dirname(file), path));
        assert.ok(held.has(from), `${name}: ${file} includes ${from}`);
      }
    }
  }
});

test("npm packs the three packages as laid out, without what does not belong there", () => {
  const layout = join(REPOSITORY, "dist/packages");
  for (const name of readdirSync(layout)) {
    const [{ files, version }] = JSON.parse(
      run("npm", ["pack", "--dry-run", "--json", "--offline", join(layout, name)]),
    );
    assert.match(version, /^\d+\.\d+\.\d+$/);
    const paths = files.map(({ path }) => path);
    for (const file of ["README.md", "LICENSE", "package.json"]) assert.ok(paths.includes(file), `${name}: ${file}`);
    assert.deepEqual(
      paths.filter((path) => /(^|\/)(node_modules|src|test|examples)\/|\.tgz$|\.map$|(^|\/)\./.test(path)),
      [],
    );
    for (const entry of Object.values(JSON.parse(readFileSync(join(layout, name, "package.json"), "utf8")).exports))
      for (const path of typeof entry === "string" ? [entry] : Object.values(entry))
        if (!path.includes("*")) assert.ok(paths.includes(path.replace("./", "")), `${name}: ${path}`);
  }
});

test("what has the browser modules has the licences of their crates", () => {
  const licences = crateLicences(linkedCrates(MODULES, WASM));
  for (const folder of ["demo", "packages/evident-check/dist", "extension/chrome", "extension/firefox"])
    assert.equal(read(`dist/${folder}/wasm/LICENSES.txt`), licences, folder);
});

test("the archives of pack and index, and whatever has the index, say its sources and licences", () => {
  const data = run("bash", ["-c", 'source ./build.sh help >/dev/null && release_data && printf %s "$RELEASE_DATA"']);
  const laid = (path) => readFileSync(join(data, path), "utf8");
  const licences = read("web/demo/corpus/LICENSES.txt");
  for (const package_ of Object.keys(JSON.parse(read("web/demo/corpus/package.json")).devDependencies)) {
    assert.ok(licences.includes(`\n---\n\n${package_}\n\n`), package_);
    assert.match(laid("index/README.md"), new RegExp(`^\\| ${package_} \\| \\d`, "m"));
  }
  for (const text of [licences, read("LICENSE")]) assert.ok(laid("index/LICENSE").includes(text));
  assert.ok(existsSync(join(data, "index/manifest.json")));
  for (const browser of ["chrome", "firefox"])
    assert.equal(read(`dist/extension/${browser}/LICENSES-index.txt`), licences);
  assert.match(laid("pack/README.md"), /^## Licences and sources$/m);
  assert.equal(laid("pack/LICENSE"), read("LICENSE"));
  run("rm", ["-r", data]);
});

test("the packages name the repository that a workflow runs in, for provenance", () => {
  const out = join(REPOSITORY, "target/stamps/packages-of-a-repository");
  run(process.execPath, ["web/packages.mjs", "--out", out], { GITHUB_REPOSITORY: "someone/evident" });
  for (const name of readdirSync(out))
    assert.equal(
      JSON.parse(readFileSync(join(out, name, "package.json"), "utf8")).repository.url,
      "git+https://github.com/someone/evident.git",
    );
  run("rm", ["-r", out]);
});

test("a tag of another version makes no release", () => {
  const refused = (tag) => {
    try {
      run("bash", ["build.sh", "release"], { GITHUB_REF: `refs/tags/${tag}` });
    } catch ({ stderr }) {
      return stderr;
    }
    return assert.fail("it was released");
  };
  assert.match(refused("v99.0.0"), /the tag v99\.0\.0 is not the version/);
});

test("every file of a release has its hash", (t) => {
  const release = join(REPOSITORY, "dist/release");
  if (!existsSync(release)) return t.skip("./build.sh release has not been run");
  run("bash", ["build.sh", "release", "sums"]);
  const sums = read("dist/release/SHA256SUMS")
    .trim()
    .split("\n")
    .map((line) => line.split("  "));
  const files = readdirSync(release).filter((name) => !["SHA256SUMS", "SHA256SUMS.minisig", "NOTES.md"].includes(name));
  assert.deepEqual(sums.map(([, name]) => name).sort(), files.sort());
  for (const [sum, name] of sums)
    assert.equal(
      createHash("sha256")
        .update(readFileSync(join(release, name)))
        .digest("hex"),
      sum,
      name,
    );
});

test("the workflow publishes only with leave, and pins what it may do", () => {
  const workflow = read(".github/workflows/release.yml");
  const jobs = workflow.split(/^ {2}(?=[\w-]+:$)/m).slice(1);
  for (const job of jobs.filter((text) => /npm publish|cargo publish(?!.*--dry-run)/.test(text))) {
    assert.match(job, /if: vars\.PUBLISH == 'true'/);
    assert.match(job, /environment: release/);
    assert.match(job, /needs: draft/);
  }
  assert.match(workflow, /^permissions:\n {2}contents: read$/m);
  assert.match(workflow, /--provenance/);
  // What was built but not gathered is a file of no release.
  assert.match(workflow, /pattern: "\{files,cli-\*\}"\n {10}path: dist\/release/);
  // The only secret signs; what publishes has none.
  const secrets = jobs.flatMap((job) =>
    [...job.matchAll(/secrets\.(\w+)/g)].map(([, name]) => `${/^[\w-]+/.exec(job)} ${name}`),
  );
  assert.deepEqual(secrets, ["key MINISIGN_KEY", "files MINISIGN_KEY", "draft MINISIGN_KEY"]);
  // And nothing that was fetched runs in a step that has it, or before it in its job: that could read it.
  const pages = read(".github/workflows/pages.yml")
    .split(/^jobs:$/m)[1]
    .split(/^ {2}(?=[\w-]+:$)/m);
  const before = [];
  const commands = [...jobs, ...pages].flatMap((job) => {
    const steps = job.split(/^ {6}- /m).slice(1);
    const signing = steps.findIndex((step) => step.includes("secrets.MINISIGN_KEY"));
    if (signing < 0) return [];
    before.push(...steps.slice(0, signing).map((step) => /^(?:run|uses): (.*?)(?:@\w+ # .*)?$/m.exec(step)[1]));
    return [/^(?:id: key\n {8})?run: (?:\|\s+)?([\s\S]*?)\n {8}env:/.exec(steps[signing])?.[1].split(/\n\s+/)];
  });
  assert.deepEqual([...new Set(before)].sort(), [
    "actions/checkout",
    "actions/download-artifact",
    "sudo apt-get update -qq && sudo apt-get install -y -qq minisign",
  ]);
  assert.deepEqual(commands, [
    ["key=$(./build.sh release key)", 'echo "public=$key" >>"$GITHUB_OUTPUT"'],
    ["./build.sh release sign"],
    ["./build.sh release sums"],
    ["./build.sh adapters sign site"],
  ]);
});

test("each run of tests asks for advisories: those of today, else a copy, else it says that it skipped", () => {
  const tools = join(REPOSITORY, "target/stamps/advisories-tools");
  const [asked, copy] = [join(tools, "asked"), join(tools, "advisory-dbs/a")];
  const ask = (fails) => {
    run("rm", ["-f", asked]);
    const script = `#!/bin/sh\necho "$@" >>${asked}\ncase "$*" in ${fails}) exit 1 ;; esac\n`;
    writeFileSync(join(tools, "cargo"), script, { mode: 0o755 });
    const env = { ...process.env, PATH: `${tools}:/usr/bin:/bin`, CARGO_HOME: tools };
    const told = { cwd: REPOSITORY, encoding: "utf8", env };
    const { status, stdout } = spawnSync("bash", ["build.sh", "test", "advisories"], told);
    return [status, /^.*\d+ skipped \(/m.exec(stdout)[0], existsSync(asked) ? readFileSync(asked, "utf8") : ""];
  };
  const [fetch, check] = ["deny --locked fetch db\n", "deny --locked check --disable-fetch advisories\n"];
  run("rm", ["-rf", tools]);
  run("mkdir", ["-p", tools]);
  assert.deepEqual(ask("none"), [0, "0 passed, 0 failed, 1 skipped (", ""]);
  writeFileSync(join(tools, "cargo-deny"), "", { mode: 0o755 });
  assert.deepEqual(ask("none"), [0, "1 passed, 0 failed, 0 skipped (", fetch + check]);
  assert.deepEqual(ask("*check*"), [1, "0 passed, 1 failed, 0 skipped (", fetch + check]);
  assert.deepEqual(ask("*fetch\\ db"), [0, "0 passed, 0 failed, 1 skipped (", fetch]);
  run("mkdir", ["-p", copy]);
  assert.deepEqual(ask("*fetch\\ db"), [0, "1 passed, 0 failed, 0 skipped (", fetch + check]);
  run("rm", ["-r", tools]);
  // A workflow has a network, and is to fail without one.
  for (const workflow of ["test", "release"])
    assert.match(read(`.github/workflows/${workflow}.yml`), /^ {6}- run: \.\/build\.sh advisories$/m);
});

test("the steps that have the secret key run nothing but minisign, and without a key do nothing", () => {
  const tools = join(REPOSITORY, "target/stamps/release-tools");
  run("rm", ["-rf", tools]);
  run("mkdir", ["-p", tools]);
  // Any of these would end the step.
  for (const name of ["cargo", "node", "npm", "npx"])
    writeFileSync(join(tools, name), "#!/bin/sh\nexit 9\n", { mode: 0o755 });
  const env = { PATH: `${tools}:${process.env.PATH}`, MINISIGN_KEY: "" };
  for (const step of ["key", "sign"]) assert.equal(run("bash", ["build.sh", "release", step], env), "");
  run("bash", ["build.sh", "adapters", "sign", tools], env);
  assert.ok(!existsSync(join(tools, "adapters.json")));
  // A minisign that writes down what it is asked.
  const asked = join(tools, "asked");
  const script = `#!/bin/sh\n[ "$2" = -R ] && printf "one\\ntwo\\n" >"$6"\necho "$@" >>${asked}\n`;
  writeFileSync(join(tools, "minisign"), script, { mode: 0o755 });
  const signing = { ...env, MINISIGN_KEY: "untrusted comment\nsecret" };
  assert.equal(run("bash", ["build.sh", "release", "key"], signing).trim(), "two");
  assert.equal(run("bash", ["build.sh", "release", "sign"], signing), "");
  const signed = [...readFileSync(asked, "utf8").matchAll(/-m (\S+)/g)].map(([, path]) => path);
  assert.deepEqual(signed, [
    "dist/packages/evident-check-models/pack/pack.json",
    "dist/packages/evident-check-demo-index/index/manifest.json",
  ]);
  run("rm", ["-r", tools]);
});
