// The countries and territories of world-countries, with what has changed since or reads wrong put right.
import { createRequire } from "node:module";

const data = createRequire(import.meta.url)("world-countries");
export const SOURCE = "world-countries 5.1.0 (ODbL 1.0)";

const money = (code, name) => ({ [code]: { name } });
const speak = (...names) => Object.fromEntries(names.map((name) => [name, name]));

/** Corrections by ISO 3166 code; each replaces the field of that name. */
const CORRECTIONS = {
  AFG: { languages: speak("Dari", "Pashto") },
  ARG: { languages: speak("Spanish") },
  ATG: { demonym: "Antiguan or Barbudan" },
  AUT: { languages: speak("German") },
  AZE: { languages: speak("Azerbaijani") },
  BFA: { languages: speak("Mooré", "Dyula", "Fula") },
  BGR: { currencies: money("EUR", "euro") }, // since January 2026
  BHS: { currencies: money("BSD", "Bahamian dollar") },
  BIH: { demonym: "Bosnian or Herzegovinian" },
  BMU: { subregion: "the North Atlantic" },
  BRN: { currencies: money("BND", "Brunei dollar") },
  BWA: { demonym: "Batswana" },
  CCK: { subregion: "the Indian Ocean" },
  CHE: { languages: speak("German", "French", "Italian", "Romansh"), subregion: "Central Europe" },
  CHN: { languages: speak("Mandarin Chinese") },
  COD: { common: "Democratic Republic of the Congo", languages: speak("French") },
  COG: { languages: speak("French") },
  COM: { demonym: "Comorian", subregion: "the Indian Ocean" },
  CPV: { demonym: "Cape Verdean", subregion: "the Atlantic off West Africa" },
  CUB: { currencies: money("CUP", "Cuban peso") },
  CUW: { currencies: money("XCG", "Caribbean guilder") }, // since March 2025
  CXR: { subregion: "the Indian Ocean" },
  CZE: { languages: speak("Czech") },
  DEU: { subregion: "Central Europe" },
  DJI: { demonym: "Djiboutian" },
  DZA: { languages: speak("Arabic", "Tamazight") },
  ESH: { currencies: money("MAD", "Moroccan dirham") },
  ETH: { languages: speak("Amharic", "Oromo", "Somali", "Tigrinya", "Afar") },
  FLK: { subregion: "the South Atlantic" },
  FSM: { common: "Federated States of Micronesia", currencies: money("USD", "United States dollar") },
  GEO: { currencies: money("GEL", "Georgian lari") },
  GIB: { demonym: "Gibraltarian" },
  GMB: { currencies: money("GMD", "Gambian dalasi") },
  GNB: { languages: speak("Portuguese") },
  GRL: { currencies: money("DKK", "Danish krone") },
  IND: { languages: speak("Hindi", "English") },
  IRL: { common: "Ireland", official: "Ireland" },
  IRN: { languages: speak("Persian"), subregion: "Western Asia" },
  IRQ: { languages: speak("Arabic", "Kurdish") },
  ISL: { demonym: "Icelandic" },
  ISR: { languages: speak("Hebrew") },
  KGZ: { demonym: "Kyrgyz" },
  KHM: { currencies: money("KHR", "Cambodian riel") },
  KIR: { official: "Republic of Kiribati", currencies: money("AUD", "Australian dollar") },
  LBN: { languages: speak("Arabic") },
  LIE: { subregion: "Central Europe" },
  LKA: { borders: [] },
  LSO: { demonym: "Basotho" },
  LUX: { demonym: "Luxembourgish" },
  MDA: { languages: speak("Romanian") },
  MDV: { languages: speak("Dhivehi"), demonym: "Maldivian", subregion: "the Indian Ocean" },
  MKD: { currencies: money("MKD", "Macedonian denar"), languages: speak("Macedonian", "Albanian") },
  MLI: { languages: speak("Bambara", "Fula", "Soninke") },
  MNG: { capital: ["Ulaanbaatar"] },
  MOZ: { subregion: "Southeastern Africa" },
  MUS: { subregion: "the Indian Ocean" },
  MWI: { subregion: "Southeastern Africa" },
  MYT: { subregion: "the Indian Ocean" },
  NAM: { languages: speak("English") },
  NER: { languages: speak("Hausa") },
  NOR: { languages: speak("Norwegian", "Sami") },
  NPL: { official: "Nepal" },
  NRU: { languages: speak("Nauruan", "English") },
  PAK: { area: 796_095 }, // without the parts of Kashmir that it holds
  PHL: { area: 300_000 },
  PSE: { currencies: money("ILS", "Israeli new shekel") },
  PYF: { capital: ["Papeete"] },
  REU: { subregion: "the Indian Ocean" },
  RUS: { subregion: "eastern Europe and northern Asia" },
  RWA: { languages: speak("Kinyarwanda", "English", "French", "Swahili") },
  SGP: { languages: speak("English", "Malay", "Mandarin Chinese", "Tamil") },
  SHN: { currencies: money("SHP", "Saint Helena pound"), subregion: "the South Atlantic" },
  SJM: { currencies: money("NOK", "Norwegian krone") },
  SLE: { currencies: money("SLE", "Sierra Leonean leone") },
  SMR: { capital: ["the City of San Marino"] },
  SSD: { subregion: "Eastern Africa" },
  STP: { demonym: "São Toméan" },
  SUR: { demonym: "Surinamese" },
  SXM: { currencies: money("XCG", "Caribbean guilder") },
  SYC: { subregion: "the Indian Ocean" },
  TJK: { languages: speak("Tajik"), demonym: "Tajik" },
  TKM: { languages: speak("Turkmen") },
  TTO: { demonym: "Trinidadian or Tobagonian" },
  TUR: { common: "Turkey" },
  TUV: { currencies: money("AUD", "Australian dollar") },
  TWN: { official: "Republic of China", languages: speak("Mandarin Chinese") },
  USA: { area: 9_833_517 },
  UNK: { tld: [] }, // no Internet domain has been assigned
  UZB: { languages: speak("Uzbek"), demonym: "Uzbek" },
  VAT: { official: "State of Vatican City", demonym: "" },
  VEN: { currencies: money("VES", "Venezuelan bolívar") },
  ZMB: { subregion: "Southern Africa" },
  ZWE: {
    currencies: money("ZWG", "Zimbabwe Gold"),
    languages: speak("English", "Shona", "Northern Ndebele"),
    subregion: "Southern Africa",
  },
};

/** No capital, no permanent people, or a passage written by hand. */
const LEFT_OUT = new Set(["ATA", "ATF", "BVT", "HMD", "IOT", "SGS", "UMI"]);

const CURRENCY_NAMES = { Euro: "euro", "British pound": "pound sterling", "Pound sterling": "pound sterling" };

const WITH_ARTICLE =
  /^(Bahamas|Gambia|Netherlands|Philippines|Maldives|Comoros|Seychelles|United|Central African|Dominican Republic|Democratic Republic|Republic of|Federated|Caribbean|Isle of|British|.*Islands$)/;

/** The common name as it stands in a sentence: "the Netherlands", "France". */
export const inText = ({ common }) => (WITH_ARTICLE.test(common) ? `the ${common}` : common);

/** Every country and territory in the corpus, corrected, in the order of their names. */
export function allCountries() {
  return data
    .filter(({ cca3 }) => !LEFT_OUT.has(cca3))
    .map((entry) => {
      const country = {
        ...entry,
        common: entry.name.common,
        official: entry.name.official,
        demonym: entry.demonyms?.eng?.m,
        ...CORRECTIONS[entry.cca3],
      };
      country.currencies = Object.fromEntries(
        Object.entries(country.currencies).map(([code, { name }]) => [code, { name: CURRENCY_NAMES[name] ?? name }]),
      );
      return country;
    })
    .sort((a, b) => (a.common < b.common ? -1 : 1));
}
