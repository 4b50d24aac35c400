/**
 * The report of a verification, as the Rust engine writes it (crate/verify/REPORT.md); the command line's --json is the
 * same.
 */

import type { JudgingEvent } from "./generated/report.js";

export type * from "./generated/report.js";
export type * from "./generated/settings.js";

/**
 * What the engine tells while it works; "load" where it fetches and loads a model that this check is the first to ask
 * for.
 */
export type VerifyEvent = ({ kind: "load" } & LoadProgress) | JudgingEvent;

/**
 * What went wrong and stops nothing, and why, in `message`: "gpu-failed", the GPU did, and work goes on (or starts
 * over) on the CPU; "not-kept", the browser has no room for a file of the pack, which the next visit fetches again.
 */
export interface Notice {
  kind: "gpu-failed" | "not-kept";
  message: string;
}

/**
 * How far loading is: bytes for "pack" and "rerank" (the model that re-ranks, where one does), steps for the others.
 * "engine" is the wasm module and the device.
 */
export interface LoadProgress {
  stage: "engine" | "pack" | "models" | "rerank" | "index" | "warmup";
  loaded: number;
  total: number;
}
