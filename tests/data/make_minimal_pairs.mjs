// Writes minimal_pairs.jsonl: a premise, a statement that it bears out, and one that differs from that in a word or
// two and that it does not bear out. The facts are those of the demo's corpus: some pairs are made by rule from the
// passages that have all one form, others from the statements of minimal_facts.tsv.
// Usage: node tests/data/make_minimal_pairs.mjs
import { readFileSync, writeFileSync } from "node:fs";

const SEED = 29;
const KINDS = "negation number unit date comparison superlative quantifier role list name".split(" ");
/** Countries of whose borders some would say otherwise than the corpus. */
const DISPUTED = "Israel, Kosovo, Morocco, Palestine, Serbia, Taiwan, Western Sahara".split(", ");
const COUNTS = "no one two three four five six seven eight nine ten".split(" ");

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8").trim().split("\n");
const passages = read("passages.jsonl").map((line) => JSON.parse(line));
const byId = new Map(passages.map((passage) => [passage.id, passage]));

/** Mulberry32. */
function generator(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
const random = generator(SEED);
const pick = (items) => items[Math.floor(random() * items.length)];
function shuffled(items) {
  const left = [...items];
  return items.map(() => left.splice(Math.floor(random() * left.length), 1)[0]);
}
/** In another order, and of those with the same key only one. */
const once = (items, key) => [...new Map(shuffled(items).map((item) => [key(item), item])).values()];
const list = (items) => (items.length > 1 ? `${items.slice(0, -1).join(", ")} and ${items.at(-1)}` : items[0]);
const names = (items) => list(items.map(({ name }) => name));
const capitalised = (text) => text[0].toUpperCase() + text.slice(1);

/** No sentence ends after an initial or one of these titles. */
const sentences = (text) => text.split(/(?<=[.!?]"?)(?<!\b(?:[A-Z]|St|Sgt|Dr|Mr)\.) (?=["\p{Lu}\d])/u);
/** Up to three sentences of a passage that end with the one of the number `last` (or with the second). */
function extract({ text }, last) {
  const end = Math.max(last, 2);
  return sentences(text).slice(Math.max(0, end - 3), end).join(" ");
}
/** The number of the sentence of a passage that matches. */
function numberOf({ id, text }, pattern) {
  const at = sentences(text).findIndex((sentence) => pattern.test(sentence));
  if (at < 0) throw new Error(`${id} has no ${pattern}`);
  return at + 1;
}

const pairs = [];
/** Where the statement has `{a|b}` the true one has `a`, the false one `b`. */
function add(kind, title, premise, statement) {
  const side = (which) => {
    const text = statement.replace(/\{([^|}]*)\|([^|}]*)\}/g, (_, ...sides) => sides[which]);
    return capitalised(text.replace(/ {2,}/g, " ").replace(/ (?=[.,])/g, "").trim());
  };
  pairs.push({ kind, premise, title, factual: side(0), unfactual: side(1) });
}
/**
 * A pair for each of `count` of the items. The premise is a passage's, up to the sentence that a pattern finds, or what
 * a function says; the templates take turns, and one that has nothing to say of an item passes it over.
 */
function each(kind, count, items, premise, ...templates) {
  let made = 0;
  for (const item of shuffled(items)) {
    if (made === count) return;
    const statement = templates[made % templates.length](item);
    if (!statement) continue;
    const text = premise instanceof RegExp ? extract(item.passage, numberOf(item.passage, premise)) : premise(item);
    add(kind, item.title, text, statement);
    made += 1;
  }
  if (made < count) throw new Error(`${kind}: ${made} of ${count}`);
}

/** A number of the same look that is well off. */
function otherNumber(text) {
  const value = Number(text.replaceAll(",", "")) * pick([0.4, 0.6, 1.5, 1.8, 2.4]);
  const digits = text.replace(/\D/g, "").replace(/^0+|0+$/g, "").length;
  const maximumFractionDigits = /\.(\d+)/.exec(text)?.[1].length ?? 0;
  return Number(value.toPrecision(Math.max(digits, 2))).toLocaleString("en", { maximumFractionDigits });
}
const otherArea = (area) => area.replace(/[\d.,]+/, otherNumber);
const otherCount = (n) => +n + pick([-3, -2, 2, 3].filter((by) => +n + by > 0));
function otherYear(year, min = 0, max = 2020) {
  const years = [7, 12, 19, 26, 40].flatMap((by) => [+year - by, +year + by]);
  return pick(years.filter((other) => other >= min && other <= max));
}

// What the passages of one form say.
const of = (subject, section) =>
  passages.filter((p) => p.id.startsWith(`${subject}/`) && p.section === section)
    .map((passage) => ({ passage, title: passage.title, text: passage.text }));
const first = (pattern, text) => pattern.exec(text)?.slice(1).find(Boolean);
const split = (text) => text?.split(/, | and (?!Herzegovina)/) ?? [];

const countries = of("countries", "Geography").map((it) => ({
  ...it,
  name: first(/^(.*?) (?:is|lies) /, it.text).replace(/^The /, "the "),
  capital: first(/(?:Its|The) capital is (?!also)([^,;]*?)\. |\. ([^.]*) is its capital\./, it.text),
  neighbours: split(first(/(?:It borders|borders with|on land are|a land border with) (.*?)\. /, it.text)),
  area: first(/about ([\d.,]+(?: million)?) square kilometres\.$/, it.text),
  region: first(/ in ((?:\w+ )?\w+)\. /, it.text),
  landlocked: /landlocked|no coast on the sea/.test(it.text),
  island: it.text.includes("It has no land border"),
}));
const states = countries.filter((c) => / is a country /.test(c.text) && c.area && !DISPUTED.includes(c.title));
const byName = new Map(states.map((country) => [country.name, country]));
const size = ({ area }) => Number(area.replace(/,| million/g, "")) * (area.includes("million") ? 1e6 : 1);
const near = (country) => country.neighbours.map((name) => byName.get(name)).filter(Boolean);
/** Those of whose neighbours nobody disputes any. */
const settled = states.filter((c) => c.neighbours.length && near(c).length === c.neighbours.length);
/** A neighbour of a neighbour that is no neighbour, of the same part of the world if there is one. */
function farther(country) {
  const known = [country.name, ...country.neighbours];
  const all = near(country).flatMap(near).filter(({ name }) => !known.includes(name));
  const close = all.filter(({ region }) => region === country.region);
  return pick(close.length ? close : all)?.name;
}
const people = of("countries", "State and people").map((it) => ({
  ...it,
  name: countries.find(({ title }) => title === it.title).name,
  code: first(/telephone code is \+(\d+)\./, it.text),
}));
const american = of("states").map((it) => ({
  ...it,
  name: it.title.replace(/ \(.*/, ""),
  capital: first(/capital is ([^,]*),|sits in ([^;]*);|\. ([^.]*) is both its capital/, it.text),
  largest: first(/largest city is ([^.]*)\.|populous city is ([^.]*)\.|, but ([^.]*) is larger/, it.text),
  order: Number(first(/ the (\d+)(?:st|nd|rd|th) /, it.text)),
  year: first(/ in (1\d{3})/, it.text),
  original: it.text.includes("thirteen original"),
  nickname: first(/(?:nickname is|known as) (the .*)\.$/, it.text),
}));
const later = american.filter(({ original }) => !original);
const elements = of("elements").map((it) => ({
  ...it,
  name: it.title.toLowerCase(),
  number: first(/atomic number (\d+)/, it.text),
  found: sentences(it.text)
    .map((sentence) => /^([^,]*) (discovered|isolated) it( in (?:\w+ in )?(\d{4}))\.$/u.exec(sentence)).find(Boolean),
  named: first(/It is named after (.*?)\. /, it.text),
  useless: it.text.includes("no use outside research"),
}));
const found = elements.filter((e) => e.found)
  .map((e) => ({ ...e, by: e.found[1], verb: e.found[2], when: e.found[3], year: e.found[4] }));
const properties = of("elements", "Physical properties").map((it) => ({
  ...it,
  name: it.title.toLowerCase(),
  melts: first(/(?:melts at|melting point is) about ((?:minus )?[\d,]+)/, it.text),
  boils: first(/(?:boils at|boiling point) about ((?:minus )?[\d,]+)/, it.text),
  density: /density is about ([\d.]+) grams per (cubic centimetre|litre)/.exec(it.text),
  unstable: it.text.includes("no stable isotope"),
}));
const stars = of("constellations").map((it) => ({
  ...it,
  name: it.title.replace(/ \(.*/, ""),
  star: first(/brightest star (?:in it )?is ([^.,]*)[.,]/, it.text),
}));
const languages = of("languages").map((it) => ({
  ...it,
  name: it.title.replace(/ language$/, ""),
  script: first(/written in the (\w+) (?:alphabet|script)\. Its/, it.text),
}));
const money = of("currencies")
  .map((it) => ({ ...it, name: it.title, whole: it.text.includes("without decimal places") }));
const born = passages.flatMap((passage) => {
  const year = first(/^[^.]*?(?<!-)\bborn\b[^.]*? in (\d{4})\b/, passage.text);
  return year ? [{ passage, title: passage.title, name: passage.title, year }] : [];
});

// Statements written by hand.
for (const line of read("minimal_facts.tsv").slice(1)) {
  const [kind, id, last, statement] = line.split("\t");
  add(kind, byId.get(id).title, extract(byId.get(id), +last), statement);
}

each("negation", 8, states.filter(({ landlocked }) => landlocked), /landlocked|no coast/,
  ({ name }) => `${name} is {|not} landlocked.`,
  ({ name }) => `${name} has {no|a} coast on the sea.`,
  ({ name }) => `${name} {does not lie|lies} on the sea.`,
  ({ name }) => `${name} is a country {without|with} a coast.`);
each("negation", 6, states.filter(({ island }) => island), /no land border/,
  ({ name }) => `${name} has {no|a} land border with another country.`,
  ({ name }) => `${name} {does not border|borders} another country on land.`,
  ({ name }) => `There is {no|a} country that shares a land border with ${name}.`);
each("negation", 4, elements.filter(({ useless }) => useless), /no use outside/,
  ({ name }) => `${name} has {no use|uses} outside research.`,
  ({ name }) => `${name} is {not|also} used outside research.`);
each("negation", 3, properties.filter(({ unstable }) => unstable), /no stable isotope/,
  ({ name }) => `${name} has {no|a} stable isotope.`);
each("negation", 3, money.filter(({ whole }) => whole), /decimal/,
  ({ name }) => `Amounts in the ${name} are written {without|with} decimal places.`);

const ordinal = (n) => `${n}${n % 100 > 10 && n % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th")}`;
function orders({ order }) {
  const others = [3, 4, 6, 8].flatMap((by) => [order - by, order + by]).filter((n) => n > 13 && n <= 50);
  return `{${ordinal(order)}|${ordinal(pick(others))}}`;
}
each("number", 6, later, /Union/,
  (s) => `${s.name} was the ${orders(s)} state to join the Union.`,
  (s) => `${s.name} became the ${orders(s)} state of the Union.`);
each("number", 6, states, /square kilometres/,
  ({ name, area }) => `${name} covers about {${area}|${otherArea(area)}} square kilometres.`,
  ({ name, area }) => `The area of ${name} is about {${area}|${otherArea(area)}} square kilometres.`);
each("number", 4, elements, /atomic number/,
  ({ name, number }) => `${name} has the atomic number {${number}|${otherCount(number)}}.`,
  ({ name, number }) => `The atomic number of ${name} is {${number}|${otherCount(number)}}.`);
each("number", 5, settled, /borders|neighbours on land/, ({ name, neighbours: { length: n } }) =>
  n > 2 && n < 8 && `${name} borders {${COUNTS[n]}|${COUNTS[n + pick([-1, 1, 2])]}} other countries.`);
each("number", 3, people, /telephone code/, ({ name, code }) =>
  code && `The telephone code of ${name} is +{${code}|${+code + 4}}.`);

each("unit", 6, states, /square kilometres/,
  ({ name, area }) => `${name} covers about ${area} square {kilometres|miles}.`,
  ({ name, area }) => `The area of ${name} is about ${area} square {kilometres|metres}.`,
  ({ name, area }) => `${name} has an area of about ${area} {square kilometres|hectares}.`);
const warm = properties.filter(({ melts, boils }) => melts && boils && !boils.startsWith("minus"));
each("unit", 3, warm, /melts at|melting point/,
  ({ name, melts }) => `${name} melts at about ${melts} degrees {Celsius|Fahrenheit}.`);
each("unit", 4, warm, /boils at|boiling point/,
  ({ name, boils }) => `${name} boils at about ${boils} degrees {Celsius|Fahrenheit}.`,
  ({ name, boils }) => `The boiling point of ${name} is about ${boils} {degrees Celsius|kelvin}.`);
each("unit", 6, properties.filter(({ density }) => density), /density/, ({ name, density: [, value, unit] }) =>
  `The density of ${name} is about ${value} grams per {${unit}|${unit === "litre" ? "cubic centimetre" : "litre"}}.`);

each("date", 7, american, /Union|the Constitution in/,
  ({ name, year, original }) => original
    ? `${name} ratified the Constitution in {${year}|${otherYear(year, 1787, 1800)}}.`
    : `${name} joined the Union in {${year}|${otherYear(year, 1791, 1959)}}.`,
  ({ name, year, original }) =>
    !original && `${name} has been a state since {${year}|${otherYear(year, 1791, 1959)}}.`);
each("date", 7, found, /(discovered|isolated) it/,
  ({ name, verb, year }) => `${name} was ${verb} in {${year}|${otherYear(year)}}.`,
  ({ name, by, verb, year }) => `In {${year}|${otherYear(year)}} ${by} ${verb} ${name}.`);
each("date", 8, born, /\bborn\b/,
  ({ name, year }) => `${name} was born in {${year}|${otherYear(year)}}.`,
  ({ name, year }) => `It was in {${year}|${otherYear(year)}} that ${name} was born.`);

/** Every two of which the first is well more than the second; both are named, and the first gives the title. */
function couples(items, others, more) {
  const all = items.flatMap((a) => others(a).filter((b) => more(a, b)).map((b) => ({ title: a.title, a, b })));
  return once(all, ({ title }) => title);
}
each("comparison", 9, couples(states, near, (a, b) => size(a) > 1.4 * size(b)),
  ({ a, b }) => `${capitalised(a.name)} covers about ${a.area} square kilometres. ${capitalised(b.name)}, which ` +
    `borders it, has an area of about ${b.area} square kilometres.`,
  ({ a, b }) => `${a.name} is {larger|smaller} than ${b.name}.`,
  ({ a, b }) => `${b.name} is {smaller|larger} than ${a.name}.`,
  ({ a, b }) => `${b.name} has {less|more} land than ${a.name}.`);
const degrees = ({ melts }) => Number(melts.replace(",", ""));
const solid = properties.filter(({ melts }) => melts && !melts.startsWith("minus"));
each("comparison", 6, couples(solid, () => solid, (a, b) => degrees(a) > 1.2 * degrees(b)),
  ({ a, b }) => `${a.title} melts at about ${a.melts} degrees Celsius. The melting point of ${b.name} is about ` +
    `${b.melts} degrees Celsius.`,
  ({ a, b }) => `${a.name} has a {higher|lower} melting point than ${b.name}.`,
  ({ a, b }) => `${b.name} melts at a {lower|higher} temperature than ${a.name}.`);
each("comparison", 6, couples(later, () => later, (a, b) => b.year - a.year > 8),
  ({ a, b }) => `${a.name} joined the Union in ${a.year} as the ${ordinal(a.order)} state. ${b.name} became a ` +
    `state in ${b.year}.`,
  ({ a, b }) => `${a.name} became a state {before|after} ${b.name}.`,
  ({ a, b }) => `${b.name} joined the Union {later|earlier} than ${a.name}.`);

each("superlative", 7, stars, /brightest star/,
  ({ name, star }) => `${star} is the {brightest|faintest} star in ${name}.`,
  ({ name, star }) => `Of the stars of ${name}, {none|only one} is brighter than ${star}.`,
  ({ name, star }) => `${star} is the {brightest|second brightest} star of ${name}.`);
each("superlative", 5, american.filter(({ largest }) => largest), /largest|most populous|larger/,
  ({ name, largest }) => `${largest} is the {largest|second largest} city in ${name}.`,
  ({ name, largest }) => `No city in ${name} is {larger|smaller} than ${largest}.`);
const threes = states.flatMap((a) => near(a).flatMap((b) => near(a).map((c) => ({ title: a.title, three: [a, b, c] }))))
  .filter(({ three: [a, b, c] }) => size(a) > 1.3 * size(b) && size(b) > 1.3 * size(c));
const inOrder = ({ three }) => list(three.map(({ name }) => name).sort());
each("superlative", 9, once(threes, ({ title }) => title),
  ({ three: [a, b, c] }) => `${capitalised(a.name)} covers about ${a.area} square kilometres, ${b.name} ${b.area} ` +
    `and ${c.name} ${c.area}.`,
  (it) => `Of ${inOrder(it)}, ${it.three[0].name} is the {largest|smallest}.`,
  (it) => `The {smallest|largest} of the countries ${inOrder(it)} is ${it.three[2].name}.`,
  (it) => `${it.three[0].name} is the {largest|second largest} of the three countries ${inOrder(it)}.`);

const mixed = settled
  .map((c) => ({ ...c, dry: near(c).filter(({ landlocked }) => landlocked), all: c.neighbours.length }))
  .filter(({ dry, all }) => all > 2 && dry.length && dry.length < all);
each("quantifier", 9, mixed,
  ({ name, neighbours, dry }) => `${capitalised(name)} borders ${list(neighbours)}. Of these countries ` +
    (dry.length > 1 ? `${names(dry)} are landlocked.` : `only ${names(dry)} is landlocked.`),
  ({ name, dry }) => dry.length > 1 && `{Some|None} of the neighbours of ${name} are landlocked.`,
  ({ name }) => `{Not all|All} of the countries that border ${name} are landlocked.`,
  ({ name, dry }) => dry.length === 1 && `{Only one|More than one} of the neighbours of ${name} is landlocked.`,
  ({ name, dry, all }) =>
    2 * dry.length < all && `{Less|More} than half of the countries that border ${name} are landlocked.`);
const scripts = ["Latin", "Cyrillic", "Arabic", "Devanagari"]
  .map((script) => languages.filter((l) => l.script === script));
const trio = (three) => ({ title: three[0].title, three, script: three[0].script });
const alike = scripts.flatMap((same) => [same, same].map((some) => trio(shuffled(some).slice(0, 3))));
const unlike = scripts.flatMap((same) => scripts.filter((other) => other !== same)
  .map((other) => trio([...shuffled(same).slice(0, 2), pick(other)])));
each("quantifier", 4, once(alike, inOrder),
  ({ three, script }) => `${names(three)} are written in the ${script} script.`,
  (it) => `{All|None} of the languages ${inOrder(it)} use the ${it.script} script.`,
  (it) => `{Each|Only one} of the languages ${inOrder(it)} is written in the ${it.script} script.`);
each("quantifier", 5, once(unlike, inOrder),
  ({ three: [a, b, c] }) => `${names([a, b])} are written in the ${a.script} script. ${c.name}, by contrast, is ` +
    `written in the ${c.script} script.`,
  (it) => `{Not all|All} of the languages ${inOrder(it)} are written in the ${it.script} script.`,
  (it) => `{Most|None} of the languages ${inOrder(it)} are written in the ${it.script} script.`);

each("role", 7, couples(found, () => found, (a, b) => a.by !== b.by),
  ({ a, b }) => `${a.by} ${a.verb} ${a.name}${a.when}. ${b.by} ${b.verb} ${b.name}${b.when}.`,
  ({ a, b }) => `{${a.by}|${b.by}} ${a.verb} ${a.name}.`,
  ({ a, b }) => `${b.name} was ${b.verb} by {${b.by}|${a.by}}.`,
  ({ a, b }) => `It was {${a.by}|${b.by}} who ${a.verb} ${a.name}.`);
each("role", 6, american.filter(({ largest }) => largest), /largest|most populous|larger/,
  ({ name, capital, largest }) => `The capital of ${name} is {${capital}|${largest}}.`,
  ({ name, capital, largest }) => `The city in ${name} with the most people is {${largest}|${capital}}.`);

each("list", 18, settled.filter(({ neighbours }) => neighbours.length > 1 && neighbours.length < 7),
  /borders|neighbours on land/,
  (c) => {
    const [place, other] = [pick(c.neighbours), farther(c)];
    return other && `${c.name} borders ${list(c.neighbours.map((n) => (n === place ? `{${n}|${other}}` : n)))}.`;
  },
  (c) => {
    const other = farther(c);
    return other && `{${pick(c.neighbours)}|${other}} is one of the countries that border ${c.name}.`;
  },
  (c) => {
    const [[place, ...rest], other] = [shuffled(c.neighbours), farther(c)];
    return other && `Besides ${list(rest)}, ${c.name} borders {${place}|${other}}.`;
  },
  (c) => {
    const other = c.neighbours.length > 2 ? c.neighbours.slice(1) : [...c.neighbours, farther(c)];
    return c.neighbours.length < 4 && other.every(Boolean) &&
      `The only neighbours of ${c.name} on land are {${list(c.neighbours)}|${list(other)}}.`;
  });
const capitals = states.map((c) => ({ ...c, other: pick(near(c).filter((n) => n.capital))?.capital }));
each("name", 8, capitals.filter(({ capital, other }) => capital && other), /capital/,
  ({ name, capital, other }) => `{${capital}|${other}} is the capital of ${name}.`,
  ({ name, capital, other }) => `The capital of ${name} is {${capital}|${other}}.`);
each("name", 5, american, /nickname|known as/, ({ name, nickname }) =>
  `The nickname of ${name} is {${nickname}|${pick(american.filter((s) => s.name !== name)).nickname}}.`);
const named = stars.filter(({ star }) => !star.includes(" "));
each("name", 5, named, /brightest star/, ({ name, star }) =>
  `The brightest star in ${name} is {${star}|${pick(named.filter((s) => s.name !== name)).star}}.`);
const form = ({ named }) => /^the \w+/.exec(named)?.[0] ?? named.includes(" ");
each("name", 5, elements.filter(({ named }) => named), /named after/, (e) => {
  const other = pick(elements.filter((o) => o.named && o.named !== e.named && form(o) === form(e)))?.named;
  return other && `${e.name} is named after {${e.named}|${other}}.`;
});

const seen = new Set();
const kept = KINDS.flatMap((kind) => pairs.filter((pair) => pair.kind === kind));
for (const { factual, unfactual } of kept) {
  if (factual === unfactual || seen.has(factual)) throw new Error(`nothing differs, or twice the same: ${factual}`);
  seen.add(factual);
}
const lines = kept.map((pair) => `${JSON.stringify(pair)}\n`);
writeFileSync(new URL("minimal_pairs.jsonl", import.meta.url), lines.join(""));
for (const kind of KINDS) console.log(`${kind}: ${kept.filter((pair) => pair.kind === kind).length}`);
console.log(`${kept.length} pairs`);
