/** How much text a check takes, in words: people do not count characters. */

import { count } from "./format.js";

/** The setting `maxCharacters` of this page's checks. */
export const MOST_CHARACTERS = 20_000;
/** The characters of a word, with its space and signs; tests/data/answers.jsonl has 5.6. */
const WORD = 6;

/** How many words a text has, and about how many more fit, or are too many; `isOver` where they are. */
export function roomIn(text: string): { said: string; isOver: boolean } {
  const left = MOST_CHARACTERS - characters(text);
  const words = about(Math.abs(left) / WORD);
  if (left < 0)
    return { said: `About ${count(Math.max(1, words), "word")} too many: check it in parts.`, isOver: true };
  const has = text.match(/\S+/g)?.length ?? 0;
  const fit = words.toLocaleString("en");
  return { said: has ? `${count(has, "word")}; about ${fit} more fit.` : `About ${fit} words fit.`, isOver: false };
}

/** The characters as the engine counts them: code points. */
const characters = (text: string) => text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);

/** A number rounded down to two digits or to a hundred, for it is an estimate. */
function about(n: number): number {
  const step = n < 100 ? 1 : n < 1_000 ? 10 : 100;
  return step * Math.floor(n / step);
}
