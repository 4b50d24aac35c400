/** What differs between a browser and Node: node.ts puts Node's in place of the browser's. */

/** What this package takes from its surroundings. */
export interface Platform {
  /** What relative addresses are relative to. */
  base(): string | undefined;
  /** The address of a folder of an installed package; undefined where that cannot be known. */
  installed(path: string): string | undefined;
  /** Starts the worker of the directory `engine`, or of this package; null where a browser does that. */
  startWorker: ((engine: string | undefined) => Worker) | null;
  /** Fetches a file from the web, and in Node from the disk too. */
  fetch(address: string, init: RequestInit): Promise<Response>;
  /** Whether `fetch` tells of a redirect before it follows it. */
  seesRedirects: boolean;
  /** The IP addresses of a host; null where nobody can tell. */
  lookup: ((host: string) => Promise<string[]>) | null;
}

export const platform: Platform = {
  base: () => globalThis.document?.baseURI ?? globalThis.location?.href,
  installed: () => undefined,
  startWorker: null,
  fetch: (address, init) => fetch(address, init),
  seesRedirects: false,
  lookup: null,
};
