// Reads the tab-separated facts beside the templates; the first line names the columns.
import { readFileSync } from "node:fs";

/** Rows of `facts/NAME.tsv`, each an object keyed by column. */
export function table(name) {
  const text = readFileSync(new URL(`facts/${name}.tsv`, import.meta.url), "utf8");
  const [columns, ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  return rows.map((cells) => {
    if (cells.length !== columns.length) throw new Error(`facts/${name}.tsv: "${cells[0]}" has ${cells.length} cells`);
    return Object.fromEntries(columns.map((column, i) => [column, cells[i]]));
  });
}
