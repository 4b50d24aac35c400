/** Refuses names that this package does not know: a misspelt option or setting would be ignored silently. */

import type { ConnerItem } from "./conner.js";
import { EvidentError } from "./errors.js";
import { CONNER_DEFAULTS } from "./generated/conner.js";
import type { Demonstration, Settings } from "./generated/settings.js";
import { PRESETS } from "./generated/settings.js";
import type {
  BuildOptions,
  CheckSourcesOptions,
  ConnerOptions,
  FetchOptions,
  JudgeOptions,
  SecondOpinionOptions,
  VerifierOptions,
  VerifyOptions,
} from "./options.js";
import type { Expected } from "./protocol.js";
import type { SignedBy } from "./signed.js";

/** The options of each function. */
const OPTIONS = {
  createVerifier: namesOf<VerifierOptions>({
    pack: true,
    index: true,
    furtherIndexes: true,
    wiki: true,
    expected: true,
    signedBy: true,
    keepVersion: true,
    indexCache: true,
    engine: true,
    device: true,
    model: true,
    threads: true,
    models: true,
    rerank: true,
    lazy: true,
    onProgress: true,
    onNotice: true,
    signal: true,
  }),
  verify: namesOf<VerifyOptions>({
    question: true,
    settings: true,
    sources: true,
    signal: true,
    onSentence: true,
    onEvent: true,
  }),
  judge: namesOf<JudgeOptions>({ question: true, settings: true, certainty: true, signal: true, onEvent: true }),
  checkSources: namesOf<CheckSourcesOptions>({ signal: true, onEvent: true }),
  fetchSources: namesOf<FetchOptions>({ signal: true, onSource: true, fetch: true, lookup: true }),
  split: namesOf<Pick<VerifyOptions, "question" | "settings" | "signal">>({
    question: true,
    settings: true,
    signal: true,
  }),
  conner: namesOf<ConnerOptions>({ settings: true, signal: true, onStep: true }),
  secondOpinion: namesOf<SecondOpinionOptions>({ settings: true, signal: true, onEvent: true }),
  buildIndex: namesOf<BuildOptions>({ engine: true, signal: true }),
  wikiWords: namesOf<BuildOptions>({ engine: true, signal: true }),
};

/** The settings of each. */
const SETTINGS = {
  verify: Object.keys(PRESETS.recommended),
  split: Object.keys(PRESETS.recommended),
  judge: Object.keys(PRESETS.recommended),
  conner: Object.keys(CONNER_DEFAULTS),
  secondOpinion: Object.keys(PRESETS.recommended),
};

const DEMONSTRATION = namesOf<Demonstration>({
  facts: true,
  context: true,
  statement: true,
  factual: true,
  rationale: true,
});

const EXPECTED = namesOf<Expected>({ pack: true, index: true });
const SIGNED_BY = namesOf<SignedBy>({ pack: true, index: true });

const ITEM = namesOf<ConnerItem>({ topic: true, question: true, knowledge: true, answer: true, reference: true });

/** What other versions and other libraries call something, and what to do about it here. */
const ELSEWHERE: Record<string, string> = {
  backend: 'it is called device now, and takes "auto", "webgpu" or "cpu"',
  dtype: "the weights are as the pack stores them: choose by pack or model",
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
 * @throws EvidentError "bad-settings" for the first that is unknown, or a number that is not finite.
 */
export function checkSettings(of: keyof typeof SETTINGS, options: { settings?: object }): void {
  checkOptions(of, options);
  check("setting", options.settings ?? {}, SETTINGS[of]);
  for (const [name, value] of Object.entries(options.settings ?? {}))
    if (typeof value === "number" && !Number.isFinite(value))
      throw new EvidentError("bad-settings", `the setting ${name} is ${value}: give a number`); // JSON has no NaN
  const { demonstrations = [] } = (options.settings ?? {}) as Partial<Settings>;
  if (Array.isArray(demonstrations))
    for (const one of demonstrations) check("field of a demonstration", one, DEMONSTRATION);
}

/**
 * Checks the names of an item's texts.
 * @throws EvidentError "bad-settings" for the first that is unknown.
 */
export function checkItem(item: object): void {
  check("text of an item", item, ITEM);
}

/**
 * Checks the hashes that pack and index must have.
 * @throws EvidentError "bad-settings" for a name other than these two, or for a value that is no hash.
 */
export function checkExpected(expected: Expected): void {
  check("expected hash", expected, EXPECTED);
  for (const [name, hash] of Object.entries(expected))
    if (!/^[0-9a-f]{64}$/.test(hash))
      throw new EvidentError("bad-settings", `expected.${name} takes the 64 digits of a SHA-256, not ${String(hash)}`);
}

/**
 * Checks the keys by which pack and index must be signed.
 * @throws EvidentError "bad-settings" for a name other than these two, or for a value that is no public key.
 */
export function checkSignedBy(signedBy: SignedBy): void {
  check("signed part", signedBy, SIGNED_BY);
  for (const [name, key] of Object.entries(signedBy))
    if (!isPublicKey(key))
      throw new EvidentError(
        "bad-settings",
        `signedBy.${name} takes the second line of minisign.pub, which begins with RW, not ${String(key)}`,
      );
}

/** Whether it is a public key as minisign writes it: 42 bytes in Base64, of which the first two are "Ed". */
export const isPublicKey = (text: unknown): boolean =>
  typeof text === "string" && /^RW[Q-T][A-Za-z0-9+/]{53}$/.test(text);

function check(what: string, given: object, known: readonly string[]): void {
  if (typeof given !== "object" || given === null)
    throw new EvidentError("bad-settings", `each ${what} has a name: give an object, not ${String(given)}`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const elsewhere = Object.hasOwn(ELSEWHERE, unknown) ? ELSEWHERE[unknown] : undefined;
  if (elsewhere) throw new EvidentError("bad-settings", `there is no ${what} ${unknown}: ${elsewhere}`);
  const far = (name: string) => distance(unknown.toLowerCase(), name.toLowerCase());
  const nearest = known.reduce((best, name) => (far(name) < far(best) ? name : best));
  throw new EvidentError("bad-settings", `there is no ${what} ${unknown}: the nearest name is ${nearest}`);
}

/** How many letters have to be put in, left out or replaced to make one word the other (Levenshtein's distance). */
export function distance(from: string, to: string): number {
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
