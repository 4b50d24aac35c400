/**
 * The worker that builds an index from the reader's files, or inspects one made elsewhere, with the engine's code. It
 * serves one request.
 */

import type { IndexFiles } from "evident-check";
import { moduleOf } from "../package/src/module.js";
import { kindOf, passagesOf } from "./documents.js";

/** A reader's file; the name has its folders, and no two files share one. */
export interface NamedFile {
  name: string;
  file: File;
}

/** From the page: look at this index (its address ends in a slash), or build one. */
export type Request = { type: "inspect"; index: string | IndexFiles } | { type: "build"; files: NamedFile[] };

/** To the page: news, then one of the last two. `files` is the index that was built. */
export type Reply =
  | { type: "reading"; name: string; loaded: number; total: number }
  | { type: "indexing"; passages: number }
  | { type: "ready"; passages: number; hash: string; files?: IndexFiles }
  | { type: "failed"; code: string; message: string };

self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  answer(data).then(post, (thrown: unknown) => {
    const { code, message } = (thrown instanceof Error ? thrown : new Error(String(thrown))) as Error & {
      code?: string;
    };
    post({ type: "failed", code: code ?? "internal", message });
  });
});

async function answer(request: Request): Promise<Reply> {
  const engine = await load();
  if (request.type === "inspect") {
    const { index } = request;
    return { type: "ready", ...(await engine.inspectIndex(index).catch((error: unknown) => explained(error, index))) };
  }

  const builder = new engine.IndexBuilder();
  const total = request.files.reduce((sum, { file }) => sum + file.size, 0);
  let loaded = 0;
  let passages = 0;
  for (const { name, file } of request.files) {
    post({ type: "reading", name, loaded, total });
    const bytes = new Uint8Array(await file.arrayBuffer());
    passages = builder.add(name, kindOf(name) === "jsonl" ? bytes : jsonl(name, textOf(name, bytes)));
    loaded += file.size;
  }
  post({ type: "indexing", passages });
  const files = new Map(Array.from(builder.build(), ([name, bytes]) => [name, new Blob([bytes])]));
  return { type: "ready", ...(await engine.inspectIndex(files)), files };
}

/** Loads the wasm module that the page's engine loads too, so that it is fetched once. */
async function load() {
  const start = async (importing: Promise<typeof import("./wasm/cpu/evident.js")>) => {
    const module = await importing;
    await module.default();
    return module;
  };
  if (moduleOf("cpu") === "relaxed") {
    const relaxed = await start(import("./wasm/relaxed/evident.js")).catch(() => undefined);
    if (relaxed) return relaxed;
  }
  return start(import("./wasm/cpu/evident.js"));
}

/**
 * A browser reports a host that is down like one that lets no other site read. A request whose answer stays hidden
 * tells them apart.
 */
async function explained(error: unknown, index: string | IndexFiles): Promise<never> {
  const failed = error instanceof Error && "code" in error && error.code === "network";
  if (!failed || typeof index !== "string" || new URL(index).origin === location.origin) throw error;
  await fetch(`${index}manifest.json`, { mode: "no-cors" }).catch(() => Promise.reject(error));
  throw Object.assign(new Error(`${index} answers, but lets no other site read it`), { code: "index-blocked" });
}

function jsonl(name: string, text: string): Uint8Array {
  const lines = Array.from(passagesOf(name, text), (passage) => `${JSON.stringify(passage)}\n`);
  return new TextEncoder().encode(lines.join(""));
}

/** The text of a file: UTF-8, or UTF-16 with its mark. */
function textOf(name: string, bytes: Uint8Array): string {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = utf16 ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text.replace(/\r\n?/g, "\n");
  } catch {
    // told below
  }
  throw Object.assign(new Error(`${name} is not text in UTF-8: save it as that, or leave it out`), {
    code: "bad-passages",
  });
}

function post(reply: Reply): void {
  self.postMessage(reply);
}
