/**
 * Takes the README's picture: the demo page in Chromium, with its sample checked by the full model and a contradicted
 * sentence opened.
 *
 *   node web/demo/picture.mjs      writes web/demo/picture.png; ./build.sh picture makes what it needs first
 */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { check, done, launch, options, serve, visit } from "../../tests/e2e/browser.mjs";

const PICTURE = fileURLToPath(new URL("picture.png", import.meta.url));
const WIDTH = 1200;
/** A picture in a README is fetched at every visit of it. */
const MOST_BYTES = 200_000;

const [site, browser] = await Promise.all([serve(), launch()]);
const page = await visit(browser, site.url, {
  model: "full",
  viewport: { width: WIDTH, height: 1400 },
  colorScheme: "light",
  reducedMotion: "reduce",
});
await check(page);
await done(page);
await options(page)
  .filter({ has: page.locator(".badge.unfactual") })
  .first()
  .click();
const bytes = await page.screenshot();
await Promise.all([browser.close(), site.close()]);

assert.ok(bytes.length <= MOST_BYTES, `the picture has ${bytes.length} bytes, more than ${MOST_BYTES}`);
await writeFile(PICTURE, bytes);
console.log(`${PICTURE}: ${bytes.length} bytes`);
