/** Files to label as lines of one form: those of `evident eval` and `evident conner`, saved reports, and answers. */

import type { Split } from "evident-check";
import { PageError } from "../advice.js";

export interface Passage {
  title: string;
  text: string;
}

/** What both kinds of lines have; other members of a file's line stay with it. */
interface Base {
  id: string;
  question: string;
  evidence: Passage[];
  [other: string]: unknown;
}

/** A sentence to label: a line of `evident eval` (crate/eval/EVAL.md) without its label. */
export interface Row extends Base {
  statement: string;
  context: string;
}

/** An answer to rate: a line of `evident conner` (crate/verify/CONNER.md). Its text is the knowledge. */
export interface Item extends Base {
  knowledge: string;
}

/** What is labelled: all lines of a file are of one kind. */
export type Line = Row | Item;

export const isRow = (line: Line): line is Row => "statement" in line;

/** Parts an answer, as `Verifier.split` does. */
export type Splitter = (answer: string, question: string) => Promise<Pick<Split, "sentences" | "leftOut">>;

type Given = Record<string, unknown>;

/** CONNER's published layout, by the name of a file. */
const TSV = /\.tsv$/i;

/**
 * The sentences of a file: its statements as they stand, and those of its reports and answers, each after what precedes
 * it. Labels that the file has are left out, for nobody should see them before having labelled.
 * @throws PageError "bad-lines".
 */
export async function rowsIn(file: string, text: string, split: Splitter): Promise<Row[]> {
  if (TSV.test(file)) throw bad(1, "a TSV is for ratings: choose these, or a file of JSON lines");
  const rows: Row[] = [];
  for (const [number, given] of objectsIn(text)) {
    const at = new Reader(given, number);
    const { label, annotator, comments, ...others } = given;
    const base = { question: at.text("question"), evidence: at.passages() };
    if ("statement" in given) {
      const statement = at.text("statement") || at.fail("its statement is empty");
      rows.push({ ...others, ...base, id: at.id(`${number}`), statement, context: at.text("context") });
      continue;
    }
    const id = at.id(`${file.replace(/\.[^.]*$/, "")}.${number}`);
    if ("sentences" in given) {
      const sentences = [...at.places("sentences"), ...at.places("unjudged")]; // the latter if the check ended early
      rows.push(...sentencesOf({ ...base, id }, sentences, at.places("leftOut")));
      continue;
    }
    const answer = at.answer();
    const { answer: _, knowledge, query, reference, referenceKnowledge, topic, ...groups } = others;
    const question = base.question || at.text("query");
    const { sentences, leftOut } = await split(answer, question);
    rows.push(...sentencesOf({ ...groups, ...base, question, id }, sentences, leftOut));
  }
  return filled(rows);
}

/** A sentence in its answer, and what a report says of it. */
interface Place {
  text: string;
  start: number;
  evidence?: Passage[];
  verdict?: string;
}

/** The sentences of one answer, numbered from 1. */
function sentencesOf(answer: Base, sentences: Place[], leftOut: Place[]): Row[] {
  const byStart = (places: Place[]) => places.toSorted((a, b) => a.start - b.start);
  const all = byStart([...sentences, ...leftOut]);
  return byStart(sentences).map(({ text, start, evidence = answer.evidence, verdict }, index) => ({
    ...answer,
    id: `${answer.id}.${index + 1}`,
    paragraph: answer.id,
    position: index + 1,
    statement: text,
    context: all
      .filter((before) => before.start < start)
      .map(({ text }) => text)
      .join(" "),
    evidence,
    ...(verdict ? { verdict } : {}),
  }));
}

/** What parts the turns of a dialogue in chen2023's files. */
const TURN = "[SEP]";

/**
 * The answers of a file, with the ids that `evident conner` gives them. Where there is no knowledge, the answer is that
 * itself.
 * @throws PageError "bad-lines".
 */
export function itemsIn(file: string, text: string): Item[] {
  const objects = TSV.test(file) ? tsvIn(text) : objectsIn(text);
  const seen = new Set<string>();
  const items = objects.map(([number, given]): Item => {
    const at = new Reader(given, number);
    const { answer, query, comments, ...others } = given;
    const id = at.id(`${number}`);
    if (id !== id.trim() || /[\t\r\n]/.test(id)) at.fail("its id has a tab, a line break or a space at an end");
    if (seen.has(id)) at.fail(`another line has the id "${id}" too`);
    seen.add(id);
    const base = { id, question: at.text("question") || at.text("query"), evidence: at.passages() };
    if ("sentences" in given) return { ...base, knowledge: at.answer() };
    const final = "knowledge" in given && at.text("answer");
    return { ...others, ...base, knowledge: at.answer(), ...(final ? { answer: final } : {}) };
  });
  return filled(items);
}

/** The lines of chen2023's TSV as objects: topic, query, knowledge, answer, of which the last is the right one. */
function tsvIn(text: string): [number, Given][] {
  return numbered(text).map(([number, line]) => {
    const [topic, query = "", knowledge, reference, ...more] = line.split("\t");
    const turns = query.split(TURN).map((turn) => turn.trim());
    if (reference === undefined || more.length > 0)
      throw bad(number, "it has not topic, query, knowledge and answer, parted by tabs");
    return [number, { topic, question: turns.findLast((turn) => turn) ?? "", knowledge, reference }];
  });
}

/** The objects of a file, each with its line's number; a file may be one object over many lines. */
function objectsIn(text: string): [number, Given][] {
  try {
    return numbered(text).map(([number, line]) => [number, objectOf(line, number)]);
  } catch (error) {
    try {
      return [[1, objectOf(text, 1)]];
    } catch {
      throw error; // that of the line
    }
  }
}

/** The lines that are not blank, from 1. */
function numbered(text: string): [number, string][] {
  return text
    .split(/\r?\n/)
    .map((line, index): [number, string] => [index + 1, line])
    .filter(([, line]) => line.trim());
}

function objectOf(json: string, number: number): Given {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw bad(number, "it is no JSON");
  }
  if (isObject(value)) return value;
  throw bad(number, "it is no JSON object");
}

/** Reads the members of one line. */
class Reader {
  readonly #given: Given;
  readonly #number: number;

  constructor(given: Given, number: number) {
    this.#given = given;
    this.#number = number;
  }

  fail(why: string): never {
    throw bad(this.#number, why);
  }

  /** A member that is text; "" where it is missing. */
  text(name: string): string {
    const value = this.#given[name] ?? "";
    return typeof value === "string" ? value : this.fail(`its ${name} is no text`);
  }

  /** The line's own id, or another. */
  id(other: string): string {
    const { id } = this.#given;
    return ["string", "number", "boolean"].includes(typeof id) ? `${id}` : other;
  }

  answer(): string {
    const answer = this.text("knowledge") || this.text("answer");
    return answer || this.fail("it has no statement, answer or knowledge");
  }

  passages(): Passage[] {
    return this.#list("evidence").map((at) => {
      const text = at.text("text") || this.fail("a passage of its evidence has no text");
      return { title: at.text("title"), text };
    });
  }

  /** The sentences in a list of a report. */
  places(name: string): Place[] {
    return this.#list(name).map((at) => {
      const { start } = at.#given;
      return {
        text: at.text("text"),
        start: typeof start === "number" ? start : this.fail(`one of its ${name} has no start`),
        evidence: at.passages(),
        verdict: at.text("verdict"),
      };
    });
  }

  /** A member that is a list of objects; none where it is missing. */
  #list(name: string): Reader[] {
    const value = this.#given[name] ?? [];
    const list = Array.isArray(value) ? value : this.fail(`its ${name} must be a list`);
    return list.map(
      (given) => new Reader(isObject(given) ? given : this.fail(`its ${name} must be a list of objects`), this.#number),
    );
  }
}

const isObject = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function filled<T>(lines: T[]): T[] {
  if (lines.length === 0) throw new PageError("bad-lines", "there is nothing in it to label");
  return lines;
}

const bad = (number: number, why: string) => new PageError("bad-lines", `line ${number} cannot be labelled: ${why}`);
