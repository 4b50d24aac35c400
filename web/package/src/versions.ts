/** The versions of signed files that were accepted, so that nobody can put an older one in their place. */

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
export async function keepInBrowser(name: string, version: number): Promise<number> {
  const database = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, "readwrite"); // one after the other, in all tabs
      const store = transaction.objectStore(STORE);
      const before: IDBRequest<number | undefined> = store.get(name);
      let known = 0;
      before.onsuccess = () => {
        known = before.result ?? 0;
        if (version > known) store.put(version, name);
      };
      transaction.oncomplete = () => resolve(Math.max(version, known));
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}
