/** A book in EPUB: its chapters in the order in which they are read. */

import { BadDocument } from "../../package/src/sources/bad-document.js";
import type { Document } from "../../package/src/sources/passages.js";
import { proseOf } from "../../package/src/sources/prose.js";
import { type Archive, unpack } from "./archive.js";
import { readXml, textOf } from "./xml.js";

export async function read(name: string, bytes: Uint8Array): Promise<Document> {
  const files = unpack(name, bytes, /\.(opf|x?html?|xml)$/i);
  const path = packageOf(files.get("META-INF/container.xml") ?? "");
  const packaged = files.get(path);
  if (packaged === undefined)
    throw new BadDocument(`${name} is no book in EPUB: it does not say where its chapters are`);
  const chapters = chaptersOf(packaged, path, files);
  if (chapters.some((chapter) => isLocked(files, chapter)))
    throw new BadDocument(`${name} is locked: only the shop's own program can read it`);
  const sections = chapters.flatMap((chapter) => proseOf(files.get(chapter) ?? "", { xml: true }).sections);
  return { title: textOf(packaged, "title"), sections };
}

/** The path of the file that says what the book has; "" for none. */
function packageOf(container: string): string {
  let path = "";
  readXml(container, (name, attributes) => {
    if (name === "rootfile") path ||= attributes["full-path"] ?? "";
    return undefined;
  });
  return path;
}

/** The paths of a book's chapters, in order. */
function chaptersOf(packaged: string, path: string, files: Archive): string[] {
  const items = new Map<string, string>();
  const order: string[] = [];
  readXml(packaged, (name, { id, href, idref }) => {
    if (name === "item" && id && href) items.set(id, pathOf(href, path, files));
    else if (name === "itemref" && idref) order.push(idref);
    return undefined;
  });
  return order.flatMap((id) => items.get(id) ?? []);
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

/** Whether a file is encrypted; fonts often are, which is no lock. */
function isLocked(files: Archive, path: string): boolean {
  const encryption = files.get("META-INF/encryption.xml") ?? "";
  return encryption.includes(`URI="${path}"`) || encryption.includes(`URI="${encodeURI(path)}"`);
}
