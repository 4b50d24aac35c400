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
/** The name and the version of what follows. */
const MARK = "#text=1.";

/**
 * The link that opens this page with the text in it.
 * @throws PageError "text-too-long".
 */
export async function linkTo({ question, answer }: Shared): Promise<string> {
  const json = new Blob([JSON.stringify([question, answer])]);
  const bytes = await read(json.stream().pipeThrough(new CompressionStream("deflate-raw")));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const link = new URL(MARK + base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""), location.href).href;
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
  if (!fragment.startsWith(MARK)) throw new PageError("bad-link", "it was made by another version of this page");
  try {
    const base64 = fragment.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const json = await read(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
    const [question, answer] = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json)) as unknown[];
    if (typeof question === "string" && typeof answer === "string") return { question, answer };
  } catch {
    // told below
  }
  throw new PageError("bad-link", "what follows #text= in it is not what this page writes there");
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
