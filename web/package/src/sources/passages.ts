/** From what a document says to passages, as an index takes them: at most 100 words each, none across headings or pages. */

import type { Passage } from "../passage.js";
import { OBJECT } from "../ui/formula.js";
import type { Reading } from "./reading.js";

/** The length of a passage (guan2024, Sec. 4.2). */
const WORDS = 100;
/** The most characters of a passage, for scripts without spaces between words. */
const CHARACTERS = 1_000;
/** How many characters are parted into sentences at once: the time for that grows with their square. */
const WINDOW = 4_000;

/** The prose below a heading, "" for none, or of a page. */
export interface Section {
  heading: string;
  text: string;
  /** The page, from 1, where the document has pages. */
  page?: number;
}

/** What a document says. */
export interface Document {
  /** "" if it does not name itself. */
  title: string;
  sections: Section[];
}

/**
 * The passages of a document. `source` is its file's name or its address; a passage of a page says which, and links
 * there if the source is an address.
 */
export function* passagesIn({ title, sections }: Document, source: string): Generator<Passage> {
  const name = title || stemOf(source);
  const isAddress = /^https?:/.test(source);
  let number = 0;
  for (const { heading, text, page } of sections) {
    const full = heading && heading !== name ? `${name}: ${heading}` : name;
    const place = page === undefined ? source : isAddress ? `${source}#page=${page}` : `${source}, page ${page}`;
    const section = page === undefined ? {} : { section: `page ${page}` };
    for (const passage of pack(text))
      yield { id: `${source}#${++number}`, title: full, ...section, text: passage, source: place };
  }
}

/**
 * The same as a list, made in turns.
 * @throws BadDocument, and the reason of the signal
 */
export async function passagesOf(document: Document, source: string, reading: Reading): Promise<Passage[]> {
  const passages: Passage[] = [];
  for (const passage of passagesIn(document, source)) {
    passages.push(passage);
    await reading.pause();
  }
  return passages;
}

/** The name of a file without its folders and its kind. */
const stemOf = (name: string) =>
  name
    .replace(/\/+$/, "")
    .replace(/^.*\//, "")
    .replace(/\.[^.]+$/, "");

/** Joins whole sentences up to a passage's length. A longer sentence is cut between words, an endless word within. */
function* pack(text: string): Generator<string> {
  let [passage, words] = ["", 0];
  for (const piece of pieces(text)) {
    const more = piece.trim().split(" ").length;
    if (words > 0 && (words + more > WORDS || passage.length + piece.length > CHARACTERS)) {
      yield passage.trim();
      [passage, words] = ["", 0];
    }
    passage += piece;
    words += more;
  }
  if (words > 0) yield passage.trim();
}

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** The sentences of a paragraph; one that is longer than a window is cut, between words if it has any. */
function* sentencesIn(paragraph: string): Generator<string> {
  let rest = ""; // may go on in the next window
  for (let at = 0; at < paragraph.length; at += WINDOW) {
    const window = (rest + paragraph.slice(at, at + WINDOW)).replace(/\s+/g, " ");
    const found = Array.from(sentences.segment(window), ({ segment }) => segment);
    rest = found.pop() ?? "";
    yield* found;
    if (rest.length < WINDOW) continue;
    const end = rest.lastIndexOf(" ") + 1 || rest.search(/[\ud800-\udbff]?$/); // no character is cut in two
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
  if (rest) yield rest;
}

/**
 * The sentences of a text that are all words, cut to fit into a passage. Each begins with the line break or space before
 * it.
 */
function* pieces(text: string): Generator<string> {
  for (const paragraph of text.split(/\n\s*\n/)) {
    let gap = "\n";
    for (const segment of sentencesIn(paragraph)) {
      if (segment.includes(OBJECT)) continue;
      let [piece, words] = ["", 0];
      for (const word of segment.match(/[^ ]{1,900}/gu) ?? []) {
        if (words === WORDS || piece.length + word.length >= CHARACTERS) {
          yield gap + piece;
          [gap, piece, words] = [" ", "", 0];
        }
        piece += words++ ? ` ${word}` : word;
      }
      if (words) yield gap + piece;
      if (words) gap = " ";
    }
  }
}
