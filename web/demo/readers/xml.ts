/** The XML of archives, whose names may have any prefix. */

import { Parser } from "htmlparser2";

export type Attributes = Record<string, string>;

/** Reads XML by its names without prefixes: `start` is told of each element, and gives what its end does. */
export function readXml(
  xml: string,
  start: (name: string, attributes: Attributes) => (() => void) | undefined,
  write: (text: string) => void = () => undefined,
): void {
  const ends: ((() => void) | undefined)[] = [];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => void ends.push(start(bare(name), withBareNames(attributes))),
      ontext: write,
      onclosetag: () => ends.pop()?.(),
    },
    { xmlMode: true },
  );
  parser.end(xml);
}

const bare = (name: string) => name.replace(/^.*:/, "");

/** Attributes by their names without prefixes; one that has none comes before its like. */
const withBareNames = (attributes: Attributes): Attributes =>
  Object.fromEntries([
    ...Object.entries(attributes).map(([name, value]) => [bare(name), value]),
    ...Object.entries(attributes),
  ]);

/** What the first element of a name says; "" where there is none. */
export function textOf(xml: string, wanted: string): string {
  let [text, open, isFound] = ["", false, false];
  readXml(
    xml,
    (name) => {
      if (name !== wanted || isFound) return undefined;
      open = isFound = true;
      return () => {
        open = false;
      };
    },
    (more) => {
      if (open) text += more;
    },
  );
  return text.trim();
}
