/**
 * The rules for what is read: the answer's Markdown, and the card of one sentence. Shadow trees and the demo page have
 * them in common; whoever takes them sets the colours `--ink`, `--quiet`, `--line`, `--edge`, `--accent`, `--mark` and
 * those of the verdicts.
 */

export const READING = `
.markup > * + * {
  margin-block-start: 0.75em;
}

.markup :is(p, li, th, td, h3, h4, h5, h6) {
  white-space: pre-line;
  unicode-bidi: plaintext;
}

.markup :is(h3, h4, h5, h6) {
  margin-block: 1em 0;
  font-family: inherit;
  font-size: 1.0625em;
  font-weight: 650;
  line-height: 1.35;
}

.markup h3 {
  font-size: 1.2em;
}

.markup > :first-child {
  margin-block-start: 0;
}

.markup :is(ul, ol) {
  margin: 0;
  padding-inline-start: 1.5em;
  list-style: revert;
}

.markup > * > li + li,
.markup li > :is(ul, ol, p + p) {
  margin-block-start: 0.25em;
}

.markup blockquote {
  margin-inline: 0;
  padding-inline-start: 0.875em;
  border-inline-start: 3px solid var(--line);
  font: inherit;
}

.markup .scrolled {
  position: relative;
  max-inline-size: 100%;
  overflow-x: auto;
}

.markup table {
  border-collapse: collapse;
  font-size: 0.9375em;
}

.markup :is(th, td) {
  padding: 0.3em 0.7em;
  border: 1px solid var(--line);
  text-align: start;
  vertical-align: top;
  overflow-wrap: normal;
}

.markup th {
  font-weight: 650;
}

.markup .to-center {
  text-align: center;
}

.markup .to-right {
  text-align: end;
}

.markup :is(code, pre) {
  font: 0.875em/1.55 ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace;
}

.markup :not(pre) > code {
  padding: 0.1em 0.3em;
  border-radius: 0.25em;
  background: color-mix(in srgb, currentColor 8%, transparent);
}

.markup .scrolled:has(pre) {
  border: 1px solid var(--line);
  border-radius: 0.375rem;
}

.markup pre {
  margin: 0;
  padding: 0.75em 0.875em;
  inline-size: max-content;
  min-inline-size: 100%;
}

.markup pre code {
  font-size: 1em;
}

.markup hr {
  border: 0;
  border-block-start: 1px solid var(--line);
}

.markup .footnote {
  color: var(--quiet);
  font-size: 0.875em;
}

.markup .footnote p {
  display: inline;
}

.markup sup {
  font-size: 0.75em;
  line-height: 1;
}

.markup .reasoning {
  color: var(--quiet);
  font-size: 0.9375em;
}

.markup .image {
  font-style: italic;
}

/* The card of one sentence. */

.why {
  font-weight: 500;
}

.deciding {
  display: grid;
  gap: 0.375rem;
  margin: 0;
  padding-inline-start: 0.75rem;
  border-inline-start: 3px solid var(--line);
}

.deciding.factual {
  border-color: var(--factual);
}

.deciding.unfactual {
  border-color: var(--unfactual);
}

.deciding figcaption {
  margin: 0;
  color: var(--quiet);
  font-size: 0.9375em;
  font-weight: 400;
}

.deciding blockquote {
  margin: 0;
  padding: 0;
  border: 0;
  overflow-wrap: anywhere;
  white-space: pre-line;
}

.source {
  display: flex;
  flex-wrap: wrap;
  gap: 0 0.625em;
  align-items: baseline;
  margin: 0;
  color: var(--quiet);
  font-size: 0.9375em;
  overflow-wrap: anywhere;
}

.source a .title {
  color: var(--accent);
}

.source .from {
  font-size: 0.9375em;
}

.title {
  color: var(--ink);
  font-weight: 600;
  overflow-wrap: anywhere;
}

:is(.whole, .others, .details) {
  padding: 0;
  border: 0;
}

:is(.whole, .others, .details) > summary {
  inline-size: fit-content;
  padding-block: 0.25rem;
  color: var(--accent);
  cursor: pointer;
}

:is(.others, .details) > summary {
  font-weight: 600;
}

:is(.whole, .others, .details) > .body {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.625rem;
  margin-block-start: 0.25rem;
}

.passages,
.ranked {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.5rem;
  margin: 0;
  padding: 0;
  list-style: none;
}

.ranked {
  gap: 0.75rem;
  font-size: 0.875em;
}

.passages details {
  padding: 0;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
}

.passages summary {
  padding: 0.5rem 0.75rem;
  cursor: pointer;
}

.passages .body {
  display: grid;
  gap: 0.5rem;
  margin: 0;
  padding: 0 0.75rem 0.75rem;
}

.passage {
  margin: 0;
  overflow-wrap: anywhere;
  white-space: pre-line;
}

.tags {
  margin: 0;
  color: var(--quiet);
  font-variant-numeric: tabular-nums;
}

.numbers {
  display: flex;
  flex-wrap: wrap;
  gap: 0 1.25em;
  margin: 0;
}

.numbers > div {
  display: flex;
  gap: 0.5em;
}

.numbers dt {
  color: var(--quiet);
}

.numbers dd {
  margin: 0;
  font-variant-numeric: tabular-nums;
}

.objection,
.answers {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1rem;
  align-items: baseline;
}

.flagged:not(:has(button:not([hidden]))) {
  display: none;
}

.copy.stale {
  filter: grayscale(1);
}
`;
