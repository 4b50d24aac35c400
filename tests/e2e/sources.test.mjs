/** What an answer cites, in demo and package: nothing is fetched unasked, each sentence is judged by its sources. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { answerOf, check, done, launch, options, PATIENCE_MS, REPOSITORY, serve, visit } from "./browser.mjs";
import { citedPages, DEMO, host, pdfOf } from "./host.mjs";
import { headers, snippets } from "./snippets.mjs";

/** A host whose name is not a private one. */
const NAME = "pages.example";

let browser;
let site;
let pages;
const PAGES = {
  "iron.html": "<title>Iron</title><main><p>Iron is a metal. The atomic number of iron is 26.</p></main>",
  "carbon.html": "<title>Carbon</title><p>Carbon is a chemical element. The atomic number of carbon is 6.</p>",
  "bread.html": "<title>Bread</title><p>Bread is baked of flour and water.</p>",
  "closed.html": "<p>Nobody else may read this.</p>",
};

before(async () => {
  [browser, site] = await Promise.all([launch({ named: NAME }), host()]);
  const guide = await pdfOf(browser, "A guide to metals", "Bread is no metal.", "The atomic number of carbon is 6.");
  pages = await citedPages(
    NAME,
    { ...PAGES, "guide.pdf": guide, "bad.pdf": "GIF89a" },
    { closed: ["closed.html"], moved: { "inside.html": "http://127.0.0.1:9/" } },
  );
});
after(() => Promise.all([browser?.close(), site?.close(), pages?.close()]));

const evidence = (page) => page.getByRole("complementary", { name: "Evidence" });
const section = (page) => page.getByRole("region", { name: "Sources" });
const checked = (page) => section(page).getByText("The sources are checked.").waitFor({ timeout: PATIENCE_MS });

test("each sentence is compared with the pages that it cites, once the reader has said so", async () => {
  const page = await visit(browser, site.url);
  await check(page, { answer: "The atomic number of iron is 26.", question: "" });
  await done(page);
  assert.ok(await section(page).isHidden(), "nothing is cited");

  const answer = [
    `The atomic number of iron is 26 ([iron](${pages.at("iron.html")})).`,
    `The atomic number of carbon is 8.[^1]`,
    `The atomic number of iron is 26 ([bread](${pages.at("bread.html")})).`,
    `The atomic number of carbon is 6 ([gone](${pages.at("gone.html")})).`,
    `Iron is a metal ([closed](${pages.at("closed.html")})).`,
    `Iron is a metal ([inside](http://192.168.0.1/iron.html)).`,
    `\n\n[^1]: See ${pages.at("carbon.html")}.`,
  ].join(" ");
  await check(page, { answer });
  await done(page);
  await section(page).getByRole("button", { name: "Check the sources" }).click();
  const ask = section(page).getByText(/^This fetches 6 pages/);
  assert.match(await ask.textContent(), new RegExp(`from ${NAME}:\\d+, 192\\.168\\.0\\.1\\.`));
  assert.deepEqual(pages.asked, [], "nothing is fetched before the reader agrees");
  await section(page).getByRole("button", { name: "Cancel" }).click();
  await section(page).getByRole("button", { name: "Check the sources" }).click();
  await section(page).getByRole("button", { name: "Fetch and check" }).click();
  await checked(page);

  assert.deepEqual(await answerOf(page).locator(".by-source .word").allTextContents(), [
    "Supported by its source",
    "Contradicted by its source",
    "Not in its source",
    "Source could not be read (not found)",
    "Source could not be read (blocked)",
    "Source could not be read (private network)",
  ]);
  for (const name of ["iron.html", "carbon.html", "bread.html", "gone.html"])
    assert.equal(pages.asked.filter(([path]) => path === name).length, 1, name);
  for (const [, { cookie, referer }] of pages.asked) assert.deepEqual([cookie, referer], [undefined, undefined]);

  await options(page).nth(1).click();
  const cited = evidence(page).locator(".cited");
  assert.equal(await cited.locator("blockquote").textContent(), "The atomic number of carbon is 6.");
  assert.equal(
    await cited.locator("a").getAttribute("href"),
    `${pages.at("carbon.html")}#:~:text=The%20atomic%20number%20of%20carbon%20is%206.`,
  );

  await options(page).nth(3).click();
  await cited.locator("input[type=file]").setInputFiles({
    name: "carbon.html",
    mimeType: "text/html",
    buffer: Buffer.from(PAGES["carbon.html"]),
  });
  await cited.getByText("Supported by its source").waitFor({ timeout: PATIENCE_MS });
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as JSON" }).click();
  const { sentences } = JSON.parse(
    await (await (await saved).createReadStream()).toArray().then((parts) => Buffer.concat(parts)),
  );
  assert.deepEqual(
    sentences.map(({ sources }) => sources[0].state),
    ["supported", "contradicted", "notInIt", "supported", "unread", "unread"],
  );
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("a cited PDF is read page by page, and one that is none is not", async () => {
  const page = await visit(browser, site.url);
  const answer = [
    `The atomic number of carbon is 8 ([guide](${pages.at("guide.pdf")}#page=1)).`,
    `The atomic number of iron is 26 ([bad](${pages.at("bad.pdf")})).`,
    `Iron is a metal ([inside](${pages.at("inside.html")})).`,
  ].join(" ");
  await check(page, { answer, question: "" });
  await done(page);
  await section(page).getByRole("button", { name: "Check the sources" }).click();
  await section(page).getByRole("button", { name: "Fetch and check" }).click();
  await checked(page);
  const words = await answerOf(page).locator(".by-source .word").allTextContents();
  assert.deepEqual(words.slice(0, 2), ["Contradicted by its source", "Source could not be read (no text)"]);
  assert.match(words[2], /^Source could not be read/, "a redirect to this machine");
  await options(page).first().click();
  const told = evidence(page).locator(".cited .source a");
  assert.equal(await told.textContent(), "page 2");
  assert.equal(await told.getAttribute("href"), `${pages.at("guide.pdf")}#page=2`);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("a host that is down is told from one that lets no other site read, in an isolated page too", async () => {
  const isolated = headers(snippets(`${REPOSITORY}web/package/docs/script.md`), "isolated");
  for (const more of [{}, isolated]) {
    const own = await serve(undefined, more);
    const page = await visit(browser, `${own.url}widget.html`, { serviceWorkers: "block" });
    assert.equal(await page.evaluate(() => crossOriginIsolated), more === isolated);
    const [closed, down] = [pages.at("closed.html"), `http://${NAME}:9/`];
    const found = await page.evaluate(
      async (addresses) => (await import("/package/index.js")).fetchSources(addresses),
      [closed, down],
    );
    assert.deepEqual(found, { [closed]: { unread: "blocked" }, [down]: { unread: "failed" } });
    await page.context().close();
    await own.close();
  }
});

test("the package compares with pages that a caller gives, and not unasked", async () => {
  const { createVerifier } = await import(`${REPOSITORY}web/package/dist/node.js`);
  const verifier = await createVerifier({ pack: join(DEMO, "pack"), index: join(DEMO, "index"), model: "small" });
  const answer = [
    "The atomic number of iron is 26 [1].",
    "The atomic number of carbon is 8 [c](https://a.org/carbon#number).",
    "Iron is a metal [2](https://a.org/paid) [3](https://a.org/none).",
    "\n\n[1]: https://a.org/iron",
  ].join(" ");
  const sources = {
    "https://a.org/iron": new Blob([PAGES["iron.html"]], { type: "text/html" }),
    "https://a.org/carbon": [{ id: 1, title: "Carbon", text: "The atomic number of carbon is 6." }],
    "https://a.org/paid": { unread: "paywall" },
  };
  const told = [];
  const onEvent = (event) => event.kind === "source" && told.push([event.index, event.source.state]);
  const { sentences } = await verifier.verify(answer, { sources, onEvent });
  const states = sentences.map(({ sources }) => sources.map(({ state, reason }) => reason ?? state));
  assert.deepEqual(states, [["supported"], ["contradicted"], ["paywall", "notGiven"]]);
  assert.deepEqual(told, [
    [0, "supported"],
    [1, "contradicted"],
    [2, "unread"],
    [2, "unread"],
  ]);
  assert.equal(sentences[1].sources[0].evidence[0].source, "https://a.org/carbon");

  const plain = await verifier.verify(answer);
  assert.deepEqual(
    plain.sentences.map(({ sources }) => sources),
    [undefined, undefined, undefined],
  );
  assert.deepEqual(plain.sentences[0].citations, [{ start: 32, end: 35, label: "1", address: "https://a.org/iron" }]);
  await assert.rejects(verifier.checkSources(plain, { "https://a.org/iron": [{ id: 1, text: "no title" }] }), {
    code: "bad-passages",
    message: /https:\/\/a\.org\/iron/,
  });
  verifier.dispose();
});
