/**
 * From documents to passages, as an index takes them: at most 100 words each, none across documents, headings or pages.
 * Text and Markdown are read here; readers/ has the other kinds.
 */

/** One line of the JSONL that `evident index build` reads. */
export interface Passage {
  id: string;
  title: string;
  section?: string;
  text: string;
  source: string;
}

/** The length of a passage (guan2024, Sec. 4.2). */
const WORDS = 100;
/** The most characters of a passage, for scripts without spaces between words. */
const CHARACTERS = 1_000;

/** The prose below a heading, "" for none, or of a page. */
export interface Section {
  heading: string;
  text: string;
  /** The page, from 1, where the document has pages. */
  page?: number;
}

/** What a document says. */
export interface Document {
  /** "" if it does not name itself. */
  title: string;
  sections: Section[];
}

/** A file that is not what its name says, or that has no text. */
export class BadDocument extends Error {
  readonly code = "bad-document";
}

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

/**
 * The passages of a document. `source` is its file's name or its address; a passage of a page says which, and links
 * there if the source is an address.
 */
export function* passagesIn({ title, sections }: Document, source: string): Generator<Passage> {
  const name = title || stemOf(source);
  const isAddress = /^https?:/.test(source);
  let number = 0;
  for (const { heading, text, page } of sections) {
    const full = heading && heading !== name ? `${name}: ${heading}` : name;
    const place = page === undefined ? source : isAddress ? `${source}#page=${page}` : `${source}, page ${page}`;
    const section = page === undefined ? {} : { section: `page ${page}` };
    for (const passage of pack(text))
      yield { id: `${source}#${++number}`, title: full, ...section, text: passage, source: place };
  }
}

/** The name of a file without its folders and its kind. */
const stemOf = (name: string) =>
  name
    .replace(/\/+$/, "")
    .replace(/^.*\//, "")
    .replace(/\.[^.]+$/, "");

/** Joins whole sentences up to a passage's length. A longer sentence is cut between words, an endless word within. */
function* pack(text: string): Generator<string> {
  let [passage, words] = ["", 0];
  for (const piece of pieces(text)) {
    const more = piece.trim().split(" ").length;
    if (words > 0 && (words + more > WORDS || passage.length + piece.length > CHARACTERS)) {
      yield passage.trim();
      [passage, words] = ["", 0];
    }
    passage += piece;
    words += more;
  }
  if (words > 0) yield passage.trim();
}

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** The sentences of a text, cut to fit into a passage. Each begins with the line break or space before it. */
function* pieces(text: string): Generator<string> {
  for (const paragraph of text.split(/\n\s*\n/)) {
    let gap = "\n";
    for (const { segment } of sentences.segment(paragraph.replace(/\s+/g, " "))) {
      let [piece, words] = ["", 0];
      for (const word of segment.match(/[^ ]{1,900}/gu) ?? []) {
        if (words === WORDS || piece.length + word.length >= CHARACTERS) {
          yield gap + piece;
          [gap, piece, words] = [" ", "", 0];
        }
        piece += words++ ? ` ${word}` : word;
      }
      if (words) yield gap + piece;
      if (words) gap = " ";
    }
  }
}

/** The prose under each heading of a Markdown text, without its marks; fenced code is no prose. */
function markdownSections(source: string): Section[] {
  const sections = [{ heading: "", text: "" }];
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
