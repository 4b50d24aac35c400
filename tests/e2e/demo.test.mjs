/**
 * The demo as a page with no server behind it: offline, other evidence, sharing, saving; and that nothing leaks and
 * nothing injects.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { check, done, launch, options, REPOSITORY, sentences, visit } from "./browser.mjs";
import { DEMO, filesOf, host, indexOf, JUDGE, manifestOfPack } from "./host.mjs";
import { HOSTILE, leaked, PRIVATE, session, sound } from "./safety.mjs";

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

let browser;
let scratch;
before(async () => {
  [browser, scratch] = await Promise.all([launch(), mkdtemp(join(tmpdir(), "evident-demo-"))]);
});
after(() => Promise.all([browser?.close(), rm(scratch, { recursive: true, force: true })]));

/** A module of the demo's sources, as Node runs it. */
async function module(file) {
  const { build } = createRequire(`${REPOSITORY}web/package.json`)("esbuild");
  const { outputFiles } = await build({
    entryPoints: [`${REPOSITORY}web/demo/${file}`],
    bundle: true,
    format: "esm",
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

const library = (page) => page.getByRole("region", { name: "Checked against" });
const openLibrary = (page) => library(page).getByText("Use other evidence").click();
const evidence = (page) => page.getByRole("complementary", { name: "Evidence" });

/** Waits until the library has done what it was asked; its error's code, or its status line. */
async function chosen(page) {
  const ended = library(page)
    .locator("#library-alert code")
    .or(library(page).locator("#library-status", { hasText: /against|Cancelled/ }));
  await ended.first().waitFor();
  return ended.first().textContent();
}

describe("offline", () => {
  const keep = async (page) => {
    await page.getByRole("button", { name: /^Keep a copy for offline use \(\d/ }).click();
    await page.locator("#offline", { hasText: "works offline" }).waitFor();
  };

  /** So that the next request starts the service worker anew. */
  const stopWorkers = async (page) => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("ServiceWorker.enable");
    await devtools.send("ServiceWorker.stopAllWorkers");
    await devtools.detach();
  };

  /** Registers the service worker, waits for its installation's end, and says which worker is active then. */
  const register = (page) =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.register("sw.js");
      const worker = registration.installing;
      await new Promise((ended) => {
        if (!worker || worker.state === "redundant") ended();
        worker?.addEventListener("statechange", () => worker.state === "redundant" && ended());
      });
      return registration.active;
    });

  test("nothing is kept unasked but what was used; with a copy the page works with its server gone, each file kept once, whole", async () => {
    const site = await host();
    const page = await visit(browser, site.url);
    await check(page, { answer: "The atomic number of carbon is 6.", question: "", passages: 1 });
    await done(page);
    await page.getByRole("button", { name: "Keep a copy for offline use" }).waitFor();
    const unasked = await page.evaluate(async () => {
      const keys = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
      return keys.flat().map(({ url }) => url);
    });
    assert.ok(!unasked.some((url) => url.includes("/wasm/cpu/")));
    await keep(page);
    const cached = await page.evaluate(async () => {
      const found = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const { url } of await cache.keys()) {
          const digest = new Uint8Array(
            await crypto.subtle.digest("SHA-256", await (await cache.match(url)).arrayBuffer()),
          );
          found.push([url, Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")]);
        }
      }
      return found;
    });
    const paths = cached.map(([url]) => url.slice(site.url.length));
    assert.equal(new Set(paths).size, paths.length, "no file is stored twice");
    for (const [number, path] of paths.entries())
      assert.equal(cached[number][1], sha256(await readFile(join(DEMO, path))), path);
    for (const entry of await readdir(join(DEMO, "index"))) assert.ok(paths.includes(`index/${entry}`), entry);
    const judging = filesOf(JUDGE);
    const others = filesOf(...Object.keys(manifestOfPack().models)).filter((file) => !judging.includes(file));
    for (const file of judging) assert.ok(paths.includes(`pack/${file}`), file);
    for (const file of others)
      assert.ok(!paths.includes(`pack/${file}`), `${file} is of a model that nobody has asked for`);
    const isolated = () => page.evaluate(() => crossOriginIsolated);
    assert.equal(await isolated(), false);

    await Promise.all([site.close(), stopWorkers(page)]);
    await page.reload();
    assert.equal(await isolated(), true, "by the service worker's headers, for the host sends none");
    await check(page, { answer: "Paris is the capital of France.", question: "", passages: 1 });
    await done(page);
    assert.deepEqual(page.errors, []);

    await page.getByRole("button", { name: "Remove the copy" }).click();
    await page.getByRole("button", { name: "Keep a copy for offline use" }).waitFor();
    const left = await page.evaluate(async () => {
      const keys = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
      return keys.flat().map(({ url }) => url);
    });
    assert.deepEqual(
      left.filter((url) => /\.(safetensors|wasm|bin)$/.test(url)),
      [],
    );
    await page.context().close();
  });

  test("a copy of a page that was built with one module works too", async () => {
    const folder = join(scratch, "one-module");
    const isOther = (file) => /[\\/]wasm[\\/](relaxed|webgpu)$/.test(file);
    await cp(DEMO, folder, { recursive: true, filter: (file) => !isOther(file) });
    execFileSync(process.execPath, [join(REPOSITORY, "web/demo/offline/list.mjs"), folder]);
    const site = await host({ folder });
    const page = await visit(browser, site.url);
    await check(page, { answer: "The atomic number of carbon is 6.", question: "", passages: 1 });
    await done(page);
    await keep(page);
    await Promise.all([site.close(), stopWorkers(page)]);
    await page.reload();
    await check(page, { answer: "Paris is the capital of France.", question: "", passages: 1 });
    await done(page);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test("where the browser has no room, the page says so and works with its network", async () => {
    const site = await host();
    const page = await visit(browser, "about:blank");
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Storage.overrideQuotaForOrigin", { origin: new URL(site.url).origin, quotaSize: 8_000_000 });
    await page.goto(site.url);
    await page.evaluate(() => navigator.serviceWorker.ready);
    for (const _ of ["first", "second"]) {
      await check(page, { answer: "The atomic number of carbon is 6.", question: "", passages: 1 });
      await done(page);
    }
    await page.getByRole("button", { name: "Keep a copy for offline use" }).click();
    await page.locator("#offline", { hasText: "no room" }).waitFor();
    await Promise.all([page.context().close(), site.close()]);
  });

  test("a new version takes over when the reader says so, drops what is old, and lets other folders be", async () => {
    const newer = "\n/* newer */\n";
    let updated = false;
    const read = (path) => readFile(join(DEMO, path), "utf8");
    const [style, list, worker] = await Promise.all(["style.css", "files.json", "sw.js"].map(read));
    const relisted = list.replace(sha256(style), sha256(style + newer));
    const site = await host({
      async alter(path, response) {
        const changed = {
          "style.css": ["text/css", style + newer],
          "files.json": ["application/json", relisted],
          "sw.js": ["text/javascript", worker.replace(sha256(list), sha256(relisted))],
        }[path];
        if (!updated || !changed) return false;
        response.writeHead(200, { "Content-Type": changed[0] }).end(changed[1]);
        return true;
      },
    });
    const page = await visit(browser, site.url);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      const engine = await caches.open("evident-index-1");
      for (const path of ["index/of-an-older-index.bin", "../other/index/file.bin"])
        await engine.put(new URL(path, location.href), new Response("old"));
      await caches.open("evident-page /some/other/ version");
    });
    updated = true;
    await page.reload();
    await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Load it" }).click()]);
    const { names, engine, served } = await page.evaluate(async () => ({
      names: await caches.keys(),
      engine: (await (await caches.open("evident-index-1")).keys()).map(({ url }) => new URL(url).pathname),
      served: await (await fetch("style.css")).text(),
    }));
    assert.ok(served.endsWith(newer));
    assert.deepEqual(names.toSorted(), [
      "evident-1",
      "evident-index-1",
      "evident-page /some/other/ version",
      `evident-page /some/path/ ${sha256(relisted)}`,
    ]);
    assert.deepEqual(engine, ["/some/other/index/file.bin"]);
    await Promise.all([page.context().close(), site.close()]);
  });

  test("code that its version does not list never reaches the page", async () => {
    const optional = "wasm/cpu/evident.js";
    let changed = true;
    const site = await host({
      async alter(path, response) {
        if (!changed || path !== optional) return false;
        response.writeHead(200, { "Content-Type": "text/javascript" }).end("self.stranger = true;");
        return true;
      },
    });
    const page = await visit(browser, site.url);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    const got = () =>
      page.evaluate(async (path) => {
        const response = await fetch(path).catch(() => null);
        return (await response?.text()) ?? null;
      }, optional);
    assert.equal(await got(), null);
    changed = false;
    assert.equal(await got(), await readFile(join(DEMO, optional), "utf8"));
    changed = true;
    assert.equal(await got(), await readFile(join(DEMO, optional), "utf8"), "it was kept");
    await Promise.all([page.context().close(), site.close()]);
  });

  test("a file that is not the listed one is not kept", async () => {
    const site = await host({
      async alter(path, response) {
        if (path !== "widget.html") return false;
        response.writeHead(200, { "Content-Type": "text/html" }).end("another page");
        return true;
      },
    });
    const page = await visit(browser, site.url);
    assert.equal(await register(page), null);
    assert.equal(await page.evaluate(async () => (await caches.match("widget.html")) ?? null), null);
    await Promise.all([page.context().close(), site.close()]);
  });

  test("a list of another hash is refused: no worker is installed, and an installed one answers nothing by it", async () => {
    const optional = "wasm/cpu/evident.js";
    const stranger = "self.stranger = true;";
    const [code, list] = await Promise.all([optional, "files.json"].map((path) => readFile(join(DEMO, path), "utf8")));
    const forged = list.replace(sha256(code), sha256(stranger));
    assert.notEqual(forged, list);
    let changed = true;
    const site = await host({
      alter(path, response) {
        const [type, text] =
          { "files.json": ["application/json", forged], [optional]: ["text/javascript", stranger] }[path] ?? [];
        if (!changed || !text) return false;
        response.writeHead(200, { "Content-Type": type }).end(text);
        return true;
      },
    });
    const page = await visit(browser, site.url);
    assert.equal(await register(page), null);
    assert.equal(await page.evaluate(async () => (await caches.match("files.json")) ?? null), null);

    changed = false;
    await page.reload();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    const isolated = () => page.evaluate(() => crossOriginIsolated);
    assert.equal(await isolated(), true);
    const kept = () => page.evaluate(async () => (await (await caches.match("files.json"))?.text()) ?? null);
    assert.equal(await kept(), list);

    changed = true;
    await page.evaluate(async (text) => {
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        if (await cache.match("files.json")) await cache.put("files.json", new Response(text));
      }
    }, forged);
    await stopWorkers(page);
    await page.reload();
    assert.equal(await isolated(), false, "the page came from the network, as its host sent it");

    changed = false;
    await page.reload();
    // A request of the page before may still be waiting for the list that is refused, and this one with it.
    if (!(await isolated())) await page.reload();
    assert.equal(await isolated(), true);
    assert.equal(await kept(), list, "the host's list took the other's place");
    await Promise.all([page.context().close(), site.close()]);
  });
});

describe("other evidence", () => {
  const passage = {
    id: "brakto",
    title: "Brakto",
    text: "Brakto is a village of 412 people on the river Ool.",
    source: "https://example.org/brakto",
  };
  let site;
  let page;
  before(async () => {
    site = await host();
    page = await visit(browser, site.url);
    await openLibrary(page);
  });
  after(() => Promise.all([page?.context().close(), site?.close()]));

  const useAddress = async (address) => {
    await page.getByLabel("Or an index at an address").fill(address);
    await page.getByRole("button", { name: "Use it" }).click();
    return chosen(page);
  };

  test("what the index knows nothing of reads so, and never as an alarm", async () => {
    await check(page, { answer: "Zorblax quibbled frobnicatingly.", question: "", passages: 1 });
    assert.equal(await done(page), "Done: 0 supported, 0 contradicted, 1 not in this index.");
    assert.deepEqual(
      (await sentences(page)).map(({ word }) => word),
      ["Not in this index"],
    );
    assert.equal(await page.locator(".sentences .unfactual").count(), 0);
  });

  test("an address that is no index's is told why, in a page that is isolated too", async () => {
    const manifest = JSON.parse(await readFile(join(DEMO, "index/manifest.json"), "utf8"));
    const other = await host({
      alter(path, response) {
        const body = {
          "html/manifest.json": "<!doctype html>",
          "old/manifest.json": JSON.stringify({ ...manifest, format: 99 }),
        }[path];
        if (body === undefined || response.req.method !== "GET") return false;
        response.writeHead(200, { "Access-Control-Allow-Origin": "*" }).end(body);
        return true;
      },
    });
    for (const [address, code] of [
      ["", "bad-address"],
      ["ftp://example.org/", "bad-address"],
      ["https://user:word@example.org/index/", "bad-address"],
      ["nowhere/", "index-missing"],
      [`${other.url}html/`, "index-corrupt"],
      [`${other.url}old/manifest.json`, "index-version"],
      [`${other.url}index/`, "index-blocked"],
      ["http://localhost:9/index/", "network"],
    ])
      assert.equal(await useAddress(address), code, address);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    assert.ok(await page.evaluate(() => crossOriginIsolated));
    await openLibrary(page);
    for (const [address, code] of [
      [`${other.url}index/`, "index-blocked"],
      ["http://localhost:9/index/", "network"],
    ])
      assert.equal(await useAddress(address), code, address);
    await other.close();
  });

  test("an index of another host is used in one step, and remembered until the tab is closed", async () => {
    const other = await host({
      folder: indexOf([passage], scratch, "brakto"),
      headers: { "Access-Control-Allow-Origin": "*" },
    });
    assert.match(await useAddress(other.url), /1 passage\.$/);
    await page.reload();
    assert.match(await library(page).innerText(), /Checked against\s+the index at http:.*\s1 passage/);
    await check(page, { answer: "Brakto is a village on the river Ool.", question: "", passages: 1 });
    await done(page);
    await options(page).first().click();
    assert.equal(await evidence(page).getByRole("link", { name: "Brakto" }).getAttribute("href"), passage.source);

    await openLibrary(page);
    await page.getByRole("button", { name: "Back to this demo's index" }).click();
    assert.match(await library(page).innerText(), /this demo's index/);
    await other.close();
  });

  test("the folder of an index is read where it lies", async () => {
    await page.locator("#pick-folder").setInputFiles(indexOf([passage], scratch, "folder"));
    assert.match(await chosen(page), /1 passage\.$/);
    await check(page, { answer: "Brakto is a village on the river Ool.", question: "", passages: 1 });
    await done(page);
    await options(page).first().click();
    assert.equal(await evidence(page).locator(".deciding blockquote").textContent(), passage.text);
  });

  test("dropped files become an index that the next check uses", async () => {
    const dropped = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(
        new File(
          ["# Ool\n\nOol is a river.\n\n## Course\n\nThe **Ool** rises in the hills of Tarn and flows west."],
          "ool.md",
        ),
      );
      transfer.items.add(new File(["Brakto has a bakery."], "brakto.txt"));
      transfer.items.add(new File(["GIF89a"], "map.gif"));
      return transfer;
    });
    await library(page).dispatchEvent("drop", { dataTransfer: dropped });
    assert.match(await chosen(page), /3 passages, kept in memory.* 1 other file was left out\./);
    await check(page, { answer: "The Ool rises in the hills of Tarn.", question: "", passages: 1 });
    await done(page);
    await options(page).first().click();
    assert.equal(await evidence(page).locator(".deciding .title").textContent(), "Ool: Course");
    assert.equal(await evidence(page).locator(".deciding .from").textContent(), "Source: ool.md");
  });

  test("files that cannot be an index are told by name, and the one before stays", async () => {
    const files = (...named) =>
      page
        .locator("#pick-files")
        .setInputFiles(named.map(([name, text]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) })));
    const line = (id, text = "text") => JSON.stringify({ id, title: "t", text });
    for (const [named, code, message] of [
      [[["a.jsonl", `${line("1")}\n{"id": 2}\n`]], "bad-passages", /A\.jsonl: line 2 is not a passage/],
      [
        [
          ["a.jsonl", line("1")],
          ["b.jsonl", `${line("2")}\n${line("1")}`],
        ],
        "bad-passages",
        /B\.jsonl: line 2: .* line 1 of a\.jsonl/,
      ],
      [[["a.txt", Buffer.from([0x66, 0xff, 0xfe])]], "bad-document", /UTF-8/],
      [[["a.txt", " \n"]], "bad-document", /A\.txt has no text/],
      [[["a.gif", "GIF89a"]], "bad-files", /a\.gif/i],
      [[["a.txt", "word ".repeat(4_100_000)]], "files-too-large", /20\.5 MB/],
    ]) {
      await files(...named);
      assert.equal(await chosen(page), code);
      assert.match(await library(page).getByRole("alert").innerText(), message);
    }
    assert.match(await library(page).innerText(), /your 2 files/);
  });

  test("building can be cancelled", async () => {
    const buffer = Buffer.from(Array.from({ length: 1_000_000 }, (_, n) => `word${n} `).join(""));
    await page.locator("#pick-files").setInputFiles({ name: "long.txt", mimeType: "text/plain", buffer });
    await page.getByRole("button", { name: "Cancel the index" }).click();
    assert.match(await chosen(page), /^Cancelled\. .*your 2 files/);
  });

  test("the page builds the very bytes that the command line does", async () => {
    const built = await page.evaluate(
      async (text) => {
        const worker = new Worker("index-worker.js", { type: "module" });
        worker.postMessage({
          type: "build",
          files: [{ name: "passages.jsonl", file: new File([text], "passages.jsonl") }],
        });
        const { files } = await new Promise((ready) => {
          worker.onmessage = ({ data }) => ["ready", "failed"].includes(data.type) && ready(data);
        });
        worker.terminate();
        return Promise.all(
          Array.from(files, async ([name, blob]) => [
            name,
            Array.from(new Uint8Array(await blob.arrayBuffer())).join(),
          ]),
        );
      },
      await readFile(`${REPOSITORY}web/demo/corpus/passages.jsonl`, "utf8"),
    );
    const names = await readdir(join(DEMO, "index"));
    assert.deepEqual(built.map(([name]) => name).toSorted(), names.toSorted());
    for (const [name, bytes] of built)
      assert.equal(bytes, Array.from(await readFile(join(DEMO, "index", name))).join(), name);
  });
});

describe("documents", () => {
  let passagesOf;
  before(async () => {
    const { documentOfText, kindOf } = await module("documents.ts");
    const { passagesIn } = await module("../package/src/sources/passages.ts");
    passagesOf = (name, text) => passagesIn(documentOfText(text, kindOf(name)), name);
  });
  const words = (text) => text.split(/\s+/).length;

  test("passages have at most 100 words, whole sentences, and nothing is lost", () => {
    const sentence = (n) => `Sentence number ${n} says one thing of some length.`;
    const text = Array.from({ length: 60 }, (_, n) => sentence(n)).join(" ");
    const passages = [...passagesOf("folder/notes.txt", text)];
    assert.ok(passages.length > 5 && passages.every(({ text }) => words(text) <= 100 && text.endsWith(".")));
    assert.equal(passages.map(({ text }) => text).join(" "), text);
    assert.deepEqual(
      { ...passages[0], text: "" },
      { id: "folder/notes.txt#1", title: "notes", text: "", source: "folder/notes.txt" },
    );
  });

  test("a line without end is cut, and so is a text without spaces", () => {
    for (const text of ["x".repeat(1 << 20), "word ".repeat(200_000), "\u{1F980}".repeat(100_000)]) {
      const passages = [...passagesOf("a.txt", text)].map(({ text }) => text);
      assert.ok(passages.every((passage) => passage.length <= 2_000 && words(passage) <= 100));
      assert.equal(passages.join("").replaceAll(" ", ""), text.replaceAll(" ", ""));
      assert.ok(passages.every((passage) => passage.isWellFormed()));
    }
  });

  test("headings give the titles, and no passage crosses one", () => {
    const text =
      "---\nx: 1\n---\nBefore.\n\n# Iron\n\n**Iron** is a [metal](https://example.org/a).\n\n```\ncode\n```\n- hard\n- grey\n\nRust\n----\n> It *rusts*.\n";
    assert.deepEqual(
      [...passagesOf("iron.md", text)].map(({ title, text }) => [title, text]),
      [
        ["Iron", "Before."],
        ["Iron", "Iron is a metal.\nhard\ngrey"],
        ["Iron: Rust", "It rusts."],
      ],
    );
  });
});

describe("sharing and saving", () => {
  const text = { question: "Who was Marie Curie? 🦀", answer: "Marie Curie won two Nobel Prizes. \u202eנובל" };
  let site;
  let page;
  before(async () => {
    site = await host();
    page = await visit(browser, site.url);
  });
  after(() => Promise.all([page?.context().close(), site?.close()]));

  test("a link carries the text in its fragment, and opening it checks nothing", async () => {
    await page.getByLabel("Question").fill(text.question);
    await page.getByLabel("Answer", { exact: true }).fill(text.answer);
    await page.getByRole("button", { name: "share this text by a link" }).click();
    const link = page.getByLabel("Link to this text");
    await link.waitFor();
    const other = await visit(browser, await link.inputValue());
    await other.locator("#status", { hasText: "This text came with the link" }).waitFor();
    assert.equal(await other.getByLabel("Question").inputValue(), text.question);
    assert.equal(await other.getByLabel("Answer", { exact: true }).inputValue(), text.answer);
    assert.equal(new URL(other.url()).hash, "");
    assert.equal(other.workers().length, 0);
    await other.context().close();
  });

  test("a fragment that is no text of ours is told, and a text too long for a link as well", async () => {
    const bomb = new Blob([JSON.stringify(["", "a".repeat(5_000_000)])])
      .stream()
      .pipeThrough(new CompressionStream("deflate-raw"));
    const encoded = Buffer.from(await new Response(bomb).arrayBuffer()).toString("base64url");
    for (const hash of ["#text=1.%%%", "#text=1.AAAA", "#text=2.q1Y", "#text=", `#text=1.${encoded}`]) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, hash);
      assert.equal(await page.locator("#alert code").textContent(), "bad-link", hash.slice(0, 20));
      await page.evaluate(() => document.querySelector("#alert").replaceChildren());
    }
    await page
      .getByLabel("Answer", { exact: true })
      .fill(Array.from({ length: 4_000 }, (_, n) => sha256(`${n}`).slice(0, 6)).join(" "));
    await page.getByRole("button", { name: "share this text by a link" }).click();
    assert.equal(await page.locator("#alert code").textContent(), "text-too-long");
  });

  test("the report is saved as JSON and as Markdown, and printed with its verdicts and evidence in words", async () => {
    await check(page, {
      answer: "The atomic number of carbon is 6. Zorblax quibbled frobnicatingly.",
      question: "",
      passages: 2,
    });
    await done(page);
    const saved = async (name) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
      return readFile(await download.path(), "utf8");
    };
    const report = JSON.parse(await saved("Save as JSON"));
    assert.deepEqual(
      report.sentences.map(({ text }) => text),
      ["The atomic number of carbon is 6.", "Zorblax quibbled frobnicatingly."],
    );
    const markdown = await saved("Save as Markdown");
    const { evidence } = report.sentences[0];
    for (const part of ["## 2. Not in this index", "> The atomic number of carbon is 6\\."])
      assert.ok(markdown.includes(part), part);
    assert.ok(evidence.some(({ title }) => markdown.includes(title)));

    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    const printed = page.locator("#printed > li");
    assert.match(
      await printed.first().innerText(),
      /^(Supported|Contradicted|Probably (?:supported|contradicted)|Mixed evidence|Undecided|Not in this index)/,
    );
    assert.ok((await printed.first().locator("mark").first().textContent()).trim());
    assert.match(await printed.last().innerText(), /^Not in this index/);
    for (const hidden of ["form", ".library", ".panel", ".save"])
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
    await page.emulateMedia({ media: "screen" });
  });

  test("Markdown keeps hostile text as text", async () => {
    const { markdownOf } = await module("markdown.ts");
    const hostile = "<script>alert(1)</script>\n# [x](javascript:alert(1)) `code` **b** | www.example.org \u202eevil";
    const nli = { entailment: 1, neutral: 0, contradiction: 0 };
    const passage = {
      title: hostile,
      text: hostile,
      source: "https://example.org/a>b(c)",
      sentence: { start: 0, end: 8 },
      nli,
      decisive: true,
    };
    const sentence = {
      verdict: "factual",
      score: 0.9,
      text: hostile,
      statement: hostile,
      evidence: [{ ...passage }, { ...passage, decisive: false }],
    };
    const markdown = markdownOf({
      question: hostile,
      pack: { name: hostile, version: "1" },
      sources: [{ name: hostile, passages: 1 }],
      sentences: [sentence],
      leftOut: [{ text: hostile, kind: "fragment" }],
    });
    assert.ok(
      !/(?<!\\)[<`|]|(?<!\\)\]\(j|www\.|\u202e/.test(markdown.replace("](<https://example.org/a%3Eb(c)>)", "")),
      markdown,
    );
    assert.equal(markdown.split("\n").filter((line) => line.startsWith("#")).length, 3);
  });
});

describe("nothing leaks, nothing injects", () => {
  test("a text that did leak would be found, however it was sent", () => {
    const { answer } = PRIVATE;
    for (const sent of [
      answer.slice(9, 30),
      encodeURIComponent(answer),
      `${new URLSearchParams({ a: answer })}`,
      btoa(answer),
      btoa(`x${answer}`),
    ])
      assert.ok(leaked([sent], [answer]).length > 0, sent);
  });

  test("no request of a whole session holds a piece of the text, with Trusted Types enforced in workers too", async () => {
    const { question, answer } = PRIVATE;
    const file = "Quillon keeps a zephyr in a brass lantern under the mill.";
    const site = await host({ headers: { "Content-Security-Policy": "require-trusted-types-for 'script'" } });
    await session(browser, site.url, [question, answer, file], async (page, requests) => {
      await check(page, { answer, question, passages: 2 });
      await done(page);
      await options(page).first().click();
      await page.getByRole("button", { name: "share this text by a link" }).click();
      const link = page.getByLabel("Link to this text");
      await link.waitFor();
      const payload = (await link.inputValue()).split("text=")[1];
      for (const name of ["Save as JSON", "Save as Markdown"])
        await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
      await openLibrary(page);
      await page
        .locator("#pick-files")
        .setInputFiles({ name: "quillon.txt", mimeType: "text/plain", buffer: Buffer.from(file) });
      await chosen(page);
      await check(page);
      await done(page);
      await page.goto("about:blank");
      await page.goto(`${site.url}#text=${payload}`);
      await page.locator("#status", { hasText: "This text came with the link" }).waitFor();
      assert.ok(!requests.join("").includes(payload.slice(0, 12)));
    });
    await site.close();
  });

  test("markup, turned text and endless lines in answer, titles and passages stay text", async () => {
    const { markup, answer, passages } = HOSTILE;
    const site = await host();
    const page = await visit(browser, site.url, { viewport: { width: 800, height: 900 } });
    await openLibrary(page);
    await page.locator("#pick-folder").setInputFiles(indexOf(passages, scratch, "hostile"));
    assert.match(await chosen(page), /2 passages/);
    await check(page, { answer, question: markup, passages: 2 });
    await done(page);
    await options(page).first().click();
    await page.locator("#evidence details").evaluateAll((all) => all.forEach((details) => (details.open = true)));
    assert.equal(await page.locator("main :is(img, script)").count(), 0);
    assert.ok((await evidence(page).innerText()).includes(markup));
    assert.equal(await page.locator("a[href^=javascript]").count(), 0);
    const isolated = await page
      .locator(".sentence, .title, .passage, blockquote, .source bdi")
      .evaluateAll((all) =>
        all
          .filter((one) => !/isolate|plaintext/.test(getComputedStyle(one).unicodeBidi))
          .map((one) => one.className || one.tagName),
      );
    assert.deepEqual(
      isolated.filter((name) => name !== "A"),
      [],
    );
    await sound(page);
    await Promise.all([page.context().close(), site.close()]);
  });
});
