/** The one error class. Its `code` stays the same from the Rust engine to the caller. */

import type { ErrorCode } from "./generated/error-code.js";

export type { ErrorCode };

/** The one error that this package throws: `code` is for programs, `message` for people. */
export class EvidentError extends Error {
  override readonly name = "EvidentError";
  /** Which failure it is; it stays the same from version to version. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** The error for work that an AbortSignal ended; `cause` is the signal's reason. */
  static cancelled(signal?: AbortSignal): EvidentError {
    return new EvidentError("cancelled", "cancelled", { cause: signal?.reason });
  }
}

/** An error as it crosses from the worker, where a class would not survive. */
export interface PlainError {
  code: ErrorCode;
  message: string;
}

/** Reduces anything thrown to code and message. Without a code it is "internal". */
export function plainError(thrown: unknown): PlainError {
  if (thrown instanceof Error) {
    const code = "code" in thrown && typeof thrown.code === "string" ? (thrown.code as ErrorCode) : "internal";
    return { code, message: thrown.message || thrown.name };
  }
  return { code: "internal", message: String(thrown) };
}
