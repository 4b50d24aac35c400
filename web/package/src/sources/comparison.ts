/** The judged sentences of a text and the pages that they cite, as these come: fetched, or given as files. */

import type { FetchOptions } from "../options.js";
import type { Report, SentenceReport } from "../report.js";
import type { Verifier } from "../verifier.js";
import { citedBy } from "./cited.js";
import type { Source } from "./source.js";

/** Told how many of all pages are fetched, and then how many of all citations are compared. */
export type OnStep = (n: number, total: number) => void;

/** What a comparison takes from its surroundings. */
export interface Surroundings {
  /** Does work with the engine. */
  use(signal: AbortSignal, work: (verifier: Pick<Verifier, "checkSources">) => Promise<void>): Promise<void>;
  /** Told of each sentence that was compared, by its number in the report. */
  onChecked(index: number, sentence: SentenceReport): void;
  /** What fetches pages, such as `fetchSources`. */
  fetch(addresses: string[], options: Required<Pick<FetchOptions, "signal" | "onSource">>): Promise<unknown>;
}

export class Comparison {
  /** The addresses that the sentences cite, each once. */
  readonly addresses: string[];
  readonly #report: Pick<Report, "sentences" | "settings">;
  readonly #surroundings: Surroundings;
  readonly #pages: Record<string, Source> = Object.create(null);

  constructor(report: Pick<Report, "sentences" | "settings">, surroundings: Surroundings) {
    this.#report = report;
    this.#surroundings = surroundings;
    this.addresses = [...new Set(report.sentences.flatMap(citedBy))];
  }

  /**
   * Fetches all pages and compares each sentence with those that it cites.
   * @throws EvidentError, as a rejection.
   */
  async fetch(signal: AbortSignal, onStep: OnStep): Promise<void> {
    const fetched = new Set<string>();
    await this.#surroundings.fetch(this.addresses, {
      signal,
      onSource: (address, source) => {
        this.#pages[address] = source;
        onStep(fetched.add(address).size, this.addresses.length);
      },
    });
    await this.#compare(signal, onStep, () => true);
  }

  /**
   * Takes what the reader gives as the page at an address, and compares the sentences that cite it.
   * @throws EvidentError, as a rejection.
   */
  async give(address: string, page: Source, signal: AbortSignal, onStep: OnStep): Promise<void> {
    this.#pages[address] = page;
    await this.#compare(signal, onStep, (sentence) => citedBy(sentence).includes(address));
  }

  #compare(signal: AbortSignal, onStep: OnStep, isMeant: (sentence: SentenceReport) => boolean): Promise<void> {
    const { sentences, settings } = this.#report;
    const meant = sentences.flatMap((sentence, index) =>
      citedBy(sentence).length > 0 && isMeant(sentence) ? [{ sentence, index }] : [],
    );
    const total = meant.reduce((sum, { sentence }) => sum + citedBy(sentence).length, 0);
    let compared = 0;
    return this.#surroundings.use(signal, async (verifier) => {
      const checked = await verifier.checkSources(
        { sentences: meant.map(({ sentence }) => sentence), settings },
        this.#pages,
        { signal, onEvent: ({ kind }) => kind === "source" && onStep(++compared, total) },
      );
      checked.forEach((sentence, number) => {
        const index = meant[number]?.index;
        if (index !== undefined) this.#surroundings.onChecked(index, sentence);
      });
    });
  }
}
