/** The panel that shows what a verdict rests on: the scores, and the passages with their deciding sentences marked. */

import type { Evidence, Nli, SentenceReport, Span } from "evident-check";
import { excerptOf, lineOf } from "../package/src/ui/excerpt.js";
import { cutAt, explanationOf, partsOf, passagesOf, type Ranked, reasonOf } from "../package/src/ui/findings.js";
import { hasScore, labelOf, verdictOf } from "../package/src/ui/standing.js";
import { element, icon, linkOf } from "./element.js";
import { count, decimal, RISK, WORDING, wordFor } from "./format.js";

/** Everything about one judged sentence. */
export function evidenceOf(report: SentenceReport): Node[] {
  const { text, statement, verdict, bm25Bound, evidence, risks, marks = [] } = report;
  const title = element("h2", "", "Evidence");
  title.id = "panel-title";
  const reason = reasonOf(report, WORDING);
  const head = [
    title,
    quoted("blockquote", text, statement === text ? marks : []),
    ...(statement === text ? [] : [element("p", "hint", `${WORDING.say("readAs")} `, quoted("q", statement, marks))]),
    element("p", `verdict ${verdict}`, icon(verdict), element("strong", "", wordFor(report)), ` ${meaning(report)}`),
    ...(reason === null ? [] : [element("p", "reason", reason)]),
    ...partsIn(report),
    ...(risks.length === 0 ? [] : [element("p", "hint", `Look twice: ${risks.map((risk) => RISK[risk]).join("; ")}.`)]),
    ...(bm25Bound === null ? [] : [element("p", "hint", WORDING.say("searchLimited"))]),
  ];
  if (evidence.length === 0) return [...head, element("p", "hint", WORDING.say("noPassage"))];
  const list = element("ol", "passages", ...passagesOf(report).map((ranked) => element("li", "", card(ranked))));
  return [...head, ...probabilities(report), element("h3", "", count(evidence.length, "passage")), list];
}

function meaning(report: SentenceReport): string {
  return explanationOf(report, WORDING) ?? `${WORDING.say("combined")}: ${decimal(report.score)}.`;
}

/** A text with words of it marked. */
function quoted(tag: "blockquote" | "q", text: string, marks: Span[]): HTMLElement {
  const quote = element(tag, "", ...cutAt(text, marks).map((piece) => (piece.marked ? element("mark", "", piece.text) : piece.text)));
  quote.dir = "auto";
  return quote;
}

/** The parts that the statement was judged in as well, each with its own verdict; nothing where there are none. */
export function partsIn(report: SentenceReport): HTMLElement[] {
  const rows = partsOf(report).map(({ text, standing, score }) => {
    const verdict = verdictOf(standing);
    const badge = element("span", `badge ${verdict}`, icon(verdict), labelOf(standing, score, WORDING));
    return element("li", "", badge, " ", element("bdi", "", text));
  });
  if (rows.length === 0) return [];
  const list = element("ul", "parts", ...rows);
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
  const tags = element("span", "tags", `No. ${rank} · BM25 ${decimal(passage.bm25)}`);
  if (role !== "read") tags.append(" ", element("span", role === "notRead" ? "tag" : "tag strong", WORDING.say(role)));
  if (passage.inPrompt) tags.append(" ", element("span", "tag", WORDING.say("inPrompt")));
  const body = element("div", "body", passageOf(passage));
  if (passage.nli) body.append(bars(WORDING.say("nli3"), triple(passage.nli)));
  if (passage.source) body.append(element("p", "source", "Source: ", source(passage.source)));

  const details = element("details", role === "notRead" ? "not-read" : "", element("summary", "", titleOf(passage), tags), body);
  details.open = open;
  return details;
}

/** The passage's title, or its beginning. */
export const titleOf = ({ title }: Evidence): HTMLElement => element("bdi", "title", lineOf(title));

/** The passage with its deciding sentence marked, or as much around that as can be shown. */
export function passageOf(passage: Evidence): HTMLElement {
  const { before, decisive, after } = excerptOf(passage);
  const shown = element("p", "passage", before, ...(decisive ? [element("mark", "", decisive)] : []), after);
  shown.dir = "auto";
  return shown;
}

/** A source that is an address becomes a link; any other text stays text. */
function source(text: string): HTMLElement {
  const address = linkOf(text);
  if (!address) return element("bdi", "", lineOf(text));
  const link = element("a", "", lineOf(text));
  link.href = address;
  link.rel = "noreferrer";
  link.target = "_blank";
  return link;
}

function triple({ entailment, neutral, contradiction }: Nli): Bar[] {
  return [
    ["Entailment", entailment, "factual"],
    ["Neutral", neutral, "noEvidence"],
    ["Contradiction", contradiction, "unfactual"],
  ];
}

type Bar = [label: string, probability: number, kind: string];

/** Probabilities as labelled bars; the number is in the text, so the bar itself is decoration. */
function bars(caption: string, rows: Bar[]): HTMLElement {
  const list = element("dl", "bars");
  for (const [label, probability, kind] of rows) {
    const fill = element("span", `fill ${kind}`);
    fill.style.inlineSize = `${100 * probability}%`;
    const track = element("span", "track", fill);
    track.setAttribute("aria-hidden", "true");
    list.append(element("div", "", element("dt", "", label), element("dd", "", track, element("span", "value", decimal(probability)))));
  }
  return element("figure", "", element("figcaption", "", caption), list);
}
