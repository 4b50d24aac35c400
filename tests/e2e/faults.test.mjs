/**
 * A host that fails at any one request of a visit, and a memory that is full at any point of it: the result is the
 * right report, or an error with a code, after which the same page gets the right report.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, PATIENCE_MS, serve, visit } from "./browser.mjs";
import { host, JUDGE } from "./host.mjs";
import { ANSWER, tiny } from "./tiny.mjs";

const HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "Range",
  "Cache-Control": "no-store",
};

const scratch = mkdtempSync(join(tmpdir(), "evident-faults-"));
let browser;
let folder;
before(async () => {
  folder = tiny(scratch);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(scratch, { recursive: true });
});

/** A page with `attempt`: opens a verifier, unless there is one, and checks the answer; gives a report or an error. */
async function open(t, url, base, model = "full") {
  const page = await visit(browser, `${url}widget.html`, { serviceWorkers: "block" });
  page.setDefaultTimeout(PATIENCE_MS);
  t.after(() => page.context().close());
  await page.evaluate(
    async ([base, answer, model]) => {
      const { createVerifier } = await import("/package/index.js");
      let verifier;
      globalThis.attempt = async () => {
        try {
          const places = { pack: `${base}pack/`, index: `${base}index/`, engine: "./" };
          verifier ??= await createVerifier({ ...places, model, device: "cpu", threads: 1 });
          const { timings, traffic, ...report } = await verifier.verify(answer);
          return { report };
        } catch ({ code, message }) {
          return { code, message };
        }
      };
      globalThis.forget = async () => {
        verifier?.dispose();
        verifier = undefined;
        for (const name of await caches.keys()) await caches.delete(name);
      };
    },
    [base, ANSWER, model],
  );
  return page;
}

const attempt = (page) => page.evaluate(() => globalThis.attempt());

/** What a host does with a request that it fails. */
const FAULTS = {
  "says that it has trouble": (response) => response.writeHead(503).end(),
  "says that there is nothing": (response) => response.writeHead(404).end(),
  "breaks off": async (response, path) => {
    const bytes = await readFile(join(folder, path));
    response.writeHead(200, { "Content-Length": bytes.length }).write(bytes.subarray(0, bytes.length >> 1));
    setTimeout(() => response.destroy(), 20);
  },
  "sends other bytes": async (response, path) => {
    const bytes = await readFile(join(folder, path));
    bytes[bytes.length >> 1] ^= 1;
    response.writeHead(200, { "Content-Length": bytes.length }).end(bytes);
  },
};

for (const [what, fail] of Object.entries(FAULTS))
  test(`a host that ${what} at any one request`, async (t) => {
    let [asked, at] = [0, -1];
    const it = await host({
      folder,
      headers: HEADERS,
      alter: async (path, response) => {
        if (response.req.method !== "GET" || asked++ !== at) return false;
        await fail(response, path);
        return true;
      },
    });
    t.after(it.close);
    const site = await serve();
    t.after(site.close);
    const page = await open(t, site.url, it.url);
    const { report: right, message } = await attempt(page);
    assert.equal(right?.sentences.length, 3, message);
    const requests = asked;
    assert.ok(requests >= 6, `${requests}`);
    const codes = [];
    for (at = 0; at < requests; at++) {
      asked = 0;
      await page.evaluate(() => globalThis.forget());
      const { report, code, message } = await attempt(page);
      if (report) assert.deepEqual(report, right, `request ${at}`);
      else {
        assert.match(code, /^(network|pack-missing|pack-corrupt|index-missing|index-corrupt)$/, message);
        codes.push(code);
        assert.deepEqual((await attempt(page)).report, right, `request ${at}, asked again`);
      }
    }
    t.diagnostic(`${requests} requests, ${codes.length} errors: ${[...new Set(codes)].join(", ")}`);
    // All but a file that is not there is asked for again.
    assert.equal(codes.length > 0, what === "says that there is nothing", codes.join(" "));
  });

/** Has the worker's wasm memories grow by no more than so many pages of 64 KiB. */
function limit(pages) {
  const number = (bytes, at) => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      shift += 7;
      if (byte < 128) return [value, at];
    }
  };
  const written = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...written(value >>> 7)]);
  /** The module, whose one memory has a maximum. */
  const limited = (bytes) => {
    for (let at = 8; at < bytes.length; ) {
      const [size, body] = number(bytes, at + 1);
      if (bytes[at] === 5) {
        const [least] = number(bytes, body + 2);
        const memory = [1, 1, ...written(least), ...written(least + pages)];
        return new Uint8Array([...bytes.subarray(0, at), 5, memory.length, ...memory, ...bytes.subarray(body + size)]);
      }
      at = body + size;
    }
  };
  WebAssembly.instantiateStreaming = async (response, imports) =>
    WebAssembly.instantiate(limited(new Uint8Array(await (await response).arrayBuffer())), imports);
}

test("a memory that is full at any point of a visit", async (t) => {
  let pages = 1 << 14;
  const site = await serve((path, bytes) => {
    if (path.startsWith("wasm/relaxed/")) return 404; // its memory is made elsewhere
    return path === "worker.js" ? Buffer.from(`(${limit})(${pages});\n${bytes}`) : undefined;
  });
  t.after(site.close);
  const page = await open(t, site.url, site.url, JUDGE);
  const { report: right, message } = await attempt(page);
  assert.equal(right?.sentences.length, 3, message);
  const codes = [];
  for (pages = 0; codes.at(-1) !== "right"; pages = 2 * pages + 8) {
    await page.evaluate(() => globalThis.forget());
    const { report, code, message } = await attempt(page);
    codes.push(code ?? "right");
    if (report) assert.deepEqual(report, right, `${pages} pages`);
    else assert.equal(code, "out-of-memory", `${pages} pages: ${message}`);
  }
  t.diagnostic(`${codes.length} sizes, the last of ${pages} pages`);
  assert.ok(codes.length > 4, codes.join(" "));
});
