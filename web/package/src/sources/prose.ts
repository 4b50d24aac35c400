/**
 * The prose of markup, by a parser that knows no page: it runs nothing and fetches nothing. What is skipped is no prose,
 * or stands beside it.
 */

import { Parser } from "htmlparser2";
import type { Document, Section } from "./passages.js";

const SKIPPED = new Set(
  "script style noscript template svg math iframe object audio video canvas nav aside footer form button select textarea head".split(
    " ",
  ),
);
const BLOCKS = new Set(
  "address article blockquote body dd div dl dt figcaption figure header hr li main ol p pre section table td th tr ul br".split(
    " ",
  ),
);
const HEADING = /^h[1-6]$/;
/** Elements that have no end. */
const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

/** What a page of HTML or XHTML says: of one that has a <main>, that alone. */
export function proseOf(markup: string, { xml = false } = {}): Document {
  let title = "";
  let inTitle = false;
  /** The elements that are open within one that is skipped, that one included. */
  let skipping = 0;
  let mains = 0;
  let heading: string | null = null;
  const sections: (Section & { isMain: boolean })[] = [];
  const begin = (heading: string) => sections.push({ heading, text: "", isMain: mains > 0 });
  begin("");
  const add = (text: string) => {
    const last = sections.at(-1);
    if (heading !== null) heading += text;
    else if (last) last.text += text;
  };

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === "title" && !title) inTitle = true;
        const isHidden = "hidden" in attributes || attributes["aria-hidden"] === "true";
        const isNote = name === "sup" && /\breference\b/.test(attributes.class ?? "");
        if (skipping > 0 || SKIPPED.has(name) || isHidden || isNote) {
          if (!VOID.test(name)) skipping += 1;
          return;
        }
        if (name === "main") {
          mains += 1;
          begin("");
        }
        if (HEADING.test(name)) heading = "";
        else if (BLOCKS.has(name)) add(name === "td" || name === "th" ? " " : "\n\n");
      },
      ontext(text) {
        if (inTitle) title += text;
        else if (skipping === 0) add(text.replace(/\s+/g, " "));
      },
      onclosetag(name) {
        if (name === "title") inTitle = false;
        if (skipping > 0) {
          if (!VOID.test(name)) skipping -= 1;
          return;
        }
        if (HEADING.test(name) && heading !== null) {
          begin(tidy(heading));
          heading = null;
        } else if (name === "main") {
          mains -= 1;
          begin("");
        } else if (BLOCKS.has(name) && name !== "td" && name !== "th") add("\n\n");
      },
    },
    { xmlMode: xml, decodeEntities: true },
  );
  parser.end(markup);

  const main = sections.filter(({ isMain, text }) => isMain && text.trim());
  const chosen = (main.length > 0 ? main : sections).map(({ heading, text }) => ({ heading, text }));
  const first = chosen.find(({ heading }) => heading)?.heading ?? "";
  return { title: first || tidy(title), sections: chosen };
}

const tidy = (text: string) => text.replace(/\s+/g, " ").trim();
