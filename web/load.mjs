/** Has Node run a TypeScript module of this folder. */

import { build } from "esbuild";

/** The exports of the module at a path. */
export async function load(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    format: "esm",
    charset: "utf8",
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
