/** Files of the disk in Node, fetched as from a host. */

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** A file, or the range of it that is asked for, as a static host answers; a whole one must have the `integrity`. */
export async function fetchFile(request: Request): Promise<Response> {
  const file = await open(fileURLToPath(new URL(request.url))).catch(() => null);
  if (!file) return new Response(null, { status: 404 });
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return new Response(null, { status: 404 });
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("Range") ?? "") ?? [];
    const start = Number(from ?? 0);
    const end = Math.min(stat.size, to ? Number(to) + 1 : stat.size);
    if (start > end) return new Response(null, { status: 416 });
    const bytes = new Uint8Array(end - start);
    for (let done = 0; done < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, done, bytes.length - done, start + done);
      if (bytesRead === 0) break; // it was truncated meanwhile: its hash will not match
      done += bytesRead;
    }
    const { integrity } = request;
    if (integrity && integrity !== `sha256-${createHash("sha256").update(bytes).digest("base64")}`)
      throw new TypeError("the file does not have the hash that it must have");
    const headers = {
      "Content-Type": request.url.endsWith(".wasm") ? "application/wasm" : "application/octet-stream",
      ...(from === undefined ? {} : { "Content-Range": `bytes ${start}-${end - 1}/${stat.size}` }),
    };
    return new Response(bytes, { status: from === undefined ? 200 : 206, headers });
  } finally {
    await file.close();
  }
}
