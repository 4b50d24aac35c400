/**
 * What the parts of the extension say to each other. Pages and panels each hold a port to the desk, where the engine
 * is; the few things that only the background may do are asked of it by single messages. Who sent a message is taken
 * from the browser, never from the message.
 */

import { textOf } from "../../package/src/input.js";
import type { Passage } from "../../package/src/passage.js";
import type {
  Block,
  Input,
  LeftOut,
  LoadProgress,
  Sentence,
  SentenceReport,
  Stage,
  VerifyEvent,
} from "../../package/src/report.js";
import type { UnreadSource } from "../../package/src/sources/source.js";
import type { Failure } from "../../package/src/ui/failure.js";
import type { Scoring } from "../../package/src/ui/score-panel.js";
import type { Look } from "../../package/src/ui/standing.js";
import type { Selectors } from "./sites.js";

/** The names of the ports. Each speaks its own messages below. */
export type PortName = "page" | "panel";

/**
 * How a page stands: no answer yet, answers found, none found where there must be some, those of a site that is off or
 * paused, or a page without an adapter.
 */
export type PageState = "empty" | "reading" | "unreadable" | "off" | "other";

/** A text of a page: an answer, or what the reader selected. Its `id` names it within the page. */
export interface Reading {
  id: string;
  kind: "answer" | "selection";
  /** What the chatbot was asked; "" where that is not known. */
  question: string;
  /** What is read, and its text, in which all places are. */
  answer: Input;
  text: string;
  /** Whether more of it is to come: the last sentence waits then. */
  streaming: boolean;
}

/** A judged sentence as a page needs it: `source` stands at `start` to `end` of the text that was read. */
export interface Mark {
  index: number;
  start: number;
  end: number;
  source: string;
  look: Look;
}

export type FromPage =
  | { type: "state"; site: string | null; state: PageState }
  | { type: "reading"; reading: Reading }
  | { type: "gone"; id: string }
  /** The reader asks for a sentence's evidence. */
  | { type: "open"; id: string; index: number }
  | Ping;

export type ToPage =
  /** All that is judged of a text so far; `pending` says that there is more to come. */
  | { type: "marks"; id: string; marks: Mark[]; pending: boolean }
  /** The reader wants to see a sentence. */
  | { type: "reveal"; id: string; index: number };

/** A text with all that is known of it. */
export interface Checked {
  id: string;
  kind: Reading["kind"];
  question: string;
  streaming: boolean;
  /** The finished sentences; `judged` has their reports so far. */
  sentences: Sentence[];
  judged: (SentenceReport | null)[];
  /** Those of them whose marks the reader has dismissed. */
  dismissed: number[];
  /** Why sentences are not judged, a kind for each. */
  leftOut: LeftOut["kind"][];
  failure: Failure | null;
  /** Why the wiki could not be asked about sentences of it; null if it could, or need not be. */
  unasked: string | null;
  /** Whether it is an answer that is finished and judged to its end, so that its scores may be asked for. */
  whole: boolean;
  scoring: Scoring | null;
}

/** What the engine does; "idle" before the first text and between texts. */
export type EngineState =
  | { doing: "idle" | "scoring" | "opinion" | "sources" }
  | { doing: "loading"; progress: LoadProgress }
  | { doing: "judging"; left: number }
  /** The wiki has asked to wait. */
  | { doing: "waiting"; seconds: number };

export type FromPanel =
  /** Which tab the panel shows. */
  | { type: "watch"; tab: number }
  /** The reader wants to see a sentence in its page. */
  | { type: "reveal"; id: string; index: number }
  /** The reader wants a text that failed tried again, or the wiki asked again that could not be. */
  | { type: "retry"; id: string }
  /** The reader asks for an answer's scores, or no longer wants them. */
  | { type: "score" | "stop-scoring"; id: string }
  | AskOpinion
  | AskSources
  | StopSources
  /** The reader dismisses a sentence's mark, or wants it back. */
  | { type: "dismiss"; id: string; index: number; dismissed: boolean }
  | Ping;

export type ToPanel =
  /** Everything about the tab; null where no page of it is read. */
  | { type: "page"; page: { site: string | null; state: PageState } | null; checked: Checked[] }
  | { type: "checked"; checked: Checked }
  | { type: "working"; id: string; index: number; stage: Stage }
  | { type: "scoring"; id: string; scoring: Scoring }
  | { type: "opinion"; ask: number; news: OpinionNews }
  | { type: "sources"; ask: number; news: SourceNews }
  | { type: "gone"; id: string }
  | { type: "open"; id: string; index: number }
  | { type: "engine"; engine: EngineState };

/**
 * The reader wants a second opinion on a sentence, or, before that, to know what is fetched for it. The panel numbers
 * what it asks, and the desk answers by that number.
 */
export type AskOpinion = { type: "opinion-bytes" | "opinion"; ask: number; id: string; index: number };

/** The desk's replies to that: steps, and finally the result or why there is none. */
export type OpinionNews =
  | { event: VerifyEvent }
  | { bytes: number }
  | { report: SentenceReport }
  | { failure: Failure };

/**
 * The reader wants the sentences of a text in a tab compared with the pages that they cite. "sources": the desk fetches
 * `addresses`, which the reader has seen and agreed to; for that alone the browser has granted the patterns `borrowed`.
 * "source": the reader gives one page.
 */
export type AskSources =
  | { type: "sources"; ask: number; tab: number; id: string; addresses: string[]; borrowed: string[] }
  | { type: "source"; ask: number; tab: number; id: string; address: string; page: Passage[] | UnreadSource };

/** The reader no longer wants that. */
export type StopSources = { type: "stop-sources"; tab: number; id: string };

/** The desk's replies to that: its progress, and finally that the text's reports have the results, or why not. */
export type SourceNews = { n: number; total: number } | { done: true } | { failure: Failure };

/** Keeps a background page awake while something is awaited of it. */
export type Ping = { type: "ping" };

/** To the background, from a page or a panel: brings the desk to life; answered when a port can be opened. */
export type Wake = { type: "wake" };
/** To the background, from a page: which adapter reads it. */
export type AskSite = { type: "ask-site" };
/**
 * What the background answers to that; `selectors` are those that were published after the adapter, and `isOn` says
 * whether answers are to be read: the site is on, and not paused.
 */
export type ToldSite = { site: string | null; selectors: Selectors | null; isOn: boolean };
/** From the background, to the pages: they are to ask that again. */
export type SiteChanged = { type: "site-changed" };
/** To the background, from a page: it is to have the style of highlights whose names begin with this. */
export type StyleMarks = { type: "style-marks"; prefix: string };
/** To the background, from a page, by a click of the reader's. */
export type OpenPanel = { type: "open-panel" };
/**
 * To the background, from the desk: what the icon shows for a tab, such as how many sentences are contradicted, and of
 * how many the evidence is mixed.
 */
export type Badge = { type: "badge"; tab: number; flagged: number; mixed: number; unreadable: boolean };
/**
 * To the background, from desk, panel or options: patterns that were granted for one use, and are to be given back
 * unless something else needs them.
 */
export type GiveBack = { type: "give-back"; origins: string[] };
/** From a panel to the background, and from there to the page. */
export type CheckSelection = { type: "check-selection"; tab: number };
/** What the background answers to it: whether the page could be asked. */
export type Asked = { asked: boolean };

/** The most characters of a text from a page. The engine's own limit is far below. */
const MOST_CHARACTERS = 1_000_000;
/** The most blocks of a text, and the most links and columns of a block. */
const MOST_PARTS = 100_000;
/** What a page's blocks may be. */
const KINDS = ["paragraph", "item", "heading", "row", "reference"] as const;

/** A page's message, if it is one: a renderer may be compromised, so nothing is taken on trust. */
export function fromPage(message: unknown): FromPage | null {
  const fields = asFields(message);
  switch (fields.type) {
    case "state": {
      const { site, state } = fields;
      if ((site !== null && !isShort(site)) || !isOneOf(state, ["empty", "reading", "unreadable", "off", "other"]))
        return null;
      return { type: "state", site, state };
    }
    case "reading": {
      const { id, kind, question, answer: given, streaming } = asFields(fields.reading);
      const answer = asInput(given);
      if (
        !isShort(id) ||
        !isOneOf(kind, ["answer", "selection"]) ||
        !isText(question) ||
        !answer ||
        typeof streaming !== "boolean"
      )
        return null;
      const text = textOf(answer);
      return isText(text) ? { type: "reading", reading: { id, kind, question, answer, text, streaming } } : null;
    }
    case "gone":
      return isShort(fields.id) ? { type: "gone", id: fields.id } : null;
    case "open":
      return isShort(fields.id) && isIndex(fields.index) ? { type: "open", id: fields.id, index: fields.index } : null;
    case "ping":
      return { type: "ping" };
    default:
      return null;
  }
}

function asFields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** What a page shows, or what a field of it holds. */
function asInput(value: unknown): Input | null {
  const { markdown, blocks } = asFields(value);
  if (isText(markdown)) return { markdown };
  if (!isList(blocks)) return null;
  const found = blocks.map(asBlock);
  return found.every((block) => block !== null) ? { blocks: found } : null;
}

function asBlock(value: unknown): Block | null {
  const { kind, text, number, heads = [], links = [] } = asFields(value);
  if (!isOneOf(kind, KINDS) || !isText(text) || !(number === undefined || isIndex(number))) return null;
  if (!isList(heads) || !heads.every(isText) || !isList(links)) return null;
  const found = links.map((link) => {
    const { start, end, url } = asFields(link);
    return isIndex(start) && isIndex(end) && isText(url) ? { start, end, url } : null;
  });
  if (!found.every((link) => link !== null)) return null;
  return {
    kind,
    text,
    ...(number === undefined ? {} : { number }),
    ...(heads.length > 0 ? { heads } : {}),
    ...(found.length > 0 ? { links: found } : {}),
  };
}

/** Whether it is what the names of a page's highlights begin with (own-marks.ts): it becomes a part of a style. */
export const isPrefix = (value: unknown): value is string =>
  typeof value === "string" && /^evident-[0-9a-f]{32}-$/.test(value);

const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length <= MOST_PARTS;
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= MOST_CHARACTERS;
const isShort = (value: unknown): value is string => typeof value === "string" && value.length <= 2_000;
const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function isOneOf<T extends string>(value: unknown, names: readonly T[]): value is T {
  return names.includes(value as T);
}
