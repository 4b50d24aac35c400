/** A text in the fragment of a link: compressed, and never sent, for browsers keep fragments to themselves. */

import { PageError } from "./advice.js";

/** What a link carries. */
export interface Shared {
  question: string;
  answer: string;
}

/** The most characters of a link: many messengers and mail programs cut longer ones. */
const MAX_LINK = 16_000;
/** The most bytes of a text from a link, more than can be checked: a small link may hold megabytes of one letter. */
const MAX_BYTES = 400_000;
/** The name and the version of what follows: a checksum of the compressed text, and that. */
const MARK = "#text=2.";
/** Links of the first version have no checksum. */
const MARK_1 = "#text=1.";

/**
 * The link that opens this page with the text in it.
 * @throws PageError "text-too-long".
 */
export async function linkTo({ question, answer }: Shared): Promise<string> {
  const json = new Blob([JSON.stringify([question, answer])]);
  const packed = await read(json.stream().pipeThrough(new CompressionStream("deflate-raw")));
  const link = new URL(MARK + codeOf([...checksumOf(packed), ...packed]), location.href).href;
  if (link.length <= MAX_LINK) return link;
  const [is, most] = [link.length, MAX_LINK].map((length) => length.toLocaleString("en"));
  throw new PageError(
    "text-too-long",
    `its link would have ${is} characters, and ${most} are the most that travel safely`,
  );
}

/**
 * The text in a fragment; null where the fragment is another's.
 * @throws PageError "bad-link".
 */
export async function sharedIn(fragment: string): Promise<Shared | null> {
  if (!fragment.startsWith("#text=")) return null;
  const mark = [MARK, MARK_1].find((mark) => fragment.startsWith(mark));
  if (!mark) throw new PageError("bad-link", "it was made by another version of this page, or damaged on its way");
  try {
    const packed = packedIn(fragment.slice(mark.length), mark === MARK);
    const json = await read(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
    const [question, answer] = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json)) as unknown[];
    if (typeof question === "string" && typeof answer === "string") return { question, answer };
  } catch {
    // told below
  }
  throw new PageError("bad-link", "it was damaged on its way, or is not of this page's making");
}

/** The compressed text in these characters, which may have to begin with its checksum. */
function packedIn(code: string, isChecked: boolean): Uint8Array<ArrayBuffer> {
  const base64 = code.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  if (!isChecked) return bytes;
  const packed = bytes.subarray(4);
  // The last character may have bits that are in no byte.
  if (codeOf([...checksumOf(packed), ...packed]) !== code) throw new RangeError("the checksum does not fit");
  return packed;
}

/** Bytes in characters that a link may have. */
function codeOf(bytes: number[]): string {
  const base64 = btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The CRC-32 of bytes, as gzip has it (RFC 1952), in four. It tells every change of up to 32 bits in a row. */
function checksumOf(bytes: Uint8Array): Uint8Array {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return new Uint8Array([0, 8, 16, 24].map((shift) => ~crc >>> shift));
}

/** All bytes of a stream; fails if they are too many. */
async function read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let length = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    length += value.length;
    if (length > MAX_BYTES) {
      void reader.cancel();
      throw new RangeError("the text is too long");
    }
    chunks.push(value);
  }
}
