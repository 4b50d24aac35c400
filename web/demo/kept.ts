/** The last checks, in the browser's IndexedDB: a list of them, and each with all that it found. */

import type { Footprint, Report } from "evident-check";
import { transact } from "../package/src/database.js";
import { onOneLine, summaryOf } from "./format.js";
import { type Begun, SCHEMA } from "./found.js";

/** A check that has ended well. */
export interface KeptCheck {
  /** When it ended, in milliseconds since 1970. No two checks have the same. */
  at: number;
  /** The page's name for what it was checked against. */
  against: string;
  fields: Fields;
  /** The answer as it is shown. */
  blocks: Begun["blocks"];
  report: Report;
  footprint: Footprint;
}

/** The settings as the form has them. */
export interface Fields {
  backend: string;
  passages: string;
  rerank: boolean;
  both: boolean;
  exact: boolean;
}

/** What the list says of a check. */
export interface Entry {
  at: number;
  /** The first words of the answer. */
  words: string;
  /** How many sentences have each verdict, in words. */
  tally: string;
  /** The version of its report. The page can show no other than its own. */
  schema: number;
}

/** How many checks are kept. */
const MOST = 20;
/** The most characters of an entry's words. */
const WORDS = 80;

const DATABASE = "evident-checks";
const STORE = "checks";
/** The key of the list; that of a check is its time. */
const LIST = "list";

/** The list, the newest first. */
export function keptChecks(): Promise<Entry[]> {
  return transact(DATABASE, STORE, "readonly", (store) => {
    const list: IDBRequest<Entry[] | undefined> = store.get(LIST);
    return () => (list.result ?? []).filter(isReadable);
  });
}

/** What was kept of a check; undefined if it no longer is. */
export function keptCheck(at: number): Promise<KeptCheck | undefined> {
  return transact(DATABASE, STORE, "readonly", (store) => {
    const check: IDBRequest<KeptCheck | undefined> = store.get(at);
    return () => check.result;
  });
}

/** Keeps a check, in place of the oldest if there are too many; gives the new list. */
export function keepCheck(check: KeptCheck): Promise<Entry[]> {
  return change((list, store) => {
    store.put(check, check.at);
    const others = list.filter(({ at }) => at !== check.at);
    return [entryOf(check), ...others].toSorted((a, b) => b.at - a.at).slice(0, MOST);
  });
}

/** Keeps what a check has found since; not if it was forgotten meanwhile. */
export async function updateCheck(check: KeptCheck): Promise<void> {
  await change((list, store) => {
    if (list.some(({ at }) => at === check.at)) store.put(check, check.at);
    return list;
  });
}

/** Deletes a check; gives the new list. */
export function forgetCheck(at: number): Promise<Entry[]> {
  return change((list) => list.filter((entry) => entry.at !== at));
}

/** Deletes all of them. */
export function forgetChecks(): Promise<void> {
  return transact(DATABASE, STORE, "readwrite", (store) => {
    store.clear();
    return () => undefined;
  });
}

/** Changes the list, and deletes the checks that it has no longer; both or, where that fails, nothing. */
function change(next: (list: Entry[], store: IDBObjectStore) => Entry[]): Promise<Entry[]> {
  return transact(DATABASE, STORE, "readwrite", (store) => {
    const asked: IDBRequest<Entry[] | undefined> = store.get(LIST);
    let list: Entry[] = [];
    asked.onsuccess = () => {
      const before = asked.result ?? [];
      list = next(before.filter(isReadable), store);
      for (const { at } of before) if (!list.some((entry) => entry.at === at)) store.delete(at);
      store.put(list, LIST);
    };
    return () => list;
  });
}

const isReadable = ({ schema }: Entry) => schema === SCHEMA;

function entryOf({ at, report }: KeptCheck): Entry {
  const line = onOneLine(report.answer);
  const words = line.length > WORDS ? `${line.slice(0, WORDS).replace(/\s\S*$/, "")} …` : line;
  const tally = report.sentences.length ? summaryOf(report.sentences) : "nothing to check";
  return { at, words: words.toWellFormed(), tally, schema: report.schema };
}
