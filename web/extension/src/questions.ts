/** What the panel asks of the desk and waits for: each question has a number, and the desk answers by it. */

import type { Failure } from "../../package/src/ui/failure.js";

export class Questions<News extends object> {
  readonly #waiting = new Map<number, (news: News | { failure: Failure }) => void>();
  #asked = 0;

  /**
   * Asks by `say`, which is given the number; resolves to the first value that `take` returns for a reply.
   * @throws Failure, as a rejection.
   */
  ask<T>(say: (ask: number) => void, take: (news: News | { failure: Failure }) => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const number = ++this.#asked;
      this.#waiting.set(number, (news) => {
        const found = take(news);
        if (found === undefined && !("failure" in news)) return;
        this.#waiting.delete(number);
        if ("failure" in news) reject(news.failure);
        else resolve(found as T);
      });
      say(number);
    });
  }

  hear(ask: number, news: News | { failure: Failure }): void {
    this.#waiting.get(ask)?.(news);
  }

  /** Waits for nothing more: what was asked about is no longer shown. */
  forget(): void {
    this.#waiting.clear();
  }
}
