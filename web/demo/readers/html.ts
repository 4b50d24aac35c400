/** A page of HTML. */

import { pageOf } from "../../package/src/sources/page.js";
import type { Document } from "../../package/src/sources/passages.js";
import type { Reading } from "../../package/src/sources/reading.js";

export const read = (_: string, bytes: Uint8Array, reading: Reading, charset = ""): Promise<Document> =>
  pageOf(bytes, reading, charset);
