/** What a query costs a reader in Chromium: requests and bytes as the host sends them, headers included, and time on a line of 50 ms and 10 Mbit/s. */

import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { listen, staticFiles } from "../../web/serve.mjs";

const TARGET = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../../target", import.meta.url));
/** Evident's index as a wasm module, with its glue. */
const PAGE = `${TARGET}/bench/page`;
const LINE = { offline: false, latency: 50, downloadThroughput: 1.25e6, uploadThroughput: 1.25e6 };
/** Passages that a query asks for (guan2024, Sec. 4.2). */
const K = 10;

/** How each engine is opened and asked, in the page. Both show the text of the best passages. */
const ENGINES = {
  evident: {
    async open() {
      const { default: start, Search } = await import("/engine/evident.js");
      await start();
      const read = async (name, first, last) => {
        const headers = first === undefined ? {} : { Range: `bytes=${first}-${last}` };
        const response = await fetch(`/index/${name}`, { headers });
        if (response.status !== (first === undefined ? 200 : 206)) throw new Error(`HTTP ${response.status}`);
        return new Uint8Array(await response.arrayBuffer());
      };
      window.engine = await Search.open(read);
    },
    search: async ([query, k]) => (await window.engine.search(query, k)).length,
  },
  pagefind: {
    async open() {
      window.engine = await import("/index/pagefind/pagefind.js");
      await window.engine.options({ excerptLength: 100 });
      await window.engine.init();
    },
    search: async ([query, k]) => {
      const found = await window.engine.search(query);
      return (await Promise.all(found.results.slice(0, k).map((result) => result.data()))).length;
    },
  },
};

/** Asks each query in a fresh context: medians of what comes before it and of what it takes. */
export async function inChromium(engine, index, queries) {
  const { open, search } = ENGINES[engine];
  const folders = { index: staticFiles(index), engine: staticFiles(PAGE) };
  let requests = 0;
  const { server, url } = await listen(async (request, response) => {
    const [, folder] = request.url.split("/");
    if (!folders[folder]) return response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>bench</title>");
    request.url = request.url.slice(folder.length + 1);
    requests += 1;
    await folders[folder](request, response);
  }, 0);
  const sockets = new Set();
  server.on("connection", (socket) => sockets.add(socket));
  const sent = () => ({ bytes: [...sockets].reduce((bytes, { bytesWritten }) => bytes + bytesWritten, 0), requests });
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--headless=new", "--no-sandbox"] });

  /** Runs `work` in the page and adds what it took to `costs`. */
  async function cost(costs, page, work, argument) {
    const [before, began] = [sent(), performance.now()];
    const result = await page.evaluate(work, argument);
    const [ms, after] = [performance.now() - began, sent()];
    costs.push({ bytes: after.bytes - before.bytes, requests: after.requests - before.requests, ms });
    return result;
  }
  const [opening, query] = [[], []];
  let hits = 0;
  try {
    for (const text of queries) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(url);
      const session = await context.newCDPSession(page);
      await session.send("Network.enable");
      await session.send("Network.emulateNetworkConditions", LINE);
      await cost(opening, page, open);
      hits += await cost(query, page, search, [text, K]);
      await context.close();
    }
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
  return { hits, opening: medians(opening), query: medians(query) };
}

function medians(costs) {
  const median = (of) => costs.map(of).sort((a, b) => a - b)[Math.floor(costs.length / 2)];
  return { bytes: median(({ bytes }) => bytes), requests: median(({ requests }) => requests), ms: median(({ ms }) => ms) };
}
