/** Finds the answers of a chatbot in its page, by the site's row of the table. */

import { PageText } from "../../package/src/ui/page-text.js";
import { PartedText } from "./parted-text.js";
import type { Site } from "./sites.js";

/** An answer in the page. */
export interface Turn {
  /** Stays the same while the answer keeps its place in its conversation, however often it is rendered. */
  id: string;
  element: Element;
  /** The user's turn before it. */
  question: Element | null;
  /** Whether the site says that it is still being written. */
  streaming: boolean;
}

/** The answers of the page, from first to last. */
export function turnsOf(site: Site): Turn[] {
  const turns: Turn[] = [];
  let question: Element | null = null;
  for (const element of document.querySelectorAll(`${site.answer}, ${site.question}`)) {
    if (element.matches(site.question)) question = element;
    else turns.push({ id: `${location.pathname}#${turns.length}`, element, question, streaming: false });
  }
  const last = turns.at(-1);
  if (last && site.streaming && document.querySelector(site.streaming)) last.streaming = true;
  return turns;
}

/** The text of a turn, without the parts that do not belong to it or are excepted, and with what it cites. */
export function readTurn(element: Element, site: Site | null, ...except: string[]): PartedText {
  return new PartedText(element, {
    except: [site?.except ?? [], except].flat().join(", "),
    ...(site?.citations && { citations: site.citations }),
  });
}

/** What is around an element, from near to far: its answer, or each part of the page that it stands in. */
export function* readAround(element: Element, site: Site | null): Generator<PartedText> {
  const answer = site && element.closest(site.answer);
  const parts = "section, article, main, aside, body";
  let part = answer ?? element.closest(parts);
  while (part) {
    yield readTurn(part, site, "nav, header, aside");
    part = answer ? null : (part.parentElement?.closest(parts) ?? null);
  }
}

const exceptOf = (site: Site | null) => (site?.except ? { except: site.except } : {});

/** What a user's turn says, on one line; "" for none. */
export function readQuestion(element: Element | null, site: Site | null): string {
  return element ? new PageText(element, exceptOf(site)).text.replace(/\s+/g, " ").trim() : "";
}
