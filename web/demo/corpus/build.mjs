// Renders the demo's corpus: every subject's passages, checked, into passages.jsonl, the page's list of what it knows,
// and the licences of all of it into LICENSES.txt.
// Usage: npm ci && npm run build
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { packageLicences } from "../../licences.mjs";
import { subjects } from "./questions.mjs";
import { articles } from "./subjects/articles.mjs";
import { constellations } from "./subjects/constellations.mjs";
import { countries } from "./subjects/countries.mjs";
import { currencies } from "./subjects/currencies.mjs";
import { elements } from "./subjects/elements.mjs";
import { emoji } from "./subjects/emoji.mjs";
import { knowledge } from "./subjects/knowledge.mjs";
import { languages } from "./subjects/languages.mjs";
import { mediaTypes } from "./subjects/media-types.mjs";
import { messier, stars } from "./subjects/stars.mjs";
import { states } from "./subjects/states.mjs";
import { works } from "./subjects/works.mjs";
import { written } from "./subjects/written.mjs";

const MAX_WORDS = 112; // guan2024, Sec. 4.3: passages of about 100 words
const MIN_WORDS = 20;
/** What a template leaves behind when a fact is missing or misplaced. */
const SLIPS = /\b(undefined|null|NaN)\b|\[object|\b(the|a|an|of|is|in) \2\b| {2}| [,;]| \.(?![a-z])|\.\.|,\.|\(\)/;

function check(passages) {
  const faults = [];
  const ids = new Set();
  for (const { id, title, text, source } of passages) {
    const words = text.split(/\s+/).length;
    if (ids.has(id)) faults.push(`${id}: the id is taken`);
    if (!title || !source) faults.push(`${id}: no title or source`);
    if (words < MIN_WORDS || words > MAX_WORDS) faults.push(`${id}: ${words} words`);
    if (!source.startsWith("written") && SLIPS.test(text)) faults.push(`${id}: "${SLIPS.exec(text)[0]}" in: ${text}`);
    if (!/^[\p{Lu}\p{Nd}].*[.?!]["”]?$/u.test(text)) faults.push(`${id}: not whole sentences: ${text}`);
    ids.add(id);
  }
  if (faults.length) throw new Error(`The corpus has faults:\n${faults.join("\n")}`);
}

/** A title as it is compared: without what is in brackets, marks and case. */
const bare = (title) =>
  title
    .replace(/^the | ?\(.*\)/gi, "")
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();

/** Passages with a subject of their own, whole before the many that are rendered from large packages. */
const passages = [countries, currencies, languages, elements, constellations, states, written].flatMap((render) =>
  render(),
);
const LARGE = [articles, works, knowledge, stars, messier, emoji, mediaTypes];
const titles = new Set(passages.map(({ title }) => bare(title)));
/** True if an earlier subject has a passage of that title. */
const taken = (title) => titles.has(bare(title));
for (const render of LARGE) {
  const ids = new Set();
  const more = render(taken).filter(({ id }) => !ids.has(id) && ids.add(id));
  passages.push(...more);
  for (const { title } of more) titles.add(bare(title));
}
check(passages);
writeFileSync(new URL("../subjects.json", import.meta.url), `${JSON.stringify(subjects(), null, 1)}\n`);
writeFileSync(new URL("passages.jsonl", import.meta.url), passages.map((p) => `${JSON.stringify(p)}\n`).join(""));

const LICENCES = `The passages on countries and currencies are, as a database, under the Open Database License 1.0:
https://opendatacommons.org/licenses/odbl/1.0/
They are made from the information in world-countries by Mohammed Le Doze. The articles are under the Creative Commons
Attribution 4.0 licence:
https://creativecommons.org/licenses/by/4.0/
All the rest is under the Apache License 2.0:
https://www.apache.org/licenses/LICENSE-2.0
The figures and names in the tables are from these npm packages, under their licences.
`;
const here = fileURLToPath(new URL(".", import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const licences = packageLicences(here, Object.keys(devDependencies));
writeFileSync(new URL("LICENSES.txt", import.meta.url), `${LICENCES}\n---\n\n${licences}`);

const counts = new Map();
for (const { id } of passages) {
  const subject = id.split("/")[0];
  counts.set(subject, (counts.get(subject) ?? 0) + 1);
}
for (const [subject, count] of counts) console.log(`${subject}: ${count}`);
console.log(`${passages.length} passages`);
