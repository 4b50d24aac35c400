/**
 * The package in Node: all that index.ts has, with Node's threads for workers. Addresses may be paths, and the models
 * and the index are those of evident-check-models and evident-check-demo-index if these are installed.
 */

import { lookup } from "node:dns/promises";
import { createRequire } from "node:module";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { Worker as Thread } from "node:worker_threads";
import { fetchFile } from "./node-file.js";
import { platform } from "./platform.js";

export * from "./index.js";

const HERE = import.meta.url;

/** A thread as a browser's worker, as far as this package uses one. */
class NodeWorker extends EventTarget {
  readonly #thread: Thread;

  constructor(address: URL) {
    super();
    this.#thread = new Thread(address, { name: "evident", execArgv: [] });
    this.#thread.on("message", (data) => this.dispatchEvent(new MessageEvent("message", { data })));
    this.#thread.on("error", ({ message }) => this.dispatchEvent(Object.assign(new Event("error"), { message })));
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    this.#thread.postMessage(message, transfer);
  }

  terminate(): void {
    void this.#thread.terminate();
  }
}

Object.assign(platform, {
  base: () => `${pathToFileURL(process.cwd()).href}/`,
  installed(path: string): string | undefined {
    try {
      return new URL("./", pathToFileURL(createRequire(HERE).resolve(path))).href;
    } catch {
      return undefined; // it is not installed
    }
  },
  startWorker: (engine: string | undefined) =>
    new NodeWorker(new URL("./node-worker.js", engine ?? HERE)) as EventTarget as Worker,
  fetch: (address: string, init: RequestInit) =>
    address.startsWith("file:") ? fetchFile(new Request(address, init)) : fetch(address, init),
  seesRedirects: true,
  lookup: async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address),
} satisfies typeof platform);
