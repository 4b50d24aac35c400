/**
 * The command lines of the READMEs, copied and run as they stand: the command line, and the demo as a folder. And the
 * verbs of build.sh that documents and the workflow name.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { check, done, launch, REPOSITORY, sentences, visit } from "./browser.mjs";
import { EVIDENT, host } from "./host.mjs";
import { follow, snippets } from "./snippets.mjs";

const readme = (folder) => snippets(join(REPOSITORY, folder, "README.md"));
const env = { ...process.env, PATH: [dirname(EVIDENT), process.env.PATH].join(delimiter) };

/** Like the repository's folder, except for what the commands write. */
let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "evident-readme-"));
  for (const name of ["models", "build.sh", "web"]) await symlink(join(REPOSITORY, name), join(folder, name));
});
after(() => rm(folder, { recursive: true, force: true }));

test("the command line builds an index and verifies against it", async () => {
  const printed = follow(
    readme(".").filter(({ mark }) => mark === "run"),
    folder,
    env,
  );
  assert.match(printed, /The atomic number of carbon is 8\./);
  const report = JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
  assert.equal(report.question, "What is carbon?");
  assert.deepEqual(
    report.sentences.map(({ text, evidence }) => [text, evidence[0].id]),
    [["It has six protons.", "carbon"]],
  );
});

test("the demo is written to a folder, and works from there with another index, offline as well", async (t) => {
  const written = join(folder, "written");
  const steps = readme("web/demo").filter(({ mark }) => mark === "run");
  assert.equal(steps.length, 2);
  follow(
    steps.map((step) => ({
      ...step,
      code: step.code.replaceAll("DIR", written).replace("./build.sh", join(REPOSITORY, "build.sh")),
    })),
    folder,
    env,
  );
  const [browser, site] = await Promise.all([launch(), host({ folder: written })]);
  t.after(() => browser.close());
  const page = await visit(browser, site.url);
  await check(page, { answer: "Brakto is a village on the river Ool.", question: "", passages: 1 });
  await done(page);
  assert.equal((await sentences(page)).length, 1);
  await page.getByRole("button", { name: "Keep a copy for offline use" }).click();
  await page.locator("#offline", { hasText: "works offline" }).waitFor();
  await site.close();
  await page.reload();
  await check(page, { answer: "Brakto has 412 people.", question: "", passages: 1 });
  await done(page);
  assert.deepEqual(page.errors, []);
});

test("build.sh knows every verb that a document or the workflow names", async () => {
  const help = execFileSync("bash", [`${REPOSITORY}build.sh`, "help"], { encoding: "utf8" });
  for (const file of [
    "README.md",
    "CONTRIBUTING.md",
    "web/demo/README.md",
    "web/extension/README.md",
    "web/package/README.md",
    ".github/workflows/test.yml",
    ".github/workflows/pages.yml",
    ".github/workflows/simplewiki.yml",
    ".github/workflows/release.yml",
  ]) {
    const text = await readFile(join(REPOSITORY, file), "utf8");
    const verbs = [...text.matchAll(/\.\/build\.sh\s+(\w+)/g)].map(([, verb]) => verb);
    assert.ok(verbs.length > 0, file);
    for (const verb of verbs) assert.match(help, new RegExp(`^\\./build\\.sh ${verb}\\b`, "m"), file);
  }
});

test("the workflows name the actions of others by commit, for a tag can be moved", async () => {
  const folder = join(REPOSITORY, ".github/workflows");
  for (const file of await readdir(folder)) {
    const text = await readFile(join(folder, file), "utf8");
    for (const [, action] of text.matchAll(/\buses: *(\S.*)$/gm))
      assert.match(action, /^\.\/\.github\/|^[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, file);
  }
});

test("the workflow runs nothing but build.sh", async () => {
  const workflow = await readFile(join(REPOSITORY, ".github/workflows/test.yml"), "utf8");
  const runs = [...workflow.matchAll(/^\s*(?:- )?run: *(.*)$/gm)].map(([, command]) => command);
  assert.ok(runs.length >= 1);
  for (const command of runs) assert.match(command, /^\.\/build\.sh \w+/);
});
