/** Builds DOM from text and nodes, so that no string is ever parsed as markup. */

import type { Look } from "./standing.js";

/** A new element; `part` is both its class and the name by which a page's CSS reaches it ("" for none). */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  part: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (part) {
    made.className = part;
    made.setAttribute("part", part);
  }
  made.append(...children);
  return made;
}

/** The element of this id, which the page's own HTML has. */
export function byId<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${type.name} called "${id}"`);
}

/**
 * Hides or disables one button and shows or enables another. The focus moves along, for a button that is hidden or
 * disabled loses it. The page does not scroll to it: the reader may be reading elsewhere.
 */
export function handOver(off: HTMLButtonElement, on: HTMLButtonElement, by: "hidden" | "disabled"): void {
  const focused = off.matches(":focus");
  on[by] = false;
  if (focused) on.focus({ preventScroll: true });
  off[by] = true;
}

/** The address of a source, if it is one that a link may have. */
export function linkOf(source: string): string | null {
  return /^https?:\/\//.test(source) && URL.canParse(source) ? new URL(source).href : null;
}

/** The looks as names in CSS. */
export const CSS_NAME: Record<Look, string> = {
  factual: "factual",
  likelyFactual: "likely-factual",
  unfactual: "unfactual",
  likelyUnfactual: "likely-unfactual",
  mixed: "mixed",
  noEvidence: "no-evidence",
};

/**
 * A tick and a cross, each also under a wave, a plus over a minus, a question mark and three dots, on a grid of 16.
 */
const SHAPE: Record<Look | "pending", string> = {
  factual: "M3 8.6 6.4 12 13 4.6",
  likelyFactual: "m3.5 10.4 3 3 6-6.4M4 4.4c1.3-2 2.7-2 4-.9s2.7 1.1 4-.9",
  unfactual: "m4 4 8 8m0-8-8 8",
  likelyUnfactual: "m5 7.4 6 6m0-6-6 6M4 4.4c1.3-2 2.7-2 4-.9s2.7 1.1 4-.9",
  mixed: "M8 2.2v6.6M4.7 5.5h6.6M4.7 13h6.6",
  noEvidence: "M5.6 6A2.5 2.5 0 1 1 9 8.3c-.7.3-1 .8-1 1.4v.3m0 2.7v.1",
  pending: "M4 8h.1M8 8h.1m3.9 0h.1",
};

/** The icon of a look, or of no verdict yet; the word beside it explains it. */
export function icon(shape: Look | "pending"): SVGSVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", SHAPE[shape]);
  svg.append(path);
  return svg;
}
