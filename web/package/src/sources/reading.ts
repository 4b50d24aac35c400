/** How much of a document is read, for how long and in which turns: decided here for every kind of document. */

import { BadDocument } from "./bad-document.js";

/** What is counted while a document is read: the most of each. */
export interface Counts {
  "characters of text": number;
  /** Of a PDF. */
  pages: number;
  /** Of an archive, as DOCX and EPUB are. */
  files: number;
  /** Of all these files: a small archive may hold terabytes. */
  "bytes when it is unpacked": number;
}

/** The limits of a document. */
export interface Limits {
  seconds: number;
  most: Counts;
}

const FILES = { files: 10_000, "bytes when it is unpacked": 100_000_000 };

/** Those of a page that an answer cites: as many characters as it may have bytes. */
export const CITED: Limits = { seconds: 15, most: { "characters of text": 5_000_000, pages: 1_000, ...FILES } };
/** Those of a reader's own file, which is read in a worker and which the reader may stop. */
export const OWN: Limits = { seconds: 120, most: { "characters of text": 20_000_000, pages: 10_000, ...FILES } };

/** The longest that the thread is held at a stretch. */
const TURN_MS = 8;

/** What ends the reading of a document before its end. */
export interface Ends {
  /** The caller's wish. */
  signal?: AbortSignal | undefined;
  /** The time that it may take, where that has begun already. */
  patience?: AbortSignal | undefined;
}

/** The reading of one document: what is counted of it, and when the event loop gets its turn. */
export class Reading {
  /** Aborts once the reading is to end. */
  readonly ended: AbortSignal;
  readonly #name: string;
  readonly #limits: Limits;
  readonly #left: Counts;
  readonly #signal: AbortSignal | undefined;
  readonly #patience: AbortSignal;
  #turn = performance.now();

  /** The reading of the document of this name, which begins now. */
  constructor(name: string, limits: Limits, { signal, patience }: Ends = {}) {
    this.#name = name;
    this.#limits = limits;
    this.#left = { ...limits.most };
    this.#signal = signal;
    this.#patience = patience ?? AbortSignal.timeout(limits.seconds * 1_000);
    this.ended = signal ? AbortSignal.any([signal, this.#patience]) : this.#patience;
  }

  /**
   * Counts what is read.
   * @throws BadDocument if it is too much
   */
  count(what: keyof Counts, more: number): void {
    this.#left[what] -= more;
    if (this.#left[what] >= 0) return;
    const most = this.#limits.most[what].toLocaleString("en");
    throw new BadDocument(`${this.#name} has more than ${most} ${what}: take a part of it`, "tooLarge");
  }

  /**
   * Fails if the reading has ended.
   * @throws BadDocument for its time, or the reason of the caller's signal
   */
  check(): void {
    this.#signal?.throwIfAborted();
    if (!this.#patience.aborted) return;
    const { seconds } = this.#limits;
    throw new BadDocument(`${this.#name} takes more than ${seconds} s to be read: take a part of it`, "timeout");
  }

  /**
   * Gives the event loop a turn, if the thread was held long enough.
   * @throws as `check`
   */
  async pause(): Promise<void> {
    if (performance.now() - this.#turn < TURN_MS) return;
    await turn();
    this.check();
    this.#turn = performance.now();
  }
}

/** A turn by a message: a browser holds the timers of hidden tabs back. A port that is closed keeps no process alive. */
const turn = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
