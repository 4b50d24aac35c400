// Countries and territories: one passage on where each lies, and for countries one on state and people.
import { capitalise, list, paragraph, roughly, slug, vary } from "../prose.mjs";
import { allCountries, inText, SOURCE } from "./atlas.mjs";

const REGIONS = {
  "Australia and New Zealand": "Oceania",
  Caribbean: "the Caribbean",
  "Eastern Africa": "East Africa",
  "Eastern Asia": "East Asia",
  "Middle Africa": "Central Africa",
  "Northern Africa": "North Africa",
  "South-Eastern Asia": "Southeast Asia",
  "Southeast Europe": "southeastern Europe",
  "Southeastern Africa": "southeastern Africa",
  "Southern Asia": "South Asia",
  "Western Africa": "West Africa",
  Melanesia: "the Pacific",
  Micronesia: "the Pacific",
  Polynesia: "the Pacific",
};
const region = ({ subregion }) =>
  REGIONS[subregion] ?? subregion.replace(/^\w+(?= Europe$)/, (side) => side.toLowerCase());

/** Where naming one capital would say too much or too little. */
const CAPITALS = {
  BDI: "Its political capital is Gitega, while Bujumbura is its largest city.",
  BEN: "Its official capital is Porto-Novo, but the government sits in Cotonou.",
  BES: "It consists of the three islands of Bonaire, Sint Eustatius and Saba.",
  BOL: "Its constitutional capital is Sucre, but the government sits in La Paz.",
  CHL: "Its capital is Santiago, while the parliament meets in Valparaíso.",
  CIV: "Its official capital is Yamoussoukro, but Abidjan is its largest city.",
  DJI: "Its capital is also called Djibouti.",
  ESH: "Its largest city is El Aaiún.",
  GIB: "It is a single city at the foot of the Rock of Gibraltar.",
  GNQ: "Malabo, on the island of Bioko, was long its capital.",
  HKG: "It has no capital; its government sits on Hong Kong Island.",
  IDN: "Its capital is Jakarta; a new capital, Nusantara, has been under construction on Borneo since 2022.",
  ISR: "It has declared Jerusalem its capital, a status that many states do not recognise.",
  LKA: "Its official capital is Sri Jayawardenepura Kotte, while Colombo is its largest city.",
  LUX: "Its capital is also called Luxembourg.",
  MAC: "It has no capital, as it is a single city.",
  MCO: "It is a city-state on the Mediterranean coast.",
  MSR: "Plymouth, its capital, was buried by a volcano in the 1990s, and the government moved to Brades.",
  MYS: "Its capital is Kuala Lumpur, while the government offices are in Putrajaya.",
  NLD: "Its capital is Amsterdam, but the government sits in The Hague.",
  NRU: "It has no official capital; the government offices are in Yaren.",
  PSE: "Ramallah serves as its administrative centre.",
  SGP: "It is a city-state, so the city of Singapore is also its capital.",
  SWZ: "It has two capitals: Mbabane is the seat of government, and Lobamba that of the king and parliament.",
  TKL: "It has no capital, and each of its three atolls has its own administration.",
  USA: "Washington, D.C., is its capital.",
  VAT: "It is a city-state within Rome and the seat of the Pope.",
  ZAF: "It has three capitals: Pretoria for the government, Cape Town for the parliament and Bloemfontein for the highest court of appeal.",
};

/** The state that a territory belongs to. */
const SOVEREIGN = {
  "the Netherlands": "ABW CUW SXM BES",
  "the United Kingdom": "AIA BMU CYM FLK GIB MSR PCN SHN TCA VGB",
  Finland: "ALA",
  "the United States": "ASM GUM MNP PRI VIR",
  Australia: "CCK CXR NFK",
  France: "BLM GLP GUF MAF MTQ MYT NCL PYF REU SPM WLF",
  "New Zealand": "TKL",
  Denmark: "FRO GRL",
  China: "HKG MAC",
  Norway: "SJM",
};
const sovereign = new Map(
  Object.entries(SOVEREIGN).flatMap(([state, codes]) => codes.split(" ").map((code) => [code, state])),
);

/** How a place begins that is neither a member state of the United Nations nor a territory of one. */
const STATUS = {
  COK: "is a self-governing country in the Pacific, in free association with New Zealand.",
  ESH: "is a disputed territory in North Africa, most of which Morocco controls.",
  GGY: "is a dependency of the British Crown in the English Channel.",
  IMN: "is a dependency of the British Crown in the Irish Sea.",
  JEY: "is a dependency of the British Crown in the English Channel.",
  NIU: "is a self-governing country in the Pacific, in free association with New Zealand.",
  PSE: "lies in Western Asia. Most countries recognise it as a state, but its borders are disputed.",
  TWN: "is an island in East Asia. It has a government and a currency of its own, but China claims it.",
  UNK: "lies in southeastern Europe. It declared its independence from Serbia in 2008, which not all states recognise.",
};

function opening(country) {
  if (STATUS[country.cca3]) return STATUS[country.cca3];
  const state = sovereign.get(country.cca3);
  return `is ${state ? `a territory of ${state}` : "a country"} in ${region(country)}.`;
}

function neighbours(country, byCode, i) {
  const names = country.borders
    .map((code) => inText(byCode.get(code)))
    .sort((a, b) => a.replace(/^the /, "").localeCompare(b.replace(/^the /, ""), "en"));
  if (names.length === 0) return "It has no land border with another country.";
  if (names.length === 1) return `It shares a land border with ${names[0]}.`;
  return vary(
    i,
    `It borders ${list(names)}.`,
    `Its neighbours on land are ${list(names)}.`,
    `It shares borders with ${list(names)}.`,
  );
}

function geography(country, byCode, i) {
  const subject = capitalise(inText(country));
  const capital =
    CAPITALS[country.cca3] ??
    vary(
      i,
      `Its capital is ${list(country.capital)}.`,
      `The capital is ${list(country.capital)}.`,
      `${capitalise(list(country.capital))} is its capital.`,
    );
  const area =
    country.area > 0
      ? vary(
          i,
          `It covers about ${roughly(country.area)} square kilometres.`,
          `Its area is about ${roughly(country.area)} square kilometres.`,
        )
      : "";
  const coast = country.landlocked ? vary(i, "It is landlocked.", "It has no coast on the sea.") : "";
  return {
    id: `countries/${slug(country.common)}`,
    title: country.common,
    section: "Geography",
    text: paragraph(`${subject} ${opening(country)}`, capital, neighbours(country, byCode, i), coast, area),
    source: SOURCE,
  };
}

const OFFICIAL_WITH_ARTICLE =
  /^(Bailiwick|Republic|Kingdom|State|Union|Federa|Islamic|People|Principality|Grand|Commonwealth|Democratic|United|Co-op|Socialist|Sultanate|Independent|Most|Nation|Plurin|Boliv|Orient|Arab|Hash)|(Republic|Confederation|Federation|States)$/;
const officialName = ({ official }) => (OFFICIAL_WITH_ARTICLE.test(official) ? `the ${official}` : official);

/** Where one language prevails by custom rather than by law. */
const BY_CUSTOM = new Set(["ARG", "AUS", "CHL", "GBR", "JPN", "MEX", "NER", "URY", "USA"]);

function tongue(country, i) {
  const names = Object.values(country.languages);
  if (BY_CUSTOM.has(country.cca3)) return `Its main language is ${names[0]}.`;
  return names.length === 1
    ? vary(i, `Its official language is ${names[0]}.`, `The official language is ${names[0]}.`)
    : vary(
        i,
        `Its official or national languages include ${list(names)}.`,
        `Among its official or national languages are ${list(names)}.`,
      );
}

function money(country, i) {
  const names = Object.values(country.currencies).map(({ name }) => `the ${name}`);
  return names.length === 1
    ? vary(i, `Its currency is ${names[0]}.`, `People pay with ${names[0]}.`)
    : `The currencies in use are ${list(names)}.`;
}

function dialling({ idd, cca3 }) {
  if (cca3 === "VAT" || !idd.root) return "";
  const code = idd.suffixes.length === 1 ? `${idd.root}${idd.suffixes[0]}` : idd.root;
  return code.replace(/^\+1(\d{3})$/, "+1 $1");
}

function people(country, i) {
  const name = inText(country);
  const code = dialling(country);
  return {
    id: `countries/${slug(country.common)}-people`,
    title: country.common,
    section: "State and people",
    text: paragraph(
      country.official !== country.common
        ? vary(
            i,
            `The official name of ${name} is ${officialName(country)}.`,
            `${capitalise(name)} is officially called ${officialName(country)}.`,
          )
        : `The official name of the country is simply ${name}.`,
      tongue(country, i),
      money(country, i + 1),
      country.demonym
        ? vary(i, `Its demonym is ${country.demonym}.`, `The demonym for its people is ${country.demonym}.`)
        : "",
      code ? `Its telephone code is ${code}.` : "",
      country.tld.length ? `Its Internet domain is ${country.tld[0]}.` : "",
    ),
    source: SOURCE,
  };
}

export function countries() {
  const all = allCountries();
  const byCode = new Map(all.map((country) => [country.cca3, country]));
  return [
    ...all.map((country, i) => geography(country, byCode, i)),
    ...all
      .filter(({ cca3, independent }) => independent || (STATUS[cca3] && cca3 !== "ESH"))
      .map((country, i) => people(country, i)),
  ];
}
