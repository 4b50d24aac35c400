/** The list of earlier checks, and the switch by which the reader has none kept. */

import { byId, make } from "../package/src/ui/dom.js";
import { timeOf } from "./format.js";
import { type Entry, forgetCheck, forgetChecks, type KeptCheck, keepCheck, keptCheck, keptChecks } from "./kept.js";

/** The key of the switch, which has a value only where it is off. */
const SWITCH = "evident-checks";
const OFF = "off";

const NOT_DELETED = "The browser did not delete what it keeps. Try again, or clear this page's data in its settings.";

const section = byId("earlier", HTMLElement);
const details = byId("earlier-details", HTMLDetailsElement);
const list = byId("earlier-list", HTMLElement);
const status = byId("earlier-status", HTMLElement);
const keep = byId("keep", HTMLInputElement);

let onOpen: (check: KeptCheck) => void;
/** Whether the reader knows that this browser keeps no check. */
let isTold = false;

/** Follows the switch and the list; `open` is given the check that the reader chooses. */
export function openEarlier(open: (check: KeptCheck) => void): void {
  onOpen = open;
  keep.checked = isOn();
  keep.addEventListener("change", () => void turn());
  byId("forget-all", HTMLButtonElement).addEventListener("click", () => void forgetAll(say));
  details.addEventListener("toggle", () => {
    if (details.open) void refresh(); // another tab may have kept more
  });
  window.addEventListener("storage", ({ key }) => {
    if (key === SWITCH) keep.checked = isOn();
  });
  void refresh();
}

/** The check that ended last; null if none is kept. */
export async function lastCheck(): Promise<KeptCheck | null> {
  try {
    const [last] = await keptChecks();
    return (last && (await keptCheck(last.at))) ?? null;
  } catch {
    return null; // this browser keeps nothing for the page
  }
}

/** Keeps a check, unless the reader has switched that off. If the browser cannot, the reader is told once. */
export async function keepEarlier(check: KeptCheck): Promise<void> {
  if (!keep.checked || !isOn()) return;
  try {
    show(await keepCheck(check));
  } catch {
    if (isTold) return;
    isTold = true;
    const why = "This browser could not keep this check: it has no room, or keeps nothing for this page.";
    notify(`${why} All else works as before.`);
  }
}

function isOn(): boolean {
  try {
    return localStorage.getItem(SWITCH) !== OFF;
  } catch {
    return true; // where no choice can be kept, a check hardly can
  }
}

/** Follows the switch: what is kept goes when it is turned off. */
async function turn(): Promise<void> {
  const isOff = !keep.checked;
  try {
    if (isOff) localStorage.setItem(SWITCH, OFF);
    else localStorage.removeItem(SWITCH);
  } catch {
    notify("This browser did not store your choice: it holds until this page is closed.");
  }
  if (isOff) await forgetAll(notify);
}

async function refresh(): Promise<void> {
  await keptChecks().then(show, () => undefined); // a browser that keeps nothing has no list
}

async function forget(at: number): Promise<void> {
  await forgetCheck(at).then(show, () => say(NOT_DELETED));
}

/** Forgets all checks; `tell` is where the reader looks if the browser fails. */
async function forgetAll(tell: (text: string) => void): Promise<void> {
  await forgetChecks().then(
    () => show([]),
    () => tell(NOT_DELETED),
  );
}

async function open(at: number): Promise<void> {
  const check = await keptCheck(at).catch(() => undefined);
  say(check ? "" : "This check is no longer kept.");
  if (check) onOpen(check);
  else await refresh();
}

function show(entries: Entry[]): void {
  const [isInside, isInList] = [section, list].map((part) => part.matches(":focus-within"));
  list.replaceChildren(...entries.map(row));
  section.hidden = entries.length === 0;
  // The button that had the focus is gone.
  if (isInside && section.hidden) byId("check", HTMLButtonElement).focus();
  else if (isInList) details.querySelector("summary")?.focus();
}

function row({ at, words, tally }: Entry): HTMLElement {
  const name = button("link", words, () => void open(at));
  name.dir = "auto";
  const forgets = button("", "Forget", () => void forget(at));
  forgets.setAttribute("aria-label", `Forget “${words}”`);
  return make("li", "", name, " ", make("span", "hint", `${timeOf(at)} · ${tally}`), " ", forgets);
}

function button(part: string, label: string, act: () => void): HTMLButtonElement {
  const made = make("button", part, label);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/** Says something beside the list. */
function say(text: string): void {
  status.textContent = text;
}

/** Says something below the form, where the switch is. */
function notify(text: string): void {
  byId("notice", HTMLElement).append(make("p", "", text));
}
