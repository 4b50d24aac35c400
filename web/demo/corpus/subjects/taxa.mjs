// Genera and families of animals and plants: where each stands, and which species with an English name are in it.
import { list, paragraph, slug, vary } from "../prose.mjs";
import { allSpecies, familyOf, isFamily, latin, plural } from "./living.mjs";
import { ANIMAL, lineage, nouns, PLANT, SOURCE } from "./wordnet.mjs";

const MOST_NAMED = 5;

/** The species and families, gathered by the genus or family that they are in. */
function gather() {
  const genera = new Map();
  for (const one of allSpecies()) {
    if (!genera.has(one.genus)) genera.set(one.genus, []);
    genera.get(one.genus).push(one);
  }
  const families = new Map();
  for (const [genus, species] of genera) {
    const family = familyOf(genus);
    if (!family) continue;
    if (!families.has(family)) families.set(family, { genera: [], species: [] });
    families.get(family).genera.push(latin(genus));
    families.get(family).species.push(...species);
  }
  return { genera, families };
}

/** The everyday group that most of `species` are in. */
function common(species) {
  const counts = new Map();
  for (const { group: one } of species) counts.set(one, (counts.get(one) ?? 0) + 1);
  const [[most, count]] = [...counts].sort((a, b) => b[1] - a[1]);
  if (count === species.length) return most;
  return species[0].sense.file === PLANT ? "plant" : "animal";
}

/** Each English name once. */
const distinct = (species) =>
  species.filter((one, i) => species.findIndex((other) => other.english[0] === one.english[0]) === i);

const named = ({ english, binomial }) => `the ${english[0]} (${binomial})`;

export function genera(taken) {
  return [...gather().genera]
    .filter(([genus, species]) => species.length >= 2 && !taken(latin(genus)))
    .map(([genus, species], i) => {
      const name = latin(genus);
      const family = familyOf(genus);
      const what = plural(common(species));
      return {
        id: `genera/${slug(name)}`,
        title: `${name} (genus)`,
        text: paragraph(
          vary(i, `${name} is a genus of ${what}.`, `The genus ${name} is made up of ${what}.`),
          family
            ? vary(
                i,
                `It has been placed in the family ${family}.`,
                `${name} is counted in the family ${family}.`,
                `The family of the genus ${name} is ${family}.`,
              )
            : "",
          vary(
            i,
            `Among the species that have been placed in ${name} are ${list(distinct(species).slice(0, MOST_NAMED).map(named))}.`,
            `Species that have been placed in ${name} include ${list(distinct(species).slice(0, MOST_NAMED).map(named))}.`,
          ),
          !family || species.length < 3 ? `In a scientific name, ${name} is the first of the two words.` : "",
        ),
        source: SOURCE,
      };
    });
}

export function families(taken) {
  const orders = new Map(
    [...nouns().values()]
      .filter((sense) => sense.file === ANIMAL && isFamily(sense))
      .map((sense) => [
        latin(sense),
        lineage(sense, "#m").find(({ words }) => words.some((word) => word.startsWith("order "))),
      ]),
  );
  return [...gather().families]
    .filter(([family, { species }]) => species.length >= 2 && !taken(family))
    .map(([family, { genera: members, species }], i) => {
      const what = plural(common(species));
      const order = orders.get(family);
      const english = [...new Set(species.map((one) => one.english[0]))].slice(0, MOST_NAMED);
      return {
        id: `families/${slug(family)}`,
        title: `${family} (family)`,
        text: paragraph(
          vary(i, `${family} is a family of ${what}.`, `The family ${family} is made up of ${what}.`),
          order &&
            /birds|mammals|moths|butterflies|insects|beetles|spiders|amphibians/.test(what) &&
            !/Insectivora|Edentata|Edentates|Carnosaura/.test(latin(order))
            ? vary(
                i,
                `It has been placed in the order ${latin(order)}.`,
                `The order that holds the ${family} has been called ${latin(order)}.`,
              )
            : "",
          members.length > 1
            ? vary(
                i,
                `Its genera include ${list(members.slice(0, 6))}.`,
                `Among the genera of the ${family} are ${list(members.slice(0, 6))}.`,
              )
            : `The genus ${members[0]} belongs to it.`,
          vary(
            i,
            `Members of the family ${family} include ${list(english.map((one) => `the ${one}`))}.`,
            `To the family ${family} belong, among others, ${list(english.map((one) => `the ${one}`))}.`,
          ),
        ),
        source: SOURCE,
      };
    });
}
