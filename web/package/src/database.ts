/** The browser's IndexedDB, as one store in a database of its own. */

/**
 * Runs one transaction. `begin` makes its requests and returns a function, which gives the result once they are done.
 * @throws the browser's error, as a rejection, if it stores nothing or has no room; then nothing has changed.
 */
export async function transact<Result>(
  name: string,
  store: string,
  mode: IDBTransactionMode,
  begin: (store: IDBObjectStore) => () => Result,
): Promise<Result> {
  const database = await openDatabase(name, store);
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(store, mode); // one after the other, in all tabs
      const result = begin(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(result());
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

function openDatabase(name: string, store: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(store);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}
