// WordNet's living things, for the passages on species, genera and families: their names, groups and modern families.
import { pairs } from "../prose.mjs";
import { ANIMAL, lineage, linked, nouns, PLANT } from "./wordnet.mjs";

const BINOMIAL = /^[A-Z][a-z]+ [a-z]+(?:-[a-z]+)?$/;

/** Plant families that have since become part of another. */
const MERGED = pairs(
  `Compositae Asteraceae Ambrosiaceae Asteraceae Leguminosae Fabaceae Mimosaceae Fabaceae Caesalpiniaceae Fabaceae
  Papilionaceae Fabaceae Gramineae Poaceae Cruciferae Brassicaceae Umbelliferae Apiaceae Labiatae Lamiaceae
  Palmae Arecaceae Aceraceae Sapindaceae Hippocastanaceae Sapindaceae Bombacaceae Malvaceae Sterculiaceae Malvaceae
  Tiliaceae Malvaceae Asclepiadaceae Apocynaceae Chenopodiaceae Amaranthaceae Lemnaceae Araceae Punicaceae Lythraceae
  Trapaceae Lythraceae Lobeliaceae Campanulaceae Pyrolaceae Ericaceae Monotropaceae Ericaceae Epacridaceae Ericaceae
  Empetraceae Ericaceae Fumariaceae Papaveraceae Viscaceae Santalaceae Dipsacaceae Caprifoliaceae
  Valerianaceae Caprifoliaceae Cannabidaceae Cannabaceae Sparganiaceae Typhaceae Alliaceae Amaryllidaceae
  Hyacinthaceae Asparagaceae Agavaceae Asparagaceae Ruscaceae Asparagaceae Convallariaceae Asparagaceae
  Hostaceae Asparagaceae Aloeaceae Asphodelaceae Hemerocallidaceae Asphodelaceae Trilliaceae Melanthiaceae
  Myrsinaceae Primulaceae Theophrastaceae Primulaceae Amygdalaceae Rosaceae Hydrophyllaceae Boraginaceae
  Taxodiaceae Cupressaceae Cephalotaxaceae Taxaceae Taccaceae Dioscoreaceae Crotalidae Viperidae Danaidae Nymphalidae
  Arctiidae Erebidae Lymantriidae Erebidae Pongidae Hominidae`,
);

/** Families that botanists and zoologists have since divided, so that an old place in them says little. */
const DIVIDED = new Set(
  `Liliaceae Scrophulariaceae Saxifragaceae Flacourtiaceae Verbenaceae Loganiaceae Portulacaceae Guttiferae Capparidaceae
  Xanthorrhoeaceae Tecophilaeacea Polypodiaceae Callitrichaceae Naiadaceae Nymphaeaceae Ulmaceae Dryopteridaceae
  Colubridae Iguanidae Fringillidae Turdidae Muscicapidae Sylviidae Timaliidae Ploceidae Ranidae Leptodactylidae Cebidae
  Lemuridae Viverridae Mustelidae Procyonidae Phalangeridae Polypedatidae Agamidae Teiidae Phasianidae Tetraonidae
  Meleagrididae Numididae Bombycidae Peramelidae Cotingidae Formicariidae Dendrocolaptidae Caprimulgidae Hylidae Emydidae
  Muridae Dipodidae Zapodidae Spalacidae Echimyidae Hystricidae Dasyproctidae Tytonidae Serranidae Scorpaenidae Scaridae
  Labridae Alectis Blenniidae Syngnathidae Percophidae Cyprinidae Anacanthini Plataleidae Haloragidae Elaeocarpaceae
  Hydrobatidae Procellariidae Homaridae Palinuridae Ocypodidae Oestridae Hypodermatidae Lampridae Locustidae`.split(
    /\s+/,
  ),
);
/** Genera that have left the family that WordNet gives. */
const MOVED = new Set(
  `Sambucus Viburnum Nelumbo Cabomba Celtis Liquidambar Nyssa Davidia Aucuba Griselinia Helwingia Corokia Acorus Cleome
  Paulownia Buddleia Hydrastis Parnassia Philadelphus Auriparus Remiz Aegithalos Psaltriparus Peganum Nitraria Aesculus
  Illicium Galeorhinus Phocoena Python Morelia Liasis Capromys Myocastor Sebastodes Phyllanthus
  Bischofia Drypetes Antidesma Lewisia Claytonia Montia Digitalis Chrysolepis Camassia`.split(/\s+/),
);

/** Groups of living things, nearest first in any lineage. */
const GROUPS = {
  bird: "bird",
  mammal: "mammal",
  snake: "snake",
  lizard: "lizard",
  turtle: "turtle",
  reptile: "reptile",
  amphibian: "amphibian",
  fish: "fish",
  butterfly: "butterfly",
  moth: "moth",
  beetle: "beetle",
  insect: "insect",
  spider: "spider",
  arachnid: "arachnid",
  crustacean: "crustacean",
  mollusk: "mollusc",
  echinoderm: "echinoderm",
  coelenterate: "cnidarian",
  worm: "worm",
  sponge: "sponge",
  myriapod: "myriapod",
  centipede: "centipede",
  dinosaur: "dinosaur",
  tree: "tree",
  shrub: "shrub",
  fern: "fern",
  moss: "moss",
  vine: "climbing plant",
  grass: "grass",
  cactus: "cactus",
  orchid: "orchid",
  palm: "palm",
  fungus: "fungus",
  lichen: "lichen",
  alga: "alga",
};
const PLURAL = {
  fish: "fish",
  butterfly: "butterflies",
  cactus: "cacti",
  fungus: "fungi",
  alga: "algae",
  grass: "grasses",
  moss: "mosses",
};
export const plural = (group) => PLURAL[group] ?? `${group}s`;

export const isGenus = (sense) => sense.words.some((word) => word.startsWith("genus "));
export const isFamily = (sense) => sense.words.some((word) => word.startsWith("family "));
/** The Latin name of a genus or family, without the word for its rank. */
export const latin = (sense) => sense.words[0].replace(/^(?:genus|family|order) /, "");

/** A living thing in everyday words: "bird", "moth", "plant". */
export function group(sense) {
  const found = lineage(sense, "@")
    .slice(1)
    .flatMap(({ words }) => words)
    .find((word) => GROUPS[word]);
  const herb = /\b(?:annual|perennial|herb)\b/.test(sense.gloss) && !/shrub|tree|woody/.test(sense.gloss);
  if (herb && (found === "shrub" || found === "tree")) return "plant";
  return found ? GROUPS[found] : sense.file === PLANT ? "plant" : "animal";
}

/** The family that `genus` is placed in now, where that is certain. */
export function familyOf(genus) {
  const family = genus && lineage(genus, "#m").find(isFamily);
  if (!family || FUNGAL.test(linked(genus, "@")[0]?.words[0] ?? "") || MOVED.has(latin(genus))) return "";
  const name = latin(family);
  return DIVIDED.has(name) ? "" : (MERGED[name] ?? name);
}

/** The families of fungi have been drawn anew since WordNet. */
const FUNGAL = /fungus|lichen/;

/** Old names that slight a people. */
const SLUR = /negro|nigger|kaff?ir|\bjew\b|jew-|jews?'|squaw|gypsy|hottentot|redskin|coolie|indian-/i;

let species;

/** Every species that has both a scientific and an English name. */
export function allSpecies() {
  if (species) return species;
  const genera = new Map(
    [...nouns().values()].filter(isGenus).map((sense) => [`${sense.file} ${latin(sense)}`, sense]),
  );
  const meanings = new Map();
  const bearers = new Map(); // of each English name, as far as they are species
  const count = (counts, word) => counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1);
  for (const { file, words } of nouns().values()) {
    const named = (file === ANIMAL || file === PLANT) && words.some((word) => BINOMIAL.test(word));
    for (const word of words) {
      count(meanings, word);
      if (named) count(bearers, word);
    }
  }
  const alone = (word) => bearers.get(word.toLowerCase()) === 1;
  species = [];
  const seen = new Set();
  for (const sense of nouns().values()) {
    if (sense.file !== ANIMAL && sense.file !== PLANT) continue;
    const binomial = sense.words.find(
      (word) => BINOMIAL.test(word) && genera.has(`${sense.file} ${word.split(" ")[0]}`),
    );
    const english = sense.words.filter(
      (word) =>
        !BINOMIAL.test(word) &&
        !/^genus |^[A-Z][a-z]+$/.test(word) &&
        word.split(" ")[0] !== binomial?.split(" ")[0] &&
        !SLUR.test(word),
    );
    // A name that two species bear would say of one what holds for the other, so each needs one of its own.
    english.sort((a, b) => alone(b) - alone(a));
    if (
      !binomial ||
      english.length === 0 ||
      !alone(english[0]) ||
      seen.has(binomial) ||
      lineage(sense, "@").some(({ words }) => /^(?:virus|bacteria|bacterium|hominid|homo|microorganism)/.test(words[0]))
    )
      continue;
    seen.add(binomial);
    const genus = genera.get(`${sense.file} ${binomial.split(" ")[0]}`);
    const kind = group(sense);
    species.push({
      sense,
      binomial,
      genus,
      family: familyOf(genus),
      group: kind,
      english,
      shared: meanings.get(english[0].toLowerCase()) > 1,
    });
  }
  return species;
}

const PLACES =
  `North America|South America|Central America|tropical America|America|Africa|Madagascar|Europe|Eurasia|Asia|Asia Minor|
Australia|Tasmania|New Zealand|New Guinea|Indonesia|Malaysia|Borneo|Java|Sumatra|the Philippines|Philippines|Japan|China|Korea|Taiwan|India|Sri Lanka|
Himalayas|Siberia|Burma|Thailand|Vietnam|Iran|Turkey|Arabia|the Mediterranean|Mediterranean|West Indies|Caribbean|Cuba|Jamaica|Hawaii|
Mexico|Canada|Alaska|Greenland|United States|California|Florida|Texas|Arizona|Oregon|Nevada|Utah|Colorado|Brazil|Argentina|Chile|
Peru|Bolivia|Ecuador|Colombia|Venezuela|Paraguay|Uruguay|Guatemala|Costa Rica|Panama|South Africa|Ethiopia|Kenya|Morocco|
Canary Islands|Madeira|Spain|Portugal|Italy|Greece|Balkans|Caucasus|Russia|Great Britain|Ireland|Scandinavia|Antarctica|
Atlantic|Pacific|Indian Ocean|Amazon|Andes|Rocky Mountains`.replace(/\n/g, "");
const SIDE =
  "(?:north|south|east|west|central|northern|southern|eastern|western|northeastern|northwestern|southeastern|southwestern|tropical|subtropical|temperate)";
const PLACE = new RegExp(
  `\\b((?:${SIDE}(?: and ${SIDE})? )?(?:the )?)(${PLACES})\\b(?! (?:bean|fern|resembl|Coast))`,
  "g",
);
const ADJECTIVES = {
  "North American": "North America",
  "South American": "South America",
  "Central American": "Central America",
  "tropical American": "tropical America",
  African: "Africa",
  "South African": "South Africa",
  European: "Europe",
  Eurasian: "Eurasia",
  Asian: "Asia",
  Asiatic: "Asia",
  Australian: "Australia",
  Mexican: "Mexico",
  Californian: "California",
  Brazilian: "Brazil",
  Chilean: "Chile",
  Chinese: "China",
  Japanese: "Japan",
  Indian: "India",
  "West Indian": "the West Indies",
  "East African": "East Africa",
  "West African": "West Africa",
  Mediterranean: "the Mediterranean",
  "New Zealand": "New Zealand",
  "East Indian": "Southeast Asia",
  Himalayan: "the Himalayas",
};
const ADJECTIVE = new RegExp(
  `^(?:[a-z-]+,? ){0,4}?(${Object.keys(ADJECTIVES)
    .sort((a, b) => b.length - a.length)
    .join("|")}) [a-z]`,
);
/** Definitions that speak of other places than the home of the species. */
const ELSEWHERE =
  / to (?:the )?(?:[a-z]+ )?[A-Z]|resembl|similar|\blike\b|related|introduced|naturali[sz]ed|original|formerly|import|escape|cultivated|grown |adventive|\bthan\b|wintering|winters|breeds|migrat|except|not |extinct|cultivated in|grown in|weed in|intermediate|once |now |named|called|varieties|hybrid|native of|market|used in|known in|important in|especially in/;
const THE =
  /^(?:Himalayas|West Indies|Caribbean|United States|Philippines|Mediterranean|Canary|Balkans|Caucasus|Atlantic|Pacific|Indian Ocean|Amazon|Andes|Rocky)/;

/** The places that a definition names as the home of a species, at most four. */
export function home({ gloss }) {
  if (ELSEWHERE.test(gloss)) return [];
  const places = [...gloss.matchAll(PLACE)].map(([, side, place]) =>
    THE.test(place) ? `${side.includes("the ") ? side : `the ${side}`}${place}` : `${side}${place}`,
  );
  if (places.length === 0) {
    const adjective = ADJECTIVE.exec(gloss);
    if (adjective) places.push(ADJECTIVES[adjective[1]]);
  }
  const unique = [...new Set(places.map((place) => place.replace(/^the the /, "the ")))].filter(
    (place) => place !== "America",
  );
  return unique.length > 4 || unique.length !== new Set(places).size ? [] : unique;
}
