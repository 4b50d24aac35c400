/**
 * One sentence, one reason: the claim, its verdict in plain words, why, and the words of the passage that decides; then
 * the other passages. Numbers of models and of the search stand under "Details".
 */

import type { Evidence, SentenceReport, Span } from "../report.js";
import { bearingOn } from "./alignment.js";
import { badge } from "./badge.js";
import { CSS_NAME, icon, linkOf, make } from "./dom.js";
import { excerptOf, lineOf, quoteOf } from "./excerpt.js";
import { cutAt, foremost, leadOf, partsOf, passagesOf, type Ranked, whyOf } from "./findings.js";
import { asList, type NamedNumber } from "./numbers.js";
import { wordingNote } from "./second-opinion.js";
import { hasScore, lookOf, standingOf } from "./standing.js";
import type { Wording } from "./strings.js";

/** Everything about one judged sentence, for a card that opens below it. */
export function evidenceBelow(report: SentenceReport, wording: Wording): Node[] {
  const { text, statement, marks = [] } = report;
  const read = statement !== text ? "readAs" : marks.length ? "marked" : null;
  return [
    ...(read ? [make("p", "hint", wording.say(read), " ", quoted("q", statement, marks))] : []),
    make("p", "why", whyOf(report, wording)),
    ...wordingNote(report, wording),
    ...grounds(report, wording),
  ];
}

/** What a page adds to a passage. */
type More = (passage: Evidence) => Node[];

/** The same for a card that stands apart from the sentence: it says the sentence and its verdict again. */
export function evidenceBeside(report: SentenceReport, wording: Wording, more: More): Node[] {
  const { text, statement, marks = [] } = report;
  const standing = standingOf(report);
  const look = lookOf(standing);
  return [
    quoted("blockquote", text, statement === text ? marks : []),
    ...(statement === text ? [] : [make("p", "hint", wording.say("readAs"), " ", quoted("q", statement, marks))]),
    make("p", `verdict ${CSS_NAME[look]}`, icon(look), make("strong", "", wording.say(standing))),
    make("p", "why", whyOf(report, wording)),
    ...grounds(report, wording, more),
  ];
}

/** What follows the one line of why. */
function grounds(report: SentenceReport, wording: Wording, more: More = () => []): HTMLElement[] {
  const { evidence, risks } = report;
  const causes = risks.map((risk) => wording.say(`risk-${risk}`)).join("; ");
  const head = [
    ...(causes ? [make("p", "hint", wording.say("lookTwice", { risks: causes }))] : []),
    ...partList(report, wording),
    ...articlesOf(report, wording),
  ];
  if (evidence.length === 0) return [...head, make("p", "hint", wording.say("noPassage"))];
  const [deciding, others] = foremost(report);
  return [
    ...head,
    ...deciding.map((ranked) => decidingPassage(ranked, report, wording, more)),
    ...(others.length ? [otherPassages(others, wording, more)] : []),
    numbersOf(report, wording),
  ];
}

/** The articles that a name of a sentence without a verdict may mean, to open them. */
function articlesOf({ verdict, ambiguous = [] }: SentenceReport, wording: Wording): HTMLElement[] {
  const listed = verdict === "noEvidence" ? ambiguous : [];
  return listed.map(({ name, articles }) => {
    const links = articles.flatMap(({ title, source }, at) => {
      const address = linkOf(source);
      const shown = make("bdi", "", lineOf(title));
      return [at ? ", " : " ", address ? linked(address, shown) : shown];
    });
    return make("p", "hint", wording.say("ambiguous", { name }), ...links);
  });
}

/** The parts that the statement was judged in, each with its own verdict, as one list; nothing where there are none. */
export function partList(report: SentenceReport, wording: Wording): HTMLElement[] {
  const rows = partsOf(report).map(({ text, standing }) =>
    make("li", "", badge(standing, wording.say(standing)), " ", make("bdi", "words", text)),
  );
  if (rows.length === 0) return [];
  const list = make("ul", "parts", ...rows);
  list.setAttribute("aria-label", wording.say("parts"));
  return [list];
}

/** A text with words of it marked. */
function quoted(tag: "blockquote" | "q", text: string, marks: Span[]): HTMLElement {
  const quote = make(
    tag,
    "",
    ...cutAt(text, marks).map((piece) => (piece.marked ? make("mark", "", piece.text) : piece.text)),
  );
  quote.dir = "auto";
  return quote;
}

/** A passage that the verdict rests on: what it says, where that is from, and the whole of it on request. */
function decidingPassage({ passage, role }: Ranked, report: SentenceReport, wording: Wording, more: More): HTMLElement {
  return make(
    "figure",
    `deciding ${role === "speaksAgainst" ? CSS_NAME.unfactual : role === "speaksFor" ? CSS_NAME.factual : ""}`.trim(),
    make("figcaption", "", leadOf(role, wording)),
    passageQuote(passage, report),
    passageSource(passage, wording),
    ...more(passage),
    ...(isWhole(passage) ? [] : [folded("whole", wording.say("whole"), passageText(passage))]),
  );
}

/** The sentence of a passage that decides, with the words marked that bear on the claim. */
export function passageQuote(passage: Evidence, { statement, evidence, reason }: SentenceReport): HTMLElement {
  const { quote, at } = quoteOf(passage);
  const against = reason && evidence[reason.evidence] === passage ? reason.found : null;
  const within = against && against.start >= at && against.end <= at + quote.length;
  const marks = within ? [{ start: against.start - at, end: against.end - at }] : bearingOn(statement, quote);
  return quoted("blockquote", quote, marks);
}

/** Whether a passage's quote is all of it. */
const isWhole = (passage: Evidence): boolean => quoteOf(passage).quote.trim() === passage.text.trim();

/**
 * A passage's title, which links to its source where that is an address, with its date and licence; any other source
 * stays text.
 */
export function passageSource(passage: Evidence, wording: Wording): HTMLElement {
  const address = passage.source && linkOf(passage.source);
  const title = passageTitle(passage);
  const origin = [address && new URL(address).host, passage.date, passage.license].filter((known) => known);
  return make(
    "p",
    "source",
    address ? linked(address, title) : title,
    ...(origin.length > 0 ? [" ", make("bdi", "from", origin.join(" · "))] : []),
    ...(address ? [] : sourceText(passage, wording)),
  );
}

/** The source alone, for a passage whose title stands above; nothing where it has none. */
function sourceAlone(passage: Evidence, wording: Wording): HTMLElement[] {
  const address = passage.source && linkOf(passage.source);
  const content = address ? [linked(address, make("bdi", "", lineOf(address)))] : sourceText(passage, wording);
  return content.length ? [make("p", "source", ...content)] : [];
}

function sourceText({ source }: Evidence, wording: Wording): (Node | string)[] {
  return source ? [" ", make("span", "from", wording.say("source"), " ", make("bdi", "", lineOf(source)))] : [];
}

function linked(address: string, content: HTMLElement): HTMLElement {
  const link = make("a", "", content);
  link.href = address;
  link.rel = "noopener noreferrer";
  link.target = "_blank";
  return link;
}

function passageTitle({ title }: Evidence): HTMLElement {
  const shown = make("bdi", "title", lineOf(title));
  shown.dir = "auto";
  return shown;
}

/** The passage with its deciding sentence marked, or as much around that as can be shown. */
function passageText(passage: Evidence): HTMLElement {
  const { before, decisive, after } = excerptOf(passage);
  const shown = make("p", "passage", before, ...(decisive ? [make("mark", "", decisive)] : []), after);
  shown.dir = "auto";
  return shown;
}

/** The other passages: their titles, and each of them on request. */
function otherPassages(others: Ranked[], wording: Wording, more: More): HTMLElement {
  const items = others.map(({ passage }) => {
    const body = make("div", "body", passageText(passage), ...sourceAlone(passage, wording), ...more(passage));
    return make("li", "", make("details", "", make("summary", "", passageTitle(passage)), body));
  });
  return folded("others", wording.say("others", { n: others.length }), make("ol", "passages", ...items));
}

/** What was computed: the score, the T5's answer, and of each passage its rank and what the NLI model made of it. */
function numbersOf(report: SentenceReport, wording: Wording): HTMLElement {
  const { score, pFactual, answeredAt, bm25Bound } = report;
  const rows: NamedNumber[] = hasScore(report) ? [{ name: wording.say("combined"), value: score }] : [];
  if (pFactual !== null) rows.push({ name: wording.say(answeredAt === null ? "t5Silent" : "t5"), value: pFactual });
  const items = passagesOf(report).map(({ passage, rank }) =>
    make("li", "", ...passageNumbers(passage, rank, wording)),
  );
  return folded(
    "details",
    wording.say("details"),
    ...(rows.length ? [asList(rows, wording)] : []),
    make("ol", "ranked", ...items),
    ...(bm25Bound === null ? [] : [make("p", "hint", wording.say("searchLimited"))]),
  );
}

function passageNumbers(passage: Evidence, rank: number, wording: Wording): HTMLElement[] {
  const { nli, bm25, inPrompt } = passage;
  const said = [
    wording.say("rank", { n: rank, bm25: wording.decimal(bm25) }),
    ...(nli ? [] : [wording.say("notRead")]),
    ...(inPrompt ? [wording.say("inPrompt")] : []),
  ];
  const triple = (["entailment", "neutral", "contradiction"] as const).map((name) => ({
    name: wording.say(name),
    value: nli?.[name] ?? 0,
  }));
  return [passageTitle(passage), make("p", "tags", said.join(" · ")), ...(nli ? [asList(triple, wording)] : [])];
}

function folded(part: string, name: string, ...content: HTMLElement[]): HTMLElement {
  return make("details", part, make("summary", "", name), make("div", "body", ...content));
}
