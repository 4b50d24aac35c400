/** A verification under way: a promise of its report that can be iterated for the sentences meanwhile. */

import type { Report, SentenceReport } from "./report.js";

/**
 * The promise of a report. By `for await` it gives each sentence as soon as it is judged, which need not be in the
 * order of the text; leaving the loop early cancels the verification.
 */
export interface Verification extends Promise<Report>, AsyncIterable<SentenceReport> {}

/** What a verification tells of a sentence. */
type OnSentence = (sentence: SentenceReport, index: number) => void;

/**
 * Begins a verification by `start`, which tells of each sentence. `signal` is the caller's; the one that `start` gets
 * is aborted with it, and when an iteration is left early.
 */
export function verification(
  signal: AbortSignal | undefined,
  start: (signal: AbortSignal, onSentence: OnSentence) => Promise<Report>,
): Verification {
  const stop = new AbortController();
  const follow = () => stop.abort(signal?.reason);
  if (signal?.aborted) follow();
  signal?.addEventListener("abort", follow);
  const judged: SentenceReport[] = [];
  const told = new Set<number>();
  let wake: (() => void)[] = [];
  const wakeAll = () => {
    const waiting = wake;
    wake = [];
    for (const go of waiting) go();
  };
  let ended = false;
  const report = start(stop.signal, (sentence, index) => {
    if (told.has(index)) return; // the work has started over
    told.add(index);
    judged.push(sentence);
    wakeAll();
  });
  const settle = () => {
    ended = true;
    signal?.removeEventListener("abort", follow);
    wakeAll();
  };
  report.then(settle, settle);

  async function* sentences(): AsyncGenerator<SentenceReport, void, undefined> {
    report.catch(() => undefined); // whoever iterates is told below
    try {
      for (let next = 0; ; next++) {
        while (next >= judged.length && !ended) await new Promise<void>((go) => wake.push(go));
        const sentence = judged[next];
        if (!sentence) break;
        yield sentence;
      }
      await report;
    } finally {
      if (!ended) stop.abort();
    }
  }
  return Object.assign(report, { [Symbol.asyncIterator]: sentences });
}
