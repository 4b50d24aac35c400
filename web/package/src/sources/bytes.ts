/** From the bytes of a cited page to its passages. What reads HTML and PDFs is fetched when one comes. */

import { unlessAborted } from "../abort.js";
import { EvidentError } from "../errors.js";
import type { Passage } from "../passage.js";
import { isBadDocument } from "./bad-document.js";
import { charsetOf, decoded } from "./encoding.js";
import { passagesIn } from "./passages.js";
import type { UnreadSource } from "./source.js";

/** The most pages of a PDF. */
const MOST_PAGES = 1_000;
/** The most characters of its text: as many as a page may have bytes. */
const MOST_TEXT = 5_000_000;
/** How long it may take to be read, from its turn on. */
const PATIENCE_MS = 15_000;

/**
 * The passages of what came with this type.
 * @throws EvidentError "cancelled", as a rejection
 */
export async function passagesOfBytes(
  address: string,
  bytes: Uint8Array,
  type: string,
  signal?: AbortSignal,
): Promise<Passage[] | UnreadSource> {
  if (/^(text\/html|application\/xhtml\+xml)/i.test(type)) {
    const { isPaid, pageOf } = await import("./page.js");
    return isPaid(bytes) ? { unread: "paywall" } : orEmpty([...passagesIn(pageOf(bytes, charsetOf(type)), address)]);
  }
  if (isPdf(bytes, type)) return inTurn(() => passagesOfPdf(address, bytes, signal), signal);
  if (type && !/^text\/(plain|markdown)/i.test(type)) return { unread: "notText" };
  const text = decoded(bytes, charsetOf(type), "utf-8");
  return text === null ? { unread: "notText" } : passagesOfText(address, text);
}

export const passagesOfText = (address: string, text: string): Passage[] | UnreadSource =>
  orEmpty([...passagesIn({ title: "", sections: [{ heading: "", text }] }, address)]);

export const pdfReader = () => import("./pdf.js");

/** Settles when the last PDF so far is read: PDFs share a thread, and each has its own time, so they take turns. */
let last: Promise<unknown> = Promise.resolve();

function inTurn<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const turn = last.then(read);
  last = turn.catch(() => undefined);
  return unlessAborted(turn, signal);
}

async function passagesOfPdf(
  address: string,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Passage[] | UnreadSource> {
  if (!("withResolvers" in Promise)) return { unread: "notText" }; // pdf.js needs it, and Node has it from 22 on
  const { read } = await pdfReader();
  const [whole = ""] = address.split("#", 1); // a passage's address ends in its page
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const limits = {
    signal: signal ? AbortSignal.any([signal, patience]) : patience,
    pages: MOST_PAGES,
    text: MOST_TEXT,
  };
  try {
    return orEmpty([...passagesIn(await read(address, bytes, limits), whole)]);
  } catch (error) {
    if (signal?.aborted) throw EvidentError.cancelled(signal);
    if (patience.aborted) return { unread: "timeout" };
    if (isBadDocument(error)) return { unread: error.unread };
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
