/** Named probabilities, as a list or as bars. */

import { make } from "./dom.js";
import type { Wording } from "./strings.js";

/** A probability, its name, and the class of its bar. */
export interface NamedNumber {
  name: string;
  value: number;
  kind: string;
}

/** A list of names and numbers. */
export function asList(rows: NamedNumber[], wording: Wording): HTMLElement {
  return make(
    "dl",
    "numbers",
    ...rows.map(({ name, value }) => make("div", "", make("dt", "", name), make("dd", "", wording.decimal(value)))),
  );
}

/** The same with a bar before each number. */
export function asBars(rows: NamedNumber[], wording: Wording): HTMLElement {
  const row = ({ name, value, kind }: NamedNumber) =>
    make(
      "div",
      "",
      make("dt", "", name),
      make("dd", "", bar(value, kind), make("span", "value", wording.decimal(value))),
    );
  return make("dl", "bars", ...rows.map(row));
}

/** A bar for a number from 0 to 1. It is decoration: the number stands beside it as text. */
export function bar(value: number, kind = ""): HTMLElement {
  const fill = make("span", `fill ${kind}`.trim());
  fill.style.inlineSize = `${100 * Math.min(1, value)}%`;
  const track = make("span", "track", fill);
  track.setAttribute("aria-hidden", "true");
  return track;
}
