/**
 * How a pack's files come in: by connections that break, from hosts that fall silent or know no ranges, and into
 * browsers that have no room.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, PATIENCE_MS, serve, visit } from "./browser.mjs";
import { DEMO, filesOf, host, JUDGE, sealed } from "./host.mjs";

/** The file whose connections break: one of weights, and others come before it. */
const FILE = `pack/${filesOf(JUDGE).findLast((path) => path.endsWith(".safetensors"))}`;
/** As messages name it. */
const NAMED = FILE.slice("pack/".length).replaceAll(/[^\w/]/g, "\\$&");
const BYTES = readFileSync(join(DEMO, FILE));
const CUT = Math.floor(BYTES.length * 0.6);
const CORS = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "Range" };

let browser;
let site;
before(async () => {
  [browser, site] = await Promise.all([launch(), serve()]);
});
after(() => Promise.all([browser?.close(), site?.close()]));

/**
 * A host of the pack whose answers to requests of FILE are made by `answer(response, requests so far)`, or are as
 * always where that is undefined.
 */
async function hostOf(t, answer, headers = CORS) {
  const ranges = [];
  const it = await host({
    headers,
    alter: async (path, response) => {
      if (path !== FILE) return false;
      ranges.push(response.req.headers.range);
      return (await answer(response, ranges.length)) !== undefined;
    },
  });
  t.after(it.close);
  return { pack: `${it.url}pack/`, ranges };
}

/** Sends the start of a body that is announced whole, and breaks the connection. */
function breakOff(response, body = BYTES.subarray(0, CUT)) {
  response.writeHead(200, { "Content-Length": BYTES.length });
  return new Promise((done) => response.write(body, () => setTimeout(() => done(response.destroy()), 200))).then(
    () => true,
  );
}

/** Sends the start of a body that is announced whole, and nothing more. */
function fallSilent(response) {
  response.writeHead(200, { "Content-Length": BYTES.length }).write(BYTES.subarray(0, CUT));
  return true;
}

/** The byte that an open range begins with. */
const startOf = (range) => Number(/^bytes=(\d+)-$/.exec(range)[1]);

/**
 * Loads a pack by the npm package, in a page of its own; resolves to the progress and notices, and to the error if
 * there was one.
 */
async function load(t, pack, { prepare = async () => undefined, ...options } = {}) {
  const page = await visit(browser, `${site.url}widget.html`, { serviceWorkers: "block" });
  page.setDefaultTimeout(PATIENCE_MS);
  t.after(() => page.context().close());
  await prepare(page);
  const load = async (options) => {
    const { createVerifier } = await import("/package/index.js");
    const [progress, notices] = [[], []];
    const heard = { progress, notices };
    try {
      const verifier = await createVerifier({
        ...{ index: "index/", device: "cpu", ...options },
        onProgress: ({ stage, loaded, bytes }) => progress.push({ stage, share: loaded, ...bytes }),
        onNotice: (notice) => notices.push(notice),
      });
      const { memory } = verifier.footprint;
      verifier.dispose();
      return { ...heard, memory };
    } catch ({ code, message }) {
      return { ...heard, code, message };
    }
  };
  return page.evaluate(load, { pack, ...options });
}

function assertMonotone(progress) {
  const bytes = progress.filter(({ stage }) => stage === "pack");
  assert.ok(bytes.length > 2);
  let before = 0;
  for (const { loaded, total } of bytes) {
    assert.ok(before <= loaded && loaded <= total, `${loaded} after ${before}`);
    before = loaded;
  }
  const shares = progress.map(({ share }) => share);
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  );
  assert.equal(bytes.at(-1).loaded, bytes.at(-1).total);
}

test("a download that breaks at 60 % goes on from there", async (t) => {
  const { pack, ranges } = await hostOf(t, (response, number) => (number === 1 ? breakOff(response) : undefined));
  const { progress, notices, code, message, memory } = await load(t, pack);
  assert.equal(code, undefined, message);
  assert.equal(ranges.length, 2);
  const from = startOf(ranges[1]);
  assert.ok(from > 0 && from <= CUT, `${from} of ${CUT}`);
  assertMonotone(progress);
  assert.deepEqual(notices, []);
  t.diagnostic(
    `went on from ${from} of ${BYTES.length} bytes; wasm memory once loaded ${(memory / 1e6).toFixed(1)} MB`,
  );
});

test("where the host knows no ranges, it starts again", async (t) => {
  const { pack, ranges } = await hostOf(t, (response, number) => {
    if (number === 1) return breakOff(response);
    response.writeHead(200, { "Content-Length": BYTES.length }).end(BYTES);
    return true;
  });
  const { progress, code, message } = await load(t, pack);
  assert.equal(code, undefined, message);
  assert.equal(ranges.length, 2);
  assertMonotone(progress);
});

test("parts that do not make the file are fetched again as one", async (t) => {
  const { pack, ranges } = await hostOf(t, (response, number) => {
    if (number === 1) return breakOff(response);
    if (number > 2) return undefined;
    const start = startOf(response.req.headers.range);
    const end = { "Content-Range": `bytes ${start}-${BYTES.length - 1}/${BYTES.length}` };
    response.writeHead(206, end).end(Buffer.alloc(BYTES.length - start));
    return true;
  });
  const { code, message } = await load(t, pack);
  assert.equal(code, undefined, message);
  assert.deepEqual(ranges.slice(2), [undefined]);
});

test("a host that fails for a moment fails no file", async (t) => {
  const failed = new Set();
  const shard = /^index\/\w{64}\.bin$/;
  const it = await host({
    headers: CORS,
    async alter(path, response) {
      const isMeant = ["pack/pack.json", FILE, "index/manifest.json"].includes(path) || shard.test(path);
      if (!isMeant || failed.has(path)) return false;
      failed.add(path);
      response.writeHead(503).end();
      return true;
    },
  });
  t.after(it.close);
  const { code, message } = await load(t, `${it.url}pack/`, { index: `${it.url}index/` });
  assert.equal(code, undefined, message);
  assert.ok(failed.size >= 4, [...failed].join(" "));
});

test("a damaged pack.json is asked for again", async (t) => {
  let asked = 0;
  const it = await host({
    headers: CORS,
    async alter(path, response) {
      if (path !== "pack/pack.json" || ++asked > 1) return false;
      const bytes = readFileSync(join(DEMO, path));
      bytes[bytes.length - 40] ^= 1;
      response.end(bytes);
      return true;
    },
  });
  t.after(it.close);
  const { code, message } = await load(t, `${it.url}pack/`);
  assert.equal(code, undefined, message);
  assert.equal(asked, 2);
});

test("a pack or an index that is not the expected one is refused, though it is whole", async (t) => {
  const it = await host({
    headers: CORS,
    async alter(path, response) {
      if (path !== "pack/pack.json") return false;
      const manifest = JSON.parse(readFileSync(join(DEMO, path)));
      response.end(sealed({ ...manifest, calibration: { ...manifest.calibration, threshold_factual: 0.1 } }));
      return true;
    },
  });
  t.after(it.close);
  const json = (path) => JSON.parse(readFileSync(join(DEMO, path)));
  const pack = createHash("sha256")
    .update(readFileSync(join(DEMO, "pack/pack.json")))
    .digest("hex");
  const index = json("index/manifest.json").checksum;
  for (const [base, expected, code] of [
    ["pack/", { pack, index }, undefined],
    [`${it.url}pack/`, {}, undefined],
    [`${it.url}pack/`, { pack }, "pack-unexpected"],
    ["pack/", { index: pack }, "index-unexpected"],
  ])
    assert.equal((await load(t, base, { expected })).code, code, `${base} ${JSON.stringify(expected)}`);
});

test("bytes that arrive slowly are signs of life", async (t) => {
  const it = await host({
    async alter(path, response) {
      if (path !== "pack/pack.json") return false;
      const bytes = readFileSync(join(DEMO, path));
      response.writeHead(200, { "Content-Length": bytes.length });
      for (let start = 0; start < bytes.length; start += 2_000) {
        response.write(bytes.subarray(start, start + 2_000));
        await new Promise((later) => setTimeout(later, 700));
      }
      response.end();
      return true;
    },
  });
  t.after(it.close);
  const page = await visit(browser, it.url, { serviceWorkers: "block" });
  t.after(() => page.context().close());
  const heard = await page.evaluate(async () => {
    const here = (name) => new URL(name, location.href).href;
    const options = {
      pack: here("pack/"),
      models: {},
      index: here("index/"),
      expected: {},
      model: "small",
      backend: "cpu",
    };
    const worker = new Worker("worker.js", { type: "module" });
    const heard = [];
    await new Promise((done) => {
      worker.onmessage = ({ data }) => {
        heard.push(data.type === "progress" ? data.progress.stage : data.type);
        if (data.type === "opened" || data.type === "failed") done();
      };
      worker.postMessage({ type: "open", options, module: "cpu", shares: false });
    });
    return heard;
  });
  const before = heard.slice(0, heard.indexOf("pack"));
  assert.ok(before.filter((type) => type === "alive").length >= 2, heard.join(" "));
  assert.equal(heard.at(-1), "opened");
});

test("a host that always breaks off is given up", async (t) => {
  const { pack } = await hostOf(t, (response) => breakOff(response));
  const { code, message } = await load(t, pack);
  assert.equal(code, "network");
  assert.match(message, new RegExp(`${NAMED} could not be fetched`));
});

describe("a host that falls silent at 60 %", { concurrency: true }, () => {
  test("is asked for the rest", async (t) => {
    const { pack, ranges } = await hostOf(t, (response, number) => (number === 1 ? fallSilent(response) : undefined));
    const { progress, code, message } = await load(t, pack);
    assert.equal(code, undefined, message);
    assert.deepEqual(
      ranges.map((range) => range && startOf(range)),
      [undefined, CUT],
    );
    assertMonotone(progress);
  });

  for (const [what, again] of [
    ["before it answers", () => true],
    ["after it has answered", (response) => Boolean(response.writeHead(206).flushHeaders()) || true],
  ])
    test(`and again ${what} is given up`, async (t) => {
      const { pack, ranges } = await hostOf(t, (response, number) => (number === 1 ? fallSilent : again)(response));
      const { code, message } = await load(t, pack);
      assert.equal(code, "network");
      assert.match(message, new RegExp(`${NAMED} could not be fetched: the host sent nothing for \\d+ seconds`));
      assert.deepEqual(
        ranges.map((range) => range && startOf(range)),
        [undefined, CUT],
      );
    });
});

test("a file that is not the manifest's is refused, and what the browser keeps stays sound", async (t) => {
  const flipped = Buffer.from(BYTES);
  flipped[BYTES.length >> 1] ^= 1;
  const { pack } = await hostOf(t, (response) => {
    response.writeHead(200, { "Content-Length": BYTES.length }).end(flipped);
    return true;
  });
  let page;
  const { code, message } = await load(t, pack, { prepare: async (it) => void (page = it) });
  assert.equal(code, "pack-corrupt");
  assert.match(message, new RegExp(NAMED));
  const kept = await page.evaluate(async () => {
    const found = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(url);
    return found;
  });
  assert.ok(kept.length > 0 && !kept.some((url) => url.endsWith(FILE)), kept.join("\n"));
});

for (const [path, most, expected] of [
  ["pack/pack.json", 4 << 20, /^pack-/],
  [FILE, BYTES.length, /^pack-/],
  ["index/manifest.json", 1 << 20, /^index-/],
])
  test(`${path.replace(FILE, "weights")} without end is given up once it is longer than it may be`, async (t) => {
    let sent = 0;
    const it = await host({
      headers: CORS,
      alter: (asked, response) => {
        if (asked !== path) return false;
        let left = most;
        const more = () => {
          while (!response.destroyed) {
            sent += 1 << 16;
            left -= 1 << 16;
            const taken = response.write(Buffer.alloc(1 << 16, " "));
            // What is too long comes slowly, so that how much is sent tells how long it was read, not how fast.
            if (left < 0) return void setTimeout(more, 10);
            if (!taken) return void response.once("drain", more);
          }
        };
        response.writeHead(200);
        more();
        return true;
      },
    });
    t.after(it.close);
    const { code, message } = await load(t, `${it.url}pack/`, { index: `${it.url}index/` });
    assert.match(code ?? "", expected, message);
    // Three tries, and for each what the sockets hold and what comes until the browser hears of the end.
    assert.ok(sent < 3 * most + (24 << 20), `${sent} bytes were sent`);
  });

test("without room in the browser the pack is used all the same, and the page is told", async (t) => {
  const { pack } = await hostOf(t, () => undefined);
  const { notices, code, message } = await load(t, pack, {
    prepare: async (page) => {
      const cdp = await page.context().newCDPSession(page);
      await cdp.send("Storage.overrideQuotaForOrigin", { origin: new URL(site.url).origin, quotaSize: 1_000_000 });
    },
  });
  assert.equal(code, undefined, message);
  assert.ok(notices.length > 0);
  for (const { kind, message } of notices) {
    assert.equal(kind, "not-kept");
    assert.match(message, /safetensors.*the next visit fetches it again/);
  }
});
