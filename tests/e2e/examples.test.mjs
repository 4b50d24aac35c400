/** The examples of frameworks: each is built as its reader builds it, and works in Chromium. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { listen, staticFiles } from "../../web/serve.mjs";
import { launch, PATIENCE_MS, REPOSITORY, withSmallModel } from "./browser.mjs";

const EXAMPLES = join(REPOSITORY, "web/package/examples");
const DATA = { pack: join(REPOSITORY, "models/embedded"), index: join(REPOSITORY, "dist/demo/index") };

let home;
let browser;
before(async () => {
  home = mkdtempSync(join(tmpdir(), "evident-examples-"));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  if (home) rmSync(home, { recursive: true, force: true });
});

for (const name of ["react", "vue", "svelte"])
  test(`${name}: property, event and marks`, async () => {
    const folder = join(home, name);
    cpSync(join(EXAMPLES, name), folder, { recursive: true });
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    for (const needed of Object.keys({ ...dependencies, ...devDependencies })) {
      const link = join(folder, "node_modules", needed);
      mkdirSync(dirname(link), { recursive: true });
      const from = needed === "evident-check" ? "web/package" : `tests/e2e/node_modules/${needed}`;
      symlinkSync(join(REPOSITORY, from), link);
    }
    const vite = join(REPOSITORY, "tests/e2e/node_modules/vite/bin/vite.js");
    execFileSync(process.execPath, [vite, "build", "--logLevel", "warn"], { cwd: folder, stdio: "pipe" });

    const { server, url } = await listen(staticFiles(join(folder, "dist")), 0);
    const context = await withSmallModel(await browser.newContext());
    context.setDefaultTimeout(PATIENCE_MS);
    await context.route("https://cdn.jsdelivr.net/npm/**", (route) => {
      const [, part, path] = /\/npm\/[^/]+\/(pack|index)\/(.*)$/.exec(route.request().url());
      return route.fulfill({ path: join(DATA[part], path), headers: { "Access-Control-Allow-Origin": "*" } });
    });
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(url);
    const element = page.locator("evident-check");
    assert.deepEqual(await element.evaluate(({ settings }) => settings), { evidence: 5 });
    await element.locator(".check").click();
    await page.locator("output", { hasText: "1 contradicted" }).waitFor();
    assert.equal(await page.evaluate(() => CSS.highlights.get("evident-unfactual")?.size), 1);
    assert.deepEqual(errors, []);
    await context.close();
    server.closeAllConnections();
    server.close();
  });
