/** What the page and its service worker tell each other. */

/** What the page asks for: a whole copy, with the modules of the backend it computed on; or that a waiting version takes over. */
export type Request = { type: "keep"; backend: string } | { type: "takeOver" };

/** How far keeping is, in bytes; `left` says why it ended before its end. */
export interface Kept {
  kept: number;
  total: number;
  left?: "quota" | "network";
}
