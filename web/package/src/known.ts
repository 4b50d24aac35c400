/** Refuses what a caller says that this package does not know: a misspelt name would be passed over. */

import { EvidentError } from "./errors.js";
import { CONNER_DEFAULTS } from "./generated/conner.js";
import { PRESETS } from "./generated/settings.js";
import type { ConnerOptions, SecondOpinionOptions, VerifierOptions, VerifyOptions } from "./options.js";

/** What `createVerifier`, `verify` and `split`, `conner`, and `secondOpinion` take. */
const OPTIONS = {
  createVerifier: namesOf<VerifierOptions>({
    pack: true,
    index: true,
    indexCache: true,
    engine: true,
    backend: true,
    model: true,
    threads: true,
    models: true,
    rerank: true,
    lazy: true,
    onProgress: true,
    onNotice: true,
    signal: true,
  }),
  verify: namesOf<VerifyOptions>({ question: true, settings: true, signal: true, onSentence: true, onEvent: true }),
  conner: namesOf<ConnerOptions>({ settings: true, signal: true, onStep: true }),
  secondOpinion: namesOf<SecondOpinionOptions>({ settings: true, signal: true, onEvent: true }),
};

/** The settings of each. */
const SETTINGS = {
  verify: Object.keys(PRESETS.recommended),
  conner: Object.keys(CONNER_DEFAULTS),
  secondOpinion: Object.keys(PRESETS.recommended),
};

/**
 * Checks the names of options.
 * @throws EvidentError "bad-settings" for the first that is unknown.
 */
export function checkOptions(of: keyof typeof OPTIONS, options: object): void {
  check("option", options, OPTIONS[of]);
}

/**
 * Checks the names of options, and of the settings among them.
 * @throws EvidentError "bad-settings" for the first that is unknown.
 */
export function checkSettings(of: keyof typeof SETTINGS, options: { settings?: object }): void {
  checkOptions(of, options);
  check("setting", options.settings ?? {}, SETTINGS[of]);
}

function check(what: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const far = (name: string) => distance(unknown.toLowerCase(), name.toLowerCase());
  const nearest = known.reduce((best, name) => (far(name) < far(best) ? name : best));
  throw new EvidentError("bad-settings", `there is no ${what} ${unknown}: the nearest name is ${nearest}`);
}

/** How many letters have to be put in, left out or replaced to make one word the other (Levenshtein's distance). */
function distance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const letter of from) {
    const row = [(above[0] ?? 0) + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (above[column] ?? 0) + Number(letter !== other);
      row.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (row[column] ?? 0) + 1));
    }
    above = row;
  }
  return above[to.length] ?? 0;
}

/** All names of an options type: the compiler sees that none is left out. */
function namesOf<T>(names: Record<keyof T, true>): readonly string[] {
  return Object.keys(names);
}
