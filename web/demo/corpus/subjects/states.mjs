// The fifty states of the United States, from facts/states.tsv.
import { ordinal, paragraph, slug, vary } from "../prose.mjs";
import { table } from "../tables.mjs";

const SOURCE = "written for Evident";

export function states() {
  return table("states").map(({ name, capital, largest, order, year, place, nickname }, i) => {
    const cities =
      capital === largest
        ? `${capital} is both its capital and its largest city.`
        : vary(
            i,
            `Its capital is ${capital}, while its largest city is ${largest}.`,
            `The state capital is ${capital}, but ${largest} is larger.`,
            `The government sits in ${capital}; the most populous city is ${largest}.`,
          );
    const admission =
      Number(order) <= 13
        ? `One of the thirteen original states, it ratified the Constitution in ${year} as the ${ordinal(Number(order))} of them.`
        : vary(
            i,
            `It joined the Union in ${year} as the ${ordinal(Number(order))} state.`,
            `It became the ${ordinal(Number(order))} state of the Union in ${year}.`,
          );
    return {
      id: `states/${slug(name)}`,
      title: name === "Georgia" ? "Georgia (U.S. state)" : name === "Washington" ? "Washington (state)" : name,
      text: paragraph(
        `${name} is a state ${place}.`,
        cities,
        admission,
        vary(i, `Its nickname is ${nickname}.`, `It is known as ${nickname}.`),
      ),
      source: SOURCE,
    };
  });
}
