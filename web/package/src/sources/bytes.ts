/** From the bytes of a cited page to its passages. What reads pages and PDFs is fetched when one comes. */

import { unlessAborted } from "../abort.js";
import { EvidentError } from "../errors.js";
import type { Passage } from "../passage.js";
import { isBadDocument } from "./bad-document.js";
import { charsetOf, decoded } from "./encoding.js";
import type { Ends } from "./reading.js";
import type { UnreadSource } from "./source.js";

/**
 * The passages of what came with this type. A page ends with the time that it was given to come, if it was given some;
 * a PDF has a time of its own.
 * @throws EvidentError "cancelled", as a rejection
 */
export async function passagesOfBytes(
  address: string,
  bytes: Uint8Array,
  type: string,
  signal?: AbortSignal,
  patience?: AbortSignal,
): Promise<Passage[] | UnreadSource> {
  const ends: Ends = { signal, patience };
  if (HTML.test(type))
    return found(async () => (await pageReader()).passagesOfPage(address, bytes, charsetOf(type), ends), signal);
  if (isPdf(bytes, type)) return inTurn(() => passagesOfPdf(address, bytes, signal), signal);
  if (type && !TEXT.test(type)) return { unread: "notText" };
  const text = decoded(bytes, charsetOf(type), "utf-8");
  return text === null ? { unread: "notText" } : passagesOfText(address, text, ends);
}

/** The passages of a plain text. */
export const passagesOfText = (address: string, text: string, ends: Ends): Promise<Passage[] | UnreadSource> =>
  found(async () => (await pageReader()).passagesOfText(address, text, ends), ends.signal);

const HTML = /^(text\/html|application\/xhtml\+xml)/i;
const PDF = /^application\/(x-)?pdf/i;
const TEXT = /^text\/(plain|markdown)/i;
/** What hosts say that know no types. */
const UNKNOWN = /^((application|binary)\/octet-stream|$)/i;

/** Whether what comes with this type may be read. */
export const mayBeRead = (type: string): boolean => [HTML, PDF, TEXT, UNKNOWN].some((kind) => kind.test(type));

export const pdfReader = () => import("./pdf.js");
const pageReader = () => import("./page.js");

/** The passages that `read` finds, or why there are none. */
async function found(
  read: () => Promise<Passage[]>,
  signal: AbortSignal | undefined,
): Promise<Passage[] | UnreadSource> {
  try {
    const passages = await read();
    return passages.length > 0 ? passages : { unread: "empty" };
  } catch (error) {
    if (signal?.aborted) throw EvidentError.cancelled(signal);
    if (isBadDocument(error)) return { unread: error.unread };
    throw error;
  }
}

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
  return found(async () => (await pdfReader()).passagesOfPdf(address, bytes, { signal }), signal);
}

/** Whether this is a PDF, by its type or, where a host knows no types, by its first bytes. */
const isPdf = (bytes: Uint8Array, type: string): boolean =>
  PDF.test(type) || (UNKNOWN.test(type) && new TextDecoder("latin1").decode(bytes.subarray(0, 5)) === "%PDF-");
