/** A graphics device that is lost at one submission after another, from the first of loading to the last verdict. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { disguiseAdapter, launch, serve, visit } from "../browser.mjs";
import { host } from "../host.mjs";
import { tiny } from "../tiny.mjs";

/** At how many submissions the device is lost, each in a worker of its own. */
const LOSSES = 4;

/** Longer than any of them takes: one that takes longer hangs. */
const PATIENCE_MS = 60_000;

/** The same verdicts; WebGPU adds in another order than the CPU. */
const TOLERANCE = 1e-3;

/** The worker tells the number of submissions so far, and destroys its device at the one with the number `at`. */
const losingAt = (at) => `{
  let [device, submissions] = [undefined, 0];
  const told = new BroadcastChannel("submissions");
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (...descriptor) {
    return (device = await requestDevice.apply(this, descriptor));
  };
  const { submit } = GPUQueue.prototype;
  GPUQueue.prototype.submit = function (...buffers) {
    told.postMessage(++submissions);
    if (submissions === ${at}) device.destroy();
    return submit.apply(this, buffers);
  };
}\n`;

test("wherever the device is lost, the CPU gives its verdicts, or the error is typed where only WebGPU is wanted", async (t) => {
  const scratch = mkdtempSync(join(tmpdir(), "evident-lost-"));
  const folder = tiny(scratch);
  let at = 0;
  const alter = (path, bytes) => (path === "worker.js" ? Buffer.concat([Buffer.from(losingAt(at)), bytes]) : undefined);
  const [browser, site, data] = await Promise.all([
    launch({ webgpu: true }),
    serve(alter, { "Cache-Control": "no-store" }),
    host({ folder, headers: { "Access-Control-Allow-Origin": "*" } }),
  ]);
  t.after(async () => {
    await Promise.all([browser.close(), site.close(), data.close()]);
    rmSync(scratch, { recursive: true });
  });
  const page = await visit(browser, `${site.url}widget.html`, { serviceWorkers: "block" });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.evaluate(disguiseAdapter);
  await page.evaluate(async (base) => {
    const { createVerifier, EvidentError } = await import("/package/index.js");
    const data = { pack: `${base}pack/`, index: `${base}index/`, engine: "./", threads: 1 };
    new BroadcastChannel("submissions").onmessage = ({ data }) => (globalThis.submissions = data);
    /** What becomes of an answer: its verdicts, or the code of an error. */
    globalThis.outcome = async (device) => {
      globalThis.submissions = 0;
      let verifier;
      try {
        verifier = await createVerifier({ ...data, device });
        const { sentences } = await verifier.verify("Iron is a metal of country 3.");
        return { judged: sentences.map(({ verdict, score }) => ({ verdict, score })) };
      } catch (error) {
        if (!(error instanceof EvidentError)) throw error;
        return { code: error.code };
      } finally {
        verifier?.dispose();
      }
    };
  }, data.url);
  const outcome = async (device) => {
    const late = new Promise((_, fail) => setTimeout(fail, PATIENCE_MS, new Error(`${device}: no end`)).unref());
    return await Promise.race([page.evaluate((device) => globalThis.outcome(device), device), late]);
  };
  const assertSame = ({ judged }, { judged: expected }, what) => {
    assert.equal(judged?.length, expected.length, what);
    for (const [n, { verdict, score }] of judged.entries()) {
      assert.equal(verdict, expected[n].verdict, what);
      assert.ok(Math.abs(score - expected[n].score) < TOLERANCE, `${what}: ${score}, not ${expected[n].score}`);
    }
  };

  const expected = await outcome("cpu");
  assertSame(await outcome("webgpu"), expected, "no loss");
  const submissions = await page.evaluate(() => globalThis.submissions);
  assert.ok(submissions >= LOSSES, `${submissions} submissions`);
  for (let loss = 1; loss <= LOSSES; loss++) {
    at = Math.round((submissions * loss) / LOSSES);
    const [device, what] = [loss % 3 === 0 ? "webgpu" : "auto", `lost at ${at} of ${submissions}`];
    const found = await outcome(device);
    if (device === "webgpu" && found.code) assert.equal(found.code, "backend-lost", what);
    else assertSame(found, expected, what);
  }
});
