/** A PDF, by pdf.js: the text of each page. Its scripts are not run, and no picture or font of it is made. */

import { getDocument, PasswordException, PDFWorker, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { WorkerMessageHandler } from "pdfjs-dist/legacy/build/pdf.worker.mjs";
import type { Passage } from "../passage.js";
import { BadDocument, isBadDocument } from "./bad-document.js";
import { linesOf, type Piece } from "./layout.js";
import { type Document, passagesOf, type Section } from "./passages.js";
import { CITED, type Ends, Reading } from "./reading.js";

/**
 * The passages of a PDF that an answer cites.
 * @throws BadDocument, and the reason of the signal
 */
export async function passagesOfPdf(address: string, bytes: Uint8Array, ends: Ends): Promise<Passage[]> {
  const [whole = ""] = address.split("#", 1); // a passage's address ends in its page
  const reading = new Reading(address, CITED, ends);
  return passagesOf(await read(address, bytes, reading), whole, reading);
}

/**
 * What a PDF says, a section for each page. pdf.js works where it is called and starts no worker; a page of the web
 * stays usable meanwhile, for it gives the event loop a turn after 20 ms (web/pdfjs.mjs).
 * @throws BadDocument, and the reason of the reading's signal
 */
export async function read(name: string, bytes: Uint8Array, reading: Reading): Promise<Document> {
  reading.check();
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
    return await Promise.race([documentOf(name, task, reading), aborted(reading.ended)]);
  } catch (error) {
    reading.check();
    if (isBadDocument(error)) throw error;
    if (error instanceof PasswordException) throw new BadDocument(`${name} is locked with a password`);
    throw new BadDocument(`${name} is damaged, or no PDF`);
  } finally {
    // Not awaited, and it keeps no process alive: pdf.js ends at the reading's next turn of the event loop, if any.
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
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

async function documentOf(name: string, task: Task, reading: Reading): Promise<Document> {
  const pdf = await task.promise;
  reading.count("pages", pdf.numPages);
  const pages: string[][] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const items: TextItem[] = [];
    let hasPicture = false;
    for await (const item of itemsOf(await pdf.getPage(number))) {
      reading.check();
      if (!("str" in item)) {
        hasPicture ||= item.type === "picture";
        continue;
      }
      reading.count("characters of text", item.str.length);
      items.push(item);
    }
    pages.push(linesOf(shown(items, hasPicture).map(pieceOf)));
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

/** What is on a page: the pieces of its text as the file has them, and pictures. */
async function* itemsOf(page: Page): AsyncGenerator<TextContent["items"][number]> {
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    yield* value.items;
  }
  page.cleanup();
}

/** The text that a page shows; of a scanned page also the invisible text that OCR has added. */
function shown(items: TextItem[], hasPicture: boolean): TextItem[] {
  const lengthOf = (isInvisible: boolean) =>
    items.reduce((sum, { invisible = false, str }) => (invisible === isInvisible ? sum + str.length : sum), 0);
  if (hasPicture && lengthOf(true) > lengthOf(false)) return items;
  return items.map((item) => (item.invisible ? { ...item, str: "" } : item));
}

/** A piece of text where it stands, whichever way its page is turned. */
function pieceOf({ str, transform, width, height, hasEOL }: TextItem): Piece {
  const [a = 1, b = 0, , , x = 0, y = 0] = transform as number[];
  const scale = Math.hypot(a, b) || 1;
  const [cos, sin] = [a / scale, b / scale];
  return { text: str, x: x * cos + y * sin, y: y * cos - x * sin, width, size: height, isLast: hasEOL };
}

type Task = ReturnType<typeof getDocument>;
type Page = Awaited<ReturnType<Awaited<Task["promise"]>["getPage"]>>;
type TextContent = Awaited<ReturnType<Page["getTextContent"]>>;
/** web/pdfjs.mjs adds whether it is invisible. */
type TextItem = Extract<TextContent["items"][number], { str: string }> & { invisible?: boolean };

/** The pages without the lines at their head and foot that most pages share, whatever the number in them. */
function sectionsOf(pages: string[][]): Section[] {
  const key = (line = "") => line.replace(/\d+/g, "#");
  const met = new Map<string, number>();
  for (const lines of pages)
    for (const end of new Set([key(lines[0]), key(lines.at(-1))])) met.set(end, (met.get(end) ?? 0) + 1);
  const isShared = (line: string) => (met.get(key(line)) ?? 0) > Math.max(2, pages.length / 2);
  const texts = pages.map((lines) => {
    const last = lines.length - 1;
    return joined(lines.filter((line, at) => !((at === 0 || at === last) && isShared(line))));
  });
  for (let page = 1; page < texts.length; page++) {
    const [before = "", after = ""] = [texts[page - 1], texts[page]];
    const rest = goesOn(before, after) ? firstOf(after) : "";
    if (rest) [texts[page - 1], texts[page]] = [joined([before, rest]), after.slice(rest.length)];
  }
  return texts.map((text, index) => ({ heading: "", text, page: index + 1 }));
}

/** Whether the last sentence of a page goes on upon the next. */
function goesOn(before: string, after: string): boolean {
  if (!before || /[.!?:…]["”’»)\]]*$/.test(before)) return false;
  return (
    /^\p{Ll}/u.test(after) ||
    /([,;]|\b(an?|the|of|in|on|at|to|by|for|from|with|and|or|is|are|was|were|has|had))$/i.test(before)
  );
}

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });
/** The most characters of a sentence. */
const LONGEST = 600;

/** The first sentence of a text; "" if it is none. */
function firstOf(text: string): string {
  const start = text.slice(0, LONGEST).replace(/\s/g, " ");
  const [first] = sentences.segment(start);
  return first && (first.segment.length < start.length || start.length < LONGEST)
    ? text.slice(0, first.segment.length)
    : "";
}

/** Lines as one text; a word that a hyphen parts at the end of a line is whole again. */
const joined = (lines: string[]) => lines.join("\n").replace(/(\p{L})-\n(?=\p{Ll})/gu, "$1");
