/** The element's words in other languages than English, by their tags. */

import type { Strings } from "../strings.js";
import { GERMAN } from "./de.js";
import { SPANISH } from "./es.js";
import { FRENCH } from "./fr.js";
import { ITALIAN } from "./it.js";
import { JAPANESE } from "./ja.js";
import { DUTCH } from "./nl.js";
import { POLISH } from "./pl.js";
import { PORTUGUESE } from "./pt.js";
import { CHINESE } from "./zh.js";

export const TRANSLATIONS: ReadonlyMap<string, Partial<Strings>> = new Map([
  ["de", GERMAN],
  ["es", SPANISH],
  ["fr", FRENCH],
  ["it", ITALIAN],
  ["ja", JAPANESE],
  ["nl", DUTCH],
  ["pl", POLISH],
  ["pt", PORTUGUESE],
  ["zh", CHINESE],
]);

/** The words in the language that a tag such as "de-AT" names; nothing for English and where there are none. */
export function translationOf(lang: string): Partial<Strings> | undefined {
  return TRANSLATIONS.get(lang.toLowerCase().split("-")[0] ?? "");
}
