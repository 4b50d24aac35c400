/**
 * The answer itself, rendered: each judged sentence shaded by its verdict, its wrong words marked, and behind it a button
 * that says how it stands and opens its evidence. One of the sentences is selected.
 */

import type { LeftOut, Markup, Sentence, SentenceReport, Span, Stage } from "../report.js";
import { wrongWords } from "./alignment.js";
import { SentenceBadge } from "./badge.js";
import { CSS_NAME, make } from "./dom.js";
import { isNextKey, nextFlagged } from "./doubt.js";
import { kindOf } from "./findings.js";
import { INTERACTIVE } from "./marks.js";
import { putBehind, RenderedAnswer } from "./rendered.js";
import { foremostSource, sourceBadge } from "./source-notes.js";
import { lookOf, standingOf } from "./standing.js";
import type { Wording } from "./strings.js";

export class AnswerText {
  readonly #box: HTMLElement;
  readonly #wording: Wording;
  readonly #onSelect: (index: number) => void;
  #answer = "";
  #rendered: RenderedAnswer | null = null;
  #items: Item[] = [];
  #leftOut: (Span & { marks: HTMLElement[] })[] = [];
  #selected: number | null = null;

  /** `onSelect` is told which sentence the reader chooses. */
  constructor(box: HTMLElement, wording: Wording, onSelect: (index: number) => void) {
    this.#box = box;
    this.#wording = wording;
    this.#onSelect = onSelect;
    box.addEventListener("click", (event) => this.#click(event));
    box.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows the answer with none of its sentences judged yet. */
  show(answer: string, blocks: Markup[], sentences: Sentence[], leftOut: LeftOut[]): void {
    const rendered = new RenderedAnswer(blocks, this.#wording);
    [this.#answer, this.#rendered] = [answer, rendered];
    this.#items = sentences.map(({ start, end, text }, index) => {
      const badge = new SentenceBadge(this.#wording, { dots: true });
      const button = make("button", "sentence-button", badge.element);
      button.type = "button";
      button.id = `sentence-${index}`;
      const cut = start + answer.slice(start, end).lastIndexOf(" ") + 1; // where the last word begins
      const create = () => make("mark", "sentence");
      const marks = [
        { start, end: cut },
        { start: cut, end },
      ].flatMap((part) => rendered.wrap(part, create));
      for (const mark of marks) mark.setAttribute("aria-details", button.id);
      const last = marks.at(-1);
      if (last) keepTogether(last, button);
      return { start, end, text, button, badge, marks, report: null, source: null, dismissed: false };
    });
    this.#leftOut = leftOut.map(({ start, end, kind }) => {
      const part = kind === "fragment" ? "left-out fragment" : "left-out";
      const marks = rendered.wrap({ start, end }, () => make("span", part));
      const last = marks.at(-1);
      // That a heading or a lead-in is no claim goes without saying.
      if (last && kind !== "fragment") putBehind(last, make("span", "badge no-claim", kindOf(kind, this.#wording)));
      return { start, end, marks };
    });
    this.#selected = null;
    this.#box.replaceChildren(...rendered.nodes);
    this.#makeReachable(0);
  }

  /** Says what is being done to a sentence. */
  working(index: number, stage: Stage): void {
    const item = this.#items[index];
    item?.badge.working(stage);
    for (const mark of item?.marks ?? []) mark.classList.add("working");
  }

  judged(index: number, report: SentenceReport): void {
    const item = this.#items[index];
    if (!item) return;
    item.report = report;
    item.badge.judged(report);
    item.button.setAttribute("aria-label", `${this.#wording.say(standingOf(report))}: ${item.text}`);
    for (const mark of item.marks) {
      mark.classList.remove("working");
      mark.classList.add(CSS_NAME[lookOf(standingOf(report))]);
    }
    for (const word of wrongWords(report, this.#answer)) this.#rendered?.wrap(word, () => make("u", "wrong"));
  }

  /** Says behind a judged sentence what its cited pages say. */
  sourced(index: number, report: SentenceReport): void {
    const item = this.#items[index];
    const source = foremostSource(report);
    if (!item || !source) return;
    item.report = report;
    item.source?.remove();
    item.source = sourceBadge(source, this.#wording);
    item.button.after(item.source);
  }

  /** Shows a judged sentence without its mark, or with it again. */
  dismiss(index: number, dismissed: boolean): void {
    const item = this.#items[index];
    if (!item?.report) return;
    item.dismissed = dismissed;
    for (const mark of item.marks) mark.classList.toggle("dismissed", dismissed);
    if (dismissed) item.badge.dismissed();
    else item.badge.judged(item.report);
    const said = this.#wording.say(dismissed ? "dismissed" : standingOf(item.report));
    item.button.setAttribute("aria-label", `${said}: ${item.text}`);
  }

  isDismissed(index: number): boolean {
    return this.#items[index]?.dismissed ?? false;
  }

  /** The reports so far, but for those whose marks the reader has dismissed. */
  undismissed(): (SentenceReport | null)[] {
    return this.#items.map(({ report, dismissed }) => (dismissed ? null : report));
  }

  /** Marks as not checked what was not judged when the work stopped. */
  stop(): void {
    for (const { marks, badge } of this.#items) {
      for (const mark of marks) mark.classList.remove("working");
      badge.stop();
    }
  }

  select(index: number): void {
    this.#selected = index;
    this.#items.forEach(({ button, marks }, i) => {
      button.setAttribute("aria-current", String(i === index));
      for (const mark of marks) mark.classList.toggle("selected", i === index);
    });
    this.#makeReachable(index);
  }

  /** Moves the focus to the selected sentence. */
  focus(): void {
    this.#items.find(({ button }) => button.tabIndex === 0)?.button.focus();
  }

  /** Chooses the next sentence that the evidence speaks against, and goes there. */
  next(): void {
    const index = nextFlagged(this.undismissed(), this.#selected);
    if (index === null) return;
    this.#choose(index);
    this.#go(index);
  }

  /** Goes to the sentence at a place of the answer: one that was judged is chosen, another outlined. */
  goTo(place: number): void {
    const isThere = ({ start, end }: Span) => start <= place && place < end;
    for (const { marks, ...span } of this.#leftOut) {
      for (const mark of marks) mark.classList.toggle("sought", isThere(span));
      if (isThere(span)) marks[0]?.scrollIntoView({ block: "center" });
    }
    const index = this.#items.findIndex(isThere);
    if (index < 0) return;
    this.#choose(index);
    this.#go(index);
  }

  #click({ target }: MouseEvent): void {
    if (!(target instanceof Element)) return;
    const index = this.#items.findIndex(
      ({ button, marks }) => button.contains(target) || marks.some((mark) => mark.contains(target)),
    );
    const item = this.#items[index];
    if (!item || (target.closest(INTERACTIVE) ?? item.button) !== item.button || !getSelection()?.isCollapsed) return;
    this.#choose(index);
  }

  #key(event: KeyboardEvent): void {
    if (isNextKey(event)) this.next();
    const current = this.#items.findIndex(({ button }) => button === event.target);
    if (current < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const forward = getComputedStyle(this.#box).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const last = this.#items.length - 1;
    if (event.key === "Home") this.#go(0);
    else if (event.key === "End") this.#go(last);
    else if (event.key === "ArrowDown" || event.key === forward) this.#go(Math.min(current + 1, last));
    else if (event.key.startsWith("Arrow")) this.#go(Math.max(current - 1, 0));
    else return;
    event.preventDefault();
  }

  #choose(index: number): void {
    this.select(index);
    this.#onSelect(index);
  }

  #go(index: number): void {
    this.#makeReachable(index);
    this.#items[index]?.button.focus();
  }

  /** Exactly one sentence is in the tab order. */
  #makeReachable(index: number): void {
    this.#items.forEach(({ button }, i) => {
      button.tabIndex = i === index ? 0 : -1;
    });
  }
}

/** The longest word, in characters, that its sentence's button is kept on one line with. */
const KEPT = 24;

/** Puts a sentence's button behind its last word, on the same line if the word is short. */
function keepTogether(last: HTMLElement, button: HTMLElement): void {
  const isShort = (last.textContent ?? "").length <= KEPT;
  if (!isShort || last.closest("a, code")) return putBehind(last, button);
  const kept = make("span", "kept");
  last.replaceWith(kept);
  kept.append(last, button);
}

/** A sentence that is or will be judged. */
interface Item extends Span {
  text: string;
  button: HTMLButtonElement;
  badge: SentenceBadge;
  /** Its stretches in the rendered answer. */
  marks: HTMLElement[];
  report: SentenceReport | null;
  /** What its sources say, once they are checked. */
  source: HTMLElement | null;
  dismissed: boolean;
}
