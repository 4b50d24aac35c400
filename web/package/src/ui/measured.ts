/** How often verdicts are right, as the pack states it of each of its models that judge. */

import type { PackModel } from "../protocol.js";
import type { SentenceReport } from "../report.js";
import { make } from "./dom.js";
import { type Judged, standingOf } from "./standing.js";
import type { Wording } from "./strings.js";

/** How many of some claims got which verdict; the rest got none. */
interface VerdictCounts {
  claims: number;
  factual: number;
  unfactual: number;
  /** Likely verdicts, which a pack may leave out. */
  likely_factual?: number;
  likely_unfactual?: number;
}

/** The standings that are counted, each with its count. */
const COUNTED = {
  factual: "factual",
  unfactual: "unfactual",
  likelyFactual: "likely_factual",
  likelyUnfactual: "likely_unfactual",
} as const;

/** The verdicts by a model on labelled claims that it was neither trained on nor calibrated with (models/README.md). */
export interface Measured {
  true: VerdictCounts;
  false: VerdictCounts;
}

/** What the pack at an address states of the model that judges; null where it states nothing. */
export async function measuredOf(pack: string, model: PackModel): Promise<Measured | null> {
  // The engine has just fetched it.
  const response = await fetch(`${pack}pack.json`, { cache: "force-cache" });
  const { models } = (await response.json()) as { models: Record<string, { measured?: unknown }> };
  const { measured } = models[model] ?? models.nli ?? {};
  return isMeasured(measured) ? measured : null;
}

/** Whether it is a statement: nothing holds pack.json to a hash here. */
function isMeasured(stated: unknown): stated is Measured {
  const { true: ofTrue, false: ofFalse } = (stated ?? {}) as Record<string, unknown>;
  return isCounts(ofTrue) && isCounts(ofFalse);
}

function isCounts(counts: unknown): boolean {
  const {
    claims,
    factual,
    unfactual,
    likely_factual = 0,
    likely_unfactual = 0,
  } = (counts ?? {}) as Record<string, unknown>;
  const called = [factual, unfactual, likely_factual, likely_unfactual];
  return isCount(claims) && claims > 0 && called.every(isCount) && called.reduce((sum, n) => sum + n) <= claims;
}

const isCount = (count: unknown): count is number => Number.isSafeInteger(count) && (count as number) >= 0;

/** How often a verdict as sure as this one was right, in words; null where no claim got such a one. */
export function rateOf(judged: Judged, measured: Measured | null, wording: Wording): string | null {
  const standing = standingOf(judged);
  if (!(standing in COUNTED)) return null;
  if (!measured) return wording.say("measuredNot");
  const counted = COUNTED[standing as keyof typeof COUNTED];
  const [ofTrue, ofFalse] = [measured.true[counted] ?? 0, measured.false[counted] ?? 0];
  const n = ofTrue + ofFalse;
  const right = judged.verdict === "factual" ? ofTrue : ofFalse;
  const percent = (right / n).toLocaleString(wording.lang, { style: "percent" });
  return n === 0 ? null : wording.say(`measured-${standing as keyof typeof COUNTED}`, { n, percent });
}

/**
 * The same as a line that fills once it is known what the pack states, with a link to the card of the models where there
 * is one. It stays empty where that cannot be known.
 */
export function rateLine(
  report: SentenceReport,
  stated: Promise<Measured | null>,
  card: string | null,
  wording: Wording,
): HTMLElement {
  const line = make("p", "hint");
  if (report.pFactual !== null) return line; // a T5 has judged too, of which nothing is stated
  const fill = (measured: Measured | null) => {
    const rate = rateOf(report, measured, wording);
    if (!rate) return;
    line.append(rate);
    if (!card) return;
    const link = make("a", "", wording.say("card"));
    link.href = card;
    link.target = "_blank";
    line.append(" ", link);
  };
  stated.then(fill, () => undefined);
  return line;
}
