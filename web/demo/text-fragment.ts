/** Links that open a page at words of it (https://wicg.github.io/scroll-to-text-fragment/). */

import { linkOf } from "../package/src/ui/dom.js";

/** The words at each end of a quote by which it is found: a page may have notes and formulas between them. */
const EACH = 4;

/** The address of a page at a quote; the address as it is if it is none of the web or has a fragment of its own. */
export function atQuote(address: string, quote: string): string {
  const link = linkOf(address);
  const words = quote.trim().split(/\s+/);
  if (!link || link.includes("#") || !words[0]) return address;
  const ends = words.length > 2 * EACH ? [words.slice(0, EACH), words.slice(-EACH)] : [words];
  return `${link}#:~:text=${ends.map((end) => encoded(end.join(" "))).join(",")}`;
}

/** Percent-encoded, with the hyphen, which is a sign of its own there. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll("-", "%2D");
