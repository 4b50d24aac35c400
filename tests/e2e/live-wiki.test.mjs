/** A wiki as evidence in the browser: replies of a real MediaWiki, served from another origin than the page's. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listen } from "../../web/serve.mjs";
import { check, done, launch, sentences, serve, visit } from "./browser.mjs";
import { replyOf, shared } from "./recorded-wiki.mjs";

const ANSWER = "The Ool Bridge was opened on 4 May 1931. The atomic number of carbon is 6.";

let browser;
let site;
before(async () => {
  [browser, site] = await Promise.all([launch(), serve()]);
});
after(() => Promise.all([browser?.close(), site?.close()]));

/**
 * A wiki on a port of its own. `asked` has the headers and the parameters of each request, without what all have.
 * `answer(response)` may answer in its place, by returning true.
 */
async function wiki(t, answer = () => false) {
  const asked = [];
  const { server, url } = await listen(async (request, response) => {
    if (shared(response)) return;
    const { body, parameters } = await replyOf(request.url);
    asked.push({ headers: request.headers, parameters });
    if (answer(response)) return;
    response.writeHead(body ? 200 : 404, { "Content-Type": "application/json" }).end(body);
  }, 0);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, address: `${url}api.php` };
}

/** A page with `check`, which verifies an answer with a wiki after an index that knows carbon alone. */
async function page(t) {
  const page = await visit(browser, `${site.url}widget.html`);
  t.after(() => page.context().close());
  await page.evaluate(async () => {
    const { buildIndex, createVerifier } = await import("/package/index.js");
    const carbon = { id: 1, title: "Carbon", text: "The atomic number of carbon is 6." };
    const index = await buildIndex([carbon], { engine: "./" });
    globalThis.check = async (wiki, answer, signal) => {
      let verifier;
      try {
        verifier = await createVerifier({ pack: "pack/", index, engine: "./", device: "cpu", wiki });
        return await verifier.verify(answer, { signal });
      } catch (error) {
        return { code: error.code, message: error.message };
      } finally {
        verifier?.dispose();
      }
    };
  });
  return page;
}

test("a wiki is asked about what the index leaves open, and about nothing else", async (t) => {
  const [{ asked, address }, shown] = [await wiki(t), await page(t)];
  await shown.context().addCookies([{ name: "known", value: "yes", url: address }]);
  const report = await shown.evaluate(([wiki, answer]) => globalThis.check(wiki, answer), [address, ANSWER]);
  const [bridge, carbon] = report.sentences;
  const [{ title, source, date, license, from }] = bridge.evidence;
  assert.deepEqual([title, date, license, from], ["Ool Bridge", "2026-01-15", "CC BY-SA 4.0", 1]);
  assert.match(source, new RegExp(`^${address.replace("api.php", "index.php")}\\?oldid=\\d+$`));
  assert.ok(carbon.evidence.every(({ from }) => from === 0));

  const [, { kind, name, asked: sentences, traffic, reveals, license: terms }] = report.sources;
  assert.deepEqual([kind, name, sentences, terms], ["live", new URL(address).host, 1, "CC BY-SA 4.0"]);
  assert.deepEqual(reveals, { to: address, what: "claim" });
  assert.equal(traffic.requests, asked.length);
  assert.equal(asked.length, 1, "one request brings the article");
  for (const { headers, parameters } of asked) {
    assert.equal(headers.cookie, undefined);
    assert.equal(headers.referer, undefined);
    assert.match(headers["api-user-agent"], /^Evident\/\d/);
    assert.doesNotMatch(parameters, /carbon|atomic|opened/i);
  }
});

test("an article that was read serves a later answer, and a wiki that is busy is waited for", async (t) => {
  let isBusy = true;
  const { asked, address } = await wiki(t, (response) => {
    if (isBusy) response.writeHead(429, { "Retry-After": "1", "Access-Control-Expose-Headers": "Retry-After" }).end();
    const was = isBusy;
    isBusy = false;
    return was;
  });
  const shown = await page(t);
  const check = () =>
    shown.evaluate(
      async ([wiki, answer]) => {
        const { createVerifier } = await import("/package/index.js");
        const waits = [];
        const onNotice = ({ kind, seconds }) => kind === "wiki-waits" && waits.push(seconds);
        const verifier = await createVerifier({
          pack: "pack/",
          index: "index/",
          engine: "./",
          device: "cpu",
          wiki,
          onNotice,
        });
        const { sentences, sources } = await verifier.verify(answer, { settings: { consult: "all" } });
        // The reply is kept beside the judging.
        const isKept = async () => (await (await caches.open("evident-wiki-1")).keys()).length >= 4;
        while (!(await isKept())) await new Promise(requestAnimationFrame);
        verifier.dispose();
        return {
          waits,
          titles: sentences[0].evidence.map(({ title }) => title),
          requests: sources[1].traffic.requests,
        };
      },
      [address, ANSWER.split(". ")[0]],
    );
  const first = await check();
  assert.ok(first.titles.includes("Ool Bridge"));
  assert.deepEqual([first.waits, first.requests], [[1, 0], 2]);
  assert.equal(asked.length, 2, "the first was answered by a 429");
  assert.deepEqual(await check(), { ...first, waits: [], requests: 0 });
  assert.equal(asked.length, 2);

  await shown.evaluate(async () => {
    const cache = await caches.open("evident-wiki-1");
    const used = String(Date.now() - 8 * 24 * 60 * 60 * 1_000);
    for (const request of await cache.keys()) {
      const headers = { ...Object.fromEntries(request.headers), "evident-used": used };
      const bytes = await (await cache.match(request)).arrayBuffer();
      await cache.put(new Request(request.url, { headers }), new Response(bytes, { headers }));
    }
  });
  assert.deepEqual(await check(), { ...first, waits: [], requests: 1 }, "what was unused for a week is not taken");
});

test("a wiki that does not answer is named, and its sentences keep what the index says", async (t) => {
  const shown = await page(t);
  const { address } = await wiki(t, (response) => response.writeHead(500).end());
  const report = await shown.evaluate(([wiki, answer]) => globalThis.check(wiki, answer), [address, ANSWER]);
  assert.equal(report.sentences[0].verdict, "noEvidence");
  assert.match(report.sources[1].failed.message, /answered with HTTP 500/);
  const missing = await shown.evaluate(() => globalThis.check("http://127.0.0.1:9/api.php", "Xyzzyplugh is a metal."));
  assert.match(missing.sources[1].failed.message, /127\.0\.0\.1:9 could not be asked: it cannot be reached/);
  const none = await shown.evaluate(() => globalThis.check("en.wikipedia.org", "Iron is a metal."));
  assert.equal(none.code, "bad-settings");
});

test("a check that is cancelled ends the request to the wiki", async (t) => {
  const shown = await page(t);
  let [begin, close] = [];
  const begun = new Promise((resolve) => (begin = resolve));
  const ended = new Promise((resolve) => (close = resolve));
  const { address } = await wiki(t, (response) => {
    response.on("close", close);
    begin();
    return true; // and never answers
  });
  const outcome = shown.evaluate((wiki) => {
    globalThis.stop = new AbortController();
    return globalThis.check(wiki, "Xyzzyplugh is a metal.", globalThis.stop.signal);
  }, address);
  await begun;
  await shown.evaluate(() => globalThis.stop.abort());
  assert.equal((await outcome).code, "cancelled");
  await ended;
});

test("the demo offers a wiki for what is open, shows what it would be sent, and asks it once it may", async (t) => {
  const { asked, address } = await wiki(t);
  const page = await visit(browser, site.url);
  t.after(() => page.context().close());
  await check(page, { answer: "Tolland Bridge was designed by Mara Tolland.", question: "", passages: 3 });
  await done(page);
  const offer = page.locator("#wiki");
  assert.match(await offer.textContent(), /1 sentence is not settled by this evidence/);
  await offer.getByLabel("Which wiki").selectOption("another wiki");
  await offer.getByLabel("Address of its api.php").fill(address);
  await offer.getByRole("button", { name: "Ask it" }).click();
  const send = offer.getByRole("button", { name: "Send that, and check again" });
  await send.waitFor();
  assert.match(await offer.textContent(), new RegExp(`${new URL(address).host} will be sent names.*Tolland Bridge`));
  assert.equal(asked.length, 0);

  await send.click();
  await page.locator("#wiki-line", { hasText: address }).waitFor();
  await done(page);
  assert.equal(asked.length, 1);
  const [bridge] = await sentences(page);
  assert.ok(bridge);
  await page.locator(".sentence").first().click();
  await page.locator("#evidence", { hasText: "CC BY-SA 4.0" }).waitFor();
  assert.ok(await offer.isHidden());

  await page.getByRole("button", { name: "Ask it no more" }).click();
  assert.ok(await page.locator("#wiki-line").isHidden());
  await check(page);
  await done(page);
  assert.equal(asked.length, 1);
  assert.deepEqual(page.errors, []);
});
