// Stars that can be seen with the naked eye, and Messier's objects, from d3-celestial.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pairs, paragraph, slug, vary } from "../prose.mjs";
import { table } from "../tables.mjs";

const FOLDER = new URL("data/", `file://${createRequire(import.meta.url).resolve("d3-celestial/package.json")}`);
const SOURCE = "d3-celestial 0.7.35 (BSD-3-Clause)";
const read = (name) => JSON.parse(readFileSync(new URL(name, FOLDER), "utf8").replace(/^\/\*/, ""));

const GREEK = pairs(
  `α Alpha β Beta γ Gamma δ Delta ε Epsilon ζ Zeta η Eta θ Theta ι Iota κ Kappa
  λ Lambda μ Mu ν Nu ξ Xi ο Omicron π Pi ρ Rho σ Sigma τ Tau
  υ Upsilon φ Phi χ Chi ψ Psi ω Omega`,
);
/** Stars that the package names otherwise than astronomers do now, or that vary too much for one figure. */
const LEFT_OUT = new Set(["Mira", "Proxima", "Navi", "Dschubba"]);
const FAINTEST = 4.8;

/** A star's colour in words, by its colour index. */
function colour(bv) {
  if (bv === "" || Number.isNaN(Number(bv))) return "";
  if (bv < 0) return "Its light is bluish, which means that its surface is hotter than that of the Sun";
  if (bv < 0.3) return "Its light is white, and its surface is hotter than that of the Sun";
  if (bv < 0.58) return "Its light is yellowish white, and its surface is somewhat hotter than that of the Sun";
  if (bv < 0.72) return "The colour of its light is close to that of the Sun";
  if (bv < 1.4) return "Its light is yellow to orange, and its surface is cooler than that of the Sun";
  return "Its light is reddish, which means that its surface is cooler than that of the Sun";
}

function eye(magnitude) {
  if (magnitude < 1.5) return "one of the brightest stars of the night sky";
  if (magnitude < 2.8) return "a bright star";
  if (magnitude < 4) return "a star that is easily seen with the naked eye";
  return "a faint star that the naked eye can see under a dark sky";
}

export function stars(taken) {
  const names = read("starnames.json");
  const sky = new Map(table("sky").map((row) => [row.code, row]));
  const passages = [];
  const seen = new Set();
  const all = read("stars.6.json").features.sort((a, b) => a.properties.mag - b.properties.mag);
  for (const { id, properties, geometry } of all) {
    const entry = names[id];
    const where = entry && sky.get(entry.c);
    if (!where || properties.mag > FAINTEST || LEFT_OUT.has(entry.name)) continue;
    const [, letter, index] = /^(\p{Script=Greek})(\d*)$/u.exec(entry.bayer) ?? [];
    const bayer = letter && GREEK[letter] ? `${GREEK[letter]}${index ? ` ${index}` : ""} ${where.genitive}` : "";
    const flamsteed = entry.flam ? `${entry.flam} ${where.genitive}` : "";
    const own = entry.name && !taken(entry.name) && !seen.has(entry.name) ? entry.name : "";
    const name = own || bayer || (properties.mag < 4.3 ? flamsteed : "");
    if (!name || seen.has(name) || (entry.name && taken(entry.name))) continue;
    seen.add(name);
    const i = passages.length;
    const declination = geometry.coordinates[1];
    const also = [own && bayer, flamsteed !== name && flamsteed].filter(Boolean);
    passages.push({
      id: `stars/${slug(name)}`,
      title: `${name} (star)`,
      text: paragraph(
        vary(
          i,
          `${name} is ${eye(properties.mag)} in the constellation ${where.name}.`,
          `The star ${name} stands in the constellation ${where.name} and is ${eye(properties.mag)}.`,
        ),
        `Its apparent magnitude is about ${Number(properties.mag)
          .toFixed(1)
          .replace(/^-/, "minus ")
          .replace(/^minus 0\.0$/, "0.0")}.`,
        colour(properties.bv) && `${colour(properties.bv)}.`,
        Math.abs(declination) < 1
          ? `${name} lies close to the celestial equator.`
          : vary(
              i,
              `${name} lies ${Math.round(Math.abs(declination))} degrees ${declination < 0 ? "south" : "north"} of the celestial equator.`,
              `Its declination is about ${Math.round(Math.abs(declination))} degrees ${declination < 0 ? "south" : "north"}.`,
            ),
        also.length ? `It is also designated ${also.join(" or ")}.` : "",
        entry.hip && also.length === 0 ? `In the Hipparcos catalogue it has the number ${id}.` : "",
      ),
      source: SOURCE,
    });
  }
  return passages;
}

const KIND = {
  gc: "a globular star cluster, a ball of many thousands of old stars",
  oc: "an open star cluster, a loose group of stars that formed together",
  s: "a spiral galaxy",
  e: "an elliptical galaxy",
  i: "an irregular galaxy",
  pn: "a planetary nebula, gas that a dying star has thrown off",
  snr: "the remnant of a supernova",
  sfr: "a nebula of gas in which stars form",
  rn: "a reflection nebula, dust that shines by the light of stars",
};
/** The types of objects of which the package's is wrong or says too little; none for those that are left out. */
const KIND_OF = { M24: "", M40: "", M73: "", M45: "oc", M82: "i", M102: "", M85: "", M86: "", M84: "" };
const NAMES = {
  M31: "Andromeda Galaxy",
  M33: "Triangulum Galaxy",
  M51: "Whirlpool Galaxy",
  M64: "Black Eye Galaxy",
  M101: "Pinwheel Galaxy",
  M104: "Sombrero Galaxy",
  M13: "Great Globular Cluster in Hercules",
  M83: "Southern Pinwheel Galaxy",
  M44: "Beehive Cluster",
};

const article = (name) => (/^(?:Bode|Ptolemy|Virgo A|Cetus A|Praesepe)/.test(name) ? "" : "the ");

export function messier(taken) {
  const where = new Map(table("messier").map(({ object, constellation }) => [object, constellation]));
  return read("messier.json")
    .features.filter(({ id }) => KIND_OF[id] !== "" && where.has(id))
    .map(({ id, properties: { desig, alt, type, mag } }, i) => {
      const plain = NAMES[id] ?? alt.replace(/[´’]/g, "'");
      const name = `Messier ${id.slice(1)}`;
      return {
        id: `messier/${id.toLowerCase()}`,
        title: plain && !taken(plain) ? `${plain} (${name})` : name,
        text: paragraph(
          vary(
            i,
            `${name} is ${KIND[KIND_OF[id] ?? type]}, in the constellation ${where.get(id)}.`,
            `In the constellation ${where.get(id)} lies ${name}, ${KIND[KIND_OF[id] ?? type]}.`,
          ),
          plain
            ? vary(i, `It is known as ${article(plain)}${plain}.`, `${name} is also called ${article(plain)}${plain}.`)
            : "",
          /^(?:NGC|IC) \d+$/.test(desig) ? `Astronomers also list it as ${desig}.` : "",
          `Its apparent magnitude is about ${mag}${mag > 6.5 ? ", too faint for the naked eye" : ""}.`,
          `${name}, or ${id} for short, is in the catalogue that Charles Messier drew up in the eighteenth century.`,
        ),
        source: SOURCE,
      };
    });
}
