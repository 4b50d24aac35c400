/** The prose of Markdown: what is left without its marks, code, comments and notes. */

import type { Section } from "../package/src/sources/passages.js";
import { isScript, small } from "../package/src/sources/scripts.js";
import { linesOf } from "../package/src/sources/tables.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^[\s|:*_=-]{3,}$/;

/** The prose under each heading. */
export function markdownSections(source: string): Section[] {
  const sections: Section[] = [{ heading: "", text: "" }];
  let fence = "";
  let rows: string[] = [];
  /** Whether a note's text goes on in indented lines. */
  let inNote = false;
  const put = (text: string) => {
    const last = sections.at(-1);
    if (last) last.text += text;
  };
  const endTable = () => {
    for (const line of tableLines(rows)) put(`\n${line}\n`);
    rows = [];
  };
  const lines = withoutComments(source.replace(/^---\n[\s\S]*?\n---\n/, "")).split("\n");
  /** The line before, if it is prose: a line of dashes below it makes it a heading. */
  let next = "";
  for (const line of lines) {
    const before = next;
    next = "";
    const [, mark = "", info = ""] = FENCE.exec(line) ?? [];
    if (fence) {
      if (mark.startsWith(fence) && !info.trim()) fence = "";
      continue;
    }
    if (mark && !(mark[0] === "`" && info.includes("`"))) {
      fence = mark;
      continue;
    }
    if (ROW.test(line)) {
      rows.push(line);
      continue;
    }
    endTable();
    const isNote = /^ {0,3}\[\^[^\]]+\]:/.test(line);
    inNote = isNote || (inNote && /^(\s{2,}|\s*$)/.test(line));
    if (inNote || /^ {0,3}\[[^\]^]+\]:\s*\S+/.test(line)) continue;
    const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$/.exec(line)?.[1];
    const isUnderline = /^ {0,3}(=+|-+)\s*$/.test(line) && before !== "";
    if (heading) sections.push({ heading: prose(heading), text: "" });
    else if (isUnderline) {
      const last = sections.at(-1) as Section;
      last.text = last.text.slice(0, -before.length - 1);
      sections.push({ heading: before, text: "" });
    } else put(`${blockMark(line) ? "\n" : ""}${prose(line)}\n`);
    if (!heading && !isUnderline) next = prose(line);
  }
  endTable();
  return sections;
}

/** A text without its comments. */
function withoutComments(source: string): string {
  let text = "";
  let from = 0;
  for (let at = source.indexOf("<!--"); at >= 0; at = source.indexOf("<!--", from)) {
    const end = source.indexOf("-->", at + 4);
    if (end < 0) break;
    text += source.slice(from, at);
    from = end + 3;
  }
  return text + source.slice(from);
}

/** The rows of a table, with the names of its columns where a rule is below the first. */
function tableLines(rows: string[]): string[] {
  const hasNames = RULE.test(rows[1] ?? "");
  const cells = rows
    .filter((row) => !RULE.test(row))
    .map((row, index) =>
      row
        .trim()
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => ({ text: prose(cell), isName: hasNames && index === 0, columns: 1, rows: 1 })),
    );
  return [...linesOf(cells)];
}

const blockMark = (line: string) => /^\s*([-*+>]|\d{1,3}[.)])\s/.test(line);

/** A line without its Markdown: rules, list and quote marks, links, notes, emphasis, what is struck out, tags. */
function prose(line: string): string {
  if (RULE.test(line)) return "";
  return line
    .replace(/^\s*(>\s?)*(([-*+]|\d{1,3}[.)])\s+(\[[ xX]\]\s+)?)?/, "")
    .replace(/<(https?:[^\s<>]{1,2000})>/gi, "$1")
    .replace(/(.?)<(sup|sub)>([^<]{0,200})<\/\2>/gi, (_, before: string, name: string, words: string) => {
      const script = name.toLowerCase();
      return before + (isScript(script) ? small(script, words, before) : words);
    })
    .replace(/<(s|del)>[^<]{0,2000}<\/\1>/gi, "")
    .replace(/<\/?[a-z][^>]{0,200}>/gi, "")
    .replace(/(~~?)(?=\S)([^~]{1,2000})\1(?!~)/g, (all, mark: string) => (mark === "~~" ? "" : all))
    .replace(/\[\^[^\]\s]{1,99}\]/g, "")
    .replace(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "$1")
    .replace(/(\*\*|__|`+)(.+?)\1/g, "$2")
    .replace(/(^|[^\w*])[*_](\S(?:.*?\S)?)[*_](?![\w*])/g, "$1$2")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}
