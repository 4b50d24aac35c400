/** The panel that shows what a verdict rests on: the scores, and the passages with their deciding sentences marked. */

import type { Evidence, Nli, SentenceReport } from "evident-check";
import { excerptOf, lineOf } from "../package/src/element/excerpt.js";
import { standingOf } from "../package/src/element/standing.js";
import { ENGLISH } from "../package/src/element/strings.js";
import { element, icon, linkOf } from "./element.js";
import { count, decimal, RISK, wordFor } from "./format.js";

/** Everything about one judged sentence. */
export function evidenceOf(report: SentenceReport): Node[] {
  const { verdict, score, bm25Bound, evidence } = report;
  const title = element("h2", "", "Evidence");
  title.id = "panel-title";
  const quote = element("blockquote", "", report.text);
  quote.dir = "auto";
  const head = [
    title,
    quote,
    ...(report.statement === report.text ? [] : [element("p", "hint", "Read as: ", element("q", "", report.statement))]),
    element("p", `verdict ${verdict}`, icon(verdict), element("strong", "", wordFor(report)), ` ${meaning(report)}`),
    ...(report.risks.length === 0 ? [] : [element("p", "hint", `Look twice: ${report.risks.map((risk) => RISK[risk]).join("; ")}.`)]),
    ...(bm25Bound === null ? [] : [element("p", "hint", ENGLISH.searchLimited)]),
  ];
  if (evidence.length === 0) return [...head, element("p", "hint", "The index has no passage that shares a word with this sentence.")];
  const ranked = evidence.map((passage, index) => ({ passage, rank: index + 1 }));
  ranked.sort((a, b) => Number(b.passage.decisive) - Number(a.passage.decisive) || a.rank - b.rank);
  const list = element("ol", "passages", ...ranked.map(({ passage, rank }) => element("li", "", card(passage, rank))));
  return [
    ...head,
    bars("Probability of being factual", [
      ["Score", score, "score"],
      [report.answeredAt === null ? "T5 alone (it gave no answer)" : "T5 alone", report.pFactual, "score"],
    ]),
    bars("NLI with the passage that supports it most", triple(report.nli)),
    element("h3", "", count(evidence.length, "passage")),
    list,
  ];
}

function meaning(report: SentenceReport): string {
  const standing = standingOf(report);
  if (standing === "notInIndex" || standing === "undecided") return ENGLISH[`${standing}Means`];
  return `Probability of being factual: ${decimal(report.score)}.`;
}

/** One passage; the decisive one is open, the others on request. */
function card(passage: Evidence, rank: number): HTMLElement {
  const tags = element("span", "tags", `No. ${rank} · BM25 ${decimal(passage.bm25)}`);
  if (passage.decisive) tags.append(" ", element("span", "tag strong", "decisive"));
  if (passage.inPrompt) tags.append(" ", element("span", "tag", "read by the T5"));
  const body = element("div", "body", passageOf(passage), bars("NLI with the marked sentence", triple(passage.nli)));
  if (passage.source) body.append(element("p", "source", "Source: ", source(passage.source)));

  const details = element("details", "", element("summary", "", titleOf(passage), tags), body);
  details.open = passage.decisive;
  return details;
}

/** The passage's title, or its beginning. */
export const titleOf = ({ title }: Evidence): HTMLElement => element("bdi", "title", lineOf(title));

/** The passage with its deciding sentence marked, or as much around that as can be shown. */
export function passageOf(passage: Evidence): HTMLElement {
  const { before, decisive, after } = excerptOf(passage);
  const shown = element("p", "passage", before, element("mark", "", decisive), after);
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
