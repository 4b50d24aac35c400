/** The versions of signed files that were accepted, so that nobody can put an older one in their place. */

import { transact } from "./database.js";

/**
 * Keeps the highest version under a name, which is that of a key and of an address: given one, it gives the highest so
 * far, this one included. Two calls at once must not undo each other.
 */
export type KeepVersion = (name: string, version: number) => number | Promise<number>;

const DATABASE = "evident-versions";
const STORE = "highest";

/**
 * Keeps it in the browser.
 * @throws the browser's error, where it keeps nothing, as a rejection.
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
