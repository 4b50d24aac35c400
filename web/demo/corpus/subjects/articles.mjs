// The articles written by hand: articles/SUBJECT.md holds a "# Title" for each and below it a passage a paragraph. A
// first paragraph may have the lines "Other names: A; B" and "Wikipedia: Title of the article to read on in".
import { readdirSync, readFileSync } from "node:fs";
import { slug } from "../prose.mjs";

const FOLDER = new URL("../articles/", import.meta.url);

/** Each article as it is written. */
export function readArticles() {
  const files = readdirSync(FOLDER)
    .filter((file) => file.endsWith(".md"))
    .sort();
  return files.flatMap((file) => {
    const blocks = readFileSync(new URL(file, FOLDER), "utf8").trim().split(/^# /m).slice(1);
    return blocks.map((block) => ({ subject: file.slice(0, -".md".length), ...article(block) }));
  });
}

function article(block) {
  const [title, ...rest] = block.trim().split("\n");
  const paragraphs = rest
    .join("\n")
    .trim()
    .split(/\n\s*\n/);
  const lines = /^(Other names|Wikipedia):/.test(paragraphs[0]) ? paragraphs.shift().split("\n") : [];
  const said = (what) =>
    lines
      .find((line) => line.startsWith(`${what}:`))
      ?.slice(what.length + 1)
      .trim();
  const names =
    said("Other names")
      ?.split(";")
      .map((name) => name.trim()) ?? [];
  const passages = paragraphs.map((paragraph) => paragraph.replace(/\s+/g, " ").trim());
  return { title: title.trim(), names: names.filter(Boolean), wikipedia: said("Wikipedia") ?? title.trim(), passages };
}

/** Each passage of the articles. */
export const articles = () =>
  readArticles().flatMap(({ subject, title, names, passages }) =>
    passages.map((text, i) => ({
      id: `${subject}/${slug(title)}${i ? `-${i + 1}` : ""}`,
      title,
      text,
      source: "written for Evident",
      ...(names.length ? { names } : {}),
    })),
  );
