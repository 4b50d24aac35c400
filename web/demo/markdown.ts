/**
 * What was found as Markdown, for people to read and keep. Texts of others are escaped: they stay text wherever it is shown.
 */

import type { SentenceReport } from "evident-check";
import { linkOf } from "../package/src/ui/dom.js";
import { foremost, kindOf, leadOf, partsOf, type Ranked, whyOf } from "../package/src/ui/findings.js";
import { sourceLabel } from "../package/src/ui/source-notes.js";
import { hasScore } from "../package/src/ui/standing.js";
import { count, onOneLine, summaryOf, WORDING, wordFor } from "./format.js";
import type { Found } from "./found.js";

/** What was found, in Markdown. */
export function markdownOf(found: Found): string {
  const { question, sentences, leftOut } = found;
  const unjudged = "unjudged" in found ? found.unjudged : [];
  const lines = [
    "# What was found about an answer",
    "",
    ...(question ? [`Question: ${escaped(question)}`, ""] : []),
    `${sentence(summaryOf(sentences))} ${byWhat(found)} A verdict is a reason to look at the evidence, not the last word.`,
    ...sentences.flatMap((judged, number) => ["", ...section(judged, number + 1)]),
  ];
  if (leftOut.length + unjudged.length)
    lines.push(
      "",
      "## Not judged",
      "",
      ...unjudged.map(({ text }) => `- ${escaped(text)} (${WORDING.say("notChecked")})`),
      ...leftOut.map(({ text, kind }) => `- ${escaped(text)} (${escaped(kindOf(kind, WORDING))})`),
    );
  return `${lines.join("\n")}\n`;
}

function byWhat(found: Found): string {
  if ("unjudged" in found) return "The check ended before all sentences were judged.";
  const { pack, sources } = found;
  const described = sources.map(({ name, passages }) =>
    passages === null ? escaped(name) : `${escaped(name)} (${count(passages, "passage")})`,
  );
  return `Judged by the models ${escaped(`${pack.name} ${pack.version}`)} against ${described.join(", ")}.`;
}

function section(report: SentenceReport, number: number): string[] {
  const [deciding] = foremost(report);
  const parts = partsOf(report).map(({ text, standing }) => `- ${WORDING.say(standing)}: ${escaped(text)}`);
  return [
    `## ${number}. ${wordFor(report)}`,
    "",
    `> ${escaped(report.text)}`,
    ...(report.statement === report.text ? [] : ["", `Read as: ${escaped(report.statement)}`]),
    "",
    escaped(whyOf(report, WORDING)),
    ...(parts.length ? ["", ...parts] : []),
    ...deciding.flatMap((ranked) => ["", ...evidence(ranked)]),
    ...(report.sources ?? []).flatMap((source) => [
      "",
      `${escaped(sourceLabel(source, WORDING))}: ${linkTo(source.address)}`,
    ]),
    ...(report.evidence.length ? [] : ["", "No passage of the index shares a word with it."]),
    ...(hasScore(report) ? ["", `Details: probability of being factual ${WORDING.decimal(report.score)}.`] : []),
  ];
}

function evidence({ passage: { title, text, sentence, source }, role }: Ranked): string[] {
  const { start, end } = sentence ?? { start: 0, end: 0 };
  const marked = [escaped(text.slice(0, start)), `**${escaped(text.slice(start, end))}**`, escaped(text.slice(end))];
  return [
    `${leadOf(role, WORDING)} ${escaped(title)}`,
    "",
    `> ${marked.filter((part) => part && part !== "****").join(" ")}`,
    ...(source ? ["", `Source: ${linkTo(source)}`] : []),
  ];
}

function linkTo(source: string): string {
  const link = linkOf(source);
  return link ? `[${escaped(source)}](<${link}>)` : escaped(source);
}

/** Escapes a text so that no Markdown reader finds marks, links, tags or lines in it. */
const escaped = (text: string) => onOneLine(text).replace(/[\\`*_{}[\]()#+\-.!|<>&~:@^=$]/g, "\\$&");

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
