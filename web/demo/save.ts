/** The report as a file, and the whole of it on paper. */

import type { Report, SentenceReport } from "evident-check";
import { byId, element } from "./element.js";
import { passageOf, titleOf } from "./evidence.js";
import { decimal, wordFor } from "./format.js";
import { markdownOf } from "./markdown.js";

const printed = byId("printed", HTMLElement);

/** Lets the reader save and print what `report` gives, as soon as there is a report. */
export function offerSaving(report: () => Report | null): void {
  const on = (id: string, act: (report: Report) => void) =>
    byId(id, HTMLButtonElement).addEventListener("click", () => {
      const found = report();
      if (found) act(found);
    });
  on("save-json", (found) => download("evident-report.json", "application/json", `${JSON.stringify(found, null, 2)}\n`));
  on("save-markdown", (found) => download("evident-report.md", "text/markdown", markdownOf(found)));
  on("print", () => window.print());
  window.addEventListener("beforeprint", () => printed.replaceChildren(...(report()?.sentences.map(onPaper) ?? [])));
  window.addEventListener("afterprint", () => printed.replaceChildren());
}

/** A sentence with its verdict in words, and the passage that it rests on. */
function onPaper(report: SentenceReport): HTMLElement {
  const { text, verdict, score } = report;
  const quote = element("blockquote", "", text);
  quote.dir = "auto";
  const word = verdict === "noEvidence" ? wordFor(report) : `${wordFor(report)}, ${decimal(score)}`;
  const item = element("li", "", element("strong", "", word), quote);
  const decisive = report.evidence.find((passage) => passage.decisive);
  if (decisive) item.append(element("p", "", "Closest passage: ", titleOf(decisive)), passageOf(decisive));
  if (decisive?.source) item.append(element("p", "source", "Source: ", element("bdi", "", decisive.source)));
  return item;
}

function download(name: string, type: string, text: string): void {
  const link = element("a", "");
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser may still be asking where to
}
