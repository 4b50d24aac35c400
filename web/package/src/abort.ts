/** How every wait in this package obeys an AbortSignal. */

import { EvidentError } from "./errors.js";

/** Waits for the promise, or fails with "cancelled" once the signal aborts. The work behind the promise goes on. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(EvidentError.cancelled(signal));
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal?.removeEventListener("abort", abort));
  });
}
