/**
 * Signed packs and indexes. The signatures in tests/data/signed are minisign's own; those of hosts that change are by
 * OpenSSL.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../load.mjs";
import { keyPair, minisig } from "./minisign.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const fixture = (name) => readFileSync(at(`../../../tests/data/signed/${name}`));
const publicKey = (name) => fixture(name).toString().split("\n")[1];

let signature;
let signed;
let known;
before(async () => {
  [signature, signed, known] = await Promise.all(
    ["signature", "signed", "known"].map((name) => load(at(`../src/${name}.ts`))),
  );
});

const flipped = (bytes, bit) => {
  const changed = Buffer.from(bytes);
  changed[bit >> 3] ^= 1 << (bit & 7);
  return changed;
};

test("what minisign signed has its version, and nothing else has one", async () => {
  const { signedVersion, Unsigned } = signature;
  const version = (name, key = "key.pub") => signedVersion(publicKey(key), fixture("pack.json"), fixture(name));
  assert.equal(await version("version-7.minisig"), 7);
  assert.equal(await version("version-8.minisig"), 8);
  assert.equal(await version("dated.minisig"), 9);
  assert.equal(await version("other-key.minisig", "other.pub"), 7);
  for (const [name, message] of [
    ["no-version.minisig", /states no version/],
    ["two-versions.minisig", /states no version/],
    ["other-file.minisig", /does not hold/],
    ["other-key.minisig", /another key/],
    ["legacy.minisig", /legacy/],
    ["pack.json", /not one of minisign's/],
  ])
    await assert.rejects(version(name), (error) => error instanceof Unsigned && message.test(error.message), name);
});

test("no bit of file, signature and trusted comment can be changed", async () => {
  const { signedVersion, Unsigned } = signature;
  const [key, file, minisig] = [publicKey("key.pub"), fixture("pack.json"), fixture("version-7.minisig")];
  for (let bit = 0; bit < 8 * file.length; bit += 7)
    await assert.rejects(signedVersion(key, flipped(file, bit), minisig), Unsigned, `bit ${bit} of the file`);
  const from = minisig.indexOf("\n") + 1; // the first line is the untrusted comment, which says nothing
  for (let bit = 8 * from; bit < 8 * (minisig.length - 1); bit++)
    await assert.rejects(signedVersion(key, file, flipped(minisig, bit)), Unsigned, `bit ${bit} of the signature`);
});

test("a browser without Ed25519 is told apart", async (t) => {
  t.mock.method(crypto.subtle, "importKey", async () => {
    throw new DOMException("Algorithm: Unrecognized name", "NotSupportedError");
  });
  await assert.rejects(
    signature.signedVersion(publicKey("key.pub"), fixture("pack.json"), fixture("version-7.minisig")),
    signature.Unavailable,
  );
  const { publicKey: key, ...pair } = keyPair();
  host({ "pack.json": "{}", "pack.json.minisig": minisig(pair, "{}", "version:1") });
  await assert.rejects(hashes({ pack: key }), { name: "EvidentError", code: "signature-unavailable" });
});

// --- hosts -----------------------------------------------------------------------------------------------------------

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

const HOST = "https://host.example/";

/** From now on a host has these files, and no others. */
function host(files) {
  globalThis.fetch = async (address) => {
    const file = files[String(address).slice(HOST.length)];
    return file === undefined ? new Response(null, { status: 404 }) : new Response(file);
  };
}

/** Keeps versions as a caller may. */
function keeper() {
  const versions = new Map();
  return (name, version) => {
    versions.set(name, Math.max(version, versions.get(name) ?? 0));
    return versions.get(name);
  };
}

const hashes = (signedBy, { expected = {}, keepVersion = keeper(), index = HOST, ...rest } = {}) =>
  signed.signedHashes({ pack: HOST, index, expected }, { signedBy, keepVersion, ...rest });

const CHECKSUM = "ab".repeat(32);
const PACK = `{"name":"pack","checksum":"${CHECKSUM}"}`;
const INDEX = `{"format":3,"checksum":"${CHECKSUM}"}`;
const sha256 = (text) => createHash("sha256").update(text).digest("hex");

test("a signed pack and a signed index are held to what was signed", async () => {
  const [packs, indexes] = [keyPair(), keyPair()];
  host({
    "pack.json": PACK,
    "pack.json.minisig": minisig(packs, PACK, "version:3"),
    "manifest.json": INDEX,
    "manifest.json.minisig": minisig(indexes, INDEX, "version:5"),
  });
  const both = { pack: packs.publicKey, index: indexes.publicKey };
  assert.deepEqual(await hashes(both), { pack: sha256(PACK), index: CHECKSUM });
  assert.deepEqual(await hashes({ index: both.index }, { expected: { pack: CHECKSUM } }), {
    pack: CHECKSUM,
    index: CHECKSUM,
  });
  const refused = (signedBy, code, options) => assert.rejects(hashes(signedBy, options), { code }, code);
  await refused({ pack: both.index }, "pack-unsigned");
  await refused({ index: both.pack }, "index-unsigned");
  // What is expected holds beside a signature.
  await refused(both, "pack-unexpected", { expected: { pack: sha256(INDEX) } });
  await refused(both, "index-unexpected", { expected: { index: sha256(PACK) } });
  assert.deepEqual(await hashes(both, { expected: { pack: sha256(PACK), index: CHECKSUM } }), {
    pack: sha256(PACK),
    index: CHECKSUM,
  });
});

test("what is missing, too long, or no manifest is told by its code", async () => {
  const pair = keyPair();
  const signedBy = { pack: pair.publicKey };
  const refused = async (files, code, by = signedBy) => {
    host(files);
    await assert.rejects(hashes(by), { name: "EvidentError", code }, code);
  };
  const proof = minisig(pair, PACK, "version:3");
  await refused({ "pack.json": PACK }, "pack-unsigned");
  await refused({ "pack.json": PACK, "pack.json.minisig": "<!doctype html>" }, "pack-unsigned");
  await refused({ "pack.json": `${PACK} `, "pack.json.minisig": proof }, "pack-unsigned");
  await refused({ "pack.json.minisig": proof }, "pack-missing");
  await refused({ "pack.json": PACK, "pack.json.minisig": "x".repeat(20_000) }, "pack-corrupt");
  for (const [name, part] of [
    ["manifest.json", "index"],
    ["pack.json", "pack"],
  ])
    await refused({ [name]: "{}", [`${name}.minisig`]: minisig(pair, "{}", "version:3") }, `${part}-corrupt`, {
      [part]: pair.publicKey,
    });
  globalThis.fetch = async () => new Response(null, { status: 500 });
  await assert.rejects(hashes(signedBy), { code: "network" });
  globalThis.fetch = async () => Promise.reject(new TypeError("Failed to fetch"));
  await assert.rejects(hashes(signedBy), { code: "network" });
  await assert.rejects(hashes(signedBy, { signal: AbortSignal.abort() }), { code: "cancelled" });
});

test("a file that comes steadily is waited for, and a host that falls silent is given up", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const pair = keyPair();
  const files = { "pack.json": PACK, "pack.json.minisig": minisig(pair, PACK, "version:3") };
  /** From now on the host sends a byte of pack.json each ten seconds, and after so many no more. */
  const host = (most) => {
    globalThis.fetch = async (address, { signal }) => {
      if (address !== `${HOST}pack.json`) return new Response(files["pack.json.minisig"]);
      let sent = 0;
      const pull = async (controller) => {
        if (sent === PACK.length) return controller.close();
        do {
          await new Promise(setImmediate);
          t.mock.timers.tick(10_000);
        } while (sent === most && !signal.aborted);
        controller.enqueue(Buffer.from(PACK[sent++]));
      };
      return new Response(new ReadableStream({ pull }));
    };
  };
  host(Number.POSITIVE_INFINITY);
  assert.deepEqual(await hashes({ pack: pair.publicKey }), { pack: sha256(PACK) });
  host(10);
  const silent = { code: "network", message: /pack\.json.* sent nothing for 15 seconds/ };
  await assert.rejects(hashes({ pack: pair.publicKey }), silent);
});

test("a file that a cache has of before, or a host does not give at once, is asked for again past all caches", async () => {
  const pair = keyPair();
  const files = { "pack.json": PACK, "pack.json.minisig": minisig(pair, PACK, "version:3") };
  for (const stale of [() => new Response("{}"), () => new Response(null, { status: 503 })]) {
    const asked = [];
    globalThis.fetch = async (address, { cache }) => {
      const name = String(address).slice(HOST.length);
      asked.push(`${name} ${cache}`);
      return cache === "reload" || name !== "pack.json" ? new Response(files[name]) : stale();
    };
    assert.deepEqual(await hashes({ pack: pair.publicKey }), { pack: sha256(PACK) });
    assert.equal(asked.filter((one) => one.endsWith("reload")).length, 2);
  }
});

test("an older version at the same address is refused, and another key or address begins anew", async () => {
  const pair = keyPair();
  const keepVersion = keeper();
  const publish = (key, version) => host({ "pack.json": PACK, "pack.json.minisig": minisig(key, PACK, version) });
  const open = (key = pair) => hashes({ pack: key.publicKey }, { keepVersion });
  for (const version of ["version:7", "version:7", "version:9"]) {
    publish(pair, version);
    await open();
  }
  publish(pair, "version:8");
  await assert.rejects(open(), { code: "pack-rollback", message: /version 8, but version 9 was here before/ });
  const other = keyPair();
  publish(other, "version:1");
  await open(other);
  publish(pair, "version:10");
  await open();
});

test("without a place to keep versions the caller is told", async () => {
  const pair = keyPair();
  host({ "pack.json": PACK, "pack.json.minisig": minisig(pair, PACK, "version:3") });
  const notices = [];
  const signing = { signedBy: { pack: pair.publicKey }, onNotice: (notice) => notices.push(notice) };
  await signed.signedHashes({ pack: HOST, index: HOST, expected: {} }, signing);
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    ["not-kept"],
  );
});

test("the files of an index that was picked are held to their signature", async () => {
  const pair = keyPair();
  const files = (minisig) =>
    new Map([
      ["manifest.json", new Blob([INDEX])],
      ...(minisig ? [["manifest.json.minisig", new Blob([minisig])]] : []),
    ]);
  const open = (index) => hashes({ index: pair.publicKey }, { index });
  assert.deepEqual(await open(files(minisig(pair, INDEX, "version:3"))), { index: CHECKSUM });
  await assert.rejects(open(files()), { code: "index-unsigned" });
  await assert.rejects(open(files(minisig(keyPair(), INDEX, "version:3"))), { code: "index-unsigned" });
});

test("what is no public key is refused", () => {
  const { checkSignedBy } = known;
  checkSignedBy({ pack: publicKey("key.pub"), index: keyPair().publicKey });
  for (const wrong of [{ pack: "RW" }, { index: publicKey("key.pub").slice(1) }, { index: 3 }, { packs: "RW" }, null])
    assert.throws(() => checkSignedBy(wrong), { code: "bad-settings" });
});
