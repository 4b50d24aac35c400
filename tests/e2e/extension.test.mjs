/**
 * The extension, unpacked, in real Chromium: on our pages of seven chatbots, at the sites' own addresses, and on a page
 * of nobody's.
 *
 * The build is a test's: the sites are granted from the start, for nobody is there to be asked
 * (web/extension/build.mjs, --grant), and the adapter that the README shows is one of them. All else is what is
 * published. One browser serves all tests, behind a proxy that records what leaves it.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import axe from "axe-core";
import { keyPair } from "../../web/package/test/minisign.mjs";
import { launchExtension, PATIENCE_MS, REPOSITORY, serve } from "./browser.mjs";
import { copySource } from "./copied-source.mjs";
import { DEMO, host, indexOf, PASSAGES, pdfOf } from "./host.mjs";
import { replyOf, shared } from "./recorded-wiki.mjs";
import { HOSTILE, leaked, recordingProxy, sound } from "./safety.mjs";
import { snippets } from "./snippets.mjs";

const run = promisify(execFile);
const FIXTURES = `${REPOSITORY}tests/e2e/fixtures/sites/`;

/** What the README gives to whoever writes an adapter: a row of the table, and the page of its site. */
const README = Object.fromEntries(
  snippets(`${REPOSITORY}web/extension/README.md`).map(({ mark, code }) => [mark, code]),
);

/**
 * Where each site's page is shown; the README's is at the address in its row. The last two are self-hosted: the test
 * adds them in the options.
 */
const CHATS = {
  chatgpt: "https://chatgpt.com/c/1",
  claude: "https://claude.ai/chat/1",
  gemini: "https://gemini.google.com/app/1",
  copilot: "https://copilot.microsoft.com/chats/1",
  perplexity: "https://www.perplexity.ai/search/1",
  readme: "https://chat.example.org/chat/1",
  "open-webui": "http://chat.example/c/1",
  librechat: "https://libre.example/c/1",
};
const ANY_PAGE = "https://page.example/";
/** A host of pages that an answer cites. It lets no other site read them. */
const CITED = "http://cited.example/";
/** A wiki's api.php, and the pattern by which the browser grants its host, which has no port. */
const WIKI = "http://127.0.0.1:8089/api.php";
const WIKI_HOST = "http://127.0.0.1/*";
const GRANTED = [
  ...[...Object.values(CHATS), ANY_PAGE, CITED].map((address) => `${new URL(address).origin}/*`),
  WIKI_HOST,
];
const PAGES = {
  "/iron.html": "<title>Iron</title><main><p>Iron is a metal. The atomic number of iron is 26.</p></main>",
  "/carbon.html": "<title>Carbon</title><p>Carbon is a chemical element. The atomic number of carbon is 6.</p>",
  "/guide.pdf": null, // printed when there is a browser
};

/** Answers for the host of cited pages, and for one of a private network. */
function answerCited({ origin, pathname }, response) {
  if (origin === "http://192.168.0.1")
    response
      .writeHead(200, { "Content-Type": "text/html", "Access-Control-Allow-Origin": "*" })
      .end(PAGES["/iron.html"]);
  else if (!CITED.startsWith(origin)) return false;
  else if (pathname === "/slow.html")
    return true; // it never comes
  else if (pathname === "/moved.html") response.writeHead(302, { Location: "http://192.168.0.1/iron.html" }).end();
  else if (!PAGES[pathname]) response.writeHead(404).end();
  else {
    const type = pathname.endsWith(".pdf") ? "application/pdf" : "text/html";
    response.writeHead(200, { "Content-Type": type }).end(PAGES[pathname]);
  }
  return true;
}

/** The wiki: what it was asked, and whether it fails. */
const wiki = { asked: [], fails: false };

/** Answers for the wiki, by what a real one has said. */
function answerWiki({ href }, response) {
  if (!href.startsWith(WIKI)) return false;
  if (shared(response)) return true;
  void replyOf(href).then(({ body, parameters }) => {
    wiki.asked.push({ headers: response.req.headers, parameters });
    const status = wiki.fails ? 500 : body ? 200 : 404;
    response.writeHead(status, { "Content-Type": "application/json" }).end(body);
  });
  return true;
}

const QUESTION = "What do you know about Mars and other things?";
/**
 * Plainly false: any useful model flags some of these, and the test asks no more of the models.
 */
const FALSE = [
  "Mars has four moons.",
  "Venus is the planet that is closest to the Sun.",
  "The capital of France is Berlin.",
  "The atomic number of carbon is 50.",
];
const TRUE = ["Mars is the fourth planet from the Sun.", "Paris is the capital of France."];
const ANSWER = [
  ["h2", "What I know"],
  ["p", `${TRUE[0]} ${FALSE[0]} ${FALSE[1]}`],
  ["p", `${TRUE[1]} ${FALSE[2]} ${FALSE[3]}`],
  ["p", "Shall I go on?"],
];
const SENTENCES = [TRUE[0], FALSE[0], FALSE[1], TRUE[1], FALSE[2], FALSE[3]];
const SHORT = [["p", "Paris is the capital of France. It lies on the Seine."]];

/** The highlight of each verdict, behind what its name begins with in a page. */
const NAME = {
  Supported: "factual",
  Contradicted: "unfactual",
  "Probably supported": "likely-factual",
  "Probably contradicted": "likely-unfactual",
  "Mixed evidence": "mixed",
  "Not in this index": "no-evidence",
  Undecided: "no-evidence",
};

let folder;
let context;
/**
 * The background, and a page of the extension's own that stays open: what only an extension may ask for is asked there.
 */
let worker;
let keeper;
let proxy;
let site;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "evident-extension-"));
  const grants = GRANTED.flatMap((pattern) => ["--grant", pattern]);
  await run(process.execPath, [
    join(await source(), "web/extension/build.mjs"),
    "--browser",
    "chrome",
    "--out",
    folder,
    ...grants,
  ]);
  const answer = (url, response) => answerCited(url, response) || answerWiki(url, response);
  [proxy, site] = await Promise.all([recordingProxy({ "Access-Control-Allow-Origin": "*" }, answer), serve()]);
  const proxied = [`--proxy-server=${proxy.address}`, "--proxy-bypass-list=<-loopback>"];
  context = await launchExtension(join(folder, "chrome"), join(folder, "profile"), {
    viewport: { width: 900, height: 800 },
    args: ["--disable-component-update", "--disable-sync", ...proxied],
  });
  worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  keeper = await own("options.html");
  PAGES["/guide.pdf"] = await pdfOf(context, "A guide", "Bread is no metal.", "The atomic number of carbon is 6.");
  for (const [name, address] of Object.entries(CHATS))
    await context.route(`${new URL(address).origin}/**`, (route) => fulfil(route, name));
});

after(async () => {
  await context?.close();
  proxy?.close();
  await site?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** The repository with the README's row in the table of sites; gives the folder. */
async function source() {
  const root = join(folder, "source");
  await copySource(root);
  const sites = join(root, "web/extension/src/sites.ts");
  const table = "export const SITES: readonly Site[] = [\n";
  await writeFile(
    sites,
    (await readFile(sites, "utf8")).replace(table, () => table + README.row),
  );
  return root;
}

/** Answers as a chatbot's host: its page at any address, with the script that drives it. */
async function fulfil(route, name) {
  const script = new URL(route.request().url()).pathname === "/stream.js";
  await route.fulfill({
    contentType: script ? "text/javascript" : "text/html",
    body:
      name === "readme" && !script
        ? README.page
        : await readFile(`${FIXTURES}${script ? "stream.js" : `${name}.html`}`),
  });
}

/** Opens a page; what it logs as an error is kept in `page.errors`. */
async function open(address) {
  const page = await context.newPage();
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(error.message));
  await page.goto(address);
  return page;
}

/** A page of the extension's own. */
const own = (path) => open(`chrome-extension://${worker.url().split("/")[2]}/${path}`);

/** The panel on the tab that shows a page, in a tab of its own. */
async function panelOn(page) {
  const tab = await tabOf(page);
  const panel = await own(`panel.html#tab=${tab}`);
  await panel.setViewportSize({ width: 420, height: 900 });
  await page.bringToFront();
  return panel;
}

async function tabOf(page) {
  await page.bringToFront();
  const [{ id }] = await keeper.evaluate(() => chrome.tabs.query({ active: true, lastFocusedWindow: true }));
  return id;
}

/** Has the page's chatbot answer; resolves when the answer is written. */
function say(page, blocks, { question = QUESTION, ms = 15 } = {}) {
  return page.evaluate(([question, blocks, ms]) => chat.say(question, blocks, ms), [question, blocks, ms]);
}

/** The sentences in the panel, each with its verdict's word. */
function listed(panel) {
  return panel.locator(".sentence").evaluateAll((rows) =>
    rows.map((row) => ({
      text: row.querySelector(".words").textContent,
      word: row.querySelector(".badge").textContent,
      judged: row.querySelector("button") !== null,
    })),
  );
}

/** Waits until the panel has so many sentences, all of them judged; gives them. */
async function judged(panel, count) {
  for (const began = Date.now(); ; await panel.waitForTimeout(100)) {
    const sentences = await listed(panel);
    if (sentences.length === count && sentences.every(({ judged }) => judged)) return sentences;
    assert.ok(Date.now() - began < PATIENCE_MS, `${count} sentences are not judged: ${JSON.stringify(sentences)}`);
  }
}

/** The texts under each highlight of the page. */
function highlights(page) {
  return page.evaluate(() =>
    Object.fromEntries(
      [...CSS.highlights].map(([name, ranges]) => [
        name.replace(/^evident-[0-9a-f]{32}-/, ""),
        [...ranges].map(String).sort(),
      ]),
    ),
  );
}

/** What the panel's sentences must look like in the page. */
function expected(sentences) {
  const marks = {};
  for (const { text, word } of sentences) (marks[NAME[word]] ??= []).push(text);
  for (const texts of Object.values(marks)) texts.sort();
  return marks;
}

/** Waits until the page is marked as the panel says. */
async function marked(page, sentences) {
  const marks = JSON.stringify(sorted(expected(sentences)));
  await page
    .waitForFunction(
      (marks) => {
        const found = [...CSS.highlights].map(([name, ranges]) => [
          name.replace(/^evident-[0-9a-f]{32}-/, ""),
          [...ranges].map(String).sort(),
        ]);
        return JSON.stringify(Object.fromEntries(found.sort())) === marks;
      },
      marks,
      { timeout: 60_000 },
    )
    .catch(async () => assert.deepEqual(sorted(await highlights(page)), JSON.parse(marks)));
}

const sorted = (marks) => Object.fromEntries(Object.entries(marks).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Has the panel's page record what the desk judges of a tab from now on. What it returns tells how many sentences that
 * is so far.
 */
async function recordWork(panel, page) {
  await panel.evaluate(
    (tab) => {
      globalThis.work = [];
      const port = chrome.runtime.connect({ name: "panel" });
      port.onMessage.addListener(
        (message) => message.type === "working" && message.stage === "nli" && work.push(message.index),
      );
      port.postMessage({ type: "watch", tab });
    },
    await tabOf(page),
  );
  return () => panel.evaluate(() => work.length);
}

let chatgpt;
let panel;
let sentences;

test("a streamed answer is judged sentence by sentence, a false one is flagged, and the page's DOM stays as it was", async () => {
  chatgpt = await open(CHATS.chatgpt);
  panel = await panelOn(chatgpt);
  await panel.getByText("Answers are checked as they appear").waitFor();
  await panel.getByText(/^Nothing is fetched: .* The models read English\.$/).waitFor();
  const judgements = await recordWork(panel, chatgpt);

  const streaming = say(chatgpt, [...ANSWER.slice(0, 2), ["hold"], ...ANSWER.slice(2)]);
  await panel.getByText("The rest is still being written.").waitFor({ timeout: PATIENCE_MS });
  // The text may have been read between its first two sentences.
  await panel.getByText(SENTENCES[1]).waitFor({ timeout: PATIENCE_MS });
  assert.deepEqual(
    (await listed(panel)).map(({ text }) => text),
    SENTENCES.slice(0, 2),
    "the last sentence waits",
  );
  await chatgpt.evaluate(() => chat.resume());
  await streaming;
  const dom = await chatgpt.evaluate(() => document.documentElement.outerHTML);
  sentences = await judged(panel, SENTENCES.length);
  assert.deepEqual(
    sentences.map(({ text }) => text),
    SENTENCES,
  );
  assert.equal(await judgements(), SENTENCES.length, "each sentence is judged once");
  assert.ok(
    sentences.some(({ text, word }) => FALSE.includes(text) && word === "Contradicted"),
    JSON.stringify(sentences),
  );
  await marked(chatgpt, sentences);
  assert.equal(await chatgpt.evaluate(() => document.documentElement.outerHTML), dom);

  assert.equal(await panel.locator(".widget > .title").innerText(), QUESTION);
  await panel.getByText("1 sentence makes no claim").or(panel.getByText("2 sentences make no claim")).waitFor();
  const [flagged, mixed] = ["Contradicted", "Mixed evidence"].map(
    (one) => sentences.filter(({ word }) => word === one).length,
  );
  const badge = await keeper.evaluate((tabId) => chrome.action.getBadgeText({ tabId }), await tabOf(chatgpt));
  assert.equal(badge, String(flagged || mixed));
  assert.deepEqual([...chatgpt.errors, ...panel.errors], []);
});

test("its pages are isolated, so that the engine's threads can share a memory", async () => {
  assert.ok(await keeper.evaluate(() => crossOriginIsolated));
});

test("verdicts are those that the whole answer gets at once", async () => {
  const demo = await open(site.url);
  const text = ANSWER.map(([tag, text]) => (tag === "h2" ? `# ${text}` : text)).join("\n\n");
  const report = await demo.evaluate(
    async ([text, question]) => {
      const worker = new Worker("worker.js", { type: "module" });
      const ask = (request) =>
        new Promise((done, fail) => {
          worker.onmessage = ({ data }) =>
            data.type === "failed" ? fail(new Error(data.error.message)) : "memory" in data && done(data);
          worker.postMessage(request);
        });
      const here = (name) => new URL(name, location.href).href;
      await ask({
        type: "open",
        options: { pack: here("pack/"), index: here("index/"), expected: {}, model: "nli", backend: "cpu" },
        module: "cpu",
      });
      return (await ask({ type: "verify", answer: { markdown: text }, options: { question } })).result;
    },
    [text, QUESTION],
  );
  const WORDS = {
    factual: ["Supported", "Probably supported"],
    unfactual: ["Contradicted", "Probably contradicted"],
    mixed: ["Mixed evidence"],
    noEvidence: ["Not in this index", "Undecided"],
  };
  assert.deepEqual(
    report.sentences.map(({ text }) => text),
    sentences.map(({ text }) => text),
  );
  report.sentences.forEach(({ verdict }, at) =>
    assert.ok(WORDS[verdict].includes(sentences[at].word), `${verdict}: ${sentences[at].word}`),
  );
  await demo.close();
});

test("marks follow an answer that is rendered again, and a conversation left and found again, and nothing is judged twice", async () => {
  const judgements = await recordWork(panel, chatgpt);
  await chatgpt.evaluate(() => chat.render());
  await marked(chatgpt, sentences);

  // The page takes the marks away, and they are set again; what the panel says does not come from them.
  await chatgpt.evaluate(() => CSS.highlights.clear());
  assert.deepEqual(await listed(panel), sentences);
  await marked(chatgpt, sentences);

  await chatgpt.evaluate(() => chat.open("/c/2"));
  await panel.locator(".sentence").first().waitFor({ state: "detached" });
  assert.deepEqual(await highlights(chatgpt), {});
  await chatgpt.evaluate(() => chat.open("/c/1"));
  await say(chatgpt, ANSWER, { ms: 0 });
  await judged(panel, SENTENCES.length);
  await marked(chatgpt, sentences);
  assert.equal(await judgements(), 0);
});

test("a site is paused in the panel, over a reload too, and one that is turned off is read no longer", async () => {
  const claude = await open(CHATS.claude);
  const beside = await panelOn(claude);
  const answer = () => say(claude, SHORT, { question: "Where is Paris?", ms: 0 });
  await answer();
  await marked(claude, await judged(beside, 2));
  const off = beside.getByText("The answers on this page are not read now");
  await beside.getByRole("button", { name: "Pause on Claude" }).click();
  await off.waitFor();
  await marked(claude, []);
  assert.equal(await beside.locator(".sentence").count(), 0);

  await claude.reload();
  await off.waitFor();
  await answer();
  await claude.evaluate(() => getSelection().selectAllChildren(document.querySelector(".font-claude-response p")));
  await beside.getByRole("button", { name: "Check the selection" }).click();
  assert.deepEqual(
    (await judged(beside, 2)).map(({ text }) => text),
    ["Paris is the capital of France.", "It lies on the Seine."],
  );
  assert.equal(await beside.locator("article").count(), 1, "only what is selected is read");
  assert.ok(await off.isVisible());

  await beside.getByRole("button", { name: "Resume on Claude" }).click();
  await beside.locator("article").nth(1).waitFor({ timeout: PATIENCE_MS });
  assert.ok(await off.isHidden());

  // As the browser does when the reader takes the permission back.
  await worker.evaluate(async () => {
    const { contains } = chrome.permissions;
    chrome.permissions.contains = async () => false;
    chrome.permissions.onRemoved.dispatch({ origins: ["https://claude.ai/*"] });
    await new Promise((done) => setTimeout(done, 1_000));
    chrome.permissions.contains = contains;
  });
  await off.waitFor();
  await beside.locator("article").nth(1).waitFor({ state: "detached" });
  await worker.evaluate(() => chrome.permissions.onAdded.dispatch({ origins: ["https://claude.ai/*"] }));
  await beside.locator("article").nth(1).waitFor();
  assert.deepEqual([...claude.errors, ...beside.errors], []);
  await Promise.all([claude.close(), beside.close()]);
});

test("the panel opens a sentence's evidence, shows it in the page, and is accessible", async () => {
  const button = panel.locator(".sentence-button").first();
  await button.focus();
  await panel.keyboard.press("Enter");
  const evidence = panel.getByRole("group", { name: "Evidence" });
  assert.ok((await evidence.locator("mark").first().textContent()).trim());
  await evidence.getByRole("button", { name: "Show it in the text" }).click();

  // A click of the reader's on a marked sentence opens the next one; a click that the page makes up does not.
  const place = await chatgpt.evaluate((name) => {
    const [, [range]] = [...CSS.highlights].find(([own]) => /^evident-[0-9a-f]{32}-(.+)/.exec(own)?.[1] === name);
    const { x, y, width, height } = range.getClientRects()[0];
    return { x: x + width / 2, y: y + height / 2, text: String(range) };
  }, NAME[sentences[1].word]);
  const openOne = () => panel.locator(".sentence-button[aria-expanded=true] .words").allTextContents();
  const before = await openOne();
  await chatgpt.evaluate(({ x, y }) => {
    document.elementFromPoint(x, y).dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: x, clientY: y }));
  }, place);
  await chatgpt.waitForTimeout(300);
  assert.deepEqual(await openOne(), before);
  await chatgpt.mouse.click(place.x, place.y);
  await panel.locator(".sentence-button[aria-expanded=true]", { hasText: place.text }).waitFor();

  // A dismissed mark leaves page, icon and count, and comes back.
  const inPage = async () => Object.values(await highlights(chatgpt)).flat();
  const marks = (await inPage()).filter((text) => text === place.text).length;
  const summary = panel
    .locator("article", { has: panel.locator(".sentence-button[aria-expanded=true]") })
    .locator(".summary");
  const counted = await summary.innerText();
  await evidence.getByRole("button", { name: "Dismiss this mark" }).click();
  await panel.locator(".sentence-button[aria-expanded=true]", { hasText: "dismissed" }).waitFor();
  for (let left = 50; (await inPage()).includes(place.text) && left > 0; left--) await chatgpt.waitForTimeout(100);
  assert.ok(!(await inPage()).includes(place.text));
  assert.notEqual(await summary.innerText(), counted);
  await evidence.getByRole("button", { name: "Show this mark again" }).click();
  for (let left = 50; !(await inPage()).includes(place.text) && left > 0; left--) await chatgpt.waitForTimeout(100);
  assert.equal((await inPage()).filter((text) => text === place.text).length, marks);
  assert.equal(await summary.innerText(), counted);
  const flagged = panel.locator(".sentence-button", { hasText: /^Contradicted/ }).first();
  if ((await flagged.getAttribute("aria-expanded")) === "false") await flagged.click();
  await evidence.getByText(/test claims? .*called|do not state how often/).waitFor();

  // The models lie in the extension, so nothing is fetched for it.
  await evidence.getByRole("button", { name: "Second opinion by the T5", exact: true }).click();
  await evidence.getByText("Second opinion by the T5:").waitFor({ timeout: PATIENCE_MS });
  assert.match(await evidence.locator(".opinion .numbers").innerText(), /T5/);
  await accessible(panel);
});

test("an answer is scored when the reader asks for it; scoring can be stopped, and the scores outlive the panel", async () => {
  const NAMES = [
    "Factuality",
    "Relevance",
    "Coherence within sentences",
    "Coherence across sentences",
    "Informativeness",
    "Helpfulness",
    "Validity",
  ];
  const rows = async (panel) => {
    await panel.getByText(/^Scored: \d of 7\.$/).waitFor({ timeout: PATIENCE_MS });
    const texts = await panel.getByRole("list", { name: "Scores" }).getByRole("listitem").allInnerTexts();
    return texts.map((text) => text.replace(/\s+/g, " "));
  };
  let beside = await panelOn(chatgpt);
  const start = beside.getByRole("button", { name: "Score the answer with CONNER", disabled: false });
  await beside.locator(".details:has(.scoring) > summary").click();
  await start.click();
  await beside.locator(".scoring progress").waitFor();
  await beside.getByRole("button", { name: "Stop" }).click();
  await beside.getByText("Stopped.", { exact: true }).waitFor();
  assert.equal(await beside.locator(".scoring progress").isVisible(), false);

  await start.press("Enter");
  const scores = await rows(beside);
  NAMES.forEach((name, at) => {
    const [, value] = /^(0(?:\.\d+)?|1(?:\.0+)?) /.exec(scores[at].slice(name.length + 1)) ?? [];
    assert.ok(scores[at].startsWith(name), scores[at]);
    if (value === undefined) assert.match(scores[at], /No score\. It needs \S/);
    else assert.match(scores[at], /By evident-embedded\/\S/);
  });
  assert.match(scores[0], /^Factuality \d/);
  for (const score of scores.slice(5)) assert.match(score, /It needs a (final|known right) answer/);
  await accessible(beside);

  // The sentence that factuality rests on is one of the answer's; where it was judged, its evidence is a key away.
  const lowest = beside.locator(".score", { hasText: "Factuality" }).locator(":is(button, q)");
  const text = await lowest.textContent();
  assert.ok(
    ANSWER.some(([, block]) => block.includes(text)),
    text,
  );
  if (SENTENCES.includes(text)) {
    await lowest.press("Enter");
    await beside.locator(".sentence-button[aria-expanded=true]", { hasText: text }).waitFor();
  }

  await beside.close();
  beside = await panelOn(chatgpt);
  assert.deepEqual(await rows(beside), scores);
  await chatgpt.evaluate(() => chat.open("/c/2"));
  await beside.locator(".sentence").first().waitFor({ state: "detached" });
  await chatgpt.evaluate(() => chat.open("/c/1"));
  await say(chatgpt, ANSWER, { ms: 0 });
  assert.deepEqual(await rows(beside), scores);
  await judged(panel, SENTENCES.length);
  await beside.close();
});

test("sentences are compared with the pages that they cite, by leave for these hosts that is given back", async () => {
  const perplexity = await open(CHATS.perplexity);
  const beside = await panelOn(perplexity);
  // Nobody is there whom the browser could ask, so a stub answers in the reader's place.
  await beside.evaluate(() => {
    globalThis.asked = [];
    chrome.permissions.contains = async () => false;
    chrome.permissions.request = async ({ origins }) => asked.push(origins) > 1;
  });
  await worker.evaluate(() => {
    globalThis.returned = [];
    chrome.permissions.remove = async ({ origins }) => returned.push(...origins) > 0;
  });
  await say(perplexity, [["p", "Wait."]], { ms: 0, question: "What of iron?" });
  await perplexity.evaluate((at) => {
    const link = (name, words) => `<a href="${at}${name}">${words}</a>`;
    document.querySelector("[id^=markdown-content] .prose").innerHTML = `
      <p>The atomic number of iron is 26.<span class="citation">${link("iron.html", "<span>cited+1</span>")}</span></p>
      <p>The atomic number of carbon is 8 (${link("guide.pdf", "guide")}).</p>
      <p>Iron is a metal (${link("gone.html", "gone")}).</p>
      <p>Iron is a metal (${link("moved.html", "moved")}).</p>
      <p>Iron is a metal (<a href="https://claude.ai/share/1">a chat</a>).</p>`;
  }, CITED);
  const found = await judged(beside, 5);
  assert.equal(found[0].text, "The atomic number of iron is 26.");
  const sources = beside.getByRole("region", { name: "Check the sources" });
  await sources.getByRole("button", { name: "Check the sources" }).click();
  await sources.getByText(/^This fetches 5 pages that the text cites, from cited\.example, claude\.ai\./).waitFor();
  const before = proxy.requests.length; // the browser asks for a chat's icon by itself
  const sent = () =>
    proxy.requests.slice(before).filter((request) => /cited\.example|192\.168|claude\.ai/.test(request.split("\n")[0]));
  assert.deepEqual(await beside.evaluate(() => asked), []);
  await accessible(beside);

  await sources.getByRole("button", { name: "Fetch and check" }).click();
  await sources.getByText("Without leave to read these sites, none of their pages is fetched.").waitFor();
  assert.deepEqual(sent(), [], "nothing is fetched before the reader agrees");
  await sources.getByRole("button", { name: "Check the sources" }).click();
  await sources.getByRole("button", { name: "Fetch and check" }).click();
  await sources.getByText("The sources are checked.").waitFor({ timeout: PATIENCE_MS });
  const patterns = [`${CITED}*`, `${CITED.replace("http", "https")}*`];
  assert.deepEqual(await beside.evaluate(() => asked), [patterns, patterns], "no chatbot's site is turned on for it");
  for (let left = 50; left > 0 && (await worker.evaluate(() => returned.length)) === 0; left--)
    await beside.waitForTimeout(100);
  assert.deepEqual(await worker.evaluate(() => returned), patterns);
  assert.deepEqual(await beside.locator(".sentence-button .by-source .word").allTextContents(), [
    "Supported by its source",
    "Contradicted by its source",
    "Source could not be read (not found)",
    "Source could not be read (private network)",
    "Source could not be read (host not reached)",
  ]);
  for (const request of sent()) assert.doesNotMatch(request, /\n(cookie|referer)\n/i);

  const openAt = async (at) => {
    const button = beside.locator(".sentence-button").nth(at);
    if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
    return beside.locator(".evidence:not([hidden]) .cited");
  };
  const link = (await openAt(1)).locator(".source a");
  assert.deepEqual([await link.textContent(), await link.getAttribute("href")], ["page 2", `${CITED}guide.pdf#page=2`]);
  const gone = await openAt(2);
  await gone
    .locator("input[type=file]")
    .setInputFiles({ name: "iron.html", mimeType: "text/html", buffer: Buffer.from(PAGES["/iron.html"]) });
  await gone.getByText("Supported by its source").waitFor({ timeout: PATIENCE_MS });
  await accessible(beside);
  assert.deepEqual([...perplexity.errors, ...beside.errors], []);

  // What was found outlives the panel.
  await beside.close();
  const again = await panelOn(perplexity);
  await again.locator(".by-source", { hasText: "Contradicted by its source" }).first().waitFor();
  await Promise.all([again.close(), perplexity.close()]);
});

test("leave for hosts is given back if the desk is lost while it fetches", async () => {
  const perplexity = await open(CHATS.perplexity);
  const beside = await panelOn(perplexity);
  await beside.evaluate(() => {
    chrome.permissions.contains = async () => false;
    chrome.permissions.request = async () => true;
  });
  await worker.evaluate(() => {
    globalThis.returned = [];
    chrome.permissions.remove = async ({ origins }) => returned.push(...origins) > 0;
  });
  await say(perplexity, [["p", "Wait."]], { ms: 0, question: "What of iron?" });
  await perplexity.evaluate((address) => {
    document.querySelector("[id^=markdown-content] .prose").innerHTML =
      `<p>Iron is a metal (<a href="${address}">slow</a>).</p>`;
  }, `${CITED}slow.html`);
  await judged(beside, 1);
  await beside.getByRole("button", { name: "Check the sources" }).click();
  await beside.getByRole("button", { name: "Fetch and check" }).click();
  for (let left = 50; left > 0 && !proxy.requests.some((request) => request.includes("/slow.html")); left--)
    await beside.waitForTimeout(100);
  assert.deepEqual(await worker.evaluate(() => returned), []);
  await keeper.evaluate(() => chrome.offscreen.closeDocument());
  for (let left = 50; left > 0 && (await worker.evaluate(() => returned.length)) === 0; left--)
    await beside.waitForTimeout(100);
  assert.deepEqual(await worker.evaluate(() => returned), [`${CITED}*`, `${CITED.replace("http", "https")}*`]);
  await judged(beside, 1);
  assert.deepEqual([...perplexity.errors, ...beside.errors], []);
  await Promise.all([beside.close(), perplexity.close()]);
});

test("an address of one's own is added in the options, and every site's page is read", async () => {
  const options = await own("options.html");
  for (const [name, adapter] of [
    ["open-webui", "Open WebUI"],
    ["librechat", "LibreChat"],
  ]) {
    await options.getByLabel("What runs there").selectOption({ label: adapter });
    await options.getByLabel("Address", { exact: true }).fill(CHATS[name]);
    await options.getByRole("button", { name: "Add" }).click();
    await options.getByRole("button", { name: `Remove ${new URL(CHATS[name]).origin}` }).waitFor();
  }
  assert.equal(await options.getByRole("checkbox", { checked: true }).count(), 6);
  await accessible(options);
  await options.close();

  for (const [name, address] of Object.entries(CHATS)) {
    const page = await open(address);
    const beside = await panelOn(page);
    await say(page, SHORT, { question: "Where is Paris?" });
    const found = await judged(beside, 2);
    assert.deepEqual(
      found.map(({ text }) => text),
      ["Paris is the capital of France.", "It lies on the Seine."],
      name,
    );
    assert.equal(await beside.locator(".widget > .title").innerText(), "Where is Paris?", name);
    await marked(page, found);
    await Promise.all([page.close(), beside.close()]);
  }
});

test("a site that has changed is said to be unreadable, and a selection can be checked there as on any page", async () => {
  await context.route("https://claude.ai/chat/changed", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><title>Claude</title><p>Paris is the capital of France.</p><div><p>The <b>capital</b> of France is Berlin.</p></div>`,
    }),
  );
  await context.route(`${ANY_PAGE}**`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: "<!doctype html><title>Page</title><h1>Paris</h1><ul><li>Paris is the <i>capital</i> of France.<li>It is a city.</ul>",
    }),
  );
  const changed = await open("https://claude.ai/chat/changed");
  const beside = await panelOn(changed);
  await beside.getByText("Evident cannot read this site").waitFor({ timeout: PATIENCE_MS });
  assert.equal(await keeper.evaluate((tabId) => chrome.action.getBadgeText({ tabId }), await tabOf(changed)), "?");
  await changed.evaluate(() => getSelection().selectAllChildren(document.querySelector("div")));
  await beside.getByRole("button", { name: "Check the selection" }).click();
  await marked(changed, await judged(beside, 1));
  await Promise.all([changed.close(), beside.close()]);

  // As the context menu's entry does it; the menu itself is the browser's, which no test can click.
  const page = await open(ANY_PAGE);
  const tab = await tabOf(page);
  const other = await panelOn(page);
  await page.evaluate(() => getSelection().selectAllChildren(document.querySelector("ul")));
  await worker.evaluate(
    (id) => chrome.contextMenus.onClicked.dispatch({ menuItemId: "check-selection" }, { id, windowId: 0 }),
    tab,
  );
  const found = await judged(other, 2);
  assert.deepEqual(
    found.map(({ text }) => text),
    ["Paris is the capital of France.", "It is a city."],
  );
  await marked(page, found);

  // What is selected in a field is checked as well, though it can bear no marks; a password is not.
  await page.evaluate(() =>
    document.body.insertAdjacentHTML(
      "beforeend",
      `<textarea>Paris is a city.</textarea><input type="password" value="It is a city.">`,
    ),
  );
  await page.locator("input").selectText();
  await other.getByRole("button", { name: "Check the selection" }).click();
  await other.getByText("No selected text could be read.").waitFor();
  await page.locator("textarea").selectText();
  await other.getByRole("button", { name: "Check the selection" }).click();
  assert.deepEqual(
    (await judged(other, 1)).map(({ text }) => text),
    ["Paris is a city."],
  );

  // A selected link is read with its address.
  await page.evaluate(() => {
    document.activeElement.blur();
    document.body.insertAdjacentHTML("beforeend", `<p><a href="https://cited.example/">Paris is a big city.</a></p>`);
    getSelection().selectAllChildren(document.querySelector("a"));
  });
  await other.getByRole("button", { name: "Check the selection" }).click();
  await other.locator(".sentence-button", { hasText: "Paris is a big city." }).waitFor({ timeout: PATIENCE_MS });
  await other.getByRole("button", { name: "Check the sources" }).waitFor();

  // A number in it has the address that it has in the page; the mark stands on the words that were selected.
  await page.evaluate(() => {
    const [tin, iron] = ["tin", "iron"].map((name) => `<li><a href="https://${name}.example/">${name}</a></li>`);
    document.body.insertAdjacentHTML("beforeend", `<p id="cites">Iron is a metal [2].</p><ol>${tin}${iron}</ol>`);
    getSelection().selectAllChildren(document.querySelector("#cites"));
  });
  await other.getByRole("button", { name: "Check the selection" }).click();
  await other.locator(".sentence-button", { hasText: "Iron is a metal" }).waitFor({ timeout: PATIENCE_MS });
  await other.getByRole("button", { name: "Check the sources" }).click();
  await other.getByText("This fetches 1 page that the text cites, from iron.example.").waitFor();
  const [cites] = await judged(other, 1);
  await marked(page, [{ ...cites, text: "Iron is a metal [2]." }]);
  await Promise.all([page.close(), other.close()]);
});

test("hostile answers show as text, and a text beyond all measure as an error", async () => {
  const hostile = `<img src=x onerror="document.title='owned'"> is the capital of France\u202e.`;
  await chatgpt.evaluate(() => chat.open("/c/4"));
  await say(
    chatgpt,
    [
      ["p", hostile],
      ["p", "Paris is the capital of France."],
    ],
    { question: "<script>document.title='owned'</script>", ms: 0 },
  );
  const found = await judged(panel, 2);
  // What the page shows is read as it stands.
  assert.ok(found.some(({ text }) => text.startsWith("<img src=x") && text.includes("is the capital of France")));
  assert.equal(await panel.locator(".widget > .title").innerText(), "<script>document.title='owned'</script>");
  assert.equal(await panel.locator("img").count(), 0);
  assert.equal(await panel.title(), "Evident");

  await chatgpt.evaluate(() => chat.open("/c/5"));
  await say(chatgpt, [["p", `${"word".repeat(150_000)} ${"word ".repeat(50_000)}`]], { ms: 0, question: "" });
  const error = panel.getByRole("alert").filter({ hasText: "answer-too-long" });
  await error.getByRole("button", { name: "Try again" }).waitFor({ timeout: PATIENCE_MS });
  assert.ok(await panel.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await chatgpt.evaluate(() => chat.open("/c/6"));
});

test("a page reads nothing of the extension's and drives nothing of it; a content script speaks only for its own page", async () => {
  const id = worker.url().split("/")[2];
  const stranger = await open(ANY_PAGE); // its policy forbids nothing
  const reached = await stranger.evaluate(async (id) => {
    const at = (path) => `chrome-extension://${id}/${path}`;
    const succeeds = (work) =>
      work.then(
        () => true,
        () => false,
      );
    const loads = (tag, fields) =>
      new Promise((done, fail) => {
        const element = Object.assign(document.createElement(tag), fields, { onload: done, onerror: fail });
        document.body.append(element);
      });
    const frame = document.body.appendChild(Object.assign(document.createElement("iframe"), { src: at("panel.html") }));
    await new Promise((done) => setTimeout(done, 1_000));
    const heard = [];
    addEventListener("message", ({ data }) => heard.push(data));
    postMessage({ type: "check-selection", tab: 1 }, "*");
    frame.contentWindow.postMessage({ type: "score", id: "1" }, "*");
    await new Promise((done) => setTimeout(done, 300));
    return {
      fetched: await succeeds(fetch(at("manifest.json"))),
      imported: await succeeds(import(at("content.js"))),
      script: await succeeds(loads("script", { src: at("content.js") })),
      image: await succeeds(loads("img", { src: at("icons/16.png") })),
      answers: heard.length - 1, // its own
      runtime: typeof globalThis.chrome?.runtime?.connect,
      world: typeof globalThis.evident,
    };
  }, id);
  const nothing = {
    fetched: false,
    imported: false,
    script: false,
    image: false,
    answers: 0,
    runtime: "undefined",
    world: "undefined",
  };
  assert.deepEqual(reached, nothing);
  assert.deepEqual(
    stranger.frames().map((frame) => frame.url().split(":")[0]),
    ["https", "chrome-error"],
  );
  await stranger.close();

  // From a content script's world, as a renderer that was taken over could: no panel's port, no badge, no other tab's
  // text, no options.
  const tab = await tabOf(chatgpt);
  const [{ result }] = await keeper.evaluate(
    (tabId) =>
      chrome.scripting.executeScript({
        target: { tabId },
        func: async () => {
          const closed = (name) =>
            new Promise((done) => {
              const port = chrome.runtime.connect({ name });
              port.onDisconnect.addListener(() => done(true));
              setTimeout(() => done(false), 2_000);
            });
          const asked = await Promise.race([
            chrome.runtime.sendMessage({ type: "check-selection", tab: 1 }).catch(() => undefined),
            new Promise((done) => setTimeout(done, 1_000)),
          ]);
          const options = await chrome.storage.local.get().then(
            () => "read",
            () => "refused",
          );
          return { panel: await closed("panel"), unknown: await closed("anything"), asked: asked ?? null, options };
        },
      }),
    tab,
  );
  assert.deepEqual(result, { panel: true, unknown: true, asked: null, options: "refused" });
});

const BRIDGE = "The Ool Bridge was opened on 4 May 1931.";

/** Has the chatbot say something in a conversation of its own; gives the panel's sentences, once they are judged. */
async function sayAnew(conversation, text, count) {
  await chatgpt.evaluate((path) => chat.open(path), `/c/${conversation}`);
  await panel.locator(".sentence").first().waitFor({ state: "detached" });
  await say(chatgpt, [["p", text]], { question: "", ms: 0 }); // the names in a question would be asked for too
  return judged(panel, count);
}

test("a wiki that the reader chooses and the browser allows is asked what the index leaves open, and no other is", async () => {
  const carbon = "The atomic number of carbon is 6.";
  const passages = [{ id: "carbon", title: "Carbon", text: carbon }];
  const data = await host({ folder: indexOf(passages, folder, "carbon") });
  // What is given back is recorded, and kept: the test's build could not ask for it again.
  await worker.evaluate(() => {
    globalThis.returned = [];
    chrome.permissions.remove = async ({ origins }) => returned.push(...origins) > 0;
  });
  const returned = () => worker.evaluate(() => returned);
  const options = await own("options.html");
  // Nobody is there whom the browser could ask, so a stub answers in the reader's place.
  await options.evaluate(() => {
    globalThis.asked = [];
    chrome.permissions.request = async (leave) => asked.push(leave) > 1;
  });
  const asked = () => options.evaluate(() => asked);
  const choice = options.getByLabel("Ask a wiki about what the index leaves open");
  const address = options.getByLabel("Address of its api.php");
  const save = options.getByRole("button", { name: "Save" });
  const kept = () => keeper.evaluate(async () => (await chrome.storage.local.get({ wiki: "" })).wiki);

  assert.deepEqual(await choice.locator("option").allTextContents(), [
    "none",
    "Wikipedia",
    "Simple English Wikipedia",
    "another wiki",
  ]);
  assert.ok(await address.isHidden());
  await options.getByLabel("Address of the index").fill(data.url);
  await save.click();
  await options.getByText("Saved.").waitFor();
  const [unsettled, settled] = await sayAnew("wiki-none", `${BRIDGE} ${carbon}`, 2);
  assert.match(unsettled.word, /^(Not in this index|Undecided)$/);
  assert.match(settled.word, /upported$/);

  await choice.selectOption("another wiki");
  for (const wrong of ["", "https://wiki.example/index.php", "http://wiki.example/api.php", "https://*/api.php"]) {
    await address.fill(wrong);
    await save.click();
    await options.getByText("This is no address of a wiki").waitFor();
    assert.ok(await address.evaluate((field) => field.matches(":focus")), wrong);
  }
  assert.deepEqual(await asked(), []);
  await address.fill(WIKI);
  await save.click();
  await options.getByText("Without leave to ask this wiki, Evident does not ask it").waitFor();
  assert.deepEqual(await asked(), [{ origins: [WIKI_HOST] }]);
  assert.equal(await kept(), "");
  await accessible(options);
  await sayAnew("wiki-refused", `${BRIDGE} Iron is a metal.`, 2);
  assert.deepEqual(wiki.asked, []);

  await worker.evaluate(() => (returned.length = 0)); // until now no wiki was chosen that needs its leave
  await save.click();
  await options.getByText("Saved.").waitFor();
  assert.equal(await kept(), WIKI);
  await sayAnew("wiki-chosen", `${BRIDGE} ${carbon}`, 2);
  const evidence = panel.locator(".sentence", { hasText: "Ool Bridge" }).first();
  const button = evidence.locator(".sentence-button");
  if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
  const source = evidence.locator(".evidence .source", { hasText: "Ool Bridge" }).first();
  assert.match(await source.textContent(), /^Ool Bridge 127\.0\.0\.1:8089 · 2026-01-15 · CC BY-SA 4\.0$/);
  const revision = new RegExp(`^${WIKI.replace("api.php", "index.php")}\\?oldid=\\d+$`);
  assert.match(await source.locator("a").getAttribute("href"), revision);
  assert.equal(wiki.asked.length, 1, "one request brings the article, and what the index settles sends nothing");
  for (const { headers, parameters } of wiki.asked) {
    assert.deepEqual([headers.cookie, headers.referer], [undefined, undefined]);
    assert.match(headers["api-user-agent"], /^Evident\/\d/);
    assert.match(parameters, /titles=Ool\+Bridge/);
    assert.doesNotMatch(parameters, /carbon|atomic|opened|1931/i);
  }
  assert.ok((await returned()).includes(`${CITED}*`), "other leave is given back");
  assert.ok(!(await returned()).includes(WIKI_HOST), "leave to ask the wiki is not");
  const fresh = await panelOn(chatgpt);
  await fresh
    .locator("#before", { hasText: "127.0.0.1:8089 is asked about what the index leaves open, and is sent names" })
    .waitFor({ state: "attached" });
  await fresh.close();

  // As when the reader takes the leave back in the browser, and gives it again.
  await worker.evaluate((host) => {
    globalThis.contains = chrome.permissions.contains;
    chrome.permissions.contains = async (leave) =>
      !leave.origins.includes(host) && globalThis.contains.call(chrome.permissions, leave);
    chrome.permissions.onRemoved.dispatch({ origins: [host] });
  }, WIKI_HOST);
  await sayAnew("wiki-forbidden", "Nobody knows who built Xyzzyplugh.", 1);
  assert.equal(wiki.asked.length, 1);
  await worker.evaluate((host) => {
    chrome.permissions.contains = globalThis.contains;
    chrome.permissions.onAdded.dispatch({ origins: [host] });
  }, WIKI_HOST);

  // A wiki that fails is named, and asked again if the reader wants it and it had its pause of 10 s.
  wiki.fails = true;
  await sayAnew("wiki-fails", "Tolland Bridge was designed by Mara Tolland.", 1);
  const failed = panel.getByRole("status").filter({ hasText: "The wiki could not be asked" });
  await failed.getByText(/it answered with HTTP 500.* keep what the index says\.$/).waitFor();
  assert.equal(
    await failed.getByRole("link", { name: "Change it in the options" }).getAttribute("href"),
    "options.html#wiki",
  );
  await accessible(panel);
  wiki.fails = false;
  await panel.waitForTimeout(11_000);
  await failed.getByRole("button", { name: "Try again" }).click();
  await failed.waitFor({ state: "detached" });
  await judged(panel, 1);
  const tolland = panel.locator(".sentence-button", { hasText: "Tolland" });
  if ((await tolland.getAttribute("aria-expanded")) === "false") await tolland.click();
  await panel.locator(".evidence .source", { hasText: "CC BY-SA 4.0" }).first().waitFor();
  const made = wiki.asked.length;

  await choice.selectOption("none");
  await options.getByLabel("Address of the index").fill("");
  await save.click();
  await options.getByText("Saved.").waitFor();
  for (let left = 50; left > 0 && !(await returned()).includes(WIKI_HOST); left--) await options.waitForTimeout(100);
  assert.ok((await returned()).includes(WIKI_HOST));
  await sayAnew("wiki-no-more", BRIDGE, 1);
  assert.equal(wiki.asked.length, made);
  assert.equal((await asked()).length, 2, "no leave is asked for where no wiki is chosen");
  const listed = options.getByRole("list", { name: "Known indexes" }).getByRole("listitem");
  await listed.nth(1).getByRole("button", { name: "Remove" }).click();
  await listed.nth(1).waitFor({ state: "detached" });
  assert.deepEqual(options.errors, []);
  await Promise.all([options.close(), data.close()]);
});

test("the desk outlives the background's naps, and is there again after it was lost", async () => {
  await chatgpt.evaluate(() => chat.open("/c/7"));
  const cdp = await context.newCDPSession(keeper);
  const stopped = new Promise((done) =>
    cdp.on(
      "ServiceWorker.workerVersionUpdated",
      ({ versions }) => versions.some(({ runningStatus }) => runningStatus === "stopped") && done(),
    ),
  );
  await cdp.send("ServiceWorker.enable");
  await cdp.send("ServiceWorker.stopAllWorkers");
  await stopped;
  await say(chatgpt, SHORT, { question: "Where is Paris?", ms: 0 });
  await marked(chatgpt, await judged(panel, 2));

  // With the desk goes all that it remembers: the page says again what it shows.
  await keeper.evaluate(() => chrome.offscreen.closeDocument());
  await say(chatgpt, [["p", "Berlin is the capital of Germany."]], { question: "And Berlin?", ms: 0 });
  await marked(chatgpt, await judged(panel, 3));
});

test("answers are checked against the reader's own files once these are chosen, until they are removed", async () => {
  const from = proxy.requests.length;
  const options = await own("options.html");
  const choose = (...named) =>
    options
      .locator("#pick-files")
      .setInputFiles(named.map(([name, content]) => ({ name, mimeType: "", buffer: Buffer.from(content) })));
  const village = "Brakto is a village of 412 people on the river Ool.";
  const tarn = "The market of Tarn is held on Fridays.";
  const markdown = ["village.md", `# Brakto\n\n${village}`];
  const pdf = ["tarn.pdf", await pdfOf(context, "Tarn", tarn)];
  const empty = ["empty.txt", " \n"];

  const wrong = options.getByRole("alert");
  await choose(["a.gif", "GIF89a"]);
  await wrong.filter({ hasText: "A.gif is not a kind of file that can be read. Choose PDF" }).waitFor();
  await choose(empty);
  await wrong.filter({ hasText: "Empty.txt has no text. Save it as text" }).waitFor();
  const devtools = await context.newCDPSession(options);
  const origin = options.url().replace(/\/options\.html$/, "");
  await devtools.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
  await choose(markdown);
  await wrong.filter({ hasText: "The browser has no room to keep this index. Choose fewer files" }).waitFor();
  await devtools.send("Storage.overrideQuotaForOrigin", { origin });
  const listed = options.getByRole("list", { name: "Known indexes" }).getByRole("listitem");
  assert.equal(await listed.count(), 1);

  await choose(markdown, pdf, empty);
  await options
    .getByText("checked against your files now: 2 passages. 1 file could not be read: empty.txt has no text.")
    .waitFor();
  await accessible(options);
  await options.reload();
  await listed.nth(1).waitFor();
  assert.match(
    await listed.nth(1).innerText(),
    /^Your files\s+2 passages · \d+ k?B · [A-Z][a-z]+ \d+, 20\d\d\s+Use\s+Remove$/,
  );
  assert.equal(await options.getByLabel("Address of the index").inputValue(), "your files");

  await chatgpt.evaluate(() => chat.open("/c/own"));
  await say(chatgpt, [["p", `${village} ${tarn}`]], { question: "", ms: 0 });
  const found = await judged(panel, 2);
  assert.deepEqual(
    found.map(({ word }) => word),
    ["Supported", "Supported"],
  );
  const fresh = await panelOn(chatgpt);
  assert.match(
    await fresh.locator("#before").textContent(),
    /^Nothing is fetched: .* the index is that of your files\./,
  );
  await fresh.close();
  for (const [row, source] of [village, tarn].entries()) {
    const sentence = panel.locator(".sentence").nth(row);
    const button = sentence.locator(".sentence-button");
    if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
    await sentence.locator(".evidence").getByText(source).first().waitFor();
  }

  // The form can be saved with it, and another index used and left again.
  await options.getByRole("button", { name: "Save" }).click();
  await options.getByText("Saved.").waitFor();
  await listed.first().getByRole("button").click();
  await options.waitForFunction(() => document.querySelector("#index").value === "");
  await options.getByText("Saved.").waitFor();
  await listed.nth(1).getByRole("button", { name: "Use Your files" }).click();
  await options.waitForFunction(() => document.querySelector("#index").value !== "");
  await options.getByText("Saved.").waitFor();

  // A browser whose disk is full may clear what is kept.
  await options.evaluate(
    () =>
      new Promise((done) => {
        indexedDB.deleteDatabase("evident-own-files").onsuccess = done;
      }),
  );
  await chatgpt.evaluate(() => chat.open("/c/gone"));
  await say(chatgpt, SHORT, { ms: 0 });
  const gone = panel.getByRole("alert").filter({ hasText: "index-missing" });
  await gone.filter({ hasText: "choose the files again in the options" }).waitFor({ timeout: PATIENCE_MS });
  await choose(markdown);
  await options.getByText("checked against your files now: 1 passage.").waitFor();
  await judged(panel, SHORT[0][1].split(". ").length); // by the new one

  await listed.nth(1).getByRole("button", { name: "Remove Your files" }).click();
  await options.getByText("The index of your files is removed").waitFor();
  await listed.nth(1).waitFor({ state: "detached" });
  assert.equal(await options.getByLabel("Address of the index").inputValue(), "");
  const left = await options.evaluate(
    () =>
      new Promise((done) => {
        indexedDB.open("evident-own-files").onsuccess = ({ target: { result } }) => {
          const counting = result.transaction("indexes").objectStore("indexes").count();
          counting.onsuccess = () => done(counting.result);
        };
      }),
  );
  assert.equal(left, 0);
  await chatgpt.evaluate(() => chat.open("/c/none"));
  await say(chatgpt, [["p", TRUE[1]]], { ms: 0 });
  assert.deepEqual(
    (await judged(panel, 1)).map(({ word }) => word),
    ["Supported"],
  );
  assert.deepEqual(leaked(proxy.requests.slice(from), [village, tarn]), []);
  assert.deepEqual(options.errors, []);
  await options.close();
});

test("another pack and index are used once they are saved, and a wrong address is refused", async () => {
  const options = await own("options.html");
  await options.getByLabel("Address of the index").fill("ftp://host.example/");
  await options.getByRole("button", { name: "Save" }).click();
  await options.getByText("This is no address that can be used").waitFor();
  await options.getByLabel("Address of the model pack").fill(new URL("pack", site.url).href);
  await options.getByLabel("Address of the index").fill(new URL("index/", site.url).href);
  const hash = options.getByLabel("Checksum that the index must have");
  await hash.fill("12ab");
  await options.getByRole("button", { name: "Save" }).click();
  await options.getByText("This is no SHA-256").waitFor();
  await hash.fill(JSON.parse(await readFile(join(DEMO, "index/manifest.json"), "utf8")).checksum);
  const key = options.getByLabel("Public key that must have signed the index");
  await key.fill("RW");
  await options.getByRole("button", { name: "Save" }).click();
  await options.getByText("This is no public key of minisign").waitFor();
  await key.fill(keyPair().publicKey);
  await options.getByLabel("Call one contradicted only below").fill("0");
  await options.getByRole("button", { name: "Save" }).click();
  await options.getByText("Saved.").waitFor();

  // An index that was tried joins the list; one that is none is neither kept nor listed.
  const listed = options.getByRole("list", { name: "Known indexes" }).getByRole("listitem");
  await listed.nth(1).waitFor();
  assert.match(
    await listed.first().innerText(),
    new RegExp(
      `Evident's demo index\\s+${PASSAGES} passages · [\\d.]+ ?MB · Apache-2\\.0 AND ODbL-1\\.0 AND CC-BY-4\\.0\\s+Use`,
    ),
  );
  assert.match(await listed.nth(1).innerText(), new RegExp(`${PASSAGES} passages · licence not known · localhost`));
  await options.getByLabel("Address of the index").fill(new URL("nowhere/", site.url).href);
  await options.getByRole("button", { name: "Save" }).click();
  await options.getByText("There is no index at this address").waitFor();
  assert.equal(await listed.count(), 2);
  await listed.first().getByRole("button").click();
  await options.getByText("Saved.").waitFor();
  assert.equal(await options.getByLabel("Address of the index").inputValue(), "");
  await listed.nth(1).getByRole("button", { name: /^Use / }).click();
  await options.waitForFunction(() => document.querySelector("#index").value !== "");
  await options.getByText("Saved.").waitFor();
  await accessible(options);

  // The host has no signature.
  await chatgpt.evaluate(() => chat.open("/c/signed"));
  await say(chatgpt, SHORT, { ms: 0 });
  const unsigned = panel.getByRole("alert").filter({ hasText: "index-unsigned" });
  await unsigned.waitFor({ timeout: PATIENCE_MS });
  const way = await unsigned.getByRole("link", { name: "Change it in the options" }).getAttribute("href");
  const there = await own(way);
  assert.ok(
    await there.getByLabel("Public key that must have signed the index").evaluate((field) => field.matches(":focus")),
  );
  await there.close();
  await key.fill("");
  await options.getByRole("button", { name: "Save" }).click();
  await options.getByText("Saved.").waitFor();
  await options.close();

  const from = proxy.requests.length;
  await chatgpt.evaluate(() => chat.open("/c/8"));
  await say(chatgpt, ANSWER, { ms: 0 });
  const found = await judged(panel, SENTENCES.length);
  assert.ok(proxy.requests.slice(from).some((request) => request.includes("/pack/pack.json")));
  assert.ok(proxy.requests.slice(from).some((request) => request.includes("/index/manifest.json")));
  assert.ok(!found.some(({ word }) => word === "Contradicted"), "below 0 nothing is flagged");
});

test("hostile titles and passages show as text, and Trusted Types are enforced in the extension's pages", async () => {
  const data = await host({ folder: indexOf(HOSTILE.passages, folder, "hostile") });
  const options = await own("options.html");
  await options.getByLabel("Address of the index").fill(data.url);
  await options.getByLabel("Checksum that the index must have").fill("");
  await options.getByRole("button", { name: "Save" }).click();
  await options.getByText("Saved.").waitFor();
  await chatgpt.evaluate(() => chat.open("/c/9"));
  await say(chatgpt, [["p", HOSTILE.answer]], { question: HOSTILE.markup, ms: 0 });
  // Not the answer before.
  await panel.locator(".sentence-button", { hasText: "Brakto" }).first().waitFor({ timeout: PATIENCE_MS });
  // Once all is judged.
  await panel.locator(".details:has(.scoring)").waitFor({ timeout: PATIENCE_MS });
  const [first] = await panel.locator(".sentence-button").all();
  if ((await first.getAttribute("aria-expanded")) === "false") await first.click();
  await panel.locator(".evidence details").evaluateAll((all) => all.forEach((details) => (details.open = true)));
  assert.ok((await panel.locator(".evidence:not([hidden])").innerText()).includes(HOSTILE.markup));
  assert.equal(await panel.locator(":is(img, a[href^=javascript])").count(), 0);
  for (const page of [panel, options]) await sound(page);
  await Promise.all([options.close(), data.close()]);
});

test("of all that left the browser in this session, nothing bears a piece of a text", () => {
  assert.ok(proxy.requests.length > 0);
  assert.deepEqual(leaked(proxy.requests, [QUESTION, ...[...ANSWER, ...SHORT].map(([, text]) => text)]), []);
});

test("what is published asks for the fewest permissions, offers pages nothing, and is clean by web-ext lint", async () => {
  for (const [browser, more] of [
    ["chrome", ["offscreen", "sidePanel"]],
    ["firefox", []],
  ]) {
    const manifest = JSON.parse(await readFile(`${REPOSITORY}dist/extension/${browser}/manifest.json`, "utf8"));
    assert.deepEqual(manifest.permissions, ["activeTab", "contextMenus", "scripting", "storage", ...more]);
    for (const key of ["host_permissions", "content_scripts", "web_accessible_resources", "externally_connectable"])
      assert.equal(manifest[key], undefined, key);
    if (browser === "firefox")
      assert.deepEqual(manifest.browser_specific_settings.gecko.data_collection_permissions, {
        required: ["none"],
        optional: ["websiteContent"],
      });
  }
  const lint = [
    `${REPOSITORY}tests/e2e/node_modules/.bin/web-ext`,
    "lint",
    "--source-dir",
    `${REPOSITORY}dist/extension/firefox`,
    "--output",
    "json",
    "--no-config-discovery",
  ];
  const { stdout } = await run(process.execPath, lint, { maxBuffer: 1e8 });
  const { errors, warnings, notices } = JSON.parse(stdout);
  assert.deepEqual([...errors, ...warnings, ...notices], []);
});

/** axe-core finds nothing to complain of. */
async function accessible(page) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
    [],
  );
}
