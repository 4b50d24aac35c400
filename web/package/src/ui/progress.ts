/** How far the loading of an engine, a check and a scoring are. */

import type { ConnerStep } from "../conner.js";
import type { LoadProgress, Stage, VerifyEvent } from "../report.js";
import { SCORE_NAMES } from "./scores.js";
import type { Word, Wording } from "./strings.js";

/** How far something is: `fraction` is in [0, 1]. */
export interface Progress {
  fraction: number;
  label: string;
}

/** What each stage of loading is called. */
const LOADING = {
  engine: "loadEngine",
  pack: "loadPack",
  models: "loadModels",
  rerank: "loadRerank",
  index: "loadIndex",
  warmup: "loadWarmup",
} as const satisfies Record<LoadProgress["stage"], Word>;

/** The loading of an engine. */
export function loadingOf({ stage, loaded, total, bytes }: LoadProgress, wording: Wording): Progress {
  const amounts = bytes ? { loaded: wording.megabytes(bytes.loaded), total: wording.megabytes(bytes.total) } : {};
  return { fraction: loaded / total, label: wording.say(LOADING[stage], amounts) };
}

/** The share of a sentence's work that lies before each stage. */
const STAGES: Record<Stage, number> = { retrieve: 0, rerank: 0.1, nli: 0.2, verify: 0.6 };

/** Follows the events of a check, whose sentences may be judged several at once. */
export class CheckProgress {
  #shares: number[] = [];

  /** The share of the work that is done after this event, in [0, 1]; it never goes back. */
  follow(event: VerifyEvent): number {
    if (event.kind === "sentences") this.#shares = event.sentences.map(() => 0);
    else if (event.kind === "stage") this.#shares[event.sentence] = STAGES[event.stage];
    else if (event.kind === "sentence") this.#shares[event.index] = 1;
    return this.#shares.reduce((sum, share) => sum + share, 0) / Math.max(1, this.#shares.length);
  }
}

/** The share of scoring that lies before each step begins and before it ends. */
const SCORED: Record<ConnerStep["step"], [from: number, to: number]> = {
  fetch: [0, 0.1],
  models: [0.1, 0.15],
  factuality: [0.15, 0.7],
  relevance: [0.7, 0.72],
  cohesion: [0.72, 0.8],
  coherence: [0.8, 0.82],
  informativeness: [0.82, 0.9],
  helpfulness: [0.9, 0.96],
  validity: [0.96, 1],
};

/** A scoring; `size` writes a number of bytes. */
export function scoringOf(step: ConnerStep, wording: Wording, size: (bytes: number) => string): Progress {
  const [from, to] = SCORED[step.step];
  const at = (part: number, label: string) => ({ fraction: from + (to - from) * part, label });
  switch (step.step) {
    case "fetch":
    case "models": {
      const amounts = { loaded: size(step.loaded), total: size(step.total) };
      return at(
        step.total ? step.loaded / step.total : 0,
        wording.say(step.step === "fetch" ? "loadPack" : "loadModels", amounts),
      );
    }
    case "factuality":
      return at(step.sentence / step.of, `${SCORE_NAMES.factuality}: sentence ${step.sentence + 1} of ${step.of}`);
    default:
      return at(0, SCORE_NAMES[step.step]);
  }
}
