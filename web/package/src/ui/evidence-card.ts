/** What a verdict rests on: its reasons, the probabilities, and the passages with their deciding sentences marked. */

import type { Evidence, Nli, SentenceReport, Span } from "../report.js";
import { verdictBadge } from "./badge.js";
import { CSS_NAME, icon, linkOf, make } from "./dom.js";
import { excerptOf, lineOf } from "./excerpt.js";
import { cutAt, explanationOf, partsOf, passagesOf, type Ranked, reasonOf } from "./findings.js";
import { asBars, asList, type NamedNumber } from "./numbers.js";
import { wordingNote } from "./second-opinion.js";
import { hasScore, standingOf } from "./standing.js";
import type { Wording } from "./strings.js";

/** Everything about one judged sentence, for a card that opens below it. */
export function evidenceBelow(report: SentenceReport, wording: Wording): Node[] {
  const { text, statement, verdict, score, pFactual, bm25Bound, evidence, marks = [] } = report;
  const read = marks.length ? "marked" : statement === text ? null : "readAs";
  const explanation = explanationOf(report, wording);
  const head = [
    ...(read ? [make("p", "", wording.say(read), " ", quoted("q", statement, marks))] : []),
    ...(explanation ? [make("p", "", explanation)] : []),
    ...reasons(report, wording),
    ...wordingNote(report, wording),
    ...(bm25Bound === null ? [] : [make("p", "", wording.say("searchLimited"))]),
  ];
  if (evidence.length === 0) return [...head, make("p", "", wording.say("noPassage"))];
  const rows = hasScore(verdict) ? [{ name: wording.say("combined"), value: score, kind: "score" }] : [];
  if (pFactual !== null) rows.push(t5(report, pFactual, wording));
  const passages = passageList(report, wording, LISTED);
  passages.setAttribute("aria-label", wording.say("passages", { n: evidence.length }));
  return [...head, ...(rows.length ? [asList(rows, wording)] : []), passages];
}

/** The same for a card that stands apart from the sentence: it says the sentence and its verdict again. */
export function evidenceBeside(report: SentenceReport, wording: Wording): Node[] {
  const { text, statement, verdict, score, pFactual, bm25Bound, evidence, risks, marks = [] } = report;
  const meaning = explanationOf(report, wording) ?? `${wording.say("combined")}: ${wording.decimal(score)}.`;
  const standing = make("strong", "", wording.say(standingOf(report)));
  const causes = risks.map((risk) => wording.say(`risk-${risk}`)).join("; ");
  const head = [
    quoted("blockquote", text, statement === text ? marks : []),
    ...(statement === text ? [] : [make("p", "hint", wording.say("readAs"), " ", quoted("q", statement, marks))]),
    make("p", `verdict ${CSS_NAME[verdict]}`, icon(verdict), standing, ` ${meaning}`),
    ...reasons(report, wording),
    ...(causes ? [make("p", "hint", wording.say("lookTwice", { risks: causes }))] : []),
    ...(bm25Bound === null ? [] : [make("p", "hint", wording.say("searchLimited"))]),
  ];
  if (evidence.length === 0) return [...head, make("p", "hint", wording.say("noPassage"))];
  const rows = hasScore(verdict) ? [{ name: wording.say("score"), value: score, kind: "score" }] : [];
  const asked = pFactual === null ? [] : [...rows, t5(report, pFactual, wording)];
  const probabilities = asked.length ? [figure(wording.say("combined"), asBars(asked, wording))] : [];
  const count = make("h3", "", wording.say("passages", { n: evidence.length }));
  return [...head, ...probabilities, count, passageList(report, wording, BARRED)];
}

/** The words that stand against each other, and the parts with a verdict each; nothing where the report names none. */
function reasons(report: SentenceReport, wording: Wording): HTMLElement[] {
  const reason = reasonOf(report, wording);
  return [...(reason ? [make("p", "reason", reason)] : []), ...partList(report, wording)];
}

/** The parts that the statement was judged in, each with its own verdict, as one list; nothing where there are none. */
export function partList(report: SentenceReport, wording: Wording): HTMLElement[] {
  const rows = partsOf(report).map(({ text, standing, score }) =>
    make("li", "", verdictBadge(standing, score, wording), " ", make("bdi", "words", text)),
  );
  if (rows.length === 0) return [];
  const list = make("ul", "parts", ...rows);
  list.setAttribute("aria-label", wording.say("parts"));
  return [list];
}

/** The T5's probability. */
function t5({ answeredAt }: SentenceReport, value: number, wording: Wording): NamedNumber {
  return { name: wording.say(answeredAt === null ? "t5Silent" : "t5"), value, kind: "score" };
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

/** How a passage shows its numbers, and the words about it that follow its rank. */
interface Look {
  numbers(rows: NamedNumber[], wording: Wording): HTMLElement;
  tag(words: string, weight: "plain" | "strong"): (Node | string)[];
}

const LISTED: Look = {
  numbers: asList,
  tag: (words, weight) => [" · ", weight === "strong" ? make("strong", "", words) : words],
};

const BARRED: Look = {
  numbers: asBars,
  tag: (words, weight) => [" ", make("span", weight === "strong" ? "tag strong" : "tag", words)],
};

function passageList(report: SentenceReport, wording: Wording, look: Look): HTMLElement {
  return make(
    "ol",
    "passages",
    ...passagesOf(report).map((ranked) => make("li", "", passageCard(ranked, wording, look))),
  );
}

/** One passage; those that decide are open, the others on request. */
function passageCard({ passage, rank, role, open }: Ranked, wording: Wording, look: Look): HTMLElement {
  const tags = make("span", "tags", wording.say("rank", { n: rank, bm25: wording.decimal(passage.bm25) }));
  if (role !== "read") tags.append(...look.tag(wording.say(role), role === "notRead" ? "plain" : "strong"));
  if (passage.inPrompt) tags.append(...look.tag(wording.say("inPrompt"), "plain"));
  const body = make("div", "body", passageText(passage));
  if (passage.nli) body.append(figure(wording.say("nli3"), look.numbers(triple(passage.nli, wording), wording)));
  if (passage.source) body.append(make("p", "source", wording.say("source"), " ", source(passage.source)));
  const summary = make("summary", "", passageTitle(passage), " ", tags);
  const details = make("details", role === "notRead" ? "not-read" : "", summary, body);
  details.open = open;
  return details;
}

export function passageTitle({ title }: Evidence): HTMLElement {
  const shown = make("span", "title", lineOf(title));
  shown.dir = "auto";
  return shown;
}

/** The passage with its deciding sentence marked, or as much around that as can be shown. */
export function passageText(passage: Evidence): HTMLElement {
  const { before, decisive, after } = excerptOf(passage);
  const shown = make("p", "passage", before, ...(decisive ? [make("mark", "", decisive)] : []), after);
  shown.dir = "auto";
  return shown;
}

/** A source that is an address becomes a link; any other text stays text. */
function source(text: string): HTMLElement {
  const address = linkOf(text);
  if (!address) return make("bdi", "", lineOf(text));
  const link = make("a", "", lineOf(text));
  link.href = address;
  link.rel = "noreferrer";
  link.target = "_blank";
  return link;
}

function triple({ entailment, neutral, contradiction }: Nli, wording: Wording): NamedNumber[] {
  return [
    { name: wording.say("entailment"), value: entailment, kind: CSS_NAME.factual },
    { name: wording.say("neutral"), value: neutral, kind: CSS_NAME.noEvidence },
    { name: wording.say("contradiction"), value: contradiction, kind: CSS_NAME.unfactual },
  ];
}

function figure(caption: string, numbers: HTMLElement): HTMLElement {
  return make("figure", "", make("figcaption", "", caption), numbers);
}
