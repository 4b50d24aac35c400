/** Makes an index of passages, in a worker of its own. */

import { EvidentError } from "./errors.js";
import { checkOptions } from "./known.js";
import { type BuildOptions, directory } from "./options.js";
import type { Passage } from "./passage.js";
import type { IndexFiles } from "./protocol.js";
import { Session } from "./session.js";

/**
 * Builds an index of passages, byte for byte what `evident index build` writes. `createVerifier` takes it as `index`;
 * written to a folder by name, its files can be hosted.
 *
 * ```ts
 * const index = await buildIndex([{ id: 1, title: "Carbon", text: "The atomic number of carbon is 6." }]);
 * const verifier = await createVerifier({ index });
 * ```
 *
 * @throws EvidentError, as a rejection: "bad-passages" names the passage, counted as a line.
 */
export async function buildIndex(
  passages: Iterable<Passage> | AsyncIterable<Passage>,
  options: BuildOptions = {},
): Promise<IndexFiles> {
  checkOptions("buildIndex", options);
  const { engine, signal } = options;
  if (signal?.aborted) throw EvidentError.cancelled(signal);
  const lines: string[] = [];
  for await (const passage of passages) lines.push(`${JSON.stringify(passage)}\n`);
  const session = new Session({
    backend: "cpu",
    forced: true,
    engine: engine === undefined ? undefined : directory(engine),
    threads: 1,
  });
  try {
    const { files } = await session.buildIndex(new Blob(lines), signal);
    return new Map([...files].map(([name, bytes]) => [name, new Blob([bytes])]));
  } finally {
    session.end("cancelled", "the index is built");
  }
}
