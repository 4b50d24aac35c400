/**
 * The three npm packages as their users meet them: packed, installed together into an empty folder, and run in Chromium
 * from a static server, from the CDN that is the default, in a worker, and in Node.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { listen, staticFiles } from "../../web/serve.mjs";
import { launch, PATIENCE_MS, REPOSITORY, withSmallModel } from "./browser.mjs";
import { follow, snippets } from "./snippets.mjs";

const NAMES = ["evident-check", "evident-check-models", "evident-check-demo-index"];
const VERDICT = /\b(factual|unfactual|mixed|noEvidence)\b/;
const MIB = 1 << 20;
const CDN = "https://cdn.jsdelivr.net/npm/";

let home;
/** What `npm pack` says of each package. */
let packed;
let browser;
let server;
let url;

before(async () => {
  home = mkdtempSync(join(tmpdir(), "evident-npm-"));
  const layout = join(home, "packages");
  execFileSync(process.execPath, [join(REPOSITORY, "web/packages.mjs"), "--out", layout]);
  const npm = (...args) =>
    execFileSync("npm", args, { cwd: home, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  packed = Object.fromEntries(
    NAMES.map((name) => [name, JSON.parse(npm("pack", "--json", "--offline", join(layout, name)))[0]]),
  );
  const tarballs = NAMES.map((name) => join(home, packed[name].filename));
  npm("install", "--offline", "--no-audit", "--no-fund", "--no-package-lock", "--no-save", ...tarballs);
  rmSync(layout, { recursive: true });
  writeFileSync(join(home, "blank.html"), "<!doctype html><title>Blank</title>");
  ({ server, url } = await listen(staticFiles(home), 0));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  if (home) rmSync(home, { recursive: true, force: true });
});

const installed = (name) => join(home, "node_modules", name);
const manifestOf = (name) => JSON.parse(readFileSync(join(installed(name), "package.json"), "utf8"));
const guide = (name) => snippets(join(installed("evident-check"), `docs/${name}.md`));

/** A page of the static server; `page.said` is what it logs, `page.errors` what it throws. */
async function open(path, prepare = async () => undefined) {
  const context = await withSmallModel(await browser.newContext());
  context.setDefaultTimeout(PATIENCE_MS);
  await prepare(context);
  const page = await context.newPage();
  [page.said, page.errors] = [[], []];
  page.on("pageerror", ({ message }) => page.errors.push(message));
  page.on("console", (message) => message.type() === "log" && page.said.push(message.text()));
  await page.goto(url + path);
  return page;
}

/** Waits until the page has logged so many lines. */
async function said(page, lines = 1) {
  const deadline = performance.now() + PATIENCE_MS;
  while (page.said.length < lines && page.errors.length === 0 && performance.now() < deadline)
    await page.waitForTimeout(50);
  assert.deepEqual(page.errors, []);
  return page.said;
}

/** Answers for the CDN with what is installed here; `alter(path, body)` may give other bytes. */
const cdn =
  (alter = (_, body) => body) =>
  (context) =>
    context.route(`${CDN}**`, (route) => {
      const [, name, version, path] = /^([^@]+)@([^/]+)\/(.*)$/.exec(route.request().url().slice(CDN.length)) ?? [];
      const file = name && manifestOf(name).version === version ? join(installed(name), path) : "";
      const headers = { "Access-Control-Allow-Origin": "*" };
      if (!existsSync(file)) return route.fulfill({ status: 404, headers });
      const type =
        { ".js": "text/javascript", ".wasm": "application/wasm" }[extname(file)] ?? "application/octet-stream";
      return route.fulfill({ body: alter(path, readFileSync(file)), headers, contentType: type });
    });

test("the packages hold what they should, with readme and licence, within what the CDN takes", () => {
  const files = (name) => packed[name].files.map(({ path }) => path);
  const parts = { "evident-check-models": "pack", "evident-check-demo-index": "index" };
  for (const [name, part] of Object.entries(parts)) {
    assert.deepEqual(
      files(name).filter((path) => !path.startsWith(`${part}/`)),
      ["LICENSE", "README.md", "index.d.ts", "index.js", "package.json"],
    );
    assert.ok(packed[name].unpackedSize < 100 * MIB, name);
    for (const { path, size } of packed[name].files) assert.ok(size < 20 * MIB, path);
  }
  const pack = JSON.parse(readFileSync(join(installed("evident-check-models"), "pack/pack.json"), "utf8"));
  const expected = ["pack.json", ...pack.files.map(({ path }) => path)].map((path) => `pack/${path}`);
  assert.deepEqual(
    files("evident-check-models")
      .filter((path) => path.startsWith("pack/"))
      .sort(),
    expected.sort(),
  );
  assert.equal(manifestOf("evident-check-models").version, pack.version);
  assert.ok(files("evident-check-demo-index").includes("index/manifest.json"));
  assert.match(readFileSync(join(installed("evident-check-demo-index"), "LICENSE"), "utf8"), /Open Database License/);
  assert.match(readFileSync(join(installed("evident-check-demo-index"), "README.md"), "utf8"), /world-countries/);
  for (const name of NAMES) {
    const text = readFileSync(join(installed(name), "README.md"), "utf8");
    assert.doesNotMatch(text, /\]\(\.\.|VERSION|INTEGRITY/, name);
    assert.ok(manifestOf(name).description && manifestOf(name).license && !manifestOf(name).private, name);
  }
  const { peerDependencies, peerDependenciesMeta } = manifestOf("evident-check");
  for (const [name, version] of Object.entries(peerDependencies)) {
    assert.equal(version, manifestOf(name).version);
    assert.ok(peerDependenciesMeta[name].optional);
  }
});

test("in a page of a static server, with the data that the packages say, nothing leaves the host", async () => {
  const imports = Object.fromEntries(
    NAMES.map((name) => [name, `/node_modules/${name}/${manifestOf(name).exports["."].default}`.replace("/./", "/")]),
  );
  writeFileSync(
    join(home, "own.html"),
    `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>
    <script type="module">
      import { createVerifier } from "evident-check";
      import { index } from "evident-check-demo-index";
      import { pack } from "evident-check-models";
      const verifier = await createVerifier({ pack, index });
      for await (const { verdict, text } of verifier.verify("The atomic number of carbon is 8.")) console.log(verdict, text);
      verifier.dispose();
    </script>`,
  );
  const hosts = new Set();
  const page = await open("own.html", async (context) =>
    context.on("request", (it) => hosts.add(new URL(it.url()).origin)),
  );
  assert.match((await said(page))[0], /^unfactual The atomic number/);
  assert.deepEqual([...hosts], [new URL(url).origin]);
  await page.context().close();
});

test("the first lines of the readme: a script and an element with data, and the element's script, from the CDN", async () => {
  follow(snippets(join(installed("evident-check"), "README.md")), home);
  const map = {
    imports: { "evident-check": `${CDN}evident-check@${manifestOf("evident-check").version}/dist/index.js` },
  };
  writeFileSync(
    join(home, "five.html"),
    `<!doctype html><script type="importmap">${JSON.stringify(map)}</script><script type="module" src="check.js"></script>`,
  );
  const page = await open("five.html", cdn());
  assert.match((await said(page))[0], VERDICT);
  await page.goto(`${url}widget.html`);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.locator(".sentence-button").waitFor();
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("what the CDN gives in place of a published file is refused, be it script, models or evidence", async () => {
  const another = (name) => cdn((path, body) => (path === name ? Buffer.concat([body, Buffer.from(" ")]) : body));
  const element = await open("widget.html", another("dist/evident-check.js"));
  assert.equal(await element.evaluate(() => customElements.get("evident-check") === undefined), true);
  await element.context().close();
  for (const [name, expected] of [
    ["pack/pack.json", "pack-corrupt"],
    ["index/manifest.json", "index-corrupt"],
  ]) {
    const page = await open("blank.html", another(name));
    const { code, message } = await page.evaluate(async () => {
      const { createVerifier } = await import("/node_modules/evident-check/dist/index.js");
      return createVerifier({ device: "cpu" }).catch(({ code, message }) => ({ code, message }));
    });
    assert.equal(code, expected, `${name}: ${message}`);
    await page.context().close();
  }
});

test("in a worker an index is built and an answer judged, and in a page", async () => {
  const folder = join(home, "worker");
  mkdirSync(folder);
  follow(
    [...guide("node"), ...guide("data")].filter(({ mark }) => mark.startsWith("file=")),
    folder,
  );
  const files = staticFiles(folder);
  const there = {
    "/evident/pack/": "/node_modules/evident-check-models/pack/",
    "/evident/": "/node_modules/evident-check/dist/",
  };
  const all = staticFiles(home);
  const host = await listen((request, response) => {
    const [from] = Object.keys(there).filter((path) => request.url.startsWith(path));
    if (from) request.url = there[from] + request.url.slice(from.length);
    return from ? all(request, response) : files(request, response);
  }, 0);
  const map = { imports: { "evident-check": "/evident/index.js" } };
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html><script type="importmap">${JSON.stringify(map)}</script><script type="module" src="own.js"></script>`,
  );
  const page = await open("blank.html");
  await page.goto(host.url);
  assert.deepEqual(await said(page), ["factual"]);
  const summary = await page.evaluate(
    () =>
      new Promise((done, fail) => {
        const worker = new Worker("worker.js", { type: "module" });
        worker.onerror = ({ message }) => fail(new Error(message));
        worker.onmessage = ({ data }) => {
          if (data === "ready") worker.postMessage("The atomic number of carbon is 8.");
          else done(data);
        };
      }),
  );
  assert.equal(summary.unfactual, 1);
  const refused = await page.evaluate(async () => {
    const { buildIndex } = await import("/evident/index.js");
    const of = (...args) => buildIndex(...args).catch(({ code, message }) => [code, message]);
    const good = { id: 1, title: "A", text: "One." };
    return [
      await of([good, { id: 2, title: "B" }]),
      await of([good, good]),
      await of([good], { engin: "/evident/" }),
      await of([good], { signal: AbortSignal.abort() }),
    ];
  });
  assert.deepEqual(
    refused.map(([code]) => code),
    ["bad-passages", "bad-passages", "bad-settings", "cancelled"],
  );
  assert.match(refused[0][1], /passages: line 2 is not a passage \(missing field `text`/);
  await page.context().close();
  host.server.closeAllConnections();
  host.server.close();
});

test("a host that answers with a page in place of the engine, the models or the index is told so", async () => {
  const replaced = async (pattern, options) => {
    const page = await open("blank.html", (context) =>
      context.route(pattern, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><p>Hello" })),
    );
    const error = await page.evaluate(async (options) => {
      const { createVerifier } = await import("/node_modules/evident-check/dist/index.js");
      return createVerifier({ device: "cpu", ...options }).catch(({ code, message }) => ({ code, message }));
    }, options);
    await page.context().close();
    return error;
  };
  const data = {
    pack: "/node_modules/evident-check-models/pack/",
    index: "/node_modules/evident-check-demo-index/index/",
  };
  for (const [pattern, code] of [
    ["**/*.wasm", "network"],
    ["**/pack.json", "pack-corrupt"],
    ["**/manifest.json", "index-corrupt"],
  ]) {
    const error = await replaced(pattern, data);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, /the host answered with a page/);
  }
});

test("in Node the installed data is used, paths are addresses, and errors are the same", () => {
  const run = (script) =>
    execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: home, encoding: "utf8" });
  follow(
    guide("node").filter(({ mark }) => mark === "file=check.mjs"),
    home,
  );
  const lines = execFileSync(process.execPath, ["check.mjs"], { cwd: home, encoding: "utf8" }).trim().split("\n");
  assert.match(lines[0], /^unfactual The atomic number of carbon is 8\.$/);
  assert.match(lines[1], /^\w+ Paris is in France\.$/);
  assert.match(lines[2], /^\d files$/);

  const said = run(`
    import { createVerifier, buildIndex, standingOf } from "evident-check";
    const index = await buildIndex([{ id: "x", title: "Carbon", text: "The atomic number of carbon is 6." }]);
    const verifier = await createVerifier({ model: "small", index, pack: "node_modules/evident-check-models/pack" });
    const { sentences, backend } = await verifier.verify("The atomic number of carbon is 6.");
    console.log(backend.kind, standingOf(sentences[0]));
    const stop = new AbortController();
    const stopped = verifier.verify("Iron is a metal. ".repeat(30), { signal: stop.signal, onSentence: () => stop.abort() });
    console.log(await stopped.catch(({ code }) => code));
    verifier.dispose();
    for (const options of [{ pack: "nowhere" }, { index: "nowhere" }, { device: "webgpu" }, { threads: 99 }])
      await createVerifier({ model: "small", ...options }).catch(({ code }) => console.log(code));
  `);
  assert.deepEqual(said.trim().split("\n"), [
    "cpu factual",
    "cancelled",
    "pack-missing",
    "index-missing",
    "backend-unavailable",
    "bad-settings",
  ]);
});
