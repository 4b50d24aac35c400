/** What the reader drops or picks: the folder of an index, or documents to make one of. */

import type { IndexFiles } from "evident-check";
import { PageError } from "./advice.js";
import { type Kind, kindOf, type NamedFile } from "./documents.js";
import { bytes, count } from "./format.js";

/** Documents; `leftOut` counts the files that are none. */
export interface Documents {
  documents: NamedFile[];
  leftOut: number;
}

/** An index that the command line wrote, or documents. */
export type Picked = { name: string; index: IndexFiles } | Documents;

/** The most documents that a page indexes: it works in memory. */
const MAX_DOCUMENTS = 5_000;
/** The most bytes of plain text, and of all files: of the other kinds, most is no text. */
const MAX_TEXT = 20_000_000;
const MAX_BYTES = 1_000_000_000;
const PLAIN: readonly (Kind | null)[] = ["text", "markdown", "jsonl"];
/** The most files of a folder: more than an index of millions of passages has. */
const MAX_ENTRIES = 200_000;

/** The files of a picker; those of a folder carry their paths. */
export function filesOf(input: HTMLInputElement): NamedFile[] {
  return Array.from(input.files ?? [], (file) => ({ name: file.webkitRelativePath || file.name, file }));
}

/** The files of a drop, those in folders too. */
export async function filesIn(transfer: DataTransfer): Promise<NamedFile[]> {
  // Gone after a wait.
  const items = Array.from(transfer.items, (item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found: NamedFile[] = [];
  for (const { entry, file } of items) {
    if (entry) await walk(entry, found);
    else if (file) found.push({ name: file.name, file });
  }
  return found;
}

async function walk(entry: FileSystemEntry, found: NamedFile[]): Promise<void> {
  if (found.length >= MAX_ENTRIES)
    throw new PageError("files-too-large", `there are more than ${count(MAX_ENTRIES, "file")}`);
  if (entry.isFile) {
    const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
    found.push({ name: entry.fullPath.replace(/^\//, ""), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return;
    for (const inside of some) await walk(inside, found);
  }
}

/**
 * Tells an index from documents.
 * @throws PageError where there is neither, or too much.
 */
export function pick(files: NamedFile[]): Picked {
  const folders = files
    .map(({ name }) => /^(.*\/)?manifest\.json$/.exec(name))
    .flatMap((match) => (match ? [match[1] ?? ""] : []));
  for (const folder of folders.sort((a, b) => a.length - b.length)) {
    const inside = files.filter(({ name }) => name.startsWith(folder) && !name.slice(folder.length).includes("/"));
    if (!inside.some(({ name }) => name.endsWith(".bin"))) continue;
    const index = new Map(inside.map(({ name, file }) => [name.slice(folder.length), file]));
    return { name: folder.replace(/\/$/, "").replace(/^.*\//, ""), index };
  }
  return documentsIn(files);
}

/**
 * The documents among files.
 * @throws PageError where there is none, or too much.
 */
export function documentsIn(files: NamedFile[]): Documents {
  const documents = files.filter(({ name }) => kindOf(name) && !/(^|\/)\./.test(name));
  if (documents.length === 0) {
    const what =
      files.length === 1
        ? `${files[0]?.name} is not a kind of file that can be read`
        : "none of these files can be read";
    throw new PageError("bad-files", files.length ? what : "no file was chosen");
  }
  const sizeOf = (some: NamedFile[]) => some.reduce((sum, { file }) => sum + file.size, 0);
  const size = sizeOf(documents);
  const text = sizeOf(documents.filter(({ name }) => PLAIN.includes(kindOf(name))));
  if (documents.length > MAX_DOCUMENTS || text > MAX_TEXT || size > MAX_BYTES)
    throw new PageError(
      "files-too-large",
      `these are ${count(documents.length, "file")} of ${bytes(size)}, and a page takes ${count(MAX_DOCUMENTS, "file")}, ${bytes(MAX_TEXT)} of text and ${bytes(MAX_BYTES)} in all`,
    );
  return { documents: unique(documents), leftOut: files.length - documents.length };
}

/** The documents in the order of their names, with no two of the same name: the names make the passages' ids. */
function unique(documents: NamedFile[]): NamedFile[] {
  const seen = new Set<string>();
  return documents
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, file }) => {
      let own = name;
      for (let n = 2; seen.has(own); n++) own = name.replace(/(\.[^.]*)$/, ` (${n})$1`);
      seen.add(own);
      return { name: own, file };
    });
}
