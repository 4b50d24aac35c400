/**
 * pdf.js as a reader of text alone: it loads no code, makes none of strings, leaves the page's globals alone, gives the
 * page its turns, and says which text is invisible and that there is a picture.
 */

import { readFileSync } from "node:fs";

/** What it would load: its worker, which is called here, and decoders of pictures, which are not made. */
const LOADED = /await import\(\s*(?:\/\*[^*]*\*\/\s*)*(?:this\.workerSrc|`[^`]*`)\)/g;
/** Where it rests after 20 ms of work, which gives a page no turn by itself. */
const RESTS = "next(deferred);";
/** A turn by a message: a browser holds the timers of hidden tabs back. A port that is closed keeps no process alive. */
const TURN = `new Promise((turn) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    turn();
  };
  port2.postMessage(null);
})`;
/** Where it unpacks a stream whole; a longer one it unpacks as it reads on. */
const UNPACKS = "totalLength += chunk.byteLength;";
const MOST_UNPACKED = 50_000_000;
/** Where it reads text, and what tells invisible text (PDF 2.0, 9.3.6) and pictures. */
const TOLD = [
  [
    "case OPS.setTextRise:",
    "case OPS.setTextRenderingMode: textState.invisible = args[0] === 3 || args[0] === 7; break;\ncase OPS.setTextRise:",
  ],
  [
    "const baseCharSpacing = font.vertical",
    "if (textContentItem.invisible !== textState.invisible) flushTextContentItem();\nconst baseCharSpacing = font.vertical",
  ],
  [
    "textContentItem.fontName = loadedName;",
    "textContentItem.invisible = textState.invisible;\ntextContentItem.fontName = loadedName;",
  ],
  ["fontName: textChunk.fontName,", "fontName: textChunk.fontName, invisible: textChunk.invisible,"],
  ['if (type.name !== "Form") {', 'if (type.name !== "Form") { textContent.items.push({ type: "picture" });'],
];
/** How it finds the globals of old engines. */
const MADE = "Function('return this')()";

export const pdfjs = {
  name: "pdfjs",
  setup(build) {
    build.initialOptions.define = {
      ...build.initialOptions.define,
      // Where a page's own pdf.js would find this one.
      "globalThis.pdfjsWorker": "globalThis.evidentPdf",
      // In Node it would look for a canvas, and say that there is none.
      "process.versions.nw": "true",
    };
    build.onLoad({ filter: /pdfjs-dist\/legacy\/build\/pdf(\.worker)?\.mjs$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const works =
        [RESTS, UNPACKS, ...TOLD.map(([code]) => code)].every((code) => source.includes(code)) ||
        !path.includes(".worker");
      if (!source.match(LOADED) || !source.includes(MADE) || !works)
        throw new Error(`${path} is not as web/pdfjs.mjs knows it`);
      const contents = TOLD.reduce((code, [before, after]) => code.replace(before, () => after), source)
        .replaceAll(LOADED, 'await Promise.reject(new Error("it is not there"))')
        .replaceAll(RESTS, `next(${TURN});`)
        .replaceAll(UNPACKS, `${UNPACKS} if (totalLength > ${MOST_UNPACKED}) throw new Error("it is too long");`)
        .replaceAll(MADE, "globalThis");
      return { contents, loader: "js" };
    });
  },
};
