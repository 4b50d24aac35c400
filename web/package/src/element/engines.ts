/** The engines of a page: one for all elements that name the same pack, index and device. */

import { unlessAborted } from "../abort.js";
import { chooseModel } from "../device.js";
import { createVerifier, type DeviceChoice, type LoadProgress, type ModelChoice, type Verifier } from "../index.js";
import { published } from "../published.js";
import type { Notice } from "../report.js";
import { type Measured, measuredOf } from "../ui/measured.js";

/** What an engine is made from. Addresses are absolute; what the page does not give is left out. */
export interface EngineSource {
  pack?: string;
  index?: string;
  wiki?: string;
  engine?: string;
  rerank?: string;
  threads?: number;
  model?: ModelChoice;
  device: DeviceChoice;
}

/** An element with a check under way. It is told of loading, and of what does not stop the work. */
export interface Guest {
  onLoad(progress: LoadProgress): void;
  onNotice(notice: Notice): void;
}

const engines = new Map<string, SharedEngine>();

const keyOf = ({ pack, index, wiki, engine, rerank, threads, model, device }: EngineSource) =>
  JSON.stringify([pack, index, wiki, engine, rerank, threads, model, device]);

/** The engine of this source, which is loaded when it is first used. */
export function engineFor(source: EngineSource): SharedEngine {
  const key = keyOf(source);
  const engine = engines.get(key) ?? new SharedEngine(source);
  engines.set(key, engine);
  return engine;
}

/** Disposes of every engine that is not in use and that none of these sources names. */
export function keepEngines(sources: EngineSource[]): void {
  const wanted = new Set(sources.map(keyOf));
  for (const [key, engine] of engines) {
    if (wanted.has(key) || engine.guests > 0) continue;
    engines.delete(key);
    engine.dispose();
  }
}

class SharedEngine {
  readonly #source: EngineSource;
  readonly #guests = new Set<Guest>();
  #opening: { verifier: Promise<Verifier>; abort: AbortController } | null = null;
  #opened: Verifier | null = null;
  #measured: Promise<Measured | null> | null = null;

  constructor(source: EngineSource) {
    this.#source = source;
  }

  /** How many checks are under way. */
  get guests(): number {
    return this.#guests.size;
  }

  /** Does work with the loaded engine. An abort ends the wait; if nobody else waits, it ends the loading too. */
  async use<T>(guest: Guest, signal: AbortSignal, work: (verifier: Verifier) => Promise<T>): Promise<T> {
    this.#guests.add(guest);
    try {
      return await work(this.#opened ?? (await unlessAborted(this.#open(), signal)));
    } finally {
      this.#guests.delete(guest);
      if (this.#guests.size === 0) this.#stopOpening();
    }
  }

  /** What the pack states of the model that judges. */
  measured(): Promise<Measured | null> {
    const { pack = published("pack").address, model = "auto" } = this.#source;
    this.#measured ??= measuredOf(pack, chooseModel(model));
    return this.#measured;
  }

  dispose(): void {
    this.#stopOpening();
    this.#opened?.dispose();
  }

  #open(): Promise<Verifier> {
    if (this.#opening) return this.#opening.verifier;
    const abort = new AbortController();
    const verifier = createVerifier({
      ...this.#source,
      signal: abort.signal,
      onProgress: (progress) => this.#guests.forEach((guest) => guest.onLoad(progress)),
      onNotice: (notice) => this.#guests.forEach((guest) => guest.onNotice(notice)),
    });
    const opening = { verifier, abort };
    this.#opening = opening;
    const settle = (opened: Verifier | null) => {
      if (this.#opening === opening) [this.#opening, this.#opened] = [null, opened];
      else opened?.dispose(); // nobody waited for it any more
    };
    verifier.then(settle, () => settle(null));
    return verifier;
  }

  #stopOpening(): void {
    this.#opening?.abort.abort();
    this.#opening = null;
  }
}
