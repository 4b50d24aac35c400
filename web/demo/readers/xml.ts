/** The XML of archives, whose names may have any prefix. */

import { type Attributes, bareName, type End, readMarkup } from "../../package/src/sources/markup.js";
import type { Reading } from "../../package/src/sources/reading.js";

/** Reads XML by its names without prefixes: `start` is told of each element, and gives what its end does. */
export function readXml(
  xml: string,
  reading: Reading,
  start: (name: string, attributes: Attributes) => End,
  write: (text: string) => void = () => undefined,
): Promise<void> {
  const follower = {
    start: (name: string, attributes: Attributes) => start(bareName(name), withBareNames(attributes)),
    write,
  };
  return readMarkup(xml, true, follower, reading);
}

/** Attributes by their names without prefixes; one that has none comes before its like. */
const withBareNames = (attributes: Attributes): Attributes =>
  Object.fromEntries([
    ...Object.entries(attributes).map(([name, value]) => [bareName(name), value]),
    ...Object.entries(attributes),
  ]);

/** What the first element of a name says; "" where there is none. */
export async function textOf(xml: string, wanted: string, reading: Reading): Promise<string> {
  let [text, open, isFound] = ["", false, false];
  await readXml(
    xml,
    reading,
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
