/** What the page's own worker takes from the engine's wasm module (crate/web), beside the built worker. */
declare module "*/evident.js" {
  export default function init(): Promise<unknown>;
  /** Opens an index, at an address that ends in a slash or of files by name, and says what it is. */
  export function inspectIndex(index: string | ReadonlyMap<string, Blob>): Promise<{ passages: number; hash: string }>;
  export class IndexBuilder {
    add(name: string, jsonl: Uint8Array): number;
    build(): Map<string, Uint8Array<ArrayBuffer>>;
  }
}
