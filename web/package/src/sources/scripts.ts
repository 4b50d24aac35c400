/** Raised and lowered text within a line, by the rules of crate/corpus. */

import { OBJECT } from "../ui/formula.js";

const PLAIN = "0123456789+-−–()";
const SMALL = { sup: "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾", sub: "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₍₎" };

export type Script = keyof typeof SMALL;

export const isScript = (name: string): name is Script => name === "sup" || name === "sub";

/** What raised or lowered text reads as behind `before`: "10³⁰", "x^n", "19th"; nothing for the mark of a note. */
export function small(script: Script, text: string, before: string): string {
  const words = text.trim();
  const gap = /\s$/.test(text) ? " " : "";
  const afterDigit = /\d$/.test(before);
  if (words === "o" && afterDigit) return `°${gap}`;
  if (/^[®™°′″]?$/.test(words) || (afterDigit && /^(st|nd|rd|th|er)$/.test(words))) return words + gap;
  if (words.includes(OBJECT)) return OBJECT + gap;
  if (script === "sup" && (/^(\[.*\]|[*†‡§¶]+)$/.test(words) || (/[.,;:!?"”»]$/.test(before) && isMark(words))))
    return gap;
  const signs = [...words].map((sign) => SMALL[script][PLAIN.indexOf(sign)]);
  if (!signs.includes(undefined)) return signs.join("") + gap;
  if (!/[\p{L}\p{N})\]]$/u.test(before)) return text; // it stands alone
  const isOne = /^[-−]?[\p{L}\p{N}.*′∞]+$/u.test(words);
  return `${script === "sup" ? "^" : "_"}${isOne ? words : `(${words})`}${gap}`;
}

/** Whether words are as the marks of notes: a number, several, or a letter. */
export const isMark = (words: string): boolean =>
  /^[[(]?(\d{1,3}(\s*[,;–-]\s*\d{1,3})*|[a-z]|[*†‡§¶]+)[\])]?$/.test(words.trim());
