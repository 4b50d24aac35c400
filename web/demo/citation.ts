/** A passage as a citation: one line of plain text, copied to where the reader writes. */

import type { ConsultedSource, Evidence } from "evident-check";
import { linkOf, make } from "../package/src/ui/dom.js";
import { lineOf } from "../package/src/ui/excerpt.js";
import { onOneLine } from "./format.js";

type Cited = Pick<Evidence, "title" | "source" | "from" | "date" | "license">;
type Origin = Pick<ConsultedSource, "date" | "license">;

/**
 * Title, site, revision and date, licence, address: what is known of them. A passage without a date or a licence of its
 * own has those of the source that found it.
 */
export function citationOf({ title, source, from, date, license }: Cited, sources: Origin[]): string {
  const address = linkOf(source ?? "");
  const url = address ? new URL(address) : null;
  const revision = url?.searchParams.get("oldid");
  const origin = from === null ? undefined : sources[from];
  const site = [
    url ? url.host : lineOf(source ?? ""),
    revision && /^\d+$/.test(revision) ? `revision ${revision}` : "",
    date ?? origin?.date ?? "",
  ];
  const parts = [lineOf(title), known(site, ", "), license ?? origin?.license ?? ""].map((part) =>
    onOneLine(part).replace(/\.$/, ""),
  );
  const said = known(parts, ". ");
  return known([said && `${said}.`, address ?? ""], " ");
}

const known = (parts: string[], between: string) => parts.filter((part) => part).join(between);

/**
 * A button that copies the citation of a passage with a source; nothing for one without. `sources` gives those of the
 * report, once there is one.
 */
export function citeButton(passage: Cited, sources: () => Origin[]): HTMLElement[] {
  if (!passage.source) return [];
  const button = make("button", "back", "Copy as citation");
  button.type = "button";
  const status = make("span", "hint");
  status.setAttribute("role", "status");
  const element = make("p", "cite", button, " ", status);
  button.addEventListener("click", () => {
    const line = citationOf(passage, sources());
    Promise.resolve(navigator.clipboard)
      .then((clipboard) => clipboard.writeText(line))
      .then(
        () => {
          status.textContent = "Copied.";
        },
        () => element.replaceChildren(byHand(line)),
      );
  });
  return [element];
}

/** A field to copy a line from, where the browser lets no page do it. */
function byHand(line: string): HTMLInputElement {
  const field = make("input", "");
  field.readOnly = true;
  field.value = line;
  field.setAttribute("aria-label", "Citation");
  queueMicrotask(() => field.select());
  return field;
}
