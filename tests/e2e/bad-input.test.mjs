/** Odd texts and damaged files: each ends in a sensible result or a typed error that says what to do. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { answerOf, check, done, launch, outcome, sentences, serve, visit } from "./browser.mjs";
import { DEMO, filesOf, JUDGE, largestOfJudge, manifestOfPack, sealed } from "./host.mjs";

const ANSWER = "The atomic number of carbon is 8.";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

describe("texts", () => {
  let site;
  let page;
  before(async () => {
    site = await serve();
    page = await visit(browser, site.url);
  });
  after(() => site?.close());

  test("an empty answer, and one of blanks, is refused", async () => {
    for (const answer of ["", " \n\t "]) {
      await check(page, { answer });
      assert.equal((await outcome(page)).code, "empty-answer");
    }
  });

  test("100 kB of text is refused with advice", async () => {
    await check(page, { answer: "All work and no play makes Jack a dull boy. ".repeat(2_300) });
    const { code, text } = await outcome(page);
    assert.equal(code, "answer-too-long");
    assert.match(text, /in parts/);
  });

  test("one word is one sentence", async () => {
    await check(page, { answer: "Carbon" });
    await done(page);
    assert.equal((await sentences(page)).length, 1);
  });

  test("emoji alone end without a verdict for or against them, or are refused as no sentence", async () => {
    await check(page, { answer: "🦀🎉👩‍👩‍👧 🏳️‍🌈" });
    const { code, status } = await outcome(page);
    if (code) assert.equal(code, "empty-answer");
    else assert.match(status, /^Done: 0 supported, 0 contradicted/);
  });

  test("offsets stay right after emoji", async () => {
    await check(page, { answer: `🦀 Hello! ${ANSWER}` });
    await done(page);
    assert.equal((await sentences(page)).at(-1).text, ANSWER);
  });

  test("a right-to-left answer is shown from the right, and is not judged, for it is not in English", async () => {
    await check(page, { answer: "باريس هي عاصمة فرنسا. العدد الذري للكربون هو 12." });
    await done(page);
    assert.deepEqual(await sentences(page), []);
    const direction = await answerOf(page).evaluate((box) => getComputedStyle(box).direction);
    assert.equal(direction, "rtl");
  });

  test("markup in an answer is shown as text", async () => {
    const answer = `<img src=x onerror="document.title='injected'"> is the capital of France.`;
    await check(page, { answer });
    await done(page);
    assert.equal(await page.locator("#sentences img").count(), 0);
    assert.match(await page.locator("#sentences").textContent(), /<img src=x/);
  });

  test("a setting out of range is refused by name", async () => {
    await check(page, { answer: ANSWER, passages: 1000 });
    const { code, text } = await outcome(page);
    assert.equal(code, "bad-settings");
    assert.match(text, /evidence/);
  });
});

describe("files", () => {
  const manifest = (bytes, change) => Buffer.from(JSON.stringify(change(JSON.parse(bytes))));
  const pack = (bytes, change) => sealed(change(JSON.parse(bytes)));
  const flip = (bytes) => {
    const altered = Buffer.from(bytes);
    altered[altered.length >> 1] ^= 1;
    return altered;
  };
  const shard = (path) => path.startsWith("index/") && path !== "index/manifest.json";
  const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

  const isEngine = (path) => /^wasm\/\w+\/evident_bg.wasm$/.test(path);

  const damages = [
    ["a missing index", "index-missing", (path) => (path.startsWith("index/") ? 404 : undefined)],
    ["missing shards", /^(index-missing|index-corrupt|network)$/, (path) => (shard(path) ? 404 : undefined)],
    [
      "truncated shards",
      "index-corrupt",
      (path, bytes) => (shard(path) ? bytes.subarray(0, bytes.length / 2) : undefined),
    ],
    ["a flipped bit in the shards", "index-corrupt", (path, bytes) => (shard(path) ? flip(bytes) : undefined)],
    [
      "an index of another version",
      "index-version",
      (path, bytes) => (path === "index/manifest.json" ? manifest(bytes, (it) => ({ ...it, format: 999 })) : undefined),
    ],
    [
      "an index manifest that is no JSON",
      "index-corrupt",
      (path) => (path === "index/manifest.json" ? Buffer.from("<html>") : undefined),
    ],
    ["a host that fails", "network", (path) => (path === "pack/pack.json" ? 503 : undefined)],
    ["a missing pack", "pack-missing", (path) => (path.startsWith("pack/") ? 404 : undefined)],
    [
      "a flipped bit in the models",
      "pack-corrupt",
      (path, bytes) => (path === `pack/${largestOfJudge()}` ? flip(bytes) : undefined),
    ],
    [
      "a pack of another version",
      "pack-version",
      (path, bytes) => (path === "pack/pack.json" ? manifest(bytes, (it) => ({ ...it, format: 999 })) : undefined),
    ],
    [
      "a flipped bit in what the pack says of itself",
      "pack-corrupt",
      (path, bytes) => (path === "pack/pack.json" ? flip(bytes) : undefined),
    ],
    [
      "a pack of another architecture",
      "pack-architecture",
      (path, bytes) => {
        const config = Buffer.from(JSON.stringify({ model_type: "gpt2", n_layer: 2 }));
        const changed = manifestOfPack().models[JUDGE].config;
        if (path === `pack/${changed}`) return config;
        if (path !== "pack/pack.json") return undefined;
        const entry = { bytes: config.length, sha256: sha256(config) };
        return pack(bytes, (it) => ({
          ...it,
          files: it.files.map((file) => (file.path === changed ? { ...file, ...entry } : file)),
        }));
      },
    ],
    [
      "a file that no page has memory for",
      "out-of-memory",
      (path, bytes) =>
        path === "pack/pack.json"
          ? pack(bytes, (it) => ({
              ...it,
              files: it.files.map((file) => (file.path === "tokenizer.json" ? { ...file, bytes: 5e9 } : file)),
            }))
          : undefined,
    ],
    [
      "an engine that was cut off",
      "network",
      (path, bytes) => (isEngine(path) ? bytes.subarray(0, bytes.length / 2) : undefined),
      /page, or another file, in its place/,
    ],
    [
      "a flipped bit in the engine",
      "network",
      (path, bytes) => (isEngine(path) ? flip(bytes) : undefined),
      /page, or another file, in its place/,
    ],
    [
      "a page in place of the engine",
      "network",
      (path) => (isEngine(path) ? Buffer.from("<!doctype html>") : undefined),
      /page, or another file, in its place/,
    ],
    ["a missing engine", "network", (path) => (isEngine(path) ? 404 : undefined), /HTTP 404/],
    ["a missing worker", "network", (path) => (path === "worker.js" ? 404 : undefined)],
  ];

  for (const [name, expected, alter, says = /./] of damages)
    test(`${name} is told, and what to do`, async () => {
      const site = await serve(alter);
      const page = await visit(browser, site.url);
      await check(page, { answer: ANSWER, passages: 1 });
      const { code, text } = await outcome(page);
      assert.match(code, expected instanceof RegExp ? expected : new RegExp(`^${expected}$`));
      assert.match(text, says);
      assert.ok(text.split("\n").filter(Boolean).length >= 4, `title, message, advice and code: ${text}`);
      await page.context().close();
      await site.close();
    });

  /** A safetensors file with something changed in its header or its data. */
  const rewritten = (bytes, change) => {
    const length = Number(bytes.readBigUInt64LE(0));
    const [header, data] = [JSON.parse(bytes.subarray(8, 8 + length)), Buffer.from(bytes.subarray(8 + length))];
    change(header, data);
    const json = Buffer.from(JSON.stringify(header));
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(json.length));
    return Buffer.concat([size, json, data]);
  };

  const headerOf = (bytes) => JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))));

  /** A tensor of the model that judges, kept as f32, and the file that has it. */
  const tensorWith = (isMeant) => {
    for (const file of filesOf(JUDGE).filter((path) => path.endsWith(".safetensors")))
      for (const [name, tensor] of Object.entries(headerOf(readFileSync(join(DEMO, "pack", file)))))
        if (tensor.dtype === "F32" && isMeant(name, tensor)) return { file, tensor: name };
    throw new Error("the pack has no such tensor");
  };

  const weights = [
    [
      "a missing tensor",
      "pack-architecture",
      (name) => name.endsWith("LayerNorm.bias"),
      (header, _, name) => {
        header[`${name}.old`] = header[name];
        delete header[name];
      },
    ],
    [
      "a tensor of another shape",
      "pack-architecture",
      (_, { shape }) => shape.length === 2 && shape[0] !== shape[1],
      (header, _, name) => header[name].shape.reverse(),
    ],
    [
      "a value that is no number",
      "pack-corrupt",
      (name) => name.endsWith("LayerNorm.weight"),
      (header, data, name) => data.writeFloatLE(NaN, header[name].data_offsets[0]),
    ],
  ];

  for (const [name, expected, isMeant, change] of weights)
    test(`${name} is told with its file and its name`, async () => {
      const { file, tensor } = tensorWith(isMeant);
      const site = await serve((path, bytes) => {
        if (path === `pack/${file}`) return rewritten(bytes, (header, data) => change(header, data, tensor));
        if (path !== "pack/pack.json") return undefined;
        const changed = rewritten(readFileSync(join(DEMO, "pack", file)), (header, data) =>
          change(header, data, tensor),
        );
        const entry = { bytes: changed.length, sha256: sha256(changed) };
        return pack(bytes, (it) => ({
          ...it,
          files: it.files.map((one) => (one.path === file ? { ...one, ...entry } : one)),
        }));
      });
      const page = await visit(browser, site.url);
      await check(page, { answer: ANSWER, passages: 1 });
      const { code, text } = await outcome(page);
      assert.equal(code, expected, text);
      assert.ok(text.includes(tensor) && text.includes(file), text);
      await page.context().close();
      await site.close();
    });

  test("a damaged copy in the browser's cache is fetched again", async () => {
    const site = await serve();
    const page = await visit(browser, site.url);
    await check(page, { answer: ANSWER, passages: 1 });
    await done(page);
    const expected = await sentences(page);
    const spoilt = await page.evaluate(async () => {
      let files = 0;
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
          await cache.put(request, new Response("spoilt"));
          files++;
        }
      }
      return files;
    });
    assert.ok(spoilt > 0);
    await page.reload();
    await check(page, { answer: ANSWER, passages: 1 });
    await done(page);
    assert.deepEqual(await sentences(page), expected);
    await page.context().close();
    await site.close();
  });
});
