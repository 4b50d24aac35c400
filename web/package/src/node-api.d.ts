/** As much of Node as node.ts and node-worker.ts use. */

declare module "node:worker_threads" {
  export class Worker {
    constructor(address: URL, options?: { name?: string; execArgv?: string[] });
    on(event: "message", listener: (data: unknown) => void): this;
    on(event: "error", listener: (error: Error) => void): this;
    postMessage(message: unknown, transfer?: readonly unknown[]): void;
    terminate(): Promise<number>;
  }
  export const parentPort: {
    on(event: "message", listener: (data: unknown) => void): void;
    postMessage(message: unknown): void;
  } | null;
}

declare module "node:crypto" {
  interface Hash {
    update(bytes: Uint8Array): Hash;
    digest(encoding: "base64"): string;
  }
  export function createHash(algorithm: "sha256"): Hash;
}

declare module "node:dns/promises" {
  export function lookup(host: string, options: { all: true }): Promise<{ address: string; family: number }[]>;
}

declare module "node:module" {
  export function createRequire(address: string): { resolve(specifier: string): string };
}

declare module "node:url" {
  export function pathToFileURL(path: string): URL;
  export function fileURLToPath(address: string | URL): string;
}

declare module "node:fs/promises" {
  export function open(path: string): Promise<{
    stat(): Promise<{ size: number; isFile(): boolean }>;
    read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
    close(): Promise<void>;
  }>;
}

declare module "node:process" {
  const process: {
    cwd(): string;
    on(event: "uncaughtException" | "unhandledRejection", listener: (thrown: unknown) => void): void;
  };
  export default process;
}
