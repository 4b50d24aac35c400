/** From the bytes of a cited page to its passages. What reads HTML and PDFs is fetched when one comes. */

import type { Passage } from "../passage.js";
import { isBadDocument } from "./bad-document.js";
import { passagesIn } from "./passages.js";
import type { UnreadSource } from "./source.js";

/** The passages of what came with this type. */
export async function passagesOfBytes(
  address: string,
  bytes: Uint8Array,
  type: string,
): Promise<Passage[] | UnreadSource> {
  if (/^(text\/html|application\/xhtml\+xml)/i.test(type)) {
    const { isPaid, pageOf } = await import("./page.js");
    return isPaid(bytes) ? { unread: "paywall" } : orEmpty([...passagesIn(pageOf(bytes), address)]);
  }
  if (isPdf(bytes, type)) return passagesOfPdf(address, bytes);
  if (type && !/^text\/(plain|markdown)/i.test(type)) return { unread: "notText" };
  try {
    return passagesOfText(address, new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return { unread: "notText" };
  }
}

export const passagesOfText = (address: string, text: string): Passage[] | UnreadSource =>
  orEmpty([...passagesIn({ title: "", sections: [{ heading: "", text }] }, address)]);

export const pdfReader = () => import("./pdf.js");

async function passagesOfPdf(address: string, bytes: Uint8Array): Promise<Passage[] | UnreadSource> {
  if (!("withResolvers" in Promise)) return { unread: "notText" }; // pdf.js needs it, and Node has it from 22 on
  const { read } = await pdfReader();
  const [whole = ""] = address.split("#", 1); // a passage's address ends in its page
  try {
    return orEmpty([...passagesIn(await read(address, bytes), whole)]);
  } catch (error) {
    if (isBadDocument(error)) return { unread: "notText" };
    throw error;
  }
}

/** Whether this is a PDF, by its type or, where a host knows no types, by its first bytes. */
function isPdf(bytes: Uint8Array, type: string): boolean {
  if (/^application\/(x-)?pdf/i.test(type)) return true;
  const starts = new TextDecoder("latin1").decode(bytes.subarray(0, 5)) === "%PDF-";
  return starts && (!type || /^(application|binary)\/octet-stream/i.test(type));
}

const orEmpty = (passages: Passage[]): Passage[] | UnreadSource =>
  passages.length > 0 ? passages : { unread: "empty" };
