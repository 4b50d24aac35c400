/** What one person said, as files: labels for `evident eval`, ratings for `evident conner --ratings`. */

import { type Item, isRow, type Line, type Passage, type Row } from "./lines.js";
import { isUnclear, type Side, TASKS, type TaskName } from "./tasks.js";

/** What somebody said of one line. */
export interface Mark {
  /** Of each side its value. */
  values: Record<string, string>;
  /** The evidence that they found, passages parted by empty lines. */
  evidence: string;
  comment: string;
}

/** Marks by the place of their line. */
export type Marks = Record<number, Mark>;

/** A file that a person can save. */
export interface Output {
  /** What its name begins with. */
  stem: string;
  ending: string;
  type: string;
  button: string;
  /** Whether it has anything that the task's other file has not. */
  isDue(marks: Marks): boolean;
  text(lines: Line[], marks: Marks, annotator: string): string;
}

const JSON_LINES = { ending: "jsonl", type: "application/jsonl" };

const some = (marks: Marks, holds: (mark: Mark) => unknown) => Object.values(marks).some(holds);

/** The two files of a task, the one with the labels first. */
export const OUTPUTS: Record<TaskName, [Output, Output]> = {
  facts: [
    {
      ...JSON_LINES,
      stem: "labels",
      button: "Save the labels",
      isDue: (marks) => some(marks, ({ values: { label } }) => label && !isUnclear(label)),
      text: (lines, marks, annotator) => labelsFile(lines.filter(isRow), marks, annotator),
    },
    {
      ...JSON_LINES,
      stem: "left-out",
      button: "Save what is left out",
      isDue: (marks) => some(marks, ({ values: { label } }) => label && isUnclear(label)),
      text: (lines, marks, annotator) => leftOutFile(lines.filter(isRow), marks, annotator),
    },
  ],
  ratings: [
    {
      stem: "ratings",
      ending: "tsv",
      type: "text/tab-separated-values",
      button: "Save the ratings",
      isDue: (marks) => some(marks, ({ values }) => Object.keys(values).length),
      text: (lines, marks, annotator) => ratingsFile(lines as Item[], marks, annotator),
    },
    {
      ...JSON_LINES,
      stem: "answers",
      button: "Save the answers",
      isDue: (marks) => some(marks, ({ comment }) => comment.trim()),
      text: (lines, marks) => answersFile(lines as Item[], marks),
    },
  ],
};

/** The sides from which a line can be judged: without a final answer there is none to be valid. */
export function sidesOf(line: Line): Side[] {
  if (isRow(line)) return TASKS.facts.sides;
  return TASKS.ratings.sides.filter(({ name }) => name !== "validity" || "answer" in line);
}

/** Whether a line has all its values. */
export const isDone = (line: Line, mark: Mark | undefined): boolean =>
  sidesOf(line).every(({ name }) => mark?.values[name]);

/** The labelled sentences as lines of JSON, as `evident eval` reads them, without those that are left out. */
export const labelsFile = (rows: Row[], marks: Marks, annotator: string): string =>
  linesOf(rows, marks, (label) => (isUnclear(label) ? null : { label, annotator }));

/**
 * The sentences that this person leaves out, and why: a set should have no sentence that anybody leaves out (guan2024,
 * Sec. 3).
 */
export const leftOutFile = (rows: Row[], marks: Marks, annotator: string): string =>
  linesOf(rows, marks, (reason) => (isUnclear(reason) ? { label: "not sure", reason, annotator } : null));

function linesOf(rows: Row[], marks: Marks, said: (label: string) => object | null): string {
  const lines = rows.flatMap((row, index) => {
    const mark = marks[index];
    const judgment = mark?.values.label ? said(mark.values.label) : null;
    if (!mark || !judgment) return [];
    const evidence = [...row.evidence, ...passagesOf(mark.evidence)];
    return [jsonLine({ ...row, evidence, ...judgment, ...commentOf(mark) })];
  });
  return lines.join("");
}

/** The passages that somebody has written down. */
function passagesOf(text: string): Passage[] {
  const passages = text.split(/\n\s*\n/).map((passage) => passage.trim());
  return passages.filter((passage) => passage).map((passage) => ({ title: "", text: passage }));
}

/** How many sentences are said to be factual or not without any evidence (guan2024, App. A.2, rule 1). */
export function withoutEvidence(rows: Row[], marks: Marks): number {
  const lacks = ({ evidence }: Row, mark: Mark | undefined) =>
    /factual$/.test(mark?.values.label ?? "") && evidence.length === 0 && !mark?.evidence.trim();
  return rows.filter((row, index) => lacks(row, marks[index])).length;
}

/** The ratings as `evident conner --ratings` reads them: a line for each answer that has any. */
export function ratingsFile(items: Item[], marks: Marks, rater: string): string {
  const names = TASKS.ratings.sides.map(({ name }) => name);
  const rated = items.flatMap(({ id }, index) => {
    const values = names.map((name) => marks[index]?.values[name] ?? "");
    return values.some((value) => value) ? [[id, rater, ...values]] : [];
  });
  return [["id", "rater", ...names], ...rated].map((fields) => `${fields.join("\t")}\n`).join("");
}

/** The answers that the ratings are of, as `evident conner` reads them. */
export const answersFile = (items: Item[], marks: Marks): string =>
  items.map((item, index) => jsonLine({ ...item, ...commentOf(marks[index]) })).join("");

/** As a list, for `evident eval` and `conner` take a plain text for the name of a group. */
const commentOf = (mark: Mark | undefined) => (mark?.comment.trim() ? { comments: [mark.comment.trim()] } : {});

/** An object as a line of JSON, without what is empty. */
function jsonLine(line: object): string {
  const isEmpty = (value: unknown) => value === "" || (Array.isArray(value) && value.length === 0);
  return `${JSON.stringify(Object.fromEntries(Object.entries(line).filter(([, value]) => !isEmpty(value))))}\n`;
}
