/** The pages that an answer cites: which hosts are asked for them, and what is made of the answers. No network is used. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import ipaddr from "ipaddr.js";
import { load } from "../../load.mjs";

const source = (name) => fileURLToPath(new URL(`../src/${name}`, import.meta.url));

let [fetchSources, isPrivateHost, pagesOf, passagesOfBytes, pdfReader, Reading, fetched] = [];
before(async () => {
  ({ fetchSources } = await load(source("sources/fetch.ts")));
  ({ isPrivateHost } = await load(source("sources/private-hosts.ts")));
  ({ pagesOf } = await load(source("sources/given.ts")));
  ({ passagesOfBytes, pdfReader } = await load(source("sources/bytes.ts")));
  ({ Reading } = await load(source("sources/reading.ts")));
  ({ fetched } = await load(source("../../demo/web-page.ts")));
});

/** A web of these answers, which counts what it is asked for. */
function web(answers) {
  const asked = [];
  const fetch = async (address, options) => {
    asked.push([address, options]);
    const answer = answers[address];
    if (!answer) throw new TypeError("fetch failed");
    const response = typeof answer === "function" ? await answer(options) : answer;
    return Object.defineProperty(response, "url", { value: response.finalUrl ?? address });
  };
  return { fetch, asked };
}

const html = (text, more = {}) =>
  new Response(text, { headers: { "Content-Type": "text/html; charset=utf-8" }, ...more });
const at = (url, response) => Object.assign(response, { finalUrl: url });

test("private hosts are known in every way to write them", () => {
  const hostOf = (host) => new URL(`http://${host}/`).hostname;
  for (const host of [
    "localhost",
    "LOCALHOST.",
    "a.localhost",
    "printer.local",
    "nas",
    "x.internal",
    "router.home.arpa",
    "fritz.box",
    "nas.fritz.box",
    "localhost.localdomain",
    "nas.localdomain",
    "router.home",
    "router.lan",
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "198.19.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd12:3456::1]",
    "[ff02::1]",
    "[::ffff:10.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::192.168.1.1]",
    "[2002:7f00:1::]",
    "[2001:db8::1]",
    "[2001::1]",
    "[::127.0.0.1]",
  ])
    assert.ok(isPrivateHost(hostOf(host)), host);
  for (const host of [
    "example.org",
    "local.example.org",
    "example.box",
    "notfritz.box",
    "localdomain.org",
    "1.1.1.1",
    "172.15.0.1",
    "172.32.0.1",
    "100.128.0.1",
    "11.0.0.1",
    "[2606:4700::1111]",
    "[2001:4860:4860::8888]",
    "[::ffff:8.8.8.8]",
    "[2002:808:808::]",
  ])
    assert.ok(!isPrivateHost(hostOf(host)), host);
  assert.ok(isPrivateHost("fe80::1%eth0"), "as a name server's answer");
});

/** Blocks that serve one purpose and that anybody may reach (IANA's registry: "Globally Reachable"). */
const REACHABLE = ["192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24", "2620:4f:8000::/48"].map(ipaddr.parseCIDR);

/** Whether ipaddr.js has an address in a block of no public host. */
function isSpecial(address) {
  const bytes = address.toByteArray();
  const v4 = (at) => isSpecial(ipaddr.fromByteArray(bytes.slice(at, at + 4)));
  if (REACHABLE.some(([block, bits]) => block.kind() === address.kind() && address.match(block, bits))) return false;
  const range = address.range();
  if (range === "ipv4Mapped" || (range === "rfc6052" && bytes[5] === 0)) return v4(12);
  if (range === "6to4") return v4(2);
  return range !== "unicast" || (bytes.length === 16 && bytes[0] >> 5 !== 1); // what is not yet given out is no host's
}

test("private addresses are those that ipaddr.js has in special blocks, at both ends of each", () => {
  const seen = new Set();
  for (const { prototype } of [ipaddr.IPv4, ipaddr.IPv6])
    for (const [block, bits] of Object.values(prototype.SpecialRanges).flatMap((blocks) =>
      Array.isArray(blocks[0]) ? blocks : [blocks],
    )) {
      const bytes = block.toByteArray();
      const size = BigInt(8 * bytes.length);
      const first = bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
      for (const number of [
        first - 1n,
        first,
        first + (1n << (size - BigInt(bits))) - 1n,
        first + (1n << (size - BigInt(bits))),
      ]) {
        const whole = BigInt.asUintN(Number(size), number);
        const address = ipaddr.fromByteArray(
          bytes.map((_, at) => Number((whole >> (size - 8n - BigInt(8 * at))) & 255n)),
        );
        assert.equal(isPrivateHost(address.toString()), isSpecial(address), address.toString());
        seen.add(address.toString());
      }
    }
  assert.ok(seen.size > 80, `${seen.size}`);
});

test("a page is asked for once, without cookies and referrer, and read as passages", async () => {
  const { fetch, asked } = web({
    "https://a.org/iron": html(
      "<title>Iron</title><nav>no</nav><main><h1>Iron</h1><p>Iron <b>rusts</b>.<script>x()</script></main>",
    ),
    "https://a.org/tin.txt": new Response("Tin is soft.", { headers: { "Content-Type": "text/plain" } }),
  });
  const told = [];
  const found = await fetchSources(
    ["https://a.org/iron", "https://a.org/iron", "https://a.org/iron#rust", "https://a.org/tin.txt"],
    { fetch, onSource: (address) => told.push(address) },
  );
  const said = (passages) => passages.map(({ title, text, source }) => [title, text, source]);
  assert.deepEqual(Object.fromEntries(Object.entries(found).map(([address, passages]) => [address, said(passages)])), {
    "https://a.org/iron": [["Iron", "Iron rusts.", "https://a.org/iron"]],
    "https://a.org/iron#rust": [["Iron", "Iron rusts.", "https://a.org/iron"]],
    "https://a.org/tin.txt": [["tin", "Tin is soft.", "https://a.org/tin.txt"]],
  });
  assert.deepEqual(told.sort(), Object.keys(found).sort());
  assert.equal(asked.length, 2);
  for (const [, { credentials, referrerPolicy }] of asked)
    assert.deepEqual([credentials, referrerPolicy], ["omit", "no-referrer"]);
});

test("what cannot be read says why", async () => {
  const answered = (status) => html("no", { status });
  const type = (type, body = "x") => new Response(body, { headers: { "Content-Type": type } });
  const large = () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1_000_000)) }));
  const answers = {
    "https://a.org/404": [answered(404), "notFound"],
    "https://a.org/410": [answered(410), "notFound"],
    "https://a.org/401": [answered(401), "paywall"],
    "https://a.org/402": [answered(402), "paywall"],
    "https://a.org/403": [answered(403), "blocked"],
    "https://a.org/429": [answered(429), "blocked"],
    "https://a.org/500": [answered(500), "failed"],
    "https://a.org/206": [answered(206), "failed"],
    "https://a.org/paid": [
      html('<script type="application/ld+json">{"isAccessibleForFree": false}</script><p>Iron'),
      "paywall",
    ],
    "https://a.org/png": [type("image/png"), "notText"],
    "https://a.org/latin": [type("text/plain", new Uint8Array([0xe9, 0x20])), "notText"],
    "https://a.org/empty": [html("<p> </p>"), "empty"],
    "https://a.org/long": [new Response("x", { headers: { "Content-Length": "5000001" } }), "tooLarge"],
    "https://a.org/endless": [large(), "tooLarge"],
    "https://down.org/": [undefined, "blocked"], // a host that answers nobody's page but its own
    "https://gone.org/": [undefined, "failed"],
  };
  const { fetch } = web(Object.fromEntries(Object.entries(answers).map(([address, [answer]]) => [address, answer])));
  const found = await fetchSources(Object.keys(answers), {
    fetch: async (address, options) =>
      address === "https://down.org/" && options.mode === "no-cors" ? new Response() : fetch(address, options),
  });
  for (const [address, [, unread]] of Object.entries(answers)) assert.deepEqual(found[address], { unread }, address);
});

test("a host that asks to be left alone for a while is told with the source", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-12-01T10:00:00Z") });
  const answered = (status, after) => html("no", { status, headers: { "Retry-After": after } });
  const answers = {
    "https://a.org/seconds": [answered(429, "120"), { unread: "blocked", retryAfter: 120 }],
    "https://a.org/date": [answered(503, "Tue, 01 Dec 2026 10:01:30 GMT"), { unread: "failed", retryAfter: 90 }],
    "https://a.org/past": [answered(503, "Tue, 01 Dec 2026 09:00:00 GMT"), { unread: "failed" }],
    "https://a.org/words": [answered(503, "soon"), { unread: "failed" }],
    "https://a.org/minus": [answered(503, "-5"), { unread: "failed" }],
  };
  const { fetch } = web(Object.fromEntries(Object.entries(answers).map(([address, [answer]]) => [address, answer])));
  const found = await fetchSources(Object.keys(answers), { fetch });
  for (const [address, [, source]] of Object.entries(answers)) assert.deepEqual(found[address], source, address);
});

test("a body that is not read is cancelled, so that no other request waits behind it", async () => {
  const cancelled = [];
  const endless = (name, more = {}) =>
    new Response(new ReadableStream({ cancel: () => void cancelled.push(name) }), {
      headers: { "Content-Type": "text/html" },
      ...more,
    });
  const answers = {
    "https://a.org/404": endless("404", { status: 404 }),
    "https://a.org/206": endless("206", { status: 206 }),
    "https://a.org/film": endless("film", { headers: { "Content-Type": "video/mp4" } }),
    "https://a.org/inside": at("http://192.168.0.1/", endless("inside")),
    "https://a.org/long": endless("long", { headers: { "Content-Length": "5000001" } }),
  };
  let hidden;
  const { fetch } = web(answers);
  await fetchSources([...Object.keys(answers), "https://down.org/"], {
    fetch: async (address, options) => {
      if (options.mode !== "no-cors") return fetch(address, options);
      hidden = options.signal;
      return new Response();
    },
  });
  assert.deepEqual(cancelled.sort(), ["206", "404", "film", "inside", "long"]);
  assert.ok(hidden.aborted, "a body that cannot be cancelled is not waited for");
});

test("a page that an index is built from is whole, or it is told why not and when to ask again", async (t) => {
  const cancelled = [];
  const answer = (status, headers) =>
    new Response(new ReadableStream({ cancel: () => void cancelled.push(status) }), {
      status,
      headers: { "Content-Type": "text/html", ...headers },
    });
  const asked = t.mock.method(globalThis, "fetch");
  for (const [answered, code, message] of [
    [answer(206, {}), "page-missing", "https://a.org/ answered with a part of the page alone"],
    [answer(404, {}), "page-missing", "https://a.org/ answered with 404"],
    [
      answer(503, { "Retry-After": "120" }),
      "page-missing",
      "https://a.org/ answered with 503, and lets itself be asked again in 120 s",
    ],
    [
      answer(200, { "Content-Type": "video/mp4" }),
      "bad-document",
      "https://a.org/ is of the kind video/mp4, which cannot be read here",
    ],
    [answer(200, { "Content-Length": "50000001" }), "files-too-large", "https://a.org/ has more than 50 MB"],
  ]) {
    asked.mock.mockImplementationOnce(async () => answered);
    await assert.rejects(fetched("https://a.org/"), { code, message });
  }
  assert.deepEqual(cancelled, [206, 404, 503, 200, 200]);
  asked.mock.mockImplementationOnce(async () => html("<p>Iron"));
  const { kind, charset, file } = await fetched("https://a.org/");
  assert.deepEqual([kind, charset, await file.text()], ["html", "utf-8", "<p>Iron"]);
});

test("a private host is never asked, and a page that came from one by a redirect is refused", async () => {
  const { fetch, asked } = web({
    "https://a.org/moved": at("http://192.168.0.1/admin", html("<p>secret")),
    "https://rebound.org/": html("<p>secret"),
  });
  const addresses = [
    "http://localhost:8080/",
    "https://10.0.0.1/",
    "file:///etc/passwd",
    "https://me:pass@a.org/",
    "data:text/html,x",
  ];
  for (const [, found] of Object.entries(await fetchSources(addresses, { fetch })))
    assert.deepEqual(found, { unread: "private" });
  assert.equal(asked.length, 0);
  assert.deepEqual((await fetchSources(["https://a.org/moved"], { fetch }))["https://a.org/moved"], {
    unread: "private",
  });
  const lookup = async (host) => (host === "rebound.org" ? ["8.8.8.8", "127.0.0.1"] : ["8.8.8.8"]);
  assert.deepEqual(await fetchSources(["https://rebound.org/"], { fetch, lookup }).then(Object.values), [
    { unread: "private" },
  ]);
  assert.equal(asked.length, 1, "a name that stands for a private address");
});

test("where redirects can be seen, each is checked before it is followed", async () => {
  const moved = (to) => new Response(null, { status: 302, headers: { Location: to } });
  const { fetch, asked } = web({
    "https://a.org/here": moved("/there"),
    "https://a.org/there": html("<p>Iron rusts."),
    "https://a.org/inside": moved("http://127.0.0.1/"),
    "https://a.org/round": () => moved("/round"),
  });
  const { outputFiles } = await (await import("esbuild")).build({
    stdin: {
      contents: `import { platform } from "./platform.ts"; platform.seesRedirects = true; export { fetchSources } from "./sources/fetch.ts";`,
      resolveDir: fileURLToPath(new URL("../src", import.meta.url)),
      loader: "ts",
    },
    bundle: true,
    format: "esm",
    write: false,
  });
  const native = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const found = await native.fetchSources(["https://a.org/here", "https://a.org/inside", "https://a.org/round"], {
    fetch,
  });
  assert.equal(found["https://a.org/here"][0].text, "Iron rusts.");
  assert.deepEqual(found["https://a.org/inside"], { unread: "private" });
  assert.deepEqual(found["https://a.org/round"], { unread: "failed" });
  assert.ok(!asked.some(([address]) => address.includes("127.0.0.1")));
  for (const [, { redirect }] of asked) assert.equal(redirect, "manual");
});

test("a page that does not come is left after fifteen seconds, and an abort ends all at once", async (t) => {
  const waits = (options) =>
    new Promise((_, reject) => options.signal.addEventListener("abort", () => reject(options.signal.reason)));
  const { fetch } = web({ "https://slow.org/": waits });
  const timeout = t.mock.method(AbortSignal, "timeout", (ms) => {
    assert.equal(ms, 15_000);
    const ended = new AbortController();
    setTimeout(() => ended.abort(new DOMException("late", "TimeoutError")), 10);
    return ended.signal;
  });
  assert.deepEqual(await fetchSources(["https://slow.org/"], { fetch }).then(Object.values), [{ unread: "timeout" }]);
  timeout.mock.restore();
  const stop = new AbortController();
  const fetching = fetchSources(["https://slow.org/"], { fetch, signal: stop.signal });
  stop.abort();
  await assert.rejects(fetching, { code: "cancelled" });
  await assert.rejects(fetchSources([], { sginal: 1 }), { code: "bad-settings", message: /signal/ });
});

test("texts, files, passages and reasons are taken as pages", async () => {
  const pages = await pagesOf({
    "https://a.org/text": "Iron rusts.",
    "https://a.org/file": new Blob(["<p>Tin is soft."], { type: "text/html" }),
    "https://a.org/own": [{ id: 1, title: "Gold", text: "Gold is a metal." }],
    "https://a.org/gone": { unread: "notFound" },
    "https://a.org/none": [],
  });
  const lines = async (address) => (await pages.get(address).text()).trim().split("\n").map(JSON.parse);
  assert.equal((await lines("https://a.org/text"))[0].text, "Iron rusts.");
  assert.equal((await lines("https://a.org/file"))[0].text, "Tin is soft.");
  assert.deepEqual(await lines("https://a.org/own"), [
    { source: "https://a.org/own", id: 1, title: "Gold", text: "Gold is a metal." },
  ]);
  assert.deepEqual([pages.get("https://a.org/gone"), pages.get("https://a.org/none")], ["notFound", "empty"]);
});

/** What is read of a page, and the seconds of work for it. */
async function worked(markup, type = "text/html") {
  const before = process.cpuUsage();
  const passages = await passagesOfBytes("https://a.org/a", new TextEncoder().encode(markup), type);
  const { user, system } = process.cpuUsage(before);
  return { said: passages.unread ?? passages.map(({ text }) => text).join("|"), seconds: (user + system) / 1e6 };
}

test("however deep a page's elements stand in each other, the work grows with its length alone", async () => {
  const deep = (tag, count) => `<${tag}>`.repeat(count);
  const ends = (tag, count) => `</${tag}>`.repeat(count);
  for (const [markup, text] of [
    [`${deep("b", 200_000)}Iron rusts.`, "Iron rusts."],
    [`${deep("sup", 200_000)}Iron rusts.`, "Iron rusts."],
    [`${deep("svg", 200_000)}Iron rusts.`, "empty"],
    [`${deep("table", 100_000)}Iron rusts.`, "Iron rusts."],
    [`<p style="opacity:${"0".repeat(1_000_000)}=">Iron rusts.`, "Iron rusts."],
    [`${deep("b", 100_000)}Iron rusts.${ends("b", 100_000)}<p>Tin.</p>`, "Iron rusts.\nTin."],
    [`<main>${deep("div", 9_000)}Iron${ends("div", 9_000)} rusts.</main>Tin.`, "Iron\nrusts."],
  ]) {
    const { said, seconds } = await worked(markup);
    assert.equal(said, text, markup.slice(0, 20));
    assert.ok(seconds < 4, `${seconds} s for ${markup.slice(0, 20)}`);
  }
});

test("below the deepest element a page is read as its text, without what is no prose", async () => {
  const nested = (inside) => `${"<div>".repeat(400)}${inside}${"</div>".repeat(400)}<p>Tin is soft.`;
  for (const [inside, text] of [
    ["Iron <b>rusts</b>.<p>It is old.", "Iron rusts.\nIt is old.\nTin is soft."],
    ["Iron<script>x()</script> rusts.<nav>Home <b>News</b></nav>", "Iron rusts.\nTin is soft."],
    ["Iron<p hidden>not</p> rusts.</div> It is old.", "Iron rusts.\nIt is old.\nTin is soft."],
    ["Iron<br>rusts.<img src=x>", "Iron\nrusts.\nTin is soft."],
    ["<form>Iron <form>rusts.</form>", "Iron\nrusts.\nTin is soft."],
    ["<b>Iron <i>rusts.</b></i> It is old.", "Iron rusts. It is old.\nTin is soft."],
  ])
    assert.equal((await worked(nested(inside))).said, text, inside);
});

test("a long text is parted into its sentences in windows, and none is cut", async () => {
  const sentences = Array.from({ length: 10_000 }, (_, n) => `Iron number ${n} rusts and is a metal.`);
  for (const [text, type] of [
    [sentences.join(" "), "text/plain"],
    [`<p>${sentences.join(" ")}`, "text/html"],
  ]) {
    const { said, seconds } = await worked(text, type);
    assert.ok(said.split("|").every((passage) => passage.endsWith("metal.")));
    assert.equal(said.replaceAll("|", " "), sentences.join(" "));
    assert.ok(seconds < 4, `${seconds} s`);
  }
});

test("a page that takes too long to be read is left, an abort ends it, and the thread is free in between", async (t) => {
  const page = `<p>${"Iron rusts. <b>".repeat(200_000)}`;
  const read = (signal) =>
    passagesOfBytes("https://a.org/a", new TextEncoder().encode(page), "text/html; charset=utf-8", signal);
  t.mock.method(AbortSignal, "timeout", (ms) => {
    assert.equal(ms, 15_000);
    const ended = new AbortController();
    setImmediate(() => ended.abort(new DOMException("late", "TimeoutError"))); // the thread's next turn
    return ended.signal;
  });
  assert.deepEqual(await read(), { unread: "timeout" });
  const { fetch } = web({ "https://a.org/a": html(page) });
  assert.deepEqual(await fetchSources(["https://a.org/a"], { fetch }).then(Object.values), [{ unread: "timeout" }]);
  t.mock.restoreAll();
  const stop = new AbortController();
  setImmediate(() => stop.abort());
  await assert.rejects(read(stop.signal), { code: "cancelled" });
});

test("the limits of a document are errors with a code, and say what to do", async () => {
  const reading = new Reading("a.txt", { seconds: 15, most: { pages: 1_000 } }, { patience: AbortSignal.abort() });
  assert.throws(() => reading.count("pages", 1_001), {
    code: "bad-document",
    unread: "tooLarge",
    message: "a.txt has more than 1,000 pages: take a part of it",
  });
  assert.throws(() => reading.check(), {
    code: "bad-document",
    unread: "timeout",
    message: "a.txt takes more than 15 s to be read: take a part of it",
  });
});

test("a table cannot say much more than its page", async () => {
  const name = "n".repeat(450);
  for (const [table, text] of [
    ["<tr><td colspan=50 rowspan=99999>x".repeat(50_000), /^x\nx x/],
    [`<tr><th>a<th>${name}</tr>${"<tr><td>x<td>y".repeat(50_000)}`, /^tooLarge$/],
    [`<tr><th>a<th>${name.repeat(2)}</tr><tr><td>x<td>y`, /^x: y\.$/],
  ]) {
    const { said, seconds } = await worked(`<table>${table}</table>`);
    assert.match(said, text);
    assert.ok(seconds < 8, `${seconds} s`);
  }
});

/** A PDF whose pages have this content each, in one packed stream. */
function pdf(content, pages = 1) {
  const packed = deflateSync(content);
  const kids = Array.from({ length: pages }, (_, page) => `${page + 9} 0 R`).join(" ");
  const stream = `4 0 obj <</Length ${packed.length}/Filter/FlateDecode>> stream\n`;
  const objects = Array.from(
    { length: pages },
    (_, page) =>
      `${page + 9} 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9999 9999]/Contents 4 0 R/Resources<</Font<</F 3 0 R>>>>>> endobj`,
  );
  return Buffer.concat([
    Buffer.from("%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n"),
    Buffer.from(`2 0 obj <</Type/Pages/Count ${pages}/Kids[${kids}]>> endobj\n`),
    Buffer.from(`3 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj\n${stream}`),
    packed,
    Buffer.from(`\nendstream endobj\n${objects.join("\n")}\ntrailer <</Root 1 0 R>>\n`),
  ]);
}

before(() => {
  Promise.withResolvers ??= () => {
    const made = {};
    made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
    return made;
  };
});

const text = (words) => `BT /F 9 Tf (${words}) Tj ET\n`;

test("a PDF has limits of pages, text and time, and an abort ends it", async (t) => {
  const read = (bytes, signal) => passagesOfBytes("https://a.org/a.pdf", bytes, "application/pdf", signal);
  assert.equal((await read(pdf(text("Iron rusts."), 2)))[1].text, "Iron rusts.");
  assert.deepEqual(await read(pdf(text("Iron rusts."), 1_001)), { unread: "tooLarge" });
  const reader = await pdfReader();
  const limited = (bytes, most) => reader.read("a.pdf", bytes, new Reading("a.pdf", { seconds: 15, most }));
  const most = { pages: 9, "characters of text": 100 };
  await assert.rejects(limited(pdf(text("Iron rusts.").repeat(10)), most), { unread: "tooLarge" });
  assert.equal((await limited(pdf(text("Iron rusts.").repeat(9)), most)).sections.length, 1);
  await assert.rejects(limited(pdf(text("Iron rusts."), 2), { ...most, "characters of text": 20 }), {
    message: "a.pdf has more than 20 characters of text: take a part of it",
  });

  // A hundred megabytes of operators without a word, in a tenth of one.
  const endless = pdf(Buffer.alloc(100_000_000, "q Q "));
  // A timer can end its reading only if the thread is not held.
  t.mock.method(AbortSignal, "timeout", (ms) => {
    assert.equal(ms, 15_000);
    const ended = new AbortController();
    setTimeout(() => ended.abort(new DOMException("late", "TimeoutError")), 300);
    return ended.signal;
  });
  assert.deepEqual(await read(endless), { unread: "timeout" });
  t.mock.restoreAll();
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 300);
  await assert.rejects(read(endless, stop.signal), { code: "cancelled" });
});

test("PDFs are read one by one, and the time of each begins when it is read", async (t) => {
  const begun = [];
  t.mock.method(AbortSignal, "timeout", () => {
    begun.push(performance.now());
    const ended = new AbortController();
    setTimeout(() => ended.abort(new DOMException("late", "TimeoutError")), 200);
    return ended.signal;
  });
  const type = { type: "application/pdf" };
  const endless = new Blob([pdf(Buffer.alloc(40_000_000, "q Q "))], type);
  const pages = await pagesOf({ "https://a.org/1": endless, "https://a.org/2": endless });
  assert.deepEqual([...pages.values()], ["timeout", "timeout"]);
  const { fetch } = web({
    "https://a.org/1": new Response(endless),
    "https://a.org/2": new Response(endless),
  });
  const fetched = await fetchSources(["https://a.org/1", "https://a.org/2"], { fetch });
  assert.deepEqual(Object.values(fetched), [{ unread: "timeout" }, { unread: "timeout" }]);
  const waited = (first, second) => assert.ok(begun[second] - begun[first] > 150, `${begun}`);
  waited(0, 1);
  waited(4, 5); // behind the two of the requests
});

test("a PDF is read in a hidden tab, where timers wait", async (t) => {
  t.mock.method(AbortSignal, "timeout", () => new AbortController().signal); // however busy the machine is
  const asked = t.mock.method(globalThis, "setTimeout", () => 0);
  const bytes = pdf(text("Iron rusts.") + "q Q ".repeat(1_000_000));
  const [passage] = await passagesOfBytes("https://a.org/a.pdf", bytes, "application/pdf");
  assert.equal(passage.text, "Iron rusts.");
  assert.equal(asked.mock.callCount(), 0);
});
