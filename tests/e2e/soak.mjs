/**
 * Long use of one page: whether its memory stays what it was, and its scores the same.
 *
 *   node tests/e2e/soak.mjs      2,000 answers and 100 verifiers; ./build.sh soak builds what it needs before
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, serve, visit } from "./browser.mjs";
import { host } from "./host.mjs";
import { ANSWER, tiny } from "./tiny.mjs";

/** What memory may grow by between the two times that it is measured. */
const GROWTH = 0.05;

const CROSS_ORIGIN = { "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" };
/** A page that may measure its memory. */
const ISOLATED = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/** A page with a small pack and index for `answer` and `cycle`, and what ends it all. */
async function open() {
  const scratch = mkdtempSync(join(tmpdir(), "evident-soak-"));
  const [browser, site, data] = await Promise.all([
    launch({ measures: true }),
    serve(undefined, ISOLATED),
    host({ folder: tiny(scratch), headers: CROSS_ORIGIN }),
  ]);
  const page = await visit(browser, `${site.url}widget.html`, { serviceWorkers: "block" });
  page.setDefaultTimeout(0);
  await page.evaluate(
    async ([base, text]) => {
      const { createVerifier } = await import("/package/index.js");
      const open = () =>
        createVerifier({ pack: `${base}pack/`, index: `${base}index/`, engine: "./", device: "cpu", threads: 1 });
      /** Bytes of the page and its workers; wasm memory is among them. */
      const measure = async () => (await performance.measureUserAgentSpecificMemory()).bytes;
      const scoresOf = ({ sentences }) => sentences.map(({ score }) => score).join();
      const verify = async (verifier, number) =>
        scoresOf(await verifier.verify(text.replaceAll("country 3", `country ${number}`)));
      /** Verifies answers until there were `all`; bytes after `early` of them and at the end. */
      globalThis.answer = async (early, all) => {
        const verifier = await open();
        const scores = new Map();
        let before = 0;
        for (let done = 1; done <= all; done++) {
          const number = done % 10;
          const found = await verify(verifier, number);
          if (!scores.has(number)) scores.set(number, found);
          else if (scores.get(number) !== found) throw new Error(`answer ${done}: ${found}, not ${scores.get(number)}`);
          if (done === early) before = await measure();
        }
        const after = await measure();
        verifier.dispose();
        return { before, after, wasm: verifier.footprint.memory };
      };
      /** Opens a verifier, asks it once and disposes of it, `all` times. */
      globalThis.cycle = async (early, all) => {
        let [before, first] = [0, undefined];
        for (let done = 1; done <= all; done++) {
          const verifier = await open();
          const scores = await verify(verifier, 3);
          first ??= scores;
          if (scores !== first) throw new Error(`verifier ${done}: ${scores}, not ${first}`);
          verifier.dispose();
          if (done === early) before = await measure();
        }
        return { before, after: await measure() };
      };
    },
    [data.url, ANSWER],
  );
  const close = async () => {
    await Promise.all([browser.close(), site.close(), data.close()]);
    rmSync(scratch, { recursive: true });
  };
  return { page, close };
}

/** Holds the memory at the end to that before. */
function assertSteady(what, { before, after }) {
  assert.ok(before > 1_000_000, `${what}: ${before} bytes cannot be all`);
  assert.ok(after <= before * (1 + GROWTH), `${what}: ${before} bytes became ${after}`);
}

/** Has one page verify `answers` answers and open `cycles` verifiers; memory is measured after `early` of each too. */
export async function soak({ answers, cycles, early }) {
  const { page, close } = await open();
  try {
    const answered = await page.evaluate(([early, all]) => globalThis.answer(early, all), [early.answers, answers]);
    assertSteady(`${answers} answers`, answered);
    const cycled = await page.evaluate(([early, all]) => globalThis.cycle(early, all), [early.cycles, cycles]);
    assertSteady(`${cycles} verifiers`, cycled);
    return { answered, cycled };
  } finally {
    await close();
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { answered, cycled } = await soak({ answers: 2_000, cycles: 100, early: { answers: 200, cycles: 20 } });
  const mb = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
  console.log(
    `2,000 answers: ${mb(answered.before)} after 200, ${mb(answered.after)} at the end, ${mb(answered.wasm)} of wasm`,
  );
  console.log(`100 verifiers: ${mb(cycled.before)} after 20, ${mb(cycled.after)} at the end`);
}
