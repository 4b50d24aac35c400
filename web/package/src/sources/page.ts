/** A page of HTML. */

import { decoded } from "./encoding.js";
import type { Document } from "./passages.js";
import { proseOf } from "./prose.js";

/** What a page of HTML says, as its bytes came, in the encoding that its host names. */
export const pageOf = (bytes: Uint8Array, charset = ""): Document => proseOf(markupOf(bytes, charset));

/** Whether a page says of itself, in the words of schema.org, that not everyone may read it. */
export const isPaid = (bytes: Uint8Array): boolean => /"isAccessibleForFree"\s*:\s*"?false/i.test(markupOf(bytes));

/**
 * The text of markup, in the encoding that its host or it itself names: UTF-8 if none is named, or Windows' if it is no
 * UTF-8.
 */
export function markupOf(bytes: Uint8Array, charset = ""): string {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 2_048));
  const wide = start.startsWith("<\0") ? "utf-16le" : start.startsWith("\0<") ? "utf-16be" : "";
  const [, named = ""] = /<(?:meta[^>]+charset|\?xml[^>]+encoding)\s*=\s*["']?([\w-]+)/i.exec(start) ?? [];
  const own = /^utf-?16/i.test(named) ? "utf-8" : named; // read as single bytes, so not in UTF-16
  return decoded(bytes, wide || charset, own, "utf-8") ?? new TextDecoder("windows-1252").decode(bytes);
}
