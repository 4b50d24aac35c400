// The currencies of the countries, from ISO 4217 and the countries that use them.
import { createRequire } from "node:module";
import { capitalise, list, paragraph, slug, vary } from "../prose.mjs";
import { allCountries, SOURCE as COUNTRIES, inText } from "./atlas.mjs";

const iso4217 = createRequire(import.meta.url)("currency-codes");
const SOURCE = `currency-codes 2.2.0 (MIT); ${COUNTRIES}`;

const DECIMALS = {
  0: "Amounts are written without decimal places.",
  2: "Amounts are written with two decimal places.",
  3: "Amounts are written with three decimal places, since it is divided into 1,000 parts.",
};

export function currencies() {
  const users = new Map();
  for (const country of allCountries()) {
    for (const [code, { name }] of Object.entries(country.currencies)) {
      if (!users.has(code)) users.set(code, { name, countries: [] });
      users.get(code).countries.push(inText(country));
    }
  }
  return [...users]
    .filter(([code]) => iso4217.code(code))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { name, countries }], i) => {
      const { number, digits } = iso4217.code(code);
      const where = list(countries.sort((a, b) => a.replace(/^the /, "").localeCompare(b.replace(/^the /, ""), "en")));
      return {
        id: `currencies/${slug(name)}`,
        title: capitalise(name),
        text: paragraph(
          vary(i, `The ${name} is the currency of ${where}.`, `The ${name} is used as money in ${where}.`),
          vary(
            i,
            `In the standard ISO 4217 it has the code ${code} and the number ${number}.`,
            `Its code in ISO 4217 is ${code}, and its number there is ${number}.`,
          ),
          DECIMALS[digits],
        ),
        source: SOURCE,
      };
    });
}
