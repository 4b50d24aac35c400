// The 118 chemical elements: numbers from the package, discovery, name and use from facts/elements.tsv.
import { createRequire } from "node:module";
import { capitalise, celsius, list, paragraph, slug, vary } from "../prose.mjs";
import { table } from "../tables.mjs";

const data = createRequire(import.meta.url)("periodic-table-data-complete/pTable.json");
const PROPERTIES = "periodic-table-data-complete 1.1.0 (MIT)";
const SOURCE = `${PROPERTIES}; discovery, name and use written for Evident`;

const LAST_NAMED = 118;
/** Beyond curium, and for astatine and francium, the package's figures are estimates. */
const MEASURED = (e) => e.atomic_number <= 96 && e.atomic_number !== 85 && e.atomic_number !== 87;
const SUBLIMES = new Set(["C", "As"]);
const AMBIGUOUS = new Set(["Mercury"]);
const HALOGENS = new Set([9, 17, 35, 53, 85]);
const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven"];

function category(e) {
  if (HALOGENS.has(e.atomic_number)) return "a halogen";
  if (e.atomic_number > 108) return "a synthetic, very short-lived element";
  if (e.series.includes("nonmetal")) return "a nonmetal";
  return `${/^[aeiou]/.test(e.series) ? "an" : "a"} ${e.series}`;
}

/** Lanthanides and actinides stand apart from the numbered groups. */
const position = (e) =>
  /lanthanide|actinide/.test(e.series)
    ? `It stands in period ${e.period}`
    : `It stands in group ${e.group} and period ${e.period}`;

function identity(e, fact, i) {
  const state =
    e.atomic_number < 100
      ? `It is ${e.phase === "Solid" ? "solid" : e.phase === "Liquid" ? "liquid" : "a gas"} at room temperature.`
      : "";
  const naming = fact.name.startsWith("It is also called") || fact.name.startsWith("The origin") ? "" : `${fact.name}.`;
  return {
    id: `elements/${slug(e.name)}`,
    title: AMBIGUOUS.has(e.name) ? `${e.name} (element)` : e.name,
    text: paragraph(
      vary(
        i,
        `${e.name} is a chemical element with the symbol ${e.symbol} and the atomic number ${e.atomic_number}.`,
        `${e.name} is the chemical element with atomic number ${e.atomic_number}; its symbol is ${e.symbol}.`,
        `The chemical element ${e.name.toLowerCase()} has the symbol ${e.symbol} and the atomic number ${e.atomic_number}.`,
      ),
      `${position(e)} of the periodic table and is ${category(e)}.`,
      state,
      `${fact.discovery}.`,
      naming,
      `${fact.use}.`,
    ),
    source: SOURCE,
  };
}

const ofKelvin = (kelvin) => celsius(kelvin - 273.15);

function properties(e, i) {
  const name = e.name.toLowerCase();
  const gas = e.phase === "Gas";
  const density = e.density?.stp;
  const mass = Number.isInteger(e.atomic_mass)
    ? `${e.name} has no stable isotope`
    : `The atomic mass of ${name} is about ${Number(e.atomic_mass.toPrecision(4))}`;
  const change = SUBLIMES.has(e.symbol)
    ? "At normal pressure it turns from a solid straight into a gas when it is heated."
    : e.symbol === "He"
      ? `It boils at about ${ofKelvin(e.boiling_point)} and does not freeze at normal pressure.`
      : vary(
          i,
          `It melts at about ${ofKelvin(e.melting_point)} and boils at about ${ofKelvin(e.boiling_point)}.`,
          `Its melting point is about ${ofKelvin(e.melting_point)} and its boiling point about ${ofKelvin(e.boiling_point)}.`,
        );
  const shells = e.electrons_per_shell;
  return {
    id: `elements/${slug(e.name)}-properties`,
    title: AMBIGUOUS.has(e.name) ? `${e.name} (element)` : e.name,
    section: "Physical properties",
    text: paragraph(
      `${mass}.`,
      change,
      density
        ? `Its density is about ${gas ? `${Number(density.toPrecision(3))} grams per litre` : `${Number((density / 1000).toPrecision(3))} grams per cubic centimetre`}.`
        : "",
      `An atom of ${name} has ${e.atomic_number} ${e.atomic_number === 1 ? "proton" : "protons"}, and its ${e.atomic_number === 1 ? "single electron lies in one shell" : `electrons fill ${WORDS[shells.length]} ${shells.length === 1 ? "shell" : "shells"} with ${list(shells.map(String))}`}.`,
    ),
    source: PROPERTIES,
  };
}

export function elements() {
  const facts = new Map(table("elements").map((row) => [row.symbol, row]));
  const named = data.filter((e) => e.atomic_number <= LAST_NAMED).map((e) => ({ ...e, name: capitalise(e.name) }));
  return [
    ...named.map((e, i) => identity(e, facts.get(e.symbol), i)),
    ...named.filter(MEASURED).map((e, i) => properties(e, i)),
  ];
}
