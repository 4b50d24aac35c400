/** What the page and its service worker tell each other. */

import type { ModuleName } from "../../package/src/module.js";
import type { PackModel } from "../../package/src/protocol.js";

/**
 * What the page asks for: a copy that can judge, with the module and the model that it judges with, how much of one is
 * there, or that it goes; that a waiting version takes over; or whether there is a host at an address at all, which an
 * isolated page cannot find out where the host lets nobody read.
 */
export type Request =
  | { type: "keep" | "weigh" | "drop"; module: ModuleName; model: PackModel }
  | { type: "takeOver" }
  | { type: "reach"; address: string };

/** How far keeping is, in bytes; the total is infinite while it is not known. `left` says why it stopped early. */
export interface Kept {
  kept: number;
  total: number;
  left?: "quota" | "network";
}
