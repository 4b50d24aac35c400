/**
 * An answer's Markdown as DOM, by the engine's own reading of it. Nothing of the answer is parsed here: its words become
 * text nodes, each with its place in the answer, raw HTML is shown as text, an image as its alternative text, and only
 * links to the web can be followed.
 */

import type { Markup, Span } from "../report.js";
import { linkOf, make } from "./dom.js";
import type { Wording } from "./strings.js";

/** A text node, and the stretch of the answer that it stands for. */
interface Words extends Span {
  node: Text;
}

/** Elements that stand in a line. */
const INLINE = "a, code, del, em, mark, span, strong, u";

/** The level of the heading that stands above the answer. */
const HEADING_ABOVE = 2;
const LOWEST_HEADING = 6;

export class RenderedAnswer {
  /** The blocks. */
  readonly nodes: Node[];
  readonly #wording: Wording;
  #words: Words[] = [];
  #heading = HEADING_ABOVE;

  constructor(blocks: Markup[], wording: Wording) {
    this.#wording = wording;
    this.nodes = blocks.map((block) => this.#render(block));
  }

  /** Wraps each of the text nodes at a stretch of the answer into an element of its own; gives these in order. */
  wrap(span: Span, create: () => HTMLElement): HTMLElement[] {
    return this.#at(span).map(({ words, from, to }) => {
      const element = create();
      const node = this.#cut(words, from, to);
      node.replaceWith(element);
      element.append(node);
      return element;
    });
  }

  /** The text nodes that a stretch of the answer covers, and how much of each. */
  #at({ start, end }: Span): { words: Words; node: Text; from: number; to: number }[] {
    return this.#words.flatMap((words) => {
      if (words.start >= end || words.end <= start) return [];
      const { node } = words;
      const [from, to] = isUnitForUnit(words)
        ? [Math.max(start - words.start, 0), Math.min(end - words.start, node.length)]
        : [0, node.length];
      return from < to ? [{ words, node, from, to }] : [];
    });
  }

  /** The text node of a part of these words, which are parted if need be. */
  #cut(words: Words, from: number, to: number): Text {
    if (from === 0 && to === words.node.length) return words.node;
    const { node, start } = words;
    const parts: Words[] = [words];
    const split = (from: Words, at: number): Words => {
      const rest = { node: from.node.splitText(at), start: from.start + at, end: from.end };
      from.end = rest.start;
      parts.push(rest);
      return rest;
    };
    const middle = from > 0 ? split(words, from) : words;
    if (start + to < (parts.at(-1)?.end ?? 0)) split(middle, to - from);
    this.#words.splice(this.#words.indexOf(words), 1, ...parts);
    return from > 0 ? middle.node : node;
  }

  #render(block: Markup): Node {
    const within = () => block.children.map((child) => this.#render(child));
    switch (block.kind) {
      case "text": {
        const node = document.createTextNode(block.text);
        this.#words.push({ node, start: block.start, end: block.end });
        return node;
      }
      case "paragraph":
        return make("p", "", ...within());
      case "heading":
        return this.#headingOf(block.level, within());
      case "quote":
        return make("blockquote", "", ...within());
      case "list":
        return listOf(block.first, within());
      case "item":
        return make("li", "", ...(block.checked === null ? [] : [block.checked ? "☑ " : "☐ "]), ...within());
      case "table":
        return this.#tableOf(within());
      case "row":
        return make("tr", "", ...block.children.map((cell) => this.#cellOf(cell, block.head)));
      case "codeBlock":
        return scrolled(make("pre", "", make("code", "", ...within())), this.#wording.say("code"));
      case "rule":
        return make("hr", "");
      case "footnote":
        return make("div", "footnote", make("sup", "", block.label), " ", ...within());
      case "footnoteReference":
        return make("sup", "", block.label);
      case "reasoning":
        return make(
          "details",
          "reasoning",
          make("summary", "", this.#wording.say("reasoning")),
          make("p", "", ...within()),
        );
      case "emphasis":
        return make("em", "", ...within());
      case "strong":
        return make("strong", "", ...within());
      case "deleted":
        return make("del", "", ...within());
      case "code":
        return make("code", "", ...within());
      case "link":
        return linkTo(block.url, within());
      case "image":
        return make("span", "image", ...within());
      case "cell": // outside a row: from an engine that is newer than this page
        return make("span", "", ...within());
    }
  }

  /** A heading below those of the page, which skips no level. */
  #headingOf(level: number, within: Node[]): HTMLElement {
    this.#heading = Math.min(this.#heading + 1, level + HEADING_ABOVE, LOWEST_HEADING);
    return make(`h${this.#heading}` as "h3", "", ...within);
  }

  #tableOf([head, ...rows]: Node[]): HTMLElement {
    const table = make("table", "", make("thead", "", ...(head ? [head] : [])), make("tbody", "", ...rows));
    return scrolled(table, this.#wording.say("table"));
  }

  #cellOf(cell: Markup, head: boolean): HTMLElement {
    const made = make(head ? "th" : "td", "", ...cell.children.map((child) => this.#render(child)));
    if (head) made.setAttribute("scope", "col");
    if (cell.kind === "cell" && cell.align) made.className = `to-${cell.align}`;
    return made;
  }
}

/** Whether each UTF-16 unit of a text node stands for one unit of the answer. */
const isUnitForUnit = ({ node, start, end }: Words): boolean => node.length === end - start;

function listOf(first: number | null, items: Node[]): HTMLElement {
  if (first === null) return make("ul", "", ...items);
  const list = make("ol", "", ...items);
  list.start = first;
  return list;
}

function linkTo(url: string, within: Node[]): HTMLElement {
  const address = linkOf(url);
  if (!address) return make("span", "", ...within);
  const link = make("a", "", ...within);
  link.href = address;
  link.rel = "noopener noreferrer";
  link.target = "_blank";
  return link;
}

/** What may be wider than its place, in a box that scrolls, by the keyboard too. */
function scrolled(content: HTMLElement, name: string): HTMLElement {
  const box = make("div", "scrolled", content);
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", name);
  return box;
}

/** Puts an element behind the line's element that ends here, and never into a link. */
export function putBehind(last: HTMLElement, element: HTMLElement): void {
  let after: Element = last.closest("a") ?? last;
  while (after.parentElement?.matches(INLINE) && after.parentElement.lastChild === after) after = after.parentElement;
  after.after(element);
}
