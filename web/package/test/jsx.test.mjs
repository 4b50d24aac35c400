/** `<evident-check>` in JSX, as the project's own TypeScript checks it: no framework is installed, each has a stand-in. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("../../", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "evident-jsx-"));
before(async () => {
  assert.equal(await tsc("--project", join(web, "package"), "--outDir", join(home, "package")), "");
});
after(() => rmSync(home, { recursive: true, force: true }));

/** As much of a framework's JSX as this takes. */
const JSX = `namespace JSX {
  interface Element { type: string }
  interface ElementChildrenAttribute { children: {} }
  interface IntrinsicElements { section: { id?: string; children?: unknown; ref?(element: HTMLElement): void } }
}`;
const STAND_INS = {
  react: {
    "index.d.ts": `export ${JSX}`,
    "jsx-runtime.d.ts":
      'import type * as React from "react";\nexport namespace JSX { interface ElementChildrenAttribute { children: {} } interface IntrinsicElements extends React.JSX.IntrinsicElements {} }\nexport declare const jsx: unknown, jsxs: unknown;',
  },
  preact: {
    "index.d.ts": `export ${JSX}`,
    "jsx-runtime.d.ts": 'export { JSX } from "preact";\nexport declare const jsx: unknown, jsxs: unknown;',
  },
  "solid-js": {
    "index.d.ts": 'export type { JSX } from "solid-js/jsx-runtime";',
    "jsx-runtime.d.ts": `export ${JSX}\nexport declare const jsx: unknown, jsxs: unknown;`,
  },
};

/** Uses of the element that are right, and after each comment one that is wrong. */
const USES = `import type {} from "evident-check/jsx";

export const right = (
  <evident-check id="a" for="answer" size="inline" device="cpu" threads={2} auto settings={{ evidence: 5 }}
    onevident-report={({ detail, currentTarget }) => {
      const contradicted: number = detail.report.summary.unfactual;
      if (contradicted) void currentTarget.check();
    }}
    on:evident-error={({ detail }) => detail.error.code satisfies string}
    attr:pack="/pack/"
  >
    The atomic number of carbon is 8.
  </evident-check>
);
export const wrong = [
  // @ts-expect-error
  <evident-check size="huge" />,
  // @ts-expect-error
  <evident-check settings={{ evidence: "five" }} />,
  // @ts-expect-error
  <evident-check onevident-report={({ detail }) => detail.error} />,
  // @ts-expect-error
  <evident-chek />,
];
`;

/** Runs the compiler; resolves to what it finds wrong. */
function tsc(...options) {
  const compiler = join(web, "node_modules/typescript/bin/tsc");
  return new Promise((resolve) =>
    execFile(process.execPath, [compiler, ...options], (_, stdout, stderr) => resolve(stdout + stderr)),
  );
}

/** Compiles files as a project of its own, which has the package's types in a folder. */
function compile(name, files, jsx) {
  const project = join(home, name);
  cpSync(join(home, "package"), join(project, "package"), { recursive: true });
  const config = {
    extends: join(web, "tsconfig.json"),
    compilerOptions: { noEmit: true, jsx, paths: { "evident-check/jsx": ["./package/jsx.d.ts"] } },
    files: Object.keys(files).filter((path) => !path.startsWith("node_modules/")),
  };
  for (const [path, text] of Object.entries({ ...files, "tsconfig.json": JSON.stringify(config) })) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  return tsc("--project", project);
}

test("React, Preact and Solid know the element, its attributes, properties and events", async () => {
  const files = {};
  for (const [name, parts] of Object.entries(STAND_INS)) {
    files[`${name}.tsx`] = `/** @jsxImportSource ${name} */\n${USES}`;
    for (const [path, text] of Object.entries(parts)) files[`node_modules/${name}/${path}`] = text;
  }
  assert.equal(await compile("frameworks", files, "react-jsx"), "");
});

test("so does the global JSX, and none of the frameworks has to be there", async () => {
  assert.equal(await compile("global", { "jsx.d.ts": `declare ${JSX}`, "page.tsx": USES }, "preserve"), "");
});
