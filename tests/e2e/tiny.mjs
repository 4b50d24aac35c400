/** A small pack of random weights and a small index, for tests that open them hundreds of times. */

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./browser.mjs";
import { indexOf, sealed } from "./host.mjs";

const FILES = ["config.json", "tokenizer.json", "model.safetensors"];

/** An answer of three sentences on what the index has. */
export const ANSWER = "Iron is a metal of country 3. It was found in the year 7. Tin is not blue.";

/** A folder with `pack` and `index`, in `scratch`. */
export function tiny(scratch) {
  const folder = join(scratch, "tiny");
  const pack = join(folder, "pack");
  mkdirSync(pack, { recursive: true });
  const files = FILES.map((path) => {
    cpSync(join(REPOSITORY, "tests/parity/models/golden/mpnet", path), join(pack, path));
    const bytes = readFileSync(join(pack, path));
    return { path, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
  });
  const [config, tokenizer, path] = FILES;
  const models = { nli: { config, tokenizer, weights: [{ path }] } };
  writeFileSync(join(pack, "pack.json"), sealed({ name: "tiny", version: "1.0.0", files, models }));
  const passages = Array.from({ length: 40 }, (_, n) => {
    const metal = ["Iron", "Tin", "Gold"][n % 3];
    const text = `${metal} is a metal of country ${n}. It was found in the year ${n % 9}. It is not blue.`;
    return { id: String(n), title: `${metal} ${n}`, text };
  });
  indexOf(passages, folder, "index");
  return folder;
}
