/** Cuts passages to a length that can be shown: an index that others made may hold passages of any length. */

import type { Evidence } from "../report.js";

/** The most characters shown of the deciding sentence, and of the text on either side of it. */
const SHOWN = 3_000;
/** The most characters shown of a title or a source. */
const LINE = 300;

/** The deciding sentence and what stands around it; of a passage that has none, its beginning. */
export function excerptOf({ text, sentence }: Pick<Evidence, "text" | "sentence">): {
  before: string;
  decisive: string;
  after: string;
} {
  const { start, end } = sentence ?? { start: 0, end: 0 };
  const from = Math.max(0, start - SHOWN);
  return {
    before: (from > 0 ? "… " : "") + text.slice(from, start),
    decisive: cut(text.slice(start, end), SHOWN),
    after: cut(text.slice(end), SHOWN),
  };
}

/** The most characters quoted of a passage that has no deciding sentence. */
const BEGINNING = 400;

/** What is quoted of a passage: its deciding sentence, or its beginning; `at` is where in its text it stands. */
export function quoteOf({ text, sentence }: Pick<Evidence, "text" | "sentence">): { quote: string; at: number } {
  const { start, end } = sentence ?? { start: 0, end: BEGINNING };
  return { quote: text.slice(start, Math.min(end, start + SHOWN)), at: start };
}

/** A title or a source, cut to its length. */
export const lineOf = (text: string): string => cut(text, LINE);

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)} …` : text);
