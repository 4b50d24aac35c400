/** A PDF, by pdf.js: the text of each page. Its scripts are not run, and no picture or font of it is made. */

import { getDocument, PasswordException, PDFWorker, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { WorkerMessageHandler } from "pdfjs-dist/legacy/build/pdf.worker.mjs";
import { BadDocument } from "./bad-document.js";
import type { Document, Section } from "./passages.js";

/**
 * What a PDF says, a section for each page. pdf.js works where it is called and starts no worker; a page of the web
 * stays usable meanwhile, for its two halves speak over a channel.
 * @throws BadDocument
 */
export async function read(name: string, bytes: Uint8Array): Promise<Document> {
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
    const pdf = await task.promise;
    const pages: string[][] = [];
    for (let number = 1; number <= pdf.numPages; number++) pages.push(await linesOf(await pdf.getPage(number)));
    const sections = sectionsOf(pages);
    if (!sections.some(({ text }) => text.trim()))
      throw new BadDocument(
        `${name} has no text: its pages are pictures. A program that reads pictures (OCR) can add it`,
      );
    const { info } = await pdf.getMetadata();
    const { Title: title } = info as { Title?: unknown };
    return { title: typeof title === "string" ? title.trim() : "", sections };
  } catch (error) {
    if (error instanceof BadDocument) throw error;
    if (error instanceof PasswordException) throw new BadDocument(`${name} is locked with a password`);
    throw new BadDocument(`${name} is damaged, or no PDF`);
  } finally {
    await task.destroy();
    worker.destroy();
    port1.close();
  }
}

/** The lines of a page, from top to bottom as the file has them. */
async function linesOf(page: Awaited<ReturnType<Awaited<ReturnType<typeof getDocument>["promise"]>["getPage"]>>) {
  const { items } = await page.getTextContent();
  const lines = [""];
  for (const item of items) {
    if (!("str" in item)) continue;
    lines.push(`${lines.pop() ?? ""}${item.str}`);
    if (item.hasEOL) lines.push("");
  }
  page.cleanup();
  return lines.map((line) => line.trim()).filter(Boolean);
}

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
