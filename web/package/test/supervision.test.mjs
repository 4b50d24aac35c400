/**
 * What the page's side does about a worker that fails, falls silent or will not stop. The worker is a stand-in that a
 * test drives.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, mock, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";

const { createVerifier } = await import("../dist/index.js");

/** Keeps what it is asked; a test answers for it. */
class StandIn extends EventTarget {
  static all = [];
  asked = [];
  terminated = false;
  constructor(address) {
    super();
    this.address = String(address);
    StandIn.all.push(this);
  }
  postMessage(request) {
    this.asked.push(request);
  }
  terminate() {
    this.terminated = true;
  }
  say(data) {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}

const BACKEND = { cpu: { kind: "cpu", name: "SIMD" }, webgpu: { kind: "webgpu", name: "card" } };
const CARD = { vendor: "acme", architecture: "", device: "", description: "", isFallbackAdapter: false };
const ADDRESSES = { pack: "https://host.example/pack", index: "https://host.example/index/" };
const REPORT = { type: "report", result: { schema: 3 }, memory: 2 };
const JUDGING = { type: "event", event: { kind: "stage", sentence: 0, stage: "verify" } };

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  StandIn.all = [];
  globalThis.Worker = StandIn;
  WebAssembly.validate = () => false; // no relaxed SIMD
  adapter(CARD);
});

function adapter(info) {
  const gpu = { requestAdapter: async () => info && { info } };
  Object.defineProperty(globalThis, "navigator", { value: { gpu }, configurable: true });
}

/** More turns than any worker waits for. */
const MOST_TURNS = 10_000;

/** The worker of this number, from 1, once it has been asked something. */
async function worker(number) {
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    const it = StandIn.all[number - 1];
    if (it?.asked.length > 0) return it;
    await turn();
  }
  return assert.fail(`worker ${number} was asked nothing: if web/package/dist is old, ./build.sh build makes it anew`);
}

async function opened(number, kind, module) {
  const it = await worker(number);
  assert.equal(it.asked[0].options.backend, kind);
  it.say({ type: "opened", backend: BACKEND[kind], module: module ?? it.asked[0].module, fetched: 1, memory: 1 });
  await turn();
  return it;
}

async function verifier(kind, options = {}) {
  const creating = createVerifier({ ...ADDRESSES, ...options });
  await opened(1, kind);
  return creating;
}

test("a worker that never comes is told, with what to do", async () => {
  await assert.rejects(worker(1), { message: /^worker 1 was asked nothing: .*\.\/build\.sh build/ });
});

test("a graphics card is taken where there is one, the CPU where the adapter is software or missing", async () => {
  assert.equal((await verifier("webgpu")).backend.kind, "webgpu");
  for (const info of [
    null,
    { ...CARD, isFallbackAdapter: true },
    { ...CARD, architecture: "swiftshader" },
    { ...CARD, description: "llvmpipe (LLVM 15)" },
  ]) {
    StandIn.all = [];
    adapter(info);
    assert.equal((await verifier("cpu")).backend.kind, "cpu");
  }
});

test("a graphics driver that never answers is taken as absent", async () => {
  navigator.gpu.requestAdapter = () => new Promise(() => {});
  const creating = createVerifier({ ...ADDRESSES });
  await turn();
  mock.timers.tick(5_000);
  await opened(1, "cpu");
  assert.equal((await creating).backend.kind, "cpu");
});

test("addresses of directories reach the worker absolute and with their slash", async () => {
  await verifier("webgpu");
  assert.deepEqual(StandIn.all[0].asked[0].options, {
    pack: "https://host.example/pack/",
    models: {},
    index: "https://host.example/index/",
    expected: {},
    model: "nli",
    backend: "webgpu",
  });
});

test("as many threads may be asked for as the engine judges sentences at once", async () => {
  const engine = readFileSync(new URL("../../../crate/web/src/workers.rs", import.meta.url), "utf8");
  const limit = Number(/^const LIMIT: usize = (\d+);$/m.exec(engine)[1]);
  await verifier("webgpu", { threads: limit });
  const refusal = { code: "bad-settings", message: new RegExp(`^threads takes a number from 1 to ${limit},`) };
  await assert.rejects(createVerifier({ ...ADDRESSES, threads: limit + 1 }), refusal);
});

test("the worker is the one beside the module, or the one of the caller's directory", async () => {
  await verifier("cpu", { device: "cpu" });
  assert.match(StandIn.all[0].address, /^file:.*\/dist\/worker\.js$/);
  StandIn.all = [];
  globalThis.location = new URL("https://host.example/page/");
  await verifier("cpu", { device: "cpu", engine: "../evident" });
  assert.equal(StandIn.all[0].address, "https://host.example/evident/worker.js");
  StandIn.all = [];
  await verifier("cpu", { device: "cpu", engine: "https://cdn.example/" });
  assert.match(StandIn.all[0].address, /^blob:/);
  delete globalThis.location;
});

test("a GPU that does not open gives way to the CPU, with a notice", async () => {
  const notices = [];
  const creating = createVerifier({ ...ADDRESSES, onNotice: (notice) => notices.push(notice) });
  (await worker(1)).say({ type: "failed", error: { code: "backend-unavailable", message: "no device" } });
  await opened(2, "cpu");
  assert.equal((await creating).backend.kind, "cpu");
  assert.ok(StandIn.all[0].terminated);
  assert.deepEqual(notices, [{ kind: "gpu-failed", message: "no device" }]);
});

test("what the browser does not keep is passed on, at creation and when scores want more", async () => {
  const notices = [];
  const creating = createVerifier({ ...ADDRESSES, onNotice: ({ message }) => notices.push(message) });
  (await worker(1)).say({ type: "notice", notice: { kind: "not-kept", message: "one" } });
  await opened(1, "webgpu");
  const scores = (await creating).conner({ answer: "text" });
  await turn();
  StandIn.all[0].say({ type: "notice", notice: { kind: "not-kept", message: "two" } });
  StandIn.all[0].say({ type: "scores", result: {}, memory: 1 });
  await scores;
  assert.deepEqual(notices, ["one", "two"]);
});

test("a pack that the GPU has no memory for is loaded for the CPU", async () => {
  const creating = createVerifier({ ...ADDRESSES });
  (await worker(1)).say({ type: "failed", error: { code: "out-of-memory", message: "too large" } });
  await opened(2, "cpu");
  assert.equal((await creating).backend.kind, "cpu");
});

test("an error that the CPU would meet as well is not tried again there", async () => {
  const creating = createVerifier({ ...ADDRESSES });
  (await worker(1)).say({ type: "failed", error: { code: "pack-corrupt", message: "bad" } });
  await assert.rejects(creating, { name: "EvidentError", code: "pack-corrupt", message: "bad" });
  assert.equal(StandIn.all.length, 1);
});

test("a GPU that falls silent in mid-check is given up after a minute, and the check runs again on the CPU", async () => {
  const it = await verifier("webgpu");
  const report = it.verify("text");
  await turn();
  StandIn.all[0].say(JUDGING);
  mock.timers.tick(59_000);
  assert.ok(!StandIn.all[0].terminated);
  mock.timers.tick(1_000);
  const cpu = await opened(2, "cpu");
  assert.deepEqual(cpu.asked[1], { type: "verify", answer: { markdown: "text" }, options: {} });
  cpu.say(REPORT);
  assert.deepEqual(await report, { schema: 3 });
  assert.equal(it.backend.kind, "cpu");
});

test("a caller who insists on the GPU gets the typed error instead", async () => {
  const it = await verifier("webgpu", { device: "webgpu" });
  const report = it.verify("text");
  await turn();
  StandIn.all[0].say({ type: "lost", message: "unplugged" });
  await assert.rejects(report, { code: "backend-lost", message: /unplugged/ });
  assert.equal(StandIn.all.length, 1);
});

test("a GPU lost between two checks is noticed by the next one", async () => {
  const it = await verifier("webgpu");
  StandIn.all[0].say({ type: "lost", message: "" });
  const report = it.verify("text");
  (await opened(2, "cpu")).say(REPORT);
  assert.deepEqual(await report, { schema: 3 });
});

test("the CPU may compute as long as it likes, but a server that sends nothing for a minute is an error", async () => {
  const it = await verifier("cpu", { device: "cpu" });
  const report = it.verify("text");
  await turn();
  StandIn.all[0].say(JUDGING);
  mock.timers.tick(3_600_000);
  assert.ok(!StandIn.all[0].terminated);
  StandIn.all[0].say({ type: "event", event: { kind: "stage", sentence: 1, stage: "retrieve" } });
  mock.timers.tick(60_000);
  await assert.rejects(report, { code: "network" });
});

test("a file that takes minutes is no silence as long as its bytes arrive, and while computing they excuse no GPU", async () => {
  const creating = createVerifier({ ...ADDRESSES, device: "webgpu" });
  const it = await worker(1);
  it.say({ type: "progress", progress: { stage: "pack", loaded: 1, total: 1 } });
  for (let second = 0; second < 300; second += 30) {
    mock.timers.tick(30_000);
    it.say({ type: "alive" });
  }
  it.say({ type: "progress", progress: { stage: "warmup", loaded: 0, total: 1 } });
  for (let second = 0; second < 300; second += 30) {
    mock.timers.tick(30_000);
    it.say({ type: "alive" });
  }
  await assert.rejects(creating, { code: "backend-lost" });
});

test("a model that re-ranks may read as long as it likes, but a server that keeps it back for a minute is an error", async () => {
  const it = await verifier("cpu", { device: "cpu" });
  const report = it.verify("text");
  await turn();
  StandIn.all[0].say({ type: "event", event: { kind: "stage", sentence: 0, stage: "rerank" } });
  mock.timers.tick(3_600_000);
  StandIn.all[0].say(REPORT);
  assert.deepEqual(await report, { schema: 3 });

  StandIn.all = [];
  const creating = createVerifier({ ...ADDRESSES, device: "cpu", rerank: "https://host.example/ranker/" });
  const fetching = await worker(1);
  for (const progress of [
    { stage: "models", loaded: 2, total: 2 },
    { stage: "rerank", loaded: 1, total: 9 },
  ])
    fetching.say({ type: "progress", progress });
  mock.timers.tick(60_000);
  await assert.rejects(creating, { code: "network" });
});

test("an abort rejects at once, and a worker that does not stop within two seconds is replaced", async () => {
  const it = await verifier("cpu", { device: "cpu" });
  const controller = new AbortController();
  const report = it.verify("text", { signal: controller.signal });
  const next = it.verify("more");
  await turn();
  controller.abort();
  await assert.rejects(report, { code: "cancelled" });
  assert.deepEqual(StandIn.all[0].asked.at(-1), { type: "cancel" });
  assert.ok(!StandIn.all[0].terminated);
  mock.timers.tick(2_000);
  assert.ok(StandIn.all[0].terminated);
  (await opened(2, "cpu")).say(REPORT);
  assert.deepEqual(await next, { schema: 3 });
});

test("a worker that stops when told to is kept", async () => {
  const it = await verifier("cpu", { device: "cpu" });
  const controller = new AbortController();
  const report = it.verify("text", { signal: controller.signal });
  await turn();
  controller.abort();
  await assert.rejects(report, { code: "cancelled" });
  StandIn.all[0].say({ type: "failed", error: { code: "cancelled", message: "cancelled" } });
  const next = it.verify("more");
  await turn();
  mock.timers.tick(10_000);
  StandIn.all[0].say(REPORT);
  assert.deepEqual(await next, { schema: 3 });
  assert.equal(StandIn.all.length, 1);
});

test("checks run one after another, and one that was aborted in the queue never starts", async () => {
  const it = await verifier("cpu", { device: "cpu" });
  const controller = new AbortController();
  const [first, second, third] = [it.verify("1"), it.verify("2", { signal: controller.signal }), it.verify("3")];
  await turn();
  controller.abort();
  await assert.rejects(second, { code: "cancelled" });
  StandIn.all[0].say(REPORT);
  await first;
  await turn();
  StandIn.all[0].say(REPORT);
  await third;
  assert.deepEqual(
    StandIn.all[0].asked.slice(1).map(({ type, answer }) => [type, answer.markdown]),
    [
      ["verify", "1"],
      ["verify", "3"],
    ],
  );
});

test("scores wait for the check before them, tell each step, and start over on the CPU when the GPU is lost", async () => {
  const it = await verifier("webgpu");
  const steps = [];
  const report = it.verify("text");
  const scores = it.conner({ knowledge: "text" }, { settings: { seed: 1 }, onStep: ({ step }) => steps.push(step) });
  await turn();
  assert.equal(StandIn.all[0].asked.at(-1).type, "verify");
  StandIn.all[0].say(REPORT);
  await report;
  await turn();
  assert.deepEqual(StandIn.all[0].asked.at(-1), {
    type: "conner",
    item: { knowledge: "text" },
    options: { settings: { seed: 1 } },
  });
  StandIn.all[0].say({ type: "step", step: { step: "relevance" } });
  StandIn.all[0].say({ type: "lost", message: "" });
  const next = await opened(2, "cpu");
  next.say({ type: "step", step: { step: "relevance" } });
  next.say({ type: "scores", result: { quality: { missing: ["question"] } }, memory: 3 });
  assert.deepEqual(await scores, { quality: { missing: ["question"] } });
  assert.deepEqual(steps, ["relevance", "relevance"]);
  assert.equal(it.footprint.memory, 3);
});

test("a server that falls silent while scores fetch is an error, and a scoring that was aborted rejects at once", async () => {
  const it = await verifier("cpu", { device: "cpu" });
  const silent = it.conner({ knowledge: "text" });
  await turn();
  StandIn.all[0].say({ type: "step", step: { step: "informativeness" } });
  mock.timers.tick(3_600_000);
  StandIn.all[0].say({ type: "step", step: { step: "helpfulness" } });
  mock.timers.tick(60_000);
  await assert.rejects(silent, { code: "network" });

  const controller = new AbortController();
  const aborted = it.conner({ knowledge: "text" }, { signal: controller.signal });
  await opened(2, "cpu");
  controller.abort();
  await assert.rejects(aborted, { code: "cancelled" });
  assert.deepEqual(StandIn.all[1].asked.at(-1), { type: "cancel" });
});

/** Gives the browser relaxed SIMD, and isolates its page where that is said. */
function modern(t, { isolated }) {
  WebAssembly.validate = () => true;
  if (!isolated) return;
  globalThis.crossOriginIsolated = true;
  t.after(() => delete globalThis.crossOriginIsolated);
}

/** An open verifier on the CPU of an isolated page, whose engine has offered its memory to `threads` workers. */
async function threaded(threads) {
  const creating = createVerifier({ ...ADDRESSES, device: "cpu", threads });
  const engine = await worker(1);
  assert.equal(engine.asked[0].module, "relaxed");
  assert.ok(engine.asked[0].shares);
  engine.say({ type: "shared", shared: "module and memory" });
  assert.deepEqual(
    StandIn.all.slice(1).map(({ asked }) => asked),
    Array(threads).fill([{ type: "thread", shared: "module and memory" }]),
  );
  await opened(1, "cpu");
  return creating;
}

test("in a page that is isolated workers become the engine's threads, without those that fail to", async (t) => {
  modern(t, { isolated: true });
  const it = await threaded(3);
  const [engine, first, second, third] = StandIn.all;
  first.say({ type: "threading" });
  second.say({ type: "failed", error: { code: "network", message: "" } });
  assert.ok(second.terminated);
  assert.ok(!engine.asked.some(({ type }) => type === "threads"));
  third.say({ type: "threading" });
  assert.deepEqual(engine.asked.at(-1), { type: "threads", count: 2 });

  const report = it.verify("text");
  await turn();
  engine.say({ type: "event", event: { kind: "sentences", sentences: ["one", "two"], leftOut: [] } });
  assert.equal(StandIn.all.length, 4, "no helper is started beside them");
  third.say({ type: "failed", error: { code: "internal", message: "unreachable" } });
  await assert.rejects(report, { code: "internal", message: "unreachable" });
  assert.ok(
    [engine, first, third].every(({ terminated }) => terminated),
    "their memory cannot be trusted any more",
  );
});

test("where no worker becomes a thread, helpers judge", async (t) => {
  modern(t, { isolated: true });
  const it = await threaded(2);
  const [engine, ...others] = StandIn.all;
  for (const other of others) other.dispatchEvent(Object.assign(new Event("error"), { message: "blocked" }));
  assert.ok(!engine.asked.some(({ type }) => type === "threads"));
  const report = it.verify("text");
  await turn();
  engine.say({ type: "event", event: { kind: "sentences", sentences: ["one", "two"], leftOut: [] } });
  assert.equal(StandIn.all.at(-1).asked[0].type, "assist");
  engine.say(REPORT);
  await report;
});

test("the module is what the browser can run, and its memory is shared where threads of an isolated page need it", async (t) => {
  const asked = async (kind, options) => {
    StandIn.all = [];
    await verifier(kind, options);
    const { module, shares } = StandIn.all[0].asked[0];
    return { module, shares };
  };
  assert.deepEqual(await asked("cpu", { device: "cpu", threads: 2 }), { module: "cpu", shares: false });
  modern(t, { isolated: false });
  assert.deepEqual(await asked("cpu", { device: "cpu", threads: 2 }), { module: "relaxed", shares: false });
  modern(t, { isolated: true });
  assert.deepEqual(await asked("cpu", { device: "cpu", threads: 2 }), { module: "relaxed", shares: true });
  assert.deepEqual(await asked("cpu", { device: "cpu", threads: 1 }), { module: "relaxed", shares: false });
  assert.deepEqual(await asked("webgpu", { threads: 2 }), { module: "webgpu", shares: false });
});

test("a helper takes the module that the engine has, which need not be the one it was to have", async (t) => {
  modern(t, { isolated: false });
  const creating = createVerifier({ ...ADDRESSES, device: "cpu", threads: 2 });
  const engine = await opened(1, "cpu", "cpu");
  const report = (await creating).verify("text");
  await turn();
  engine.say({ type: "event", event: { kind: "sentences", sentences: ["one", "two"], leftOut: [] } });
  const { type, module } = StandIn.all[1].asked[0];
  assert.deepEqual({ type, module }, { type: "assist", module: "cpu" });
  engine.say(REPORT);
  await report;
});

test("an abort while the graphics driver is asked ends the wait for it", async () => {
  navigator.gpu.requestAdapter = () => new Promise(() => {});
  const controller = new AbortController();
  const creating = createVerifier({ ...ADDRESSES, signal: controller.signal });
  await turn();
  controller.abort();
  await assert.rejects(creating, { code: "cancelled" });
  assert.equal(StandIn.all.length, 0);
});

test("a lazy verifier is opened with the settings of its first check, and so are its helpers", async (t) => {
  modern(t, { isolated: false });
  const it = await createVerifier({ ...ADDRESSES, device: "cpu", threads: 2, lazy: true });
  const settings = { scoreBy: "verifier" };
  const report = it.verify("text", { settings });
  const engine = await opened(1, "cpu");
  assert.deepEqual(engine.asked[0].options.settings, settings);
  await turn();
  engine.say({ type: "event", event: { kind: "sentences", sentences: ["one", "two"], leftOut: [] } });
  assert.deepEqual([StandIn.all[1].asked[0].type, StandIn.all[1].asked[0].settings], ["assist", settings]);
  engine.say(REPORT);
  await report;
});

test("a lazy verifier splits without its models, which the first check loads into the same worker", async () => {
  const it = await createVerifier({ ...ADDRESSES, device: "cpu", lazy: true });
  assert.equal(StandIn.all.length, 0);
  const split = it.split("text", { question: "why?" });
  const started = await worker(1);
  assert.deepEqual(started.asked, [
    { type: "split", answer: { markdown: "text" }, options: { question: "why?" }, module: "cpu" },
  ]);
  started.say({ type: "split", result: { sentences: [], leftOut: [] }, memory: 1 });
  assert.deepEqual(await split, { sentences: [], leftOut: [] });

  const report = it.verify("text");
  await turn();
  assert.equal(started.asked[1].type, "open");
  started.say({ type: "opened", backend: BACKEND.cpu, module: "cpu", fetched: 1, memory: 1 });
  await turn();
  started.say(REPORT);
  assert.deepEqual(await report, { schema: 3 });
  assert.equal(StandIn.all.length, 1);
});

test("a split that is asked for when the GPU is gone is made on the CPU, without models", async () => {
  const it = await verifier("webgpu");
  StandIn.all[0].say({ type: "lost", message: "" });
  const split = it.split("text");
  const next = await worker(2);
  assert.deepEqual(next.asked, [{ type: "split", answer: { markdown: "text" }, options: {}, module: "cpu" }]);
  next.say({ type: "split", result: { sentences: [], leftOut: [] }, memory: 1 });
  await split;
});

test("an abort while loading ends the worker", async () => {
  const controller = new AbortController();
  const creating = createVerifier({ ...ADDRESSES, device: "cpu", signal: controller.signal });
  await worker(1);
  controller.abort();
  await assert.rejects(creating, { code: "cancelled" });
  assert.ok(StandIn.all[0].terminated);
});

test("after dispose nothing runs any more", async () => {
  const it = await verifier("cpu", { device: "cpu" });
  const report = it.verify("text");
  await turn();
  it.dispose();
  await assert.rejects(report, { code: "cancelled" });
  await assert.rejects(it.verify("more"), { code: "cancelled" });
  assert.ok(StandIn.all[0].terminated);
});

test("what is no address, and a place without workers, are typed errors too", async () => {
  await assert.rejects(createVerifier({ pack: "pack/", index: "index/", device: "cpu" }), {
    code: "bad-settings",
    message: /"pack\/"/,
  });
  for (const index of ["https://user@host.example/index", new URL("https://user:secret@host.example/index")])
    await assert.rejects(createVerifier({ ...ADDRESSES, index, device: "cpu" }), {
      code: "bad-settings",
      message: "the address at host.example has a name or a password, which browsers do not send: leave them out",
    });
  delete globalThis.Worker;
  await assert.rejects(createVerifier({ ...ADDRESSES, device: "cpu" }), { code: "backend-unavailable" });
});

/** A device as the browser tells of it. */
function device({ coarse = false, ...told }) {
  Object.defineProperty(globalThis, "navigator", { value: told, configurable: true });
  globalThis.matchMedia = (query) => ({ matches: coarse && query === "(pointer: coarse)" });
}

/** How many workers there are once an answer of several sentences is checked, the engine's own included. */
async function workers(options = {}) {
  StandIn.all = [];
  const report = (await verifier("cpu", { device: "cpu", ...options })).verify("text");
  await turn();
  const [engine] = StandIn.all;
  engine.say({ type: "event", event: { kind: "sentences", sentences: ["one", "two", "three", "four"], leftOut: [] } });
  engine.say(REPORT);
  await report;
  return StandIn.all.length;
}

test("workers with a memory each are two at most, and one where memory may be short", async (t) => {
  t.after(() => delete globalThis.matchMedia);
  for (const [told, expected] of [
    [{ hardwareConcurrency: 16, deviceMemory: 8 }, 2],
    [{ hardwareConcurrency: 4, deviceMemory: 4 }, 2],
    [{ hardwareConcurrency: 2, deviceMemory: 8 }, 1],
    [{ hardwareConcurrency: 16 }, 1],
    [{ hardwareConcurrency: 16, deviceMemory: 2 }, 1],
    [{ hardwareConcurrency: 8, deviceMemory: 8, userAgentData: { mobile: true } }, 1],
    [{ hardwareConcurrency: 16, deviceMemory: 8, coarse: true }, 2],
  ]) {
    device(told);
    assert.equal(await workers(), expected, JSON.stringify(told));
  }
  device({ hardwareConcurrency: 16 });
  assert.equal(await workers({ threads: 3 }), 3, "a caller may have more");
});

test("threads that share a memory are half of the processors, four at most", async (t) => {
  t.after(() => delete globalThis.matchMedia);
  modern(t, { isolated: true });
  for (const [told, expected] of [
    [{ hardwareConcurrency: 16 }, 4],
    [{ hardwareConcurrency: 6, deviceMemory: 4 }, 3],
    [{ hardwareConcurrency: 16, deviceMemory: 2 }, null],
    [{ hardwareConcurrency: 2 }, null],
  ]) {
    device(told);
    StandIn.all = [];
    void createVerifier({ ...ADDRESSES, device: "cpu" });
    const engine = await worker(1);
    assert.equal(engine.asked[0].shares, expected !== null, JSON.stringify(told));
    if (expected !== null) engine.say({ type: "shared", shared: "module and memory" });
    assert.equal(StandIn.all.length - 1, expected ?? 0, JSON.stringify(told));
  }
});

test("the model is the full one, the small one on phones, or the caller's, for helpers too", async (t) => {
  t.after(() => delete globalThis.matchMedia);
  const model = async (told, options) => {
    device(told);
    StandIn.all = [];
    await verifier("cpu", { device: "cpu", ...options });
    return StandIn.all[0].asked[0].options.model;
  };
  const phone = { deviceMemory: 8, userAgentData: { mobile: true } };
  assert.equal(await model({}), "nli");
  assert.equal(await model(phone), "small");
  assert.equal(await model({ deviceMemory: 2, coarse: true }), "small");
  assert.equal(await model({ deviceMemory: 2 }), "nli");
  assert.equal(await model({ deviceMemory: 8, coarse: true }), "nli");
  assert.equal(await model(phone, { model: "full" }), "nli");
  assert.equal(await model({}, { model: "small" }), "small");
  await workers({ model: "small", threads: 2 });
  assert.equal(StandIn.all[1].asked[0].model, "small");
  await assert.rejects(createVerifier({ ...ADDRESSES, model: "large" }), { code: "bad-settings", message: /"large"/ });
});

test("a model that a check is the first to ask for is told of as it loads, and a server that keeps it back for a minute is an error", async () => {
  const events = [];
  const report = (await verifier("cpu", { device: "cpu" })).verify("text", { onEvent: (event) => events.push(event) });
  await turn();
  const [engine] = StandIn.all;
  const load = (stage, loaded, total) => engine.say({ type: "event", event: { kind: "load", stage, loaded, total } });
  load("pack", 2, 2);
  load("models", 0, 1);
  mock.timers.tick(3_600_000); // making a model ready is work, not silence
  load("pack", 1, 2);
  assert.deepEqual(
    events.map(({ kind, stage, bytes }) => [kind, stage, bytes]),
    [
      ["load", "pack", { loaded: 2, total: 2 }],
      ["load", "models", null],
      ["load", "pack", { loaded: 1, total: 2 }],
    ],
  );
  mock.timers.tick(60_000);
  await assert.rejects(report, { code: "network" });
});

test("names that are unknown are refused before a worker is asked", async () => {
  const refused = (message) => ({ name: "EvidentError", code: "bad-settings", message });
  await assert.rejects(createVerifier({ ...ADDRESSES, thread: 2 }), refused(/option thread: .* threads$/));
  const verifier = await createVerifier({ ...ADDRESSES, device: "cpu", lazy: true });
  await assert.rejects(
    createVerifier({ ...ADDRESSES, backend: "cpu" }),
    refused(/option backend: it is called device/),
  );
  await assert.rejects(createVerifier({ ...ADDRESSES, device: "gpu" }), refused(/device takes .* not "gpu"$/));
  await assert.rejects(verifier.conner({ anwser: "Iron rusts." }), refused(/anwser: .* answer$/));
  await assert.rejects(verifier.split("Iron rusts.", { onSentence() {} }), refused(/option onSentence/));
  const wrong = { settings: { evidenec: 5 } };
  for (const asked of [
    verifier.verify("Iron rusts.", wrong),
    verifier.split("Iron rusts.", wrong),
    verifier.conner({}, wrong),
  ])
    await assert.rejects(asked, refused(/setting evidenec: .* evidence$/));
  assert.equal(StandIn.all.length, 0);
});

const sentence = (index, text) => ({ type: "event", event: { kind: "sentence", index, sentence: { text } } });

test("a verification is iterated by sentence, each once, though the work starts over on another device", async () => {
  const it = await verifier("webgpu");
  const verification = it.verify("text");
  const told = [];
  const loop = (async () => {
    for await (const { text } of verification) told.push(text);
  })();
  await turn();
  StandIn.all[0].say(sentence(1, "second"));
  await turn();
  assert.deepEqual(told, ["second"]);
  StandIn.all[0].say({ type: "lost", message: "" });
  const cpu = await opened(2, "cpu");
  for (const [index, text] of [
    [0, "first"],
    [1, "second"],
  ])
    cpu.say(sentence(index, text));
  cpu.say(REPORT);
  await loop;
  assert.deepEqual(told, ["second", "first"]);
  assert.deepEqual(await verification, { schema: 3 });
  const again = [];
  for await (const { text } of verification) again.push(text);
  assert.deepEqual(again, told);
});

test("who leaves the loop cancels the verification, and an error ends the loop", async () => {
  const it = await verifier("cpu", { device: "cpu" });
  const left = (async () => {
    for await (const { text } of it.verify("text")) return text;
  })();
  await turn();
  const [engine] = StandIn.all;
  engine.say(sentence(0, "first"));
  assert.equal(await left, "first");
  assert.deepEqual(engine.asked.at(-1), { type: "cancel" });
  engine.say({ type: "failed", error: { code: "cancelled", message: "cancelled" } });
  await turn();
  const failing = (async () => {
    for await (const { text } of it.verify("")) assert.fail(text);
  })();
  await turn();
  engine.say({ type: "failed", error: { code: "empty-answer", message: "nothing" } });
  await assert.rejects(failing, { code: "empty-answer" });
});

test("progress is of the whole, and does not go back when the CPU takes over", async () => {
  const told = [];
  const creating = createVerifier({ ...ADDRESSES, onProgress: (progress) => told.push(progress) });
  const card = await worker(1);
  const stages = [
    ["engine", 1, 2],
    ["pack", 0, 8],
    ["pack", 8, 8],
  ];
  for (const [stage, loaded, total] of stages) card.say({ type: "progress", progress: { stage, loaded, total } });
  card.say({ type: "failed", error: { code: "out-of-memory", message: "too large" } });
  const cpu = await worker(2);
  for (const [stage, loaded, total] of [...stages, ["warmup", 1, 1]])
    cpu.say({ type: "progress", progress: { stage, loaded, total } });
  await opened(2, "cpu");
  await creating;
  const parts = told.map(({ loaded }) => loaded);
  assert.deepEqual(
    parts,
    parts.toSorted((a, b) => a - b),
  );
  assert.deepEqual([parts.at(0), parts.at(2), parts.at(4), parts.at(-1)], [0.05, 0.6, 0.6, 1]);
  assert.ok(told.every(({ total, elapsed }) => total === 1 && elapsed >= 0));
  assert.deepEqual(told[2].bytes, { loaded: 8, total: 8 });
});

test("who names no pack and no index gets the published ones, held to their hashes", async () => {
  const pack = JSON.parse(readFileSync(new URL("../../../models/embedded/pack.json", import.meta.url), "utf8"));
  const creating = createVerifier({ device: "cpu" });
  const { asked } = await opened(1, "cpu");
  await creating;
  const models = `https://cdn.jsdelivr.net/npm/evident-check-models@${pack.version}/pack/`;
  assert.equal(asked[0].options.pack, models);
  assert.match(asked[0].options.index, /^https:\/\/cdn\.jsdelivr\.net\/npm\/evident-check-demo-index@\d.*\/index\/$/);
  const { pack: hash, ...others } = asked[0].options.expected;
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.ok(Object.keys(others).every((name) => name === "index"));
  StandIn.all = [];
  await verifier("cpu", { device: "cpu" });
  assert.deepEqual(StandIn.all[0].asked[0].options.expected, {});
});

test("the hashes that a caller expects reach the engine and its helpers, and what is no hash is refused", async () => {
  const [pack, index] = ["a".repeat(64), "b".repeat(64)];
  await verifier("cpu", { device: "cpu", expected: { pack, index } });
  assert.deepEqual(StandIn.all[0].asked[0].options.expected, { pack, index });
  for (const expected of [{ pack: "sha256-abc" }, { pack: pack.toUpperCase() }, { packs: pack }])
    await assert.rejects(createVerifier({ ...ADDRESSES, device: "cpu", expected }), { code: "bad-settings" });
});
