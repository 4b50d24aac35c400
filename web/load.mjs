/** Has Node run a TypeScript module of this folder. */

import { build } from "esbuild";
import { pdfjs } from "./pdfjs.mjs";

/** The exports of the module at a path. */
export async function load(path) {
  return import(`data:text/javascript,${encodeURIComponent(await bundle(path))}`);
}

/** The module at a path as one script, but for the engine. */
export async function bundle(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    format: "esm",
    charset: "utf8",
    external: ["./wasm/*"],
    plugins: [pdfjs],
    write: false,
  });
  return outputFiles[0].text;
}
