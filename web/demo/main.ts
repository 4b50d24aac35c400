/** The demo page: takes an answer, has it verified in a worker, and shows what is found as it is found. */

import {
  createVerifier,
  type DeviceChoice,
  type Evidence,
  EvidentError,
  type Footprint,
  type IndexFiles,
  type LoadProgress,
  type Report,
  type SentenceReport,
  type Settings,
  type SourceReport,
  type Stage,
  type Verifier,
  type VerifyEvent,
} from "evident-check";
import { chooseModel } from "../package/src/device.js";
import { AnswerText } from "../package/src/ui/answer-text.js";
import { mostDoubtful, NextButton } from "../package/src/ui/doubt.js";
import { Estimate, withTimeLeft } from "../package/src/ui/estimate.js";
import { evidenceBeside } from "../package/src/ui/evidence-card.js";
import { leftOutOf } from "../package/src/ui/findings.js";
import { type Measured, measuredOf, rateLine } from "../package/src/ui/measured.js";
import { objection } from "../package/src/ui/objection.js";
import { CheckProgress, loadingOf } from "../package/src/ui/progress.js";
import { type SecondOpinions, secondOpinion } from "../package/src/ui/second-opinion.js";
import { sourceNotes } from "../package/src/ui/source-notes.js";
import { summaryPhrases } from "../package/src/ui/summary.js";
import "./trusted.js";
import { byId, handOver, make } from "../package/src/ui/dom.js";
import { codeOf, explain } from "./advice.js";
import { sayBefore } from "./before.js";
import { citeButton } from "./citation.js";
import { ConnerForm } from "./conner-form.js";
import { keepDraft, keptDraft } from "./draft.js";
import { keepEarlier, lastCheck, openEarlier } from "./earlier.js";
import { bytes, count, duration, meanOf, sentence, summaryOf, timeOf, WORDING, wordFor } from "./format.js";
import { type Begun, type Found, unfinished } from "./found.js";
import { type Fields, type KeptCheck, updateCheck } from "./kept.js";
import { currentIndex, currentName, openLibrary } from "./library.js";
import { followCopy, workOffline } from "./offline.js";
import { MOST_CHARACTERS, roomIn } from "./room.js";
import { offerSaving } from "./save.js";
import { linkTo, type Shared, sharedIn } from "./share.js";
import { offerSources, sourceCheck } from "./sources.js";
import { offerSubjects } from "./subjects.js";
import { atQuote } from "./text-fragment.js";
import { currentWiki, hideWiki, offerWiki, openWikis } from "./wiki.js";

const form = byId("form", HTMLFormElement);
const question = byId("question", HTMLInputElement);
const answer = byId("answer", HTMLTextAreaElement);
const check = byId("check", HTMLButtonElement);
const cancel = byId("cancel", HTMLButtonElement);
const backend = byId("backend", HTMLSelectElement);
const passages = byId("passages", HTMLInputElement);
const rerank = byId("rerank", HTMLInputElement);
const both = byId("both", HTMLInputElement);
const exact = byId("exact", HTMLInputElement);
const progress = byId("progress", HTMLElement);
const status = byId("status", HTMLElement);
const notice = byId("notice", HTMLElement);
const alert = byId("alert", HTMLElement);
const result = byId("result", HTMLElement);
const panel = byId("panel", HTMLElement);
const evidence = byId("evidence", HTMLElement);
const introduction = [...evidence.childNodes];
const list = new AnswerText(byId("sentences", HTMLElement), WORDING, openEvidence);
const next = new NextButton(WORDING, () => list.next());
const conner = new ConnerForm((place) => list.goTo(place));

const samples = JSON.parse(byId("samples", HTMLScriptElement).text) as { question: string; answer: string }[];
let shown = 0;

/** What an engine is made by. */
interface Choices {
  device: DeviceChoice;
  index: string | IndexFiles;
  wiki: string | undefined;
  reranks: boolean;
}

/** The engine, kept between checks while the choices stay the same. */
let engine: { choices: Choices; verifier: Verifier } | null = null;
const checking = new CheckProgress();
const estimates = { loading: new Estimate(), verifying: new Estimate() };
let running: AbortController | null = null;
/** Ends the check when the reader chooses another index. */
let replaced = new AbortController();
/** The text that was checked last. */
let checked: Begun | null = null;
let judged: (SentenceReport | undefined)[] = [];
let findings: Found | null = null;
/** The last check as the browser keeps it, once it has ended well. */
let kept: KeptCheck | null = null;
/** Whether what is shown was kept by the browser, from before: then no engine stands behind it. */
let isReopened = false;
/** The settings of the last check, as the engine takes them and as the form has them. */
let settings: Partial<Settings> = {};
let fields: Fields = settingsNow();
let selected: number | null = null;
/** The card of the models, which web/build.mjs puts beside the page. */
const CARD = "card.txt";
/** What the pack states of the model that judges, once a verdict is shown. */
let stated: Promise<Measured | null> | undefined;
/** Whether the reader chose the selected sentence. */
let chosen = false;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void run();
});
answer.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
cancel.addEventListener("click", () => running?.abort());
byId("again", HTMLButtonElement).addEventListener("click", () => form.requestSubmit());
byId("sample", HTMLButtonElement).addEventListener("click", () => showSample(shown + 1));
byId("back", HTMLButtonElement).addEventListener("click", () => list.focus());
byId("share", HTMLButtonElement).addEventListener("click", () => void share());
window.addEventListener("hashchange", () => void openShared());

byId("flagged", HTMLElement).append(next.element);
for (const field of [question, answer]) field.addEventListener("input", typed);
openLibrary(() => replaced.abort());
openWikis(() => replaced.abort());
offerSubjects((chosen) => {
  fill({ question: chosen, answer: "" });
  answer.focus();
});
offerSaving(() => findings);
void sayBefore();
const draft = keptDraft();
if (draft) fill(draft);
else showSample(0);
openEarlier((check) => {
  if (running) return say("A check is under way: wait for it, or cancel it.");
  reopen(check);
  say("This is an earlier check.");
  result.scrollIntoView({ block: "nearest" });
  list.focus();
});
if (!location.hash) void showLast();
void openShared();
window.addEventListener("load", () => void workOffline());

function showSample(number: number): void {
  shown = number % samples.length;
  fill(samples[shown] ?? { question: "", answer: "" });
}

function fill(text: Shared): void {
  [question.value, answer.value] = [text.question, text.answer];
  typed();
}

/** Follows a change of the text. */
function typed(): void {
  keepDraft({ question: question.value, answer: answer.value });
  const room = byId("room", HTMLElement);
  const { said, isOver } = roomIn(answer.value);
  room.textContent = said;
  room.classList.toggle("over", isOver);
  showStale();
}

/** Shows the last check again, unless the reader has another text here. */
async function showLast(): Promise<void> {
  const before = answer.value;
  const last = await lastCheck();
  if (!last || running || checked || answer.value !== before) return;
  const { question, answer: text } = textOf(last);
  if (!draft || (draft.question === question && draft.answer === text)) reopen(last);
}

const textOf = ({ report }: KeptCheck): Shared => ({ question: report.question ?? "", answer: report.answer });

/** Shows a check that the browser has kept, with its text and its settings. */
function reopen(check: KeptCheck): void {
  const { report, blocks, footprint, at, against } = check;
  clear();
  isReopened = true;
  [kept, findings] = [check, report];
  fill(textOf(check));
  fillSettings(check.fields);
  showText({ ...textOf(check), sentences: report.sentences, leftOut: report.leftOut, blocks });
  report.sentences.forEach((sentence, index) => {
    judged[index] = sentence;
    list.judged(index, sentence);
    list.sourced(index, sentence);
  });
  showSummary();
  byId("kept-from", HTMLElement).textContent = `From ${timeOf(at)}, checked against ${against}.`;
  byId("kept", HTMLElement).hidden = false;
  showCosts(report, footprint);
  const first = mostDoubtful(judged);
  if (first !== null) show(first);
}

function settingsNow(): Fields {
  return {
    backend: backend.value,
    passages: passages.value,
    rerank: rerank.checked,
    both: both.checked,
    exact: exact.checked,
  };
}

function fillSettings(fields: Fields): void {
  [backend.value, passages.value] = [fields.backend, fields.passages];
  [rerank.checked, both.checked, exact.checked] = [fields.rerank, fields.both, fields.exact];
}

/** Copies a link to the text, and shows it where it can be copied by hand. */
async function share(): Promise<void> {
  const field = byId("link", HTMLInputElement);
  byId("link-row", HTMLElement).hidden = true;
  alert.replaceChildren();
  try {
    if (!answer.value.trim()) throw new EvidentError("empty-answer", "there is no text to share");
    field.value = await linkTo({ question: question.value, answer: answer.value });
    byId("link-row", HTMLElement).hidden = false;
    field.select();
    const copied = await navigator.clipboard?.writeText(field.value).then(
      () => true,
      () => false,
    );
    say(`The link is ${copied ? "copied" : "ready to be copied"}. It holds the text itself: no server has it.`);
  } catch (thrown) {
    failed(thrown);
  }
}

/** Fills in the text of the link that opened the page. The reader decides whether to check it. */
async function openShared(): Promise<void> {
  try {
    const shared = await sharedIn(location.hash);
    if (!shared || running) return;
    clear();
    fill(shared);
    say("This text came with the link. Nothing is checked until you say so.");
  } catch (thrown) {
    failed(thrown);
  }
  // A reload keeps what is typed then.
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
}

async function run(): Promise<void> {
  if (running) return;
  running = new AbortController();
  byId("before", HTMLElement).hidden = true;
  clear();
  setBusy(true);
  try {
    if (!answer.value.trim()) throw new EvidentError("empty-answer", "the answer is empty");
    const { report, verifier } = await verify(running.signal);
    findings = report;
    done(report, verifier);
    void followCopy(verifier.backend.kind);
  } catch (error) {
    failed(error);
    findings = checked && unfinished(checked, judged);
    if (findings) showRun("part");
    else byId("run", HTMLElement).hidden = true;
  } finally {
    running = null;
    setBusy(false);
    offerMore();
  }
}

/** Checks the answer; begins anew when the reader chooses another index meanwhile. */
async function verify(signal: AbortSignal): Promise<{ report: Report; verifier: Verifier }> {
  for (;;) {
    replaced = new AbortController();
    const current = AbortSignal.any([signal, replaced.signal]);
    try {
      const verifier = await open(current);
      fields = settingsNow();
      settings = {
        maxCharacters: MOST_CHARACTERS,
        ...(fields.passages ? { evidence: Number(fields.passages) } : {}),
        ...(fields.exact ? { search: "exact" } : {}),
        ...(fields.both ? { scoreBy: "both" } : {}),
      };
      showProgress("verifying", 0, "Splitting into sentences");
      const options = { question: question.value, settings, signal: current, onEvent };
      return { report: await verifier.verify(answer.value, options), verifier };
    } catch (error) {
      if (signal.aborted || !replaced.signal.aborted) throw error;
      clear();
    }
  }
}

/** The engine by the reader's choices: the current one if it fits, or a new one. */
async function open(signal: AbortSignal): Promise<Verifier> {
  const choices: Choices = {
    device: backend.value as DeviceChoice,
    index: currentIndex(),
    wiki: currentWiki(),
    reranks: rerank.checked,
  };
  const isCurrent = (name: keyof Choices) => engine?.choices[name] === choices[name];
  if (!engine || !(["device", "index", "wiki", "reranks"] as const).every(isCurrent)) {
    engine?.verifier.dispose();
    engine = null;
    say("Loading the models.");
    onLoad({ stage: "engine", loaded: 0, total: 1, elapsed: 0, bytes: null });
    const { device, index, wiki, reranks } = choices;
    const verifier = await createVerifier({
      pack: "pack/",
      index,
      device,
      ...(wiki === undefined ? {} : { wiki }),
      ...(reranks ? { rerank: "pack/" } : {}),
      signal,
      onProgress: onLoad,
      onNotice: ({ kind, message, seconds }) => {
        const rest = kind === "gpu-failed" ? " The CPU has taken over." : "";
        notice.replaceChildren(...(seconds === 0 ? [] : [make("p", "", `${sentence(message)}${rest}`)]));
      },
    });
    engine = { choices, verifier };
  }
  return engine.verifier;
}

function onLoad(progress: LoadProgress): void {
  const { fraction, label } = loadingOf(progress, WORDING);
  showProgress("loading", fraction, label);
}

/** What is being done to a sentence, in more words than its badge has room for. */
const doing = (stage: Stage): string => (stage === "nli" ? "comparing with the evidence" : WORDING.say(stage));

function onEvent(event: VerifyEvent): void {
  const total = judged.length;
  const done = checking.follow(event);
  switch (event.kind) {
    case "load": // of a model that nothing has asked for before
      return onLoad(event);
    case "sentences":
      showText({ ...event, question: question.value, answer: answer.value });
      showSummary();
      showRun("room");
      result.scrollIntoView({ block: "nearest" });
      say(`Checking ${count(event.sentences.length, "sentence")}.`);
      break;
    case "stage":
      list.working(event.sentence, event.stage);
      showProgress("verifying", done, `Sentence ${event.sentence + 1} of ${total}: ${doing(event.stage)}`);
      break;
    case "sentence":
      judged[event.index] = event.sentence;
      list.judged(event.index, event.sentence);
      showProgress("verifying", done, `${event.index + 1} of ${count(total, "sentence")} checked`);
      showSummary();
      if (!chosen) show(mostDoubtful(judged) ?? event.index);
      else if (selected === event.index) show(event.index);
  }
}

/** Shows a text, none of whose sentences is judged yet. */
function showText(begun: Begun): void {
  checked = begun;
  judged = begun.sentences.map(() => undefined);
  list.show(begun.answer, begun.blocks, begun.sentences, begun.leftOut);
  for (const id of ["summary", "sentences-hint"]) byId(id, HTMLElement).hidden = judged.length === 0;
  result.hidden = false;
}

function done(report: Report, verifier: Verifier): void {
  say(
    report.sentences.length
      ? `Done: ${summaryOf(report.sentences)}.`
      : `${WORDING.say("noClaims")} ${leftOutOf(
          report.leftOut.map(({ kind }) => kind),
          WORDING,
        )}`.trim(),
  );
  showCosts(report, verifier.footprint);
  conner.offer(verifier, report);
  offerSources(verifier, report, sourced);
  kept = {
    at: Date.now(),
    against: currentName(),
    fields,
    blocks: checked?.blocks ?? [],
    report,
    footprint: verifier.footprint,
  };
  void keepEarlier(kept);
}

/** Shows what a whole check took, and offers a wiki for what it leaves open. */
function showCosts(report: Report, footprint: Footprint): void {
  const { timings, traffic, sources, pack } = report;
  const mean = meanOf(report);
  const searched = sources.map(({ name, passages }) => (passages === null ? name : count(passages, "passage")));
  const facts: [string, string][] = [
    ...(mean ? [["Score of the answer", mean] satisfies [string, string]] : []),
    ["Computed on", `${report.backend.kind === "webgpu" ? "WebGPU" : "CPU"}, ${report.backend.name}`],
    ["Models", `${pack.name} ${pack.version}`],
    ["Index", `${searched.join(", ")}${report.rerank ? `, re-ranked by ${report.rerank.pack.name}` : ""}`],
    ["Finding evidence", duration(timings.retrieveMs)],
    ["NLI", duration(timings.nliMs)],
    ...(timings.verifyMs > 0 ? [["T5", duration(timings.verifyMs)] satisfies [string, string]] : []),
    ["Whole check", duration(timings.totalMs)],
    [
      "Loading",
      `${duration(footprint.openMs)}, ${footprint.fetched ? bytes(footprint.fetched) : "all from the cache"}`,
    ],
    [
      "Evidence fetched",
      traffic.requests ? `${bytes(traffic.bytes)} in ${count(traffic.requests, "file")}` : "none: it was all here",
    ],
    ["Memory", bytes(footprint.memory)],
  ];
  byId("facts", HTMLElement).replaceChildren(
    ...facts.map(([name, value]) => make("div", "", make("dt", "", name), make("dd", "", value))),
  );
  showRun("whole");
  offerWiki(report, () => void run());
}

/** Takes in what the cited pages of a sentence say. */
function sourced(index: number, report: SentenceReport): void {
  judged[index] = report;
  list.sourced(index, report);
  if (kept) {
    const sentences = kept.report.sentences.map((before, number) => (number === index ? report : before));
    findings = { ...kept.report, sentences };
    kept = { ...kept, report: findings };
    updateCheck(kept).catch(() => undefined); // the reader was told where the check could not be kept
  }
  if (selected === index) show(index);
}

/**
 * Shows what the reader can do with the findings and, for a whole check, its costs. Until the check ends only space is
 * reserved for them, so that nothing below moves.
 */
function showRun(of: "room" | "part" | "whole"): void {
  const run = byId("run", HTMLElement);
  run.hidden = false;
  run.classList.toggle("room", of === "room");
  byId("details", HTMLDetailsElement).hidden = of === "part";
}

function failed(thrown: unknown): void {
  list.stop();
  const code = codeOf(thrown);
  if (code === "cancelled") {
    const n = judged.filter(Boolean).length;
    return say(judged.length ? `Cancelled: ${n} of ${count(judged.length, "sentence")} checked.` : "Cancelled.");
  }
  say("");
  alert.replaceChildren(...explain(thrown));
  if (code === "empty-answer") answer.focus();
}

/** Shows how many sentences have each standing, without the dismissed. With its icons it is the legend as well. */
function showSummary(): void {
  const counted = list.undismissed();
  byId("summary", HTMLElement).replaceChildren(...summaryPhrases(counted, WORDING));
  next.show(counted);
}

/** Shows the marks as stale while the text is another one than they were made for. */
function showStale(): void {
  if (result.hidden) return;
  const stale = answer.value !== checked?.answer;
  result.classList.toggle("stale", stale);
  byId("stale", HTMLElement).textContent = stale ? WORDING.say("changed") : "";
}

/** Shows a sentence's evidence, and scrolls there if the panel lies below the answer. */
function openEvidence(index: number): void {
  chosen = true;
  show(index);
  const found = judged[index];
  if (found) say(`Evidence for sentence ${index + 1}: ${wordFor(found)}, ${count(found.evidence.length, "passage")}.`);
  if (panel.getBoundingClientRect().top > window.innerHeight) panel.scrollIntoView();
}

function show(index: number): void {
  selected = index;
  list.select(index);
  const found = judged[index];
  const title = make("h2", "", WORDING.say("evidence"));
  title.id = "panel-title";
  const unjudged = running ? "This sentence is still being checked." : "This sentence was not checked.";
  const cite = (passage: Evidence) => citeButton(passage, () => kept?.report.sources ?? []);
  const more: Parameters<typeof sourceNotes>[2] = ({ state, address, evidence = [] }, entry) =>
    state !== "unread" ? evidence.slice(0, 1).flatMap(cite) : isReopened ? [] : sourceCheck.fileFor(address, entry);
  evidence.replaceChildren(
    title,
    ...(found
      ? [...evidenceBeside(found, WORDING, cite), ...sourceNotes(found, WORDING, more, atItsQuote)]
      : [make("p", "hint", unjudged)]),
  );
  if (!running) offerMore();
  panel.classList.add("filled");
  panel.scrollTop = 0;
}

/** The address of a cited page, at the words of it that decide. */
function atItsQuote({ address, evidence: [passage] = [] }: SourceReport): string {
  const { start, end } = passage?.sentence ?? { start: 0, end: 0 };
  return atQuote(address, passage?.text.slice(start, end) ?? "");
}

/** Says how often verdicts like the one shown are right, and offers a second opinion and an objection. */
function offerMore(): void {
  const found = selected === null ? undefined : judged[selected];
  if (!found) return;
  stated ??= measuredOf("pack/", chooseModel("auto"));
  evidence.append(
    rateLine(found, stated, CARD, WORDING),
    ...(isReopened ? [] : [secondOpinion(found, opinions, WORDING)]),
    objectionTo(found, selected as number),
  );
}

/** What the reader can say against a verdict. */
function objectionTo(report: SentenceReport, index: number): HTMLElement {
  const onDismiss = (dismissed: boolean) => {
    list.dismiss(index, dismissed);
    showSummary();
  };
  return objection(report, list.isDismissed(index), onDismiss, WORDING);
}

/** Second opinions by the engine of the last check. */
const opinions: SecondOpinions = {
  bytes: async () => (await open(new AbortController().signal)).secondOpinionBytes(),
  ask: async (first, onEvent) =>
    (await open(new AbortController().signal)).secondOpinion(first, {
      settings,
      onEvent,
    }),
};

function showProgress(which: "loading" | "verifying", value: number, label: string): void {
  byId(which, HTMLProgressElement).value = value;
  const left = estimates[which].left(value);
  byId(`${which}-label`, HTMLLabelElement).textContent = withTimeLeft(label, left, WORDING);
  byId("loading-row", HTMLElement).hidden = which !== "loading";
  byId("verifying-row", HTMLElement).hidden = which !== "verifying";
  progress.hidden = false;
}

function setBusy(busy: boolean): void {
  const [off, on] = busy ? [check, cancel] : [cancel, check];
  handOver(off, on, "disabled");
  answer.readOnly = busy;
  byId("sample", HTMLButtonElement).disabled = busy;
  form.setAttribute("aria-busy", String(busy));
  if (!busy) progress.hidden = true;
}

function clear(): void {
  judged = [];
  checked = findings = kept = null;
  isReopened = false;
  byId("kept", HTMLElement).hidden = true;
  selected = null;
  chosen = false;
  result.classList.remove("stale");
  byId("stale", HTMLElement).textContent = "";
  byId("link-row", HTMLElement).hidden = true;
  alert.replaceChildren();
  notice.replaceChildren();
  evidence.replaceChildren(...introduction);
  panel.classList.remove("filled");
  result.hidden = true;
  byId("run", HTMLElement).hidden = true;
  conner.clear();
  hideWiki();
  sourceCheck.clear();
}

function say(text: string): void {
  status.textContent = text;
}
