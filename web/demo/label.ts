/** The labelling page: shows one sentence or answer at a time, takes what is said of it, and saves that as files. */

import { createVerifier, type Verifier } from "evident-check";
import "./trusted.js";
import { byId, make } from "../package/src/ui/dom.js";
import { download } from "../package/src/ui/download.js";
import { explain, PageError } from "./advice.js";
import { bytes, count } from "./format.js";
import { keysOf, passageOf, sideOf, stepsOf, textOf } from "./labels/card.js";
import { keepPeople, keepWork, kept, type Labels, type People, type Work } from "./labels/drafts.js";
import { isDone, type Mark, OUTPUTS, sidesOf, withoutEvidence } from "./labels/files.js";
import { isRow, itemsIn, type Line, rowsIn, type Splitter } from "./labels/lines.js";
import { type Side, TASKS, type TaskName, type Value } from "./labels/tasks.js";

const choices = byId("choices", HTMLDetailsElement);
const annotator = byId("annotator", HTMLInputElement);
const pick = byId("pick", HTMLInputElement);
const opening = byId("opening", HTMLElement);
const alert = byId("alert", HTMLElement);
const card = byId("work", HTMLElement);
const saving = byId("saving", HTMLElement);
const sides = byId("sides", HTMLElement);
const found = byId("found", HTMLTextAreaElement);
const comment = byId("comment", HTMLTextAreaElement);
const status = byId("status", HTMLElement);
const saves = [byId("save", HTMLButtonElement), byId("save-more", HTMLButtonElement)];

/** The most bytes of a file to label. */
const MAX_BYTES = 20_000_000;

let work: Work | null = null;
let people: People = { now: "", labels: [] };
/** Whether the browser keeps the draft. */
let isKept = true;
/** The values before each of the last changes. */
let past: { at: number; values: Mark["values"] }[] = [];
/** The side that the keys answer. */
let current: Side | undefined;
let engine: Verifier | null = null;

const acts = { previous: () => step(-1), next: () => step(1), skip, undo };
for (const [id, act] of Object.entries(acts)) byId(id, HTMLButtonElement).addEventListener("click", act);
saves.forEach((button, index) => button.addEventListener("click", () => save(index)));
byId("choose", HTMLButtonElement).addEventListener("click", () => named() && pick.click());
byId("sample", HTMLButtonElement).addEventListener("click", () => {
  const samples = JSON.parse(byId("samples", HTMLScriptElement).text) as object[];
  void open("samples.jsonl", async () => samples.map((sample) => JSON.stringify(sample)).join("\n"));
});
byId("form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
annotator.addEventListener("change", rename);
for (const task of ["facts", "ratings"]) byId(task, HTMLInputElement).addEventListener("change", () => work || begin());
pick.addEventListener("change", () => {
  const [file] = pick.files ?? [];
  if (file) void openFile(file);
  pick.value = ""; // the same file may be chosen again
});
for (const field of [found, comment])
  field.addEventListener("input", () => change({ ...here().mark, evidence: found.value, comment: comment.value }));
card.addEventListener("keydown", pressed);
// The browser would leave the page for a file dropped beside the box.
window.addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
window.addEventListener("drop", (event) => {
  const [file] = event.dataTransfer?.files ?? [];
  if (!file) return;
  event.preventDefault();
  void openFile(file);
});
window.addEventListener("beforeunload", (event) => {
  if (!isKept && isUnsaved()) event.preventDefault();
});
// Another tab goes on with the same draft: this one follows, so that neither overwrites the other's.
window.addEventListener("storage", ({ key }) => key?.startsWith("evident-label") && kept() && restore());
window.addEventListener("load", () => void navigator.serviceWorker?.register("sw.js", { updateViaCache: "none" }));
restore();

/** What the person who labels has said. */
function mine(): Labels {
  const found = people.labels.find(({ annotator }) => annotator === people.now);
  if (found) return found;
  const made: Labels = { annotator: people.now, at: 0, marks: {}, unsaved: [] };
  people.labels.push(made);
  return made;
}

/** The line that is looked at, and what was said of it. */
function here(): { line: Line; mark: Mark } {
  const { at, marks } = mine();
  return { line: work?.lines[at] as Line, mark: marks[at] ?? { values: {}, evidence: "", comment: "" } };
}

const isUnsaved = () => people.labels.some(({ unsaved }) => unsaved.length > 0);

function restore(): void {
  const draft = kept();
  if (draft) {
    [work, people] = [draft.work, draft.people];
    annotator.value = people.now;
    byId(work.task, HTMLInputElement).checked = true;
  }
  begin();
}

/** The name in the form; without one "", and a word about it. */
function named(): string {
  const name = annotator.value.trim().replace(/\s+/g, " ");
  alert.replaceChildren(...(name ? [] : [make("p", "", "Put in your name first: it tells your labels from others'.")]));
  if (!name) annotator.focus();
  return name;
}

/** The task that the form has. */
function chosen(): TaskName {
  return byId("ratings", HTMLInputElement).checked ? "ratings" : "facts";
}

function openFile(file: File): Promise<void> {
  return open(file.name, async () => {
    if (file.size > MAX_BYTES)
      throw new PageError("bad-lines", `it has ${bytes(file.size)}, and this page takes ${bytes(MAX_BYTES)}`);
    return file.text();
  });
}

/** Takes the lines of a file. What was said of the same lines stays. */
async function open(source: string, read: () => Promise<string>): Promise<void> {
  const name = named();
  if (!name) return;
  const task = chosen();
  try {
    const text = await read();
    const lines = task === "facts" ? await rowsIn(source, text, split) : itemsIn(source, text);
    if (JSON.stringify(work?.lines) !== JSON.stringify(lines)) {
      const lost = "There are labels here that no file has yet. Drop them, and label something else?";
      if (isUnsaved() && !confirm(lost)) return;
      work = { id: crypto.randomUUID(), task, source, lines };
      people.labels = [];
      keepWork(work);
    }
    people.now = name;
    begin();
    card.focus();
  } catch (thrown) {
    alert.replaceChildren(...explain(thrown));
  } finally {
    opening.textContent = "";
  }
}

/** Parts an answer by the engine, which needs no model for that. */
const split: Splitter = async (answer, question) => {
  opening.textContent = "Splitting into sentences.";
  engine ??= await createVerifier({ pack: "pack/", index: "index/", device: "cpu", lazy: true });
  return engine.split(answer, { question });
};

/** Lets another person go on. Each person sees only their own labels. */
function rename(): void {
  const name = named();
  if (!work || !name || name === people.now) return;
  people.now = name;
  begin();
  say(`${name} labels now.`);
}

/** Shows what there is to label, from where the person was. */
function begin(): void {
  past = [];
  choices.open = !work;
  card.hidden = saving.hidden = !work;
  const task = work?.task ?? chosen();
  byId("keys", HTMLElement).replaceChildren(...keysOf(task));
  byId("how", HTMLElement).replaceChildren(...stepsOf(task));
  if (!work) return;
  sides.replaceChildren(...TASKS[task].sides.map((side) => sideOf(side, (value) => judge(side, value))));
  byId("found-row", HTMLElement).hidden = task === "ratings";
  OUTPUTS[task].forEach(({ button }, index) => void ((saves[index] as HTMLElement).textContent = button));
  goTo(mine().at);
}

/** Goes to a line, and has the keys answer its first open side. */
function goTo(at: number): void {
  if (!work) return;
  mine().at = at;
  const { line, mark } = here();
  const asked = sidesOf(line);
  current = asked.find(({ name }) => !mark.values[name]) ?? asked[0];
  [found.value, comment.value] = [mark.evidence, mark.comment];
  byId("place", HTMLElement).textContent = `${nameOf(at)} of ${work.lines.length}`;
  byId("text", HTMLElement).replaceChildren(...textOf(line));
  byId("passages", HTMLElement).replaceChildren(...line.evidence.map(passageOf));
  byId("evidence", HTMLElement).hidden = line.evidence.length === 0;
  keep();
  show();
  if (!card.hidden) byId("shown", HTMLElement).scrollIntoView({ block: "nearest" });
}

/** What a line is called. */
function nameOf(at: number): string {
  return `${work?.task === "facts" ? "Sentence" : "Answer"} ${at + 1}`;
}

/** Shows what was said. */
function show(): void {
  if (!work) return;
  const { line, mark } = here();
  const asked = sidesOf(line);
  for (const [index, side] of TASKS[work.task].sides.entries()) {
    const group = sides.children[index] as HTMLElement;
    group.hidden = !asked.includes(side);
    group.classList.toggle("current", side === current);
    for (const button of group.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(mark.values[side.name] === button.value));
  }
  if (document.activeElement === document.body) card.focus(); // what had the focus is hidden

  const { lines } = work;
  const { marks, unsaved } = mine();
  const done = lines.filter((line, index) => isDone(line, marks[index])).length;
  byId("tally", HTMLElement).textContent = `${people.now}: ${done} of ${lines.length} labelled, of ${work.source}`;
  const bar = byId("done", HTMLProgressElement);
  [bar.max, bar.value] = [lines.length, done];
  const lacking = withoutEvidence(lines.filter(isRow), marks);
  byId("lacking", HTMLElement).textContent = lacking
    ? `${count(lacking, "label")} without evidence: Guan et al. (2024) take “factual” and “unfactual” only with some.`
    : "";
  const [, more] = OUTPUTS[work.task];
  (saves[1] as HTMLElement).hidden = work.task === "facts" && !more.isDue(marks);
  byId("kept", HTMLElement).textContent = [
    isKept
      ? "This browser keeps your draft."
      : "This browser has no room for a draft: save before you close this page.",
    unsaved.length ? "Some of it is in no file yet." : "",
  ].join(" ");
}

/** Takes what is said of the line that is looked at. */
function change(mark: Mark): void {
  const { at, marks } = mine();
  marks[at] = mark;
  if (work) mine().unsaved = OUTPUTS[work.task].flatMap(({ stem, isDue }) => (isDue(marks) ? [stem] : []));
  keep();
  show();
}

function keep(): void {
  if (work) isKept = keepPeople(people, work);
}

/** Gives a side a value, or takes it back if the side has it. Once every side has one, the next line is shown. */
function judge(side: Side, value: Value): void {
  const { at } = mine();
  const { line, mark } = here();
  const asked = sidesOf(line);
  const { [side.name]: before, ...others } = mark.values;
  const isTaken = before === value.name;
  const values = isTaken ? others : { ...others, [side.name]: value.name };
  past.push({ at, values: mark.values });
  current = isTaken ? side : (asked.find(({ name }) => !values[name]) ?? side);
  change({ ...mark, values });
  const what = `${asked.length > 1 ? `${side.title.toLowerCase()} ` : ""}${value.word.toLowerCase()}`;
  say(`${nameOf(at)}: ${what}${isTaken ? ", taken back" : ""}.`);
  if (!isTaken && isDone(line, here().mark) && at + 1 < (work?.lines.length ?? 0)) goTo(at + 1);
}

function step(by: number): void {
  const at = mine().at + by;
  if (at in (work?.lines ?? [])) return goTo(at);
  say(by < 0 ? "This is the first." : "This is the last.");
}

/** Goes to the next line that lacks a value, after the last to the first. */
function skip(): void {
  const { at, marks } = mine();
  const places = (work?.lines ?? []).map((_, index, { length }) => (at + 1 + index) % length);
  const open = places.find((place) => place !== at && !isDone(work?.lines[place] as Line, marks[place]));
  if (open === undefined) return say("No other is open.");
  goTo(open);
}

function undo(): void {
  const last = past.pop();
  if (!last) return say("There is nothing to undo.");
  mine().at = last.at;
  change({ ...here().mark, values: last.values });
  goTo(last.at);
  say("Undone.");
}

/** Marks the side before or after the one that the keys answer. */
function mark(by: number): void {
  const asked = sidesOf(here().line);
  current = asked[asked.indexOf(current as Side) + by] ?? current;
  show();
  sides.querySelector(".current")?.scrollIntoView({ block: "nearest" });
}

function pressed(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target instanceof HTMLTextAreaElement) {
    if (event.key === "Escape") card.focus();
    return;
  }
  const key = event.key.toUpperCase();
  const value = current?.values.find((value) => value.key === key);
  const act = value ? () => judge(current as Side, value) : keyed(key);
  if (!act) return;
  event.preventDefault();
  act();
}

/** What a key does that stands for no value. */
function keyed(key: string): (() => void) | undefined {
  const both = { ARROWLEFT: acts.previous, ARROWRIGHT: acts.next, O: skip, Z: undo, C: () => comment.focus() };
  const own =
    work?.task === "facts" ? { E: () => found.focus() } : { ARROWUP: () => mark(-1), ARROWDOWN: () => mark(1) };
  return ({ ...both, ...own } as Record<string, () => void>)[key];
}

/** Saves one of the task's files. */
function save(index: number): void {
  const output = work && OUTPUTS[work.task][index];
  if (!work || !output) return;
  const { stem, ending, type } = output;
  download(`${stem}-${people.now}.${ending}`, type, output.text(work.lines, mine().marks, people.now));
  mine().unsaved = mine().unsaved.filter((name) => name !== stem);
  keep();
  show();
}

function say(text: string): void {
  status.textContent = text;
}
