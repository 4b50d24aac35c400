/**
 * Offers to ask a wiki about the sentences that the evidence leaves open. The reader sees what it would be sent before
 * it is sent anything, and is asked once for each wiki until the page is closed.
 */

import { type Report, type WikiWords, wikiWords } from "evident-check";
import { byId, make } from "../package/src/ui/dom.js";
import { SEEN_BY_WIKI, WikiChoice, wikiName } from "../package/src/ui/wiki-choice.js";
import { explain } from "./advice.js";
import { count } from "./format.js";

/** How many names are shown as an example. */
const SHOWN = 12;

/** The keys of the wiki that is asked, and of those that the reader has agreed to. */
const CHOSEN = "evident-wiki";
const AGREED = "evident-wikis";

const section = byId("wiki", HTMLElement);
const line = byId("wiki-line", HTMLElement);
let chosen = kept(CHOSEN);

/** The address of the api.php of the wiki that the next check asks. */
export const currentWiki = (): string | undefined => chosen || undefined;

/** Follows the reader's choice; `onChosen` is told when it changes without a check. */
export function openWikis(onChosen: () => void): void {
  byId("wiki-stop", HTMLButtonElement).addEventListener("click", () => {
    choose("");
    onChosen();
    byId("check", HTMLButtonElement).focus(); // the button is gone
  });
  showLine();
}

export function hideWiki(): void {
  section.hidden = true;
  section.replaceChildren();
}

/** Offers a wiki for what a report leaves open; `ask` checks again, with the wiki. */
export function offerWiki({ sentences, sources }: Report, ask: () => void): void {
  hideWiki();
  const failed = sources.find(({ kind, failed }) => kind === "live" && failed)?.failed;
  const open = sentences.filter(({ verdict }) => verdict === "noEvidence");
  if (open.length === 0 || (chosen && !failed)) return;
  section.hidden = false;
  const heading = make("h3", "", failed ? "The wiki was not asked" : "Ask a wiki");
  const why = failed
    ? `${failed.message}.`
    : `${count(open.length, "sentence")} ${open.length === 1 ? "is" : "are"} not settled by this evidence. A wiki may settle ${open.length === 1 ? "it" : "them"}.`;
  section.replaceChildren(heading, make("p", "", why), wikiForm(open, ask));
}

/** The choice of a wiki, and then what it would be sent. */
function wikiForm(open: Report["sentences"], ask: () => void): HTMLElement {
  const form = make("form", "wiki");
  const choice = make("select", "");
  choice.setAttribute("aria-label", "Which wiki");
  const address = make("input", "");
  const wikis = new WikiChoice(choice, address);
  if (chosen) wikis.wiki = chosen;
  const next = make("button", "primary", "Ask it");
  const alert = make("div", "alert");
  alert.setAttribute("role", "alert");
  form.append(make("div", "actions", choice, address, next), alert);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { wiki } = wikis;
    if (!wiki) return address.focus();
    if (agreed().includes(wiki)) return begin(wiki, ask);
    next.disabled = true;
    alert.replaceChildren();
    wikiWords(open)
      .then((words) => form.replaceWith(consent(wiki, words, ask, form)))
      .catch((thrown) => alert.replaceChildren(...explain(thrown)))
      .finally(() => (next.disabled = false));
  });
  return form;
}

/** Says what a wiki would be sent; `back` takes its place again if the reader refuses. */
function consent(wiki: string, words: WikiWords[], ask: () => void, back: HTMLElement): HTMLElement {
  const host = URL.canParse(wiki) ? new URL(wiki).host : wiki;
  const names = [...new Set(words.flatMap(({ names }) => names))];
  const [search] = words.flatMap(({ search }) => search || []);
  const sent = names.slice(0, SHOWN).join(", ") + (names.length > SHOWN ? ", …" : "");
  const agree = make("button", "primary", "Send that, and check again");
  const refuse = make("button", "", "Do not ask");
  const made = make(
    "div",
    "",
    make("p", "", make("bdi", "", host), " will be sent names, to see which have an article: ", make("q", "", sent)),
    ...(search
      ? [make("p", "", "Where none of them has one it is searched for a few words: ", make("q", "", search))]
      : []),
    make("p", "hint", SEEN_BY_WIKI),
    make("div", "actions", agree, refuse),
  );
  agree.type = refuse.type = "button";
  agree.addEventListener("click", () => {
    keep(AGREED, JSON.stringify([...agreed(), wiki]));
    begin(wiki, ask);
  });
  refuse.addEventListener("click", () => made.replaceWith(back));
  queueMicrotask(() => agree.focus());
  return made;
}

function begin(wiki: string, ask: () => void): void {
  choose(wiki);
  ask();
}

function choose(wiki: string): void {
  chosen = wiki;
  keep(CHOSEN, wiki);
  showLine();
}

function showLine(): void {
  line.hidden = !chosen;
  byId("wiki-name", HTMLElement).textContent = wikiName(chosen);
}

function agreed(): string[] {
  return JSON.parse(kept(AGREED) || "[]") as string[];
}

/** What this tab keeps for the page; "" if nothing. */
function kept(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function keep(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // This browser keeps nothing for the page: the reader is asked again.
  }
}
