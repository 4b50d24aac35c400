/** Says what a wiki would be sent, before it is sent anything. */

import { EvidentError } from "./errors.js";
import { checkOptions } from "./known.js";
import { type BuildOptions, directory } from "./options.js";
import type { WikiClaim, WikiWords } from "./protocol.js";
import { Session } from "./session.js";

/**
 * What a wiki would be sent about these claims by a verifier with the option `wiki`, for a page that asks its reader
 * first. Nothing is sent.
 *
 * ```ts
 * const open = report.sentences.filter(({ verdict }) => verdict === "noEvidence");
 * for (const { names, search } of await wikiWords(open)) console.log(names.join(", "), "or else", search);
 * ```
 *
 * @throws EvidentError, as a rejection.
 */
export async function wikiWords(claims: Iterable<WikiClaim>, options: BuildOptions = {}): Promise<WikiWords[]> {
  checkOptions("wikiWords", options);
  const { engine, signal } = options;
  if (signal?.aborted) throw EvidentError.cancelled(signal);
  const session = new Session({
    backend: "cpu",
    forced: true,
    engine: engine === undefined ? undefined : directory(engine),
    threads: 1,
  });
  const asked = [...claims].map(({ statement, context }) => ({ statement, context }));
  try {
    return (await session.wikiWords(asked, signal)).words;
  } finally {
    session.end("cancelled", "the words are known");
  }
}
