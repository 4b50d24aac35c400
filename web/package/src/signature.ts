/**
 * Signatures by minisign (Ed25519 over BLAKE2b, https://jedisct1.github.io/minisign/): the publisher of a file vouches
 * for it and numbers its versions. It is fetched only when a caller names a key.
 */

import { blake2b } from "@noble/hashes/blake2.js";

/** A file that is not signed by the key; the message is the end of a sentence about it. */
export class Unsigned extends Error {}

/** The platform cannot check Ed25519. */
export class Unavailable extends Error {}

const MALFORMED = "its signature is not one of minisign's";
const WRONG = "its signature does not hold: the file is another one, or one of both has been changed";
const NO_VERSION = "its signature states no version: sign it with -t version:N, where N grows from version to version";

/** The two letters of minisign's kinds of signature: of the file's BLAKE2b, and of the file itself. */
const [PREHASHED, LEGACY] = ["ED", "Ed"];
/** A key is "Ed", a number that names it, and 32 bytes; a signature is its kind, that number, and 64 bytes. */
const KIND = 2;
const HEAD = KIND + 8;
const SIGNATURE = 64;

/**
 * The version of a file that a key has signed: the number N of `version:N` in the trusted comment, which is one of
 * several words there or the only one.
 * @param key as minisign writes it, such as "RWQ..."
 * @throws Unsigned, as a rejection; Unavailable where the platform has no Ed25519.
 */
export async function signedVersion(key: string, file: BufferSource, minisig: BufferSource): Promise<number> {
  const [head, signed, trusted, whole, ...rest] = textOf(minisig)
    .replace(/\r?\n$/, "")
    .split(/\r?\n/);
  const signature = bytesOf(signed, HEAD + SIGNATURE);
  const comment = /^trusted comment: (.*)$/.exec(trusted ?? "")?.[1];
  if (!head?.startsWith("untrusted comment: ") || comment === undefined || rest.length > 0)
    throw new Unsigned(MALFORMED);
  const own = bytesOf(key, HEAD + 32);
  const kind = String.fromCharCode(...signature.subarray(0, KIND));
  if (kind === LEGACY) throw new Unsigned("its signature is of minisign's legacy kind: sign it without -l");
  if (kind !== PREHASHED) throw new Unsigned(MALFORMED);
  if (own.subarray(KIND, HEAD).join() !== signature.subarray(KIND, HEAD).join())
    throw new Unsigned("another key has signed it");
  const holds = await verifierOf(own.subarray(HEAD));
  const proof = signature.subarray(HEAD);
  const sealed = new Uint8Array([...proof, ...new TextEncoder().encode(comment)]);
  if (!(await holds(proof, blake2b(viewOf(file)))) || !(await holds(bytesOf(whole, SIGNATURE), sealed)))
    throw new Unsigned(WRONG);
  const versions = comment.split(/[ \t]/).filter((word) => word.startsWith("version:"));
  const digits = /^version:(\d{1,15})$/.exec(versions[0] ?? "")?.[1];
  if (digits === undefined || versions.length > 1) throw new Unsigned(NO_VERSION);
  return Number(digits);
}

/** A function that says whether a signature is this key's of a message. */
async function verifierOf(key: BufferSource) {
  const { subtle } = globalThis.crypto ?? {};
  const imported = await subtle?.importKey("raw", key, "Ed25519", false, ["verify"]).catch(() => undefined);
  if (!imported)
    throw new Unavailable(
      subtle
        ? "this browser cannot check signatures by Ed25519: take one of the year 2025 or later"
        : "a page can check signatures only if it came over https or from localhost",
    );
  return (signature: BufferSource, message: BufferSource) => subtle.verify("Ed25519", imported, signature, message);
}

function textOf(bytes: BufferSource): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Unsigned(MALFORMED);
  }
}

/** Decodes Base64 to exactly `length` bytes; any encoding but the canonical one is refused. */
function bytesOf(base64: string | undefined, length: number): Uint8Array<ArrayBuffer> {
  try {
    const text = atob(base64 ?? "");
    if (text.length === length && btoa(text) === base64) return Uint8Array.from(text, (byte) => byte.charCodeAt(0));
  } catch {
    // no Base64
  }
  throw new Unsigned(MALFORMED);
}

const viewOf = (bytes: BufferSource): Uint8Array =>
  ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
