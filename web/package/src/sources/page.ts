/** A page of HTML, or of plain text. */

import type { Passage } from "../passage.js";
import { BadDocument } from "./bad-document.js";
import { decoded } from "./encoding.js";
import { type Document, passagesOf } from "./passages.js";
import { proseOf } from "./prose.js";
import { CITED, type Ends, Reading } from "./reading.js";

/** What a page of HTML says, as its bytes came, in the encoding that its host names. */
export const pageOf = (bytes: Uint8Array, reading: Reading, charset = ""): Promise<Document> =>
  proseOf(markupOf(bytes, charset), reading);

/**
 * The passages of a page of HTML that an answer cites.
 * @throws BadDocument, and the reason of the signal
 */
export async function passagesOfPage(
  address: string,
  bytes: Uint8Array,
  charset: string,
  ends: Ends,
): Promise<Passage[]> {
  const reading = new Reading(address, CITED, ends);
  const markup = markupOf(bytes, charset);
  if (isPaid(markup)) throw new BadDocument(`${address} says that not everyone may read it`, "paywall");
  return passagesOf(await proseOf(markup, reading), address, reading);
}

/** The same of plain text. */
export const passagesOfText = (address: string, text: string, ends: Ends): Promise<Passage[]> =>
  passagesOf({ title: "", sections: [{ heading: "", text }] }, address, new Reading(address, CITED, ends));

/** Whether a page says of itself, in the words of schema.org, that not everyone may read it. */
const isPaid = (markup: string): boolean => /"isAccessibleForFree"\s*:\s*"?false/i.test(markup);

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
