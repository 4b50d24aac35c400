/**
 * A report as Markdown, for people to read and keep. Texts of others are escaped: they stay text wherever it is shown.
 */

import type { Report, SentenceReport } from "evident-check";
import { labelOf } from "../package/src/ui/badge.js";
import { linkOf } from "../package/src/ui/dom.js";
import { explanationOf, foremost, kindOf, LEADS, partsOf, type Ranked, reasonOf } from "../package/src/ui/findings.js";
import { count, labelFor, summaryOf, WORDING } from "./format.js";

/** The report in Markdown. */
export function markdownOf(report: Report): string {
  const { question, pack, index, sentences, leftOut } = report;
  const lines = [
    "# What was found about an answer",
    "",
    ...(question ? [`Question: ${escaped(question)}`, ""] : []),
    `${sentence(summaryOf(sentences))} Judged by the models ${escaped(`${pack.name} ${pack.version}`)} against an index of ${count(index.passages, "passage")}. A verdict is a reason to look at the evidence, not the last word.`,
    ...sentences.flatMap((judged, number) => ["", ...section(judged, number + 1)]),
  ];
  if (leftOut.length)
    lines.push(
      "",
      "## Not judged",
      "",
      ...leftOut.map(({ text, kind }) => `- ${escaped(text)} (${escaped(kindOf(kind, WORDING))})`),
    );
  return `${lines.join("\n")}\n`;
}

function section(report: SentenceReport, number: number): string[] {
  const passages = foremost(report);
  const said = [explanationOf(report, WORDING), reasonOf(report, WORDING)].filter((line) => line !== null);
  const parts = partsOf(report).map(
    ({ text, standing, score }) => `- ${labelOf(standing, score, WORDING)}: ${escaped(text)}`,
  );
  return [
    `## ${number}. ${labelFor(report)}`,
    "",
    `> ${escaped(report.text)}`,
    ...(report.statement === report.text ? [] : ["", `Read as: ${escaped(report.statement)}`]),
    ...said.flatMap((line) => ["", escaped(line)]),
    ...(parts.length ? ["", ...parts] : []),
    ...(passages.length
      ? passages.flatMap((ranked) => ["", ...evidence(ranked)])
      : ["", "No passage of the index shares a word with it."]),
  ];
}

function evidence({ passage: { title, text, sentence, source, nli }, role }: Ranked): string[] {
  const { start, end } = sentence ?? { start: 0, end: 0 };
  const marked = [escaped(text.slice(0, start)), `**${escaped(text.slice(start, end))}**`, escaped(text.slice(end))];
  const numbers =
    nli &&
    `entailment ${WORDING.decimal(nli.entailment)}, neutral ${WORDING.decimal(nli.neutral)}, contradiction ${WORDING.decimal(nli.contradiction)}`;
  return [
    `${WORDING.say(LEADS[role])} ${escaped(title)} (${numbers ?? WORDING.say("notRead")})`,
    "",
    `> ${marked.filter((part) => part && part !== "****").join(" ")}`,
    ...(source ? ["", `Source: ${linkTo(source)}`] : []),
  ];
}

function linkTo(source: string): string {
  const link = linkOf(source);
  return link ? `[${escaped(source)}](<${link}>)` : escaped(source);
}

/**
 * Escapes a text so that no Markdown reader finds marks, links, tags or lines in it. Characters that turn or hide text
 * are left out.
 */
function escaped(text: string): string {
  return text
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim()
    .replace(/[\\`*_{}[\]()#+\-.!|<>&~:@^=$]/g, "\\$&");
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
