/** A file that is not what its name or its host says, or that has no text. */
export class BadDocument extends Error {
  readonly code = "bad-document";
}

/** By the code, for a reader that is fetched when it is needed brings a class of its own along. */
export const isBadDocument = (error: unknown): error is BadDocument =>
  error instanceof Error && "code" in error && error.code === "bad-document";
