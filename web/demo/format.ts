/** Numbers as people read them. */

import type { Report, SentenceReport } from "evident-check";
import { standingOf } from "../package/src/ui/standing.js";
import { Wording } from "../package/src/ui/strings.js";
import { tallyOf } from "../package/src/ui/summary.js";

/** The words of the shared pieces, with some of the page's own. */
export const WORDING = new Wording(
  {
    t5: "T5 alone",
    t5Silent: "T5 alone (it gave no answer)",
    "error-answer-too-long": "The answer is too long",
    "error-bad-passages": "The files cannot be made an index",
    "error-bad-settings": "A setting is out of range",
    "error-index-corrupt": "This is no index, or a damaged one",
  },
  "en",
);

/** The word for how a judged sentence stands, as a badge has it. */
export const wordFor = (report: SentenceReport): string => WORDING.say(standingOf(report));

/** How many sentences have each standing, as a phrase. */
export const summaryOf = (sentences: SentenceReport[]): string => tallyOf(sentences, WORDING);

/** The mean score of all claims, and how many of them have a verdict; "" without claims. */
export function meanOf({ sentences, summary }: Report): string {
  if (summary.score === null || summary.coverage === null) return "";
  const claims = sentences.length === 1 ? "the only claim" : `all ${count(sentences.length, "claim")}`;
  return `${summary.score.toFixed(2)}, the mean of ${claims}; ${Math.round(100 * summary.coverage)} % have a verdict`;
}

export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

export function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

export function bytes(n: number): string {
  if (n < 1_000) return `${n} B`;
  return n < 1_000_000 ? `${Math.round(n / 1_000)} kB` : `${(n / 1_000_000).toFixed(1)} MB`;
}

/** When something was, as people write it. */
export const timeOf = (at: number): string =>
  new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });

/** A text on one line, without the characters that change the direction of text or hide it. */
export const onOneLine = (text: string): string =>
  text
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim();

/** An error's message as a sentence of its own. */
export const sentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
