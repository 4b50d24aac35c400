/** What becomes of a check whose GPU is lost, fills up, or computes wrongly. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  check,
  disguiseAdapter,
  done,
  fact,
  launch,
  outcome,
  PATIENCE_MS,
  sentences,
  serve,
  visit,
} from "../browser.mjs";
import { tinyPack } from "../tiny.mjs";

const ANSWER = "The atomic number of carbon is 8.";

/** Enough that a check is still under way when the test breaks into it. */
const LONG = `${ANSWER} Iron is a metal. The Nile flows north. Paris is in France. `.repeat(10);

/** Serves the demo over the pack of random weights, with a script before that of the worker. */
const withScript = (script) =>
  serve((path, bytes) => {
    if (path === "worker.js") return Buffer.concat([Buffer.from(script), bytes]);
    if (path.startsWith("pack/")) return readFileSync(join(scratch, path));
  });

/** The worker keeps its GPU device where a test can reach it, and the GPU computes nothing once a test says so. */
const REACHABLE = `{
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (...descriptor) {
    return (self.device = await requestDevice.apply(this, descriptor));
  };
  const { dispatchWorkgroups } = GPUComputePassEncoder.prototype;
  GPUComputePassEncoder.prototype.dispatchWorkgroups = function (...sizes) {
    if (!self.isIdle) dispatchWorkgroups.apply(this, sizes);
  };
}\n`;

/** The GPU gets other shaders than the engine has written, wherever these take an exponential. */
const shadersWith = (exponential) => `{
  const { createShaderModule } = GPUDevice.prototype;
  GPUDevice.prototype.createShaderModule = function ({ code, ...others }) {
    return createShaderModule.call(this, { ...others, code: code.replaceAll(/\\bexp\\(/g, "${exponential}(") });
  };
}\n`;

/** Over a pack of random weights, which is in `scratch`: a software GPU takes a minute to compute with real ones. */
let site;
let scratch;
before(async () => {
  scratch = mkdtempSync(join(tmpdir(), "evident-"));
  tinyPack(join(scratch, "pack"));
  site = await withScript(REACHABLE);
});
after(async () => {
  await site?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** A browser of the test's own: a software GPU that is still at work for one page keeps all others from drawing. */
async function browserFor(test, options) {
  const browser = await launch(options);
  test.after(() => browser.close());
  return browser;
}

test("WebGPU computes where it is asked for and its adapter is named; lost in the next check, it is a typed error", async (t) => {
  const page = await visit(await browserFor(t, { webgpu: true }), site.url);
  await check(page, { answer: ANSWER, backend: "webgpu", passages: 1 });
  await done(page);
  assert.match(await fact(page, "Computed on"), /^WebGPU, .*swiftshader/i);

  await check(page, { answer: LONG });
  await loseDevice(page);
  assert.equal((await outcome(page)).code, "backend-lost");
});

test("a GPU that runs out of memory in mid-check is a typed error", async (t) => {
  const page = await visit(await browserFor(t, { webgpu: true }), site.url);
  await check(page, { answer: LONG, backend: "webgpu", passages: 1 });
  await page.locator(".sentence.working").first().waitFor({ timeout: PATIENCE_MS });
  await page.workers()[0].evaluate(() => {
    const size = self.device.limits.maxBufferSize;
    for (let i = 0; i < 1_000; i++) self.device.createBuffer({ size, usage: GPUBufferUsage.STORAGE });
  });
  const { code, text } = await outcome(page);
  assert.equal(code, "backend-lost", text);
});

test("a GPU lost in mid-check ends on the CPU with the same verdicts", async (t) => {
  const browser = await browserFor(t, { webgpu: true });
  const calm = await visit(browser, site.url);
  await check(calm, { answer: LONG, backend: "cpu", passages: 1 });
  await done(calm);
  const expected = await sentences(calm);
  await calm.context().close();

  const page = await visit(browser, "about:blank");
  await page.addInitScript(disguiseAdapter);
  await page.goto(site.url);
  await check(page, { answer: LONG, passages: 1 });
  await loseDevice(page);
  await done(page);
  assert.match(await page.locator("#notice").textContent(), /device was lost[\s\S]*The CPU has taken over/);
  assert.match(await fact(page, "Computed on"), /^CPU, /);
  assert.deepEqual(await sentences(page), expected);
});

for (const [name, exponential] of [
  ["a shader that does not compile", "no_such_function"],
  ["a shader that computes something else", "cos"],
])
  test(`${name} is noticed before it judges, and the CPU takes over`, async (t) => {
    const wrong = await withScript(shadersWith(exponential));
    t.after(wrong.close);
    const page = await visit(await browserFor(t, { webgpu: true }), "about:blank");
    await page.addInitScript(disguiseAdapter);
    await page.goto(wrong.url);
    await check(page, { answer: ANSWER, passages: 1 });
    await done(page);
    assert.match(await page.locator("#notice").textContent(), /The CPU has taken over/);
    assert.match(await fact(page, "Computed on"), /^CPU, /);
  });

test("a GPU that stops computing between two answers is noticed, and the second is judged by the CPU", async (t) => {
  const page = await visit(await browserFor(t, { webgpu: true }), "about:blank");
  await page.addInitScript(disguiseAdapter);
  await page.goto(site.url);
  await check(page, { answer: ANSWER, passages: 1 });
  await done(page);
  assert.match(await fact(page, "Computed on"), /^WebGPU, /);
  const expected = await sentences(page);
  await page.workers()[0].evaluate(() => (self.isIdle = true));
  await check(page, { answer: ANSWER, passages: 1 });
  await done(page);
  assert.match(await page.locator("#notice").textContent(), /(computes wrongly|was lost)[\s\S]*The CPU has taken over/);
  assert.match(await fact(page, "Computed on"), /^CPU, /);
  assert.deepEqual(await sentences(page), expected);
});

/** Destroys the worker's device once the check is under way. */
async function loseDevice(page) {
  await page.locator(".sentence.working").first().waitFor({ timeout: PATIENCE_MS });
  await page.workers()[0].evaluate(() => self.device.destroy());
}
