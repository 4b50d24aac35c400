/** What was found as a file, and the whole of it on paper. */

import type { SentenceReport } from "evident-check";
import { byId, make } from "../package/src/ui/dom.js";
import { download } from "../package/src/ui/download.js";
import { partList, passageQuote, passageSource } from "../package/src/ui/evidence-card.js";
import { foremost, leadOf, whyOf } from "../package/src/ui/findings.js";
import { sourceNotes } from "../package/src/ui/source-notes.js";
import { WORDING, wordFor } from "./format.js";
import type { Found } from "./found.js";
import { markdownOf } from "./markdown.js";

const printed = byId("printed", HTMLElement);

/** Lets the reader save and print what `found` gives, as soon as there is something. */
export function offerSaving(found: () => Found | null): void {
  const on = (id: string, act: (found: Found) => void) =>
    byId(id, HTMLButtonElement).addEventListener("click", () => {
      const now = found();
      if (now) act(now);
    });
  on("save-json", (found) =>
    download("evident-report.json", "application/json", `${JSON.stringify(found, null, 2)}\n`),
  );
  on("save-markdown", (found) => download("evident-report.md", "text/markdown", markdownOf(found)));
  on("print", () => window.print());
  const details = byId("details", HTMLDetailsElement);
  let wasOpen = false;
  window.addEventListener("beforeprint", () => {
    wasOpen = details.open;
    details.open = true; // on paper there is nothing to press
    printed.replaceChildren(...(found()?.sentences.map(onPaper) ?? []));
  });
  window.addEventListener("afterprint", () => {
    details.open = wasOpen;
    printed.replaceChildren();
  });
}

/** A sentence with its verdict in words, and the passages that it rests on. */
function onPaper(report: SentenceReport): HTMLElement {
  const quote = make("blockquote", "", report.text);
  quote.dir = "auto";
  const item = make("li", "", make("strong", "", wordFor(report)), quote, make("p", "", whyOf(report, WORDING)));
  item.append(...partList(report, WORDING));
  const [deciding] = foremost(report);
  for (const { passage, role } of deciding)
    item.append(make("p", "", leadOf(role, WORDING)), passageQuote(passage, report), passageSource(passage, WORDING));
  item.append(...sourceNotes(report, WORDING));
  return item;
}
