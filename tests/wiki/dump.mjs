/**
 * Writes a dump of the wiki that the tests ask: articles of the demo's corpus as wikitext, those of `pages/`, and
 * redirects.
 *
 *   node tests/wiki/dump.mjs > dump.xml
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const HERE = import.meta.dirname;
const ARTICLES = join(HERE, "../../web/demo/corpus/articles");
/** Old enough to be settled. */
const TIMESTAMP = "2026-01-15T12:00:00Z";

const lines = (name) => readFileSync(join(HERE, name), "utf8").split("\n").filter(Boolean);
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** The articles of the corpus by their titles: what stands below each heading of level 1. */
function corpus() {
  const articles = new Map();
  for (const name of readdirSync(ARTICLES)) {
    const [, ...parts] = `\n${readFileSync(join(ARTICLES, name), "utf8")}`.split("\n# ");
    for (const part of parts) {
      const [title, ...blocks] = part.split("\n").filter(Boolean);
      articles.set(title, blocks);
    }
  }
  return articles;
}

const pages = new Map();
const redirects = new Map(lines("redirects.txt").map((line) => line.split("\t")));
const known = corpus();
for (const title of lines("titles.txt")) {
  const blocks = known.get(title);
  if (!blocks) throw new Error(`${title} is no article of ${ARTICLES}`);
  const names = blocks.find((block) => block.startsWith("Other names: "))?.slice("Other names: ".length) ?? "";
  for (const name of names.split(";").map((name) => name.trim()))
    if (name && name !== title) redirects.set(name, title);
  const prose = blocks.filter((block) => !/^(Other names|Source|Wikipedia): /.test(block));
  pages.set(title, prose.join("\n\n").replace(title, `'''${title}'''`));
}
for (const name of readdirSync(join(HERE, "pages")))
  pages.set(name.replace(/\.wiki$/, ""), readFileSync(join(HERE, "pages", name), "utf8"));
for (const [name, title] of redirects) if (!pages.has(name)) pages.set(name, `#REDIRECT [[${title}]]`);

console.log('<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">');
let id = 0;
for (const [title, text] of pages) {
  id += 1;
  const revision = `<revision><id>${id}</id><timestamp>${TIMESTAMP}</timestamp><contributor><username>Evident</username></contributor><model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">${escaped(text)}</text></revision>`;
  console.log(`<page><title>${escaped(title)}</title><ns>${title.startsWith("Template:") ? 10 : 0}</ns><id>${id}</id>${revision}</page>`);
}
console.log("</mediawiki>");
