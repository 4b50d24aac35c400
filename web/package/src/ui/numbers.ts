/** Named numbers from 0 to 1. */

import { make } from "./dom.js";
import type { Wording } from "./strings.js";

/** A probability or score, and its name. */
export interface NamedNumber {
  name: string;
  value: number;
}

/** A list of names and numbers. */
export function asList(rows: NamedNumber[], wording: Wording): HTMLElement {
  return make(
    "dl",
    "numbers",
    ...rows.map(({ name, value }) => make("div", "", make("dt", "", name), make("dd", "", wording.decimal(value)))),
  );
}

/** A bar for a number from 0 to 1. It is decoration: the number stands beside it as text. */
export function bar(value: number): HTMLElement {
  const fill = make("span", "fill");
  fill.style.inlineSize = `${100 * Math.min(1, value)}%`;
  const track = make("span", "track", fill);
  track.setAttribute("aria-hidden", "true");
  return track;
}
