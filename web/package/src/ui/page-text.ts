/**
 * The text of a page's element as the engine reads it, in which every character still knows where it stands in the DOM.
 */

import type { Span } from "../report.js";

/** Elements whose text is no prose. */
const SKIPPED =
  "script, style, noscript, template, textarea, select, button, svg, math, iframe, object, audio, video, canvas, pre code, rp, rt, [aria-hidden=true]";

/** The marks that Markdown puts before these blocks. The engine knows the blocks by them. */
const BLOCK_MARKS: Record<string, string> = { h1: "# ", h2: "# ", h3: "# ", h4: "# ", h5: "# ", h6: "# ", li: "- " };

/** A text node, and where its text begins in the text that was read. */
interface Piece {
  at: number;
  node: Text;
}

export class PageText {
  #text = "";
  readonly #pieces: Piece[] = [];
  /** What separates the next piece from the last: nothing, a line break, or the end of a block. */
  #gap: "" | "\n" | "\n\n" = "";
  #mark = "";
  readonly #except: string;

  /** Reads the visible text of an element, without the elements that the selector `except` names. */
  constructor(root: Element, except: string) {
    this.#except = except;
    this.#readChildren(root);
  }

  /**
   * The text. Where the page collapses white space, it has spaces; an empty line separates blocks, and headings and
   * list items begin with Markdown's marks.
   */
  get text(): string {
    return this.#text;
  }

  /**
   * Where a stretch of the text stands, from its first character to its last; null where it is none of the page's own.
   */
  range({ start, end }: Span): Range | null {
    const first = this.#pieces.find(({ at, node }) => at + node.length > start);
    const last = this.#pieces.findLast(({ at }) => at < end);
    if (!first || !last || last.at < first.at) return null;
    const range = document.createRange();
    range.setStart(first.node, Math.max(start - first.at, 0));
    range.setEnd(last.node, Math.min(end - last.at, last.node.length));
    return range;
  }

  /** Which stretch of the text a range of the page covers; null where it covers nothing of it. */
  within(range: Range): Span | null {
    const inside = this.#pieces.filter(({ node }) => range.intersectsNode(node));
    const [first, last] = [inside[0], inside.at(-1)];
    if (!first || !last) return null;
    const start = first.at + (first.node === range.startContainer ? range.startOffset : 0);
    const end = last.at + (last.node === range.endContainer ? range.endOffset : last.node.length);
    return start < end ? { start, end } : null;
  }

  #readChildren(parent: Element): void {
    for (const child of parent.childNodes) {
      if (child instanceof Text) this.#readText(child, parent);
      else if (child instanceof Element) this.#readElement(child);
    }
  }

  #readElement(element: Element): void {
    if (element.localName === "br") {
      this.#gap ||= "\n";
      return;
    }
    const { display } = getComputedStyle(element);
    if (element.matches(SKIPPED) || element.matches(this.#except) || display === "none") return;
    if (/^(inline|contents|ruby)/.test(display)) return this.#readChildren(element);
    this.#gap = "\n\n";
    this.#mark = BLOCK_MARKS[element.localName] ?? this.#mark;
    this.#readChildren(element);
    this.#gap = "\n\n";
    this.#mark = "";
  }

  #readText(node: Text, parent: Element): void {
    const blank = !node.data.trim();
    if (blank && (this.#gap || !this.#text)) return;
    const { visibility, whiteSpace } = getComputedStyle(parent);
    if (visibility !== "visible") return;
    this.#text += (this.#text ? this.#gap : "") + this.#mark;
    this.#gap = this.#mark = "";
    this.#pieces.push({ at: this.#text.length, node });
    this.#text += /^(pre|break)/.test(whiteSpace) ? node.data : node.data.replace(/[\n\r\t\f]/g, " ");
  }
}
