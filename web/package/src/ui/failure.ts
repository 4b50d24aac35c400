/** What went wrong, as an alert shows it. */

import type { EvidentError } from "../errors.js";
import { make } from "./dom.js";
import type { Wording } from "./strings.js";

/** An error for people and for programs. */
export type Failure = Pick<EvidentError, "code" | "message">;

/** An error as an alert shows it: what it is, what was said, what to do, and its name. */
export function alertOf(title: string, message: string, advice: string, code: string): Node[] {
  const words = make("p", "", message);
  words.dir = "auto";
  return [make("strong", "", title), words, ...(advice ? [make("p", "", advice)] : []), make("code", "", code)];
}

/** The same of one of the engine's errors, without advice. */
export function failureOf({ code, message }: Failure, wording: Wording): Node[] {
  return alertOf(wording.say(`error-${code}`), message, "", code);
}
