/**
 * The text of a page's element as the engine reads it, in which every character still knows where it stands in the DOM.
 */

import type { Span } from "../report.js";

/** Elements whose text is no prose. */
const SKIPPED =
  "script, style, noscript, template, textarea, select, button, svg, math, iframe, object, audio, video, canvas, pre code, rp, rt, [aria-hidden=true]";

/** The marks that Markdown puts before these blocks. The engine knows the blocks by them. */
const BLOCK_MARKS: Record<string, string> = { h1: "# ", h2: "# ", h3: "# ", h4: "# ", h5: "# ", h6: "# ", li: "- " };

/** The most numbers that a citation such as "[1-9]" stands for. */
const MOST_NUMBERS = 20;

/** What of an element is read. */
export interface PageReading {
  /** A selector of elements that are left out. */
  except?: string;
  /** A selector of elements whose words are no prose, and whose links the words before them cite. */
  citations?: string;
  /** Whether links are read as Markdown's, by which the engine knows what a sentence cites. */
  links?: boolean;
}

/** A text node from its character `from` on, and where that stands in the text that was read. */
interface Piece {
  at: number;
  node: Text;
  from: number;
}

/** An ordered list as it is read. */
interface NumberedList {
  at: number;
  /** The number of its next item. */
  next: number;
  /** The numbers of its items, and their texts. */
  items: [label: string, text: string][];
}

export class PageText {
  #text = "";
  readonly #pieces: Piece[] = [];
  /** What separates the next piece from the last: nothing, a line break, or the end of a block. */
  #gap: "" | "\n" | "\n\n" = "";
  #mark = "";
  readonly #lists = new Map<Element, NumberedList>();
  /** The links, from the bracket before their words to the end of their address. */
  readonly #links: Span[] = [];
  /** The addresses of links that are numbers in the page's own brackets. */
  readonly #references = new Map<string, string>();
  readonly #reading: PageReading;

  /** Reads the visible text of an element. */
  constructor(root: Element, reading: PageReading) {
    this.#reading = reading;
    this.#readContent(root);
    this.#text += definitionsOf(this.#references);
  }

  /**
   * The text. Where the page collapses white space, it has spaces; an empty line separates blocks, and headings, list
   * items and links have Markdown's marks.
   */
  get text(): string {
    return this.#text;
  }

  /**
   * A stretch of the text and, behind it, the addresses that the numbers of its citations have: in this text, or in the
   * first of those `around` it that knows one.
   */
  excerpt(span: Span, around: Iterable<PageText> = [this]): string {
    const words = this.#text.slice(span.start, span.end);
    const cited = numbersIn(words);
    if (cited.length === 0) return words;
    const range = this.range(span);
    const found = new Map(this.#references);
    for (const whole of around) {
      const at = (range && whole.within(range)?.start) ?? 0;
      for (const [label, address] of whole.#listed(Math.max(...cited), at))
        if (!found.has(label)) found.set(label, address);
      if (cited.every((number) => found.has(`${number}`))) break;
    }
    return words + definitionsOf(new Map([...found].filter(([label]) => cited.includes(Number(label)))));
  }

  /**
   * The addresses that numbers have: of links, of lines that begin with one in brackets, and of the lists that go as
   * far as the `highest` number and have an address in each item; those behind the place `at` come first, then the
   * nearest before it. (crate/verify/src/text/citations.rs knows the same kinds.)
   */
  #listed(highest: number, at: number): [label: string, address: string][] {
    const lists = [...this.#lists.values(), ...numberedLines(this.#text)].sort((a, b) => a.at - b.at);
    const inOrder = [...lists.filter((list) => list.at >= at), ...lists.filter((list) => list.at < at).reverse()];
    const listed = inOrder
      .filter(({ items }) => Number(items.at(-1)?.[0]) >= highest)
      .flatMap(({ items }) => addressesOf(items));
    return [...this.#references, ...labelledIn(this.#text), ...listed];
  }

  /**
   * Where a stretch of the text stands, from its first character to its last; null where it is none of the page's own.
   */
  range({ start, end }: Span): Range | null {
    const first = this.#pieces.find((piece) => endOf(piece) > start);
    const last = this.#pieces.findLast(({ at }) => at < end);
    if (!first || !last || last.at < first.at) return null;
    const range = document.createRange();
    range.setStart(first.node, first.from + Math.max(start - first.at, 0));
    range.setEnd(last.node, last.from + Math.min(end, endOf(last)) - last.at);
    return range;
  }

  /** Which stretch of the text a range of the page covers; null where it covers nothing of it. */
  within(range: Range): Span | null {
    const inside = this.#pieces.filter(({ node }) => range.intersectsNode(node));
    const [first, last] = [inside[0], inside.at(-1)];
    if (!first || !last) return null;
    const placeOf = ({ at, from }: Piece, offset: number) => at + Math.max(offset - from, 0);
    let start = first.node === range.startContainer ? placeOf(first, range.startOffset) : first.at;
    let end = last.node === range.endContainer ? placeOf(last, range.endOffset) : endOf(last);
    if (start >= end) return null;
    // A link is whole or not there.
    for (const link of this.#links)
      if (link.start < end && start < link.end) [start, end] = [Math.min(start, link.start), Math.max(end, link.end)];
    return { start, end };
  }

  #readContent(element: Element): void {
    if (element instanceof HTMLAnchorElement && this.#reading.links) this.#readLink(element);
    else this.#readChildren(element);
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
    const { except, citations } = this.#reading;
    if (element.matches(SKIPPED) || display === "none") return;
    if (citations && element.matches(citations)) return this.#cite(element);
    if (except && element.matches(except)) return;
    const isInline = /^(inline|contents|ruby)/.test(display);
    if (!isInline) {
      this.#gap = "\n\n";
      this.#mark = this.#markOf(element) || this.#mark;
    }
    const list = this.#lists.get(element.parentElement ?? element);
    const [label, at] = [list && `${list.next - 1}`, this.#text.length];
    this.#readContent(element);
    if (isInline) return;
    if (list && label && element.localName === "li") list.items.push([label, this.#text.slice(at)]);
    this.#gap = "\n\n";
    this.#mark = "";
  }

  /** The mark of a block; an item of an ordered list has its number. */
  #markOf({ localName, parentElement: list }: Element): string {
    if (localName !== "li" || !(list instanceof HTMLOListElement)) return BLOCK_MARKS[localName] ?? "";
    const known = this.#lists.get(list) ?? { at: this.#text.length, next: list.start, items: [] };
    const number = known.next++;
    this.#lists.set(list, known);
    return number >= 0 && number < 1e9 ? `${number}. ` : "- ";
  }

  /** Reads a link's words, within Markdown's marks if they are words of one block and brackets do not spoil the marks. */
  #readLink(link: HTMLAnchorElement): void {
    const before = this.#pieces.length;
    this.#readChildren(link);
    const address = citedBy(link);
    const start = this.#pieces[before]?.at;
    if (!address || start === undefined) return;
    const words = this.#text.slice(start);
    if (words.trim() === address || words.includes("\n") || !isBalanced(words)) return;
    if (/^\d{1,3}$/.test(words) && /\[(?:\d{1,3}[,–-] ?)*$/.test(this.#text.slice(Math.max(start - 40, 0), start))) {
      if (!this.#references.has(words)) this.#references.set(words, address);
      return;
    }
    for (const piece of this.#pieces.slice(before)) piece.at += 1;
    this.#text = `${this.#text.slice(0, start)}[${words}](<${address}>)`;
    this.#links.push({ start, end: this.#text.length });
  }

  /** Has the words so far cite the links of an element that is no prose. */
  #cite(element: Element): void {
    if (this.#gap || !this.#text) return; // there are no words before it
    const links = element.matches("a") ? [element] : [...element.querySelectorAll("a")];
    for (const link of links) {
      const address = link instanceof HTMLAnchorElement && citedBy(link);
      if (!address) continue;
      const start = this.#text.length;
      this.#text += `[](<${address}>)`;
      this.#links.push({ start, end: this.#text.length });
    }
  }

  #readText(node: Text, parent: Element): void {
    const blank = !node.data.trim();
    if (blank && (this.#gap || !this.#text)) return;
    const { visibility, whiteSpace } = getComputedStyle(parent);
    if (visibility !== "visible") return;
    const isKept = /^(pre|break)/.test(whiteSpace);
    // Four spaces before a block would make code of it.
    const from = isKept || (this.#text && !this.#gap) ? 0 : node.data.search(/\S/);
    this.#text += (this.#text ? this.#gap : "") + this.#mark;
    this.#gap = this.#mark = "";
    this.#pieces.push({ at: this.#text.length, node, from });
    this.#text += isKept ? node.data : node.data.slice(from).replace(/[\n\r\t\f]/g, " ");
  }
}

/** The references behind a text as Markdown's footnotes, whose addresses the engine takes for each kind of mark. */
const definitionsOf = (references: Map<string, string>): string =>
  Array.from(references, ([label, address]) => `\n\n[^${label}]: <${address}>`).join("");

/** The numbers that a text cites, as in "[1]", "[2, 4-6]", "[^3]", "【4†source】" and ".¹". */
function numbersIn(text: string): number[] {
  const found = new Set<number>();
  for (const [mark] of text.matchAll(/\[\^?\d[\d\s,–-]*\]|【\d{1,3}\b|(?<=[.!?"”)])[¹²³⁰⁴-⁹]+/g))
    for (const part of mark.normalize("NFKC").split(",")) {
      const [first = 0, last = first] = part.match(/\d+/g)?.map(Number) ?? [];
      for (let number = first; number <= Math.min(last, first + MOST_NUMBERS - 1); number++) found.add(number);
    }
  return [...found];
}

/** The numbers in brackets at the beginnings of lines, and the lines' addresses. */
function labelledIn(text: string): [label: string, address: string][] {
  return text.split("\n").flatMap((line) => {
    const label = /^(?:- |\d+\. )?\[\^?(\d{1,3})\]/.exec(line)?.[1];
    const address = addressIn(line);
    return label && address ? [[label, address] as [string, string]] : [];
  });
}

/** The lists that lines make whose numbers follow each other. */
function numberedLines(text: string): Pick<NumberedList, "at" | "items">[] {
  const lists: Pick<NumberedList, "at" | "items">[] = [];
  let next: number | undefined;
  for (const { 0: line, index: at } of text.matchAll(/.+/g)) {
    const label = /^(\d+)\. /.exec(line)?.[1];
    if (label && Number(label) === next) lists.at(-1)?.items.push([label, line]);
    else if (label) lists.push({ at, items: [[label, line]] });
    next = label ? Number(label) + 1 : undefined;
  }
  return lists;
}

/** The addresses of a list's items; none if an item has none. */
function addressesOf(items: [label: string, text: string][]): [label: string, address: string][] {
  const found = items.flatMap(([label, text]) => {
    const address = addressIn(text);
    return address ? [[label, address] as [string, string]] : [];
  });
  return found.length === items.length ? found : [];
}

/** The first address of the web in a text, without the marks that close a sentence or a bracket behind it. */
function addressIn(line: string): string | undefined {
  const match = /https?:\/\/[^\s<>"”】|]+/i.exec(line);
  if (!match) return undefined;
  const [found] = match;
  if (line.charAt(match.index + found.length) === ">") return found; // a link's address is whole
  for (let address = found; ; ) {
    const shorter = address.replace(/[.,;:!?*'\]]+$/, "");
    if (!shorter.endsWith(")") || shorter.split("(").length >= shorter.split(")").length) return shorter;
    address = shorter.slice(0, -1);
  }
}

/** Where a piece ends in the text that was read. */
const endOf = ({ at, node, from }: Piece): number => at + node.length - from;

/** The address of the web that a link cites: its own, or, of a link to a note in the page, the first in the note. */
function citedBy(link: HTMLAnchorElement): string | null {
  const here = (anchor: HTMLAnchorElement) => anchor.getAttribute("href")?.startsWith("#") ?? true;
  const isWeb = (anchor: HTMLAnchorElement) => /^https?:$/.test(anchor.protocol) && !here(anchor);
  if (!here(link)) return isWeb(link) ? link.href : null;
  const note = (link.getRootNode() as Document | ShadowRoot).getElementById?.(decoded(link.hash.slice(1)));
  return [...(note?.querySelectorAll("a") ?? [])].find(isWeb)?.href ?? null;
}

/** A fragment of an address, as ids are written. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Whether every bracket of a text has its other half. */
function isBalanced(text: string): boolean {
  let open = 0;
  for (const bracket of text.match(/[[\]]/g) ?? []) {
    open += bracket === "[" ? 1 : -1;
    if (open < 0) return false;
  }
  return open === 0;
}
