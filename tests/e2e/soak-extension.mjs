/** The extension with a small pack and index, whose memory is measured while it is asked for verdicts. */

import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launchExtension, MEASURES, REPOSITORY } from "./browser.mjs";
import { copySource } from "./copied-source.mjs";
import { DEMO } from "./host.mjs";
import { ANSWER, tiny } from "./tiny.mjs";

/**
 * The desk's memory of answers is bounded, and these bounds are so low that it is full early: after that nothing may
 * grow. An answer that comes again is forgotten by then, so the engine judges each. No measurement includes memory that
 * threads share, so there is one thread.
 */
const CHANGES = [
  ["checker.ts", "const REMEMBERED = 2_000;", "const REMEMBERED = 20;"],
  ["checker.ts", "lazy: true,", "lazy: true, threads: 1,"],
  ["desk.ts", "const MOST_TEXTS = 200;", "const MOST_TEXTS = 10;"],
];

/** Has the desk's page tell its bytes and those of its workers; wasm memory is among them. */
const MEASURE = `
chrome.runtime.onMessage.addListener((message, _, answer) => {
  if (message !== "measure") return;
  void performance.measureUserAgentSpecificMemory().then(({ bytes }) => answer(bytes));
  return true;
});
`;

/** Builds the extension so, in `scratch`; gives its folder. */
async function build(scratch) {
  const [data, root, out] = ["data", "source", "built"].map((name) => join(scratch, name));
  const [small, embedded] = [tiny(scratch), "models/embedded"];
  cpSync(join(small, "pack"), join(data, embedded), { recursive: true });
  cpSync(join(REPOSITORY, embedded, "README.md"), join(data, embedded, "README.md"));
  cpSync(join(small, "index"), join(data, "dist/demo/index"), { recursive: true });
  for (const name of ["index-worker.js", "readers"])
    cpSync(join(DEMO, name), join(data, "dist/demo", name), { recursive: true });
  await copySource(root, { dist: join(data, "dist"), models: join(data, "models") });
  const source = (file) => join(root, "web/extension/src", file);
  for (const [file, from, to] of CHANGES) {
    const before = readFileSync(source(file), "utf8");
    if (before.split(from).length !== 2) throw new Error(`${file} does not have "${from}" once`);
    writeFileSync(source(file), before.replace(from, to));
  }
  appendFileSync(source("offscreen.ts"), MEASURE);
  const options = ["--browser", "chrome", "--out", out, "--grant", "https://chat.example/*"];
  execFileSync(process.execPath, [join(root, "web/extension/build.mjs"), ...options]);
  return join(out, "chrome");
}

/** A page of the extension's with `verify` and `measure`, as soak.mjs wants them, and what ends it all. */
export async function openExtension(scratch) {
  const context = await launchExtension(await build(scratch), join(scratch, "profile"), { args: MEASURES });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  const page = await context.newPage();
  await page.goto(worker.url().replace(/[^/]*$/, "options.html"));
  page.setDefaultTimeout(0);
  await page.evaluate(async (text) => {
    await chrome.runtime.sendMessage({ type: "wake" });
    const [reader, panel] = ["page", "panel"].map((name) => chrome.runtime.connect({ name }));
    reader.postMessage({ type: "state", site: null, state: "reading" });
    panel.postMessage({ type: "watch", tab: (await chrome.tabs.getCurrent()).id });
    let answers = 0;
    globalThis.measure = () => chrome.runtime.sendMessage("measure");
    /** The scores of one more answer, once the panel is told that it is judged whole. */
    globalThis.verify = (number) =>
      new Promise((done, fail) => {
        const id = String(answers++);
        const hear = ({ type, checked }) => {
          if (type !== "checked" || checked.id !== id || !(checked.whole || checked.failure)) return;
          panel.onMessage.removeListener(hear);
          if (checked.failure) fail(new Error(`${checked.failure.code}: ${checked.failure.message}`));
          else done(checked.judged.map(({ score }) => score).join());
        };
        panel.onMessage.addListener(hear);
        const markdown = text.replaceAll("country 3", `country ${number}`);
        const reading = { id, kind: "answer", question: "", answer: { markdown }, streaming: false };
        reader.postMessage({ type: "reading", reading });
      });
  }, ANSWER);
  return { page, close: () => context.close() };
}
