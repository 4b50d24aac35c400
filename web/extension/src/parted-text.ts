/** A text of a page from which parts are taken, each with what its citation numbers refer to in the whole. */

import type { Block, LinkPlace, Span } from "../../package/src/report.js";
import { type NumberedList, PageText, type Piece } from "../../package/src/ui/page-text.js";

/** The most numbers that a citation such as "[1-9]" stands for. */
const MOST_NUMBERS = 20;

export class PartedText extends PageText {
  /**
   * The blocks of a stretch of the text and, behind them, the addresses that the numbers of its citations have: in this
   * text, or in the first of those `around` it that knows one.
   */
  excerpt(span: Span, around: Iterable<PartedText> = [this]): Block[] {
    const words = this.cut(span);
    const cited = numbersIn(this.text.slice(span.start, span.end));
    if (cited.length === 0) return words;
    const range = this.range(span);
    const found = new Map(this.references);
    for (const whole of around) {
      const at = (range && whole.within(range)?.start) ?? 0;
      for (const [label, address] of whole.#listed(Math.max(...cited), at))
        if (!found.has(label)) found.set(label, address);
      if (cited.every((number) => found.has(`${number}`))) break;
    }
    const references = [...found].filter(([label]) => cited.includes(Number(label)));
    return [...words, ...references.map(([label, address]) => referenceTo(label, address))];
  }

  /**
   * The addresses that numbers have: of links, of lines that begin with one in brackets, and of the lists that go as
   * far as the `highest` number and have an address in each item; those behind the place `at` come first, then the
   * nearest before it. (crate/verify/src/text/citations.rs knows the same kinds.)
   */
  #listed(highest: number, at: number): [label: string, address: string][] {
    const lists = [...this.lists.values(), ...numberedLines(this.text)].sort((a, b) => a.at - b.at);
    const inOrder = [...lists.filter((list) => list.at >= at), ...lists.filter((list) => list.at < at).reverse()];
    const listed = inOrder
      .filter(({ items }) => Number(items.at(-1)?.[0]) >= highest)
      .flatMap(({ items }) => addressesOf(items));
    return [...this.references, ...labelledIn(this.text, this.links), ...listed];
  }

  /** Which stretch of the text a range of the page covers; null where it covers nothing of it. */
  within(range: Range): Span | null {
    const inside = this.pieces.filter(({ node }) => range.intersectsNode(node));
    const [first, last] = [inside[0], inside.at(-1)];
    if (!first || !last) return null;
    const placeOf = ({ at }: Piece, from: number, offset: number) => at + Math.max(offset - from, 0);
    const isStart = "from" in first && first.node === range.startContainer;
    const isEnd = "from" in last && last.node === range.endContainer;
    const start = isStart ? placeOf(first, first.from, range.startOffset) : first.at;
    const end = isEnd ? placeOf(last, last.from, range.endOffset) : last.end;
    return start < end ? { start, end } : null;
  }
}

/** The block that says what a number refers to. */
const referenceTo = (label: string, url: string): Block => ({
  kind: "reference",
  text: "",
  number: Number(label),
  links: [{ start: 0, end: 0, url }],
});

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

/** The numbers in brackets at the beginnings of lines, and the lines' addresses: those of links, or bare ones. */
function labelledIn(text: string, links: LinkPlace[]): [label: string, address: string][] {
  return [...text.matchAll(/.+/g)].flatMap(({ 0: line, index: at }) => {
    const label = /^\[\^?(\d{1,3})\]/.exec(line)?.[1];
    const end = at + line.length;
    const address = links.find((link) => at <= link.start && link.end <= end)?.url ?? addressIn(line);
    return label && address ? [[label, address] as [string, string]] : [];
  });
}

/** The lists made of lines with consecutive numbers. */
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
