// People of history from WordNet: nationality, calling, years and what each is known for, taken out of the definitions.
import { indefinite, list, ordinal, paragraph, slug, vary } from "../prose.mjs";
import { linked, nouns, PERSON, SOURCE } from "./wordnet.mjs";

/** The nation with which a definition begins, and the adjective for it. */
const NATIONS = {
  "United States": "American",
  ...Object.fromEntries(
    `American English French German Italian British Russian Scottish Spanish Austrian Greek Dutch Irish Swiss Swedish
    Canadian Danish Soviet Norwegian Indian Japanese Australian Chinese Welsh Polish Belgian Hungarian Israeli Czech
    Mexican Florentine Athenian Finnish Persian Flemish Cuban Portuguese Mongolian Indonesian Palestinian Byzantine
    Venezuelan Romanian Vietnamese Yugoslav Brazilian Roman Egyptian Turkish Chilean Argentine Macedonian Venetian
    Carthaginian Icelandic Serbian Croatian Bulgarian Albanian Estonian Latvian Lithuanian Ukrainian Pakistani Haitian
    Colombian Peruvian Bohemian Bavarian Prussian Sicilian Genoese Tibetan Kenyan Nigerian Ghanaian`
      .split(/\s+/)
      .map((nation) => [nation, nation]),
  ),
  Argentinian: "Argentine",
  Czechoslovakian: "Czechoslovak",
  "New Zealand": "New Zealand",
  "South African": "South African",
};
const NATION = new RegExp(
  `^(?:(?:an|the|influential|prolific|outstanding|great|noted|celebrated|famous) )?(ancient )?(${Object.keys(NATIONS)
    .sort((a, b) => b.length - a.length)
    .join("|")}) (?=[a-z])`,
);

const YEARS =
  /\s*\((?:lived )?(?:(circa|about|c\.|ca\.?) )?(\d{1,4})\??(?: (BC))?\s?-\s?(?:(circa|about) )?(\d{1,4})(?: (BC))?\)\s*$/;
const BORN = /\s*\(born (?:in |about |circa )?(\d{4})\)\s*$/;

/** The words before which a calling ends in a definition. */
const AFTER_CALLING =
  /\s*(?:[,;:(]|$| (?:who|whose|which|that|with|without|noted|known|well known|remembered|remember|famous|famed|best|credited|honou?red|born|for|of|in|at|on|to|during|under|after|from|by|active|responsible|involved|interested|renowned|notorious|considered|killed|particularly|especially|primarily|and (?:a|an|the|leading|leader|exponent|founder|follower|supporter|proponent|member|pioneer|patron|friend|advocate|popularizer|son|daughter|brother|sister|wife|husband|mistress|nephew|grandson|half-brother|student|first|expert|chief)\b))/;
/** Words for persons that say no calling. */
const NO_CALLING = new Set(
  `son daughter brother sister wife husband mother father friend mistress nephew grandson half-brother student member
  first leader supporter follower exponent proponent maker chief star champion guard center forward host figure symbol
  slave beauty woman man boy girl child male female hero pioneer religious investigator owner best prophet emperor king
  queen pope empress consort antipope duke`.split(/\s+/),
);
let persons;
/** Words below which a passage says too little of a person. */
const LEAST = 24;

/** The calling at the start of `body`: nouns that WordNet has for persons, with what describes them. */
function callingOf(body) {
  persons ??= new Set([...nouns().values()].filter(({ file }) => file === PERSON).flatMap(({ words }) => words));
  const calling = body.slice(0, body.search(AFTER_CALLING)).trim();
  const parts = calling.split(/ and /);
  const sound = parts.every((part) => {
    const noun = part.split(" ").at(-1);
    return part.split(" ").length <= 3 && (persons.has(noun) || persons.has(part)) && !NO_CALLING.has(noun);
  });
  return sound && /^[A-Z]?[a-z -]+$/.test(calling) && parts.length <= 3 ? list(parts) : "";
}

const DEEDS = {
  discovered: "the discovery of",
  invented: "the invention of",
  founded: "the founding of",
  developed: "the development of",
  devised: "the devising of",
  formulated: "the formulation of",
  introduced: "the introduction of",
  designed: "the design of",
  established: "the establishment of",
  explored: "the exploration of",
  pioneered: "pioneering",
  created: "the creation of",
  isolated: "the isolation of",
  proposed: "proposing",
  wrote: "writing",
  composed: "composing",
  painted: "painting",
  directed: "directing",
  built: "building",
  proved: "proving",
  led: "leading",
  commanded: "commanding",
  defeated: "the defeat of",
  conquered: "the conquest of",
  edited: "editing",
  synthesized: "the synthesis of",
  studied: "the study of",
};
const END =
  /(?:;|, (?:and|who|which|but|he|she)\b| and (?:who|whose|that|was|is|for|[a-z]+ed)\b| who\b| whose\b| which\b| that\b| but\b| where\b| when\b| while\b|\(|$)/;

/** Words by which a phrase is no fact that stands alone. */
const VAGUE =
  /^(?:and|or|a company)\b|[`;]|\b(?:his|her|he|she|its|their|them|him|it|this|these|first person|many|several|other|others|such)\b/i;

/** The phrase with which a text begins; empty if it is too long to be one fact. */
function phrase(text) {
  const end = text.search(END);
  const found = text.slice(0, end).replace(/[,\s]+$/, "");
  // A clause that follows at once narrows what it follows, and without it too much would be said.
  if (/^ (?:that|which|who|whose|where|when|while)\b/.test(text.slice(end))) return "";
  if (!found || found.split(" ").length > 11 || VAGUE.test(found)) return "";
  return /\b(?:of|in|the|and|a|an|to|by|with|for|on|from|as)$/.test(found) ? "" : found;
}

/** The deed that a definition names, as "for ..." takes it. */
function deed(gloss) {
  const named =
    /(?:noted|known|remembered|famous|famed|celebrated|best known|renowned|acclaimed) (?:chiefly |mainly |especially |primarily |principally |mostly )?for (?!being)/.exec(
      gloss,
    );
  if (named) return phrase(gloss.slice(named.index + named[0].length));
  const did = new RegExp(`(?:who|and|;)(?: first| also| [a-z]+ly)? (${Object.keys(DEEDS).join("|")}) `).exec(gloss);
  if (!did) return "";
  const what = phrase(gloss.slice(did.index + did[0].length));
  if (!what || /^(?:to|in|with|by|from|about|on|as|for|up|under|into|that)\b/.test(what)) return "";
  return `${DEEDS[did[1]]} ${what}`;
}

/** People of whom WordNet has a year or a deed wrong. */
const DOUBTFUL = new Set(["Italo Calvino", "Calvino", "Hideyo Noguchi", "Lucius Licinius Luculus", "Luculus"]);

/** Names that WordNet misspells. */
const SPELLING = {
  "Amedeo Modigliano": "Amedeo Modigliani",
  Beaverbrook: "Lord Beaverbrook",
  Gillette: "King Camp Gillette",
  Heyerdahl: "Thor Heyerdahl",
  "Hugo von Hoffmannsthal": "Hugo von Hofmannsthal",
  "Jules Feifer": "Jules Feiffer",
  Ledbetter: "Huddie Ledbetter",
  "Maria Montesorri": "Maria Montessori",
  Mosander: "Carl Gustaf Mosander",
  "O'Keeffe": "Georgia O'Keeffe",
  Orczy: "Baroness Emmuska Orczy",
  "Vasco da Gamma": "Vasco da Gama",
};

/** An office that a definition says a person came to hold. */
const OFFICE =
  /(?:who|and|;) (?:later |then )?(?:was|became|served as) (?:the )?((?:first |second )?(?:president|prime minister|premier|chancellor|governor|secretary of state|archbishop|bishop) of (?:the )?[A-Z][a-z]+(?: [A-Z][a-z]+)*)/;

const ROYAL = /\b(?:King|Queen|President|Emperor|Holy Roman|pope|Pope|chief justice)\b/;

/** The usual full name: the first that has several words, without titles. */
function fullName(words) {
  const names = words
    .map((word) => word.replace(/^(?:Sir|Dame|Conte|Count(?! Basie)|Baron|Comte) /, ""))
    .filter((word) => /^\p{Lu}/u.test(word));
  const plain = names.filter(
    (name) => !/^(?:Sir|Conte|Saint|St\.|Lord|Lady|Dame|First|Second|Third|Baron|Duke|Earl|the) ?/.test(name),
  );
  const [first] = plain;
  if (
    first &&
    first === words[0] &&
    !first.includes(" ") &&
    !names.some((name) => name !== first && name.toLowerCase().includes(first.slice(0, 4).toLowerCase()))
  )
    return first;
  return plain.find((name) => name.includes(" ")) ?? plain[0] ?? names[0];
}

/** The facts of one definition; nothing where the years, the nation or the calling cannot be told for certain. */
function facts(sense) {
  const { gloss, words } = sense;
  const years = YEARS.exec(gloss);
  const born = years ? null : BORN.exec(gloss);
  if (!years && !born) return null;
  const nation = NATION.exec(gloss);
  if (!nation) return null;
  const body = gloss.slice(nation[0].length).replace(years ? YEARS : BORN, "");
  const calling = callingOf(body);
  const kinds = linked(sense, "@i").map((kind) => kind.words[0]);
  if (!calling || kinds.some((kind) => ROYAL.test(kind))) return null;
  const birthplace = (/\(born in ([A-Z][A-Za-z .]+?)(?: of [^)]*)?\)/.exec(gloss) ??
    /^[^;(]*\bborn in (?:the )?([A-Z][a-z]+(?: [A-Z][a-z]+)*)(?=,|;| who| and| \(|$)/.exec(gloss))?.[1];
  const office = OFFICE.exec(gloss)?.[1].replace(/.*\bRepublic$/, "");
  return { words, nation: NATIONS[nation[2]], calling, kinds, birthplace, office, years, born, deed: deed(body) };
}

/** The century or the two centuries in which a person was grown up. */
function era(from, to, bc) {
  const century = (year) => Math.ceil(year / 100);
  const [first, last] = bc ? [century(from - 20), century(to)] : [century(from + 20), century(to)];
  const tail = bc ? " BC" : "";
  return first === last
    ? `the ${ordinal(first)} century${tail}`
    : `the ${ordinal(first)} and ${ordinal(last)} centuries${tail}`;
}

function life({ years, born }, name, i) {
  if (born) return { text: `${name} was born in ${born[1]}.` };
  const [, about, first, firstBc, aboutLast, last, lastBc] = years;
  const [from, to] = [Number(first), Number(last)];
  const bc = Boolean(lastBc ?? firstBc);
  const across = firstBc && !lastBc && from < to;
  const age = bc ? from - to : to - from;
  if (across || age < 15 || age > 105) return null;
  const start = `${about ? "about " : ""}${first}${bc ? " BC" : ""}`;
  const end = `${aboutLast ? "about " : ""}${last}${bc ? " BC" : ""}`;
  return {
    text: vary(
      i,
      `${name} was born in ${start} and died in ${end}, at the age of about ${age}.`,
      `${name} lived from ${start} to ${end}, which makes an age of about ${age}.`,
      `Born in ${start}, ${name} died in ${end}, about ${age} years old.`,
    ),
    era: era(from, to, bc),
  };
}

export function people(taken) {
  const passages = [];
  for (const sense of nouns().values()) {
    if (sense.file !== PERSON || !sense.links.some(({ kind }) => kind === "@i")) continue;
    const found = facts(sense);
    if (!found) continue;
    const i = passages.length;
    const name = SPELLING[fullName(found.words)] ?? fullName(found.words);
    if (!name || DOUBTFUL.has(name) || [name, ...found.words].some(taken)) continue;
    const surname = name.endsWith(` ${found.words[0]}`) && !/ [IVX]+$/.test(name) ? found.words[0] : name;
    const lived = life(found, name, i);
    if (!lived || (!lived.era && !found.deed && !found.birthplace)) continue;
    const also = SPELLING[fullName(found.words)]
      ? ""
      : found.words.filter((word) => word !== name && word !== surname && / .*[^.]$/.test(word))[0];
    const what = `${found.nation} ${found.calling}`;
    const bornThere = found.birthplace ? `, born in ${found.birthplace},` : "";
    passages.push({
      id: `people/${slug(name)}`,
      title: name,
      text: paragraph(
        lived.era
          ? vary(
              i,
              `${name}${bornThere} was ${indefinite(what)} of ${lived.era}.`,
              `${name}${bornThere} was ${indefinite(what)} who lived in ${lived.era}.`,
              `${name}${bornThere} worked in ${lived.era} as ${indefinite(what)}.`,
            )
          : `${name}${bornThere} made a name as ${indefinite(what)}.`,
        lived.text,
        found.office ? `${surname} held the office of ${found.office}.` : "",
        found.deed
          ? vary(
              i,
              `${surname} is remembered for ${found.deed}.`,
              `${surname} is known for ${found.deed}.`,
              `What ${surname} is best known for is ${found.deed}.`,
            )
          : "",
        also
          ? vary(
              i,
              `Another form of the name is ${also}.`,
              `${name} is also called ${also}.`,
              `The name is also given as ${also}.`,
            )
          : "",
      ),
      source: SOURCE,
    });
  }
  return passages.filter(({ text }) => text.split(" ").length >= LEAST);
}
