/** The cited pages that a caller gives, as the engine takes them. */

import { passagesOfBytes, passagesOfText } from "./bytes.js";
import type { Page, Source, Sources } from "./source.js";

/**
 * All of these pages for the worker.
 * @throws EvidentError "cancelled", as a rejection
 */
export async function pagesOf(sources: Sources, signal?: AbortSignal): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>();
  for (const [address, source] of Object.entries(sources)) pages.set(address, await pageFrom(address, source, signal));
  return pages;
}

async function pageFrom(address: string, source: Source, signal: AbortSignal | undefined): Promise<Page> {
  const read =
    typeof source === "string"
      ? await passagesOfText(address, source, { signal })
      : source instanceof Blob
        ? await passagesOfBytes(address, new Uint8Array(await source.arrayBuffer()), source.type, signal)
        : source;
  if ("unread" in read) return read.unread;
  const lines = Array.from(read, (passage) => `${JSON.stringify({ source: address, ...passage })}\n`);
  return lines.length > 0 ? new Blob(lines) : "empty";
}
