/** The wasm modules, and which of them a backend uses in this browser. */

import type { BackendKind } from "./report.js";

/**
 * The wasm modules: WebGPU's, and two of the CPU's, of which "relaxed" is for browsers with relaxed SIMD and for a
 * memory that workers can share.
 */
export type ModuleName = BackendKind | "relaxed";

/** A module whose one function, of no arguments, is i8x16.relaxed_swizzle of two vectors. */
const RELAXED_SIMD = Uint8Array.from([
  ...[
    0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b, 0x03, 0x02, 0x01, 0x00,
    0x0a, 0x0f, 0x01,
  ],
  ...[0x0d, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x41, 0x00, 0xfd, 0x0f, 0xfd, 0x80, 0x02, 0x0b],
]);

/**
 * The module that a backend computes with in this browser. Threads that share a memory need `Atomics.waitAsync`.
 */
export function moduleOf(backend: BackendKind): ModuleName {
  return backend === "cpu" && "waitAsync" in Atomics && WebAssembly.validate(RELAXED_SIMD) ? "relaxed" : backend;
}

/**
 * Whether this many threads get one memory: in a page that is cross-origin isolated, from a module that is made for it.
 */
export function sharesMemory(module: ModuleName, threads: number): boolean {
  const { crossOriginIsolated = false } = globalThis as { crossOriginIsolated?: boolean };
  return module === "relaxed" && threads > 1 && crossOriginIsolated;
}
