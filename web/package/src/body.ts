/** The body of an answer of HTTP. */

/** The bytes of an answer; null if there are more than `most`. */
export async function bytesOf({ body, headers }: Response, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(headers.get("Content-Length")) > most) {
    void body?.cancel();
    return null;
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  for (let size = 0; ; ) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || !value) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    size += value.length;
    if (size > most) {
      void reader?.cancel();
      return null;
    }
    chunks.push(value);
  }
}
