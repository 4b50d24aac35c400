/** A small pack of random weights and a small index, for tests that open them hundreds of times. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./browser.mjs";
import { EVIDENT, indexOf, sealed } from "./host.mjs";

/** An answer of three sentences on what the index has. */
export const ANSWER = "Iron is a metal of country 3. It was found in the year 7. Tin is not blue.";

/** A folder with `pack` and `index`, in `scratch`. */
export function tiny(scratch) {
  const folder = join(scratch, "tiny");
  tinyPack(join(folder, "pack"));
  const passages = Array.from({ length: 40 }, (_, n) => {
    const metal = ["Iron", "Tin", "Gold"][n % 3];
    const text = `${metal} is a metal of country ${n}. It was found in the year ${n % 9}. It is not blue.`;
    return { id: String(n), title: `${metal} ${n}`, text };
  });
  indexOf(passages, folder, "index");
  return folder;
}

/** The pack alone, in the folder `pack`. */
export function tinyPack(pack) {
  for (const file of ["config.json", "tokenizer.json", "model.safetensors"])
    cpSync(join(REPOSITORY, "tests/parity/models/golden/mpnet", file), join(pack, file));
  const { status, stderr } = spawnSync(EVIDENT, ["pack", "seal", pack], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const manifest = JSON.parse(readFileSync(join(pack, "pack.json"), "utf8"));
  writeFileSync(join(pack, "pack.json"), sealed({ ...manifest, models: { nli: manifest.models.model } }));
}
