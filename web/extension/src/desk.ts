/**
 * The desk: takes the texts of all pages, has them judged one sentence at a time, and tells the pages and the panels.
 * It lives where the engine can: in Chrome's offscreen document, in Firefox's background page. When it ends, its ports
 * close; the pages and panels that need it wake it and send their texts again. It keeps nothing on disk.
 */

import { EvidentError, plainError } from "../../package/src/errors.js";
import type { LeftOut, LoadProgress, Sentence, SentenceReport, Stage } from "../../package/src/report.js";
import type { Comparison } from "../../package/src/sources/comparison.js";
import { fetchSources } from "../../package/src/sources/fetch.js";
import type { Scoring } from "../../package/src/ui/score-panel.js";
import { lookOf, standingOf } from "../../package/src/ui/standing.js";
import { SentenceChecker } from "./checker.js";
import {
  type AskOpinion,
  type AskSources,
  type Badge,
  type Checked,
  type EngineState,
  type FromPage,
  type FromPanel,
  fromPage,
  type GiveBack,
  type Mark,
  type OpinionNews,
  type PageState,
  type Reading,
  type SourceNews,
  type ToPage,
  type ToPanel,
} from "./messages.js";
import type { Order } from "./preferences.js";

/** After this long without work the engine's memory is given back. */
const REST_MS = 10 * 60_000;
/** The most texts kept of one page; the oldest goes first. */
const MOST_TEXTS = 200;

/** A text on the desk. */
interface Work {
  reading: Reading;
  /** null until the engine has split the text. */
  sentences: Sentence[] | null;
  judged: (SentenceReport | null)[];
  /** The statements whose marks the reader has dismissed. */
  dismissed: Set<string>;
  leftOut: LeftOut["kind"][];
  failure: Checked["failure"];
  unasked: Checked["unasked"];
  abort: AbortController;
  scoring: Scoring | null;
  /** Ends the scoring that was asked for last. */
  stop: AbortController;
  /** Its sentences and the pages that they cite, once the reader wants them compared. */
  comparison: Comparison | null;
  /** Ends the comparing that was asked for last. */
  stopSources: AbortController;
}

/** A page that has a port. */
interface Page {
  port: chrome.runtime.Port;
  tab: number;
  site: string | null;
  state: PageState;
  works: Map<string, Work>;
}

/** A question about a second opinion, and the panel that waits for the answer. */
interface Asked {
  panel: Panel;
  question: AskOpinion;
}

/** A panel that has a port, and the tab that it shows. */
interface Panel {
  port: chrome.runtime.Port;
  tab: number | null;
  /** Ends, when the panel goes, what only it waits for. */
  gone: AbortController;
}

export class Desk {
  readonly #checker: SentenceChecker;
  readonly #tellBackground: (message: Badge | GiveBack) => void;
  #pages: Page[] = [];
  #panels: Panel[] = [];
  #asked: Asked[] = [];
  #engine: EngineState = { doing: "idle" };
  /** What the engine does, or loads for. */
  #doing: EngineState = { doing: "idle" };
  #working = false;
  /** How many texts are being compared with their sources, and for how many of them sources are being fetched. */
  #comparing = 0;
  #fetching = 0;
  /** The patterns that were granted for these fetches alone. */
  readonly #borrowed = new Set<string>();
  #rest: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(order: Order, tellBackground: (message: Badge | GiveBack) => void) {
    this.#checker = new SentenceChecker(
      order,
      (progress) => this.#follow(progress),
      (seconds) => this.#showEngine(seconds > 0 ? { doing: "waiting", seconds } : this.#doing),
    );
    this.#tellBackground = tellBackground;
  }

  /**
   * Takes the port of a content script in a tab's top frame, or of a panel. Any other is closed.
   */
  connect(port: chrome.runtime.Port): void {
    const { sender, name } = port;
    const own = sender?.id === chrome.runtime.id;
    if (own && name === "page" && sender.tab?.id !== undefined && sender.frameId === 0)
      this.#takePage(port, sender.tab.id);
    else if (own && name === "panel" && sender.url?.startsWith(chrome.runtime.getURL(""))) this.#takePanel(port);
    else port.disconnect();
  }

  /** Ends all work and closes every port. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#rest);
    for (const { port, works } of this.#pages) {
      for (const { abort } of works.values()) abort.abort();
      port.disconnect();
    }
    for (const { port, gone } of this.#panels) {
      gone.abort();
      port.disconnect();
    }
    [this.#pages, this.#panels, this.#asked] = [[], [], []];
    this.#checker.rest();
  }

  // --- who is there ------------------------------------------------------------------------------------------------

  #takePage(port: chrome.runtime.Port, tab: number): void {
    const page: Page = { port, tab, site: null, state: "empty", works: new Map() };
    this.#pages.push(page);
    port.onMessage.addListener((message: unknown) => {
      const heard = fromPage(message);
      if (heard) this.#hearPage(page, heard);
    });
    port.onDisconnect.addListener(() => {
      for (const { abort } of page.works.values()) abort.abort();
      this.#pages = this.#pages.filter((other) => other !== page);
      this.#showTab(tab);
    });
    this.#showTab(tab);
  }

  #takePanel(port: chrome.runtime.Port): void {
    const panel: Panel = { port, tab: null, gone: new AbortController() };
    this.#panels.push(panel);
    port.onMessage.addListener((message: FromPanel) => this.#hearPanel(panel, message));
    port.onDisconnect.addListener(() => {
      panel.gone.abort();
      this.#panels = this.#panels.filter((other) => other !== panel);
      this.#asked = this.#asked.filter((asked) => asked.panel !== panel);
    });
    port.postMessage({ type: "engine", engine: this.#engine } satisfies ToPanel);
  }

  #hearPage(page: Page, message: FromPage): void {
    switch (message.type) {
      case "state":
        page.site = message.site;
        page.state = message.state;
        return this.#showTab(page.tab);
      case "reading":
        return this.#read(page, message.reading);
      case "gone":
        page.works.get(message.id)?.abort.abort();
        page.works.delete(message.id);
        this.#tell(page.tab, message);
        return this.#showBadge(page);
      case "open":
        return this.#tell(page.tab, message);
    }
  }

  #hearPanel(panel: Panel, message: FromPanel): void {
    const page = this.#pages.find(({ tab }) => tab === panel.tab);
    switch (message.type) {
      case "watch":
        panel.tab = message.tab;
        return panel.port.postMessage(this.#view(message.tab));
      case "reveal":
        return page && this.#tellPage(page, message);
      case "retry": {
        const work = page?.works.get(message.id);
        if (!page || !work) return;
        work.failure = work.unasked = null;
        work.judged = work.judged.map((report) => (report && this.#checker.forgetUnasked(report) ? null : report));
        this.#show(page, work);
        return this.#start();
      }
      case "score": {
        const work = page?.works.get(message.id);
        if (!page || !work || !isWhole(work) || isAwaited(work)) return;
        work.stop = new AbortController();
        this.#setScoring(page, work, { state: "waiting" });
        return this.#start();
      }
      case "stop-scoring": {
        const work = page?.works.get(message.id);
        if (!page || !work) return;
        work.stop.abort();
        return work.scoring?.state === "waiting" ? this.#setScoring(page, work, { state: "stopped" }) : undefined;
      }
      case "dismiss": {
        const work = page?.works.get(message.id);
        const statement = work?.judged[message.index]?.statement;
        if (!page || !work || statement === undefined) return;
        work.dismissed[message.dismissed ? "add" : "delete"](statement);
        return this.#show(page, work);
      }
      case "sources":
      case "source": {
        const meant = page?.tab === message.tab ? page : undefined; // the panel may have turned to another tab
        return void this.#compare(panel, meant, meant?.works.get(message.id), message);
      }
      case "stop-sources":
        // The panel may have turned to another tab since it asked.
        return this.#pages
          .find(({ tab }) => tab === message.tab)
          ?.works.get(message.id)
          ?.stopSources.abort();
      case "opinion":
      case "opinion-bytes":
        this.#asked.push({ panel, question: message });
        return this.#start();
    }
  }

  // --- what there is to judge --------------------------------------------------------------------------------------

  #read(page: Page, reading: Reading): void {
    const known = page.works.get(reading.id);
    if (known && same(known.reading, reading)) return this.#tellMarks(page, known); // the page lost sight of its marks
    if (known) {
      known.stopSources.abort();
      known.comparison = null;
      if (!sameText(known.reading, reading)) {
        known.stop.abort();
        known.scoring = this.#recallScoring(reading);
      }
      known.reading = reading;
      known.sentences = null; // what is judged stays in view until it is known how the text splits now
      known.failure = null;
    } else {
      const [abort, stop] = [new AbortController(), new AbortController()];
      page.works.set(reading.id, {
        reading,
        sentences: null,
        judged: [],
        dismissed: new Set(),
        leftOut: [],
        failure: null,
        unasked: null,
        abort,
        scoring: this.#recallScoring(reading),
        stop,
        comparison: null,
        stopSources: new AbortController(),
      });
    }
    const [first] = page.works.keys();
    if (page.works.size > MOST_TEXTS && first !== undefined) this.#hearPage(page, { type: "gone", id: first });
    this.#start();
  }

  #start(): void {
    if (!this.#working) void this.#work();
  }

  /** Works step by step until nothing is left. What a reader waits for before the panel comes first. */
  async #work(): Promise<void> {
    this.#working = true;
    clearTimeout(this.#rest);
    for (;;) {
      const asked = this.#asked.shift();
      if (asked) {
        await this.#answer(asked);
        continue;
      }
      const next = this.#next();
      if (!next) break;
      const { page, work } = next;
      try {
        if (work.sentences === null) await this.#split(page, work);
        else if (isOpen(work)) await this.#judgeNext(page, work, work.sentences);
        else await this.#score(page, work);
      } catch (thrown) {
        if (work.abort.signal.aborted) continue;
        const { code, message } = thrown instanceof EvidentError ? thrown : plainError(thrown);
        work.failure = { code, message };
        this.#show(page, work);
      }
    }
    this.#working = false;
    this.#ease();
  }

  /** Lets the engine rest after a while, if there is nothing left to do. */
  #ease(): void {
    this.#setEngine({ doing: this.#comparing ? "sources" : "idle" });
    if (!this.#comparing && !this.#isClosed) this.#rest = setTimeout(() => this.#checker.rest(), REST_MS);
  }

  /**
   * The page that has waited longest goes first. Within a page the text read last goes first: the reader looks at it.
   * Scores come after all verdicts, because they take long.
   */
  #next(): { page: Page; work: Work } | null {
    for (const isWanted of [isOpen, isUnscored])
      for (const page of this.#pages) {
        const work = [...page.works.values()].findLast(isWanted);
        if (!work) continue;
        this.#pages = [...this.#pages.filter((other) => other !== page), page];
        return { page, work };
      }
    return null;
  }

  async #split(page: Page, work: Work): Promise<void> {
    const { reading } = work;
    this.#showLeft();
    const { sentences, leftOut } = await this.#checker.split(
      reading.answer,
      reading.question,
      reading.streaming,
      work.abort.signal,
    );
    if (work.reading !== reading) return; // it has grown meanwhile
    work.sentences = sentences;
    work.leftOut = leftOut;
    const found = sentences.map((sentence) => this.#checker.recall(sentence));
    work.judged = found.map((one) => one?.report ?? null);
    work.unasked = found.find((one) => one?.unasked)?.unasked ?? null;
    this.#show(page, work);
  }

  async #judgeNext(page: Page, work: Work, sentences: Sentence[]): Promise<void> {
    const index = work.judged.indexOf(null);
    const sentence = sentences[index];
    if (!sentence) return;
    this.#showLeft();
    const onStage = (stage: Stage) => this.#tell(page.tab, { type: "working", id: work.reading.id, index, stage });
    const { report, unasked } =
      this.#checker.recall(sentence) ??
      (await this.#checker.judge(sentence, work.reading.question, work.abort.signal, onStage));
    if (work.sentences !== sentences) return; // it has grown meanwhile; the report is remembered
    work.judged[index] = report;
    work.unasked ??= unasked;
    this.#show(page, work);
  }

  async #score(page: Page, work: Work): Promise<void> {
    const { reading, stop } = work;
    const show = (scoring: Scoring) =>
      work.stop === stop && sameText(work.reading, reading) && this.#setScoring(page, work, scoring);
    this.#setEngine({ doing: "scoring" });
    show({ state: "running", step: null });
    try {
      const signal = AbortSignal.any([work.abort.signal, stop.signal]);
      const report = await this.#checker.score(reading, signal, (step) => show({ state: "running", step }));
      show({ state: "done", report });
    } catch (thrown) {
      const { code, message } = thrown instanceof EvidentError ? thrown : plainError(thrown);
      show(code === "cancelled" ? { state: "stopped" } : { state: "failed", failure: { code, message } });
    }
  }

  async #answer({ panel, question: { type, ask, id, index } }: Asked): Promise<void> {
    const tell = (news: OpinionNews) => panel.port.postMessage({ type: "opinion", ask, news } satisfies ToPanel);
    const work = this.#pages.find(({ tab }) => tab === panel.tab)?.works.get(id);
    const first = work?.judged[index];
    if (!work || !first) return; // it has left the page, and the panel with it
    this.#setEngine({ doing: "opinion" });
    try {
      if (type === "opinion-bytes") return tell({ bytes: await this.#checker.opinionBytes() });
      const report = await this.#checker.opinion(first, work.abort.signal, (event) => tell({ event }));
      tell({ report });
    } catch (thrown) {
      const { code, message } = thrown instanceof EvidentError ? thrown : plainError(thrown);
      if (this.#panels.includes(panel)) tell({ failure: { code, message } });
    }
  }

  /**
   * Compares a text's sentences with the pages that they cite, beside all other work: the hosts are waited for, and the
   * engine does one thing after the other by itself.
   */
  async #compare(panel: Panel, page: Page | undefined, work: Work | undefined, asked: AskSources): Promise<void> {
    const tell = (news: SourceNews) => {
      if (!panel.gone.signal.aborted)
        panel.port.postMessage({ type: "sources", ask: asked.ask, news } satisfies ToPanel);
    };
    if (asked.type === "sources") for (const origin of asked.borrowed) this.#borrowed.add(origin);
    if (!page || !work) {
      this.#giveBack();
      return tell({ failure: plainError(EvidentError.cancelled()) }); // the text has left its page
    }
    const onStep = (n: number, total: number) => tell({ n, total });
    work.stopSources.abort();
    work.stopSources = new AbortController();
    const signal = AbortSignal.any([work.abort.signal, work.stopSources.signal, panel.gone.signal]);
    if (asked.type === "sources") work.comparison = null;
    work.comparison ??= this.#checker.comparison(
      work.judged.filter((report) => report !== null),
      {
        fetch: async (addresses, options) => {
          const agreed = asked.type === "sources" ? asked.addresses : [];
          this.#fetching += 1;
          await fetchSources(
            addresses.filter((address) => agreed.includes(address)),
            options,
          ).finally(() => {
            this.#fetching -= 1;
            this.#giveBack();
          });
        },
        onChecked: (index, report) => (work.judged[index] = report),
      },
    );
    clearTimeout(this.#rest);
    this.#comparing += 1;
    this.#setEngine({ doing: "sources" });
    try {
      if (asked.type === "sources") await work.comparison.fetch(signal, onStep);
      else await work.comparison.give(asked.address, asked.page, signal, onStep);
      this.#show(page, work);
      tell({ done: true });
    } catch (thrown) {
      const { code, message } = thrown instanceof EvidentError ? thrown : plainError(thrown);
      tell({ failure: { code, message } });
    }
    this.#comparing -= 1;
    if (!this.#working) this.#ease();
  }

  /** Gives back the permission to read cited pages, once no page is being fetched. */
  #giveBack(): void {
    if (this.#fetching > 0 || this.#borrowed.size === 0) return;
    this.#tellBackground({ type: "give-back", origins: [...this.#borrowed] });
    this.#borrowed.clear();
  }

  #recallScoring(reading: Reading): Scoring | null {
    const report = this.#checker.recallScores(reading);
    return report && { state: "done", report };
  }

  // --- who is told -------------------------------------------------------------------------------------------------

  /** Tells page and panels how a text stands. */
  #show(page: Page, work: Work): void {
    if (work.abort.signal.aborted) return;
    this.#tellMarks(page, work);
    this.#tell(page.tab, { type: "checked", checked: checkedOf(work) });
    this.#showBadge(page);
  }

  /**
   * Tells how the scores of an answer stand. The page keeps the desk awake, so it hears when scores begin and stop
   * being awaited.
   */
  #setScoring(page: Page, work: Work, scoring: Scoring): void {
    const wasAwaited = isAwaited(work);
    work.scoring = scoring;
    if (work.abort.signal.aborted) return;
    this.#tell(page.tab, { type: "scoring", id: work.reading.id, scoring });
    if (isAwaited(work) !== wasAwaited) this.#tellMarks(page, work);
  }

  #tellMarks(page: Page, work: Work): void {
    const { reading, judged, dismissed } = work;
    const marks = judged.flatMap((report, index): Mark[] =>
      report && !dismissed.has(report.statement)
        ? [
            {
              index,
              start: report.start,
              end: report.end,
              source: reading.text.slice(report.start, report.end),
              look: lookOf(standingOf(report)),
            },
          ]
        : [],
    );
    this.#tellPage(page, { type: "marks", id: reading.id, marks, pending: isAwaited(work) });
  }

  #showBadge({ tab, state, works }: Page): void {
    const standings = [...works.values()].flatMap(({ judged, dismissed }) =>
      judged.flatMap((report) => (report && !dismissed.has(report.statement) ? [standingOf(report)] : [])),
    );
    const [flagged, mixed] = (["unfactual", "mixed"] as const).map(
      (one) => standings.filter((standing) => standing === one).length,
    ) as [number, number];
    this.#tellBackground({ type: "badge", tab, flagged, mixed, unreadable: state === "unreadable" });
  }

  /** Tells the panels on a tab everything about it. */
  #showTab(tab: number): void {
    this.#tell(tab, this.#view(tab));
    const page = this.#pages.find((page) => page.tab === tab);
    if (page) this.#showBadge(page);
  }

  #view(tab: number): ToPanel {
    const page = this.#pages.find((page) => page.tab === tab);
    const checked = [...(page?.works.values() ?? [])].map(checkedOf);
    return { type: "page", page: page ? { site: page.site, state: page.state } : null, checked };
  }

  #showLeft(): void {
    const works = this.#pages.flatMap(({ works }) => [...works.values()]).filter(isOpen);
    const left = works.reduce(
      (sum, { sentences, judged }) => sum + (sentences ? judged.filter((report) => !report).length : 1),
      0,
    );
    this.#setEngine({ doing: "judging", left });
  }

  #setEngine(engine: EngineState): void {
    this.#doing = engine;
    this.#showEngine(engine);
  }

  /** Shows what is loaded, and at its end what that was for. */
  #follow(progress: LoadProgress): void {
    this.#showEngine(progress.loaded < progress.total ? { doing: "loading", progress } : this.#doing);
  }

  #showEngine(engine: EngineState): void {
    this.#engine = engine;
    for (const { port } of this.#panels) port.postMessage({ type: "engine", engine } satisfies ToPanel);
  }

  #tell(tab: number, message: ToPanel): void {
    for (const panel of this.#panels) if (panel.tab === tab) panel.port.postMessage(message);
  }

  #tellPage({ port }: Page, message: ToPage): void {
    port.postMessage(message);
  }
}

/** Whether there is anything left to do for a text. */
function isOpen({ sentences, judged, failure }: Work): boolean {
  return !failure && (sentences === null || judged.includes(null));
}

/** Whether its scores were asked for, and the engine has not begun with them. */
function isUnscored({ scoring }: Work): boolean {
  return scoring?.state === "waiting";
}

/** Whether there is more to come of a text. */
function isAwaited(work: Work): boolean {
  return isOpen(work) || isUnscored(work) || work.scoring?.state === "running";
}

/** Whether it is an answer that is finished, and judged to its end. */
function isWhole(work: Work): boolean {
  return work.reading.kind === "answer" && !work.reading.streaming && !work.failure && !isOpen(work);
}

function same(a: Reading, b: Reading): boolean {
  return sameText(a, b) && a.streaming === b.streaming;
}

function sameText(a: Reading, b: Reading): boolean {
  return a.text === b.text && a.question === b.question;
}

function checkedOf(work: Work): Checked {
  const { reading, sentences: split, judged, dismissed, leftOut, failure, unasked, scoring } = work;
  const { id, kind, question, streaming } = reading;
  const sentences = split ?? judged.filter((report) => report !== null);
  const known = split ? judged : judged.filter((report) => report !== null);
  return {
    id,
    kind,
    question,
    streaming,
    sentences,
    judged: known,
    dismissed: known.flatMap((report, index) => (report && dismissed.has(report.statement) ? [index] : [])),
    leftOut,
    failure,
    unasked,
    whole: isWhole(work),
    scoring,
  };
}
