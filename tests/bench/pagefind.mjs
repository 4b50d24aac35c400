/** pagefind's index of the same passages, one record a passage. */

import { createReadStream, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { close, createIndex } from "pagefind";

/** Builds it in `out` from a file of JSONL; returns what that took. The memory is that of another process and not measured. */
export async function buildPagefind(corpus, out) {
  const began = performance.now();
  const { index, errors } = await createIndex();
  if (!index) throw new Error(errors.join("; "));
  let passages = 0;
  for await (const line of createInterface({ input: createReadStream(corpus) })) {
    const { id, title, text } = JSON.parse(line);
    // pagefind looks for nothing in a title of its own: here too title and text count alike.
    const added = await index.addCustomRecord({ url: `/${id}`, content: `${title} ${text}`, language: "en", meta: { title } });
    if (added.errors.length > 0) throw new Error(added.errors.join("; "));
    passages += 1;
  }
  const written = await index.writeFiles({ outputPath: join(out, "pagefind") });
  if (written.errors.length > 0) throw new Error(written.errors.join("; "));
  await close();
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return { passages, seconds: (performance.now() - began) / 1e3, files: files.length, bytes };
}
