/** Second opinions in the panel: the desk gives them, over the panel's line. */

import type { SentenceReport, VerifyEvent } from "../../package/src/report.js";
import type { SecondOpinions } from "../../package/src/ui/second-opinion.js";
import type { AskOpinion, OpinionNews, ToPanel } from "./messages.js";
import { Questions } from "./questions.js";

export class Opinions {
  readonly #say: (message: AskOpinion) => void;
  readonly #questions = new Questions<OpinionNews>();

  constructor(say: (message: AskOpinion) => void) {
    this.#say = say;
  }

  /** Those on a sentence of a text. */
  on(id: string, index: number): SecondOpinions {
    const say = (type: AskOpinion["type"]) => (ask: number) => this.#say({ type, ask, id, index });
    return {
      bytes: () => this.#questions.ask(say("opinion-bytes"), (news) => ("bytes" in news ? news.bytes : undefined)),
      ask: (_: SentenceReport, onEvent: (event: VerifyEvent) => void) =>
        this.#questions.ask(say("opinion"), (news) => {
          if ("event" in news) onEvent(news.event);
          return "report" in news ? news.report : undefined;
        }),
    };
  }

  hear({ ask, news }: Extract<ToPanel, { type: "opinion" }>): void {
    this.#questions.hear(ask, news);
  }

  forget(): void {
    this.#questions.forget();
  }
}
