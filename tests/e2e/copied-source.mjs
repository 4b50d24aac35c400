/** The repository with an extension that a test may change. */

import { cp, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { REPOSITORY } from "./browser.mjs";

/** What web/extension/build.mjs reads beside the extension. */
const LINKED = [
  ...["dist", "models", "LICENSE"],
  ...["demo", "load.mjs", "node_modules", "package", "tsconfig.json"].map((name) => `web/${name}`),
];

/**
 * Copies the extension's source to `root` and links all else that its build reads; `others` are folders in the place of
 * the repository's "dist" and "models".
 */
export async function copySource(root, others = {}) {
  await mkdir(join(root, "web"), { recursive: true });
  for (const name of LINKED) await symlink(others[name] ?? join(REPOSITORY, name), join(root, name));
  await cp(join(REPOSITORY, "web/extension"), join(root, "web/extension"), { recursive: true });
}
