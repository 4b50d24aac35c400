/** How a judged sentence stands: its verdict, with "noEvidence" split by whether the index speaks of the sentence. */

import type { SentenceReport, Verdict } from "../report.js";

/** "undecided": passages speak of it and do not settle it. "notInIndex": none does, which is no sign of an error. */
export type Standing = "factual" | "unfactual" | "mixed" | "undecided" | "notInIndex";

/** How a sentence of this verdict stands. */
export function standingOf({ verdict, related }: Pick<SentenceReport, "verdict" | "related">): Standing {
  if (verdict !== "noEvidence") return verdict;
  return related ? "undecided" : "notInIndex";
}

/** The verdict of sentences that stand so. */
export const verdictOf = (standing: Standing): Verdict =>
  standing === "undecided" || standing === "notInIndex" ? "noEvidence" : standing;

/** Whether the score goes with the verdict: it is shown of a verdict that decides, and on the side that it decides. */
export const hasScore = ({ verdict, score }: Pick<SentenceReport, "verdict" | "score">): boolean =>
  verdict === "factual" ? score >= 0.5 : verdict === "unfactual" && score < 0.5;
