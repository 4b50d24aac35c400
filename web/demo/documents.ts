/**
 * From the reader's documents to passages. Text and Markdown are read here; readers/ has the other kinds.
 */

import type { Passage } from "evident-check";
import { passagesIn, type Section } from "../package/src/sources/passages.js";

/** The ends of the names of files that can be read, by kind. */
const ENDINGS = {
  text: ["txt", "text"],
  markdown: ["md", "markdown"],
  jsonl: ["jsonl", "ndjson"],
  pdf: ["pdf"],
  docx: ["docx"],
  html: ["html", "htm", "xhtml"],
  epub: ["epub"],
};

export type Kind = keyof typeof ENDINGS;

/** The kind of a file, by its name; null if it cannot be read. */
export function kindOf(name: string): Kind | null {
  const ending = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const found = Object.entries(ENDINGS).find(([, endings]) => endings.includes(ending));
  return found ? (found[0] as Kind) : null;
}

/** The passages of a text or Markdown; `name` is its file's. */
export function passagesOf(name: string, text: string, kind = kindOf(name)): Generator<Passage> {
  const sections = kind === "markdown" ? markdownSections(text) : [{ heading: "", text }];
  return passagesIn({ title: sections.find(({ heading }) => heading)?.heading ?? "", sections }, name);
}

/** The prose under each heading of a Markdown text, without its marks; fenced code is no prose. */
function markdownSections(source: string): Section[] {
  const sections: Section[] = [{ heading: "", text: "" }];
  let fence = "";
  const lines = source.replace(/^---\n[\s\S]*?\n---\n/, "").split("\n");
  for (const [number, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]?.slice(0, 3);
    if (fence ? mark === fence : mark) {
      fence = fence ? "" : (mark as string);
      continue;
    }
    if (fence) continue;
    const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$/.exec(line)?.[1];
    const last = sections.at(-1) as { text: string };
    if (heading) sections.push({ heading: prose(heading), text: "" });
    else if (/^ {0,3}(=+|-+)\s*$/.test(line) && lines[number - 1]?.trim() && last.text) {
      const [, before, title] = /^([\s\S]*?)([^\n]*)\n$/.exec(last.text) as unknown as [string, string, string];
      last.text = before;
      sections.push({ heading: title, text: "" });
    } else last.text += `${blockMark(line) ? "\n" : ""}${prose(line)}\n`;
  }
  return sections;
}

const blockMark = (line: string) => /^\s*([-*+>|]|\d{1,3}[.)])\s/.test(line);

/** A line without its Markdown: rules, list and quote marks, links, emphasis, tags. */
function prose(line: string): string {
  if (/^[\s|:*_=-]{3,}$/.test(line)) return "";
  return line
    .replace(/^\s*(>\s?)*(([-*+]|\d{1,3}[.)])\s+(\[[ xX]\]\s+)?)?/, "")
    .replace(/<!--.*?-->|<\/?[a-z][^>]{0,200}>/gi, "")
    .replace(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "$1")
    .replace(/(\*\*|__|`+)(.+?)\1/g, "$2")
    .replace(/(^|[^\w*])[*_](\S(?:.*?\S)?)[*_](?![\w*])/g, "$1$2")
    .replaceAll("|", " ")
    .trim();
}
