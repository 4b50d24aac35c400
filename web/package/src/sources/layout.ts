/** The lines of a page that is drawn piece by piece, as in a PDF: columns in reading order, raised and lowered text. */

import { small } from "./scripts.js";

/** A piece of text, in the direction that it is written in. */
export interface Piece {
  text: string;
  /** Where its baseline begins. */
  x: number;
  y: number;
  width: number;
  /** The size of its font. */
  size: number;
  /** Whether it ends its line. */
  isLast: boolean;
}

/** The words of a line that stand together. */
interface Stretch {
  pieces: Piece[];
  left: number;
  right: number;
}

/** The gap between stretches, and the most between the lines of a column, in sizes of the font. */
const GAP = 1.2;
const LEADING = 2;
/** The fewest words of a stretch of prose, on average; those of a table's cells are fewer. */
const WORDS = 2.5;
/** The most columns of a page: each line is compared with all of them. */
const MOST_COLUMNS = 100;

/** The lines of a page. Columns that are drawn line by line across the page come one after the other. */
export function linesOf(pieces: Piece[]): string[] {
  const lines: string[] = [];
  let columns: Columns | null = null;
  for (const line of stretchesOf(pieces)) {
    if (columns?.take(line)) continue;
    lines.push(...(columns?.lines() ?? []));
    columns = new Columns(line);
  }
  return [...lines, ...(columns?.lines() ?? [])].filter(Boolean);
}

/** Lines that follow each other, whose stretches stand in the same columns. */
class Columns {
  readonly #lines: Stretch[][];
  readonly #columns: { left: number; right: number; stretches: Stretch[] }[];

  constructor(line: Stretch[]) {
    this.#lines = [line];
    this.#columns = line.map((stretch) => ({ left: stretch.left, right: stretch.right, stretches: [stretch] }));
  }

  /** Takes in the next line, if it stands in these columns. */
  take(line: Stretch[]): boolean {
    const [before, next] = [this.#lines.at(-1)?.[0]?.pieces[0], line[0]?.pieces[0]];
    if (this.#columns.length < 2 || !before || !next) return false;
    if (Math.max(this.#columns.length, line.length) > MOST_COLUMNS) return false;
    const down = before.y - next.y;
    if (down < 0 || down > LEADING * before.size) return false;
    const places = line.map(({ left, right }) =>
      this.#columns.filter((column) => left < column.right && column.left < right),
    );
    const isIn = places.every((columns) => columns.length === 1) && new Set(places.flat()).size === line.length;
    if (!isIn) return false;
    for (const [index, stretch] of line.entries()) {
      const column = places[index]?.[0];
      if (!column) continue;
      column.left = Math.min(column.left, stretch.left);
      column.right = Math.max(column.right, stretch.right);
      column.stretches.push(stretch);
    }
    this.#lines.push(line);
    return true;
  }

  lines(): string[] {
    const columns = this.#columns.map(({ stretches }) => stretches.map(({ pieces }) => textOf(pieces)));
    const isProse = columns.length > 1 && columns.every(isRunning);
    return isProse ? columns.flat() : this.#lines.map((line) => textOf(line.flatMap(({ pieces }) => pieces)));
  }
}

/** Whether the stretches of a column are running text. */
const isRunning = (texts: string[]) =>
  texts.length > 1 &&
  texts.join(" ").split(/\s+/).length >= WORDS * texts.length &&
  texts.filter((text) => !/\p{L}/u.test(text)).length * 10 <= texts.length;

/** The lines of a page, each in its stretches. */
function* stretchesOf(pieces: Piece[]): Generator<Stretch[]> {
  let line: Stretch[] = [];
  for (const piece of pieces) {
    const { x, width, size, text } = piece;
    const last = line.at(-1);
    if (!last) line.push({ pieces: [piece], left: x, right: x + width });
    else if (!text.trim() || Math.abs(x - last.right) <= GAP * size) {
      last.pieces.push(piece);
      if (text.trim()) last.right = Math.max(last.right, x + width);
    } else line.push({ pieces: [piece], left: x, right: x + width });
    if (!piece.isLast) continue;
    yield line.filter(({ pieces }) => pieces.some(({ text }) => text.trim()));
    line = [];
  }
  if (line.length > 0) yield line;
}

/** Small text beside a number or word: a power, an index, the mark of a note. */
const SMALL = /^\s*([-−–+]?\d{1,4}([,;–-] ?\d{1,3})*|[a-z]|st|nd|rd|th|er|[*†‡§¶]+)\s*$/i;

/** The text of pieces that stand in one line. */
function textOf(pieces: Piece[]): string {
  let [text, last] = ["", ""];
  const largest = pieces.reduce((most, { size }) => Math.max(most, size), 0);
  let base = pieces.find(({ text, size }) => text.trim() && size >= largest);
  for (const piece of pieces) {
    let words = piece.text;
    const script = base && SMALL.test(words) ? scriptOf(piece, base) : null;
    if (script) words = script === "sup" && isNote(last, words) ? "" : small(script, words, last);
    else if (words.trim()) base = piece;
    text += words;
    if (words) last = `${last}${words}`.slice(-20);
  }
  return text.replace(/\s+/g, " ").trim();
}

/** Whether a piece is raised or lowered beside another. */
function scriptOf({ y, size }: Piece, base: Piece): "sup" | "sub" | null {
  const [up, scale] = [(y - base.y) / base.size, size / base.size];
  if (scale > 1 || Math.abs(up) > 0.9) return null;
  if (up > (scale < 0.9 ? 0.15 : 0.25)) return "sup";
  return scale < 0.9 && up < -0.05 ? "sub" : null;
}

/** Whether a raised number behind these words is a note's: no power is of 900, or begins a line. */
function isNote(before: string, words: string): boolean {
  if (!before.trim()) return true;
  const number = /[\d.,]*\d\s*$/.exec(before)?.[0].trim();
  return (
    number !== undefined &&
    number.length > 1 &&
    number !== "10" &&
    /^\s*[\da-z]/i.test(words) &&
    !/[a-z]{2}/i.test(words)
  );
}
