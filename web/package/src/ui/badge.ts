/** Badges: how a sentence stands, as an icon and a word, or what is being done to it. */

import type { SentenceReport, Stage } from "../report.js";
import { CSS_NAME, icon, make } from "./dom.js";
import { hasScore, type Standing, standingOf, verdictOf } from "./standing.js";
import type { Wording } from "./strings.js";

/** How a verdict reads on a badge, with its score where that goes with it. */
export function labelOf(standing: Standing, score: number, wording: Wording): string {
  return hasScore(verdictOf(standing)) ? `${wording.say(standing)} ${wording.decimal(score)}` : wording.say(standing);
}

/** A badge in the colour of a standing's verdict. */
export function badge(standing: Standing, label: string): HTMLElement {
  const verdict = verdictOf(standing);
  return make("span", `badge ${CSS_NAME[verdict]}`, icon(verdict), label);
}

/** A verdict with its score, where that goes with it. */
export function verdictBadge(standing: Standing, score: number, wording: Wording): HTMLElement {
  return badge(standing, labelOf(standing, score, wording));
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
    this.#show(verdictBadge(standingOf(report), report.score, this.#wording));
  }

  /** Says that the work stopped before there was a verdict. */
  stop(): void {
    if (!this.#judged) this.#show(this.#pending("pending", this.#wording.say("notChecked")));
  }

  #pending(kind: string, words: string): HTMLElement {
    return make("span", `badge ${kind}`, ...(this.#dots ? [icon("pending")] : []), words);
  }

  #show(next: HTMLElement): void {
    this.element.replaceWith(next);
    this.element = next;
  }
}
