/** What is being labelled and what was said so far. The browser keeps it until something else is labelled. */

import type { Marks } from "./files.js";
import type { Line } from "./lines.js";
import type { TaskName } from "./tasks.js";

/** What is labelled. */
export interface Work {
  /** Tells these lines from others of the same file. */
  id: string;
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

/** Keeps the lines, in place of any others; none where the browser has no room. */
export function keepWork(work: Work): void {
  try {
    localStorage.setItem(KEYS.work, JSON.stringify(work));
  } catch {
    localStorage.removeItem(KEYS.work); // labels of other lines are worth nothing beside these
  }
}

/** Keeps what was said of the lines; false where the browser has no room, or does not have these lines. */
export function keepPeople(people: People, { id }: Work): boolean {
  try {
    localStorage.setItem(KEYS.people, JSON.stringify({ id, people }));
    return keptWork()?.id === id;
  } catch {
    return false;
  }
}

/** What was kept; null for nothing. Another tab may have kept other lines: then nobody has said anything of them. */
export function kept(): { work: Work; people: People } | null {
  try {
    const work = keptWork();
    const { id, people } = JSON.parse(localStorage.getItem(KEYS.people) ?? "{}");
    return work && { work, people: id === work.id ? people : { now: people?.now ?? "", labels: [] } };
  } catch {
    return null;
  }
}

const keptWork = (): Work | null => JSON.parse(localStorage.getItem(KEYS.work) ?? "null");
