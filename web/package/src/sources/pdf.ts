/** A PDF, by pdf.js: the text of each page. Its scripts are not run, and no picture or font of it is made. */

import { getDocument, PasswordException, PDFWorker, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { WorkerMessageHandler } from "pdfjs-dist/legacy/build/pdf.worker.mjs";
import { BadDocument } from "./bad-document.js";
import type { Document, Section } from "./passages.js";

/** How much of a PDF is read: all of it, where nothing else is said. */
export interface Limits {
  /** Ends the reading. */
  signal?: AbortSignal;
  /** The most pages. */
  pages?: number;
  /** The most UTF-16 units of text. */
  text?: number;
}

/**
 * What a PDF says, a section for each page. pdf.js works where it is called and starts no worker; a page of the web
 * stays usable meanwhile, for it gives the event loop a turn after 20 ms (web/pdfjs.mjs).
 * @throws BadDocument, and the signal's reason
 */
export async function read(name: string, bytes: Uint8Array, limits: Limits = {}): Promise<Document> {
  limits.signal?.throwIfAborted();
  const { port1, port2 } = new MessageChannel();
  WorkerMessageHandler.initializeFromPort(port1);
  for (const port of [port1, port2]) port.start();
  // It takes a worker for a port, and only ever posts and listens.
  const worker = PDFWorker.create({ port: port2 as unknown as Worker, verbosity: VerbosityLevel.ERRORS });
  const task = getDocument({
    worker,
    data: bytes,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    stopAtErrors: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    return await Promise.race([documentOf(name, task, limits), aborted(limits.signal)]);
  } catch (error) {
    limits.signal?.throwIfAborted();
    if (error instanceof BadDocument) throw error;
    if (error instanceof PasswordException) throw new BadDocument(`${name} is locked with a password`);
    throw new BadDocument(`${name} is damaged, or no PDF`);
  } finally {
    // Nobody waits for it, nor does a process: it ends at the next turn of what is being read, if that has one.
    for (const port of [port1, port2] as { unref?(): void }[]) port.unref?.();
    void task
      .destroy()
      .catch(() => undefined)
      .finally(() => {
        worker.destroy();
        port1.close();
      });
  }
}

/** Rejects once a signal aborts. */
const aborted = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

async function documentOf(
  name: string,
  task: Task,
  { signal, pages: mostPages = Infinity, text: mostText = Infinity }: Limits,
): Promise<Document> {
  const pdf = await task.promise;
  if (pdf.numPages > mostPages)
    throw new BadDocument(`${name} has ${pdf.numPages} pages, and at most ${mostPages} are read`, "tooLarge");
  const pages: string[][] = [];
  let left = mostText;
  for (let number = 1; number <= pdf.numPages; number++) {
    const lines = [""];
    for await (const item of itemsOf(await pdf.getPage(number))) {
      signal?.throwIfAborted();
      left -= item.str.length;
      if (left < 0) throw new BadDocument(`${name} has more than ${mostText} characters of text`, "tooLarge");
      lines.push(`${lines.pop() ?? ""}${item.str}`);
      if (item.hasEOL) lines.push("");
    }
    pages.push(lines.map((line) => line.trim()).filter(Boolean));
  }
  const sections = sectionsOf(pages);
  if (!sections.some(({ text }) => text.trim()))
    throw new BadDocument(
      `${name} has no text: its pages are pictures. A program that reads pictures (OCR) can add it`,
    );
  const { info } = await pdf.getMetadata();
  const { Title: title } = info as { Title?: unknown };
  return { title: typeof title === "string" ? title.trim() : "", sections };
}

/** The pieces of a page's text as they are found, from top to bottom as the file has them. */
async function* itemsOf(page: Page): AsyncGenerator<TextItem> {
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    for (const item of value.items) if ("str" in item) yield item;
  }
  page.cleanup();
}

type Task = ReturnType<typeof getDocument>;
type Page = Awaited<ReturnType<Awaited<Task["promise"]>["getPage"]>>;
type TextContent = Awaited<ReturnType<Page["getTextContent"]>>;
type TextItem = Extract<TextContent["items"][number], { str: string }>;

/** The pages without the lines at their head and foot that most pages share, whatever the number in them. */
function sectionsOf(pages: string[][]): Section[] {
  const key = (line = "") => line.replace(/\d+/g, "#");
  const met = new Map<string, number>();
  for (const lines of pages)
    for (const end of new Set([key(lines[0]), key(lines.at(-1))])) met.set(end, (met.get(end) ?? 0) + 1);
  const isShared = (line: string) => (met.get(key(line)) ?? 0) > Math.max(2, pages.length / 2);
  return pages.map((lines, index) => {
    const last = lines.length - 1;
    const own = lines.filter((line, at) => !((at === 0 || at === last) && isShared(line)));
    return { heading: "", text: joined(own), page: index + 1 };
  });
}

/** Lines as one text; a word that a hyphen parts at the end of a line is whole again. */
const joined = (lines: string[]) => lines.join("\n").replace(/(\p{L})-\n(?=\p{Ll})/gu, "$1");
