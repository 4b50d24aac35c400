/** A page of HTML. */

import type { Document } from "./passages.js";
import { proseOf } from "./prose.js";

/** What a page of HTML says, as its bytes came. */
export const pageOf = (bytes: Uint8Array): Document => proseOf(textOf(bytes));

/** Whether a page says of itself, in the words of schema.org, that not everyone may read it. */
export const isPaid = (bytes: Uint8Array): boolean => /"isAccessibleForFree"\s*:\s*"?false/i.test(textOf(bytes));

/** The text of a page, in the encoding that it names: UTF-8 if it names none, or Windows' if it is no UTF-8. */
function textOf(bytes: Uint8Array): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be").decode(bytes);
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 2_048));
  const [, named = "utf-8"] = /<meta[^>]+charset=["']?([\w-]+)/i.exec(start) ?? [];
  for (const encoding of [named, "utf-8"])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // an encoding that is unknown, or another one
    }
  return new TextDecoder("windows-1252").decode(bytes);
}
