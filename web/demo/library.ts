/**
 * What answers are checked against: the demo's index until the reader chooses another, by address, as a folder, or made
 * of own files.
 */

import type { IndexFiles } from "evident-check";
import { byId } from "../package/src/ui/dom.js";
import { codeOf, explain, PageError } from "./advice.js";
import { filesIn, filesOf, type Picked, pick } from "./folder.js";
import { bytes, count } from "./format.js";
import type { NamedFile, Reply, Request } from "./index-worker.js";
import { reaches } from "./offline.js";

/** An index for the engine, with the name that the page shows. */
interface Chosen {
  index: string | IndexFiles;
  name: string;
  passages: number | null;
}

const DEMO: Chosen = { index: "index/", name: "this demo's index", passages: null };
/** The key under which an address is kept until the tab closes. Files are not kept: that would take a copy. */
const REMEMBERED = "evident-index";

const section = byId("library", HTMLElement);
const address = byId("address", HTMLInputElement);
const documents = byId("pick-files", HTMLInputElement);
const folder = byId("pick-folder", HTMLInputElement);
const back = byId("use-demo", HTMLButtonElement);
const stop = byId("library-stop", HTMLButtonElement);
const progress = byId("library-progress", HTMLProgressElement);
const status = byId("library-status", HTMLElement);
const alert = byId("library-alert", HTMLElement);

let chosen = DEMO;
let worker: Worker | null = null;

/** The index that the next check is to use. */
export const currentIndex = (): string | IndexFiles => chosen.index;

/** Follows the reader's choices. */
export function openLibrary(): void {
  choose(remembered() ?? DEMO);

  byId("address-form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    void attempt(() => useAddress(address.value));
  });
  for (const [button, input] of [
    ["choose-files", documents],
    ["choose-folder", folder],
  ] as const) {
    byId(button, HTMLButtonElement).addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      const files = filesOf(input);
      input.value = ""; // so that the same choice is a change again
      void attempt(() => useFiles(files));
    });
  }
  back.addEventListener("click", () => {
    choose(DEMO);
    say("Answers are checked against this demo's index again.");
    byId("library-choices", HTMLDetailsElement).querySelector("summary")?.focus(); // the button is gone
  });
  stop.addEventListener("click", () => {
    worker?.terminate();
    settle();
    say(`Cancelled. Answers are checked against ${chosen.name}.`);
  });

  // The whole page takes drops: the browser would leave the page for a file dropped beside the box.
  window.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    section.classList.add("dropping");
  });
  window.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!relatedTarget) section.classList.remove("dropping");
  });
  window.addEventListener("drop", (event) => {
    section.classList.remove("dropping");
    const transfer = event.dataTransfer;
    if (!transfer?.types.includes("Files")) return;
    event.preventDefault();
    const files = filesIn(transfer);
    void attempt(async () => useFiles(await files));
  });
}

async function attempt(work: () => Promise<void>): Promise<void> {
  if (worker) return; // one at a time
  alert.replaceChildren();
  say("");
  try {
    await work();
  } catch (thrown) {
    say("");
    alert.replaceChildren(...explain(thrown));
    byId("library-choices", HTMLDetailsElement).open = true;
  }
}

async function useAddress(text: string): Promise<void> {
  const index = addressOf(text);
  address.value = index;
  say("Looking at the index.");
  const { passages } = await ask({ type: "inspect", index }).catch((error: unknown) => explained(error, index));
  choose({ index, name: `the index at ${index}`, passages });
  say(`Answers are checked against this index now: ${count(passages, "passage")}.`);
}

async function useFiles(files: NamedFile[]): Promise<void> {
  const picked: Picked = pick(files);
  if ("index" in picked) {
    say("Looking at the index.");
    const { passages } = await ask({ type: "inspect", index: picked.index });
    choose({
      index: picked.index,
      name: picked.name ? `the index in the folder “${picked.name}”` : "the index you dropped",
      passages,
    });
    return say(`Answers are checked against this index now: ${count(passages, "passage")}.`);
  }
  const { documents, leftOut } = picked;
  const { passages, files: index } = await ask({ type: "build", files: documents });
  if (!index) throw new Error("the index was not built");
  const [only] = documents;
  choose({
    index,
    name: documents.length === 1 && only ? `your file “${only.name}”` : `your ${documents.length} files`,
    passages,
  });
  const others = leftOut ? ` ${count(leftOut, "other file was", "other files were")} left out.` : "";
  say(
    `Answers are checked against your own text now: ${count(passages, "passage")}, kept in memory until this page is closed.${others}`,
  );
}

/**
 * A worker whose script comes with the headers of an isolated page cannot tell a host that is down from one that lets
 * no other site read.
 */
async function explained(error: unknown, index: string): Promise<never> {
  const unclear = codeOf(error) === "network" && new URL(index).origin !== location.origin;
  if (unclear && (await reaches(`${index}manifest.json`)))
    throw new PageError("index-blocked", `${index} answers, but lets no other site read it`);
  throw error;
}

/** The address of an index's folder, with its slash. */
function addressOf(text: string): string {
  const typed = text.trim();
  if (!typed) throw new PageError("bad-address", "no address was given");
  const url = URL.canParse(typed, document.baseURI) ? new URL(typed, document.baseURI) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new PageError("bad-address", `“${typed}” is not an address of the web`);
  if (url.username || url.password || url.search)
    throw new PageError("bad-address", "a name, a password or a query cannot stand in it");
  if (
    location.protocol === "https:" &&
    url.protocol === "http:" &&
    !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  )
    throw new PageError("bad-address", "this page came by https, and may read nothing that comes by http");
  return url.origin + url.pathname.replace(/manifest\.json$/, "").replace(/\/?$/, "/");
}

/** Has the worker do one thing. */
function ask(request: Request): Promise<Extract<Reply, { type: "ready" }>> {
  return new Promise((resolve, reject) => {
    const asked = new Worker("index-worker.js", { type: "module", name: "evident-index" });
    worker = asked;
    stop.hidden = false;
    progress.hidden = false;
    progress.removeAttribute("value");
    asked.addEventListener("error", (event) => {
      event.preventDefault();
      settle();
      reject(new PageError("bad-files", `the work ended early: ${event.message || "its script could not be loaded"}`));
    });
    asked.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      switch (data.type) {
        case "reading":
          progress.value = data.total ? data.loaded / data.total : 0;
          return say(`Reading ${data.name}: ${bytes(data.loaded)} of ${bytes(data.total)}.`);
        case "indexing":
          progress.removeAttribute("value");
          return say(`Indexing ${count(data.passages, "passage")}.`);
        case "ready":
          settle();
          return resolve(data);
        case "failed":
          settle();
          return reject(Object.assign(new Error(data.message), { code: data.code }));
      }
    });
    asked.postMessage(request);
  });
}

/** Ends the worker, done or not. */
function settle(): void {
  worker?.terminate();
  worker = null;
  stop.hidden = true;
  progress.hidden = true;
}

function choose(next: Chosen): void {
  chosen = next;
  remember(next);
  byId("library-name", HTMLElement).textContent = next.name;
  byId("library-size", HTMLElement).textContent = next.passages === null ? "" : count(next.passages, "passage");
  back.hidden = next === DEMO;
  alert.replaceChildren();
}

function remember(choice: Chosen): void {
  try {
    if (typeof choice.index === "string" && choice !== DEMO) sessionStorage.setItem(REMEMBERED, JSON.stringify(choice));
    else sessionStorage.removeItem(REMEMBERED);
  } catch {
    // This browser keeps nothing for the page.
  }
}

function remembered(): Chosen | null {
  try {
    return JSON.parse(sessionStorage.getItem(REMEMBERED) ?? "null") as Chosen | null;
  } catch {
    return null;
  }
}

function say(text: string): void {
  status.textContent = text;
}
