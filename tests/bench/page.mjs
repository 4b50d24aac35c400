/**
 * The demo page by Lighthouse, before any check, on a phone and on a desktop; and the Core Web Vitals of a visit in which
 * its sample is checked, on this machine; and what the page costs while nobody does anything.
 *
 *   node tests/bench/page.mjs      after ./build.sh build; ./build.sh bench page makes what it needs first
 *
 * Fails if a category of Lighthouse is below 95: of three runs the one whose performance is in the middle.
 */

import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import lighthouse, { desktopConfig } from "lighthouse";
import { chromium } from "playwright-core";
import { listen, staticFiles } from "../../web/serve.mjs";
import { watchVitals } from "../e2e/vitals.mjs";

const DEMO = fileURLToPath(new URL("../../dist/demo", import.meta.url));
const CATEGORIES = ["performance", "accessibility", "best-practices"];
const LEAST = 95;
/** The audits of Lighthouse that are Core Web Vitals, or stand for them where nobody presses anything. */
const VITALS = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift"];

const row = (what, figure) => console.log(`${what.padEnd(44)} ${figure}`);

/** A port that is free now. */
function freePort() {
  return new Promise((found) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}

const port = await freePort();
const { server, url } = await listen(staticFiles(DEMO), 0);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless=new", "--no-sandbox", `--remote-debugging-port=${port}`],
});

let isGood = true;
for (const [device, config] of [
  ["phone", undefined],
  ["desktop", desktopConfig],
]) {
  const runs = [];
  while (runs.length < 3)
    runs.push((await lighthouse(url, { port, logLevel: "error", onlyCategories: CATEGORIES }, config)).lhr);
  const [, lhr] = runs.sort((a, b) => a.categories.performance.score - b.categories.performance.score);
  for (const { id, score, auditRefs } of Object.values(lhr.categories)) {
    row(`${device}: ${id}`, Math.round(100 * score));
    isGood &&= 100 * score >= LEAST;
    const audits = auditRefs.filter(({ weight }) => weight > 0).map((reference) => lhr.audits[reference.id]);
    for (const { title, score, displayValue = "" } of audits)
      if (score !== null && score < 0.9) row(`  ${title}`, `${score} ${displayValue}`);
  }
  // Lighthouse slows the machine down to a phone's: one that is busy, and has less than about 1000, becomes too slow.
  row("  the machine, by Lighthouse's benchmark", lhr.environment.benchmarkIndex);
  for (const id of VITALS) row(`  ${lhr.audits[id].title}`, lhr.audits[id].displayValue);
}

/** A function that gives the browser's measurements of the page's thread, by name. */
async function watchThread(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  return async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
}

/** How long the page's thread works in ten seconds in which nobody does anything, and the memory of its scripts. */
async function idle(when, measure) {
  const before = await measure();
  await page.waitForTimeout(10_000);
  const after = await measure();
  row(`idle for 10 s, ${when}: the page's thread works`, `${(1000 * (after.TaskDuration - before.TaskDuration)).toFixed(0)} ms`);
  row(`  memory of its scripts`, `${(after.JSHeapUsedSize / 1e6).toFixed(1)} MB`);
}

/** A visit: the sample is checked, and the reader goes from sentence to sentence, to the details and to other evidence. */
const page = await browser.newPage({ viewport: { width: 412, height: 823 } });
await page.addInitScript(watchVitals);
await page.goto(url);
const measure = await watchThread(page);
await idle("before a check", measure);
await page.getByRole("button", { name: "Check", exact: true }).click();
const sentences = page.locator(".sentence-button");
await sentences.first().waitFor({ timeout: 300_000 });
await sentences.first().click(); // while others are being judged
await page.getByText(/^Done: /).waitFor({ timeout: 600_000 });
for (const sentence of await sentences.all()) await sentence.click();
await page.locator("#details > summary").click();
await page.getByText("Use other evidence").click();
await page.waitForTimeout(500);
const { lcp, cls, inp } = await page.evaluate(() => globalThis.vitals);
row("visit: Largest Contentful Paint (good: 2.5 s)", `${(lcp / 1000).toFixed(2)} s`);
row("visit: Cumulative Layout Shift (good: 0.1)", cls.toFixed(3));
row("visit: Interaction to Next Paint (good: 200 ms)", `${inp} ms`);
await idle("after it", measure);

await browser.close();
server.closeAllConnections();
server.close();
process.exitCode = isGood ? 0 : 1;
