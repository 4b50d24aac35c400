/** The answer as a list box of sentences: each coloured, marked and named by its verdict, one of them selected. */

import type { LeftOut, Sentence, SentenceReport, Span, Stage } from "../report.js";
import { SentenceBadge } from "./badge.js";
import { CSS_NAME, make } from "./dom.js";
import { kindOf } from "./findings.js";
import type { Wording } from "./strings.js";

export class AnswerText {
  readonly #box: HTMLElement;
  readonly #wording: Wording;
  readonly #onSelect: (index: number) => void;
  #items: Item[] = [];
  /** Every sentence, judged or not, with where it stands in the answer. */
  #marked: (Span & { node: HTMLElement })[] = [];

  /** `box` has the role of a list box; `onSelect` is told which sentence the reader chooses. */
  constructor(box: HTMLElement, wording: Wording, onSelect: (index: number) => void) {
    this.#box = box;
    this.#wording = wording;
    this.#onSelect = onSelect;
    box.addEventListener("click", ({ target }) => {
      const index = this.#items.findIndex(({ option }) => option.contains(target as Node));
      if (index >= 0) this.#choose(index);
    });
    box.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows the answer with none of its sentences judged yet; what stands between sentences stays as it was. */
  show(answer: string, sentences: Sentence[], leftOut: LeftOut[]): void {
    const marked = sentences.map(({ start, end }) => {
      const badge = new SentenceBadge(this.#wording, { dots: true });
      const option = make("span", "sentence", answer.slice(start, end), badge.element);
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      return { start, end, node: option, item: { option, badge } };
    });
    this.#items = marked.map(({ item }) => item);
    this.#marked = [...marked, ...leftOut.map((sentence) => ({ ...sentence, node: this.#leftOut(answer, sentence) }))];
    const parts: (Node | string)[] = [];
    let at = 0;
    for (const { start, end, node } of this.#marked.sort((a, b) => a.start - b.start)) {
      parts.push(answer.slice(at, start), node);
      at = end;
    }
    this.#box.replaceChildren(...parts, answer.slice(at));
    this.#makeReachable(0);
  }

  /** Says what is being done to a sentence. */
  working(index: number, stage: Stage): void {
    this.#items[index]?.badge.working(stage);
    this.#items[index]?.option.classList.add("working");
  }

  judged(index: number, report: SentenceReport): void {
    const item = this.#items[index];
    if (!item) return;
    item.option.classList.remove("working");
    item.option.classList.add(CSS_NAME[report.verdict]);
    item.badge.judged(report);
  }

  /** Marks as not checked what was not judged when the work stopped. */
  stop(): void {
    for (const { option, badge } of this.#items) {
      option.classList.remove("working");
      badge.stop();
    }
  }

  select(index: number): void {
    this.#items.forEach(({ option }, i) => option.setAttribute("aria-selected", String(i === index)));
    this.#makeReachable(index);
  }

  /** Moves the focus to the selected sentence. */
  focus(): void {
    this.#items.find(({ option }) => option.tabIndex === 0)?.option.focus();
  }

  /** Goes to the sentence at a place of the answer: one that was judged is chosen, another outlined. */
  goTo(place: number): void {
    for (const { start, end, node } of this.#marked) {
      const here = start <= place && place < end;
      const index = this.#items.findIndex(({ option }) => option === node);
      node.classList.toggle("sought", here && index < 0);
      if (!here) continue;
      if (index < 0) node.scrollIntoView({ block: "center" });
      else {
        this.#choose(index);
        this.#go(index);
      }
    }
  }

  #key(event: KeyboardEvent): void {
    const current = this.#items.findIndex(({ option }) => option === event.target);
    if (current < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const forward = getComputedStyle(this.#box).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const last = this.#items.length - 1;
    if (event.key === "Enter" || event.key === " ") this.#choose(current);
    else if (event.key === "Home") this.#go(0);
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
    this.#items[index]?.option.focus();
  }

  /** Exactly one sentence is in the tab order. */
  #makeReachable(index: number): void {
    this.#items.forEach(({ option }, i) => {
      option.tabIndex = i === index ? 0 : -1;
    });
  }

  /** A sentence that is not judged, and why. */
  #leftOut(answer: string, { start, end, kind }: LeftOut): HTMLElement {
    return make("span", "left-out", answer.slice(start, end), make("span", "badge", kindOf(kind, this.#wording)));
  }
}

/** A sentence that is or will be judged. */
interface Item {
  option: HTMLElement;
  badge: SentenceBadge;
}
