/** Which words of two texts are the same: those of a statement and of the sentence that it was made of. */

import type { SentenceReport, Span } from "../report.js";
import { isFlagged } from "./standing.js";

/** The most words of a text that are compared; a longer one gets no marks of words. */
const MOST_WORDS = 400;

/** A word, a number or a sign of a text. */
interface Token extends Span {
  /** How it compares: in lower case. */
  key: string;
}

function tokensOf(text: string): Token[] {
  return Array.from(
    text.matchAll(/[\p{L}\p{M}\p{N}]+(?:[.,]\p{N}+)*|[^\s\p{L}\p{M}\p{N}]/gu),
    ({ 0: word, index }) => ({
      start: index,
      end: index + word.length,
      key: word.toLowerCase(),
    }),
  );
}

/**
 * Where the words at `spans` of a text stand in another text that says the same. Words that follow each other in both
 * make one span. Words that the other text lacks have none.
 */
export function placesIn(text: string, spans: Span[], other: string): Span[] {
  const [ours, theirs] = [tokensOf(text), tokensOf(other)];
  const pairs = ours.length > MOST_WORDS || theirs.length > MOST_WORDS ? [] : common(ours, theirs);
  return spans.flatMap(({ start, end }) => {
    const found: (Span & { at: number })[] = [];
    for (const [our, their] of pairs) {
      const [token, place] = [ours[our], theirs[their]];
      if (!token || !place || token.start < start || token.end > end) continue;
      const last = found.at(-1);
      if (last?.at === our - 1 && !other.slice(last.end, place.start).trim()) [last.end, last.at] = [place.end, our];
      else found.push({ start: place.start, end: place.end, at: our });
    }
    return found.map(({ start, end }) => ({ start, end }));
  });
}

/** Where, in the text that was checked, the words of a sentence stand that the evidence surely speaks against. */
export function wrongWords(report: SentenceReport, text: string): Span[] {
  const { statement, marks = [], start, end } = report;
  if (!isFlagged(report)) return [];
  const places = placesIn(statement, marks, text.slice(start, end));
  return places.map((place) => ({ start: start + place.start, end: start + place.end }));
}

/** The longest common subsequence of two lists of tokens, as pairs of their numbers. */
function common(ours: Token[], theirs: Token[]): [number, number][] {
  const width = theirs.length + 1;
  /** For each pair of positions, the length of the longest common subsequence of the tokens from there on. */
  const lengths = new Uint16Array((ours.length + 1) * width);
  const at = (our: number, their: number) => lengths[our * width + their] ?? 0;
  for (let our = ours.length - 1; our >= 0; our--)
    for (let their = theirs.length - 1; their >= 0; their--)
      lengths[our * width + their] =
        ours[our]?.key === theirs[their]?.key
          ? at(our + 1, their + 1) + 1
          : Math.max(at(our + 1, their), at(our, their + 1));
  const pairs: [number, number][] = [];
  for (let our = 0, their = 0; our < ours.length && their < theirs.length; )
    if (ours[our]?.key === theirs[their]?.key) pairs.push([our++, their++]);
    else if (at(our + 1, their) >= at(our, their + 1)) our++;
    else their++;
  return pairs;
}

/** Words of fewer letters than this say little by themselves, unless they are numbers or names. */
const SHORT = 4;

/**
 * The words of a quote that bear on a statement: numbers, names and longer words that both have. A short word is a name
 * by its capital, but not where the quote begins with it.
 */
export function bearingOn(statement: string, quote: string): Span[] {
  const said = new Set(tokensOf(statement).map(({ key }) => key));
  const telling = ({ start, end, key }: Token) =>
    /^[\p{L}\p{N}]/u.test(key) &&
    (end - start >= SHORT || (start > 0 && quote.slice(start, end) !== key) || /\p{N}/u.test(key));
  const found: Span[] = [];
  for (const token of tokensOf(quote)) {
    if (!said.has(token.key) || !telling(token)) continue;
    const last = found.at(-1);
    if (last && /^[\s-]*$/.test(quote.slice(last.end, token.start))) last.end = token.end;
    else found.push({ start: token.start, end: token.end });
  }
  return found;
}
