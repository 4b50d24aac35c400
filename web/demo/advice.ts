/** What each error means for the reader of this page, and what to do about it. */

import { type ErrorCode, EvidentError } from "evident-check";
import { element } from "./element.js";
import { sentence } from "./format.js";

const ADVICE: Record<ErrorCode, { title: string; advice: string }> = {
  "empty-answer": { title: "There is nothing to check", advice: "Type or paste an answer, then check it." },
  "answer-too-long": { title: "The answer is too long", advice: "Check it in parts." },
  "bad-settings": { title: "A setting is out of range", advice: "Correct it under Settings." },
  cancelled: { title: "Cancelled", advice: "Check again whenever you like." },
  network: { title: "A file could not be fetched", advice: "Check the connection and try again; what has arrived is kept." },
  "index-missing": { title: "The index is not there", advice: "Build the demo again: ./build.sh demo" },
  "index-version": { title: "The index is of another version", advice: "Build the index again: ./build.sh demo" },
  "index-corrupt": { title: "The index is damaged", advice: "A file is not what the index says it is. Reload; if it happens again, build the index again: ./build.sh demo" },
  "pack-missing": { title: "The models are not there", advice: "Build the demo again: ./build.sh demo" },
  "pack-version": { title: "The models are of another version", advice: "Build the demo again: ./build.sh demo" },
  "pack-corrupt": { title: "The models are damaged", advice: "A file is not what the pack says it is. Reload; if it happens again, build the demo again: ./build.sh demo" },
  "pack-architecture": { title: "These models cannot be run", advice: "The pack needs a T5 verifier and a BERT or RoBERTa for NLI." },
  "backend-unavailable": { title: "This backend is not available here", advice: "Choose Automatic or CPU under Settings." },
  "backend-lost": { title: "The graphics device stopped working", advice: "Try again, or choose Automatic or CPU under Settings." },
  internal: { title: "The engine failed", advice: "Try again. If it fails on the same text, please report it with the message above." },
};

/** Anything thrown as the package's error. */
export function evidentError(thrown: unknown): EvidentError {
  return thrown instanceof EvidentError ? thrown : new EvidentError("internal", thrown instanceof Error ? thrown.message : String(thrown));
}

/** What went wrong, for an alert: what it means, the message, what to do, and the code. */
export function explanation(thrown: unknown): Node[] {
  const { code, message } = evidentError(thrown);
  const { title, advice } = ADVICE[code] ?? ADVICE.internal;
  return [element("strong", "", title), element("p", "", sentence(message)), element("p", "", advice), element("code", "", code)];
}
