// Emoji: what each shows, its code point, its group and the year of the version that brought it.
import { createRequire } from "node:module";
import { list, paragraph, slug, vary } from "../prose.mjs";

const data = createRequire(import.meta.url)("unicode-emoji-json");
const SOURCE = "unicode-emoji-json 0.9.0 (MIT)";

/** Versions of the Emoji standard, from the first with a number, and their years. */
const YEARS = {
  "1.0": 2015,
  "2.0": 2015,
  "3.0": 2016,
  "4.0": 2016,
  "5.0": 2017,
  "11.0": 2018,
  "12.0": 2019,
  12.1: 2019,
  "13.0": 2020,
  13.1: 2020,
  "14.0": 2021,
  "15.0": 2022,
  15.1: 2023,
  "16.0": 2024,
};
const GROUPS = {
  "Animals & Nature": "animals and nature",
  "Food & Drink": "food and drink",
  "Travel & Places": "travel and places",
  Activities: "activities",
  Objects: "objects",
  "Smileys & Emotion": "smileys and emotion",
  "People & Body": "people and the body",
};
/** Emoji whose names speak of a person's sex, place or relation make up families of near duplicates. */
const VARIANT =
  /^(?:woman|man|men|women|person|people|flag|keycap|family|kiss|couple|handshake|Japanese)\b|:|button|o’clock|-thirty|facing right/;

export function emoji(taken) {
  return Object.entries(data)
    .filter(([, { name, group }]) => GROUPS[group] && !VARIANT.test(name) && !taken(name))
    .map(([character, { name, group, emoji_version: version, skin_tone_support: tones }], i) => {
      const plain = character.replaceAll("\u{FE0F}", "");
      const points = [...plain].map((one) => `U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
      const year = YEARS[version];
      const bytes = Buffer.byteLength(plain);
      return {
        id: `emoji/${slug(name)}`,
        title: `${name} (emoji)`.replace(/^./, (first) => first.toUpperCase()),
        text: paragraph(
          vary(i, `The emoji ${character} is called ${name}.`, `The name of the emoji ${character} is ${name}.`),
          points.length === 1
            ? vary(
                i,
                `Its code point in Unicode is ${points[0]}.`,
                `Unicode encodes the emoji ${name} as ${points[0]}.`,
              )
            : `It is put together from the code points ${list(points)}.`,
          vary(
            i,
            `It is sorted into the group of emoji for ${GROUPS[group]}.`,
            `The standard lists it in the group for ${GROUPS[group]}.`,
          ),
          year
            ? `The emoji ${name} came with version ${version} of the Emoji standard in ${year}.`
            : "It is older than version 1.0 of the Emoji standard of 2015.",
          `In UTF-8 it takes ${bytes} bytes.`,
          tones ? "Its skin tone can be chosen." : "",
        ),
        source: SOURCE,
      };
    });
}
