// The articles written by hand: articles/SUBJECT.md holds a "# Title" for each and below it a passage a paragraph. A
// first paragraph may have the lines "Other names: A; B" and "Wikipedia: Title", which is for whoever mends the article.
import { readdirSync, readFileSync } from "node:fs";
import { slug } from "../prose.mjs";

const FOLDER = new URL("../articles/", import.meta.url);

/** Each passage of the articles. */
export function articles() {
  const files = readdirSync(FOLDER)
    .filter((file) => file.endsWith(".md"))
    .sort();
  return files.flatMap((file) => {
    const blocks = readFileSync(new URL(file, FOLDER), "utf8").trim().split(/^# /m).slice(1);
    return blocks.flatMap((block) => passages(file.slice(0, -".md".length), block));
  });
}

function passages(subject, block) {
  const [title, ...rest] = block.trim().split("\n");
  const text = rest.join("\n").trim();
  const about = /^(?:(?:Other names|Wikipedia):.*\n)*/.exec(text)[0];
  const names = (/^Other names:(.*)$/m.exec(about)?.[1] ?? "").split(";").map((name) => name.trim());
  const known = names.filter(Boolean);
  return text
    .slice(about.length)
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph, i) => ({
      id: `${subject}/${slug(title)}${i ? `-${i + 1}` : ""}`,
      title: title.trim(),
      text: paragraph.replace(/\s+/g, " ").trim(),
      source: "written for Evident",
      ...(known.length ? { names: known } : {}),
    }));
}
