/** The check of a text's sources in the panel: the desk fetches and compares, over the panel's line. */

import { unlessAborted } from "../../package/src/abort.js";
import { EvidentError } from "../../package/src/errors.js";
import { passagesOfBytes } from "../../package/src/sources/bytes.js";
import type { OnStep } from "../../package/src/sources/comparison.js";
import type { SourceWork } from "../../package/src/ui/source-check.js";
import { giveBack, Leave } from "./leave.js";
import type { AskSources, SourceNews, StopSources, ToPanel } from "./messages.js";
import { Questions } from "./questions.js";

export class CitedPages {
  readonly #say: (message: AskSources | StopSources) => void;
  readonly #questions = new Questions<SourceNews>();
  /** The patterns that were granted for fetches under way at the desk, which gives them back unless it ends before. */
  readonly #lent = new Set<string[]>();

  constructor(say: (message: AskSources | StopSources) => void) {
    this.#say = say;
  }

  /** The work on the pages that a text in a tab cites. */
  of(tab: number, id: string, addresses: string[]): SourceWork {
    const leave = new Leave(addresses);
    let borrowed: string[] = [];
    const ask = (signal: AbortSignal, onStep: OnStep, message: (ask: number) => AskSources) => {
      const stop = () => this.#say({ type: "stop-sources", tab, id });
      signal.addEventListener("abort", stop);
      const asked = this.#questions.ask(
        (ask) => this.#say(message(ask)),
        (news) => {
          if ("total" in news) onStep(news.n, news.total);
          return "done" in news ? true : undefined;
        },
      );
      return unlessAborted(
        asked.then(() => undefined),
        signal,
      ).finally(() => signal.removeEventListener("abort", stop));
    };
    return {
      addresses,
      allow: async () => {
        const granted = await leave.request();
        borrowed = granted ?? [];
        return granted !== null;
      },
      giveBack: () => giveBack(borrowed),
      fetch: (signal, onStep) => {
        const lent = borrowed;
        this.#lent.add(lent);
        return ask(signal, onStep, (ask) => ({ type: "sources", ask, tab, id, addresses, borrowed })).finally(() =>
          this.#lent.delete(lent),
        );
      },
      // A port cannot carry a file, so the panel reads it.
      give: async (address, file, signal, onStep) => {
        const bytes = new Uint8Array(await file.arrayBuffer());
        const page = await passagesOfBytes(address, bytes, file.type, signal);
        if (signal.aborted) throw EvidentError.cancelled(signal);
        await ask(signal, onStep, (ask) => ({ type: "source", ask, tab, id, address, page }));
      },
    };
  }

  hear({ ask, news }: Extract<ToPanel, { type: "sources" }>): void {
    this.#questions.hear(ask, news);
  }

  /** Gives back, for a desk that has gone, what was granted for its fetches. */
  lost(): void {
    giveBack([...this.#lent].flat());
    this.#lent.clear();
  }

  forget(): void {
    this.#questions.forget();
  }
}
