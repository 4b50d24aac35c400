/** What is checked, as the engine takes it. */

import type { Input } from "./report.js";

/** What stands between two blocks in the text of an answer (crate/verify/src/input.rs). */
export const GAP = "\n\n";

/** The input of an answer: a string is Markdown. */
export const inputOf = (answer: string | Input): Input => (typeof answer === "string" ? { markdown: answer } : answer);

/** The text of an answer, in which all places of its report are. */
export function textOf(answer: string | Input): string {
  const input = inputOf(answer);
  if ("markdown" in input) return input.markdown;
  if ("plain" in input) return input.plain;
  return input.blocks
    .map(({ text }) => text)
    .filter(Boolean)
    .join(GAP);
}
