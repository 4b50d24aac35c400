/**
 * Marks of judged sentences: highlights on the page's own text nodes, which leave its DOM as it is, or marks in a copy
 * of the text where the browser has no CSS Custom Highlight API and where the text stands in a field.
 */

import type { Markup, Span } from "../report.js";
import { CSS_NAME, make } from "./dom.js";
import type { PageText } from "./page-text.js";
import { RenderedAnswer } from "./rendered.js";
import type { Look } from "./standing.js";
import type { Wording } from "./strings.js";
import { highlightStyle, SHARED } from "./style.js";

/** The marks of one checked text; sentences go by their index. */
export interface Marks {
  /** Marks a sentence by its look, and the words of it, at these places of the text, that are wrong. */
  mark(index: number, look: Look, wrong?: Span[]): void;
  /** Takes a sentence's mark away, with those of its words. */
  unmark(index: number): void;
  /** Shows which sentence's evidence is open. */
  open(index: number | null): void;
  /** The marked sentence under the pointer. */
  at(event: MouseEvent): number | null;
  /** Scrolls a sentence into view. */
  reveal(index: number): void;
  clear(): void;
}

/** Elements that a click in a marked text may be meant for. */
export const INTERACTIVE =
  "a[href], button, input, select, textarea, summary, label, [contenteditable], [role=button], [role=link]";

/** Whether the browser has the CSS Custom Highlight API. */
export const hasHighlights = (): boolean => typeof Highlight === "function" && "highlights" in CSS;

/** The highlight of this name. All that mark under it share it. */
function shared(name: string): Highlight {
  const found = CSS.highlights.get(name) ?? new Highlight();
  CSS.highlights.set(name, found);
  return found;
}

const OPEN = "open";
const WRONG = "wrong";
const NAMES = [...Object.values(CSS_NAME), WRONG, OPEN];

export class HighlightMarks implements Marks {
  /** What the names of its highlights begin with. */
  protected readonly prefix: string;
  readonly #root: Document | ShadowRoot;
  readonly #text: PageText;
  readonly #ranges: (Range | null)[];
  readonly #wrong: Range[][] = [];
  readonly #dresses: boolean;

  /**
   * @param target is the element that holds the text.
   * @param prefix is what the names of the highlights begin with, where somebody else brings their style. Without it they
   * have the names that all elements of a page share, and these marks put the style into the target's tree.
   */
  constructor(target: Element, text: PageText, sentences: Span[], prefix?: string) {
    this.#root = target.getRootNode() as Document | ShadowRoot;
    this.#text = text;
    this.#ranges = sentences.map((sentence) => text.range(sentence));
    this.prefix = prefix ?? SHARED;
    this.#dresses = !prefix;
    if (this.#dresses) dress(this.#root, 1);
  }

  mark(index: number, look: Look, wrong: Span[] = []): void {
    const range = this.#ranges[index];
    if (range) this.put(CSS_NAME[look], range);
    for (const word of wrong) {
      const found = this.#text.range(word);
      if (!found) continue;
      (this.#wrong[index] ??= []).push(found);
      this.put(WRONG, found);
    }
  }

  unmark(index: number): void {
    this.#remove(
      NAMES.filter((name) => name !== OPEN),
      [this.#ranges[index] ?? null, ...(this.#wrong[index] ?? [])],
    );
  }

  open(index: number | null): void {
    this.#remove([OPEN]);
    const range = index === null ? null : this.#ranges[index];
    if (range) this.put(OPEN, range);
  }

  at({ clientX: x, clientY: y }: MouseEvent): number | null {
    const caret = caretAt(x, y, this.#root);
    if (!caret) return null;
    // The nearest caret may be that of a sentence which ends beside the pointer.
    const covers = ({ left, right, top, bottom }: DOMRect) => left <= x && x <= right && top <= y && y <= bottom;
    const found = this.#ranges.findIndex(
      (range) =>
        range &&
        isIn(range, caret) &&
        [...range.getClientRects()].some(covers) &&
        NAMES.some((name) => CSS.highlights.get(this.prefix + name)?.has(range)),
    );
    return found < 0 ? null : found;
  }

  reveal(index: number): void {
    this.#ranges[index]?.startContainer.parentElement?.scrollIntoView({ block: "center" });
  }

  clear(): void {
    this.#remove(NAMES);
    if (this.#dresses) dress(this.#root, -1);
  }

  /** Adds a range to the highlight of this name. */
  protected put(name: string, range: Range): void {
    shared(this.prefix + name).add(range);
  }

  #remove(names: string[], ranges = [...this.#ranges, ...this.#wrong.flat()]): void {
    for (const name of names) {
      const highlight = CSS.highlights.get(this.prefix + name);
      for (const range of ranges) if (range) highlight?.delete(range);
      if (highlight?.size === 0) CSS.highlights.delete(this.prefix + name);
    }
  }
}

/** How many texts are marked under each root. A root has the style of the highlights as long as there is one. */
const marked = new WeakMap<Document | ShadowRoot, number>();

function dress(root: Document | ShadowRoot, more: 1 | -1): void {
  const count = (marked.get(root) ?? 0) + more;
  marked.set(root, count);
  const others = root.adoptedStyleSheets.filter((sheet) => sheet !== highlightStyle());
  root.adoptedStyleSheets = count > 0 ? [...others, highlightStyle()] : others;
}

interface Caret {
  node: Node;
  offset: number;
}

function caretAt(x: number, y: number, root: Document | ShadowRoot): Caret | null {
  if ("caretPositionFromPoint" in document) {
    const caret = document.caretPositionFromPoint(x, y, { shadowRoots: root instanceof ShadowRoot ? [root] : [] });
    return caret && { node: caret.offsetNode, offset: caret.offset };
  }
  const range = (document as Document).caretRangeFromPoint(x, y);
  return range && { node: range.startContainer, offset: range.startOffset };
}

function isIn(range: Range, { node, offset }: Caret): boolean {
  return node.getRootNode() === range.startContainer.getRootNode() && range.isPointInRange(node, offset);
}

export class CopyMarks implements Marks {
  readonly #box: HTMLElement;
  readonly #rendered: RenderedAnswer;
  readonly #spans: HTMLElement[][];

  /** Fills `box` with the text, as its Markdown says. */
  constructor(box: HTMLElement, blocks: Markup[], sentences: Span[], wording: Wording) {
    this.#box = box;
    this.#rendered = new RenderedAnswer(blocks, wording);
    this.#spans = sentences.map((sentence) => this.#rendered.wrap(sentence, () => make("mark", "")));
    box.replaceChildren(...this.#rendered.nodes);
    box.hidden = false;
  }

  mark(index: number, look: Look, wrong: Span[] = []): void {
    for (const span of this.#spans[index] ?? []) {
      span.className = `marked ${CSS_NAME[look]}`;
      span.setAttribute("part", span.className);
    }
    for (const word of wrong) this.#rendered.wrap(word, () => make("u", "wrong"));
  }

  unmark(index: number): void {
    for (const span of this.#spans[index] ?? []) {
      span.className = "";
      span.removeAttribute("part");
      for (const word of span.querySelectorAll("u.wrong")) word.className = "";
    }
  }

  open(index: number | null): void {
    this.#spans.forEach((spans, i) => {
      for (const span of spans) span.classList.toggle("open", i === index);
    });
  }

  at(event: MouseEvent): number | null {
    const path = event.composedPath();
    const isMarked = (span: HTMLElement) => path.includes(span) && span.classList.contains("marked");
    const found = this.#spans.findIndex((spans) => spans.some(isMarked));
    return found < 0 ? null : found;
  }

  reveal(index: number): void {
    this.#spans[index]?.[0]?.scrollIntoView({ block: "center" });
  }

  clear(): void {
    this.#box.replaceChildren();
    this.#box.hidden = true;
  }
}
