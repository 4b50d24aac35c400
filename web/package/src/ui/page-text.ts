/**
 * An element of a page as the engine reads it, block by block, with the place of every character in the DOM. Nothing in
 * it is read as Markdown: a "*" or "_" that the page shows is just that character.
 */

import { GAP } from "../input.js";
import type { Block, BlockKind, LinkPlace, Span } from "../report.js";
import { FORMULAS, formulaText } from "./formula.js";

/** Elements whose text is no prose. */
const SKIPPED =
  "script, style, noscript, template, textarea, select, button, svg, iframe, object, audio, video, canvas, pre code, rp, rt, del, s, strike, [aria-hidden=true]";

/** Elements that a cell of a table with columns does not hold: the table is one of layout if it has them. */
const LAYOUT = "table, ul, ol, h1, h2, h3, h4, h5, h6, pre, p + p";

/** The block that the next words begin, without its words and their places. */
interface Start {
  kind: BlockKind;
  number?: number;
  heads?: string[];
}

/** What of an element is read. */
export interface PageReading {
  /** A selector of elements that are left out. */
  except?: string;
  /** A selector of elements whose words are no prose, and whose links the words before them cite. */
  citations?: string;
}

/** A text node from its character `from` on, or a formula as a whole, and where that stands in the text that was read. */
export type Piece = { at: number; end: number } & ({ node: Text; from: number } | { node: Element });

/** An ordered list as it is read. */
export interface NumberedList {
  at: number;
  /** The number of its next item. */
  next: number;
  /** The numbers of its items, and their texts. */
  items: [label: string, text: string][];
}

const PARAGRAPH: Start = { kind: "paragraph" };

export class PageText {
  #text = "";
  protected readonly pieces: Piece[] = [];
  /** The blocks so far, and where their words begin. */
  readonly #blocks: (Start & { at: number })[] = [];
  /** The block that the next words begin; null while they go on with the last one. */
  #next: Start | null = PARAGRAPH;
  /** The line breaks between the next words of a block and its last. */
  #gap = "";
  /** Whether the cells of a row are being read, in which no block begins. */
  #inRow = false;
  protected readonly lists = new Map<Element, NumberedList>();
  /** The names of the columns of tables. */
  readonly #heads = new Map<Element, string[]>();
  protected readonly links: LinkPlace[] = [];
  /** The addresses of links that are numbers in the page's own brackets. */
  protected readonly references = new Map<string, string>();
  readonly #reading: PageReading;

  /** Reads the visible text of an element. */
  constructor(root: Element, reading: PageReading) {
    this.#reading = reading;
    this.#readContent(root);
  }

  /** The texts of the blocks with an empty line between them. Where the page collapses white space, it has spaces. */
  get text(): string {
    return this.#text;
  }

  /** The blocks. */
  get blocks(): Block[] {
    return this.cut({ start: 0, end: this.#text.length });
  }

  /** The blocks of a stretch of the text, as far as they are in it. */
  protected cut({ start, end }: Span): Block[] {
    return this.#blocks.flatMap(({ at, kind, number, heads = [] }, index) => {
      const next = this.#blocks[index + 1]?.at;
      const [from, to] = [
        Math.max(start, at),
        Math.min(end, next === undefined ? this.#text.length : next - GAP.length),
      ];
      if (from >= to) return [];
      const links = this.links.filter((link) => from <= link.start && link.end <= to);
      const cells = this.#text.slice(at, from).split("\t").length - 1;
      return [
        {
          kind,
          text: this.#text.slice(from, to),
          ...(number === undefined ? {} : { number }),
          ...(heads.length > cells ? { heads: heads.slice(cells) } : {}),
          ...(links.length === 0
            ? {}
            : { links: links.map((link) => ({ ...link, start: link.start - from, end: link.end - from })) }),
        },
      ];
    });
  }

  /**
   * Where a stretch of the text stands, from its first character to its last; null where it is none of the page's own.
   */
  range({ start, end }: Span): Range | null {
    const first = this.pieces.find((piece) => piece.end > start);
    const last = this.pieces.findLast(({ at }) => at < end);
    if (!first || !last || last.at < first.at) return null;
    const range = document.createRange();
    if ("from" in first) range.setStart(first.node, first.from + Math.max(start - first.at, 0));
    else range.setStartBefore(first.node);
    if ("from" in last) range.setEnd(last.node, last.from + Math.min(end, last.end) - last.at);
    else range.setEndAfter(last.node);
    return range;
  }

  #readContent(element: Element): void {
    if (element instanceof HTMLAnchorElement) this.#readLink(element);
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
      this.#gap += "\n";
      return;
    }
    const { display, height, overflowY } = getComputedStyle(element);
    const { except, citations } = this.#reading;
    if (display === "none" || (height === "0px" && overflowY !== "visible")) return; // what is folded away is hidden
    if (citations && element.matches(citations)) return this.#cite(element);
    if (except && element.matches(except)) return;
    if (element.matches(FORMULAS)) return this.#readFormula(element);
    if (element.matches(SKIPPED)) return;
    if (element instanceof HTMLTableRowElement && this.#readRow(element)) return;
    const isInline = /^(inline|contents|ruby)/.test(display);
    if (isInline) {
      if (element.localName === "sup") this.#raise(element);
      return this.#readContent(element);
    }
    this.#begin(this.#startOf(element) ?? this.#next ?? PARAGRAPH);
    const list = this.lists.get(element.parentElement ?? element);
    const [label, at] = [list && `${list.next - 1}`, this.#text.length];
    this.#readContent(element);
    if (list && label && element.localName === "li") list.items.push([label, this.#addressed(at)]);
    this.#begin(PARAGRAPH);
  }

  /** Has the next words begin a block, or a line where they stand in a row. */
  #begin(start: Start): void {
    if (this.#inRow) this.#gap = "\n";
    else [this.#next, this.#gap] = [start, ""];
  }

  /** What a block element begins; null for a paragraph, which may be a part of what has begun. */
  #startOf({ localName, parentElement: list }: Element): Start | null {
    const level = /^h([1-6])$/.exec(localName)?.[1];
    if (level) return { kind: "heading", number: Number(level) };
    if (localName !== "li") return null;
    if (!(list instanceof HTMLOListElement)) return { kind: "item" };
    const known = this.lists.get(list) ?? { at: this.#text.length, next: list.start, items: [] };
    const number = known.next++;
    this.lists.set(list, known);
    return number >= 0 && number < 1e9 ? { kind: "item", number } : { kind: "item" };
  }

  /**
   * Reads the cells of a row as one block, with the names of its columns; a row of names is kept for the others. Says
   * whether it was one of a table that lists something.
   */
  #readRow(row: HTMLTableRowElement): boolean {
    const cells = [...row.cells];
    const table = row.closest("table");
    if (this.#inRow || !table || cells.length < 2 || cells.some((cell) => cell.querySelector(LAYOUT))) return false;
    if (/^(presentation|none)$/.test(table.getAttribute("role") ?? "")) return false;
    if (!this.#heads.has(table) && cells.every(({ localName }) => localName === "th")) {
      const names = cells.flatMap((cell) => Array<string>(cell.colSpan).fill(cellText(cell)));
      this.#heads.set(table, names);
      return true;
    }
    const heads = this.#heads.get(table) ?? [];
    const [before, pieces] = [this.#text.length, this.pieces.length];
    this.#open({ kind: "row", heads });
    const start = this.#text.length;
    this.#inRow = true;
    for (const [index, cell] of cells.entries()) {
      this.#gap = "";
      if (index > 0) this.#text += "\t";
      this.#readChildren(cell);
      if (cell.colSpan > 1 && index < cells.length - 1) this.#text += "\t".repeat(cell.colSpan - 1);
    }
    this.#inRow = false;
    if (!this.#text.slice(start).trim()) {
      this.#text = this.#text.slice(0, before);
      this.pieces.length = pieces;
      this.#blocks.pop();
    }
    this.#begin(PARAGRAPH);
    return true;
  }

  /** Begins a block now. */
  #open(start: Start): void {
    if (this.#text) this.#text += GAP;
    this.#blocks.push({ ...start, at: this.#text.length });
    [this.#next, this.#gap] = [null, ""];
  }

  /** Makes ready for words: they begin a block, or go on with one. */
  #goOn(): void {
    if (this.#next) this.#open(this.#next);
    else if (!this.#startsCell()) this.#text += this.#gap;
    this.#gap = "";
  }

  #startsCell(): boolean {
    return this.#inRow && (this.#text.endsWith("\t") || this.#blocks.at(-1)?.at === this.#text.length);
  }

  /** Reads a formula as its words, which stand for it as a whole. */
  #readFormula(formula: Element): void {
    const words = formulaText(formula);
    if (!words) return;
    this.#goOn();
    const at = this.#text.length;
    this.#text += words;
    this.pieces.push({ at, end: this.#text.length, node: formula });
  }

  /** Puts "^" before a raised number that is a power, as in "10^30". */
  #raise(sup: Element): void {
    const isPower =
      /^\s*[-\u2212+]?\d+\s*$/.test(sup.textContent ?? "") && !sup.querySelector("a") && !sup.closest("a");
    if (isPower && !this.#next && !this.#gap && /[\p{L}\p{N}]$/u.test(this.#text)) this.#text += "^";
  }

  #readLink(link: HTMLAnchorElement): void {
    const before = this.pieces.length;
    this.#readChildren(link);
    const url = citedBy(link);
    const start = this.pieces[before]?.at;
    if (!url || start === undefined) return;
    const words = this.#text.slice(start);
    if (words.trim() === url || words.includes(GAP)) return;
    if (/^\d{1,3}$/.test(words) && /\[(?:\d{1,3}[,–-] ?)*$/.test(this.#text.slice(Math.max(start - 40, 0), start)))
      if (!this.references.has(words)) this.references.set(words, url);
    this.links.push({ start, end: this.#text.length, url });
  }

  /** Has the words so far cite the links of an element that is no prose. */
  #cite(element: Element): void {
    if (this.#next || !this.#text) return; // there are no words before it
    const links = element.matches("a") ? [element] : [...element.querySelectorAll("a")];
    for (const link of links) {
      const url = link instanceof HTMLAnchorElement && citedBy(link);
      if (url) this.links.push({ start: this.#text.length, end: this.#text.length, url });
    }
  }

  #readText(node: Text, parent: Element): void {
    const isFirst = this.#next !== null || this.#gap !== "" || this.#startsCell();
    if (!node.data.trim() && isFirst) return;
    const { visibility, whiteSpace } = getComputedStyle(parent);
    if (visibility !== "visible") return;
    const isKept = /^(pre|break)/.test(whiteSpace);
    const from = isFirst ? (isKept ? node.data.search(/[^\n\r]/) : node.data.search(/\S/)) : 0;
    this.#goOn();
    const words = node.data.slice(from);
    const at = this.#text.length;
    this.#text += isKept ? words.replace(/\t/g, " ") : words.replace(/[\n\r\t\f]/g, " ");
    this.pieces.push({ at, end: this.#text.length, node, from });
  }

  /** The text from a place on, with the addresses of its links behind their words. */
  #addressed(at: number): string {
    return (
      this.#text.slice(at) +
      this.links
        .filter(({ start }) => start >= at)
        .map(({ url }) => ` <${url}>`)
        .join("")
    );
  }
}

/** What a cell says, on one line. */
const cellText = (cell: Element): string => (cell.textContent ?? "").replace(/\s+/g, " ").trim();

/** The web address that a link cites: its own, or, of a link to a note in the page, the first address in the note. */
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
