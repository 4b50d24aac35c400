/** Numbers as people read them. */

import type { LeftOut, Risk, SentenceReport } from "evident-check";

/** How a sentence stands: its verdict, where "noEvidence" is told apart by whether the index speaks of it at all. */
export type Standing = "factual" | "unfactual" | "notInIndex" | "undecided";

export const WORD: Record<Standing, string> = {
  factual: "Factual",
  unfactual: "Unfactual",
  notInIndex: "Not in this index",
  undecided: "Undecided",
};

/** How a judged sentence stands. */
export function standingOf({ verdict, evidence }: SentenceReport): Standing {
  if (verdict !== "noEvidence") return verdict;
  const decisive = evidence.find((passage) => passage.decisive);
  return decisive && decisive.nli.neutral < 0.5 ? "undecided" : "notInIndex";
}

/** The word for it, as a badge has it. */
export const wordFor = (report: SentenceReport): string => WORD[standingOf(report)];

/** How many sentences stand how; undecided is named only where there are such. */
export function standings(sentences: SentenceReport[]): [Standing, number][] {
  const numbers = (Object.keys(WORD) as Standing[]).map((standing): [Standing, number] => [
    standing,
    sentences.filter((sentence) => standingOf(sentence) === standing).length,
  ]);
  return numbers.filter(([standing, number]) => standing !== "undecided" || number > 0);
}

/** The same as a phrase. */
export const summaryOf = (sentences: SentenceReport[]): string =>
  standings(sentences)
    .map(([standing, number]) => `${number} ${WORD[standing].toLowerCase()}`)
    .join(", ");

/** What a sentence is that is not judged. */
export const NO_CLAIM: Record<LeftOut["kind"], string> = {
  question: "a question",
  instruction: "advice",
  opinion: "an opinion",
  pleasantry: "no claim",
  fragment: "no sentence",
};

/** Why to look twice at a sentence. */
export const RISK: Record<Risk, string> = {
  numeral: "it has a number",
  context: "it leans on what precedes it",
  rareName: "the index hardly has a name in it",
  afterUnfactual: "it follows an unfactual sentence",
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
