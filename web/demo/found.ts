/** What a check has found: its report, or what was judged until it ended early. */

import type { LeftOut, Report, Sentence, SentenceReport } from "evident-check";
import type { Markup } from "../package/src/report.js";

export type Found = Report | Unfinished;

/** The part of a report that there is when a check ends early, and the sentences that were not judged. */
export interface Unfinished extends Pick<Report, "schema" | "question" | "answer" | "sentences" | "leftOut"> {
  unjudged: Sentence[];
}

/** The text of a check, and how it was split. */
export interface Begun {
  question: string;
  answer: string;
  sentences: Sentence[];
  leftOut: LeftOut[];
  /** The answer, block by block. */
  blocks: Markup[];
}

/** The version of the reports that this page shows. */
export const SCHEMA: Report["schema"] = 3;

/** What is judged of a text; null where nothing is. */
export function unfinished(
  { question, answer, sentences, leftOut }: Begun,
  judged: (SentenceReport | undefined)[],
): Unfinished | null {
  const found = judged.filter((report) => report !== undefined);
  if (found.length === 0) return null;
  const unjudged = sentences.filter((_, index) => !judged[index]);
  return { schema: SCHEMA, question: question || null, answer, sentences: found, leftOut, unjudged };
}
