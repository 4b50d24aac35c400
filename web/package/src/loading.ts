/** The progress of loading as a whole, from what the engine reports of its stages. */

import type { StageProgress } from "./protocol.js";
import type { LoadProgress, LoadStage } from "./report.js";

/** The share of loading that lies before each stage begins and before it ends. */
const SHARES: Record<LoadStage, [from: number, to: number]> = {
  engine: [0, 0.1],
  pack: [0.1, 0.6],
  models: [0.6, 0.75],
  rerank: [0.75, 0.8],
  index: [0.8, 0.85],
  warmup: [0.85, 1],
};

/** One loading, which may be tried on another device in between. */
export class Loading {
  readonly #began = performance.now();
  readonly #first: number;
  readonly #last: number;
  #furthest = 0;

  /** The loading of everything, or from the stage `first` to the stage `last`. */
  constructor(first: LoadStage = "engine", last: LoadStage = "warmup") {
    this.#first = SHARES[first][0];
    this.#last = SHARES[last][1];
  }

  /** The progress of the whole after this report on a stage. */
  follow({ stage, loaded, total }: StageProgress): LoadProgress {
    const [from, to] = SHARES[stage];
    const at = from + (to - from) * (total ? Math.min(1, loaded / total) : 0);
    this.#furthest = Math.max(this.#furthest, (at - this.#first) / (this.#last - this.#first));
    return {
      stage,
      loaded: this.#furthest,
      total: 1,
      elapsed: performance.now() - this.#began,
      bytes: stage === "pack" || stage === "rerank" ? { loaded, total } : null,
    };
  }
}
