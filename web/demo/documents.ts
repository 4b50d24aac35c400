/**
 * The reader's documents by kind. Text and Markdown are read here; readers/ has the other kinds.
 */

import type { Document } from "../package/src/sources/passages.js";
import { markdownSections } from "./markdown-prose.js";

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

/** A reader's file; the name has its folders, and no two files share one. */
export interface NamedFile {
  name: string;
  file: Blob;
}

/** The kind of a file, by its name; null if it cannot be read. */
export function kindOf(name: string): Kind | null {
  const ending = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const found = Object.entries(ENDINGS).find(([, endings]) => endings.includes(ending));
  return found ? (found[0] as Kind) : null;
}

/** What a text or Markdown says. */
export function documentOfText(text: string, kind: Kind | null): Document {
  const sections = kind === "markdown" ? markdownSections(text) : [{ heading: "", text }];
  return { title: sections.find(({ heading }) => heading)?.heading ?? "", sections };
}
