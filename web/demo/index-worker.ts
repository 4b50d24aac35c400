/**
 * The worker that builds an index from the reader's files or from a page of the web, inspects one made elsewhere, or reads
 * what an answer cites. It serves one request.
 */

import type { IndexFiles, Passage, UnreadSource } from "evident-check";
import { moduleOf } from "../package/src/module.js";
import { BadDocument, isBadDocument } from "../package/src/sources/bad-document.js";
import { pdfReader } from "../package/src/sources/bytes.js";
import { decoded } from "../package/src/sources/encoding.js";
import { fetchSources } from "../package/src/sources/fetch.js";
import { type Document, passagesOf } from "../package/src/sources/passages.js";
import { OWN, Reading } from "../package/src/sources/reading.js";
import { documentOfText, type Kind, kindOf, type NamedFile } from "./documents.js";
import { failure, fetched, reached } from "./web-page.js";

/**
 * From the page: look at this index (its address ends in a slash), build one of files or of what is at an address, fetch
 * the pages that an answer cites, or read a file as one of them, which is named by its address.
 */
export type Request =
  | { type: "inspect"; index: string | IndexFiles }
  | { type: "build"; files: NamedFile[] }
  | { type: "page"; address: string }
  | { type: "sources"; addresses: string[] }
  | { type: "passages"; name: string; kind: Kind | null; file: Blob };

/**
 * To the page: news, then one of the last four. `files` is the index that was built, `unread` says which documents it
 * lacks and why.
 */
export type Reply =
  | { type: "reading"; name: string; file: number; of: number; loaded: number; total: number }
  | { type: "indexing"; passages: number }
  | { type: "source"; address: string; source: Passage[] | UnreadSource }
  | { type: "sources" }
  | { type: "passages"; passages: Passage[] }
  | { type: "ready"; passages: number; hash: string; files?: IndexFiles; unread?: string[] }
  | { type: "failed"; code: string; message: string };

/** The most text of documents that is indexed, in bytes: it is done in memory. */
const MOST_TEXT = 20_000_000;

self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  answer(data).then(post, (thrown: unknown) => {
    const { code, message } = (thrown instanceof Error ? thrown : new Error(String(thrown))) as Error & {
      code?: string;
    };
    post({ type: "failed", code: code ?? "internal", message });
  });
});

async function answer(request: Request): Promise<Reply> {
  if (request.type === "sources") {
    await fetchSources(request.addresses, { onSource: (address, source) => post({ type: "source", address, source }) });
    return { type: "sources" };
  }
  if (request.type === "passages") {
    const { name, kind, file } = request;
    const lines = await linesOf(name, kind, new Uint8Array(await file.arrayBuffer()));
    return { type: "passages", passages: passagesOfLines(name, lines) };
  }

  const engine = await load();
  if (request.type === "inspect") {
    const { index } = request;
    return { type: "ready", ...(await engine.inspectIndex(index).catch((error: unknown) => explained(error, index))) };
  }

  const builder = new engine.IndexBuilder();
  const documents: (NamedFile & { kind?: Kind; charset?: string })[] =
    request.type === "page" ? [await fetched(request.address)] : request.files;
  const total = documents.reduce((sum, { file }) => sum + file.size, 0);
  const bad: Error[] = [];
  let [loaded, passages, text] = [0, 0, 0];
  for (const [at, { name, file, kind = kindOf(name), charset }] of documents.entries()) {
    post({ type: "reading", name, file: at + 1, of: documents.length, loaded, total });
    try {
      const lines = await linesOf(name, kind, new Uint8Array(await file.arrayBuffer()), charset);
      text += lines.length;
      if (text > MOST_TEXT)
        throw failure("files-too-large", `their text is more than ${MOST_TEXT / 1e6} MB by ${name}`);
      passages = builder.add(name, lines);
    } catch (error) {
      if (!isBadDocument(error) && !isBadPassages(error)) throw error;
      bad.push(error);
      if (bad.length === documents.length) throw bad[0];
    }
    loaded += file.size;
  }
  post({ type: "indexing", passages });
  const files = new Map(Array.from(builder.build(), ([name, bytes]) => [name, new Blob([bytes])]));
  return { type: "ready", ...(await engine.inspectIndex(files)), files, unread: bad.map(({ message }) => message) };
}

interface Reader {
  read(name: string, bytes: Uint8Array, reading: Reading, charset: string): Promise<Document>;
}

/** The reader of each kind, which is fetched when a file of that kind comes. */
const READERS: Partial<Record<Kind, () => Promise<Reader>>> = {
  pdf: pdfReader,
  docx: () => import("./readers/docx.js"),
  html: () => import("./readers/html.js"),
  epub: () => import("./readers/epub.js"),
};

/**
 * The passages of a document as lines of JSON.
 * @throws BadDocument
 */
async function linesOf(name: string, kind: Kind | null, bytes: Uint8Array, charset = ""): Promise<Uint8Array> {
  if (kind === "jsonl") return bytes;
  const reader = await (kind && READERS[kind])?.();
  const reading = new Reading(name, OWN);
  const document = reader
    ? await documentOf(reader, name, bytes, reading, charset)
    : documentOfText(textOf(name, bytes, charset), kind);
  const lines = jsonl(await passagesOf(document, name, reading));
  if (lines.length === 0) throw new BadDocument(`${name} has no text`);
  return lines;
}

/** What a reader makes of a document. Any error that it throws becomes one about this document alone. */
function documentOf(
  reader: Reader,
  name: string,
  bytes: Uint8Array,
  reading: Reading,
  charset: string,
): Promise<Document> {
  return reader.read(name, bytes, reading, charset).catch((error: unknown) => {
    if (isBadDocument(error)) throw error;
    throw new BadDocument(`${name} cannot be read (${error instanceof Error ? error.message : error})`);
  });
}

/** The passages of these lines of JSON. */
function passagesOfLines(name: string, lines: Uint8Array): Passage[] {
  const text = textOf(name, lines);
  try {
    return text
      .split("\n")
      .filter((line) => line.trim())
      .map((line) => JSON.parse(line) as Passage);
  } catch {
    throw failure("bad-passages", `${name} has a line that is no passage`);
  }
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
 * A browser reports the same error for a host that is down and for one without CORS. A "no-cors" request, whose answer
 * stays hidden, tells them apart.
 */
async function explained(error: unknown, index: string | IndexFiles): Promise<never> {
  const failed = error instanceof Error && "code" in error && error.code === "network";
  if (!failed || typeof index !== "string" || new URL(index).origin === location.origin) throw error;
  await reached(`${index}manifest.json`).catch(() => Promise.reject(error));
  throw failure("index-blocked", `${index} answers, but lets no other site read it`);
}

function jsonl(passages: Iterable<Passage>): Uint8Array {
  const lines = Array.from(passages, (passage) => `${JSON.stringify(passage)}\n`);
  return new TextEncoder().encode(lines.join(""));
}

/** The builder's error for a file of passages; the file is then not added. */
const isBadPassages = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && error.code === "bad-passages";

/**
 * The text of a file, in the encoding that its host names: UTF-8, or UTF-16 with its mark.
 * @throws BadDocument
 */
function textOf(name: string, bytes: Uint8Array, charset = ""): string {
  const text = decoded(bytes, charset, "utf-8");
  if (text === null || text.includes("\0"))
    throw new BadDocument(`${name} is not text in UTF-8: save it as that, or leave it out`);
  return text.replace(/\r\n?/g, "\n");
}

function post(reply: Reply): void {
  self.postMessage(reply);
}
