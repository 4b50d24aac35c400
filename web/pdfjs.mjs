/** pdf.js as a reader of text alone: it loads no code, makes none of strings, and leaves the page's globals alone. */

import { readFileSync } from "node:fs";

/** What it would load: its worker, which is called here, and decoders of pictures, which are not made. */
const LOADED = /await import\(\s*(?:\/\*[^*]*\*\/\s*)*(?:this\.workerSrc|`[^`]*`)\)/g;
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
      if (!source.match(LOADED) || !source.includes(MADE)) throw new Error(`${path} is not as web/pdfjs.mjs knows it`);
      const contents = source
        .replaceAll(LOADED, 'await Promise.reject(new Error("it is not there"))')
        .replaceAll(MADE, "globalThis");
      return { contents, loader: "js" };
    });
  },
};
