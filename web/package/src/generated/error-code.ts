/** What can go wrong. Written by `./build.sh types` from Rust's. */

/**
 * The stable name of a kind of error, for programs that branch on it; docs/errors.md of the npm package says what to
 * do about each. It prints as it stands in JSON, such as "empty-answer".
 *
 * - "empty-answer": The answer has nothing to check.
 * - "answer-too-long": The answer is longer than the settings allow.
 * - "question-too-long": The question is longer than the settings allow.
 * - "bad-settings": A setting or an option is unknown, out of its range, or contradicts another.
 * - "bad-passages": The passages cannot be indexed.
 * - "cancelled": The caller stopped the work.
 * - "network": A file could not be fetched or read.
 * - "index-missing": There is no index at the place.
 * - "index-version": The index has a format that this version does not read.
 * - "index-corrupt": A file of the index is not what its manifest says.
 * - "index-unexpected": The index is another one than the caller expects.
 * - "index-unsigned": The index is not signed by the key that the caller names.
 * - "index-rollback": The index is an older one than its key has signed before.
 * - "pack-missing": There is no pack at the place, or a file of it is missing.
 * - "pack-version": The pack has a format that this version does not read.
 * - "pack-corrupt": A file of the pack is not what its manifest says.
 * - "pack-unexpected": The pack is another one than the caller expects.
 * - "pack-unsigned": The pack is not signed by the key that the caller names.
 * - "pack-rollback": The pack is an older one than its key has signed before.
 * - "pack-architecture": The pack's models are not of the kinds that are needed.
 * - "signature-unavailable": The browser cannot check signatures.
 * - "backend-unavailable": The backend is not compiled in, or the machine does not have it.
 * - "backend-lost": The device stopped giving results.
 * - "out-of-memory": The pack does not fit into memory.
 * - "internal": A fault of this program.
 */
export type ErrorCode =
  | "empty-answer"
  | "answer-too-long"
  | "question-too-long"
  | "bad-settings"
  | "bad-passages"
  | "cancelled"
  | "network"
  | "index-missing"
  | "index-version"
  | "index-corrupt"
  | "index-unexpected"
  | "index-unsigned"
  | "index-rollback"
  | "pack-missing"
  | "pack-version"
  | "pack-corrupt"
  | "pack-unexpected"
  | "pack-unsigned"
  | "pack-rollback"
  | "pack-architecture"
  | "signature-unavailable"
  | "backend-unavailable"
  | "backend-lost"
  | "out-of-memory"
  | "internal";
