/**
 * The snippets of a page of documentation, so that a test can run the very text that a reader copies. What follows the
 * language of a fenced block says what it is:
 *
 *     ```js file=src/main.js       this file of the reader's project
 *     ```sh run                    commands to run in the project's folder
 *     ```http send                 response headers, under the name that a test asks for
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FENCE = /^```(\w*) *(\S*)\s*$/;

/**
 * The fenced blocks of a Markdown file in order: `{ heading, language, mark, code }`; `heading` is the one that they
 * stand under.
 */
export function snippets(file) {
  const found = [];
  let heading = "";
  let open = null;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (open && line.trim() === "```") {
      found.push({ ...open, code: `${open.lines.join("\n")}\n` });
      open = null;
    } else if (open) {
      open.lines.push(line);
    } else if (FENCE.test(line.trim())) {
      const [, language, mark] = FENCE.exec(line.trim());
      open = { heading, language, mark, lines: [] };
    } else if (line.startsWith("#")) {
      heading = line.replace(/^#+ /, "");
    }
  }
  return found;
}

/**
 * Makes the project of these snippets in `folder`: writes every file and runs every command, in their order. Gives what
 * the commands printed.
 */
export function follow(snippets, folder, env = process.env) {
  let printed = "";
  for (const { mark, code } of snippets) {
    if (mark === "run")
      printed += execFileSync("bash", ["-euc", code], {
        cwd: folder,
        env,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
    if (!mark.startsWith("file=")) continue;
    const path = join(folder, mark.slice("file=".length));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
  return printed;
}

/** The response headers that the page gives under this mark. */
export function headers(snippets, mark) {
  const lines = snippets
    .filter((snippet) => snippet.language === "http" && snippet.mark === mark)
    .flatMap(({ code }) => code.trim().split("\n"));
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/)));
}
