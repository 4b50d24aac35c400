/** What every wait in this package does about an AbortSignal. */

import { EvidentError } from "./errors.js";

/** The promise, or the error "cancelled" as soon as the signal is aborted; what the promise waits for goes on. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(EvidentError.cancelled(signal));
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal?.removeEventListener("abort", abort));
  });
}
