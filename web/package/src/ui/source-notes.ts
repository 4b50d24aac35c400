/** What the cited pages of a sentence say, beside its own verdict. */

import type { Evidence, SentenceReport, SourceReport, SourceState } from "../report.js";
import { badge } from "./badge.js";
import { linkOf, make } from "./dom.js";
import { passageQuote } from "./evidence-card.js";
import type { Standing } from "./standing.js";
import type { Wording } from "./strings.js";

/** The look of each state, the one that is said first before the others. */
const LOOKS: Record<SourceState, Standing> = {
  contradicted: "unfactual",
  mixed: "mixed",
  supported: "factual",
  notInIt: "notInIndex",
  unread: "undecided",
};
const ORDER = Object.keys(LOOKS);

/** What a source says, in words: "Source could not be read (not found)". */
export const sourceLabel = ({ state, reason }: SourceReport, wording: Wording): string =>
  wording.say(`source-${state}`, reason ? { reason: wording.say(`unread-${reason}`) } : {});

/** Of several sources, the one that has most to say; undefined without sources. */
export const foremostSource = ({ sources = [] }: Pick<SentenceReport, "sources">): SourceReport | undefined =>
  sources.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))[0];

/** A badge that says what a source says. */
export function sourceBadge(source: SourceReport, wording: Wording): HTMLElement {
  const made = badge(LOOKS[source.state], sourceLabel(source, wording));
  made.classList.add("by-source");
  return made;
}

/**
 * Each source with its address and the words that decide. `more` adds to a source's entry, and `opens` gives the address
 * that its link opens. Nothing without sources.
 */
export function sourceNotes(
  report: SentenceReport,
  wording: Wording,
  more: (source: SourceReport, entry: HTMLElement) => Node[] = () => [],
  opens: (source: SourceReport) => string = ({ address }) => address,
): HTMLElement[] {
  const { sources = [] } = report;
  if (sources.length === 0) return [];
  const entries = sources.map((source) => {
    const entry = make("li", "", sourceBadge(source, wording), " ", addressOf(opens(source)));
    for (const passage of source.evidence ?? [])
      entry.append(passageQuote(passage, report), ...pageOf(passage, wording));
    entry.append(...more(source, entry));
    return entry;
  });
  return [make("section", "cited", make("h3", "", wording.say("sources")), make("ul", "", ...entries))];
}

/** The page that a passage stands on, where its document has pages (sources/passages.ts). */
function pageOf({ source }: Evidence, wording: Wording): HTMLElement[] {
  const address = linkOf(source ?? "");
  const page = address && /#page=(\d+)$/.exec(address)?.[1];
  if (!page) return [];
  return [make("p", "source", linkTo(address, make("bdi", "from", wording.say("page", { n: Number(page) }))))];
}

function addressOf(address: string): HTMLElement {
  const href = linkOf(address);
  const words = make("bdi", "from", href ? new URL(href).host : address);
  return href ? linkTo(href, words) : words;
}

function linkTo(href: string, words: HTMLElement): HTMLElement {
  const link = make("a", "", words);
  link.href = href;
  link.rel = "noopener noreferrer";
  link.target = "_blank";
  link.title = href;
  return link;
}
