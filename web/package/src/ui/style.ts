/**
 * The sheets of shadow trees, and the one of the highlights in a page's own text. A page restyles both by CSS.
 */

import { COLOURS } from "./colours.js";
import { READING } from "./reading-style.js";

/** Colours that both sheets use; a page may replace them by its `--evident-...`. */
const FACTUAL = `var(--evident-factual, ${COLOURS.factual})`;
const UNFACTUAL = `var(--evident-unfactual, ${COLOURS.unfactual})`;
const MIXED = `var(--evident-mixed, ${COLOURS.mixed})`;
const NO_EVIDENCE = `var(--evident-no-evidence, ${COLOURS["no-evidence"]})`;

/**
 * The underline tells the verdict without its colour; the washes are so thin that the page's own text colour stays
 * readable.
 */
const MARK = {
  factual: `text-decoration: underline solid 2px ${FACTUAL}; background-color: var(--evident-factual-wash, rgb(23 140 70 / 0.1));`,
  likelyFactual: `text-decoration: underline dashed 1px ${FACTUAL};`,
  unfactual: `text-decoration: underline wavy 2px ${UNFACTUAL}; background-color: var(--evident-unfactual-wash, rgb(220 40 40 / 0.12));`,
  likelyUnfactual: `text-decoration: underline wavy 1px ${UNFACTUAL};`,
  mixed: `text-decoration: underline double 2px ${MIXED}; background-color: var(--evident-mixed-wash, rgb(130 70 190 / 0.1));`,
  noEvidence: `text-decoration: underline dotted 2px ${NO_EVIDENCE}; background-color: var(--evident-no-evidence-wash, rgb(90 120 160 / 0.12));`,
  wrong: `background-color: var(--evident-wrong-wash, rgb(220 40 40 / 0.28));`,
  open: "background-color: var(--evident-open, rgb(255 190 0 / 0.22));",
};

/** The rules for the highlights in a page's text, whose names begin with `prefix`. */
export const highlightRules = (prefix: string): string => `
@layer evident {
  ::highlight(${prefix}factual) { ${MARK.factual} }
  ::highlight(${prefix}likely-factual) { ${MARK.likelyFactual} }
  ::highlight(${prefix}likely-unfactual) { ${MARK.likelyUnfactual} }
  ::highlight(${prefix}unfactual) { ${MARK.unfactual} }
  ::highlight(${prefix}mixed) { ${MARK.mixed} }
  ::highlight(${prefix}no-evidence) { ${MARK.noEvidence} }
  ::highlight(${prefix}wrong) { ${MARK.wrong} }
  ::highlight(${prefix}open) { ${MARK.open} }
}`;

/** What the names of an element's highlights begin with: a page's own CSS knows them. */
export const SHARED = "evident-";

const SHADOW = `
:host {
  display: block;
}

:host([hidden]),
[hidden] {
  display: none !important;
}

.widget {
  --paper: var(--evident-paper, ${COLOURS.card});
  --ink: var(--evident-ink, ${COLOURS.ink});
  --quiet: var(--evident-quiet, ${COLOURS.quiet});
  --line: var(--evident-line, ${COLOURS.line});
  --accent: var(--evident-accent, ${COLOURS.accent});
  --on-accent: var(--evident-on-accent, ${COLOURS["on-accent"]});
  --factual: ${FACTUAL};
  --unfactual: ${UNFACTUAL};
  --mixed: ${MIXED};
  --no-evidence: ${NO_EVIDENCE};
  --edge: ${COLOURS.edge};
  --mark: var(--evident-mark, ${COLOURS.mark});
  display: flex;
  flex-direction: column;
  gap: 0.75rem;
  margin-block: 0.5rem;
  padding: 0.75rem;
  background: var(--paper);
  color: var(--ink);
  border: 1px solid var(--line);
  border-radius: var(--evident-radius, 0.5rem);
  font: var(--evident-font, 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
  letter-spacing: normal;
  overflow-wrap: anywhere;
  text-align: start;
  text-indent: 0;
  text-transform: none;
  white-space: normal;
  word-spacing: normal;
}

* {
  box-sizing: border-box;
}

p,
ol,
ul,
dl,
dd,
figure {
  margin: 0;
  padding: 0;
}

ol,
ul {
  list-style: none;
}

:focus-visible {
  outline: 3px solid var(--accent);
  outline-offset: 2px;
}

.form {
  display: grid;
  grid-template-columns: minmax(0, 1fr); /* however long a word in the box is */
  gap: 0.5rem;
}

label {
  font-weight: 600;
}

textarea {
  field-sizing: content;
  inline-size: 100%;
  min-block-size: 6rem;
  max-block-size: 20rem;
  margin-block-start: 0.25rem;
  padding: 0.5rem 0.625rem;
  background: transparent;
  color: inherit;
  border: 1px solid ${COLOURS.edge};
  border-radius: 0.375rem;
  font: inherit;
  resize: vertical;
}

.check,
.cancel,
.next,
.back {
  justify-self: start;
  min-inline-size: 6.5rem;
  min-block-size: 2.75rem;
  padding: 0.4rem 1rem;
  background: transparent;
  color: inherit;
  border: 1px solid ${COLOURS.edge};
  border-radius: 0.375rem;
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}

.check {
  background: var(--accent);
  border-color: var(--accent);
  color: var(--on-accent);
}

:is(.back, .next) {
  min-block-size: 2rem;
  font-weight: 400;
}

.progress label {
  font-weight: 400;
  font-variant-numeric: tabular-nums;
}

progress {
  display: block;
  inline-size: 100%;
  block-size: 0.5rem;
  margin-block-start: 0.25rem;
  accent-color: var(--accent);
}

.status,
.hint,
.left-out {
  color: var(--quiet);
  font-size: 0.9375em;
}

.error,
.alert:not(:empty),
.notice {
  padding: 0.625rem 0.75rem;
  border: 1px solid var(--line);
  border-inline-start: 4px solid var(--unfactual);
  border-radius: 0.25rem;
}

.notice {
  border-inline-start-color: var(--no-evidence);
}

/* Not taken away, only the gap: a live region that is not there when its text comes may stay unread. */
:is(.status, .notice, .error):empty {
  margin-block-start: -0.75rem;
  padding: 0;
  border: 0;
}

.copy mark:not(.marked) {
  background: none;
}

.marked {
  cursor: pointer;
}

.marked.factual {
  ${MARK.factual}
}

.marked.likely-factual {
  ${MARK.likelyFactual}
}

.marked.likely-unfactual {
  ${MARK.likelyUnfactual}
}

.marked.unfactual {
  ${MARK.unfactual}
}

.marked.mixed {
  ${MARK.mixed}
}

.marked.no-evidence {
  ${MARK.noEvidence}
}

.wrong {
  ${MARK.wrong}
  text-decoration: none;
}

.marked.open {
  ${MARK.open}
}

.result,
.sentences,
.parts {
  display: grid;
  gap: 0.5rem;
  min-inline-size: 0;
}

.summary {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1.25rem;
}

.badge {
  display: inline-flex;
  gap: 0.3em;
  align-items: baseline;
  font-size: 0.875em;
  font-weight: 600;
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
}

.badge:is(.likely-factual, .likely-unfactual) {
  font-weight: 400;
}

.badge:is(.factual, .likely-factual) {
  color: var(--factual);
}

.badge:is(.unfactual, .likely-unfactual) {
  color: var(--unfactual);
}

.badge.mixed {
  color: var(--mixed);
}

.badge.no-evidence {
  color: var(--no-evidence);
}

.badge.pending {
  color: var(--quiet);
  font-weight: 400;
}

.working {
  animation: breathe 1.6s ease-in-out infinite;
}

@keyframes breathe {
  50% {
    opacity: 0.55;
  }
}

@media (prefers-reduced-motion: reduce) {
  .working {
    animation: none;
  }
}

.icon {
  inline-size: 1em;
  block-size: 1em;
  flex: none;
  align-self: center;
  fill: none;
  stroke: currentColor;
  stroke-width: 2.2;
  stroke-linecap: round;
  stroke-linejoin: round;
}

.sentence {
  padding-inline-start: 0.625rem;
  border-inline-start: 3px solid var(--line);
}

.sentence-button {
  inline-size: 100%;
  min-block-size: 2rem;
  padding: 0.25rem 0;
  background: transparent;
  color: inherit;
  border: 0;
  font: inherit;
  text-align: start;
  cursor: pointer;
}

.sentence-button:is(:hover, [aria-expanded="true"]) .words {
  text-decoration: underline;
}

.sentence .badge {
  margin-inline-end: 0.375rem;
}

.evidence {
  display: grid;
  gap: 0.5rem;
  padding-block: 0.375rem 0.5rem;
  font-size: 0.9375em;
}

summary {
  min-block-size: 1.5rem;
  cursor: pointer;
}

.parts {
  gap: 0.125rem;
}

.cited,
.cited ul {
  display: grid;
  gap: 0.375rem;
}

.cited h3 {
  margin: 0;
  font-size: 1em;
}

.badge.by-source {
  white-space: normal;
}

.actions {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
}

mark {
  padding-inline: 0.125em;
  background: var(--mark);
  color: inherit;
}

.copy.markup mark {
  padding: 0;
}

a {
  color: var(--accent);
}

${READING}

@media (forced-colors: active) {
  .marked {
    text-decoration-color: currentColor;
  }
}
`;

/** The rules for CONNER's scores below a list of sentences. */
const SCORES = `
.scoring,
.scores {
  display: grid;
  gap: 0.5rem;
}

.scoring :is(.status, .error, .scores):empty {
  margin-block-start: -0.5rem;
}

.score h3 {
  display: flex;
  gap: 1em;
  justify-content: space-between;
  margin: 0;
  font-size: 1em;
}

.value {
  font-variant-numeric: tabular-nums;
}

.link {
  padding: 0;
  background: none;
  border: 0;
  color: var(--accent);
  font: inherit;
  text-align: start;
  text-decoration: underline;
  cursor: pointer;
}
`;

const sheets = new Map<string, CSSStyleSheet>();

function sheet(css: string): CSSStyleSheet {
  let made = sheets.get(css);
  if (!made) {
    made = new CSSStyleSheet();
    made.replaceSync(css);
    sheets.set(css, made);
  }
  return made;
}

/** The sheet of the element's shadow tree. */
export const shadowStyle = (): CSSStyleSheet => sheet(SHADOW);

/** The sheet that stands beside it where there are scores. */
export const scoresStyle = (): CSSStyleSheet => sheet(SCORES);

/** The sheet for the tree that a marked text stands in; it lies in a layer, so that any rule of the page's own wins. */
export const highlightStyle = (): CSSStyleSheet => sheet(highlightRules(SHARED));
