/** A cited page, as a caller gives it and as the engine takes it. */

import type { Unread } from "../generated/report.js";
import type { Passage } from "../passage.js";

/** A cited page that cannot be read, and why. */
export interface UnreadSource {
  unread: Unread;
  /** In how many seconds its host lets itself be asked again, where it says so. */
  retryAfter?: number;
}

/**
 * A cited page: its text, its file (HTML, PDF, or text in UTF-8, by the type of the Blob), its passages, or why it cannot
 * be read.
 */
export type Source = string | Blob | Iterable<Passage> | UnreadSource;

/** Cited pages by their addresses. */
export type Sources = Readonly<Record<string, Source>>;

/** A page as the engine's worker takes it: its passages as lines of JSON, or why it cannot be read. */
export type Page = Blob | Unread;
