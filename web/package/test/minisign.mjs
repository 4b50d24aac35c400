/** Minisign's keys and signatures for tests, by Node's OpenSSL: what is tested shares no code with it. */

import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A new key pair; `publicKey` is as minisign writes it. */
export function keyPair() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const name = randomBytes(8);
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  return { name, privateKey, publicKey: Buffer.concat([Buffer.from("Ed"), name, raw]).toString("base64") };
}

/** The text of a file's .minisig. */
export function minisig({ name, privateKey }, file, comment) {
  const proof = sign(null, createHash("blake2b512").update(file).digest(), privateKey);
  const whole = sign(null, Buffer.concat([proof, Buffer.from(comment)]), privateKey);
  const signature = Buffer.concat([Buffer.from("ED"), name, proof]).toString("base64");
  return `untrusted comment: a test's\n${signature}\ntrusted comment: ${comment}\n${whole.toString("base64")}\n`;
}
