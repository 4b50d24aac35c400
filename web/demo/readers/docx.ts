/** A document of Word (ECMA-376, WordprocessingML): its paragraphs and tables, below its headings. */

import { Parser } from "htmlparser2";
import { BadDocument } from "../../package/src/sources/bad-document.js";
import type { Document, Section } from "../../package/src/sources/passages.js";
import { unpack } from "./archive.js";

export async function read(name: string, bytes: Uint8Array): Promise<Document> {
  const files = unpack(name, bytes, /^(word\/(document|styles)|docProps\/core)\.xml$/);
  const body = files.get("word/document.xml");
  if (body === undefined) throw new BadDocument(`${name} is no document of Word: it has no word/document.xml`);
  const sections = sectionsOf(body, headingStyles(files.get("word/styles.xml") ?? ""));
  const [, named = ""] = /<dc:title>([^<]*)<\/dc:title>/.exec(files.get("docProps/core.xml") ?? "") ?? [];
  return { title: named.trim() || (sections.find(({ heading }) => heading)?.heading ?? ""), sections };
}

/** The ids of the styles that make a heading; they differ with the language of Word, the styles' names do not. */
function headingStyles(styles: string): Set<string> {
  const found = new Set<string>();
  let id = "";
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (tag === "w:style") id = attributes["w:styleId"] ?? "";
        else if (tag === "w:name" && /^(heading [1-9]|title)$/i.test(attributes["w:val"] ?? "")) found.add(id);
      },
    },
    { xmlMode: true },
  );
  parser.end(styles);
  return found;
}

function sectionsOf(body: string, headings: Set<string>): Section[] {
  const sections: Section[] = [{ heading: "", text: "" }];
  let paragraph = "";
  let isHeading = false;
  let isText = false;
  const put = (text: string) => {
    const last = sections.at(-1);
    if (last) last.text += text;
  };
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (tag === "w:p") [paragraph, isHeading] = ["", false];
        else if (tag === "w:pStyle") isHeading = headings.has(attributes["w:val"] ?? "");
        else if (tag === "w:t") isText = true;
        else if (tag === "w:tab" || tag === "w:br") paragraph += " ";
      },
      ontext(text) {
        if (isText) paragraph += text;
      },
      onclosetag(tag) {
        if (tag === "w:t") isText = false;
        else if (tag === "w:tr") put("\n\n");
        if (tag !== "w:p") return;
        const line = paragraph.replace(/\s+/g, " ").trim();
        if (isHeading && line) sections.push({ heading: line, text: "" });
        else if (line) put(`${line}\n\n`);
        paragraph = "";
      },
    },
    { xmlMode: true },
  );
  parser.end(body);
  return sections;
}
