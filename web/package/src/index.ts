/**
 * Evident checks what a chatbot said, sentence by sentence, in the reader's own browser.
 *
 * ```ts
 * import { createVerifier } from "evident-check";
 *
 * const verifier = await createVerifier();
 * const report = await verifier.verify("The atomic number of carbon is 8.");
 * for (const { text, verdict, score } of report.sentences) console.log(verdict, score, text);
 * verifier.dispose();
 * ```
 *
 * The page's Content-Security-Policy has to allow `script-src 'self' 'wasm-unsafe-eval'` and `worker-src 'self'`.
 */

import { unlessAborted } from "./abort.js";
import { chooseBackend } from "./backend.js";
import { checkOptions } from "./known.js";
import type { VerifierOptions } from "./options.js";
import { SupervisedVerifier, type Verifier } from "./verifier.js";

export type { DeviceChoice } from "./backend.js";
export { buildIndex } from "./build-index.js";
export type * from "./conner.js";
export type { ModelChoice } from "./device.js";
export { type ErrorCode, EvidentError } from "./errors.js";
export type {
  BuildOptions,
  CheckSourcesOptions,
  ConnerOptions,
  FetchOptions,
  JudgeOptions,
  SecondOpinionOptions,
  VerifierOptions,
  VerifyOptions,
} from "./options.js";
export type { Passage } from "./passage.js";
export type { Expected, IndexFiles, ModelRole, WikiClaim, WikiWords } from "./protocol.js";
export type * from "./report.js";
export type { SignedBy } from "./signed.js";
export { fetchSources } from "./sources/fetch.js";
export type { Source, Sources, UnreadSource } from "./sources/source.js";
export { type Judged, type Standing, standingOf } from "./ui/standing.js";
export type { Verification } from "./verification.js";
export type { Footprint, Verifier } from "./verifier.js";
export type { KeepVersion } from "./versions.js";
export { wikiWords } from "./wiki-words.js";

/**
 * Starts a worker and loads pack, index and models into it, unless `lazy` says to wait with them.
 * @throws EvidentError, as a rejection; `code` says what went wrong, `message` what to do.
 */
export async function createVerifier(options: VerifierOptions = {}): Promise<Verifier> {
  checkOptions("createVerifier", options);
  const kind = await unlessAborted(chooseBackend(options.device ?? "auto"), options.signal);
  const verifier = new SupervisedVerifier(options, kind);
  if (!options.lazy) await verifier.open(options.signal);
  return verifier;
}
