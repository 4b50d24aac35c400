/** The demo's static server: right types, honest ranges and caching, and nothing outside its folder. */

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { listen, staticFiles } from "../../web/demo/serve.mjs";

const SHARD = `terms-${"0a".repeat(32)}.bin`;

let folder;
let site;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "evident-serve-"));
  await mkdir(join(folder, "root/sub"), { recursive: true });
  await writeFile(join(folder, "secret.txt"), "secret");
  await writeFile(join(folder, "root/index.html"), "<!doctype html>");
  await writeFile(join(folder, "root/sub/index.html"), "sub");
  await writeFile(join(folder, "root/data.bin"), "0123456789");
  await writeFile(join(folder, "root/empty.json"), "");
  await writeFile(join(folder, "root/a.wasm"), "");
  await writeFile(join(folder, "root", SHARD), "shard");
  await symlink(join(folder, "secret.txt"), join(folder, "root/link.txt"));
  site = await listen(staticFiles(join(folder, "root")), 0);
});
after(async () => {
  site?.server.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (path, headers = {}, method = "GET") => fetch(site.url + path, { headers, method, redirect: "manual" });

/** The status for a path sent as it is, which fetch would tidy first. */
const raw = (path) =>
  new Promise((done, fail) => {
    const { hostname, port } = new URL(site.url);
    request({ hostname, port, path }, (response) => done(response.resume().statusCode))
      .on("error", fail)
      .end();
  });

test("each kind of file has its type, and wasm the one that streaming compilation needs", async () => {
  const type = async (path) => (await get(path)).headers.get("content-type");
  assert.equal(await type(""), "text/html; charset=utf-8");
  assert.equal(await type("a.wasm"), "application/wasm");
  assert.equal(await type("data.bin"), "application/octet-stream");
  assert.equal(await type("empty.json"), "application/json; charset=utf-8");
});

test("nothing outside the folder is served", async () => {
  for (const path of [
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/sub/..%2f..%2fsecret.txt",
    "/link.txt",
    "/..%5csecret.txt",
    "/%00",
    "/%zz",
  ])
    assert.equal(await raw(path), 404, path);
});

test("a folder without its slash is redirected, so that relative addresses work", async () => {
  const response = await get("sub");
  assert.equal(response.status, 308);
  assert.equal(new URL(response.headers.get("location"), `${site.url}sub`).href, `${site.url}sub/`);
  assert.equal(await (await get("sub/")).text(), "sub");
});

test("a range is answered with exactly its bytes, and one beyond the end is refused", async () => {
  const slice = async (range) => {
    const response = await get("data.bin", { range });
    return [response.status, response.headers.get("content-range"), await response.text()];
  };
  assert.deepEqual(await slice("bytes=2-4"), [206, "bytes 2-4/10", "234"]);
  assert.deepEqual(await slice("bytes=7-"), [206, "bytes 7-9/10", "789"]);
  assert.deepEqual(await slice("bytes=-3"), [206, "bytes 7-9/10", "789"]);
  assert.deepEqual(await slice("bytes=10-"), [416, "bytes */10", ""]);
  assert.deepEqual(await slice("bytes=4-2"), [200, null, "0123456789"]);
});

test("HEAD tells what GET would send, and other methods are refused", async () => {
  const head = await get("data.bin", {}, "HEAD");
  assert.deepEqual([head.status, head.headers.get("content-length"), await head.text()], [200, "10", ""]);
  assert.equal((await get("data.bin", {}, "POST")).status, 405);
});

test("only names that carry a hash are cached for ever; the rest is revalidated", async () => {
  assert.match((await get(SHARD)).headers.get("cache-control"), /immutable/);
  const page = await get("index.html");
  assert.equal(page.headers.get("cache-control"), "no-cache");
  assert.equal((await get("index.html", { "if-none-match": page.headers.get("etag") })).status, 304);
  await writeFile(join(folder, "root/index.html"), "<!doctype htm1>");
  assert.equal((await get("index.html", { "if-none-match": page.headers.get("etag") })).status, 200);
});

test("a taken port gives way to the next free one", async () => {
  const taken = site.server.address().port;
  const next = await listen(staticFiles(folder), taken);
  assert.ok(next.server.address().port > taken);
  next.server.close();
});
