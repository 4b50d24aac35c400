/**
 * A hosted index as the page reads it: by ranges where the host is honest, through the browser's cache, and over a
 * host's faults, of which each ends in the right passage or in a typed error.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { listen, staticFiles } from "../../web/serve.mjs";
import { launch, PATIENCE_MS, REPOSITORY, withSmallModel } from "./browser.mjs";
import { DEMO, indexOf } from "./host.mjs";
import { headers, snippets } from "./snippets.mjs";

const CACHE = "evident-index-1";
const MODELS = "evident-1";
const MANIFEST = "manifest.json";
const ORIGINS = join(REPOSITORY, "web/package/docs/origins.md");

/** So many passages that their texts stand in files of several chunks: only such files are read by ranges. */
const MANY = 56_000;
/** Text that does not shrink, in a field that is not searched: it makes the files large. */
const filler = (number) =>
  Array.from({ length: 45 }, (_, at) => Math.imul(number * 45 + at + 1, 0x9e3779b1) >>> 0)
    .map((word) => word.toString(36))
    .join("-");
/** Passages of an index that is too large to be read whole. */
const FEW = 4_000;
const village = (number) => ({
  id: `${number}`,
  title: `Village ${number}`,
  text: `Village zq${number} has ${number} people.`,
  source: `https://example.org/${filler(number)}`,
});

/**
 * Ten words that each stand in two passages of five: a claim that has them all is more than a limited search can prove.
 */
const METALS = ["iron", "tin", "zinc", "lead", "gold", "silver", "copper", "nickel", "cobalt", "chrome"];
/** `seed` as a draw from [0, 1), the same in every run (mulberry32's mixing). */
function draw(seed) {
  let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const ore = (number) => {
  const held = METALS.filter((_, at) => draw(number * 11 + at + 1) < 0.4);
  return {
    id: `${number}`,
    title: "Ore",
    text: `Ore of ${held.join(" ")}.${" Rock.".repeat(draw(number * 11 + 11) * 30)}`,
  };
};
const claim = (number) => `Village zq${number} has ${number} people.`;

let scratch;
let browser;
let site;
let folders;
let page;

before(async () => {
  scratch = mkdtempSync(join(tmpdir(), "evident-index-"));
  folders = {
    large: indexOf(
      Array.from({ length: MANY }, (_, number) => village(number)),
      scratch,
      "large",
    ),
    ores: indexOf(
      Array.from({ length: 30_000 }, (_, number) => ore(number)),
      scratch,
      "ores",
    ),
    small: indexOf(
      Array.from({ length: FEW }, (_, number) => village(number)),
      scratch,
      "small",
    ),
    newer: indexOf(
      Array.from({ length: FEW }, (_, number) => ({
        ...village(number),
        id: `new-${number}`,
        text: `${claim(number)} It is new.`,
      })),
      scratch,
      "newer",
    ),
  };
  [browser, site] = await Promise.all([launch(), serve()]);
  page = await visit();
});
after(async () => {
  await Promise.all([browser?.close(), site?.close()]);
  if (scratch) rmSync(scratch, { recursive: true, force: true });
});
afterEach(async () => {
  site.fault = () => false;
  await page.evaluate((name) => caches.delete(name), CACHE);
});

/**
 * The package, the pack and the index that `show` chose, on one origin. `fault(path, request, response)` may answer for
 * the index by returning true; `log` has what was asked of it, as "path" or "path range".
 */
async function serve() {
  const [packaged, demo] = [staticFiles(join(REPOSITORY, "web/package/dist")), staticFiles(DEMO)];
  const site = { log: [], fault: () => false, folder: undefined };
  const { server, url } = await listen(async (request, response) => {
    const [, place, path] = /^\/(package|index)\/(.*)$/.exec(request.url) ?? [];
    if (request.url === "/")
      return response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>Index</title>");
    if (!place) return demo(request, response);
    request.url = `/${path}`;
    if (place === "package") return packaged(request, response);
    site.log.push(request.headers.range ? `${path} ${request.headers.range}` : path);
    if (await site.fault(path, request, response)) return;
    // Past the browser's HTTP cache, so that the log shows what ours lacked.
    const { writeHead } = response;
    response.writeHead = (status, headers) =>
      writeHead.call(response, status, { ...headers, "Cache-Control": "no-store" });
    await staticFiles(site.folder)(request, response);
  }, 0);
  server.unref();
  site.url = url;
  site.show = (folder) => {
    site.folder = folder;
    site.log = [];
  };
  site.close = () => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  };
  return site;
}

async function visit(url = site.url) {
  const context = await withSmallModel(await browser.newContext());
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/**
 * Opens a verifier, judges each claim, and gives the ids of the best passages, or the code of the error. By then all
 * that is to be cached has been written.
 */
async function ask(numbers, options = {}, from = page) {
  return from.evaluate(
    async ([claims, options, name]) => {
      const { createVerifier } = await import("/package/index.js");
      const kept = async () => (await (await caches.open(name)).keys()).length;
      let verifier;
      try {
        verifier = await createVerifier({ pack: "/pack/", index: "/index/", device: "cpu", ...options });
        const best = [];
        for (const claim of claims) {
          const { sentences } = await verifier.verify(claim, { settings: { evidence: 1, claimsOnly: false } });
          best.push(sentences[0]?.evidence[0]?.id);
        }
        // The cache is written behind the answer, on a busy machine a good while.
        for (let [before, now] = [-1, await kept()]; now !== before; [before, now] = [now, await kept()])
          await new Promise((done) => setTimeout(done, 500));
        return best;
      } catch ({ code }) {
        return code;
      } finally {
        verifier?.dispose();
      }
    },
    [numbers.map(claim), options, CACHE],
  );
}

/** What the cache of indexes holds: path with query, and bytes. */
function kept(from = page) {
  return from.evaluate(async (name) => {
    const cache = await caches.open(name);
    const entry = async (request) => ({
      path: request.url.replace(/^.*\/index\//, ""),
      bytes: (await (await cache.match(request)).arrayBuffer()).byteLength,
    });
    return Promise.all((await cache.keys()).map(entry));
  }, CACHE);
}

const sum = (entries) => entries.reduce((total, { bytes }) => total + bytes, 0);
const ranges = () => site.log.filter((entry) => entry.includes(" "));
const wholes = () => site.log.filter((entry) => !entry.includes(" ") && entry !== MANIFEST);
const isShard = (path) => path !== MANIFEST;

/** Sends `body` as the answer. */
function send(response, status, headers, body) {
  response
    .writeHead(status, { "Content-Type": "application/octet-stream", "Content-Length": body.length, ...headers })
    .end(body);
  return true;
}

/** Says how long `body` is, sends the start of it, and ends the connection. */
function breakOff(response, body) {
  response.writeHead(200, { "Content-Length": body.length }).write(body.subarray(0, 9), () => response.destroy());
  return true;
}

/** The bytes that a range asks for, and its first and last. */
async function asked(path, request) {
  const bytes = await readFile(join(site.folder, path));
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range).map(Number);
  return { bytes, first, last, part: bytes.subarray(first, last + 1) };
}

test("a search keeps to its limit and says that it did, unless it is to be exact", async () => {
  const all = `The ore holds ${METALS.join(", ")}.`;
  site.show(folders.ores);
  const searches = await page.evaluate(async (claim) => {
    const { createVerifier } = await import("/package/index.js");
    const reports = {};
    for (const [name, settings] of Object.entries({
      limited: { search: 100_000 },
      more: { search: 400_000 },
      exact: { search: "exact" },
    })) {
      const verifier = await createVerifier({ pack: "/pack/", index: "/index/", device: "cpu" });
      const { sentences, traffic } = await verifier.verify(claim, { settings });
      reports[name] = { traffic, bound: sentences[0].bm25Bound, found: sentences[0].evidence.map(({ bm25 }) => bm25) };
      verifier.dispose();
    }
    return reports;
  }, all);
  const { limited, more, exact } = searches;
  assert.ok(limited.traffic.bytes <= 100_000 && limited.bound !== null, JSON.stringify(searches));
  assert.ok(more.traffic.bytes <= 400_000 && more.bound < limited.bound, JSON.stringify(searches));
  assert.ok(exact.traffic.bytes > 0 && exact.bound === null, JSON.stringify(searches));
  assert.ok(
    exact.found.every((bm25) => bm25 <= limited.bound || limited.found.includes(bm25)),
    JSON.stringify(searches),
  );

  await page.evaluate(async (claim) => {
    await import("/package/element.js");
    const attributes = { pack: "/pack/", index: "/index/", device: "cpu", auto: "" };
    const element = Object.assign(document.createElement("evident-check"), {
      textContent: claim,
      settings: { search: 100_000 },
    });
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    document.body.replaceChildren(element);
  }, all);
  const element = page.locator("evident-check");
  await element.locator(".widget[aria-busy=false] .sentence-button").click();
  const evidence = element.getByRole("group", { name: "Evidence" });
  await evidence.getByText("Details", { exact: true }).click();
  assert.match(await evidence.innerText(), /kept to its limit/);
});

describe("ranges", () => {
  test("are read where the host serves them, kept, and not asked for by a later session", async () => {
    site.show(folders.large);
    assert.deepEqual(await ask([4321, 17]), ["4321", "17"]);
    assert.ok(ranges().length >= 2, site.log.join("\n"));
    const bytes = ranges()
      .map((entry) => /=(\d+)-(\d+)$/.exec(entry))
      .reduce((total, [, first, last]) => total + Number(last) - Number(first) + 1, 0);
    const files = await Promise.all(ranges().map((entry) => readFile(join(folders.large, entry.split(" ")[0]))));
    assert.ok(bytes < sum(files.map(({ length }) => ({ bytes: length }))) * 0.8, "less than their files");
    assert.ok((await kept()).some(({ path }) => path.includes("?bytes=")));

    site.show(folders.large);
    assert.deepEqual(await ask([17, 4321]), ["17", "4321"]);
    assert.deepEqual(site.log, [MANIFEST]);
  });

  for (const exposed of [true, false])
    test(`of another origin are ${exposed ? "" : "not "}read where it ${exposed ? "lets" : "does not let"} the page see which bytes came`, async () => {
      site.show(folders.large);
      site.fault = (path, request, response) => {
        response.setHeader("Access-Control-Allow-Origin", "*");
        if (exposed)
          for (const [name, value] of Object.entries(headers(snippets(ORIGINS), "ranges")))
            response.setHeader(name, value);
        return false;
      };
      const foreign = await visit(site.url.replace("localhost", "127.0.0.1"));
      assert.deepEqual(await ask([4321, 17], { index: `${site.url}index/` }, foreign), ["4321", "17"]);
      assert.equal(
        (await kept(foreign)).some(({ path }) => path.includes("?bytes=")),
        exposed,
      );
      await foreign.context().close();
    });

  const hosts = [
    ["a 200 with the whole file", (path, { bytes }, response) => send(response, 200, {}, bytes)],
    [
      "a slice of a compressed file, labelled so",
      (path, { bytes, first, last }, response) => {
        const packed = gzipSync(bytes);
        const headers = { "Content-Encoding": "gzip", "Content-Range": `bytes ${first}-${last}/${packed.length}` };
        return send(response, 206, headers, packed.subarray(first, last + 1));
      },
    ],
    [
      "another Content-Range",
      (path, { part, first, last, bytes }, response) =>
        send(response, 206, { "Content-Range": `bytes ${first + 1}-${last + 1}/${bytes.length}` }, part),
    ],
    ["no Content-Range", (path, { part }, response) => send(response, 206, {}, part)],
    [
      "other bytes under the right Content-Range",
      (path, { part, first, last, bytes }, response) =>
        send(response, 206, { "Content-Range": `bytes ${first}-${last}/${bytes.length}` }, Buffer.from(part).reverse()),
    ],
    [
      "fewer bytes under the right Content-Range",
      (path, { part, first, last, bytes }, response) =>
        send(response, 206, { "Content-Range": `bytes ${first}-${last}/${bytes.length}` }, part.subarray(1)),
    ],
    [
      "that they are out of range",
      (path, { bytes }, response) =>
        send(response, 416, { "Content-Range": `bytes */${bytes.length}` }, Buffer.alloc(0)),
    ],
    ["a broken connection", (path, asked, response) => Boolean(response.destroy())],
  ];
  for (const [answer, serve] of hosts)
    test(`a host that answers them with ${answer} is read by whole files, and not asked for more of them`, async () => {
      site.show(folders.large);
      site.fault = async (path, request, response) =>
        request.headers.range ? serve(path, await asked(path, request), response) : false;
      assert.deepEqual(await ask([4321, 17, 30_000]), ["4321", "17", "30000"]);
      const wave = 5; // what the first search had sent before the first answer came
      const different = new Set(ranges()).size; // Chromium itself asks again where a connection breaks
      assert.ok(different > 0 && different <= wave, site.log.join("\n"));
      assert.ok(
        (await kept()).every(({ path }) => !path.includes("?")),
        "no byte of them is kept",
      );
      const again = answer.startsWith("a 200")
        ? [...ranges().map((entry) => entry.split(" ")[0]), ...wholes()]
        : wholes();
      assert.equal(new Set(again).size, again.length, "no file is sent twice");
    });
});

describe("faults", () => {
  /** How a shard arrives, and the error's code if it always arrives so. */
  const faults = [
    [
      "truncated, with a length to match",
      (bytes, response) => send(response, 200, {}, bytes.subarray(0, bytes.length / 2)),
      "index-corrupt",
    ],
    ["cut off before its length", (bytes, response) => breakOff(response, bytes), "network"],
    ["longer than it is", (bytes, response) => send(response, 200, {}, Buffer.concat([bytes, bytes])), "index-corrupt"],
    [
      "changed, and said to be good for a year",
      (bytes, response) =>
        send(response, 200, { "Cache-Control": "max-age=31536000, immutable" }, Buffer.from(bytes).reverse()),
      "index-corrupt",
    ],
    ["an error of the server", (bytes, response) => send(response, 503, {}, Buffer.alloc(0)), "network"],
  ];
  for (const [name, answer, code] of faults) {
    test(`a shard that comes ${name}, once, is asked for again`, async () => {
      site.show(folders.small);
      const met = new Set();
      site.fault = async (path, request, response) => {
        if (!isShard(path) || met.has(path)) return false;
        met.add(path);
        return answer(await readFile(join(site.folder, path)), response);
      };
      assert.deepEqual(await ask([77]), ["77"]);
      assert.ok(met.size >= 2);
      site.show(folders.small);
      assert.deepEqual(await ask([77]), ["77"]);
      assert.deepEqual(site.log, [MANIFEST], "what was kept is sound");
    });
    test(`shards that always come ${name} are ${code}`, async () => {
      site.show(folders.small);
      site.fault = async (path, request, response) =>
        isShard(path) && answer(await readFile(join(site.folder, path)), response);
      assert.equal(await ask([77]), code);
    });
  }

  test("shards that are not there are index-corrupt", async () => {
    site.show(folders.small);
    site.fault = (path, request, response) => isShard(path) && send(response, 404, {}, Buffer.alloc(0));
    assert.equal(await ask([77]), "index-corrupt");
  });

  test("a host that falls silent is given up after a while, and asked again", async () => {
    site.show(folders.small);
    const met = new Set();
    site.fault = async (path, request, response) => {
      if (!isShard(path) || met.has(path)) return false;
      met.add(path);
      if (met.size > 1) return false;
      response.writeHead(200, { "Content-Length": 1_000 }).write("x"); // and nothing more
      return true;
    };
    const began = performance.now();
    assert.deepEqual(await ask([77]), ["77"]);
    assert.ok(performance.now() - began > 10_000);
    assert.equal(site.log.filter((path) => path === [...met][0]).length, 2);
  });

  test("an index that was replaced while it was open is read anew, and what is left of the old one is never used", async () => {
    site.show(folders.small);
    site.fault = () => {
      if (site.log.length < 3) return false; // manifest and directory: then it is open
      site.fault = () => false;
      site.show(folders.newer);
      return false;
    };
    assert.deepEqual(await ask([77]), ["new-77"]);
    assert.equal(site.log.filter((path) => path === MANIFEST).length, 1, "read again, once");
  });

  test("a manifest that was kept beyond its time, whose files are gone, is index-corrupt", async () => {
    site.show(folders.newer);
    site.fault = async (path, request, response) =>
      path === MANIFEST && send(response, 200, {}, await readFile(join(folders.small, MANIFEST)));
    assert.equal(await ask([77]), "index-corrupt");
  });
});

describe("the browser's cache", () => {
  test("keeps to its bound, evicts what was used least recently, and never a model", async () => {
    site.show(folders.small);
    const models = () => page.evaluate(async (name) => (await (await caches.open(name)).keys()).length, MODELS);
    await ask([1], { indexCache: 24_000 });
    const before = await models();
    assert.ok(before > 0);
    const first = new Set((await kept()).map(({ path }) => path));
    const numbers = Array.from({ length: 10 }, (_, at) => 20 * (at + 1));
    assert.deepEqual(await ask(numbers, { indexCache: 24_000 }), numbers.map(String));
    const later = await kept();
    assert.ok(sum(later) <= 24_000 && sum(later) > 12_000, `${sum(later)} bytes`);
    assert.ok(
      later.some(({ path }) => !first.has(path)) &&
        [...first].some((path) => !later.some((entry) => entry.path === path)),
    );
    site.show(folders.small);
    assert.deepEqual(await ask([290], { indexCache: 12_000 }), ["290"]);
    const least = await kept();
    assert.ok(sum(least) <= 12_000 && least.length > 0, `${sum(least)} bytes`);
    assert.equal(await models(), before);
  });

  test("of two indexes at one address, evicts the older one's files first, though they were used last", async () => {
    site.show(folders.newer);
    await ask([5]);
    const files = await kept();
    const own = sum(files);
    // Its files were used long ago; one of an older index, and one of another index, just now.
    await page.evaluate(async (name) => {
      const cache = await caches.open(name);
      const put = (url, headers, bytes) =>
        cache.put(new Request(url, { headers }), new Response(new Uint8Array(bytes), { headers }));
      for (const request of await cache.keys()) {
        const bytes = await (await cache.match(request)).arrayBuffer();
        await put(request.url, { ...Object.fromEntries(request.headers), "evident-used": "1" }, bytes);
      }
      const stale = { "Evident-Bytes": "30000", "Evident-Used": String(Date.now()), "Evident-Edition": "0".repeat(64) };
      await put("/index/stale.bin", stale, 30_000);
      await put("/elsewhere/other.bin", stale, 30_000);
      await put("/elsewhere/pinned.bin", {}, 30_000);
    }, CACHE);
    assert.deepEqual(await ask([250], { indexCache: own + 60_000 }), ["new-250"]);
    const left = (await kept()).map(({ path }) => path);
    assert.ok(!left.includes("stale.bin"), left.join("\n"));
    for (const { path } of files) assert.ok(left.includes(path), path);
    assert.ok(left.some((path) => path.endsWith("other.bin")));

    assert.deepEqual(await ask([150], { indexCache: 20_000 }), ["new-150"]);
    const least = (await kept()).map(({ path }) => path);
    assert.ok(!least.some((path) => path.endsWith("other.bin")), "then goes what is neither stale nor ours");
    assert.ok(
      least.some((path) => path.endsWith("pinned.bin")),
      "what someone else put there stays",
    );
  });

  test("keeps nothing where it may not, and a bound that is none is refused", async () => {
    site.show(folders.small);
    assert.deepEqual(await ask([3], { indexCache: 0 }), ["3"]);
    assert.deepEqual(await kept(), []);
    for (const indexCache of [-1, 0.5, "many", Infinity]) assert.equal(await ask([3], { indexCache }), "bad-settings");
  });

  test("cleared while it is in use, by another tab that uses it too, goes on and is filled anew", async () => {
    site.show(folders.small);
    const other = await page.context().newPage();
    await other.goto(site.url);
    const clearing = other.evaluate(async (name) => {
      const until = Date.now() + 3_000;
      while (Date.now() < until) {
        await caches.delete(name);
        await new Promise((done) => setTimeout(done, 20));
      }
    }, CACHE);
    assert.deepEqual(await ask([9, 99, 199]), ["9", "99", "199"]);
    await clearing;
    const both = await Promise.all([
      ask([9, 99, 199], { indexCache: 40_000 }),
      ask([19, 119], { indexCache: 40_000 }, other),
    ]);
    assert.deepEqual(both, [
      ["9", "99", "199"],
      ["19", "119"],
    ]);
    const entries = await kept();
    assert.ok(entries.length > 0 && sum(entries) <= 40_000 * (1 + 1 / 8), `${sum(entries)} bytes`);
    await other.close();
  });

  test("without room in the browser the page goes on", async () => {
    site.show(folders.small);
    const cramped = await visit();
    const devtools = await cramped.context().newCDPSession(cramped);
    await devtools.send("Storage.overrideQuotaForOrigin", { origin: new URL(site.url).origin, quotaSize: 10_000 });
    assert.deepEqual(await ask([9, 99, 199], {}, cramped), ["9", "99", "199"]);
    await cramped.context().close();
  });
});
