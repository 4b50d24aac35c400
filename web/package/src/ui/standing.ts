/**
 * How a judged sentence stands: its verdict, with likely ones told from sure ones, and "noEvidence" split by whether the
 * index speaks of the sentence.
 */

import type { SentenceReport, Verdict } from "../report.js";

/** "undecided": passages speak of it and do not settle it. "notInIndex": none does, which is no sign of an error. */
export type Standing =
  | "factual"
  | "likelyFactual"
  | "unfactual"
  | "likelyUnfactual"
  | "mixed"
  | "undecided"
  | "notInIndex";

/** What a standing looks like: all sentences without a verdict look alike. */
export type Look = Verdict | "likelyFactual" | "likelyUnfactual";

/** What is known of a sentence, or of a part of one, that is judged. */
export type Judged = Pick<SentenceReport, "verdict" | "related"> & Partial<Pick<SentenceReport, "confidence">>;

/** How a sentence of this verdict stands. */
export function standingOf({ verdict, confidence, related }: Judged): Standing {
  if (verdict === "noEvidence") return related ? "undecided" : "notInIndex";
  if (confidence !== "likely" || verdict === "mixed") return verdict;
  return verdict === "factual" ? "likelyFactual" : "likelyUnfactual";
}

/** The look of a standing. */
export const lookOf = (standing: Standing): Look =>
  standing === "undecided" || standing === "notInIndex" ? "noEvidence" : standing;

/** Whether the evidence surely speaks against a sentence. */
export const isFlagged = (judged: Judged): boolean => ["unfactual", "mixed"].includes(standingOf(judged));

/** Whether the score goes with the verdict: it is shown of a verdict that decides, and on the side that it decides. */
export const hasScore = ({ verdict, score }: Pick<SentenceReport, "verdict" | "score">): boolean =>
  verdict === "factual" ? score >= 0.5 : verdict === "unfactual" && score < 0.5;
