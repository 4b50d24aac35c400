/** Holds files to hashes that were known before they were asked for, by Subresource Integrity. */

/** Each file's address, and the hash that it must have, as the attribute `integrity` writes it. */
export type Integrity = Record<string, string>;

/** From now on, `fetch` fails for a file of these that is not what it was. */
export function holdTo(integrity: Integrity): void {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const hash = integrity[input instanceof Request ? input.url : String(input)];
    if (hash === undefined) return fetch(input, init);
    return fetch(input, { ...init, integrity: hash }).catch((cause: unknown) => {
      throw new TypeError("it did not come, or is another file than this version of evident-check was made with", {
        cause,
      });
    });
  };
}
