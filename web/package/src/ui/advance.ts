/** How far a check is. */

import type { Stage, VerifyEvent } from "../index.js";

/** The share of a sentence's work that lies before each stage. */
const STAGES: Record<Stage, number> = { retrieve: 0, rerank: 0.1, nli: 0.2, verify: 0.6 };

/** Follows the events of a check, whose sentences may be judged several at once. */
export class Advance {
  #shares: number[] = [];

  /** The share of the work that is done after this event, in [0, 1]; it never goes back. */
  follow(event: VerifyEvent): number {
    if (event.kind === "sentences") this.#shares = event.sentences.map(() => 0);
    else if (event.kind === "stage") this.#shares[event.sentence] = STAGES[event.stage];
    else if (event.kind === "sentence") this.#shares[event.index] = 1;
    return this.#shares.reduce((sum, share) => sum + share, 0) / Math.max(1, this.#shares.length);
  }
}
