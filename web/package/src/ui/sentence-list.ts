/** The judged sentences as a list: each is a button, named by its verdict, that opens its evidence. */

import type { Sentence, SentenceReport, Stage } from "../report.js";
import { SentenceBadge } from "./badge.js";
import { make } from "./dom.js";
import { isNextKey, mostDoubtful, NextButton, nextFlagged } from "./doubt.js";
import { evidenceBelow } from "./evidence-card.js";
import { objection } from "./objection.js";
import { foremostSource, sourceBadge, sourceNotes } from "./source-notes.js";
import { isFlagged } from "./standing.js";
import type { Wording } from "./strings.js";

export class SentenceList {
  readonly #wording: Wording;
  readonly #hooks: Hooks;
  readonly #items: Item[];
  /** The button that opens the next flagged sentence, for its owner to place. */
  readonly next: NextButton;
  /** The sentence whose evidence is open. */
  opened: number | null = null;

  /** Fills `list` with sentences of which none is judged yet. */
  constructor(list: HTMLElement, sentences: Sentence[], wording: Wording, hooks: Hooks) {
    this.#wording = wording;
    this.#hooks = hooks;
    this.#items = sentences.map(({ text }, index) => {
      const badge = new SentenceBadge(wording, { dots: false });
      const row = make("li", "sentence", badge.element, " ", words(text));
      const [button, panel, cited] = [this.#button(index), this.#panel(index), make("div", "")];
      return { row, badge, button, panel, cited, report: null, dismissed: false };
    });
    this.next = new NextButton(wording, () => this.#goToNext());
    list.replaceChildren(...this.#items.map(({ row }) => row));
    // One list after the other fills this element, and the last one hears its keys.
    list.onkeydown = (event) => {
      if (isNextKey(event)) this.#goToNext();
    };
  }

  /** Says what is being done to a sentence. */
  working(index: number, stage: Stage): void {
    this.#items[index]?.badge.working(stage);
  }

  judged(index: number, report: SentenceReport): void {
    const item = this.#items[index];
    if (!item) return;
    item.badge.judged(report);
    item.row.replaceChildren(item.button, item.panel);
    this.#show(item, report);
    this.next.show(this.undismissed());
  }

  /** Shows what the cited pages of a judged sentence say. */
  sourced(index: number, report: SentenceReport): void {
    const item = this.#items[index];
    if (item?.report) this.#show(item, report);
  }

  /** Shows whether the reader has dismissed the mark of a judged sentence. */
  dismiss(index: number, dismissed: boolean): void {
    const item = this.#items[index];
    if (!item?.report || item.dismissed === dismissed) return;
    item.dismissed = dismissed;
    if (dismissed) item.badge.dismissed();
    else item.badge.judged(item.report);
    this.next.show(this.undismissed());
  }

  /** The reports so far, but for those whose marks the reader has dismissed. */
  undismissed(): (SentenceReport | null)[] {
    return this.#items.map(({ report, dismissed }) => (dismissed ? null : report));
  }

  /** Marks as not checked what was not judged when the work stopped. */
  stop(): void {
    for (const { badge } of this.#items) badge.stop();
  }

  /** Opens a judged sentence's evidence, and no other's. */
  open(index: number): void {
    const item = this.#items[index];
    if (!item?.report || this.opened === index) return;
    this.close();
    if (!item.panel.hasChildNodes())
      item.panel.append(
        ...evidenceBelow(item.report, this.#wording),
        item.cited,
        ...(this.#hooks.more?.(item.report, index) ?? []),
        objection(item.report, item.dismissed, (dismissed) => this.#onDismiss(index, dismissed), this.#wording),
        this.#back(index),
      );
    this.#expand(index, true);
  }

  /** Opens the sentence that asks most for a look, if the evidence speaks against it and the reader opened none. */
  openMostDoubtful(): void {
    const index = mostDoubtful(this.#reports());
    const report = index === null ? null : this.#items[index]?.report;
    if (index !== null && report && isFlagged(report) && this.opened === null) this.open(index);
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

  /** A report's words and badges, and what its sources say. */
  #show(item: Item, report: SentenceReport): void {
    item.report = report;
    const source = foremostSource(report);
    const badges = [item.badge.element, ...(source ? [" ", sourceBadge(source, this.#wording)] : [])];
    item.button.replaceChildren(...badges, " ", words(report.text));
    const fileFor: Parameters<typeof sourceNotes>[2] = ({ state, address }, entry) =>
      state === "unread" ? (this.#hooks.fileFor?.(address, entry) ?? []) : [];
    item.cited.replaceChildren(...sourceNotes(report, this.#wording, fileFor));
  }

  #goToNext(): void {
    const index = nextFlagged(this.undismissed(), this.opened);
    if (index === null) return;
    this.open(index);
    this.goTo(index);
  }

  #reports(): (SentenceReport | null)[] {
    return this.#items.map(({ report }) => report);
  }

  #onDismiss(index: number, dismissed: boolean): void {
    this.dismiss(index, dismissed);
    this.#hooks.onDismiss(index, dismissed);
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

/**
 * What happens beside the list: a sentence's evidence is opened, or all is closed; the reader wants to see a sentence
 * in the text; the reader dismisses a mark, or wants it back. `more` is shown below a sentence's evidence, `fileFor` with
 * a source that could not be read: it takes a file in its place.
 */
interface Hooks {
  onOpen(index: number | null): void;
  onBack(index: number): void;
  onDismiss(index: number, dismissed: boolean): void;
  more?(report: SentenceReport, index: number): Node[];
  fileFor?(address: string, entry: HTMLElement): Node[];
}

/** One sentence: its row holds plain words until it is judged, then the button and the panel that the button opens. */
interface Item {
  row: HTMLLIElement;
  badge: SentenceBadge;
  button: HTMLButtonElement;
  panel: HTMLElement;
  /** In the panel: what its sources say, once they are checked. */
  cited: HTMLElement;
  report: SentenceReport | null;
  dismissed: boolean;
}

function words(text: string): HTMLElement {
  const made = make("span", "words", text);
  made.dir = "auto";
  return made;
}
