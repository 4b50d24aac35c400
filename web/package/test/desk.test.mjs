/** The extension's desk between pages, panels and an engine that is a stand-in: it does what a test says, and waits for it. */

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bundle } from "../../load.mjs";

const TAB = 7;
const PAGE = "https://iron.example/";
const TEXT = `Iron is a metal ([iron](${PAGE})).`;
const SENTENCE = {
  start: 0,
  end: TEXT.length,
  text: "Iron is a metal.",
  statement: "Iron is a metal.",
  context: "",
  citations: [{ start: 16, end: TEXT.length - 2, label: "iron", address: PAGE }],
};

/** The engines that were started, in order, each with its requests as they wait for an answer. */
let engines;

class Engine extends EventTarget {
  asked = [];
  constructor() {
    super();
    engines.push(this);
  }
  postMessage(request) {
    this.asked.push(request);
  }
  terminate() {}
  say(data) {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}

let Desk;
before(async () => {
  globalThis.Worker = Engine;
  globalThis.chrome = { runtime: { id: "evident", getURL: (path) => `https://extension.example/${path}` } };
  globalThis.location = new URL("https://extension.example/offscreen.html");
  const script = await bundle(fileURLToPath(new URL("../../extension/src/desk.ts", import.meta.url)));
  ({ Desk } = await import(`data:text/javascript,${encodeURIComponent(script)}`));
});
beforeEach(() => {
  engines = [];
});

/** Waits until there is something; gives it. */
async function until(what) {
  for (let turns = 0; turns < 1_000; turns++) {
    const found = what();
    if (found) return found;
    await new Promise(setImmediate);
  }
  assert.fail(`it does not come: ${what}`);
}

/** Waits for the last engine to be asked this again; gives the engine and the request. */
const asked = (type) =>
  until(() => {
    const engine = engines.at(-1);
    const at = engine?.asked.findIndex((request) => request.type === type) ?? -1;
    return at >= 0 && { engine, request: engine.asked.splice(at, 1)[0] };
  });

/** A port to the desk: `send` is what its other end does, `heard` what that hears. */
function port(desk, name) {
  const [heard, listeners] = [[], []];
  desk.connect({
    name,
    sender: { id: "evident", url: chrome.runtime.getURL("panel.html"), tab: { id: TAB }, frameId: 0 },
    postMessage: (message) => heard.push(message),
    disconnect: () => {},
    onMessage: { addListener: (listener) => listeners.push(listener) },
    onDisconnect: { addListener: () => {} },
  });
  return { heard, send: (message) => listeners.forEach((listener) => listener(structuredClone(message))) };
}

const progress = (stage, loaded) => ({ type: "progress", progress: { stage, loaded, total: 2 } });
const opened = { type: "opened", backend: { kind: "cpu", name: "" }, module: "cpu", fetched: 1, memory: 1 };
const judged = {
  ...SENTENCE,
  verdict: "factual",
  related: true,
  score: 0.9,
  evidence: [],
};

/**
 * A desk with one text, which gets this verdict, with these notices of its engine, and a panel beside it; `told` has
 * what leave the background was to give back, `badges` what the icon is to show.
 */
async function deskWithText(t, notices = [], verdict = "factual") {
  const [told, badges] = [[], []];
  const order = { pack: "", index: "", backend: "cpu", preset: "recommended", evidence: null };
  const desk = new Desk({ ...order, factualFrom: null, unfactualBelow: null }, (message) =>
    (message.type === "give-back" ? told : badges).push(message),
  );
  t.after(() => desk.close());
  const [page, panel] = [port(desk, "page"), port(desk, "panel")];
  panel.send({ type: "watch", tab: TAB });
  page.send({
    type: "reading",
    reading: { id: "a", kind: "answer", question: "", answer: { markdown: TEXT }, streaming: false },
  });
  const { engine } = await asked("split");
  engine.say({ type: "split", result: { sentences: [SENTENCE], leftOut: [] }, memory: 1 });
  (await asked("open")).engine.say(opened);
  await asked("judge");
  for (const notice of notices) engine.say({ type: "notice", notice });
  engine.say({ type: "judged", result: { ...judged, verdict }, memory: 1 });
  await until(() => panel.heard.some(({ checked }) => checked?.judged?.[0]));
  return { page, panel, engine, told, badges };
}

const engineOf = (panel) => panel.heard.findLast(({ type }) => type === "engine").engine.doing;
const newsOf = (panel) => panel.heard.filter(({ type }) => type === "sources").map(({ news }) => news);

test("what an engine loads for the check of sources is shown until it is there, and no longer", async (t) => {
  const { panel } = await deskWithText(t);
  engines[0].dispatchEvent(new Event("error")); // its worker is lost: the next work loads anew
  panel.send({
    type: "source",
    ask: 1,
    tab: TAB,
    id: "a",
    address: PAGE,
    page: [{ id: 1, title: "Iron", text: "A metal." }],
  });
  const { engine } = await asked("open");
  engine.say(progress("pack", 1));
  assert.equal(engineOf(panel), "loading");
  engine.say(progress("warmup", 2));
  engine.say(opened);
  await asked("sources");
  assert.equal(engineOf(panel), "sources");
  engine.say({ type: "sources", result: [[{ address: PAGE, state: "supported" }]], memory: 1 });
  await until(() => newsOf(panel).some((news) => "done" in news));
  assert.equal(engineOf(panel), "idle");
});

test("no page is fetched but those that the reader has agreed to, for the tab that was shown", async (t) => {
  const { panel, told } = await deskWithText(t);
  const fetched = [];
  t.mock.method(globalThis, "fetch", async (address) => {
    fetched.push(address);
    return new Response("Iron is a metal.", { headers: { "Content-Type": "text/plain" } });
  });
  const ask = { type: "sources", tab: TAB, id: "a", addresses: [PAGE], borrowed: ["https://iron.example/*"] };
  const ended = (number) =>
    until(() => panel.heard.find((one) => one.type === "sources" && one.ask === number && !("total" in one.news)));
  panel.send({ ...ask, ask: 1, tab: TAB + 1 });
  assert.equal((await ended(1)).news.failure.code, "cancelled");
  assert.equal(told.length, 1, "the leave is given back");

  const compared = async (number, state) => {
    const { engine, request } = await asked("sources");
    engine.say({ type: "sources", result: [[{ address: PAGE, ...state }]], memory: 1 });
    assert.ok("done" in (await ended(number)).news);
    return [...request.pages.keys()];
  };
  panel.send({ ...ask, ask: 2, addresses: ["https://other.example/"] });
  assert.deepEqual(await compared(2, { state: "unread", reason: "notGiven" }), []);
  assert.deepEqual(fetched, []);
  panel.send({ ...ask, ask: 3 });
  assert.deepEqual(await compared(3, { state: "supported" }), [PAGE]);
  assert.deepEqual(fetched, [PAGE]);
  assert.equal(told.length, 3);
});

test("a fetch ends when the reader stops it, whichever tab is shown by then", async (t) => {
  const { panel } = await deskWithText(t);
  let fetching;
  t.mock.method(globalThis, "fetch", (_, { signal }) => {
    fetching = signal;
    return new Promise(() => {});
  });
  panel.send({ type: "sources", ask: 1, tab: TAB, id: "a", addresses: [PAGE], borrowed: [] });
  await until(() => fetching);
  panel.send({ type: "watch", tab: TAB + 1 });
  panel.send({ type: "stop-sources", tab: TAB + 1, id: "a" });
  assert.ok(!fetching.aborted);
  panel.send({ type: "stop-sources", tab: TAB, id: "a" });
  assert.ok(fetching.aborted);
});

test("a wiki that could not be asked is told of, and asked again when the reader wants it", async (t) => {
  const message = "the wiki could not be asked: it answered with HTTP 500";
  const { panel, engine } = await deskWithText(t, [{ kind: "wiki-failed", message }]);
  const shown = () => panel.heard.findLast(({ checked }) => checked?.judged).checked;
  assert.deepEqual([shown().unasked, shown().failure, shown().judged.length], [message, null, 1]);
  panel.send({ type: "retry", id: "a" });
  await asked("judge");
  assert.deepEqual([shown().unasked, shown().judged], [null, [null]]);
  engine.say({ type: "judged", result: judged, memory: 1 });
  await until(() => shown().judged[0]);
  assert.equal(shown().unasked, null);

  panel.send({ type: "retry", id: "a" });
  for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
  assert.deepEqual(engine.asked, [], "what the wiki was asked about stays judged");
});

test("a wiki that asks to wait is told of while it does", async (t) => {
  const waits = (seconds) => ({ kind: "wiki-waits", message: "the wiki asked to wait", seconds });
  const { panel } = await deskWithText(t, [waits(7), waits(0)]);
  const engines = panel.heard.filter(({ type }) => type === "engine").map(({ engine }) => engine);
  const at = engines.findIndex(({ doing }) => doing === "waiting");
  assert.deepEqual(engines.slice(at, at + 2), [
    { doing: "waiting", seconds: 7 },
    { doing: "judging", left: 1 },
  ]);
});

test("panel and icon count what the engine said, whatever the page says of its marks", async (t) => {
  const { page, panel, badges } = await deskWithText(t, [], "unfactual");
  const shown = () => panel.heard.findLast(({ checked }) => checked?.judged).checked.judged;
  const sent = page.heard.findLast(({ type }) => type === "marks").marks;
  assert.deepEqual(
    sent.map(({ look }) => look),
    ["unfactual"],
  );
  for (const message of [
    { type: "marks", id: "a", marks: [], pending: false },
    { type: "checked", checked: { id: "a", judged: [] } },
    { type: "badge", tab: TAB, flagged: 0, mixed: 0, unreadable: false },
    { type: "dismiss", id: "a", index: 0, dismissed: true },
    { type: "state", site: null, state: "reading" },
  ])
    page.send(message);
  assert.deepEqual([badges.at(-1).flagged, shown()[0].verdict], [1, "unfactual"]);
});
