/** The demo page: takes an answer, has it verified in a worker, and shows what is found as it is found. */

import {
  type BackendChoice,
  createVerifier,
  EvidentError,
  type LoadProgress,
  type Report,
  type SentenceReport,
  type Settings,
  type Stage,
  type Verifier,
  type VerifyEvent,
} from "evident-check";
import { evidentError, explanation } from "./advice.js";
import { ConnerPanel } from "./conner.js";
import { byId, element, icon } from "./element.js";
import { evidenceOf } from "./evidence.js";
import { bytes, count, duration, sentence, WORD } from "./format.js";
import { SentenceList } from "./sentences.js";

const form = byId("form", HTMLFormElement);
const question = byId("question", HTMLInputElement);
const answer = byId("answer", HTMLTextAreaElement);
const check = byId("check", HTMLButtonElement);
const cancel = byId("cancel", HTMLButtonElement);
const backend = byId("backend", HTMLSelectElement);
const passages = byId("passages", HTMLInputElement);
const progress = byId("progress", HTMLElement);
const status = byId("status", HTMLElement);
const notice = byId("notice", HTMLElement);
const alert = byId("alert", HTMLElement);
const result = byId("result", HTMLElement);
const panel = byId("panel", HTMLElement);
const evidence = byId("evidence", HTMLElement);
const introduction = [...evidence.childNodes];
const list = new SentenceList(byId("sentences", HTMLElement), openEvidence);
const conner = new ConnerPanel((place) => list.goTo(place));

const samples = JSON.parse(byId("samples", HTMLScriptElement).text) as { question: string; answer: string }[];
let shown = 0;

/** The engine, kept between checks for as long as the same backend is asked for. */
let engine: { choice: BackendChoice; verifier: Verifier } | null = null;
let running: AbortController | null = null;
let judged: (SentenceReport | undefined)[] = [];
let selected: number | null = null;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void run();
});
cancel.addEventListener("click", () => running?.abort());
byId("sample", HTMLButtonElement).addEventListener("click", () => showSample(shown + 1));
byId("back", HTMLButtonElement).addEventListener("click", () => list.focus());

if (!answer.value) showSample(0); // else the browser has kept what was there before a reload

function showSample(number: number): void {
  shown = number % samples.length;
  const sample = samples[shown];
  question.value = sample?.question ?? "";
  answer.value = sample?.answer ?? "";
}

async function run(): Promise<void> {
  if (running) return;
  running = new AbortController();
  clear();
  setBusy(true);
  try {
    if (!answer.value.trim()) throw new EvidentError("empty-answer", "the answer is empty");
    const verifier = await open(running.signal);
    const settings: Partial<Settings> = passages.value ? { evidence: passages.valueAsNumber } : {};
    showProgress("verifying", 0, "Splitting into sentences");
    const report = await verifier.verify(answer.value, {
      question: question.value,
      settings,
      signal: running.signal,
      onEvent,
    });
    done(report, verifier);
  } catch (error) {
    failed(error);
  } finally {
    running = null;
    setBusy(false);
  }
}

/** The engine for the chosen backend: the one there is, or a new one. */
async function open(signal: AbortSignal): Promise<Verifier> {
  const choice = backend.value as BackendChoice;
  if (engine?.choice !== choice) {
    engine?.verifier.dispose();
    engine = null;
    say("Loading the models.");
    onLoad({ stage: "engine", loaded: 0, total: 2 });
    const verifier = await createVerifier({
      pack: "pack/",
      index: "index/",
      backend: choice,
      signal,
      onProgress: onLoad,
      onNotice: ({ message }) => notice.replaceChildren(element("p", "", `${sentence(message)} The CPU has taken over.`)),
    });
    engine = { choice, verifier };
  }
  return engine.verifier;
}

/** The share of loading that lies before each stage ends. */
const LOADED: Record<LoadProgress["stage"], [from: number, to: number, label: string]> = {
  engine: [0, 0.1, "Starting the engine"],
  pack: [0.1, 0.6, "Loading the models"],
  models: [0.6, 0.8, "Preparing the models"],
  index: [0.8, 0.85, "Opening the index"],
  warmup: [0.85, 1, "Warming up"],
};

function onLoad({ stage, loaded, total }: LoadProgress): void {
  const [from, to, label] = LOADED[stage];
  const amount = stage === "pack" && total ? `: ${bytes(loaded)} of ${bytes(total)}` : "";
  showProgress("loading", from + (to - from) * (total ? loaded / total : 0), label + amount);
}

const STAGES: Record<Stage, [part: number, label: string]> = {
  retrieve: [0, "finding evidence"],
  nli: [0.1, "comparing with the evidence"],
  verify: [0.6, "judging"],
};

function onEvent(event: VerifyEvent): void {
  const total = judged.length;
  switch (event.kind) {
    case "sentences":
      judged = event.sentences.map(() => undefined);
      list.show(answer.value, event.sentences, event.leftOut);
      showSummary();
      result.hidden = false;
      result.scrollIntoView({ block: "nearest" });
      say(`Checking ${count(event.sentences.length, "sentence")}.`);
      break;
    case "stage": {
      const [part, label] = STAGES[event.stage];
      list.working(event.sentence, event.stage);
      showProgress("verifying", (event.sentence + part) / total, `Sentence ${event.sentence + 1} of ${total}: ${label}`);
      break;
    }
    case "sentence":
      judged[event.index] = event.sentence;
      list.judged(event.index, event.sentence);
      showProgress("verifying", (event.index + 1) / total, `${event.index + 1} of ${count(total, "sentence")} checked`);
      showSummary();
      if (selected === null || selected === event.index) show(event.index);
  }
}

function done(report: Report, verifier: Verifier): void {
  const { factual, unfactual, noEvidence } = report.summary;
  say(
    report.sentences.length
      ? `Done: ${factual} factual, ${unfactual} unfactual, ${noEvidence} without evidence.`
      : "Done: nothing in this text is a claim that could be checked.",
  );
  const { timings, traffic, index, pack } = report;
  const { footprint } = verifier;
  const facts: [string, string][] = [
    ["Computed on", `${report.backend.kind === "webgpu" ? "WebGPU" : "CPU"}, ${report.backend.name}`],
    ["Models", `${pack.name} ${pack.version}`],
    ["Index", count(index.passages, "passage")],
    ["Finding evidence", duration(timings.retrieveMs)],
    ["NLI", duration(timings.nliMs)],
    ["T5", duration(timings.verifyMs)],
    ["Whole check", duration(timings.totalMs)],
    ["Loading", `${duration(footprint.openMs)}, ${footprint.fetched ? bytes(footprint.fetched) : "all from the cache"}`],
    ["Evidence fetched", traffic.requests ? `${bytes(traffic.bytes)} in ${count(traffic.requests, "file")}` : "none: it was all here"],
    ["Memory", bytes(footprint.memory)],
  ];
  byId("facts", HTMLElement).replaceChildren(
    ...facts.map(([name, value]) => element("div", "", element("dt", "", name), element("dd", "", value))),
  );
  byId("run", HTMLElement).hidden = false;
  conner.offer(verifier, report);
}

function failed(thrown: unknown): void {
  list.stop();
  const { code } = evidentError(thrown);
  if (code === "cancelled") {
    const checked = judged.filter(Boolean).length;
    return say(judged.length ? `Cancelled: ${checked} of ${count(judged.length, "sentence")} checked.` : "Cancelled.");
  }
  say("");
  alert.replaceChildren(...explanation(thrown));
  if (code === "empty-answer") answer.focus();
}

/** How many sentences have each verdict; with the icons it is the legend as well. */
function showSummary(): void {
  const verdicts = ["factual", "unfactual", "noEvidence"] as const;
  byId("summary", HTMLElement).replaceChildren(
    ...verdicts.map((verdict) => {
      const found = judged.filter((sentence) => sentence?.verdict === verdict).length;
      return element("li", verdict, icon(verdict), element("strong", "", String(found)), ` ${WORD[verdict].toLowerCase()}`);
    }),
  );
}

/** Shows a sentence's evidence and, where the panel lies below the answer, goes there. */
function openEvidence(index: number): void {
  show(index);
  const found = judged[index];
  if (found) say(`Evidence for sentence ${index + 1}: ${WORD[found.verdict]}, ${count(found.evidence.length, "passage")}.`);
  if (panel.getBoundingClientRect().top > window.innerHeight) panel.scrollIntoView();
}

function show(index: number): void {
  selected = index;
  list.select(index);
  const found = judged[index];
  evidence.replaceChildren(...(found ? evidenceOf(found) : unjudged()));
  panel.classList.add("filled");
}

function unjudged(): Node[] {
  const title = element("h2", "", "Evidence");
  title.id = "panel-title";
  return [title, element("p", "hint", running ? "This sentence is still being checked." : "This sentence was not checked.")];
}

function showProgress(which: "loading" | "verifying", value: number, label: string): void {
  byId(which, HTMLProgressElement).value = value;
  byId(`${which}-label`, HTMLLabelElement).textContent = label;
  byId("loading-row", HTMLElement).hidden = which !== "loading";
  byId("verifying-row", HTMLElement).hidden = which !== "verifying";
  progress.hidden = false;
}

function setBusy(busy: boolean): void {
  const [off, on] = busy ? [check, cancel] : [cancel, check];
  on.disabled = false;
  if (document.activeElement === off) on.focus(); // a disabled button would drop the focus
  off.disabled = true;
  answer.readOnly = busy;
  byId("sample", HTMLButtonElement).disabled = busy;
  form.setAttribute("aria-busy", String(busy));
  if (!busy) progress.hidden = true;
}

function clear(): void {
  judged = [];
  selected = null;
  alert.replaceChildren();
  notice.replaceChildren();
  evidence.replaceChildren(...introduction);
  panel.classList.remove("filled");
  result.hidden = true;
  byId("run", HTMLElement).hidden = true;
  conner.clear();
}

function say(text: string): void {
  status.textContent = text;
}
