/** The text that the reader has put in. The tab keeps it for a reload, until it is closed. */

import type { Shared } from "./share.js";

const KEY = "evident-draft";

export function keepDraft(draft: Shared): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // This browser keeps nothing for the page.
  }
}

/** What was kept; null for nothing. */
export function keptDraft(): Shared | null {
  try {
    const { question, answer } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Partial<Shared>;
    return answer ? { question: question ?? "", answer } : null;
  } catch {
    return null;
  }
}
