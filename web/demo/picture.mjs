/**
 * Takes the README's picture: the demo page in Chromium, one of its samples checked by the full model, and a contradicted
 * sentence opened.
 *
 *   node web/demo/picture.mjs      writes web/demo/picture.webp; ./build.sh picture makes what it needs first
 */

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { check, done, launch, options, REPOSITORY, serve, visit } from "../../tests/e2e/browser.mjs";

const PICTURE = fileURLToPath(new URL("picture.webp", import.meta.url));
/** The sample's question. Its answer gets several kinds of verdicts. */
const QUESTION = "What is special about Switzerland?";
const WIDTH = 1200;
/** Every visit of the README fetches its picture. */
const MOST_BYTES = 200_000;

const samples = (await readFile(`${REPOSITORY}tests/data/answers.jsonl`, "utf8")).trim().split("\n").map(JSON.parse);
const { question, answer } = samples.find((sample) => sample.question === QUESTION);

const [site, browser] = await Promise.all([serve(), launch()]);
const page = await visit(browser, site.url, {
  model: "full",
  viewport: { width: WIDTH, height: 1200 },
  colorScheme: "light",
  reducedMotion: "reduce",
});
await check(page, { question, answer });
await done(page);
const contradicted = options(page).filter({ has: page.locator(".badge.unfactual") });
await contradicted.first().click();
await page.getByRole("complementary", { name: "Evidence" }).waitFor();
const bytes = await webp(await page.screenshot());
await Promise.all([browser.close(), site.close()]);

assert.ok(bytes.length <= MOST_BYTES, `the picture has ${bytes.length} bytes, more than ${MOST_BYTES}`);
await writeFile(PICTURE, bytes);
console.log(`${PICTURE}: ${bytes.length} bytes`);

/** A PNG as WebP, which is a fraction of it. */
async function webp(png) {
  const blank = await browser.newPage();
  const encoded = await blank.evaluate(async (encoded) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(encoded), (c) => c.charCodeAt(0))]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.9 });
    return Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join("");
  }, png.toString("base64"));
  return Buffer.from(encoded, "latin1");
}
