/** A book in EPUB: its chapters in the order in which they are read. */

import { Parser } from "htmlparser2";
import { BadDocument } from "../../package/src/sources/bad-document.js";
import type { Document } from "../../package/src/sources/passages.js";
import { proseOf } from "../../package/src/sources/prose.js";
import { type Archive, unpack } from "./archive.js";

export async function read(name: string, bytes: Uint8Array): Promise<Document> {
  const files = unpack(name, bytes, /\.(opf|x?html?|xml)$/i);
  const [, path] = /<rootfile[^>]+full-path="([^"]+)"/.exec(files.get("META-INF/container.xml") ?? "") ?? [];
  const packaged = path === undefined ? undefined : files.get(path);
  if (path === undefined || packaged === undefined)
    throw new BadDocument(`${name} is no book in EPUB: it does not say where its chapters are`);
  const { title, chapters } = contentsOf(packaged, path);
  if (chapters.some((chapter) => isLocked(files, chapter)))
    throw new BadDocument(`${name} is locked: only the shop's own program can read it`);
  const sections = chapters.flatMap((chapter) => proseOf(files.get(chapter) ?? "", { xml: true }).sections);
  return { title, sections };
}

/** The title of a book, and the paths of its chapters, in order. */
function contentsOf(packaged: string, path: string): { title: string; chapters: string[] } {
  const items = new Map<string, string>();
  const order: string[] = [];
  let title = "";
  let isTitle = false;
  const parser = new Parser(
    {
      onopentag(tag, { id, href, idref }) {
        isTitle = tag === "dc:title" && !title;
        if (/(^|:)item$/.test(tag) && id && href) items.set(id, pathOf(href, path));
        else if (/(^|:)itemref$/.test(tag) && idref) order.push(idref);
      },
      ontext(text) {
        if (isTitle) title += text;
      },
      onclosetag() {
        isTitle = false;
      },
    },
    { xmlMode: true },
  );
  parser.end(packaged);
  return { title: title.trim(), chapters: order.flatMap((id) => items.get(id) ?? []) };
}

/** A path in the archive, of an address relative to a file there. */
const pathOf = (href: string, base: string) =>
  decodeURIComponent(new URL(href, `https://book.invalid/${base}`).pathname.slice(1));

/** Whether a file is encrypted; fonts often are, which is no lock. */
function isLocked(files: Archive, path: string): boolean {
  const encryption = files.get("META-INF/encryption.xml") ?? "";
  return encryption.includes(`URI="${path}"`) || encryption.includes(`URI="${encodeURI(path)}"`);
}
