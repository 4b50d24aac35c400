/**
 * CONNER: six scores of a piece of knowledge and of the answer given with it (chen2023), as the Rust engine gives them
 * (crate/verify/CONNER.md); the command line's `evident conner --json` is the same.
 */

import type { ScoreName } from "./generated/conner.js";

export type * from "./generated/conner.js";

/**
 * What the engine is about to do. "fetch" (in bytes) and "models" come while the models that only these scores need are
 * loaded; a step comes again as long as there is more of it to do.
 */
export type ConnerStep =
  | { step: "fetch" | "models"; loaded: number; total: number }
  | { step: "factuality"; sentence: number; of: number }
  | { step: Exclude<ScoreName, "factuality" | "quality"> };
