/** The colours of page, element and extension, each for light and for dark: `color-scheme` decides between them. */

export const COLOURS = {
  paper: "light-dark(#f5f3ee, #14181a)",
  card: "light-dark(#fffefb, #1c2225)",
  line: "light-dark(#ddd8cc, #333c40)",
  edge: "light-dark(#8b918f, #6d797b)",
  ink: "light-dark(#1f2a2c, #e7ebea)",
  quiet: "light-dark(#5a6466, #a3afb0)",
  accent: "light-dark(#0f5c63, #7fd0cb)",
  "on-accent": "light-dark(#ffffff, #0c2426)",
  factual: "light-dark(#17663a, #7fd6a0)",
  unfactual: "light-dark(#a3262a, #ff9d97)",
  mixed: "light-dark(#6b3a94, #d3abf5)",
  "no-evidence": "light-dark(#4a5a6a, #b3c2d1)",
  mark: "light-dark(#ffe9a8, #5a4a12)",
};

/** The colours as custom properties of a page. The build puts them before the sheets of the demo and the extension. */
export function pageColours(): string {
  const lines = Object.entries(COLOURS).map(([name, colour]) => `  --${name}: ${colour};\n`);
  return `:root {\n  color-scheme: light dark;\n${lines.join("")}}\n`;
}
