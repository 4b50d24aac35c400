/** A document of Word (ECMA-376, WordprocessingML): its paragraphs and tables, below its headings, and its notes. */

import { BadDocument } from "../../package/src/sources/bad-document.js";
import type { Attributes, End } from "../../package/src/sources/markup.js";
import type { Document, Section } from "../../package/src/sources/passages.js";
import type { Reading } from "../../package/src/sources/reading.js";
import { type Script, small } from "../../package/src/sources/scripts.js";
import { type Cell, linesOf } from "../../package/src/sources/tables.js";
import { type Archive, unpack } from "./archive.js";
import { Equation } from "./equation.js";
import { readXml, textOf } from "./xml.js";

const PARTS = /^(_rels\/\.rels|[^/]+\/[^/]+\.xml)$/;

export async function read(name: string, bytes: Uint8Array, reading: Reading): Promise<Document> {
  const files = unpack(name, bytes, PARTS, reading);
  const body = files.get(await bodyOf(files, reading));
  if (body === undefined) throw new BadDocument(`${name} is no document of Word: it has no word/document.xml`);
  const part = (kind: string) =>
    [...files].find(([path]) => path.replace(/\d*\.xml$/, "").endsWith(`/${kind}`))?.[1] ?? "";
  const writer = new Writer(await stylesOf(part("styles"), reading), reading);
  await writer.read(body);
  for (const notes of [part("footnotes"), part("endnotes")]) await writer.readNotes(notes);
  const { sections } = writer;
  const named = await textOf(files.get("docProps/core.xml") ?? "", "title", reading);
  return { title: named || (sections.find(({ heading }) => heading)?.heading ?? ""), sections };
}

/** The path of the body: some programs name it document2.xml. */
async function bodyOf(files: Archive, reading: Reading): Promise<string> {
  let found = "word/document.xml";
  await readXml(files.get("_rels/.rels") ?? "", reading, (_, { Type = "", Target = "" }) => {
    if (/\/officeDocument$/.test(Type)) found = Target.replace(/^\//, "");
    return undefined;
  });
  return found;
}

/** How a style, or a run of text itself, has its text appear. */
interface Look {
  isHeading?: boolean;
  /** Not shown, struck out, or the mark of a note. */
  isHidden?: boolean;
  script?: Script | undefined;
}

/** The styles by their ids, which differ with the language of Word; the names of its own styles do not. */
async function stylesOf(xml: string, reading: Reading): Promise<Map<string, Look>> {
  const styles = new Map<string, Look & { base?: string | undefined }>();
  let style: Look & { base?: string | undefined } = {};
  await readXml(xml, reading, (name, attributes) => {
    const { val = "" } = attributes;
    if (name === "style") {
      style = {};
      styles.set(attributes.styleId ?? "", style);
    } else if (name === "basedOn") style.base = val;
    else if (name === "name" && /^(heading [1-9]|title)$/i.test(val)) style.isHeading = true;
    else if (name === "name" && /^(foot|end)note reference$/i.test(val)) style.isHidden = true;
    else change(style, name, attributes);
    return undefined;
  });
  const whole = (id: string | undefined, left = 10): Look => {
    const { base, ...own } = styles.get(id ?? "") ?? {};
    return left > 0 && base !== undefined ? { ...whole(base, left - 1), ...own } : own;
  };
  return new Map([...styles.keys()].map((id) => [id, whole(id)]));
}

/** Takes in a property of a run of text. */
function change(look: Look, name: string, { val = "" }: Attributes): void {
  if (/^(vanish|strike|dstrike)$/.test(name)) look.isHidden = !/^(0|false|off)$/.test(val);
  else if (name === "vertAlign") look.script = ({ superscript: "sup", subscript: "sub" } as const)[val];
}

/** Characters that stand for themselves, and those of the font Symbol that stand beside numbers. */
const SIGNS: Record<string, string> = {
  tab: " ",
  ptab: " ",
  br: " ",
  cr: " ",
  noBreakHyphen: "-",
  F02D: "−",
  F06D: "μ",
  F0A3: "≤",
  F0B0: "°",
  F0B1: "±",
  F0B3: "≥",
  F0B4: "×",
  F0B8: "÷",
  F0BB: "≈",
  F0D7: "·",
};

/** What is not read: what was deleted or moved away, looks before a change, what repeats, and readings of ruby. */
const SKIPPED = /^(del|moveFrom|\w+Change|Fallback|rt)$/;

interface Paragraph {
  text: string;
  /** What was written last of it. */
  last: string;
  isHeading: boolean;
  look: Look;
  /** The lines of the boxes that it anchors. */
  boxes: string[];
}

/** A cell, which may go on from the one above. */
type MergedCell = Cell & { goesOn: boolean };

interface Table {
  rows: MergedCell[][];
  /** The paragraphs of its cells, as they come. */
  lines: string[];
  /** Whether each cell has one paragraph at most. */
  isPlain: boolean;
}

class Writer {
  readonly sections: Section[] = [{ heading: "", text: "" }];
  readonly #styles: Map<string, Look>;
  readonly #reading: Reading;
  readonly #paragraphs: Paragraph[] = [];
  readonly #tables: Table[] = [];
  #cell: MergedCell | null = null;
  /** Whether the row has the names of the columns. */
  #isNamed = false;
  #run: Look | null = null;
  #equation: Equation | null = null;
  #skipping = 0;
  #isText = false;

  constructor(styles: Map<string, Look>, reading: Reading) {
    this.#styles = styles;
    this.#reading = reading;
  }

  read(xml: string): Promise<void> {
    return readXml(
      xml,
      this.#reading,
      (name, attributes) => this.#start(name, attributes),
      (text) => this.#write(text),
    );
  }

  async readNotes(xml: string): Promise<void> {
    if (!xml) return;
    this.sections.push({ heading: "", text: "" });
    await this.read(xml);
  }

  /** Begins an element; what its end does. */
  #start(name: string, attributes: Attributes): End {
    if (this.#skipping > 0 || SKIPPED.test(name)) {
      this.#skipping += 1;
      return () => {
        this.#skipping -= 1;
      };
    }
    if (this.#equation) return this.#equation.start(name, attributes);
    const { val = "" } = attributes;
    const paragraph = this.#paragraphs.at(-1);
    if (name === "oMath") return this.#startEquation();
    if (name === "p") return this.#startParagraph();
    if (name === "tbl" && !paragraph) return this.#startTable();
    if (name === "tr" && !paragraph) {
      this.#isNamed = false;
      this.#tables.at(-1)?.rows.push([]);
    } else if (name === "tc" && !paragraph) return this.#startCell();
    else if (name === "gridSpan" && this.#cell) this.#cell.columns = Number.parseInt(val, 10) || 1;
    else if (name === "vMerge" && this.#cell) this.#cell.goesOn = val !== "restart";
    else if (name === "tblHeader" && !/^(0|false|off)$/.test(val)) this.#isNamed = true;
    else if (name === "pStyle" && paragraph) {
      paragraph.look = this.#styles.get(val) ?? {};
      paragraph.isHeading = paragraph.look.isHeading === true;
    } else if (name === "r") return this.#startRun();
    else if (name === "rStyle" && this.#run) Object.assign(this.#run, this.#styles.get(val));
    else if (name === "t") return this.#startText();
    else if (name === "sym") this.#write(SIGNS[(attributes.char ?? "").toUpperCase()] ?? " ", true);
    else if (this.#run && Object.hasOwn(SIGNS, name)) this.#write(SIGNS[name] ?? "", true);
    else if (this.#run) change(this.#run, name, attributes);
    return undefined;
  }

  #startParagraph(): () => void {
    const paragraph: Paragraph = { text: "", last: "", isHeading: false, look: {}, boxes: [] };
    const run = this.#run;
    this.#run = null;
    this.#paragraphs.push(paragraph);
    return () => {
      this.#paragraphs.pop();
      this.#run = run;
      const line = paragraph.text.replace(/\s+/g, " ").trim();
      const around = this.#paragraphs.at(-1);
      if (around) around.boxes.push(...(line ? [line] : []), ...paragraph.boxes);
      else this.#put(line, paragraph);
    };
  }

  /** Puts a paragraph, and the boxes that it anchors behind it. */
  #put(line: string, { isHeading, boxes }: Paragraph): void {
    const table = this.#tables.at(-1);
    if (table) {
      const lines = [line, ...boxes].filter(Boolean);
      table.lines.push(...lines);
      table.isPlain &&= !isHeading && lines.length < (this.#cell?.text ? 1 : 2);
      if (this.#cell) this.#cell.text ||= line;
      return;
    }
    if (isHeading && line) this.sections.push({ heading: line, text: "" });
    else this.#putLine(line);
    for (const box of boxes) this.#putLine(box);
  }

  #putLine(line: string): void {
    this.#reading.count("characters of text", line.length);
    const last = this.sections.at(-1);
    if (last && line) last.text += `${line}\n\n`;
  }

  #startTable(): () => void {
    const around = this.#tables.at(-1);
    const table: Table = { rows: [], lines: [], isPlain: true };
    const cell = this.#cell;
    this.#tables.push(table);
    return () => {
      this.#tables.pop();
      this.#cell = cell;
      const lines = table.isPlain ? linesOf(merge(table.rows)) : table.lines;
      if (around) around.isPlain = false;
      for (const line of lines) {
        if (!around) this.#putLine(line);
        else {
          this.#reading.count("characters of text", line.length); // a table may say more than its file
          around.lines.push(line);
        }
      }
    };
  }

  #startCell(): () => void {
    const cell = { text: "", isName: this.#isNamed, columns: 1, rows: 1, goesOn: false };
    const around = this.#cell;
    this.#cell = cell;
    return () => {
      this.#cell = around;
      this.#tables.at(-1)?.rows.at(-1)?.push(cell);
    };
  }

  #startRun(): () => void {
    const around = this.#run;
    const { isHidden, script } = this.#paragraphs.at(-1)?.look ?? {};
    this.#run = { isHidden: isHidden ?? false, script };
    return () => {
      this.#run = around;
    };
  }

  #startText(): () => void {
    this.#isText = true;
    return () => {
      this.#isText = false;
    };
  }

  #startEquation(): () => void {
    const equation = new Equation();
    this.#equation = equation;
    return () => {
      this.#equation = null;
      const paragraph = this.#paragraphs.at(-1);
      if (paragraph) add(paragraph, equation.words);
    };
  }

  #write(text: string, isSign = false): void {
    if (this.#skipping > 0) return;
    if (this.#equation) return this.#equation.write(text);
    const paragraph = this.#paragraphs.at(-1);
    if (!paragraph || !(this.#isText || isSign) || this.#run?.isHidden) return;
    const script = this.#run?.script;
    add(paragraph, script ? small(script, text, paragraph.last) : text);
  }
}

function add(paragraph: Paragraph, text: string): void {
  paragraph.text += text;
  if (text) paragraph.last = text;
}

/** Gives cells that go on from the one above its text. */
function merge(rows: MergedCell[][]): MergedCell[][] {
  const above: string[] = [];
  for (const row of rows) {
    let column = 0;
    for (const cell of row) {
      if (cell.goesOn) cell.text = above[column] ?? "";
      above[column] = cell.text;
      column += cell.columns;
    }
  }
  return rows;
}
