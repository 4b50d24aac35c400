/** The versions of signed files that were accepted, so that nobody can put an older one in their place. */

import { transact } from "./database.js";

/**
 * Stores the highest version of a name, which is made of a key and an address, and returns the highest so far, the
 * given one included. Two calls at once must not overwrite each other's version.
 */
export type KeepVersion = (name: string, version: number) => number | Promise<number>;

const DATABASE = "evident-versions";
const STORE = "highest";

/**
 * Stores it in the browser.
 * @throws the browser's error, as a rejection, if it stores nothing.
 */
export function keepInBrowser(name: string, version: number): Promise<number> {
  return transact(DATABASE, STORE, "readwrite", (store) => {
    const before: IDBRequest<number | undefined> = store.get(name);
    let known = 0;
    before.onsuccess = () => {
      known = before.result ?? 0;
      if (version > known) store.put(version, name);
    };
    return () => Math.max(version, known);
  });
}
