/** The cited pages that a caller gives, as the engine takes them. */

import type { Unread } from "../generated/report.js";
import type { Passage } from "../passage.js";
import { passagesIn } from "./passages.js";

/** A cited page that cannot be read, and why. */
export interface UnreadSource {
  unread: Unread;
}

/**
 * A cited page: its text, its file (HTML, or text in UTF-8, by the type of the Blob), its passages, or why it cannot be
 * read.
 */
export type Source = string | Blob | Iterable<Passage> | UnreadSource;

/** Cited pages by their addresses. */
export type Sources = Readonly<Record<string, Source>>;

/** A page as the engine's worker takes it: its passages as lines of JSON, or why it cannot be read. */
export type Page = Blob | Unread;

/** All of these pages for the worker. */
export async function pagesOf(sources: Sources): Promise<Map<string, Page>> {
  const pages = Object.entries(sources).map(
    async ([address, source]) => [address, await pageFrom(address, source)] as const,
  );
  return new Map(await Promise.all(pages));
}

async function pageFrom(address: string, source: Source): Promise<Page> {
  const read =
    typeof source === "string"
      ? passagesOfText(address, source)
      : source instanceof Blob
        ? await passagesOfBytes(address, new Uint8Array(await source.arrayBuffer()), source.type)
        : source;
  if ("unread" in read) return read.unread;
  const lines = Array.from(read, (passage) => `${JSON.stringify({ source: address, ...passage })}\n`);
  return lines.length > 0 ? new Blob(lines) : "empty";
}

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
  if (type && !/^text\/(plain|markdown)/i.test(type)) return { unread: "notText" };
  try {
    return passagesOfText(address, new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return { unread: "notText" };
  }
}

const passagesOfText = (address: string, text: string): Passage[] | UnreadSource =>
  orEmpty([...passagesIn({ title: "", sections: [{ heading: "", text }] }, address)]);

const orEmpty = (passages: Passage[]): Passage[] | UnreadSource =>
  passages.length > 0 ? passages : { unread: "empty" };
