/** Numbers as people read them. */

import type { LeftOut, Verdict } from "evident-check";

export const WORD: Record<Verdict, string> = { factual: "Factual", unfactual: "Unfactual", noEvidence: "No evidence" };

/** What a sentence is that is not judged. */
export const NO_CLAIM: Record<LeftOut["kind"], string> = {
  question: "a question",
  instruction: "advice",
  opinion: "an opinion",
  pleasantry: "no claim",
  fragment: "no sentence",
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
