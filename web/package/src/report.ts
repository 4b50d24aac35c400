/**
 * The report of a verification, as the Rust engine writes it (crate/verify/REPORT.md); the command line's --json is the
 * same.
 */

import type { JudgingEvent } from "./generated/report.js";

export type * from "./generated/input.js";
export type * from "./generated/report.js";
export type * from "./generated/settings.js";

/**
 * What the engine tells while it works; "load" where it fetches and loads a model that this check is the first to ask
 * for.
 */
export type VerifyEvent = ({ kind: "load" } & LoadProgress) | JudgingEvent;

/**
 * A failure that does not stop the work; `message` says why. "gpu-failed": the GPU failed, and work goes on (or starts
 * over) on the CPU. "not-kept": the browser has no room for a file of the pack, which the next visit fetches again, or
 * stores no version of what is signed, so that an older one will not be noticed. "wiki-failed": the wiki could not be
 * asked about the sentence that `judge` judges, which keeps what the indexes say; `verify` says that in its report's
 * `sources`. "wiki-waits": the wiki has asked to wait for so many `seconds`, and the sentences that it is asked about do
 * so; another with 0 follows when that is over.
 */
export interface Notice {
  kind: "gpu-failed" | "not-kept" | "wiki-failed" | "wiki-waits";
  message: string;
  /** Of "wiki-waits" alone. */
  seconds?: number;
}

/**
 * What is being loaded: "engine" is the wasm module and the device, "pack" the models' files, "rerank" those of the
 * model that re-ranks, where one does.
 */
export type LoadStage = "engine" | "pack" | "models" | "rerank" | "index" | "warmup";

/** How far loading is. */
export interface LoadProgress {
  stage: LoadStage;
  /** How much of all stages' work is done, out of `total`. It never goes back, not even if loading starts over. */
  loaded: number;
  /** The whole: 1. */
  total: number;
  /** Milliseconds since loading began. */
  elapsed: number;
  /** The files' bytes, in the stages that fetch them; null in the others. */
  bytes: { loaded: number; total: number } | null;
}
