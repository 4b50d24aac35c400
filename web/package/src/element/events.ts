/** The events of `<evident-check>`. */

import type { EvidentError } from "../errors.js";
import type { LoadProgress, Report, SentenceReport, VerifyEvent } from "../report.js";

/** What an `evident-progress` event tells; `fraction` is how far the loading or the verification is, in [0, 1]. */
export type ProgressDetail =
  | { doing: "loading"; fraction: number; progress: LoadProgress }
  | { doing: "verifying"; fraction: number; event: VerifyEvent };

/** The events of the element, with the type of each one's `detail`. They bubble, and they leave shadow trees. */
export interface EvidentEvents {
  /** Loading or verifying has come further. */
  "evident-progress": ProgressDetail;
  /** A sentence was judged; `index` counts the judged ones from 0. */
  "evident-sentence": { index: number; sentence: SentenceReport };
  /** The check has ended well. */
  "evident-report": { report: Report };
  /** Tells of a check that was cancelled as well, with the code "cancelled". */
  "evident-error": { error: EvidentError };
}
