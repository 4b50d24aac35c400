/** Signed packs and indexes, in real Chromium and in Node: the host has minisign's files beside the demo's. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { keyPair, minisig } from "../../web/package/test/minisign.mjs";
import { launch, REPOSITORY, serve, visit } from "./browser.mjs";
import { DEMO, EVIDENT, indexOf } from "./host.mjs";

const PACK = "pack/pack.json";
const INDEX = "index/manifest.json";
const read = (path) => readFileSync(join(DEMO, path));

const pair = keyPair();
const signedBy = { pack: pair.publicKey, index: pair.publicKey };
/** The signatures that the host has now, by their paths. */
let signatures;
/** The folder of the index that the host has in place of the demo's, if there is one. */
let another;

/** Signs what the host has, as of these versions. */
function sign(pack, index) {
  signatures = {
    [`${PACK}.minisig`]: minisig(pair, read(PACK), `version:${pack}`),
    [`${INDEX}.minisig`]: minisig(
      pair,
      another ? readFileSync(join(another, "manifest.json")) : read(INDEX),
      `version:${index}`,
    ),
  };
}

let browser;
let site;
let home;
before(async () => {
  home = mkdtempSync(join(tmpdir(), "evident-signed-"));
  site = await serve((path) => {
    if (signatures[path]) return Buffer.from(signatures[path]);
    if (!another || !path.startsWith("index/")) return undefined;
    try {
      return readFileSync(join(another, path.slice("index/".length)));
    } catch {
      return 404;
    }
  });
  browser = await launch();
});
after(async () => {
  await Promise.all([browser?.close(), site?.close()]);
  if (home) rmSync(home, { recursive: true, force: true });
});

/** Opens a verifier in a page; gives the code that it fails with, or undefined. */
function opened(page, signedBy) {
  return page.evaluate(async (signedBy) => {
    const { createVerifier } = await import("/package/index.js");
    const options = { pack: "pack/", index: "index/", device: "cpu", threads: 1, signedBy };
    try {
      globalThis.verifier = await createVerifier(options);
    } catch ({ code, message }) {
      return code ?? message;
    }
  }, signedBy);
}

const dispose = (page) => page.evaluate(() => globalThis.verifier.dispose());
const sentences = (page, answer) =>
  page.evaluate(async (answer) => (await globalThis.verifier.verify(answer)).sentences, answer);

test("a page takes what is signed, remembers its version, and refuses an older one after a reload", async () => {
  sign(7, 7);
  const page = await visit(browser, `${site.url}widget.html`, { serviceWorkers: "block" });
  assert.equal(await opened(page, signedBy), undefined);
  await dispose(page);
  sign(8, 9);
  assert.equal(await opened(page, signedBy), undefined);
  await dispose(page);
  sign(7, 9);
  await page.reload();
  assert.equal(await opened(page, signedBy), "pack-rollback");
  sign(8, 8);
  assert.equal(await opened(page, signedBy), "index-rollback");
  assert.equal(await opened(page, { ...signedBy, index: keyPair().publicKey }), "index-unsigned");
  delete signatures[`${PACK}.minisig`];
  assert.equal(await opened(page, { pack: signedBy.pack }), "pack-unsigned");
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("a newer index in the place of the one that is open is taken if it is signed, and refused if not", async () => {
  sign(1, 1);
  const page = await visit(browser, `${site.url}widget.html`, { serviceWorkers: "block" });
  assert.equal(await opened(page, signedBy), undefined);
  // What is open has read nothing of the index but its directory.
  another = indexOf([{ id: 1, title: "Brakto", text: "Brakto is a village on the river Ool." }], home, "another");
  sign(1, 2);
  const [{ evidence }] = await sentences(page, "Brakto is a village on the river Ool.");
  assert.equal(evidence[0].title, "Brakto");
  await dispose(page);
  another = undefined;
  sign(1, 3);
  assert.equal(await opened(page, signedBy), undefined);
  another = indexOf([{ id: 1, title: "Brakto", text: "Brakto is a hill on the river Ool." }], home, "unsigned");
  await assert.rejects(sentences(page, "Brakto is a hill on the river Ool."), /manifest\.json is not signed by RW/);
  await page.context().close();
  another = undefined;
});

test("Node reads signed folders, by a store of the caller's", async () => {
  const { createVerifier } = await import(`${REPOSITORY}web/package/dist/node.js`);
  const index = join(home, "signed");
  cpSync(join(DEMO, "index"), index, { recursive: true });
  const versions = new Map();
  const keepVersion = (name, version) => {
    versions.set(name, Math.max(version, versions.get(name) ?? 0));
    return versions.get(name);
  };
  const open = async (version) => {
    writeFileSync(join(index, "manifest.json.minisig"), minisig(pair, read(INDEX), `version:${version}`));
    const options = { pack: join(DEMO, "pack"), index, model: "small", threads: 1, keepVersion };
    return createVerifier({ ...options, signedBy: { index: pair.publicKey } });
  };
  (await open(4)).dispose();
  await assert.rejects(open(3), { code: "index-rollback" });
  assert.equal(versions.size, 1);
});

test("the command line takes what is signed, and refuses an older version", () => {
  const [pack, index] = ["cli-pack", "cli-index"].map((name) => join(home, name));
  cpSync(join(DEMO, "pack"), pack, { recursive: true });
  cpSync(join(DEMO, "index"), index, { recursive: true });
  const keys = [keyPair(), keyPair()];
  const verify = (version) => {
    writeFileSync(join(pack, "pack.json.minisig"), minisig(keys[0], read(PACK), `version:${version}`));
    writeFileSync(join(index, "manifest.json.minisig"), minisig(keys[1], read(INDEX), `version:${version}`));
    const held = ["--pack-signed-by", keys[0].publicKey, "--index-signed-by", keys[1].publicKey];
    const data = ["--pack", pack, "--index", index, "--model", "small"];
    const env = { ...process.env, XDG_STATE_HOME: join(home, "state") };
    return spawnSync(EVIDENT, ["verify", ...data, ...held, "--json", "Iron is a metal."], { encoding: "utf8", env });
  };
  const { status, stdout, stderr } = verify(2);
  assert.equal(status, 0, stderr);
  assert.equal(JSON.parse(stdout).sources[0].hash, JSON.parse(read(INDEX)).checksum);
  assert.match(verify(1).stderr, /error\[index-rollback\]: .*version 2 was there before/);
  assert.equal(JSON.parse(verify(3).stdout).sentences.length, 1);
});
