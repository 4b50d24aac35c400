/**
 * Judges sentences one by one as the engine judges them within their answer. An answer that is still being written
 * grows, and a page is rendered again and again: the engine is asked how the text splits, and then only for the
 * sentences that nobody has judged yet.
 */

import { unlessAborted } from "../../package/src/abort.js";
import { PRESETS } from "../../package/src/generated/settings.js";
import { type ConnerReport, type ConnerStep, createVerifier, type Verifier } from "../../package/src/index.js";
import type {
  Input,
  LeftOut,
  LoadProgress,
  Sentence,
  SentenceReport,
  Settings,
  Stage,
  VerifyEvent,
} from "../../package/src/report.js";
import { Comparison, type Surroundings } from "../../package/src/sources/comparison.js";
import { keptIndex } from "./kept-index.js";
import type { Reading } from "./messages.js";
import { type Order, OWN_FILES } from "./preferences.js";

/** How many judged sentences are remembered; one takes about 10 kB. */
const REMEMBERED = 2_000;
/** How many answers' scores are remembered. */
const SCORES_REMEMBERED = 200;

/** What was found about a sentence. */
export interface Finding {
  report: SentenceReport;
  /** Why the wiki could not be asked about it; null if it could, or need not be. */
  unasked: string | null;
}

export class SentenceChecker {
  readonly #order: Order;
  readonly #onLoad: (progress: LoadProgress) => void;
  readonly #onWait: (seconds: number) => void;
  #verifier: Promise<Verifier> | null = null;
  /** The wiki's failure during the judgement that runs now. */
  #unasked: string | null = null;
  readonly #judged = new Memory<Pick<Sentence, "context" | "statement">, Finding>(
    REMEMBERED,
    ({ context, statement }) => [context, statement],
  );
  readonly #scored = new Memory<Reading, ConnerReport>(SCORES_REMEMBERED, ({ question, text }) => [question, text]);

  /** `onWait` is told for how many seconds the wiki has asked to wait, and 0 when that is over. */
  constructor(order: Order, onLoad: (progress: LoadProgress) => void, onWait: (seconds: number) => void) {
    this.#order = order;
    this.#onLoad = onLoad;
    this.#onWait = onWait;
  }

  /**
   * The sentences of a text that are judged, and why its others are not. The last sentence of a text that is still
   * being written is left out.
   * @throws EvidentError
   */
  async split(
    answer: Input,
    question: string,
    streaming: boolean,
    signal: AbortSignal,
  ): Promise<{ sentences: Sentence[]; leftOut: LeftOut["kind"][] }> {
    const whole = streaming ? wholeWords(answer) : answer;
    const { sentences, leftOut } = await (await this.#open()).split(whole, {
      question: readable(question),
      settings: this.#settings(),
      signal,
    });
    if (streaming) {
      const last = [...sentences, ...leftOut].reduce((end, sentence) => Math.max(end, sentence.start), -1);
      for (const list of [sentences, leftOut]) if (list.at(-1)?.start === last) list.pop();
    }
    return { sentences, leftOut: leftOut.map(({ kind }) => kind) };
  }

  /** What was found about a sentence before, perhaps at another place. */
  recall(sentence: Sentence): Finding | null {
    const found = this.#judged.get(sentence);
    return found && { ...found, report: { ...found.report, ...sentence } };
  }

  /** Forgets a judged sentence if the wiki could not be asked about it; says whether that was so. */
  forgetUnasked(report: SentenceReport): boolean {
    const isUnasked = typeof this.#judged.get(report)?.unasked === "string";
    if (isUnasked) this.#judged.delete(report);
    return isUnasked;
  }

  /**
   * What is found about a sentence of `split`, whose question is this.
   * @throws EvidentError
   */
  async judge(
    sentence: Sentence,
    question: string,
    signal: AbortSignal,
    onStage: (stage: Stage) => void,
  ): Promise<Finding> {
    const verifier = await this.#open();
    const { factualFrom, unfactualBelow } = this.#order;
    this.#unasked = null;
    const report = await verifier.judge(sentence, {
      question: readable(question),
      settings: this.#settings(),
      certainty: {
        ...(factualFrom === null ? {} : { factualFrom }),
        ...(unfactualBelow === null ? {} : { unfactualBelow }),
      },
      signal,
      onEvent: (event) => {
        if (event.kind === "load") this.#onLoad(event);
        else if (event.kind === "stage") onStage(event.stage);
      },
    });
    const found = { report, unasked: this.#unasked };
    this.#judged.set(sentence, found);
    return found;
  }

  /**
   * The bytes of the T5 that a second opinion fetches; 0 if the pack is the one in the extension.
   * @throws EvidentError "pack-architecture" if there is no T5.
   */
  async opinionBytes(): Promise<number> {
    return this.#order.pack ? (await this.#open()).secondOpinionBytes() : 0;
  }

  /**
   * What the T5 says of a judged sentence.
   * @throws EvidentError
   */
  async opinion(first: SentenceReport, signal: AbortSignal, onEvent: (event: VerifyEvent) => void) {
    const verifier = await unlessAborted(this.#open(), signal);
    return verifier.secondOpinion(first, { settings: this.#settings(), signal, onEvent });
  }

  /** Judged sentences, to be compared with the pages that they cite. */
  comparison(sentences: SentenceReport[], { onChecked, fetch }: Pick<Surroundings, "onChecked" | "fetch">): Comparison {
    const settings = { ...PRESETS[this.#order.preset], ...this.#settings() };
    const use: Surroundings["use"] = async (signal, work) => work(await unlessAborted(this.#open(), signal));
    return new Comparison({ sentences, settings }, { use, onChecked, fetch });
  }

  /** The scores of an answer that was scored before. */
  recallScores(reading: Reading): ConnerReport | null {
    return this.#scored.get(reading);
  }

  /**
   * CONNER's scores of an answer. The answer is scored as the knowledge; the user's turn before it is the question.
   * @throws EvidentError
   */
  async score(reading: Reading, signal: AbortSignal, onStep: (step: ConnerStep) => void): Promise<ConnerReport> {
    const verifier = await unlessAborted(this.#open(), signal);
    const report = await verifier.conner({ question: reading.question, knowledge: reading.text }, { signal, onStep });
    this.#scored.set(reading, report);
    return report;
  }

  /** Frees the engine's memory; the next text loads it again. */
  rest(): void {
    const verifier = this.#verifier;
    this.#verifier = null;
    void verifier?.then(
      (opened) => opened.dispose(),
      () => undefined,
    );
  }

  /**
   * The engine. Splitting a text needs no models: they are loaded for the first sentence to judge.
   */
  #open(): Promise<Verifier> {
    const opening = (this.#verifier ??= this.#create());
    opening.catch(() => {
      if (this.#verifier === opening) this.#verifier = null; // the next text tries again
    });
    return opening;
  }

  async #create(): Promise<Verifier> {
    const { pack, index, packHash, indexHash, packKey, indexKey, wiki, backend } = this.#order;
    const isOwn = index === OWN_FILES;
    const elsewhere = !isOwn && index;
    return createVerifier({
      pack: pack || chrome.runtime.getURL("pack/"),
      index: isOwn ? await keptIndex() : index || chrome.runtime.getURL("index/"),
      // No hash or key is stated for what comes with the extension or was made in it.
      expected: { ...(pack && packHash && { pack: packHash }), ...(elsewhere && indexHash && { index: indexHash }) },
      signedBy: { ...(pack && packKey && { pack: packKey }), ...(elsewhere && indexKey && { index: indexKey }) },
      ...(wiki && { wiki }),
      engine: chrome.runtime.getURL(""),
      device: backend,
      lazy: true,
      onProgress: this.#onLoad,
      onNotice: ({ kind, message, seconds = 0 }) => {
        if (kind === "wiki-failed") this.#unasked = message;
        if (kind === "wiki-waits") this.#onWait(seconds);
      },
    });
  }

  #settings(): Partial<Settings> {
    const { preset, evidence } = this.#order;
    return { preset, ...(evidence === null ? {} : { evidence }) };
  }
}

/**
 * Remembers findings by the texts that they depend on. Beyond `most` it forgets the one used longest ago.
 */
class Memory<Thing, Found> {
  readonly #most: number;
  readonly #textsOf: (thing: Thing) => string[];
  readonly #found = new Map<string, Found>();

  constructor(most: number, textsOf: (thing: Thing) => string[]) {
    this.#most = most;
    this.#textsOf = textsOf;
  }

  get(thing: Thing): Found | null {
    const found = this.#found.get(this.#keyOf(thing));
    if (found === undefined) return null;
    this.set(thing, found);
    return found;
  }

  set(thing: Thing, found: Found): void {
    const key = this.#keyOf(thing);
    this.#found.delete(key); // so that it comes last
    this.#found.set(key, found);
    const [oldest] = this.#found.keys();
    if (this.#found.size > this.#most && oldest !== undefined) this.#found.delete(oldest);
  }

  delete(thing: Thing): void {
    this.#found.delete(this.#keyOf(thing));
  }

  #keyOf(thing: Thing): string {
    return JSON.stringify(this.#textsOf(thing));
  }
}

/** As much of a question as the engine reads: people paste whole documents into theirs. */
const readable = (question: string): string => question.slice(0, PRESETS.recommended.maxCharacters);

/** An answer to the end of its last whole word: half a word can make an abbreviation of a full stop. */
function wholeWords(answer: Input): Input {
  if (!("blocks" in answer)) return answer;
  const at = answer.blocks.findLastIndex(({ kind }) => kind !== "reference");
  const last = answer.blocks[at];
  if (!last) return answer;
  return { blocks: answer.blocks.with(at, { ...last, text: last.text.slice(0, wordsEnd(last.text)) }) };
}

/**
 * Where the last whole word's white space ends. (A regular expression would take quadratic time for a hostile text.)
 */
function wordsEnd(text: string): number {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1).trim()) end -= 1;
  return end;
}
