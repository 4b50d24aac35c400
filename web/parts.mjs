/**
 * Says what each part costs in a browser module, in bytes of code before wasm-opt, by the names that cargo leaves in
 * it.
 *
 *   node web/parts.mjs [FILE]
 *
 * FILE is the module that was built last: target/wasm32-unknown-unknown/wasm/evident_web.wasm
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The parts, each by its crates; a crate counts to the first that knows it. */
const PARTS = [
  ["our own code", /^evident/],
  ["GPU kernels (cubek, cubecl-std, burn-cubecl)", /^(cubek|cubecl_std|burn_cubecl)/],
  ["GPU compiler (cubecl, pliron, combine)", /^(cubecl|pliron|combine|rustc_apfloat)/],
  ["wgpu and naga", /^(wgpu|naga)/],
  ["Burn on the CPU (burn-flex, gemm)", /^(burn_flex|gemm|macerator|pulp|dyn_stack)/],
  ["the rest of Burn", /^burn/],
  ["tokenizers", /^(tokenizers|spm_precompiled|unicode)/],
  ["regular expressions", /^(regex|fancy_regex|aho_corasick|memchr)/],
  ["JSON and safetensors", /^(serde|safetensors)/],
  ["JavaScript glue", /^(wasm_bindgen|__wbindgen|js_sys|web_sys|gloo)/],
  ["Rust's own library", /^(core|alloc|std|hashbrown|compiler_builtins|dlmalloc)/],
  ["others", /./],
];

const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../target", import.meta.url));
const bytes = readFileSync(process.argv[2] ?? join(target, "wasm32-unknown-unknown/wasm/evident_web.wasm"));

/** Reads a module from a place on. */
class Reader {
  constructor(at) {
    this.at = at;
  }
  byte() {
    return bytes[this.at++];
  }
  number() {
    for (let value = 0, shift = 1; ; shift *= 128) {
      const byte = this.byte();
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  }
  text() {
    const length = this.number();
    return bytes.toString("utf8", this.at, (this.at += length));
  }
  limits() {
    const bounded = this.byte() & 1;
    this.number();
    if (bounded) this.number();
  }
}

/** Skips an import; whether it is a function, which take the first numbers. */
function imported(reader) {
  reader.text();
  reader.text();
  const kind = reader.byte();
  if (kind === 0) reader.number();
  else if (kind === 3) reader.at += 2;
  else {
    if (kind === 1) reader.byte();
    reader.limits();
  }
  return kind === 0;
}

const [sizes, names] = [[], new Map()];
let [first, data] = [0, 0];
for (const reader = new Reader(8); reader.at < bytes.length; ) {
  const id = reader.byte();
  const size = reader.number();
  const end = reader.at + size;
  if (id === 2) for (let left = reader.number(); left > 0; left--) first += imported(reader);
  else if (id === 10)
    for (let left = reader.number(); left > 0; left--) {
      const length = reader.number();
      sizes.push(length);
      reader.at += length;
    }
  else if (id === 11) data = size;
  else if (id === 0 && reader.text() === "name")
    while (reader.at < end) {
      const kind = reader.byte();
      const next = reader.number() + reader.at;
      if (kind === 1) for (let left = reader.number(); left > 0; left--) names.set(reader.number(), reader.text());
      reader.at = next;
    }
  reader.at = end;
}

/**
 * The crate that a mangled name is of; of an implementation, that of the first type or trait in it that is not Rust's
 * own.
 */
function crateOf(name) {
  const [, length, rest] = /^_ZN(\d+)(.*)$/s.exec(name) ?? [];
  const head = rest === undefined ? name : rest.slice(0, Number(length));
  if (!head.includes("$")) return head;
  const found = [...head.matchAll(/(?:^|\$)_?([a-z][a-z0-9_]*)\.\./g)].map(([, crate]) => crate);
  return found.find((crate) => !["core", "alloc", "std"].includes(crate)) ?? "core";
}

const totals = new Map(PARTS.map(([part]) => [part, 0]));
sizes.forEach((size, i) => {
  const crate = crateOf(names.get(first + i) ?? "");
  const [part] = PARTS.find(([, crates]) => crates.test(crate)) ?? PARTS.at(-1);
  totals.set(part, totals.get(part) + size);
});
const row = (part, size) => console.log(`${part.padEnd(48)} ${(size / 1e3).toFixed(0).padStart(7)} kB`);
for (const [part, size] of [...totals].sort((a, b) => b[1] - a[1])) row(part, size);
row("data", data);
