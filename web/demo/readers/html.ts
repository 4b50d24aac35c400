/** A page of HTML. */

import { pageOf } from "../../package/src/sources/page.js";
import type { Document } from "../../package/src/sources/passages.js";

export async function read(_: string, bytes: Uint8Array, { charset }: { charset?: string } = {}): Promise<Document> {
  return pageOf(bytes, charset);
}
