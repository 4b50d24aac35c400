// Species of animals, plants and fungi that have an English name: names, place in the system, home and habit.
import { capitalise, indefinite, list, paragraph, slug, vary } from "../prose.mjs";
import { allSpecies, home, latin } from "./living.mjs";
import { ANIMAL, linked, SOURCE } from "./wordnet.mjs";

const COLOURS =
  "white|yellow|orange|red|pink|purple|blue|violet|lavender|lilac|crimson|scarlet|magenta|green|greenish|yellowish|creamy|cream|golden|rose|reddish|purplish|bluish|mauve|maroon|brown";
const FLOWERS = new RegExp(
  `\\b((?:(?:bright|pale|deep|dark|light|creamy|greenish|pinkish|rosy) |(?:${COLOURS})-)?(?:${COLOURS})(?:(?:,| or| and| to) (?:(?:bright|pale|deep|dark|light) )?(?:${COLOURS}))*) (?:(?:tubular|fragrant|showy|small|large|bell-shaped|funnel-shaped|solitary|star-shaped|daisylike|drooping|starlike|trumpet-shaped|ray|pealike|cup-shaped|nodding) ){0,2}(flowers|flower heads|blossoms|blooms|berries|fruits?)\\b`,
);
const NOT_FLAT =
  /\b(?:tinged|turning|becom|spotted|followed|streaked|marked|fading|except|changing|without|before|rarely)/;

/** Habits of plants: words of a definition, and our words for them. */
const PLANT_TRAITS = [
  [/^(?:[a-z-]+,? ){0,3}annual\b/, "grows and dies within one year, being an annual"],
  [/^(?:[a-z-]+,? ){0,3}perennial\b/, "lives for several years, being a perennial"],
  [/^(?:[a-z-]+,? ){0,3}biennial\b/, "takes two years to complete its life, being a biennial"],
  [/^(?:[a-z-]+,? ){0,4}evergreen\b/, "keeps its leaves all year round"],
  [/^(?:[a-z-]+,? ){0,4}deciduous\b/, "sheds its leaves each year"],
  [/\bpoisonous to (?:livestock|cattle|stock|sheep)\b/, "is poisonous to livestock"],
  [/^(?:[a-z-]+,? ){0,4}poisonous\b(?! to)|extremely poisonous|deadly poisonous|highly poisonous/, "is poisonous"],
  [/\bedible (?:fruits?|berries)\b/, "bears edible fruit"],
  [/\bedible (?:nuts?|seeds)\b/, "has edible seeds"],
  [/\bedible (?:roots?|tubers?|bulbs?|rhizomes?)\b/, "has edible underground parts"],
  [/\bedible (?:leaves|shoots|young shoots)\b/, "has edible leaves or shoots"],
  [
    /\b(?:timber tree|valuable timber|valued for (?:its|their) (?:timber|wood)|yields? [a-z ,-]*(?:timber|wood|lumber))\b/,
    "is a source of timber",
  ],
  [
    /\b(?:used|employed) medicinally|medicinal (?:use|herb|plant)|(?:leaves|roots?|bark) used in (?:folk )?medicine/,
    "has been used in medicine",
  ],
  [
    /\bornamental\b|\b(?:grown|cultivated) (?:as an? ornamental|for (?:its|their) (?:showy|attractive|bright|colorful|beautiful))/,
    "is grown for ornament",
  ],
  [/\bepiphyt/, "grows upon other plants as an epiphyte"],
  [/\bcarnivorous|insectivorous\b/, "catches insects"],
  [/\b(?:in|of) (?:[a-z]+ )?(?:marshes|bogs|swamps|wet (?:places|ground|soil)|marshy)/, "grows in wet places"],
  [/\bdesert\b/, "grows in deserts"],
  [/\balpine\b/, "grows high in the mountains"],
  [/^(?:[a-z-]+,? ){0,3}aquatic\b/, "grows in water"],
];
const FUNGUS_TRAITS = [
  [/\bedible\b(?! when)/, "is edible", /inedible|not edible|edibility|edible but|mistaken|unknown/],
  [/\bpoisonous|deadly|toxic\b/, "is poisonous", /not poisonous|if |resembl|mistaken|some/],
];
const ANIMAL_TRAITS = [
  [/\bnocturnal\b/, "is active at night"],
  [/\bvenomous\b/, "is venomous", /nonvenomous|mildly/],
  [/\bburrow(?:s|ing)\b/, "digs burrows"],
  [/\barboreal\b/, "lives in trees"],
  [/\bflightless\b/, "cannot fly"],
  [/\b(?:food fish|food and (?:game|sport) fish|valued as food|important food)\b/, "is caught for food"],
  [/\b(?:game fish|sport fish|food and (?:game|sport) fish)\b/, "is prized by anglers"],
  [/\bfresh-?water\b/, "lives in fresh water"],
  [/\bsemiaquatic\b/, "lives partly in water"],
  [/\bcarnivorous\b/, "feeds on flesh"],
  [/\bherbivorous\b/, "feeds on plants"],
  [/\binsectivorous\b/, "feeds on insects"],
  [/\bendangered\b/, "has been counted among the endangered species"],
  [/\bextinct\b/, "is extinct", /nearly|almost|locally|thought/],
];

const traits = ({ gloss }, known) =>
  known
    .filter(([says, , unless]) => says.test(gloss) && !unless?.test(gloss))
    .map(([, trait]) => trait)
    .slice(0, 3);

const SIZE = /^(?:very )?(small|large|tiny|medium-sized|tall|slender|low-growing|climbing|creeping|shrubby)\b/;
const NO_KIND =
  /species|plant$|dicot|monocot|mammal$|^(?:homo|animal|flower|caterpillar|invertebrate|vertebrate|weed|fungus|discomycete|oscine|soft-finned fish|percoid fish|angiospermous tree|composite|legume|crucifer)$/;

/** The kind of thing that a species is: WordNet's next wider word, or the everyday group. */
function kindOf({ sense, english, group: everyday }) {
  const wider = linked(sense, "@")[0]?.words[0] ?? "";
  const size = SIZE.exec(sense.gloss)?.[1];
  const woody = everyday === "plant" && /shrub|tree/.test(wider);
  const kind =
    !wider || woody || NO_KIND.test(wider) || /^[A-Z]/.test(wider) || english.includes(wider) ? everyday : wider;
  return { kind: size && !kind.startsWith(size) ? `${size} ${kind}` : kind, bare: kind };
}

const bare = (name) => (/^(?:[a-z]|\p{Lu})/u.test(name) ? name.replace(/^grevy/, "Grevy") : name);

function render(one, i, taken) {
  const { sense, binomial, genus, family, english, shared } = one;
  const name = bare(english[0]);
  const title = shared ? `${capitalise(name)} (${one.group})` : capitalise(name);
  if (taken(name) || english.some((word) => taken(word) && !shared)) return null;
  const fungus = /fungus|lichen/.test(one.group);
  const animal = sense.file === ANIMAL;
  const { kind, bare: wide } = kindOf(one);
  const others = english
    .slice(1, 4)
    .filter((word) => word.toLowerCase().replace(/[-' ]/g, "") !== name.toLowerCase().replace(/[-' ]/g, ""));
  const places = home(sense).filter((place) => animal || !/Atlantic|Pacific|Indian Ocean/.test(place));
  const colour = animal || fungus ? null : FLOWERS.exec(sense.gloss);
  const habits = traits(sense, animal ? ANIMAL_TRAITS : fungus ? FUNGUS_TRAITS : PLANT_TRAITS);
  const The = `The ${name}`;
  const everyday = indefinite(one.group);
  const further =
    wide !== one.group && !wide.includes(one.group) && !(one.group === "climbing plant" && wide === "vine");
  const flowers = colour && !NOT_FLAT.test(sense.gloss) && /flower|bloss|bloom/.test(colour[2]);
  return {
    id: `${animal ? "animal-species" : fungus ? "fungi" : "plant-species"}/${slug(binomial)}`,
    title,
    text: paragraph(
      further
        ? vary(
            i,
            `${The} is ${indefinite(kind)} and so ${everyday}.`,
            `${The} is ${everyday}, namely ${indefinite(kind)}.`,
          )
        : `${The} is ${indefinite(kind)}.`,
      vary(
        i,
        `Its scientific name is ${binomial}.`,
        `Its scientific name is given as ${binomial}.`,
        `The ${name} has been described under the scientific name ${binomial}.`,
      ),
      family
        ? vary(
            i,
            `It has been placed in the genus ${latin(genus)} and the family ${family}.`,
            `It has been put into the genus ${latin(genus)} in the family ${family}.`,
            `The genus ${latin(genus)}, into which it has been put, is counted in the family ${family}.`,
          )
        : vary(
            i,
            `It has been placed in the genus ${latin(genus)}.`,
            `It has been put into the genus ${latin(genus)}.`,
          ),
      places.length
        ? vary(
            i,
            `The ${name} is found in ${list(places)}.`,
            `Its home is in ${list(places)}.`,
            `The range of the ${name} lies in ${list(places)}.`,
          )
        : "",
      flowers ? vary(i, `The ${name} has ${colour[1]} flowers.`, `The colour of its flowers is ${colour[1]}.`) : "",
      habits.length ? `The ${name} ${list(habits)}.` : "",
      others.length
        ? vary(
            i,
            `It is also called ${list(others)}.`,
            `Other names for it are ${list(others)}.`.replace(/^Other names for it are ([^,]+?)\.$/, (all, only) =>
              / and /.test(only) ? all : `Another name for it is ${only}.`,
            ),
          )
        : "",
    ),
    weight:
      Number(Boolean(family)) +
      Number(places.length > 0) +
      habits.length +
      Number(Boolean(flowers)) +
      Number(others.length > 0),
    source: SOURCE,
  };
}

export function species(taken) {
  return allSpecies()
    .map((one, i) => render(one, i, taken))
    .filter((passage) => passage && passage.weight >= 2)
    .map(({ weight, ...passage }) => passage);
}
