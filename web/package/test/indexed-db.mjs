/** An IndexedDB in memory, of as much as the package and the demo take: one store, whose transactions exclude each other. */

/** What is stored by its key. Set `isFull` to refuse more. */
export class FakeDatabase {
  stored = new Map();
  isFull = false;
  /** Settles when the transactions so far have ended. */
  ended = Promise.resolve();

  /** Takes the place of the browser's. */
  install() {
    const result = { createObjectStore() {}, transaction: () => new Transaction(this), close() {} };
    const open = () => {
      const opening = { result };
      queueMicrotask(() => opening.onsuccess());
      return opening;
    };
    globalThis.indexedDB = { open };
  }
}

/** A transaction: its requests run one after the other, on a copy that is stored if all goes well. */
class Transaction {
  #requests = [];
  #database;
  error = null;
  constructor(database) {
    this.#database = database;
    database.ended = database.ended.then(() => this.#run());
  }
  objectStore() {
    const ask = (act) => {
      const request = { result: undefined };
      this.#requests.push([request, act]);
      return request;
    };
    return {
      get: (key) => ask((data) => structuredClone(data.get(key))),
      put: (value, key) => {
        const copy = structuredClone(value);
        return ask((data) => {
          if (this.#database.isFull) throw new DOMException("no room", "QuotaExceededError");
          data.set(key, copy);
        });
      },
      delete: (key) => ask((data) => void data.delete(key)),
      clear: () => ask((data) => data.clear()),
    };
  }
  async #run() {
    const data = new Map(this.#database.stored);
    try {
      while (this.#requests.length > 0) {
        const [request, act] = this.#requests.shift();
        await null;
        request.result = act(data);
        request.onsuccess?.();
      }
    } catch (error) {
      this.error = error;
      return this.onabort();
    }
    this.#database.stored = data;
    this.oncomplete();
  }
}
