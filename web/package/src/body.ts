/** Answers of HTTP: their bodies, and when to ask again. */

/** The bytes of an answer; null if there are more than `most`. */
export async function bytesOf({ body, headers }: Response, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(headers.get("Content-Length")) > most) {
    discard({ body });
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

/** Has the rest of an answer not come: other requests to its host would wait behind it. */
export function discard({ body }: Pick<Response, "body">): void {
  body?.cancel().catch(() => undefined);
}

/** In how many seconds an answer lets its host be asked again (RFC 9110, 10.2.3); undefined where it does not say. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const stated = headers.get("Retry-After")?.trim() ?? "";
  if (/^\d{1,9}$/.test(stated)) return Number(stated);
  const seconds = Math.ceil((Date.parse(stated) - Date.now()) / 1_000);
  return /^[A-Z][a-z]{2}/.test(stated) && seconds >= 0 ? seconds : undefined;
}
