// The languages that have a two-letter code: codes from ISO 639, the rest from facts/languages.tsv.
import { iso6393 } from "iso-639-3";
import { paragraph, slug, vary } from "../prose.mjs";
import { table } from "../tables.mjs";

const SOURCE = "iso-639-3 3.0.1 (MIT); families and regions written for Evident";

const SCRIPT = {
  Japanese: "a mixture of Chinese characters and two syllabaries, hiragana and katakana",
  Chinese: "Chinese characters",
};

function kind(family) {
  if (family === "isolate") return "a language that is not known to be related to any other";
  if (family === "constructed") return "a constructed language, made on purpose to be easy to learn";
  if (family.endsWith("creole")) return `${/^[AEIOU]/.test(family) ? "an" : "a"} ${family} language`;
  const article = /^[AEIO]/.test(family) ? "an" : "a";
  return family === "Armenian" || family === "Albanian" || family === "Hellenic"
    ? "an Indo-European language that forms a branch of its own"
    : `${article} ${family} language`;
}

function writing(script) {
  if (SCRIPT[script]) return `written with ${SCRIPT[script]}`;
  if (script.startsWith("both ")) return `written in ${script} script`;
  if (script.startsWith("no single")) return "written in several scripts and has none of its own";
  return `written in ${script === "Latin" ? "the Latin alphabet" : script === "Cyrillic" ? "the Cyrillic alphabet" : `the ${script} script`}`;
}

const DEAD = new Set(["ae", "cu", "la", "pi", "sa"]);

export function languages() {
  const codes = new Map(iso6393.filter((l) => l.iso6391).map((l) => [l.iso6391, l.iso6393]));
  return table("languages").map(({ code, name, family, script, where }, i) => {
    const used = DEAD.has(code) ? "used" : "spoken";
    return {
      id: `languages/${slug(name)}`,
      title: `${name} language`,
      text: paragraph(
        `${name} is ${kind(family)}.`,
        vary(i, `It is ${used} ${where}.`, `The language is ${used} ${where}.`),
        vary(i + 1, `It is ${writing(script)}.`, `${name} is ${writing(script)}.`),
        `Its codes in the standard ISO 639 are ${code} and ${codes.get(code)}.`,
      ),
      source: SOURCE,
    };
  });
}
