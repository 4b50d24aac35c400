/** How a judged sentence stands: its verdict, where "noEvidence" is told apart by whether the index speaks of it at all. */

import type { SentenceReport, Verdict } from "../report.js";

/** "undecided": passages speak of it and do not settle it; "notInIndex": none does, which is no sign of an error. */
export type Standing = "factual" | "unfactual" | "notInIndex" | "undecided";

const STANDINGS: readonly Standing[] = ["factual", "unfactual", "notInIndex", "undecided"];

/** A passage that is more likely neutral than not does not speak of the sentence. */
const SILENT_FROM = 0.5;

export function standingOf({ verdict, evidence }: Pick<SentenceReport, "verdict" | "evidence">): Standing {
  if (verdict !== "noEvidence") return verdict;
  const decisive = evidence.find((passage) => passage.decisive);
  return decisive && decisive.nli.neutral < SILENT_FROM ? "undecided" : "notInIndex";
}

/** The verdict of sentences that stand so. */
export const verdictOf = (standing: Standing): Verdict => (standing === "factual" || standing === "unfactual" ? standing : "noEvidence");

/** How many sentences stand how; undecided is named only where there are such. */
export function standings(sentences: SentenceReport[]): [Standing, number][] {
  const found = sentences.map(standingOf);
  const numbers = STANDINGS.map((standing): [Standing, number] => [standing, found.filter((other) => other === standing).length]);
  return numbers.filter(([standing, number]) => standing !== "undecided" || number > 0);
}
