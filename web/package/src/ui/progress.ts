/** How far the loading of an engine is, as a fraction and in words. */

import type { LoadProgress } from "../index.js";
import type { Strings, Wording } from "./strings.js";

/** The share of loading that lies before each stage begins and before it ends. */
const LOADED: Record<LoadProgress["stage"], [from: number, to: number, label: keyof Strings]> = {
  engine: [0, 0.1, "loadEngine"],
  pack: [0.1, 0.6, "loadPack"],
  models: [0.6, 0.75, "loadModels"],
  rerank: [0.75, 0.8, "loadRerank"],
  index: [0.8, 0.85, "loadIndex"],
  warmup: [0.85, 1, "loadWarmup"],
};

/** `fraction` is in [0, 1]. */
export function loadingOf({ stage, loaded, total }: LoadProgress, wording: Wording): { fraction: number; label: string } {
  const [from, to, label] = LOADED[stage];
  const amounts = stage === "pack" || stage === "rerank" ? { loaded: wording.megabytes(loaded), total: wording.megabytes(total) } : {};
  return { fraction: from + (to - from) * (total ? loaded / total : 0), label: wording.say(label, amounts) };
}
