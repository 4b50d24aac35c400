/** Numbers as people read them. */

import type { Risk, SentenceReport } from "evident-check";
import { labelOf, standingOf } from "../package/src/ui/standing.js";
import { Wording } from "../package/src/ui/strings.js";
import { tallyOf } from "../package/src/ui/summary.js";

/** The words that the page shares with the element. */
export const WORDING = new Wording({}, "en");

/** The word for how a judged sentence stands, as a badge has it. */
export const wordFor = (report: SentenceReport): string => WORDING.say(standingOf(report));

/** The same with the score, where that goes with the verdict. */
export const labelFor = (report: SentenceReport): string => labelOf(standingOf(report), report.score, WORDING);

/** How many sentences stand how, as a phrase. */
export const summaryOf = (sentences: SentenceReport[]): string => tallyOf(sentences, WORDING);

/** Why to look twice at a sentence. */
export const RISK: Record<Risk, string> = {
  numeral: "it has a number",
  context: "it leans on what precedes it",
  rareName: "the index hardly has a name in it",
  afterUnfactual: "it follows a contradicted sentence",
};

export const decimal = (value: number): string => value.toFixed(2);

export const count = (n: number, one: string, many = `${one}s`): string => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

export function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

export function bytes(n: number): string {
  if (n < 1_000) return `${n} B`;
  return n < 1_000_000 ? `${Math.round(n / 1_000)} kB` : `${(n / 1_000_000).toFixed(1)} MB`;
}

/** An error's message as a sentence of its own. */
export const sentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
