/** Badges: how a sentence stands, as an icon and a word, or what is being done to it. */

import type { SentenceReport, Stage } from "../report.js";
import { CSS_NAME, icon, make } from "./dom.js";
import { lookOf, type Standing, standingOf } from "./standing.js";
import type { Wording } from "./strings.js";

/** A badge in the colour of a standing; `label` is its word, or what is said with it. */
export function badge(standing: Standing, label: string): HTMLElement {
  const look = lookOf(standing);
  return make("span", `badge ${CSS_NAME[look]}`, icon(look), make("span", "word", label));
}

/** The badge of one sentence, from waiting to the verdict. `element` is the badge as it is now. */
export class SentenceBadge {
  element: HTMLElement;
  readonly #wording: Wording;
  readonly #dots: boolean;
  #judged = false;

  /** `dots` puts an icon beside the words while there is no verdict. */
  constructor(wording: Wording, { dots }: { dots: boolean }) {
    this.#wording = wording;
    this.#dots = dots;
    this.element = this.#pending("pending", wording.say("waiting"));
  }

  /** Says what is being done to the sentence. */
  working(stage: Stage): void {
    if (!this.#judged) this.#show(this.#pending("pending working", this.#wording.say(stage)));
  }

  judged(report: SentenceReport): void {
    this.#judged = true;
    const standing = standingOf(report);
    this.#show(badge(standing, this.#wording.say(standing)));
  }

  /** Says that the reader has dismissed the verdict. */
  dismissed(): void {
    this.#show(this.#pending("pending", this.#wording.say("dismissed")));
  }

  /** Says that the work stopped before there was a verdict. */
  stop(): void {
    if (!this.#judged) this.#show(this.#pending("pending", this.#wording.say("notChecked")));
  }

  #pending(kind: string, words: string): HTMLElement {
    return make("span", `badge ${kind}`, ...(this.#dots ? [icon("pending")] : []), make("span", "word", words));
  }

  #show(next: HTMLElement): void {
    this.element.replaceWith(next);
    this.element = next;
  }
}
