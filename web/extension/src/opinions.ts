/** Second opinions in the panel: the desk gives them, over the panel's line. */

import type { SentenceReport, VerifyEvent } from "../../package/src/report.js";
import type { SecondOpinions } from "../../package/src/ui/second-opinion.js";
import type { AskOpinion, OpinionNews, ToPanel } from "./messages.js";

export class Opinions {
  readonly #say: (message: AskOpinion) => void;
  readonly #waiting = new Map<number, (news: OpinionNews) => void>();
  #asked = 0;

  constructor(say: (message: AskOpinion) => void) {
    this.#say = say;
  }

  /** Those on a sentence of a text. */
  on(id: string, index: number): SecondOpinions {
    const ask = <T>(type: AskOpinion["type"], take: (news: OpinionNews) => T | undefined): Promise<T> =>
      new Promise((resolve, reject) => {
        const number = ++this.#asked;
        this.#waiting.set(number, (news) => {
          const found = take(news);
          if (found === undefined && !("failure" in news)) return;
          this.#waiting.delete(number);
          if ("failure" in news) reject(news.failure);
          else resolve(found as T);
        });
        this.#say({ type, ask: number, id, index });
      });
    return {
      bytes: () => ask("opinion-bytes", (news) => ("bytes" in news ? news.bytes : undefined)),
      ask: (_: SentenceReport, onEvent: (event: VerifyEvent) => void) =>
        ask("opinion", (news) => {
          if ("event" in news) onEvent(news.event);
          return "report" in news ? news.report : undefined;
        }),
    };
  }

  hear({ ask, news }: Extract<ToPanel, { type: "opinion" }>): void {
    this.#waiting.get(ask)?.(news);
  }

  /** Waits for nothing more: what was asked about is no longer shown. */
  forget(): void {
    this.#waiting.clear();
  }
}
