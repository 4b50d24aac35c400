/** Which backend is taken, and what becomes of a check whose worker fails. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { check, disguiseAdapter, done, fact, launch, outcome, serve, visit } from "./browser.mjs";

const ANSWER = "The atomic number of carbon is 8.";

let site;
before(async () => {
  site = await serve();
});
after(() => site?.close());

async function browserFor(test, options) {
  const browser = await launch(options);
  test.after(() => browser.close());
  return browser;
}

test("a software adapter is passed over for the CPU, and the WebGPU module is not downloaded", async (t) => {
  const page = await visit(await browserFor(t, { webgpu: true }), site.url);
  const requests = [];
  page.context().on("request", (request) => requests.push(new URL(request.url()).pathname));
  await check(page, { answer: ANSWER, passages: 1 });
  await done(page);
  assert.match(await fact(page, "Computed on"), /^CPU, /);
  assert.ok(requests.includes("/wasm/relaxed/evident_bg.wasm"));
  assert.ok(!requests.some((path) => /^\/wasm\/(cpu|webgpu)\//.test(path)));
});

test("without an adapter WebGPU is refused with advice, and automatic runs on the CPU", async (t) => {
  const page = await visit(await browserFor(t), site.url);
  await check(page, { answer: ANSWER, backend: "webgpu", passages: 1 });
  const { code, text } = await outcome(page);
  assert.equal(code, "backend-unavailable");
  assert.match(text, /Choose Automatic or CPU/);

  await check(page, { backend: "auto" });
  await done(page);
  assert.match(await fact(page, "Computed on"), /^CPU, /);
});

test("where the host has no module for WebGPU, automatic runs on the CPU", async (t) => {
  const page = await visit(await browserFor(t, { webgpu: true }), "about:blank");
  await page.context().route("**/wasm/webgpu/**", (route) => route.fulfill({ status: 404 }));
  await page.addInitScript(disguiseAdapter);
  await page.goto(site.url);
  await check(page, { answer: ANSWER, passages: 1 });
  await done(page);
  assert.match(await page.locator("#notice").textContent(), /module could not be loaded/);
  assert.match(await fact(page, "Computed on"), /^CPU, /);
});

test("a trap in the engine is a typed error, and the next check starts a new worker", async (t) => {
  const page = await visit(await browserFor(t), site.url);
  await check(page, { answer: `${ANSWER} `.repeat(40), backend: "cpu" });
  await page.locator(".sentence.working").first().waitFor();
  await page.workers()[0].evaluate(() => {
    setTimeout(() => {
      throw new WebAssembly.RuntimeError("unreachable");
    });
  });
  assert.equal((await outcome(page)).code, "internal");

  await check(page, { answer: ANSWER, passages: 1 });
  await done(page);
});
