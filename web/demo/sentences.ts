/** The answer as a list box of sentences: each coloured, marked and named by its verdict, one of them selected. */

import type { LeftOut, Sentence, SentenceReport, Stage } from "evident-check";
import { kindOf } from "../package/src/ui/findings.js";
import { element, icon } from "./element.js";
import { labelFor, WORDING } from "./format.js";

export class SentenceList {
  readonly #box: HTMLElement;
  readonly #onSelect: (index: number) => void;
  #options: HTMLElement[] = [];
  /** Every sentence, judged or not, with where it stands in the answer. */
  #marked: { start: number; end: number; node: HTMLElement }[] = [];

  constructor(box: HTMLElement, onSelect: (index: number) => void) {
    this.#box = box;
    this.#onSelect = onSelect;
    box.addEventListener("click", ({ target }) => {
      const index = this.#options.findIndex((option) => option.contains(target as Node));
      if (index >= 0) this.#choose(index);
    });
    box.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows the answer with none of its sentences judged yet; what stands between sentences stays as it was. */
  show(answer: string, sentences: Sentence[], leftOut: LeftOut[]): void {
    this.#options = sentences.map(({ start, end }) => {
      const option = element("span", "sentence", answer.slice(start, end));
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.tabIndex = -1;
      return option;
    });
    this.#options.forEach((_, index) => {
      this.#badge(index, "pending", "waiting");
    });
    this.#marked = [
      ...this.#options.flatMap((node, index) => sentences.slice(index, index + 1).map(({ start, end }) => ({ start, end, node }))),
      ...leftOut.map((sentence) => ({ ...sentence, node: unmarked(answer, sentence) })),
    ];
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
    this.#badge(index, "pending", WORDING.say(stage));
    this.#options[index]?.classList.add("working");
  }

  judged(index: number, report: SentenceReport): void {
    const { verdict } = report;
    const option = this.#options[index];
    if (!option) return;
    option.classList.remove("working");
    option.classList.add(verdict);
    this.#badge(index, verdict, labelFor(report));
  }

  /** Marks as not checked what was not judged when the work stopped. */
  stop(): void {
    this.#options.forEach((option, index) => {
      option.classList.remove("working");
      if (option.querySelector(".badge.pending")) this.#badge(index, "pending", "not checked");
    });
  }

  select(index: number): void {
    this.#options.forEach((option, i) => option.setAttribute("aria-selected", String(i === index)));
    this.#makeReachable(index);
  }

  /** Moves the focus to the selected sentence. */
  focus(): void {
    this.#options.find(({ tabIndex }) => tabIndex === 0)?.focus();
  }

  /** Goes to the sentence at a place of the answer: one that was judged is chosen, another outlined. */
  goTo(place: number): void {
    for (const { start, end, node } of this.#marked) {
      const here = start <= place && place < end;
      const index = this.#options.indexOf(node);
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
    const current = this.#options.findIndex((option) => option === event.target);
    if (current < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const forward = getComputedStyle(this.#box).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const last = this.#options.length - 1;
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
    this.#options[index]?.focus();
  }

  /** Exactly one sentence is in the tab order. */
  #makeReachable(index: number): void {
    this.#options.forEach((option, i) => {
      option.tabIndex = i === index ? 0 : -1;
    });
  }

  #badge(index: number, kind: string, word: string): void {
    const option = this.#options[index];
    option?.querySelector(".badge")?.remove();
    option?.append(element("span", `badge ${kind}`, icon(kind), word));
  }
}

/** A sentence that is not judged, and why. */
function unmarked(answer: string, { start, end, kind }: LeftOut): HTMLElement {
  return element("span", "left-out", answer.slice(start, end), element("span", "badge", kindOf(kind, WORDING)));
}
