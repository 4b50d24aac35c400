/** What a verdict rests on: the probabilities, and the passages with their deciding sentences marked. */

import type { Nli, SentenceReport, Span } from "../report.js";
import { verdictBadge } from "./badge.js";
import { linkOf, make } from "./dom.js";
import { excerptOf, lineOf } from "./excerpt.js";
import { cutAt, explanationOf, partsOf, passagesOf, type Ranked, reasonOf } from "./findings.js";
import { hasScore } from "./standing.js";
import type { Wording } from "./strings.js";

/** Everything about one judged sentence. */
export function evidenceOf(report: SentenceReport, wording: Wording): Node[] {
  const { text, statement, bm25Bound, evidence, marks = [] } = report;
  const explanation = explanationOf(report, wording);
  const reason = reasonOf(report, wording);
  const parts = partsOf(report);
  const head: Node[] = [];
  if (marks.length) head.push(make("p", "", wording.say("marked"), " ", quoted(statement, marks)));
  else if (statement !== text) head.push(make("p", "", wording.say("readAs"), " ", quoted(statement)));
  if (explanation) head.push(make("p", "", explanation));
  if (reason) head.push(make("p", "reason", reason));
  if (parts.length) head.push(partList(parts, wording));
  if (bm25Bound !== null) head.push(make("p", "", wording.say("searchLimited")));
  if (evidence.length === 0) return [...head, make("p", "", wording.say("noPassage"))];
  const probabilities = numbersOf(report, wording);
  const list = make("ol", "passages", ...passagesOf(report).map((ranked) => make("li", "", card(ranked, wording))));
  list.setAttribute("aria-label", wording.say("passages", { n: evidence.length }));
  return [...head, ...(probabilities.length ? [numbers(probabilities)] : []), list];
}

function quoted(statement: string, marks: Span[] = []): HTMLElement {
  const quote = make("q", "", ...cutAt(statement, marks).map(({ text, marked }) => (marked ? make("mark", "", text) : text)));
  quote.dir = "auto";
  return quote;
}

/** Each part of the statement with its own verdict. */
function partList(parts: ReturnType<typeof partsOf>, wording: Wording): HTMLElement {
  const rows = parts.map(({ text, standing, score }) =>
    make("li", "", verdictBadge(standing, score, wording), " ", make("bdi", "words", text)),
  );
  const list = make("ul", "parts", ...rows);
  list.setAttribute("aria-label", wording.say("parts"));
  return list;
}

/** The numbers that go with the verdict, and the T5's where it was asked. */
function numbersOf({ verdict, score, pFactual, answeredAt }: SentenceReport, wording: Wording): [string, string][] {
  const rows: [string, string][] = hasScore(verdict) ? [[wording.say("combined"), wording.decimal(score)]] : [];
  if (pFactual !== null) rows.push([wording.say(answeredAt === null ? "t5Silent" : "t5"), wording.decimal(pFactual)]);
  return rows;
}

/** One passage; those that decide are open, the others on request. */
function card({ passage, rank, role, open }: Ranked, wording: Wording): HTMLElement {
  const tags = make("span", "tags", wording.say("rank", { n: rank, bm25: wording.decimal(passage.bm25) }));
  if (role === "notRead") tags.append(" · ", wording.say("notRead"));
  else if (role !== "read") tags.append(" · ", make("strong", "", wording.say(role)));
  if (passage.inPrompt) tags.append(" · ", wording.say("inPrompt"));
  const { before, decisive, after } = excerptOf(passage);
  const text = make("p", "passage", before, ...(decisive ? [make("mark", "", decisive)] : []), after);
  text.dir = "auto";
  const title = make("span", "title", lineOf(passage.title));
  title.dir = "auto";
  const details = make("details", role === "notRead" ? "not-read" : "", make("summary", "", title, " ", tags), text);
  if (passage.nli) details.append(triple(passage.nli, wording));
  if (passage.source) details.append(make("p", "source", wording.say("source"), " ", source(passage.source)));
  details.open = open;
  return details;
}

/** A source that is an address becomes a link; any other text stays text. */
function source(text: string): Node | string {
  const address = linkOf(text);
  if (!address) return lineOf(text);
  const link = make("a", "", lineOf(text));
  link.href = address;
  link.rel = "noreferrer";
  link.target = "_blank";
  return link;
}

function triple({ entailment, neutral, contradiction }: Nli, wording: Wording): HTMLElement {
  const list = numbers([
    [wording.say("entailment"), wording.decimal(entailment)],
    [wording.say("neutral"), wording.decimal(neutral)],
    [wording.say("contradiction"), wording.decimal(contradiction)],
  ]);
  return make("figure", "", make("figcaption", "", wording.say("nli3")), list);
}

function numbers(rows: [name: string, value: string][]): HTMLElement {
  return make("dl", "numbers", ...rows.map(([name, value]) => make("div", "", make("dt", "", name), make("dd", "", value))));
}
