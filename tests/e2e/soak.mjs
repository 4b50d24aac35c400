/**
 * Long use of one page, one worker and one extension: whether their memory stays what it was, and their scores the same.
 *
 *   node tests/e2e/soak.mjs      2,000 answers in each, and 100 verifiers; ./build.sh soak builds what it needs before
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, serve, visit } from "./browser.mjs";
import { host } from "./host.mjs";
import { openExtension } from "./soak-extension.mjs";
import { ANSWER, tiny } from "./tiny.mjs";

/** What memory may grow by between the two times that it is measured. */
const GROWTH = 0.05;

const CROSS_ORIGIN = { "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" };
/** A page that may measure its memory. */
const ISOLATED = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/** A page that measures its memory, the address of a small pack and index, and what ends it all. */
async function openSite(scratch) {
  const [browser, site, data] = await Promise.all([
    launch({ measures: true }),
    serve((path) => (path === "soak-worker.js" ? Buffer.from(WORKER) : undefined), ISOLATED),
    host({ folder: tiny(scratch), headers: CROSS_ORIGIN }),
  ]);
  const page = await visit(browser, `${site.url}widget.html`, { serviceWorkers: "block" });
  page.setDefaultTimeout(0);
  await page.evaluate(() => {
    /** Bytes of the page and its workers; wasm memory is among them. */
    globalThis.measure = async () => (await performance.measureUserAgentSpecificMemory()).bytes;
  });
  const close = () => Promise.all([browser.close(), site.close(), data.close()]);
  return { page, data: data.url, close };
}

/** A page with `verify`, `measure`, `end` and `cycle`, and what ends it all. */
async function openPage(scratch) {
  const { page, data, close } = await openSite(scratch);
  await page.evaluate(
    async ([base, text]) => {
      const { createVerifier } = await import("/package/index.js");
      const open = () =>
        createVerifier({ pack: `${base}pack/`, index: `${base}index/`, engine: "./", device: "cpu", threads: 1 });
      const verifyBy = async (verifier, number) => {
        const { sentences } = await verifier.verify(text.replaceAll("country 3", `country ${number}`));
        return sentences.map(({ score }) => score).join();
      };
      const kept = await open();
      /** The scores of an answer. */
      globalThis.verify = (number) => verifyBy(kept, number);
      /** Disposes of the verifier of all answers; the bytes of its wasm memory. */
      globalThis.end = () => {
        kept.dispose();
        return kept.footprint.memory;
      };
      /** Opens a verifier, asks it once and disposes of it, `all` times. */
      globalThis.cycle = async ([early, all]) => {
        let [before, first] = [0, undefined];
        for (let done = 1; done <= all; done++) {
          const verifier = await open();
          const scores = await verifyBy(verifier, 3);
          first ??= scores;
          if (scores !== first) throw new Error(`verifier ${done}: ${scores}, not ${first}`);
          verifier.dispose();
          if (done === early) before = await measure();
        }
        return { before, after: await measure() };
      };
    },
    [data, ANSWER],
  );
  return { page, close };
}

/** A module worker that imports the package: the first message opens its verifier, each other is an answer. */
const WORKER = `
  import { createVerifier } from "/package/index.js";
  let verifier;
  onmessage = async ({ data }) => {
    if (!verifier) {
      verifier = await createVerifier(data);
      return postMessage(null);
    }
    const { sentences } = await verifier.verify(data);
    postMessage(sentences.map(({ score }) => score).join());
  };
`;

/** A page whose worker has the verifier, with `verify` and `measure`, and what ends it all. */
async function openWorker(scratch) {
  const { page, data, close } = await openSite(scratch);
  await page.evaluate(
    async ([base, text]) => {
      const worker = new Worker("soak-worker.js", { type: "module" });
      const ask = (message) =>
        new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.postMessage(message);
        });
      const engine = new URL("./", location.href).href;
      await ask({ pack: `${base}pack/`, index: `${base}index/`, engine, device: "cpu", threads: 1 });
      globalThis.verify = (number) => ask(text.replaceAll("country 3", `country ${number}`));
    },
    [data, ANSWER],
  );
  return { page, close };
}

/**
 * Runs in a page that has `verify`: verifies ten answers again and again, until there were `all`; bytes after `early`
 * of them and at the end.
 */
async function answer([early, all]) {
  const scores = new Map();
  let before = 0;
  for (let done = 1; done <= all; done++) {
    const number = done % 10;
    const found = await globalThis.verify(number);
    if (!/^[\d.e-]+(,[\d.e-]+){2}$/.test(found)) throw new Error(`answer ${done}: not three scores but ${found}`);
    if (!scores.has(number)) scores.set(number, found);
    else if (scores.get(number) !== found) throw new Error(`answer ${done}: ${found}, not ${scores.get(number)}`);
    if (done === early) before = await globalThis.measure();
  }
  return { before, after: await globalThis.measure() };
}

/** Asserts that the memory at the end has grown by `GROWTH` at most. */
function assertSteady(what, { before, after }) {
  assert.ok(before > 1_000_000, `${what}: ${before} bytes cannot be all`);
  assert.ok(after <= before * (1 + GROWTH), `${what}: ${before} bytes became ${after}`);
}

/** Resolves to what `use` returns for the page that `open` gives; the page is closed then. */
async function inPage(open, use) {
  const scratch = mkdtempSync(join(tmpdir(), "evident-soak-"));
  try {
    const { page, close } = await open(scratch);
    return await use(page).finally(close);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Has one page verify `answers` answers and open `cycles` verifiers; memory is measured after `early` of each too. */
export function soakPage({ answers, cycles, early }) {
  return inPage(openPage, async (page) => {
    const answered = await page.evaluate(answer, [early.answers, answers]);
    const wasm = await page.evaluate(() => globalThis.end());
    assertSteady(`${answers} answers in a page`, answered);
    const cycled = await page.evaluate((numbers) => globalThis.cycle(numbers), [early.cycles, cycles]);
    assertSteady(`${cycles} verifiers`, cycled);
    return { answered, wasm, cycled };
  });
}

/** Has one worker of a page verify `answers` answers; memory is measured after `early` too. */
export function soakWorker({ answers, early }) {
  return inPage(openWorker, async (page) => {
    const answered = await page.evaluate(answer, [early, answers]);
    assertSteady(`${answers} answers in a worker`, answered);
    return answered;
  });
}

/** Has one extension judge `answers` answers; memory is measured after `early` too. */
export function soakExtension({ answers, early }) {
  return inPage(openExtension, async (page) => {
    const answered = await page.evaluate(answer, [early, answers]);
    assertSteady(`${answers} answers in the extension`, answered);
    return answered;
  });
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const mb = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
  const [answers, early] = [2_000, 200];
  const { answered, wasm, cycled } = await soakPage({ answers, cycles: 100, early: { answers: early, cycles: 20 } });
  const grown = ({ before, after }, first) => `${mb(before)} after ${first}, ${mb(after)} at the end`;
  console.log(`2,000 answers in a page: ${grown(answered, early)}, ${mb(wasm)} of wasm`);
  console.log(`100 verifiers: ${grown(cycled, 20)}`);
  console.log(`2,000 answers in a worker: ${grown(await soakWorker({ answers, early }), early)}`);
  console.log(`2,000 answers in the extension: ${grown(await soakExtension({ answers, early }), early)}`);
}
