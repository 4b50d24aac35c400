/** The files of a zip archive, as DOCX and EPUB are. */

import { unzipSync } from "fflate";
import { BadDocument } from "../../package/src/sources/bad-document.js";
import { markupOf } from "../../package/src/sources/page.js";

/** The most bytes that are unpacked of an archive: a small one may hold terabytes. */
const MOST_BYTES = 100_000_000;

export type Archive = ReadonlyMap<string, string>;

/**
 * The texts in an archive whose names match.
 * @throws BadDocument if it is none, or holds too much.
 */
export function unpack(name: string, bytes: Uint8Array, wanted: RegExp): Archive {
  let total = 0;
  const filter = ({ name: path, originalSize }: { name: string; originalSize: number }) => {
    if (!wanted.test(path)) return false;
    total += originalSize;
    if (total > MOST_BYTES) throw new BadDocument(`${name} unpacks to more than ${MOST_BYTES / 1e6} MB`);
    return true;
  };
  try {
    const files = Object.entries(unzipSync(bytes, { filter }));
    return new Map(files.map(([path, bytes]) => [path, markupOf(bytes)]));
  } catch (error) {
    if (error instanceof BadDocument) throw error;
    throw new BadDocument(`${name} is damaged, or not what its name says`);
  }
}
