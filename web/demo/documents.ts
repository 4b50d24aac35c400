/**
 * From text and Markdown to passages, as an index takes them: at most 100 words each, none across documents or
 * headings.
 */

/** One line of the JSONL that `evident index build` reads. */
export interface Passage {
  id: string;
  title: string;
  text: string;
  source: string;
}

/** The length of a passage (guan2024, Sec. 4.2). */
const WORDS = 100;
/** The most characters of a passage, for scripts without spaces between words. */
const CHARACTERS = 1_000;

/** The kinds of file that can be read, by the end of their names. */
export function kindOf(name: string): "text" | "markdown" | "jsonl" | null {
  if (/\.(txt|text)$/i.test(name)) return "text";
  if (/\.(md|markdown)$/i.test(name)) return "markdown";
  return /\.(jsonl|ndjson)$/i.test(name) ? "jsonl" : null;
}

/** The passages of one document; `name` is its file's. */
export function* passagesOf(name: string, text: string): Generator<Passage> {
  const stem = name.replace(/^.*\//, "").replace(/\.[^.]+$/, "");
  const sections = kindOf(name) === "markdown" ? markdownSections(text) : [{ heading: "", text }];
  const title = sections.find(({ heading }) => heading)?.heading ?? stem;
  let number = 0;
  for (const section of sections) {
    const full = section.heading && section.heading !== title ? `${title}: ${section.heading}` : title;
    for (const text of pack(section.text)) yield { id: `${name}#${++number}`, title: full, text, source: name };
  }
}

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
function markdownSections(source: string): { heading: string; text: string }[] {
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
