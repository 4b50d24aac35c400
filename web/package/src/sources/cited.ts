/** What a sentence cites. */

import type { SentenceReport } from "../report.js";

/** The addresses that a sentence cites, each once and in order. */
export const citedBy = ({ citations = [] }: Pick<SentenceReport, "citations">): string[] => [
  ...new Set(citations.flatMap(({ address }) => address ?? [])),
];
