/** What is being labelled and what was said so far. The browser keeps it until something else is labelled. */

import type { Marks } from "./files.js";
import type { Line } from "./lines.js";
import type { TaskName } from "./tasks.js";

/** What is labelled. */
export interface Work {
  task: TaskName;
  /** Where the lines are from. */
  source: string;
  lines: Line[];
}

/** What one person said, where they are, and the stems of the files that lack the last of it. */
export interface Labels {
  annotator: string;
  at: number;
  marks: Marks;
  unsaved: string[];
}

/** Who labels, and what each person said. */
export interface People {
  now: string;
  labels: Labels[];
}

/** Apart, for the lines are long and stay the same. */
const KEYS = { work: "evident-label-lines", people: "evident-label-marks" };

/** Keeps the lines, and drops what was said of others; false where the browser has no room. */
export function keepWork(work: Work): boolean {
  try {
    for (const key of Object.values(KEYS)) localStorage.removeItem(key);
    localStorage.setItem(KEYS.work, JSON.stringify(work));
    return true;
  } catch {
    return false;
  }
}

/** Keeps what was said; false where the browser has no room, or keeps nothing. */
export function keepPeople(people: People): boolean {
  try {
    localStorage.setItem(KEYS.people, JSON.stringify(people));
    return localStorage.getItem(KEYS.work) !== null;
  } catch {
    return false;
  }
}

/** What was kept; null for nothing. */
export function kept(): { work: Work; people: People } | null {
  try {
    const [work, people] = [KEYS.work, KEYS.people].map((key) => JSON.parse(localStorage.getItem(key) ?? "null"));
    return work && people && { work, people };
  } catch {
    return null;
  }
}
