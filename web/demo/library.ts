/**
 * What answers are checked against: the demo's index until the reader chooses another, from the list of known ones, by
 * address, as a folder, or made of own files or of a page of the web.
 */

import type { IndexFiles } from "evident-check";
import { byId } from "../package/src/ui/dom.js";
import {
  indexRow,
  type KnownIndex,
  knownIndexes,
  ownIndex,
  shippedIndexes,
  withIndex,
} from "../package/src/ui/index-library.js";
import { codeOf, explain, PageError } from "./advice.js";
import type { NamedFile } from "./documents.js";
import { filesIn, filesOf, type Picked, pick } from "./folder.js";
import { bytes, count } from "./format.js";
import type { Request } from "./index-worker.js";
import { type Ready, unreadOf, work } from "./indexing.js";
import { reaches } from "./offline.js";
import { showSubjects } from "./subjects.js";

/** An index for the engine, with the name that the page shows. */
interface Chosen {
  index: string | IndexFiles;
  name: string;
  passages: number | null;
}

const DEMO: Chosen = { index: "index/", name: "this demo's index", passages: null };
/** The key under which an address is kept until the tab closes. Files are not kept: that would take a copy. */
const REMEMBERED = "evident-index";

/** The key under which the browser keeps the indexes that the reader has added to the list. */
const ADDED = "evident-indexes";
/** The list that this deployment ships, beside the page. */
const SHIPPED = new URL("indexes.json", document.baseURI).href;

const section = byId("library", HTMLElement);
const address = byId("address", HTMLInputElement);
const page = byId("page", HTMLInputElement);
const choices = byId("library-choices", HTMLDetailsElement);
const indexes = byId("indexes", HTMLElement);
const documents = byId("pick-files", HTMLInputElement);
const folder = byId("pick-folder", HTMLInputElement);
const back = byId("use-demo", HTMLButtonElement);
const stop = byId("library-stop", HTMLButtonElement);
const progress = byId("library-progress", HTMLProgressElement);
const status = byId("library-status", HTMLElement);
const alert = byId("library-alert", HTMLElement);

let chosen = DEMO;
let told = () => {};
let worker: Worker | null = null;

/** The index that the next check is to use. */
export const currentIndex = (): string | IndexFiles => chosen.index;

/** What the page calls it. */
export const currentName = (): string => chosen.name;

/** Follows the reader's choices; `onChosen` is told of each. */
export function openLibrary(onChosen: () => void): void {
  choose(remembered() ?? DEMO);
  told = onChosen;

  byId("address-form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    const isAdded = event.submitter?.id === "add-index";
    void attempt(() => useAddress(address.value, isAdded));
  });
  byId("page-form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    void attempt(() => usePage(page.value));
  });
  choices.addEventListener("toggle", () => {
    if (choices.open) void showIndexes();
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
    choices.querySelector("summary")?.focus(); // the button is gone
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
    choices.open = true;
  }
}

async function useAddress(text: string, isAdded: boolean): Promise<void> {
  const { origin, pathname: path, search } = new URL(addressOf(text));
  if (search) throw new PageError("bad-address", "a query cannot stand in the address of an index");
  const index = origin + path.replace(/manifest\.json$/, "").replace(/\/?$/, "/");
  address.value = index;
  const passages = await use(index, `the index at ${index}`);
  if (!isAdded) return;
  add(withIndex(added(), ownIndex(index, passages)));
  await showIndexes();
}

/** Has answers checked against an index once it was tried; gives its number of passages. */
async function use(index: string, name: string): Promise<number> {
  say("Looking at the index.");
  const { passages } = await ask({ type: "inspect", index }).catch((error: unknown) => explained(error, index));
  choose({ index, name, passages });
  say(`Answers are checked against this index now: ${count(passages, "passage")}.`);
  return passages;
}

/** Lists the known indexes. */
async function showIndexes(): Promise<void> {
  const row = (known: KnownIndex, onRemove?: () => void) =>
    indexRow(known, bytes, () => void attempt(async () => void (await use(known.address, known.name))), onRemove);
  const shipped = (await shippedIndexes(SHIPPED)).map((known) => row(known));
  const own = added().map((known) =>
    row(known, () => {
      add(added().filter(({ address }) => address !== known.address));
      void showIndexes();
    }),
  );
  indexes.replaceChildren(...shipped, ...own);
  byId("known", HTMLElement).hidden = shipped.length + own.length === 0;
}

/** The indexes that the reader has added. */
function added(): KnownIndex[] {
  try {
    return knownIndexes(JSON.parse(localStorage.getItem(ADDED) ?? "[]"), SHIPPED);
  } catch {
    return []; // this browser keeps nothing for the page
  }
}

function add(list: KnownIndex[]): void {
  try {
    localStorage.setItem(ADDED, JSON.stringify(list));
  } catch {
    throw new PageError("bad-address", "this browser keeps no list for this page");
  }
}

async function usePage(text: string): Promise<void> {
  const address = addressOf(text);
  page.value = address;
  say("Reading the page.");
  await build({ type: "page", address }, `the page at ${address}`);
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
  const [only] = documents;
  const name = documents.length === 1 && only ? `your file “${only.name}”` : `your ${documents.length} files`;
  await build({ type: "build", files: documents }, name, leftOut);
}

/** Has answers checked against an index made of documents; `leftOut` counts the files that are none. */
async function build(request: Request, name: string, leftOut = 0): Promise<void> {
  const { passages, files: index, unread = [] } = await ask(request);
  if (!index) throw new Error("the index was not built");
  choose({ index, name, passages });
  say(
    `Answers are checked against your own text now: ${count(passages, "passage")}, kept in memory until this page is closed.${unreadOf(unread, leftOut)}`,
  );
}

/**
 * A worker whose script comes with the headers of an isolated page cannot tell a host that is down from one without
 * CORS.
 */
async function explained(error: unknown, index: string): Promise<never> {
  const unclear = codeOf(error) === "network" && new URL(index).origin !== location.origin;
  if (unclear && (await reaches(`${index}manifest.json`)))
    throw new PageError("index-blocked", `${index} answers, but lets no other site read it`);
  throw error;
}

/** An address of the web, as it can be fetched. */
function addressOf(text: string): string {
  const typed = text.trim();
  if (!typed) throw new PageError("bad-address", "no address was given");
  const url = URL.canParse(typed, document.baseURI) ? new URL(typed, document.baseURI) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new PageError("bad-address", `“${typed}” is not an address of the web`);
  if (url.username || url.password) throw new PageError("bad-address", "a name or a password cannot stand in it");
  if (
    location.protocol === "https:" &&
    url.protocol === "http:" &&
    !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  )
    throw new PageError("bad-address", "this page came by https, and may read nothing that comes by http");
  url.hash = "";
  return url.href;
}

/** Has a worker do one thing. */
function ask(request: Request): Promise<Ready> {
  worker = new Worker("index-worker.js", { type: "module", name: "evident-index" });
  stop.hidden = false;
  progress.hidden = false;
  return work(worker, request, progress, say).finally(settle);
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
  showSubjects(next === DEMO);
  alert.replaceChildren();
  told();
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
