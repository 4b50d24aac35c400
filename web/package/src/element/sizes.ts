/** The sizes of the element: a panel, one line, or a badge. The two small ones show what they found on demand. */

/** What the attribute `size` takes. */
export const SIZES = ["panel", "inline", "badge"] as const;

export type Size = (typeof SIZES)[number];

/** The size of this name; the panel where there is none. */
export const sizeOf = (name: string | null): Size => SIZES.find((size) => size === name) ?? "panel";

/**
 * Moves a box that has just been opened, so that it stays within the window's width. Its layout changes, and not only
 * where it is drawn: a page could be scrolled to the place of the first layout.
 */
export function keepInWindow(box: HTMLElement): void {
  box.style.insetInlineStart = "";
  const { left, right } = box.getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  const toRight = right > width ? Math.max(-left, width - right) : Math.max(-left, 0);
  box.style.insetInlineStart = `${getComputedStyle(box).direction === "rtl" ? -toRight : toRight}px`;
}

let sheet: CSSStyleSheet | undefined;

/** The sheet of the sizes, beside that of the shadow tree. */
export function sizeStyle(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  return sheet;
}

const CSS = `
.drop {
  display: contents;
}

.before {
  color: var(--quiet);
  font-size: 0.875em;
}

.more {
  min-block-size: 2rem;
  padding: 0.2rem 0.75rem;
  background: transparent;
  color: inherit;
  border: 1px solid var(--line);
  border-radius: 1rem;
  font: inherit;
  font-size: 0.875em;
  cursor: pointer;
}

:host(:is([size="inline"], [size="badge"])) {
  display: inline-block;
  max-inline-size: 100%;
}

:is(.size-inline, .size-badge) {
  position: relative;
  flex-flow: row wrap;
  align-items: center;
  gap: 0.25rem 0.5rem;
  margin: 0;
  padding: 0;
  background: none;
  border: 0;
}

:is(.size-inline, .size-badge) :is(.check, .cancel) {
  min-inline-size: 0;
  min-block-size: 2rem;
  padding: 0.2rem 0.75rem;
  border-radius: 1rem;
  font-size: 0.875em;
}

:is(.size-inline, .size-badge) .progress {
  inline-size: 10rem;
  font-size: 0.8125em;
}

:is(.size-inline, .size-badge) :is(.status, .notice, .error):empty {
  display: none;
}

/* Said, not shown: the button has the size, and the badge its icons. */
.said,
:is(.size-inline, .size-badge) .before,
.size-badge :is(.status, .progress label) {
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

.size-badge .progress {
  inline-size: 4rem;
}

:is(.size-inline, .size-badge):not(.expanded) .drop {
  display: none;
}

:is(.size-inline, .size-badge).expanded .drop {
  display: grid;
  gap: 0.75rem;
  flex-basis: 100%;
  padding: 0.75rem;
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: var(--evident-radius, 0.5rem);
}

.size-badge.expanded .drop {
  position: absolute;
  z-index: 2147483647;
  inset-block-start: calc(100% + 0.25rem);
  inset-inline-start: 0;
  inline-size: min(30rem, 92vw);
  max-block-size: 70vh;
  overflow: auto;
  box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 0.2);
}

.more .tally {
  display: inline-flex;
  gap: 0.2em;
  align-items: center;
  margin-inline-end: 0.5em;
}

.tally:is(.factual, .likely-factual) { color: var(--factual); }
.tally:is(.unfactual, .likely-unfactual) { color: var(--unfactual); }
.tally.mixed { color: var(--mixed); }
.tally.no-evidence { color: var(--no-evidence); }
`;
