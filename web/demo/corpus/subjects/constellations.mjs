// The 88 constellations: names from the package, stars and origins from facts/constellations.tsv.
import { createRequire } from "node:module";
import { paragraph, slug, vary } from "../prose.mjs";
import { table } from "../tables.mjs";

const names = createRequire(import.meta.url)("constellations");
const SOURCE = "constellations 0.0.1 (MIT); stars and origins written for Evident";

const SKY = {
  northern: "a constellation of the northern sky",
  southern: "a constellation of the southern sky",
  equatorial: "a constellation that lies across the celestial equator",
  zodiac: "a constellation of the zodiac, the belt through which the Sun seems to move in the course of a year",
};

const ORIGIN = {
  ptolemy: [
    "It is one of the 48 constellations that Ptolemy listed in the second century.",
    "Ptolemy already named it in his list of 48 constellations.",
  ],
  argo: [
    "It was once part of the ancient constellation Argo Navis, the ship of the Argonauts, which was later divided.",
  ],
  lacaille: [
    "The French astronomer Nicolas-Louis de Lacaille introduced it in the eighteenth century, after he had observed from the Cape of Good Hope.",
  ],
  hevelius: ["The astronomer Johannes Hevelius of Danzig introduced it in the seventeenth century."],
  dutch: [
    "It was formed at the end of the sixteenth century from the observations of the Dutch navigators Keyser and de Houtman.",
  ],
  plancius: ["The mapmaker Petrus Plancius introduced it in the years around 1600."],
  vopel: ["It was long counted as part of Leo and became a constellation of its own in the sixteenth century."],
  explorers: [
    "Sailors of the sixteenth century used it to find the south. It is the smallest of all constellations and appears on the flag of Australia.",
  ],
};

/** What the package's short English names leave unclear. */
const FIGURE = {
  Carina: "the keel of a ship",
  Cetus: "a sea monster or whale",
  "Coma Berenices": "the hair of Queen Berenice",
  Caelum: "an engraver's chisel",
  "Corona Australis": "the southern crown",
  "Corona Borealis": "the northern crown",
  Crux: "the Southern Cross",
  Cygnus: "a swan",
  Dorado: "a dolphinfish",
  Eridanus: "a river of Greek myth",
  Fornax: "a chemist's furnace",
  Gemini: "the twins Castor and Pollux",
  Hydrus: "the lesser water snake",
  Hydra: "a water snake of Greek myth",
  Indus: "an Indian",
  Libra: "a pair of scales",
  Lyra: "a lyre",
  Mensa: "Table Mountain in South Africa",
  Norma: "a carpenter's square",
  Octans: "an octant, an instrument of navigation",
  Pegasus: "the winged horse of Greek myth",
  Perseus: "the hero Perseus of Greek myth",
  Pisces: "two fishes",
  Puppis: "the stern of a ship",
  Pyxis: "a mariner's compass",
  Reticulum: "the crosshairs of an eyepiece",
  Sculptor: "a sculptor's studio",
  Scutum: "the shield of King Sobieski",
  Vela: "the sails of a ship",
  Virgo: "a maiden",
  Circinus: "a pair of compasses",
  "Canes Venatici": "two hunting dogs",
  "Canis Major": "the greater dog",
  "Canis Minor": "the lesser dog",
  "Leo Minor": "the lesser lion",
  "Piscis Austrinus": "the southern fish",
  "Triangulum Australe": "the southern triangle",
  "Ursa Major": "the Great Bear",
  "Ursa Minor": "the Little Bear",
};

function figure({ name, en }) {
  if (FIGURE[name]) return FIGURE[name];
  if (en.includes("(mythological character)")) return `${name}, a figure of Greek myth`;
  const thing = en.replace(/ \(.*\)/, "").toLowerCase();
  return `${/^[aeiou]/.test(thing) && !thing.startsWith("uni") ? "an" : "a"} ${thing}`;
}

export function constellations() {
  const facts = new Map(table("constellations").map((row) => [row.name, row]));
  return names.map((entry, i) => {
    const { sky, star, origin } = facts.get(entry.name);
    return {
      id: `constellations/${slug(entry.name)}`,
      title: `${entry.name} (constellation)`,
      text: paragraph(
        `${entry.name} is ${SKY[sky]}.`,
        vary(i, `It represents ${figure(entry)}.`, `Its figure is that of ${figure(entry)}.`),
        vary(
          i,
          `Its brightest star is ${star}.`,
          `The brightest star in it is ${star}.`,
          `Its brightest star is ${star}.`,
        ),
        vary(i, ...ORIGIN[origin]),
        `Astronomers abbreviate it as ${entry.abbr}.`,
      ),
      source: SOURCE,
    };
  });
}
