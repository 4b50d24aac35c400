/** What a report says of a sentence beside its verdict, as texts and in the order in which they are shown. */

import type { Evidence, LeftOut, NoClaim, SentenceReport, Span } from "../report.js";
import { lineOf } from "./excerpt.js";
import { type Judged, type Standing, standingOf } from "./standing.js";
import { ENGLISH, type Wording } from "./strings.js";

/** A passage and its place among those found, from 1. */
export interface Ranked {
  passage: Evidence;
  rank: number;
  /** What it is to the verdict. */
  role: "speaksFor" | "speaksAgainst" | "read" | "notRead";
}

/**
 * The passages in the order in which they are shown: those that decide (of a mixed verdict the supporting one before
 * the contradicting one), those that NLI read, the others.
 */
export function passagesOf({ verdict, evidence }: Pick<SentenceReport, "verdict" | "evidence">): Ranked[] {
  const ranked = evidence.map((passage, index) => ({ passage, rank: index + 1, role: roleOf(passage, verdict) }));
  return ranked.sort((a, b) => PLACES.indexOf(a.role) - PLACES.indexOf(b.role) || a.rank - b.rank);
}

const PLACES: readonly Ranked["role"][] = ["speaksFor", "speaksAgainst", "read", "notRead"];

function roleOf({ decisive, nli }: Evidence, verdict: SentenceReport["verdict"]): Ranked["role"] {
  if (!nli) return "notRead";
  if (!decisive || verdict === "noEvidence") return "read";
  if (verdict !== "mixed") return verdict === "factual" ? "speaksFor" : "speaksAgainst";
  return nli.entailment >= nli.contradiction ? "speaksFor" : "speaksAgainst";
}

/** The passages that a verdict rests on, or else the closest, where one is about the sentence at all; then the others. */
export function foremost(report: Judged & Pick<SentenceReport, "evidence">): [Ranked[], Ranked[]] {
  const all = passagesOf(report);
  const deciding = all.filter(({ role }) => role === "speaksFor" || role === "speaksAgainst");
  const closest = standingOf(report) === "notInIndex" ? [] : all.toSorted((a, b) => says(b) - says(a)).slice(0, 1);
  const first = deciding.length ? deciding : closest;
  return [first, all.filter((ranked) => !first.includes(ranked))];
}

/** How clearly a passage says something of the sentence, for it or against it, in [0, 1]. */
const says = ({ passage: { nli } }: Ranked): number => (nli ? Math.max(nli.entailment, nli.contradiction) : 0);

/** The words that introduce a passage, by its role. */
export const leadOf = (role: Ranked["role"], wording: Wording): string =>
  wording.say(role === "speaksFor" || role === "speaksAgainst" ? role : "closest");

/** Cuts a text into stretches that are marked and stretches that are not. */
export function cutAt(text: string, spans: Span[]): { text: string; marked: boolean }[] {
  const pieces: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end <= Math.max(at, start)) continue;
    const from = Math.max(at, start);
    pieces.push({ text: text.slice(at, from), marked: false }, { text: text.slice(from, end), marked: true });
    at = end;
  }
  pieces.push({ text: text.slice(at), marked: false });
  return pieces.filter((piece) => piece.text);
}

/** The words of statement and passage that contradict each other, in one line; null where the report does not say. */
export function reasonOf({ statement, evidence, reason }: SentenceReport, wording: Wording): string | null {
  const found = reason && evidence[reason.evidence]?.text.slice(reason.found.start, reason.found.end);
  const said = reason && statement.slice(reason.said.start, reason.said.end);
  return found && said ? wording.say("reason", { found: isolated(lineOf(found)), said: isolated(lineOf(said)) }) : null;
}

/** Letters that are written from right to left, and characters that change the direction of the text after them. */
const TURNING = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/;

/** A text that cannot change the direction of the words around it. */
const isolated = (text: string): string => (TURNING.test(text) ? `\u2068${text}\u2069` : text);

/** The parts that a statement was judged in, and how each stands. */
export function partsOf({ parts = [], verdict, related }: SentenceReport): { text: string; standing: Standing }[] {
  // The report does not say of a part whether a passage speaks of it. Where its sentence was decided, one does.
  const known = related || verdict !== "noEvidence";
  return parts.map((part) => ({
    text: part.text,
    standing: standingOf({ ...part, related: known }),
  }));
}

/** Why the verdict is what it is, in one line. */
export function whyOf(report: SentenceReport, wording: Wording): string {
  if (report.unread?.length) return wording.say("unread");
  const standing = standingOf(report);
  const reason = standing === "mixed" ? null : reasonOf(report, wording);
  return reason ?? wording.say(`${standing}Means`);
}

/** Kinds of sentences that may well be claims, but cannot be judged. */
const UNJUDGED: readonly LeftOut["kind"][] = ["language", "unresolved", "formula"];

/** Whether a kind has a word here; later engines may have further ones. */
const isKnown = (kind: LeftOut["kind"]): kind is NoClaim => `kind-${kind}` in ENGLISH;

/** Why a sentence is not judged. A kind that is unknown here keeps the name that the engine gives it. */
export function kindOf(kind: LeftOut["kind"], wording: Wording): string {
  if (isKnown(kind)) return wording.say(`kind-${kind}`);
  return lineOf(kind.replaceAll(/[_-]+|(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase());
}

/** How many sentences are not judged, and why; "" where there are none. */
export function leftOutOf(kinds: LeftOut["kind"][], wording: Wording): string {
  const others = kinds.filter((kind) => !isKnown(kind) || UNJUDGED.includes(kind));
  const names = [...new Set(others.map((kind) => kindOf(kind, wording)))].join(", ");
  const noClaims = kinds.length - others.length;
  const said = [
    noClaims ? wording.say("leftOut", { n: noClaims }) : "",
    others.length ? wording.say("leftOutOthers", { n: others.length, kinds: names }) : "",
  ];
  return said.filter(Boolean).join(" ");
}
