/** The reader's own files, in the options: an index is made of them here, kept in this browser, and removed again. */

import type { NamedFile } from "../../demo/documents.js";
import { documentsIn, filesOf } from "../../demo/folder.js";
import { count, sentence } from "../../demo/format.js";
import { type Ready, unreadOf, work } from "../../demo/indexing.js";
import { workerOf } from "../../package/src/start.js";
import { byId, handOver } from "../../package/src/ui/dom.js";
import { dropIndex, keepIndex } from "./kept-index.js";
import { loadPreferences, OWN_FILES, savePreferences } from "./preferences.js";

const choose = byId("choose-files", HTMLButtonElement);
const picker = byId("pick-files", HTMLInputElement);
const stop = byId("stop-files", HTMLButtonElement);
const progress = byId("files-progress", HTMLProgressElement);
const status = byId("files-status", HTMLElement);
const wrong = byId("files-wrong", HTMLElement);

/** What to do about each error; where an error is none of these, the browser's words have to do. */
const ADVICE: Record<string, string> = {
  "bad-document": "Save it as text or as another kind of file, and choose that.",
  "bad-files": "Choose PDF, Word (.docx), HTML, EPUB, text, Markdown or JSON lines (.jsonl).",
  "bad-passages": "Mend what is named here, or leave that file out.",
  "files-too-large":
    "Choose fewer files, or build their index on the command line, evident index build, and give the address of its folder.",
  "out-of-memory": "Choose fewer files, or close other pages and try again.",
  QuotaExceededError: "Choose fewer files, or free some of this computer's disk and try again.",
};

let worker: Worker | null = null;

/** Follows the reader's choices; `onTaken` is told when answers are checked against them. */
export function openOwnFiles(onTaken: () => void): void {
  choose.addEventListener("click", () => picker.click());
  picker.addEventListener("change", () => {
    const files = filesOf(picker);
    picker.value = ""; // so that the same choice is a change again
    void take(files, onTaken);
  });
  stop.addEventListener("click", () => {
    settle();
    status.textContent = "Stopped. Nothing has changed.";
  });
}

/** Makes an index of files, keeps it in the place of the one before, and has answers checked against it. */
async function take(files: NamedFile[], onTaken: () => void): Promise<void> {
  if (worker) return; // one at a time
  say("", "");
  try {
    const { documents, leftOut } = documentsIn(files);
    const { passages, files: index, unread = [] } = await build(documents);
    if (!index) throw new Error("the index was not built");
    await keepIndex(index);
    const bytes = [...index.values()].reduce((sum, { size }) => sum + size, 0);
    await savePreferences({ ownFiles: { passages, bytes, made: Date.now() }, index: OWN_FILES });
    onTaken();
    say(`Answers are checked against your files now: ${count(passages, "passage")}.${unreadOf(unread, leftOut)}`, "");
  } catch (thrown) {
    say("", explained(thrown));
  }
}

async function build(files: NamedFile[]): Promise<Ready> {
  worker = workerOf("index-worker.js", "evident-index");
  progress.hidden = false;
  handOver(choose, stop, "hidden");
  try {
    return await work(worker, { type: "build", files }, progress, (text) => (status.textContent = text));
  } finally {
    settle();
  }
}

/** Removes the index; where answers were checked against it, they are checked against the extension's again. */
export async function removeOwnFiles(): Promise<void> {
  const { index } = await loadPreferences();
  await savePreferences({ ownFiles: null, ...(index === OWN_FILES && { index: "" }) });
  await dropIndex().catch(() => undefined); // where the browser keeps nothing, nothing is left
  say("The index of your files is removed from this browser.", "");
}

/** Ends the worker, done or not. */
function settle(): void {
  worker?.terminate();
  worker = null;
  progress.hidden = true;
  handOver(stop, choose, "hidden");
}

function say(done: string, failed: string): void {
  status.textContent = done;
  wrong.textContent = failed;
}

function explained(thrown: unknown): string {
  const { code, name, message } = thrown as Error & { code?: string };
  const known = typeof code === "string" ? code : name;
  const what = known === "QuotaExceededError" ? "the browser has no room to keep this index" : message;
  return `${sentence(what)} ${ADVICE[known] ?? ""}`.trim();
}
