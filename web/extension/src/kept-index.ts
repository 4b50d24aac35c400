/**
 * The index of the reader's own files. Its files are kept in the extension's IndexedDB, on this machine; what the
 * options say of it is one of the preferences.
 */

import { transact } from "../../package/src/database.js";
import { EvidentError } from "../../package/src/errors.js";
import type { IndexFiles } from "../../package/src/protocol.js";

const DATABASE = "evident-own-files";
const STORE = "indexes";
/** There is one such index. */
const KEY = "own";

/**
 * Keeps an index in the place of the one before.
 * @throws the browser's error, such as "QuotaExceededError", as a rejection; then the one before stays.
 */
export async function keepIndex(files: IndexFiles): Promise<void> {
  await ask("readwrite", (store) => store.put(files, KEY));
}

/** @throws EvidentError "index-missing" if the browser has lost it. */
export async function keptIndex(): Promise<IndexFiles> {
  const files = await ask<IndexFiles | undefined>("readonly", (store) => store.get(KEY)).catch(() => undefined);
  if (files) return files;
  throw new EvidentError(
    "index-missing",
    "the browser no longer has the index of your files, perhaps because its disk is full: choose the files again in the options",
  );
}

export async function dropIndex(): Promise<void> {
  await ask("readwrite", (store) => store.delete(KEY));
}

function ask<Result>(
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  return transact(DATABASE, STORE, mode, (store) => {
    const asked = request(store);
    return () => asked.result;
  });
}
