/** Which sentences ask most for a look. */

import type { SentenceReport } from "../report.js";
import { make } from "./dom.js";
import { isFlagged, type Judged, type Standing, standingOf } from "./standing.js";
import type { Wording } from "./strings.js";

type Scored = Judged & Pick<SentenceReport, "score">;

/** The most doubtful first. */
const ORDER: readonly Standing[] = [
  "unfactual",
  "mixed",
  "likelyUnfactual",
  "undecided",
  "notInIndex",
  "likelyFactual",
  "factual",
];

/** The sentence to look at first: the worst verdict, and of several the lowest score; null where none is judged. */
export function mostDoubtful(judged: readonly (Scored | null | undefined)[]): number | null {
  let found: { index: number; place: number; score: number } | null = null;
  judged.forEach((sentence, index) => {
    if (!sentence) return;
    const [place, { score }] = [ORDER.indexOf(standingOf(sentence)), sentence];
    if (!found || place < found.place || (place === found.place && score < found.score))
      found = { index, place, score };
  });
  return (found as { index: number } | null)?.index ?? null;
}

/** The next flagged sentence after `from`, round the end if need be; null where none is flagged. */
export function nextFlagged(judged: readonly (Judged | null | undefined)[], from: number | null): number | null {
  const flagged = judged.flatMap((sentence, index) => (sentence && isFlagged(sentence) ? [index] : []));
  return flagged.find((index) => index > (from ?? -1)) ?? flagged[0] ?? null;
}

/** The key that goes to the next flagged sentence, where the focus is among the sentences. */
export const isNextKey = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === "n" && !altKey && !ctrlKey && !metaKey;

/** The button that goes to the next flagged sentence; it is there while one is flagged. */
export class NextButton {
  readonly element: HTMLButtonElement;
  readonly #wording: Wording;

  constructor(wording: Wording, onNext: () => void) {
    this.#wording = wording;
    this.element = make("button", "next");
    this.element.type = "button";
    this.element.hidden = true;
    this.element.setAttribute("aria-keyshortcuts", "n");
    this.element.addEventListener("click", onNext);
  }

  show(judged: readonly (Judged | null | undefined)[]): void {
    const n = judged.filter((sentence) => sentence && isFlagged(sentence)).length;
    this.element.hidden = n === 0;
    this.element.textContent = this.#wording.say("nextFlagged", { n });
  }
}
