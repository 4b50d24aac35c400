/** The judged sentences as a list: each is a button, named by its verdict, that opens its evidence. */

import type { Sentence, SentenceReport, Stage } from "../index.js";
import { CSS_NAME, icon, make } from "./dom.js";
import { evidenceOf } from "./evidence-card.js";
import { labelOf, standingOf, standings, verdictOf } from "./standing.js";
import type { Wording } from "./strings.js";

export class SentenceList {
  readonly #list: HTMLElement;
  readonly #wording: Wording;
  readonly #hooks: Hooks;
  readonly #items: Item[];
  /** The sentence whose evidence is open. */
  opened: number | null = null;

  /** Fills `list` with sentences of which none is judged yet. */
  constructor(list: HTMLElement, sentences: Sentence[], wording: Wording, hooks: Hooks) {
    this.#list = list;
    this.#wording = wording;
    this.#hooks = hooks;
    this.#items = sentences.map(({ text }, index) => ({
      row: make("li", "sentence", badge("pending", wording.say("waiting")), " ", words(text)),
      button: this.#button(index),
      panel: this.#panel(index),
      report: null,
    }));
    list.replaceChildren(...this.#items.map(({ row }) => row));
  }

  /** Says what is being done to a sentence. */
  working(index: number, stage: Stage): void {
    this.#items[index]?.row.querySelector(".pending")?.replaceWith(badge("pending working", this.#wording.say(stage)));
  }

  judged(index: number, report: SentenceReport): void {
    const item = this.#items[index];
    if (!item) return;
    const { verdict, score, text } = report;
    const label = labelOf(standingOf(report), score, this.#wording);
    item.report = report;
    item.button.replaceChildren(badge(CSS_NAME[verdict], icon(verdict), label), " ", words(text));
    item.row.replaceChildren(item.button, item.panel);
  }

  /** Marks as not checked what was not judged when the work stopped. */
  stop(): void {
    for (const pending of this.#list.querySelectorAll(".pending")) pending.replaceWith(badge("pending", this.#wording.say("notChecked")));
  }

  /** Opens a judged sentence's evidence, and no other's. */
  open(index: number): void {
    const item = this.#items[index];
    if (!item?.report || this.opened === index) return;
    this.close();
    if (!item.panel.hasChildNodes()) item.panel.append(...evidenceOf(item.report, this.#wording), this.#back(index));
    this.#expand(index, true);
  }

  /** Closes the evidence that is open; the focus does not stay behind in it. */
  close(): void {
    const item = this.opened === null ? undefined : this.#items[this.opened];
    if (!item || this.opened === null) return;
    if (item.panel.matches(":focus-within")) item.button.focus();
    this.#expand(this.opened, false);
  }

  /** Moves the focus to a sentence. */
  goTo(index: number): void {
    this.#items[index]?.button.focus({ preventScroll: true });
    this.#items[index]?.row.scrollIntoView({ block: "nearest" });
  }

  #expand(index: number, open: boolean): void {
    const item = this.#items[index];
    item?.button.setAttribute("aria-expanded", String(open));
    if (item) item.panel.hidden = !open;
    this.opened = open ? index : null;
    this.#hooks.onOpen(this.opened);
  }

  #button(index: number): HTMLButtonElement {
    const button = make("button", "sentence-button");
    button.type = "button";
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-controls", `evidence-${index}`);
    button.addEventListener("click", () => (this.opened === index ? this.close() : this.open(index)));
    return button;
  }

  #back(index: number): HTMLButtonElement {
    const button = make("button", "back", this.#wording.say("back"));
    button.type = "button";
    button.addEventListener("click", () => this.#hooks.onBack(index));
    return button;
  }

  #panel(index: number): HTMLElement {
    const panel = make("div", "evidence");
    panel.id = `evidence-${index}`;
    panel.hidden = true;
    panel.setAttribute("role", "group");
    panel.setAttribute("aria-label", this.#wording.say("evidence"));
    return panel;
  }
}

/** What happens beside the list: a sentence's evidence is opened, or all is closed; the reader wants to see a sentence in the text. */
interface Hooks {
  onOpen(index: number | null): void;
  onBack(index: number): void;
}

/** One sentence: its row holds plain words until it is judged, then the button and the panel that the button opens. */
interface Item {
  row: HTMLLIElement;
  button: HTMLButtonElement;
  panel: HTMLElement;
  report: SentenceReport | null;
}

/** How many sentences stand how; with the icons it is the legend as well. */
export function summaryOf(judged: (SentenceReport | undefined)[], wording: Wording): Node[] {
  return standings(judged.filter((sentence) => sentence !== undefined)).map(([standing, number]) => {
    const verdict = verdictOf(standing);
    return make("li", "", badge(CSS_NAME[verdict], icon(verdict), `${wording.say(standing)}: ${number.toLocaleString(wording.lang)}`));
  });
}

function badge(kind: string, ...children: (Node | string)[]): HTMLElement {
  return make("span", `badge ${kind}`, ...children);
}

function words(text: string): HTMLElement {
  const made = make("span", "words", text);
  made.dir = "auto";
  return made;
}
