/** The panel that shows what a verdict rests on: the scores, and the passages with their deciding sentences marked. */

import type { Evidence, Nli, SentenceReport, Span } from "evident-check";
import { verdictBadge } from "../package/src/ui/badge.js";
import { excerptOf, lineOf } from "../package/src/ui/excerpt.js";
import { cutAt, explanationOf, partsOf, passagesOf, type Ranked, reasonOf } from "../package/src/ui/findings.js";
import { hasScore } from "../package/src/ui/standing.js";
import { CSS_NAME, icon, linkOf, make } from "../package/src/ui/dom.js";
import { count, decimal, RISK, WORDING, wordFor } from "./format.js";

/** Everything about one judged sentence. */
export function evidenceOf(report: SentenceReport): Node[] {
  const { text, statement, verdict, bm25Bound, evidence, risks, marks = [] } = report;
  const title = make("h2", "", "Evidence");
  title.id = "panel-title";
  const reason = reasonOf(report, WORDING);
  const head = [
    title,
    quoted("blockquote", text, statement === text ? marks : []),
    ...(statement === text ? [] : [make("p", "hint", `${WORDING.say("readAs")} `, quoted("q", statement, marks))]),
    make("p", `verdict ${CSS_NAME[verdict]}`, icon(verdict), make("strong", "", wordFor(report)), ` ${meaning(report)}`),
    ...(reason === null ? [] : [make("p", "reason", reason)]),
    ...partsIn(report),
    ...(risks.length === 0 ? [] : [make("p", "hint", `Look twice: ${risks.map((risk) => RISK[risk]).join("; ")}.`)]),
    ...(bm25Bound === null ? [] : [make("p", "hint", WORDING.say("searchLimited"))]),
  ];
  if (evidence.length === 0) return [...head, make("p", "hint", WORDING.say("noPassage"))];
  const list = make("ol", "passages", ...passagesOf(report).map((ranked) => make("li", "", card(ranked))));
  return [...head, ...probabilities(report), make("h3", "", count(evidence.length, "passage")), list];
}

function meaning(report: SentenceReport): string {
  return explanationOf(report, WORDING) ?? `${WORDING.say("combined")}: ${decimal(report.score)}.`;
}

/** A text with words of it marked. */
function quoted(tag: "blockquote" | "q", text: string, marks: Span[]): HTMLElement {
  const quote = make(tag, "", ...cutAt(text, marks).map((piece) => (piece.marked ? make("mark", "", piece.text) : piece.text)));
  quote.dir = "auto";
  return quote;
}

/** The parts that the statement was judged in as well, each with its own verdict; nothing where there are none. */
export function partsIn(report: SentenceReport): HTMLElement[] {
  const rows = partsOf(report).map(({ text, standing, score }) =>
    make("li", "", verdictBadge(standing, score, WORDING), " ", make("bdi", "", text)),
  );
  if (rows.length === 0) return [];
  const list = make("ul", "parts", ...rows);
  list.setAttribute("aria-label", WORDING.say("parts"));
  return [list];
}

/** The T5's number where it was asked, beside the score where that goes with the verdict. */
function probabilities({ verdict, score, pFactual, answeredAt }: SentenceReport): HTMLElement[] {
  if (pFactual === null) return [];
  const rows: Bar[] = hasScore(verdict) ? [["Score", score, "score"]] : [];
  return [bars(WORDING.say("combined"), [...rows, [answeredAt === null ? "T5 alone (it gave no answer)" : "T5 alone", pFactual, "score"]])];
}

/** One passage; those that decide are open, the others on request. */
function card({ passage, rank, role, open }: Ranked): HTMLElement {
  const tags = make("span", "tags", `No. ${rank} · BM25 ${decimal(passage.bm25)}`);
  if (role !== "read") tags.append(" ", make("span", role === "notRead" ? "tag" : "tag strong", WORDING.say(role)));
  if (passage.inPrompt) tags.append(" ", make("span", "tag", WORDING.say("inPrompt")));
  const body = make("div", "body", passageOf(passage));
  if (passage.nli) body.append(bars(WORDING.say("nli3"), triple(passage.nli)));
  if (passage.source) body.append(make("p", "source", "Source: ", source(passage.source)));

  const details = make("details", role === "notRead" ? "not-read" : "", make("summary", "", titleOf(passage), tags), body);
  details.open = open;
  return details;
}

/** The passage's title, or its beginning. */
export const titleOf = ({ title }: Evidence): HTMLElement => make("bdi", "title", lineOf(title));

/** The passage with its deciding sentence marked, or as much around that as can be shown. */
export function passageOf(passage: Evidence): HTMLElement {
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

function triple({ entailment, neutral, contradiction }: Nli): Bar[] {
  return [
    ["Entailment", entailment, "factual"],
    ["Neutral", neutral, "no-evidence"],
    ["Contradiction", contradiction, "unfactual"],
  ];
}

type Bar = [label: string, probability: number, kind: string];

/** Probabilities as labelled bars; the number is in the text, so the bar itself is decoration. */
function bars(caption: string, rows: Bar[]): HTMLElement {
  const list = make("dl", "bars");
  for (const [label, probability, kind] of rows) {
    const fill = make("span", `fill ${kind}`);
    fill.style.inlineSize = `${100 * probability}%`;
    const track = make("span", "track", fill);
    track.setAttribute("aria-hidden", "true");
    list.append(make("div", "", make("dt", "", label), make("dd", "", track, make("span", "value", decimal(probability)))));
  }
  return make("figure", "", make("figcaption", "", caption), list);
}
