/**
 * The npm package as its users meet it: the packed tarball, installed into projects that follow its guides to the
 * letter, in Chromium.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { createServer } from "vite";
import { listen, staticFiles } from "../../web/serve.mjs";
import { launch, PATIENCE_MS, REPOSITORY, withSmallModel } from "./browser.mjs";
import { indexOf } from "./host.mjs";
import { HOSTILE, PRIVATE, session, sound } from "./safety.mjs";
import { follow, headers, snippets } from "./snippets.mjs";

const PACKAGE = join(REPOSITORY, "web/package");
const guide = (name) => snippets(join(PACKAGE, "docs", `${name}.md`));
const TOOLS = {
  vite: "tests/e2e",
  webpack: "tests/e2e",
  "webpack-cli": "tests/e2e",
  typescript: "tests/e2e",
  esbuild: "web",
};
/** The browser modules that were built. */
const MODULES = (process.env.MODULES ?? "cpu relaxed webgpu").split(" ");
const VERDICT = /(factual|unfactual|mixed|noEvidence)/;
const STRICT = { "Content-Security-Policy": "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'" };

/** Holds the tarball, node_modules with what it unpacks to, and a folder for each project. */
let home;
let tarball;
let contents;
let browser;
/** One cache for all projects of the page's own origin, so that the models are fetched once. */
let context;
let site;
let cdn;

before(async () => {
  home = mkdtempSync(join(tmpdir(), "evident-package-"));
  const npm = (...args) =>
    execFileSync("npm", args, { cwd: home, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [packed] = JSON.parse(npm("pack", "--json", PACKAGE));
  tarball = join(home, packed.filename);
  contents = packed.files.map(({ path }) => path);
  npm("install", "--offline", "--no-audit", "--no-fund", "--no-package-lock", "--no-save", tarball);
  mkdirSync(join(home, "node_modules/.bin"));
  if (!MODULES.includes("webgpu")) {
    // Vite's development server refuses an import whose file is absent, though it is never run.
    const absent = join(home, "node_modules/evident-check/dist/wasm/webgpu");
    mkdirSync(absent);
    writeFileSync(join(absent, "evident.js"), "");
  }
  for (const [name, from] of Object.entries(TOOLS)) {
    const modules = join(REPOSITORY, from, "node_modules");
    symlinkSync(join(modules, name), join(home, "node_modules", name));
    if (name !== "webpack-cli" && name !== "typescript")
      symlinkSync(join(modules, ".bin", name), join(home, "node_modules/.bin", name));
  }
  [browser, site, cdn] = await Promise.all([launch(), host(), host()]);
  context = await withSmallModel(await browser.newContext());
  context.setDefaultTimeout(PATIENCE_MS);
});
after(async () => {
  await Promise.all([browser?.close(), site?.close(), cdn?.close()]);
  if (home) rmSync(home, { recursive: true, force: true });
});

/**
 * A server of the folder and response headers that are shown at the time, with the demo's pack and index in /evident/.
 */
async function host() {
  const data = staticFiles(join(REPOSITORY, "dist/demo"));
  let files = data;
  let sent = {};
  const { server, url } = await listen((request, response) => {
    for (const [name, value] of Object.entries(sent)) response.setHeader(name, value);
    const path = /^\/evident(\/(?:pack|index)\/.*)$/.exec(request.url)?.[1];
    if (path) request.url = path;
    return path ? data(request, response) : files(request, response);
  }, 0);
  return {
    url,
    show(folder, headers = {}) {
      [files, sent] = [staticFiles(folder), headers];
    },
    close() {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}

/** A project that follows these snippets, with the package installed; resolves to its folder. */
function project(name, snippets) {
  const folder = join(home, name);
  mkdirSync(folder);
  symlinkSync("../node_modules", join(folder, "node_modules"));
  follow(snippets, folder);
  return folder;
}

/** A page of the site; `page.said` is what it logs, `page.errors` what it throws or logs as an error. */
async function open(url = site.url, within = context) {
  const page = await within.newPage();
  [page.said, page.errors] = [[], []];
  page.on("pageerror", ({ message }) => page.errors.push(message));
  page.on("console", (message) => {
    if (message.type() === "log") page.said.push(message.text());
    else if (message.type() === "error" && !message.location().url.endsWith("/favicon.ico"))
      page.errors.push(message.text());
  });
  await page.goto(url);
  return page;
}

/** Waits until this holds. */
async function until(holds) {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds()) && performance.now() < deadline) await setTimeout(50);
}

/** Waits until the page has logged this many lines, or failed. */
async function said(page, lines = 1) {
  await until(() => page.said.length >= lines || page.errors.length > 0);
  assert.deepEqual(page.errors, []);
  return page.said;
}

/** Waits until the page's <output> reads like this, or the page has failed. */
async function output(page, pattern) {
  const text = () => page.locator("output").textContent();
  await until(async () => pattern.test(await text()) || page.errors.length > 0);
  assert.deepEqual(page.errors, []);
  assert.match(await text(), pattern);
}

describe("the tarball", () => {
  test("holds code, types, wasm, guides and licence, and no data", () => {
    const top = new Set(contents.map((path) => path.split("/")[0]));
    assert.deepEqual([...top].sort(), ["LICENSE", "README.md", "dist", "docs", "package.json"]);
    for (const module of [...MODULES, "wiki"]) assert.ok(contents.includes(`dist/wasm/${module}/evident_bg.wasm`));
    assert.deepEqual(
      contents.filter((path) => /safetensors|pack\.json|manifest\.json|\.map$/.test(path)),
      [],
    );
  });

  test("publint finds nothing", async () => {
    const { messages } = await publint({ pkgDir: join(home, "node_modules/evident-check"), strict: true });
    assert.deepEqual(messages, []);
  });

  test("are-the-types-wrong finds nothing that concerns a package of modules alone", async () => {
    const { problems } = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
    const concerns = ({ kind, resolutionKind }) => resolutionKind !== "node10" && kind !== "CJSResolvesToESM";
    assert.deepEqual(problems.filter(concerns), []);
  });

  test("its types compile without skipLibCheck", () => {
    const folder = project("typed", []);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(
      join(folder, "main.ts"),
      `import { createVerifier, EvidentError, type ErrorCode, type Report, type Settings } from "evident-check";
      import { defineEvidentCheck, type EvidentCheckElement } from "evident-check/element";
      const settings: Partial<Settings> = { preset: "paper" };
      const verifier = await createVerifier({ pack: "p", index: new URL("http://host.example"), engine: "e", device: "cpu", signal: AbortSignal.timeout(1) });
      const report: Report = await verifier.verify("", { settings, onSentence: ({ verdict }) => verdict === "noEvidence" });
      const code: ErrorCode | undefined = report as unknown instanceof EvidentError ? "network" : undefined;
      const element: EvidentCheckElement = document.createElement("evident-check");
      element.addEventListener("evident-error", ({ detail: { error } }) => console.log(error.code, code));
      defineEvidentCheck("my-check");`,
    );
    const tsc = join(home, "node_modules/typescript/bin/tsc");
    const flags = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "false",
      "--target",
      "es2022",
      "--module",
      "nodenext",
      "--lib",
      "es2022,dom,dom.iterable",
    ];
    assert.equal(execFileSync(process.execPath, [tsc, ...flags, "main.ts"], { cwd: folder, encoding: "utf8" }), "");
  });

  test("both entries can be imported where there is no window; where there are no workers, nothing can run", () => {
    const script = `
      await import("evident-check/element");
      const { createVerifier } = await import("./node_modules/evident-check/dist/index.js");
      await createVerifier({ pack: "https://host.example/", index: "https://host.example/", device: "cpu" }).catch(({ code }) => console.log(code));`;
    const run = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: home,
      encoding: "utf8",
    });
    assert.equal(run, "backend-unavailable\n");
  });
});

describe("the guides, followed", () => {
  test("a plain page, with the least policy", async () => {
    const plain = guide("html");
    assert.deepEqual(headers(plain, "send"), STRICT);
    site.show(project("html", [...plain, ...guide("errors")]), STRICT);
    const page = await open();
    await page.locator("li").nth(1).waitFor();
    for (const text of await page.locator("li").allTextContents()) assert.match(text, VERDICT);
    await page.addScriptTag({ type: "module", url: "errors.js" });
    await until(() => page.said.length > 0);
    assert.deepEqual(page.said, ["Where is the index?"]);
    assert.ok(
      page.errors.every((error) => /404/.test(error)),
      page.errors.join("\n"),
    );
    await page.close();
  });

  test("a script of one's own: sentences as they are judged, Cancel, settings", async () => {
    site.show(project("script", guide("script")));
    const page = await open();
    await page.getByRole("button", { name: "Check" }).click();
    await output(page, /^\d supported, \d contradicted, \d neither$/);
    assert.equal(await page.locator("li").count(), 2);
    assert.equal(await page.locator("progress").evaluate(({ value }) => value), 1);

    await page.locator("textarea").fill("Paris is the capital of France. ".repeat(60));
    await page.getByRole("button", { name: "Check" }).click();
    await page.locator("li").first().waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await output(page, /^Cancelled$/);
    const judged = await page.locator("li").count();
    assert.ok(judged > 0 && judged < 60);

    await page.addScriptTag({ type: "module", url: "settings.js" });
    assert.deepEqual(await said(page), ["5 nli"]);
    await page.addScriptTag({ type: "module", url: "split.js" });
    assert.deepEqual((await said(page, 3)).slice(1), ["6: Iron is a metal. 23: Iron rusts.", "Sure! pleasantry"]);
    await page.addScriptTag({ type: "module", url: "conner.js" });
    assert.match((await said(page, 4))[3], /^[01][.\de-]* \[answer\]$/);
    await page.addScriptTag({ type: "module", url: "iterate.js" });
    for (const line of (await said(page, 6)).slice(4)) assert.match(line, VERDICT);
    await page.addScriptTag({ type: "module", url: "sources.js" });
    assert.equal((await said(page, 7))[6], "supported: https://example.org/carbon");
    await page.close();
  });

  test("the element", async () => {
    const widget = guide("widget");
    site.show(project("widget", widget), headers(widget, "send"));
    const page = await open();
    const elements = await page.locator("evident-check").all();
    for (const element of elements.slice(0, 2))
      await element.getByRole("button", { name: "Check", exact: true }).click();
    for (const line of await said(page, 2)) assert.match(line, VERDICT);
    assert.equal(page.workers().length, 1);
    await page.close();
  });

  test("the first lines of README.md", async () => {
    const folder = project("readme", [
      ...guide("html").filter(({ mark }) => mark === "run"),
      ...snippets(join(REPOSITORY, "README.md")).filter(({ mark }) => mark.startsWith("file=")),
    ]);
    const names = `<script type="importmap">{ "imports": { "evident-check": "/evident/index.js" } }</script>`;
    writeFileSync(join(folder, "index.html"), `<!doctype html>${names}<script type="module" src="check.js"></script>`);
    site.show(folder);
    const page = await open();
    assert.match((await said(page))[0], VERDICT);
    await page.goto(`${site.url}widget.html`);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.locator(".sentence-button").waitFor();
    assert.deepEqual(page.errors, []);
    await page.close();
  });

  const bundlers = guide("bundlers");
  const under = (heading) => bundlers.filter((snippet) => ["The script", heading].includes(snippet.heading));
  for (const bundler of ["Vite", "webpack", "esbuild", "Any other, or no module at all"])
    test(`built with ${bundler}, under the least policy`, async () => {
      const folder = project(bundler.split(",")[0], under(bundler));
      site.show(join(folder, "dist"), STRICT);
      const page = await open();
      await output(page, /\b1 judged\.$/);
      await page.close();
    });

  test("Vite's development server", async (t) => {
    const folder = project(
      "vite-dev",
      under("Vite").filter(({ mark }) => mark !== "run"),
    );
    const proxy = Object.fromEntries(["/evident/pack", "/evident/index"].map((path) => [path, site.url]));
    const server = await createServer({
      root: folder,
      logLevel: "error",
      server: { port: 0, proxy, fs: { strict: false } },
    });
    t.after(() => server.close());
    await server.listen();
    const page = await open(server.resolvedUrls.local[0]);
    await output(page, /\b1 judged\.$/);
    await page.close();
  });

  test("the package and its data from another origin, under the policy that this needs", async () => {
    const origins = guide("origins");
    const cast = (text) =>
      text.replaceAll("https://cdn.example/", cdn.url).replaceAll("https://cdn.example", cdn.url.slice(0, -1));
    const files = origins.map((snippet) => ({ ...snippet, code: cast(snippet.code) }));
    cdn.show(project("cdn", guide("html")), headers(files, "cdn"));
    site.show(project("origins", files), headers(files, "send"));
    const page = await open();
    await output(page, /^1 judged\.$/);

    // A policy that does not allow it, and a host that does not, are typed errors.
    const failure = (page, origin, engine) =>
      page.evaluate(
        async ([evident, engine]) => {
          const { createVerifier } = await import(`${evident}index.js`);
          return createVerifier({ pack: `${evident}pack/`, index: `${evident}index/`, engine, device: "cpu" }).catch(
            ({ code }) => code,
          );
        },
        [`${origin}evident/`, engine],
      );
    assert.equal(await failure(page, cdn.url, `${site.url}evident/`), "network");
    for (const server of [cdn, site]) server.show(join(home, "cdn"));
    const bare = await open(`${site.url}evident/index.js`, await browser.newContext());
    assert.equal(await failure(bare, site.url, `${cdn.url}evident/`), "network");
    await bare.context().close();
    await page.close();
  });

  test("Trusted Types enforced", async () => {
    const origins = guide("origins");
    const folder = project("trusted", [...guide("html"), ...origins.filter(({ mark }) => mark === "file=trusted.js")]);
    writeFileSync(
      join(folder, "trusted.html"),
      `<!doctype html><output></output><script type="module" src="trusted.js"></script>`,
    );
    site.show(folder, headers(origins, "trusted"));
    const page = await open(`${site.url}trusted.html`);
    await output(page, /^1 judged\.$/);
    await page.close();

    const element = `<evident-check pack="evident/pack/" index="evident/index/" engine="evident/">The atomic number of carbon is 8.</evident-check>`;
    writeFileSync(
      join(folder, "element.html"),
      `<!doctype html><script type="module" src="evident/evident-check.js"></script>${element}`,
    );
    const widget = await open(`${site.url}element.html`);
    await widget.getByRole("button", { name: "Check", exact: true }).click();
    await widget.locator(".sentence-button").waitFor();
    assert.deepEqual(widget.errors, []);
    await widget.close();
  });
});

describe("nothing leaks, nothing injects, in a page of the package alone that enforces Trusted Types", () => {
  let address;
  before(() => {
    const folder = project(
      "safety",
      guide("html").filter(({ mark }) => mark === "run"),
    );
    writeFileSync(join(folder, "safety.html"), "<!doctype html><title>Safety</title><body></body>");
    indexOf(HOSTILE.passages, folder, "hostile");
    site.show(folder, headers(guide("origins"), "trusted"));
    address = `${site.url}safety.html`;
  });

  test("no request of a whole session holds a piece of the text", async () => {
    const { question, answer } = PRIVATE;
    await session(browser, address, [question, answer], async (page) => {
      const done = await page.evaluate(
        async ([question, answer]) => {
          const { createVerifier } = await import("./evident/index.js");
          const verifier = await createVerifier({
            pack: "evident/pack/",
            index: "evident/index/",
            engine: "evident/",
            device: "cpu",
          });
          const { sentences } = await verifier.split(answer, { question });
          const report = await verifier.verify(answer, { question });
          const scores = await verifier.conner({ question, knowledge: answer, answer, reference: answer });
          verifier.dispose();
          return {
            split: sentences.map(({ text }) => text),
            judged: report.sentences.map(({ text }) => text),
            scored: scores.factuality.sentences.length,
          };
        },
        [question, answer],
      );
      assert.deepEqual(done, { split: [answer], judged: [answer], scored: 1 });
    });
  });

  test("hostile answers and passages come through as the text that they are", async () => {
    const page = await open(address);
    const report = await page.evaluate(async (answer) => {
      const { createVerifier } = await import("./evident/index.js");
      const verifier = await createVerifier({
        pack: "evident/pack/",
        index: "hostile/",
        engine: "evident/",
        device: "cpu",
      });
      const report = await verifier.verify(answer);
      verifier.dispose();
      return report;
    }, HOSTILE.answer);
    assert.equal(report.answer, HOSTILE.answer);
    const all = [...report.sentences, ...report.leftOut];
    assert.ok(all.some(({ start, end }) => HOSTILE.answer.slice(start, end).startsWith("Brakto is long")));
    assert.ok(
      all.every(({ text }) => !text.includes("injected")),
      "a script is no prose",
    );
    const found = report.sentences.flatMap(({ evidence }) => evidence);
    for (const { id, title, text, source } of HOSTILE.passages)
      assert.ok(
        found.some((one) => one.id === id && one.title === title && one.text === text && one.source === source),
        id,
      );
    assert.deepEqual(page.errors, []);
    await sound(page);
    await page.close();
  });
});

describe("what the types promise", () => {
  let page;
  before(async () => {
    const folder = project(
      "promises",
      guide("html").filter(({ mark }) => mark === "run"),
    );
    writeFileSync(join(folder, "index.html"), "<!doctype html><title>Promises</title>");
    site.show(folder, STRICT);
    page = await open();
  });
  after(() => page?.close());

  test("an abort ends the loading and its worker at once, and one that came before starts none", async () => {
    const codes = await page.evaluate(async () => {
      const { createVerifier } = await import("./evident/index.js");
      const create = (options) =>
        createVerifier({ pack: "evident/pack/", index: "evident/index/", ...options }).catch(({ code, cause }) => [
          code,
          cause,
        ]);
      const stop = new AbortController();
      return [
        await create({ signal: AbortSignal.abort("before") }),
        await create({ signal: stop.signal, onProgress: () => stop.abort("while") }),
      ];
    });
    assert.deepEqual(codes, [
      ["cancelled", "before"],
      ["cancelled", "while"],
    ]);
    await until(() => page.workers().length === 0);
    assert.equal(page.workers().length, 0);
  });

  test("the settings' defaults are those that the engine uses", async () => {
    const documented = readFileSync(
      join(home, "node_modules/evident-check/dist/generated/settings.d.ts"),
      "utf8",
    ).matchAll(/@defaultValue `([^`]+)`(?:; of the preset "paper": `([^`]+)`)?\s+\*\/\s+(\w+):/g);
    const [recommended, paper] = [{}, {}];
    for (const [, value, other, name] of documented) {
      recommended[name] = JSON.parse(value);
      paper[name] = JSON.parse(other ?? value);
    }
    const used = await page.evaluate(async () => {
      const { createVerifier } = await import("./evident/index.js");
      const verifier = await createVerifier({ pack: "evident/pack/", index: "evident/index/" });
      const used = [];
      for (const settings of [{}, { preset: "paper" }])
        used.push((await verifier.verify("Xyzzyq is a qwrtzplm.", { settings })).settings);
      verifier.dispose();
      return used;
    });
    assert.deepEqual(used, [recommended, { ...paper, preset: "paper" }]);
  });

  test("a split is what a verification judges and leaves out; of a lazy verifier it needs the wasm module alone", async () => {
    const found = await page.evaluate(async (answer) => {
      const { createVerifier } = await import("./evident/index.js");
      const verifier = await createVerifier({
        pack: "evident/pack/",
        index: "evident/index/",
        device: "cpu",
        lazy: true,
      });
      const options = { question: "Who was Marie Curie?" };
      const split = await verifier.split(answer, options);
      const { openMs } = verifier.footprint;
      const nothing = await verifier.split(" -- ", options);
      const codes = [];
      for (const settings of [{ maxCharacters: 5 }, { evidence: 1_000 }])
        await verifier.split(answer, { settings }).catch(({ code }) => codes.push(code));
      const { sentences, leftOut } = await verifier.verify(answer, options);
      verifier.dispose();
      return {
        split,
        openMs,
        nothing,
        codes,
        judged: {
          sentences: sentences.map(({ start, end, text, statement, context }) => ({
            start,
            end,
            text,
            statement,
            context,
          })),
          leftOut,
        },
      };
    }, "Sure! Marie Curie was a 🦀 physicist. She won two prizes. Shall I go on?");
    const { blocks, ...split } = found.split;
    assert.deepEqual(split, found.judged);
    assert.deepEqual(
      blocks.map(({ kind }) => kind),
      ["paragraph"],
    );
    assert.deepEqual(
      split.leftOut.map(({ kind }) => kind),
      ["pleasantry", "question"],
    );
    assert.equal(found.openMs, 0);
    assert.deepEqual([found.nothing.sentences, found.nothing.leftOut], [[], []]);
    assert.deepEqual(found.codes, ["answer-too-long", "bad-settings"]);
  });

  test("where the verifier alone scores, no file of the NLI model is fetched, until a check asks that model", async () => {
    const requested = [];
    const note = (request) => requested.push(new URL(request.url()).pathname);
    page.context().on("request", note);
    const { small } = JSON.parse(readFileSync(join(REPOSITORY, "models/embedded/pack.json"), "utf8")).models;
    const weights = small.weights.map(({ path }) => path).filter((path) => path.startsWith("small/"));
    const fetched = () => weights.filter((path) => requested.some((other) => other.endsWith(`/${path}`)));
    const check = (settings) =>
      page.evaluate(async (settings) => {
        const { createVerifier } = await import("./evident/index.js");
        const where = { pack: "evident/pack/", index: "evident/index/", device: "cpu", lazy: true };
        globalThis.kept ??= await createVerifier(where);
        const { sentences, decidedBy } = await globalThis.kept.verify("Iron is a metal. Tin is a gas.", { settings });
        const read = sentences.flatMap(({ evidence }) => evidence.filter(({ nli }) => nli));
        return { decidedBy, asked: sentences.every(({ pFactual }) => pFactual !== null), read: read.length };
      }, settings);
    await page.evaluate(() => caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name)))));
    assert.deepEqual(await check({ scoreBy: "verifier" }), { decidedBy: ["verifier"], asked: true, read: 0 });
    assert.deepEqual(fetched(), []);
    const both = await check({ scoreBy: "both" });
    assert.ok(both.read > 0);
    assert.deepEqual(fetched(), weights);
    page.context().off("request", note);
    await page.evaluate(() => globalThis.kept.dispose());
  });

  test("every error code is in the table, and nothing else", () => {
    const source = readFileSync(join(PACKAGE, "src/generated/error-code.ts"), "utf8");
    const codes = [...source.matchAll(/^ {2}\| "([a-z-]+)"/gm)].map(([, code]) => code);
    const table = readFileSync(join(PACKAGE, "docs/errors.md"), "utf8");
    const rows = [...table.matchAll(/^\| `([a-z-]+)` \| .+ \| .+ \|$/gm)].map(([, code]) => code);
    assert.ok(codes.length > 10);
    assert.deepEqual(rows.sort(), codes.sort());
  });
});
