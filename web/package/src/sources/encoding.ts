/** The encodings of texts. */

/** The encoding that a Content-Type names; "" for none. */
export const charsetOf = (type: string): string => /charset\s*=\s*["']?([\w.:-]+)/i.exec(type)?.[1] ?? "";

/** Decodes bytes: as UTF-16 if they begin with its byte order mark, else by the first encoding that fits, or null. */
export function decoded(bytes: Uint8Array, ...encodings: string[]): string | null {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const marked = { 65534: "utf-16le", 65279: "utf-16be" }[mark];
  for (const encoding of marked ? [marked] : encodings)
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // the encoding is unknown, or does not fit the bytes
    }
  return null;
}
