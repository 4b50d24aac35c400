/** What a verdict rests on: the probabilities, and the passages with their deciding sentences marked. */

import type { Evidence, Nli, SentenceReport } from "../index.js";
import { make } from "./dom.js";
import { excerptOf, lineOf } from "./excerpt.js";
import { standingOf } from "./standing.js";
import type { Wording } from "./strings.js";

/** Everything about one judged sentence. */
export function evidenceOf(report: SentenceReport, wording: Wording): Node[] {
  const { text, statement, score, pFactual, answeredAt, bm25Bound, evidence } = report;
  const standing = standingOf(report);
  const head = statement === text ? [] : [make("p", "", wording.say("readAs"), " ", quoted(statement))];
  if (standing === "notInIndex" || standing === "undecided") head.push(make("p", "", wording.say(`${standing}Means`)));
  if (bm25Bound !== null) head.push(make("p", "", wording.say("searchLimited")));
  if (evidence.length === 0) return [...head, make("p", "", wording.say("noPassage"))];
  const probabilities = numbers([
    [wording.say("combined"), wording.decimal(score)],
    [wording.say(answeredAt === null ? "t5Silent" : "t5"), wording.decimal(pFactual)],
  ]);
  const ranked = evidence.map((passage, index) => ({ passage, rank: index + 1 }));
  ranked.sort((a, b) => Number(b.passage.decisive) - Number(a.passage.decisive) || a.rank - b.rank);
  const list = make("ol", "passages", ...ranked.map(({ passage, rank }) => make("li", "", card(passage, rank, wording))));
  list.setAttribute("aria-label", wording.say("passages", { n: evidence.length }));
  return [...head, probabilities, list];
}

function quoted(statement: string): HTMLElement {
  const quote = make("q", "", statement);
  quote.dir = "auto";
  return quote;
}

/** One passage; the decisive one is open, the others on request. */
function card(passage: Evidence, rank: number, wording: Wording): HTMLElement {
  const tags = make("span", "tags", wording.say("rank", { n: rank, bm25: wording.decimal(passage.bm25) }));
  if (passage.decisive) tags.append(" · ", make("strong", "", wording.say("decisive")));
  if (passage.inPrompt) tags.append(" · ", wording.say("inPrompt"));
  const { before, decisive, after } = excerptOf(passage);
  const text = make("p", "passage", before, make("mark", "", decisive), after);
  text.dir = "auto";
  const title = make("span", "title", lineOf(passage.title));
  title.dir = "auto";
  const details = make("details", "", make("summary", "", title, " ", tags), text, triple(passage.nli, wording));
  if (passage.source) details.append(make("p", "source", wording.say("source"), " ", source(passage.source)));
  details.open = passage.decisive;
  return details;
}

/** A source that is an address becomes a link; any other text stays text. */
function source(text: string): Node | string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return lineOf(text);
  const link = make("a", "", lineOf(text));
  link.href = text;
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
