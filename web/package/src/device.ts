/** Defaults for this device: how many workers, and which of the pack's models. */

import { EvidentError } from "./errors.js";
import type { PackModel } from "./protocol.js";

/**
 * What a caller may ask for: "auto" is "small" on phones and "full" elsewhere. A pack without a small model has the
 * full one for both.
 */
export type ModelChoice = "auto" | "full" | "small";

/** The most threads that share one memory. */
const MOST_SHARING = 4;
/** The most workers with a memory each, of 120 MB or, with all models, 215 MB: two stay under 450 MB. */
const MOST_APART = 2;
/** Gigabytes of memory below which a device is small. */
const SMALL = 4;

interface Device {
  hardwareConcurrency?: number;
  /** Gigabytes, rounded; not every browser says. */
  deviceMemory?: number;
  userAgentData?: { mobile?: boolean };
}

const device = (): Device => (globalThis.navigator ?? {}) as Device;

/** Whether this is a phone, as far as the browser says: by its own word, or a touched screen and little memory. */
export function isPhone(): boolean {
  const { userAgentData, deviceMemory = Infinity } = device();
  const { matchMedia } = globalThis as { matchMedia?: (query: string) => { matches: boolean } };
  return userAgentData?.mobile === true || (deviceMemory < SMALL && matchMedia?.("(pointer: coarse)").matches === true);
}

/**
 * How many workers judge sentences at once: half of the processors. Where they share one memory, four at most, and one
 * where the browser says that there are less than 4 GB. Where each has its own, two at most, and one on a phone and
 * where the browser does not say that there are 4 GB.
 */
export function usualThreads(shares: boolean): number {
  const { hardwareConcurrency = 1, deviceMemory } = device();
  const half = Math.max(1, Math.floor(hardwareConcurrency / 2));
  if (shares) return (deviceMemory ?? Infinity) < SMALL ? 1 : Math.min(MOST_SHARING, half);
  return (deviceMemory ?? 0) < SMALL || isPhone() ? 1 : Math.min(MOST_APART, half);
}

/**
 * The model of the pack that a choice means on this device.
 * @throws EvidentError "bad-settings" where there is no such choice.
 */
export function chooseModel(choice: ModelChoice): PackModel {
  if (!isModelChoice(choice))
    throw new EvidentError("bad-settings", `model takes "auto", "full" or "small", not "${choice}"`);
  return choice === "small" || (choice === "auto" && isPhone()) ? "small" : "nli";
}

function isModelChoice(choice: string): choice is ModelChoice {
  return ["auto", "full", "small"].includes(choice);
}
