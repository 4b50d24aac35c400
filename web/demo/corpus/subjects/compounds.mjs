// Chemical compounds from facts/compounds.tsv: formula, molar mass, melting and boiling point, density and number.
import { celsius, list, paragraph, slug, vary } from "../prose.mjs";
import { table } from "../tables.mjs";

const SOURCE = "chemicals 1.5.2 (MIT)";

const ELEMENTS = {
  C: "carbon",
  H: "hydrogen",
  O: "oxygen",
  N: "nitrogen",
  S: "sulfur",
  F: "fluorine",
  Cl: "chlorine",
  Br: "bromine",
  I: "iodine",
  P: "phosphorus",
  Si: "silicon",
  B: "boron",
};

/** The elements of a formula that has only common ones, in words. */
function elements(formula) {
  const symbols = [...new Set(formula.match(/[A-Z][a-z]?/g))];
  if (!symbols.every((symbol) => ELEMENTS[symbol])) return "";
  return symbols.length > 1 ? list(symbols.map((symbol) => ELEMENTS[symbol])) : "";
}

/** Lower case in the middle of a sentence, also after a locant such as "2-". */
const lower = (name) =>
  name.replace(
    /^(\(?(?:[\d,NOompst'-]+-)*\(?)(\p{Lu})(?=[a-z])/u,
    (_, locant, letter) => locant + letter.toLowerCase(),
  );

export function compounds(taken) {
  return table("compounds")
    .filter(({ name, alias }) => !taken(name) && !taken(alias))
    .map(({ name, alias, formula, mass, cas, melting, boiling, density, kind }, i) => {
      const inText = lower(name);
      const made = elements(formula);
      const organic = kind === "organic";
      const melts = melting && `melts at about ${celsius(Number(melting))}`;
      const boils = boiling && `boils at about ${celsius(Number(boiling))}`;
      return {
        id: `compounds/${slug(name.replace(/[()]/g, "-"))}`,
        title: name,
        text: paragraph(
          vary(
            i,
            `The chemical compound ${inText} has the formula ${formula}.`,
            `The formula of ${inText}, ${organic ? "an organic" : "an inorganic"} compound, is ${formula}.`,
            `The ${organic ? "organic" : "inorganic"} compound ${inText} has the chemical formula ${formula}.`,
          ),
          made && !(melts && boils) ? `It is made up of ${made}.` : "",
          `Its molar mass is about ${Number(Number(mass).toPrecision(4))} grams per mole.`,
          melts || boils
            ? vary(
                i,
                `The compound ${[melts, boils].filter(Boolean).join(" and ")}.`,
                `At normal pressure ${inText} ${[melts, boils].filter(Boolean).join(" and ")}.`,
              )
            : "",
          density ? `Its density is about ${density} grams per cubic centimetre.` : "",
          alias ? vary(i, `It is also called ${alias}.`, `Another name for it is ${alias}.`) : "",
          `In the CAS registry it has the number ${cas}.`,
        ),
        source: SOURCE,
      };
    });
}
