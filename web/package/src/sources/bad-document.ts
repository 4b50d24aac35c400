import type { Unread } from "../generated/report.js";

/** A file that is not what its name or its host says, that has no text, or that has more than may be read. */
export class BadDocument extends Error {
  readonly code = "bad-document";
  /** Why it is no source. */
  readonly unread: Extract<Unread, "notText" | "tooLarge" | "timeout" | "paywall">;

  constructor(message: string, unread: BadDocument["unread"] = "notText") {
    super(message);
    this.unread = unread;
  }
}

/** By the code, for a reader that is fetched when it is needed brings a class of its own along. */
export const isBadDocument = (error: unknown): error is BadDocument =>
  error instanceof Error && "code" in error && error.code === "bad-document";
