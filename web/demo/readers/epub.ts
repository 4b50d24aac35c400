/** A book in EPUB: its chapters in the order in which they are read. */

import { BadDocument } from "../../package/src/sources/bad-document.js";
import type { Document, Section } from "../../package/src/sources/passages.js";
import { proseOf } from "../../package/src/sources/prose.js";
import type { Reading } from "../../package/src/sources/reading.js";
import { type Archive, unpack } from "./archive.js";
import { readXml, textOf } from "./xml.js";

export async function read(name: string, bytes: Uint8Array, reading: Reading): Promise<Document> {
  const files = unpack(name, bytes, /\.(opf|x?html?|xml)$/i, reading);
  const path = await packageOf(files.get("META-INF/container.xml") ?? "", reading);
  const packaged = files.get(path);
  if (packaged === undefined)
    throw new BadDocument(`${name} is no book in EPUB: it does not say where its chapters are`);
  const chapters = await chaptersOf(packaged, path, files, reading);
  const locked = lockedIn(files);
  if (chapters.some((chapter) => locked.has(chapter) || locked.has(encodeURI(chapter))))
    throw new BadDocument(`${name} is locked: only the shop's own program can read it`);
  const sections: Section[] = [];
  for (const chapter of chapters)
    for (const section of (await proseOf(files.get(chapter) ?? "", reading, { xml: true })).sections)
      sections.push(section);
  return { title: await textOf(packaged, "title", reading), sections };
}

/** The path of the file that says what the book has; "" for none. */
async function packageOf(container: string, reading: Reading): Promise<string> {
  let path = "";
  await readXml(container, reading, (name, attributes) => {
    if (name === "rootfile") path ||= attributes["full-path"] ?? "";
    return undefined;
  });
  return path;
}

/** The paths of a book's chapters, in order; one that is named more often is read once. */
async function chaptersOf(packaged: string, path: string, files: Archive, reading: Reading): Promise<string[]> {
  const items = new Map<string, string>();
  const order: string[] = [];
  await readXml(packaged, reading, (name, { id, href, idref }) => {
    if (name === "item" && id && href) items.set(id, pathOf(href, path, files));
    else if (name === "itemref" && idref) order.push(idref);
    return undefined;
  });
  return [...new Set(order.flatMap((id) => items.get(id) ?? []))];
}

/** The path of a file in the archive, by its address relative to another: as it is escaped, or as it stands. */
function pathOf(href: string, base: string, files: Archive): string {
  const address = `https://book.invalid/${base}`;
  const path = URL.canParse(href, address) ? new URL(href, address).pathname.slice(1) : href;
  const escaped = path.replace(/(%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
  return [escaped, path, base.replace(/[^/]*$/, href)].find((path) => files.has(path)) ?? escaped;
}

/** The paths of files that are encrypted; fonts often are, which is no lock. */
const lockedIn = (files: Archive) =>
  new Set(Array.from((files.get("META-INF/encryption.xml") ?? "").matchAll(/URI="([^"]*)"/g), ([, path = ""]) => path));
