/** How long work still takes, by how long it took so far. */

import type { Wording } from "./strings.js";

/** Milliseconds of work before which nothing can be told. */
const EARLY_MS = 3_000;
/** Work that takes less than this, in milliseconds, needs no estimate. */
const LONG_MS = 10_000;

/** Estimates the end of one work after another. */
export class Estimate {
  #began = 0;
  /** The share that was done when the estimate began, and the last one that was told. */
  #from = Infinity;
  #last = Infinity;

  /**
   * Milliseconds left of work of which this share, in [0, 1], is done; null where that cannot be told yet, and where the
   * work is short. A smaller share than the last one is that of other work.
   */
  left(done: number, now = performance.now()): number | null {
    if (done < this.#last) [this.#began, this.#from] = [now, done];
    this.#last = done;
    const elapsed = now - this.#began;
    const share = done - this.#from;
    if (elapsed < EARLY_MS || share <= 0) return null;
    const left = (elapsed * (1 - done)) / share;
    return elapsed + left < LONG_MS ? null : left;
  }
}

/** A label of work, and how long it still takes where that is known. */
export function withTimeLeft(label: string, left: number | null, wording: Wording): string {
  return left === null ? label : `${label} · ${wording.say("timeLeft", { time: wording.duration(left) })}`;
}
