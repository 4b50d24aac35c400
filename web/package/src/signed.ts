/** Checks that a pack and an index are signed by the keys that a caller names, and not older than those before. */

import { EvidentError } from "./errors.js";
import { platform } from "./platform.js";
import type { Expected, OpenOptions } from "./protocol.js";
import { MANIFESTS } from "./published.js";
import type { Notice } from "./report.js";
import { type KeepVersion, keepInBrowser } from "./versions.js";

/** The public keys of minisign, such as "RWQ...", by which pack.json and the index's manifest.json must be signed. */
export interface SignedBy {
  pack?: string;
  index?: string;
}

type Part = keyof SignedBy;

/** The most bytes of each file: those that the engine reads of it. */
const MOST: Record<Part, number> = { pack: 4 << 20, index: 1 << 20 };
/** The most bytes of a signature; minisign's have some 300. */
const MOST_OF_SIGNATURE = 16 << 10;

/** A fetch is given up after this silence, as the engine's are (crate/web/src/http/error.rs). */
const PATIENCE_MS = 15_000;

/** The caller's options on signatures. */
export interface Signing {
  signedBy: SignedBy;
  keepVersion?: KeepVersion | undefined;
  signal?: AbortSignal | undefined;
  onNotice?: ((notice: Notice) => void) | undefined;
}

/**
 * The hashes that pack and index must have: those expected already, and where a key is named, that of the file it has
 * signed.
 * @throws EvidentError, as a rejection, if a file is not signed by its key, has a lower version than one accepted
 * before, or has another hash than is expected.
 */
export async function signedHashes(
  { pack, index, expected }: Pick<OpenOptions, "pack" | "index" | "expected">,
  signing: Signing,
): Promise<Expected> {
  const places = { pack, index };
  const parts = (Object.keys(places) as Part[]).filter((part) => signing.signedBy[part] !== undefined);
  const hashes = await Promise.all(
    parts.map(async (part) => {
      const take = async (cache: RequestCache) => {
        const { hash, version } = await signedFile(part, places[part], signing, cache);
        if (expected[part] !== undefined && expected[part] !== hash)
          throw new EvidentError(
            `${part}-unexpected`,
            `the ${part} is signed, but is not the one that is expected: it has ${hash} and should have ${expected[part]}`,
          );
        await accept(part, places[part], version, signing);
        return hash;
      };
      const hash = await take("no-cache").catch((error: unknown) => {
        const code = error instanceof EvidentError ? error.code : "";
        if (![`${part}-unsigned`, `${part}-rollback`, "network"].includes(code)) throw error;
        return take("reload"); // a cache on the way may have an older one of the two files
      });
      return [part, hash];
    }),
  );
  return { ...expected, ...Object.fromEntries(hashes) };
}

/** The hash of a part, as `Expected` has it, and its version, after its signature was found right. */
async function signedFile(
  part: Part,
  place: OpenOptions["index"],
  { signedBy, signal }: Signing,
  cache: RequestCache,
): Promise<{ hash: string; version: number }> {
  const [name, key] = [MANIFESTS[part], signedBy[part] ?? ""];
  const [file, signature] = await Promise.all([
    read(part, place, name, MOST[part], cache, signal),
    read(part, place, `${name}.minisig`, MOST_OF_SIGNATURE, cache, signal),
  ]);
  if (!file) throw new EvidentError(`${part}-missing`, `${name} is not there: check the address of the ${part}`);
  if (!signature)
    throw new EvidentError(
      `${part}-unsigned`,
      `${name}.minisig is not there: sign ${name} with minisign -S -t version:N`,
    );
  const version = await versionOf(part, key, file, signature);
  const checksum = checksumOf(part, file); // the key may sign other files too
  return { hash: part === "pack" ? await sha256(file) : checksum, version };
}

/**
 * Accepts a version unless a higher one was accepted from the same address. An index given as files has no address, and
 * is always accepted.
 * @throws EvidentError, as a rejection.
 */
async function accept(
  part: Part,
  place: OpenOptions["index"],
  version: number,
  { signedBy, keepVersion, onNotice }: Signing,
): Promise<void> {
  if (typeof place !== "string") return;
  const keep = keepVersion ?? ((...it) => keepOrTell(...it, onNotice));
  const name = `${signedBy[part]} ${new URL(MANIFESTS[part], place).href}`;
  let highest: unknown;
  try {
    highest = await keep(name, version);
  } catch (cause) {
    throw new EvidentError("bad-settings", `keepVersion failed: ${cause}`, { cause });
  }
  if (typeof highest !== "number" || !(highest >= version))
    throw new EvidentError("bad-settings", `keepVersion gave ${highest}, not the highest version so far`);
  if (version < highest)
    throw new EvidentError(
      `${part}-rollback`,
      `${MANIFESTS[part]} is of version ${version}, but version ${highest} was here before: see who has put it back, or sign it above ${highest}`,
    );
}

async function versionOf(part: Part, key: string, file: BufferSource, signature: BufferSource): Promise<number> {
  const { signedVersion, Unavailable, Unsigned } = await import("./signature.js").catch((cause: unknown) => {
    throw new EvidentError(
      "network",
      "signature.js could not be loaded: it belongs beside the module of this package",
      {
        cause,
      },
    );
  });
  try {
    return await signedVersion(key, file, signature);
  } catch (error) {
    if (error instanceof Unsigned)
      throw new EvidentError(`${part}-unsigned`, `${MANIFESTS[part]} is not signed by ${key}: ${error.message}`);
    if (error instanceof Unavailable) throw new EvidentError("signature-unavailable", error.message);
    throw error;
  }
}

/** Stores a version in the browser; if the browser stores nothing, each version counts as the first. */
async function keepOrTell(name: string, version: number, onNotice: Signing["onNotice"]): Promise<number> {
  return keepInBrowser(name, version).catch(() => {
    const message = "no version of what is signed is kept here: an older one in its place will not be noticed";
    onNotice?.({ kind: "not-kept", message });
    return version;
  });
}

/** A file of a pack or an index, at most so many bytes of it; null where it is not there. */
async function read(
  part: Part,
  place: OpenOptions["index"],
  name: string,
  most: number,
  cache: RequestCache,
  signal: AbortSignal | undefined,
): Promise<ArrayBuffer | null> {
  if (typeof place !== "string")
    return (
      (await place
        .get(name)
        ?.slice(0, most + 1)
        .arrayBuffer()) ?? null
    );
  const address = new URL(name, place).href;
  const silence = new Silence();
  const ended = AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]);
  try {
    const response = await platform.fetch(address, { cache, signal: ended });
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const body = response.body?.pipeThrough(
      upTo(most, () => silence.begin()),
      { signal: ended },
    );
    return await new Response(body).arrayBuffer();
  } catch (cause) {
    if (signal?.aborted) throw EvidentError.cancelled(signal);
    if (cause instanceof TooLong)
      throw new EvidentError(`${part}-corrupt`, `${address} has more than ${most} bytes: another file is in its place`);
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EvidentError("network", `${address} could not be fetched: ${why}`, { cause });
  } finally {
    silence.end();
  }
}

/** The time in which a host has sent nothing. */
class Silence {
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.begin();
  }

  /** Aborts once it is too long. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  begin(): void {
    this.end();
    const tooLong = () => new Error(`the host sent nothing for ${PATIENCE_MS / 1000} seconds`);
    this.#timer = setTimeout(() => this.#controller.abort(tooLong()), PATIENCE_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

class TooLong extends Error {}

/** Passes at most this many bytes on and fails at more; `onBytes` is told of each chunk. */
function upTo(most: number, onBytes: () => void): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      onBytes();
      bytes += chunk.length;
      if (bytes > most) controller.error(new TooLong());
      else controller.enqueue(chunk);
    },
  });
}

async function sha256(bytes: BufferSource): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The checksum that pack.json or an index's manifest states of itself; the engine verifies it. */
function checksumOf(part: Part, manifest: ArrayBuffer): string {
  try {
    const { checksum } = JSON.parse(new TextDecoder().decode(manifest)) as { checksum?: unknown };
    if (typeof checksum === "string" && /^[0-9a-f]{64}$/.test(checksum)) return checksum;
  } catch {
    // no JSON
  }
  throw new EvidentError(`${part}-corrupt`, `${MANIFESTS[part]} is signed, but it describes no ${part}`);
}
