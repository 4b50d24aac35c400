/** The index of a Wikipedia: built from a mirror of its dump, and put beside the demo. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { REPOSITORY } from "./browser.mjs";
import { EVIDENT, TARGET } from "./host.mjs";

const NAME = "simplewiki-19990101-pages-articles.xml.bz2";
/** A dump of an article and a redirect to it, compressed by bzip2. */
const DUMP = Buffer.from(
  "QlpoOTFBWSZTWSrFlHsAACVfgAAQWIH0Fx4i1Aq/793AMADtTQ0jUmJ6TJ6j0ExD1NPJDGkaCVTRmoCDIYExNGBNMgJQjVPU" +
    "DQ2iAAAAaaUAHDxLceqqEt0pmjBpSHAU8fdYIMQQ9SixFiJFqXuqzkkOWWkgjqKKBdMcWrMBmPZAi7jDzWUiKHSpXJ3cODYu" +
    "Eb8G4KkrYs88YAY6kNoZi0MfdNEAknmSqptYYUa/YLvMTBxgEyHgSrXYnIyFJaluO9MYJX3CBQhUkkJ2TR0Hw0NLUDJAiOFo" +
    "sQxVuIcXuw99aH0dFCQrilBwRYKS793BgsYcFDY40Z0KNlykJYBkP4u5IpwoSBViyj2A",
  "base64",
);

let scratch;
let index;
let site;

before(() => {
  scratch = mkdtempSync(join(tmpdir(), "evident-wiki-"));
  [index, site] = [join(scratch, "simplewiki"), join(scratch, "site")];
  for (const folder of ["mirror/simplewiki/latest", "mirror/simplewiki/19990101", "site"])
    mkdirSync(join(scratch, folder), { recursive: true });
  writeFileSync(join(scratch, "mirror/simplewiki/19990101", NAME), DUMP);
  writeFileSync(join(site, "indexes.json"), JSON.stringify([{ name: "Small", address: "index/" }]));
});
after(() => {
  rmSync(scratch, { recursive: true });
  for (const name of [NAME, "simplewiki-sha1sums.txt"]) rmSync(join(TARGET, "dumps", name), { force: true });
});

const list = (sha1) =>
  writeFileSync(join(scratch, "mirror/simplewiki/latest/simplewiki-latest-sha1sums.txt"), `${sha1}  ${NAME}\n`);
const run = (command, ...args) => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: REPOSITORY,
    encoding: "utf8",
    env: { ...process.env, DUMPS: pathToFileURL(join(scratch, "mirror")).href },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { status, said: stdout + stderr };
};
const build = () => run("bash", "build.sh", "index", "simplewiki", index);
const publish = () => run(process.execPath, "web/demo/publish-index.mjs", index, site);

test("what an index takes is said before its dump is fetched; a damaged one is fetched anew", () => {
  list("0".repeat(40));
  const failed = build();
  assert.notEqual(failed.status, 0);
  assert.match(failed.said, /is not the file that file:.* lists/);
  list(createHash("sha1").update(DUMP).digest("hex"));
  const { status, said } = build();
  assert.equal(status, 0, said);
  const order = [
    "fetches  0.1 GB from",
    "takes    0.1 GB for the dump",
    "about 1 min on two cores",
    "costs",
    "fetching",
  ];
  const places = order.map((text) => said.indexOf(text));
  assert.ok(
    places.every((place, at) => place > (places[at - 1] ?? -1)),
    said,
  );
  const [hit] = JSON.parse(run(EVIDENT, "index", "search", "--index", index, "--json", "Old Brakto").said).hits;
  assert.equal(hit.passage.source, "https://simple.example.org/wiki/Brakto");
});

test("beside the demo it is listed once, and a site that hosts refuse is not made", () => {
  for (const _ of [1, 2]) assert.equal(publish().status, 0);
  const [small, listed, ...more] = JSON.parse(readFileSync(join(site, "indexes.json"), "utf8"));
  assert.deepEqual([small.name, more], ["Small", []]);
  assert.deepEqual([listed.name, listed.address, listed.passages], ["Simple English Wikipedia", "simplewiki/", 1]);
  assert.deepEqual(readdirSync(join(site, "simplewiki")), readdirSync(index));

  for (const [name, bytes, reason] of [
    ["film.bin", 26 << 20, /bytes in its largest file/],
    ["films.bin", 1_000_000_000, /\d+ bytes, and static hosts take 1000000000/],
  ]) {
    writeFileSync(join(site, name), "");
    truncateSync(join(site, name), bytes);
    const { status, said } = publish();
    assert.equal(status, 1);
    assert.match(said, reason);
  }
});
