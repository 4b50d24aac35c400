// The passages written by hand: written/SUBJECT.md holds one "## Title" and one paragraph per passage.
import { readdirSync, readFileSync } from "node:fs";
import { slug } from "../prose.mjs";

const FOLDER = new URL("../written/", import.meta.url);

export function written() {
  const files = readdirSync(FOLDER)
    .filter((file) => file.endsWith(".md"))
    .sort();
  return files.flatMap((file) => {
    const subject = file.slice(0, -".md".length);
    const blocks = readFileSync(new URL(file, FOLDER), "utf8").trim().split(/^## /m).slice(1);
    return blocks.map((block) => {
      const [title, ...lines] = block.trim().split("\n");
      return { id: `${subject}/${slug(title)}`, title, text: lines.join(" ").trim(), source: "written for Evident" };
    });
  });
}
