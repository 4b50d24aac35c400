/** What the page and its service worker tell each other. */

/** What the page asks for: a whole copy, with the wasm module that it computed with; or that a waiting version takes over. */
export type Request = { type: "keep"; module: string } | { type: "takeOver" };

/** How far keeping is, in bytes; `left` says why it ended before its end. */
export interface Kept {
  kept: number;
  total: number;
  left?: "quota" | "network";
}
