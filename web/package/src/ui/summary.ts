/** How many sentences have each standing. */

import { badge } from "./badge.js";
import { CSS_NAME, icon, make } from "./dom.js";
import { type Judged, lookOf, type Standing, standingOf } from "./standing.js";
import type { Wording } from "./strings.js";

const STANDINGS: readonly Standing[] = [
  "factual",
  "likelyFactual",
  "unfactual",
  "likelyUnfactual",
  "mixed",
  "undecided",
  "notInIndex",
];
/** Standings that are named only where a sentence has them. */
const RARE: readonly Standing[] = ["likelyFactual", "likelyUnfactual", "mixed", "undecided"];

function counts(sentences: (Judged | null | undefined)[]): [Standing, number][] {
  const found = sentences.flatMap((sentence) => (sentence ? [standingOf(sentence)] : []));
  const numbers = STANDINGS.map((standing): [Standing, number] => [
    standing,
    found.filter((other) => other === standing).length,
  ]);
  return numbers.filter(([standing, number]) => !RARE.includes(standing) || number > 0);
}

/** The counts as a phrase: "2 supported, 1 contradicted, 0 not in this index". */
export function tallyOf(sentences: Judged[], wording: Wording): string {
  const phrases = counts(sentences).map(([standing, n]) => wording.say(`${standing}Number`, { n }));
  return new Intl.ListFormat(wording.lang, { type: "unit", style: "short" }).format(phrases);
}

/**
 * The counts of the sentences judged so far as list items, each a badge: "Supported: 2". With its icons it is the
 * legend as well.
 */
export function summaryBadges(judged: (Judged | null | undefined)[], wording: Wording): HTMLElement[] {
  return counts(judged).map(([standing, n]) =>
    make("li", "", badge(standing, `${wording.say(standing)}: ${n.toLocaleString(wording.lang)}`)),
  );
}

/** The counts that are not 0, each an icon and a number; in words they are the tally. */
export function summaryIcons(judged: (Judged | null | undefined)[], wording: Wording): HTMLElement[] {
  return counts(judged)
    .filter(([, n]) => n > 0)
    .map(([standing, n]) => {
      const look = lookOf(standing);
      return make("span", `tally ${CSS_NAME[look]}`, icon(look), n.toLocaleString(wording.lang));
    });
}

/** The same, each item a phrase in its colour: "2 supported". */
export function summaryPhrases(judged: (Judged | null | undefined)[], wording: Wording): HTMLElement[] {
  return counts(judged).map(([standing, n]) => {
    const look = lookOf(standing);
    return make("li", CSS_NAME[look], icon(look), wording.say(`${standing}Number`, { n }));
  });
}
