/** The files of a zip archive, as DOCX and EPUB are. */

import { unzipSync } from "fflate";
import { BadDocument, isBadDocument } from "../../package/src/sources/bad-document.js";
import { markupOf } from "../../package/src/sources/page.js";
import type { Reading } from "../../package/src/sources/reading.js";

export type Archive = ReadonlyMap<string, string>;

/**
 * The texts in an archive whose names match.
 * @throws BadDocument if it is none, or holds too much.
 */
export function unpack(name: string, bytes: Uint8Array, wanted: RegExp, reading: Reading): Archive {
  const filter = ({ name: path, originalSize }: { name: string; originalSize: number }) => {
    if (!wanted.test(path)) return false;
    reading.count("files", 1);
    reading.count("bytes when it is unpacked", originalSize);
    return true;
  };
  try {
    const files = Object.entries(unzipSync(bytes, { filter }));
    return new Map(files.map(([path, bytes]) => [path, markupOf(bytes)]));
  } catch (error) {
    if (isBadDocument(error)) throw error;
    throw new BadDocument(`${name} is damaged, or not what its name says`);
  }
}
