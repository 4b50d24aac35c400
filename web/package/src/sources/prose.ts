/**
 * The prose of markup, by a parser without a DOM: it runs nothing and fetches nothing. Elements that are no prose, or
 * stand beside it, are skipped.
 */

import { type MathElement, mathText, OBJECT } from "../ui/formula.js";
import { type Attributes, type End, type Follower, readMarkup, withBareNames } from "./markup.js";
import type { Document, Section } from "./passages.js";
import type { Reading } from "./reading.js";
import { isMark, isScript, type Script, small } from "./scripts.js";
import { type Cell, linesOf } from "./tables.js";

const SKIPPED = new Set(
  "title script style noscript template svg iframe object audio video canvas nav aside footer button select datalist textarea s del strike rp rt".split(
    " ",
  ),
);
const BLOCKS = new Set(
  "address article blockquote body caption center dd details dialog div dl dt fieldset figcaption figure form header hgroup hr legend li main menu ol p pre search section summary table td th tr ul br".split(
    " ",
  ),
);
/** Elements that no cell of a table with columns holds: a table that has them is one of layout. */
const LAYOUT = /^(table|ul|ol|dl|pre|main|h[1-6])$/;
const HEADING = /^h[1-6]$/;
/** Styles of what a page does not show, or strikes out. */
const UNSEEN =
  /(^|;)(display:none|visibility:(hidden|collapse)|(opacity|font-size):(0*\.)?0+([a-z%!;]|$)|text-decoration(-line)?:[^;]*line-through)/;
/** The deepest nesting of a formula that is read. */
const DEEPEST = 50;

/** A part of the page whose text is tidied when it ends. */
interface Part {
  is: "page" | "heading" | "cell" | Script;
  text: string[];
  /** Whether it is in a link, or has one. */
  linked: boolean;
}

interface Table {
  rows: Cell[][];
  /** Whether it is one of layout, whose cells are read as they come. */
  isLayout: boolean;
}

/**
 * What a page of HTML or XHTML says: of one that has a <main>, that alone.
 * @throws BadDocument, and the reason of the signal
 */
export async function proseOf(markup: string, reading: Reading, { xml = false } = {}): Promise<Document> {
  const writer = new Writer(reading);
  await readMarkup(markup, xml, xml ? withBareNames(writer) : writer, reading);
  return writer.document();
}

class Writer implements Follower {
  readonly #reading: Reading;
  readonly #sections: (Section & { isMain: boolean })[] = [{ heading: "", text: "", isMain: false }];
  /** The parts that are open, the page first. */
  readonly #parts: Part[] = [{ is: "page", text: [], linked: false }];
  readonly #tables: Table[] = [];
  /** The elements of the formula that is open. */
  readonly #formula: (MathElement & { children: MathElement[]; textContent: string })[] = [];
  /** How many formulas were read. */
  #formulas = 0;
  #title = "";
  #inTitle = false;
  /** The elements that are open within one that is skipped, that one included. */
  #skipping = 0;
  #mains = 0;
  #links = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  start(name: string, attributes: Attributes): End {
    if (this.#formula.length > 0) return this.#startInFormula(name);
    if (name === "title" && !this.#title && this.#skipping === 0) this.#inTitle = true;
    if (this.#skipping > 0 || isSkipped(name, attributes)) return this.#startSkipped();
    if (name === "mjx-container" || hasClass(attributes, "katex")) return this.#startDrawn();
    if (name === "math") return this.#startInFormula(name);
    if (name === "a") return this.#startLink();
    if (isScript(name)) return this.#startPart(name);
    if (LAYOUT.test(name)) this.#unfold();
    if (HEADING.test(name)) return this.#startPart("heading");
    if (BLOCKS.has(name)) return this.#startBlock(name, attributes);
    return undefined;
  }

  startBelow(name: string, attributes: Attributes): End {
    if (this.#skipping > 0 || isSkipped(name, attributes)) return this.#startSkipped();
    if (!BLOCKS.has(name)) return undefined;
    this.#add("\n\n");
    return () => this.#add("\n\n");
  }

  write(text: string): void {
    if (this.#inTitle) this.#title += text;
    if (this.#skipping > 0) return;
    const formula = this.#formula.at(-1);
    if (formula) formula.textContent += text;
    else this.#add(text.replace(/\s+/g, " "));
  }

  document(): Document {
    this.#unfold();
    this.#begin("");
    const main = this.#sections.filter(({ isMain, text }) => isMain && text.trim());
    const chosen = (main.length > 0 ? main : this.#sections).map(({ heading, text }) => ({ heading, text }));
    const first = chosen.find(({ heading }) => heading)?.heading ?? "";
    return { title: first || tidy(this.#title), sections: chosen };
  }

  #add(text: string): void {
    const part = this.#parts.at(-1);
    if (!text || !part) return;
    if (part.is === "page") this.#reading.count("characters of text", text.trim().length); // the other parts come to it
    part.text.push(text);
  }

  #startSkipped(): () => void {
    this.#skipping += 1;
    return () => {
      this.#skipping -= 1;
      this.#inTitle = false;
    };
  }

  /** Begins the section below a heading. */
  #begin(heading: string): void {
    const [page] = this.#parts as [Part];
    const last = this.#sections.at(-1);
    if (last) last.text += page.text.join("");
    page.text = [];
    this.#sections.push({ heading, text: "", isMain: this.#mains > 0 });
  }

  #startPart(is: Part["is"]): () => void {
    if (is === "heading") this.#endScripts();
    const part: Part = { is, text: [], linked: this.#links > 0 };
    this.#parts.push(part);
    return () => this.#endPart(part);
  }

  /** Ends a part, and what should have ended within it. */
  #endPart(part: Part): void {
    const at = this.#parts.lastIndexOf(part);
    while (at > 0 && this.#parts.length > at) {
      const { is, text, linked } = this.#parts.pop() as Part;
      const words = text.join("");
      if (is === "heading") this.#begin(tidy(words));
      else if (isScript(is)) {
        const isNote = is === "sup" && linked && isMark(words);
        if (!isNote) this.#add(small(is, words, this.#parts.at(-1)?.text.at(-1) ?? ""));
      }
    }
  }

  #endScripts(): void {
    const open = this.#parts.findIndex(({ is }) => isScript(is));
    if (open > 0) this.#endPart(this.#parts[open] as Part);
  }

  #startLink(): () => void {
    this.#links += 1;
    const part = this.#parts.at(-1);
    if (part) part.linked = true;
    return () => {
      this.#links -= 1;
    };
  }

  #startBlock(name: string, attributes: Attributes): () => void {
    this.#endScripts();
    const table = this.#tables.at(-1);
    if (name === "table") return this.#startTable(attributes);
    if (table && !table.isLayout) {
      if (name === "tr") table.rows.push([]);
      if (name === "td" || name === "th") return this.#startCell(table, name, attributes);
      const cell = this.#parts.at(-1);
      if (name === "p" && cell?.is === "cell" && cell.text.some((text) => text.trim())) this.#unfold();
    }
    if (name === "main") {
      this.#mains += 1;
      this.#begin("");
    }
    this.#add("\n\n");
    return () => {
      if (name === "main") {
        this.#endScripts();
        this.#mains -= 1;
        this.#begin("");
      } else this.#add("\n\n");
    };
  }

  #startTable({ role = "" }: Attributes): () => void {
    const isLayout = /^(presentation|none)$/.test(role) || this.#parts.length > 1;
    const table: Table = { rows: [], isLayout };
    this.#tables.push(table);
    this.#add("\n\n");
    return () => {
      this.#endScripts();
      this.#tables.pop();
      if (!table.isLayout) for (const line of linesOf(table.rows)) this.#add(`${line}\n\n`);
      this.#add("\n\n");
    };
  }

  #startCell(table: Table, name: string, { colspan, rowspan }: Attributes): () => void {
    const part: Part = { is: "cell", text: [], linked: false };
    const [columns, rows] = [spanOf(colspan), spanOf(rowspan)];
    this.#parts.push(part);
    return () => {
      this.#endScripts();
      if (this.#parts.at(-1) !== part) return this.#add("\n\n");
      this.#parts.pop();
      if (table.rows.length === 0) table.rows.push([]);
      table.rows.at(-1)?.push({ text: tidy(part.text.join("")), isName: name === "th", columns, rows });
    };
  }

  /** Reads the table that is open as one of layout: its cells so far, and what follows as it comes. */
  #unfold(): void {
    const table = this.#tables.at(-1); // those around it are ones of layout
    if (!table || table.isLayout) return;
    this.#endScripts();
    const cells = this.#parts.splice(1).filter(({ is }) => is === "cell");
    table.isLayout = true;
    for (const { text } of table.rows.flat()) this.#add(`${text}\n\n`);
    for (const { text } of cells) this.#add(text.join(""));
  }

  /** Begins a formula that KaTeX or MathJax draws; most have MathML too, and one without it stands as `OBJECT`. */
  #startDrawn(): () => void {
    const before = this.#formulas;
    return () => {
      if (this.#formulas === before) this.#add(OBJECT);
    };
  }

  #startInFormula(name: string): () => void {
    const element = {
      localName: this.#formula.length < DEEPEST ? name : "",
      textContent: "",
      children: [] as MathElement[],
    };
    const around = this.#formula.at(-1);
    around?.children.push(element);
    this.#formula.push(element);
    return () => {
      this.#formula.pop();
      if (around) return;
      this.#formulas += 1;
      this.#add(mathText(element));
    };
  }
}

function isSkipped(name: string, attributes: Attributes): boolean {
  const style = (attributes.style ?? "").replace(/\s+/g, "").toLowerCase();
  const kinds = `${attributes["epub:type"] ?? ""} ${attributes.role ?? ""}`;
  return (
    (SKIPPED.has(name) && !(name === "template" && "shadowrootmode" in attributes)) ||
    "hidden" in attributes ||
    attributes["aria-hidden"] === "true" ||
    (UNSEEN.test(style) && !/mwe-math/.test(attributes.class ?? "")) ||
    (name === "dialog" && !("open" in attributes)) ||
    (name === "sup" && hasClass(attributes, "reference")) ||
    /\b(doc-)?noteref\b/.test(kinds)
  );
}

const hasClass = ({ class: names = "" }: Attributes, name: string) => names.split(/\s+/).includes(name);

const spanOf = (number = "1") => Math.max(Number.parseInt(number, 10) || 1, 1);

const tidy = (text: string) => text.replace(/\s+/g, " ").trim();
