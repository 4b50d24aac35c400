/** The events of `<evident-check>`. */

import type { EvidentError } from "../errors.js";
import type { LoadProgress, Report, SentenceReport, VerifyEvent } from "../report.js";

/** The detail of an `evident-progress` event. `fraction`, in [0, 1], is how far the loading or the check is. */
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
  /** The sentences were compared with the pages that they cite, which the reader has asked for. */
  "evident-sources": { report: Report };
  /** The check has failed. Cancelling counts as well, with the code "cancelled". */
  "evident-error": { error: EvidentError };
}
