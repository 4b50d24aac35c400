/** What the page and its service worker tell each other. */

import type { ModuleName } from "../../package/src/module.js";

/** What the page asks for: a whole copy, with the module it computed with; or that a waiting version takes over. */
export type Request = { type: "keep"; module: ModuleName } | { type: "takeOver" };

/** How far keeping is, in bytes; `left` says why it ended before its end. */
export interface Kept {
  kept: number;
  total: number;
  left?: "quota" | "network";
}
