/**
 * What holds in each of the four uses: no piece of a reader's text leaves the browser, and a text from others is only
 * shown.
 */

import assert from "node:assert/strict";
import { request as ask, createServer } from "node:http";

/** What a reader checks, none of which stands in any file that is served. */
export const PRIVATE = {
  question: "Where does the Quillon zephyr dwell?",
  answer: "The zephyr of Quillon was crowned at Brakto in 1742.",
};

const markup = `<img src=x onerror="window.injected=1"><script>window.injected=1</script>`;
const claim = "Brakto is a village on the river Ool.";

/**
 * A text, and passages of an index on what it claims, that try to run scripts, to reverse the direction of lines and to
 * overflow every box.
 */
export const HOSTILE = {
  markup,
  answer: `${claim} \u202e${claim} ${markup} Brakto is ${"long".repeat(400)}.`,
  passages: [
    {
      id: "a",
      title: `${markup} \u202eoolB`,
      text: `Brakto is a village of 412 people on the river Ool. \u202e${markup}`,
      source: "javascript:window.injected=1",
    },
    {
      id: "b",
      title: `Brakto ${"x".repeat(1 << 20)}`,
      text: `Brakto lies on the Ool. ${"z".repeat(1 << 20)}`,
      source: `https://example.org/${"z".repeat(5_000)}`,
    },
  ],
};

/**
 * Every piece of 12 characters, as it may stand in a request: plain, as part of an address, in base64 wherever it
 * falls.
 */
function traces(text) {
  const found = new Set();
  for (let at = 0; at + 12 <= text.length; at++) {
    const piece = text.slice(at, at + 12);
    for (const form of [piece, encodeURIComponent(piece), new URLSearchParams({ a: piece }).toString().slice(2)])
      found.add(form);
    for (const from of [0, 1, 2]) {
      const bytes = Buffer.from(piece).subarray(from);
      for (const base of ["base64", "base64url"])
        found.add(bytes.subarray(0, bytes.length - (bytes.length % 3)).toString(base));
    }
  }
  return [...found];
}

/** The pieces of these texts that requests, each as it was written, hold. */
export function leaked(requests, texts) {
  const all = requests.join("\n").toLowerCase();
  return texts.flatMap(traces).filter((trace) => all.includes(trace.toLowerCase()));
}

/** A request as it came: line, headers, body, as one text. */
async function written(request) {
  let body = "";
  for await (const chunk of request) body += chunk.toString("latin1");
  return `${request.method} ${request.url}\n${request.rawHeaders.join("\n")}\n${body}`;
}

/**
 * A proxy for a browser: `requests` has all that left it, each as it was written. What is meant for this machine is
 * passed on, and answered with `headers` as well. For other hosts `answer(url, response)` may answer, by returning true;
 * nothing else gets anywhere.
 */
export async function recordingProxy(headers = {}, answer = () => false) {
  const requests = [];
  const server = createServer(async (request, response) => {
    requests.push(await written(request));
    const fail = () => response.writeHead(502).end();
    const url = new URL(request.url);
    if (url.hostname !== "localhost") return answer(url, response) ? undefined : fail();
    const passed = ask(request.url, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode, { ...answer.headers, ...headers });
      answer.pipe(response);
    });
    passed.on("error", fail).end();
  });
  server.on("connect", ({ url }, socket) => {
    requests.push(`CONNECT ${url}`);
    socket.end();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `127.0.0.1:${server.address().port}`, requests, close };
}

/** Chromium itself asks here about the shapes of forms. */
const BROWSERS_OWN = "CONNECT content-autofill.googleapis.com:443";

/**
 * A whole session at an address: `use(page, requests)` does what a user does. Nobody but its host may be asked, no
 * request may hold a piece of `texts`, and nothing may fail.
 */
export async function session(browser, url, texts, use) {
  const proxy = await recordingProxy();
  const context = await browser.newContext({
    acceptDownloads: true,
    proxy: { server: proxy.address, bypass: "<-loopback>" },
  });
  context.setDefaultTimeout(120_000);
  try {
    const page = await context.newPage();
    page.errors = [];
    page.on("pageerror", ({ message }) => page.errors.push(message));
    await page.goto(url);
    await use(page, proxy.requests);
    assert.deepEqual(page.errors, []);
    assert.ok(proxy.requests.length > 10, `${proxy.requests.length} requests were recorded`);
    assert.deepEqual(leaked(proxy.requests, texts), []);
    const elsewhere = proxy.requests.filter(
      (request) => request !== BROWSERS_OWN && !request.startsWith(`GET ${new URL(url).origin}/`),
    );
    assert.deepEqual(elsewhere, []);
  } finally {
    await context.close();
    proxy.close();
  }
}

/** Nothing of others ran in the page, Trusted Types are enforced there, and nothing is wider than it. */
export async function sound(page) {
  const { injected, enforced, scroll, client } = await page.evaluate(() => {
    const { scrollWidth: scroll, clientWidth: client } = document.documentElement;
    try {
      document.createElement("p").innerHTML = "<b>b</b>";
      return { injected: window.injected, enforced: false, scroll, client };
    } catch {
      return { injected: window.injected, enforced: true, scroll, client };
    }
  });
  assert.deepEqual({ injected, enforced }, { injected: undefined, enforced: true });
  assert.ok(scroll <= client, `${scroll} pixels in ${client}`);
}
