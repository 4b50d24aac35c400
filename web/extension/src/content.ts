/**
 * In a page: reads the answers of a chatbot as they are written, or what the reader has selected, and marks what is
 * judged. It leaves the page's DOM as it is: it reads text nodes, and its marks are highlights. The page cannot speak
 * to it.
 */

import { textOf } from "../../package/src/input.js";
import type { Input } from "../../package/src/report.js";
import { hasHighlights, INTERACTIVE } from "../../package/src/ui/marks.js";
import { Line } from "./line.js";
import type {
  Asked,
  AskSite,
  CheckSelection,
  FromPage,
  Mark,
  OpenPanel,
  PageState,
  Reading,
  SiteChanged,
  StyleMarks,
  ToldSite,
  ToPage,
} from "./messages.js";
import { newPrefix, OwnMarks } from "./own-marks.js";
import type { PartedText } from "./parted-text.js";
import { type Site, siteById } from "./sites.js";
import { readAround, readQuestion, readTurn, type Turn, turnsOf } from "./turns.js";

/** How long the page may change before it is read again. */
const SETTLE_MS = 250;
/** A text that has not changed for this long is finished, unless the site says otherwise. */
const QUIET_MS = 1_500;
/** A conversation that shows no answer for this long counts as unreadable. */
const LOAD_MS = 8_000;
/** How often it is looked whether the marks still stand. */
const STAND_MS = 1_000;
/** What the names of this page's highlights begin with. */
const PREFIX = newPrefix();
/** Attributes by which sites say that an answer is being written. */
const STREAMING_ATTRIBUTES = ["data-is-streaming", "aria-busy"];

/** Fields whose selected text may be checked. */
const FIELDS = "textarea, input:not([type]), input[type=text], input[type=search]";

/** What the background says of the page: its adapter, and whether its answers are to be read. */
interface Told {
  site: Site | null;
  isOn: boolean;
}

/** A text of the page that is being checked. */
interface Watched {
  reading: Reading;
  element: Element;
  /** The text as the page shows it now, and where in it the words that are read begin. */
  shown: PartedText;
  words: string;
  from: number;
  /** When the text changed last. */
  changed: number;
  /** What is judged, and how it is marked. */
  sentences: Mark[];
  marks: OwnMarks | null;
  /** Whether the desk has yet to tell more about it. */
  pending: boolean;
}

class Reader {
  #site: Site | null;
  /** Whether the site's answers are read. What the reader selects is read anyway. */
  #isOn: boolean;
  readonly #watched = new Map<string, Watched>();
  readonly #line = new Line<FromPage, ToPage>(
    "page",
    (message) => this.#hear(message),
    () => this.#sayAll(),
  );
  readonly #mutations = new MutationObserver((records) => this.#onMutations(records));
  /** Answers are read once they have been on the screen: a long conversation is not judged whole. */
  readonly #visibility = new IntersectionObserver((entries) => this.#onVisible(entries), { rootMargin: "50%" });
  readonly #observed = new WeakSet<Element>();
  readonly #seen = new WeakSet<Element>();
  /** Elements whose text may have changed since it was read. */
  #dirty = new Set<Element>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;
  /** Waits for the next look at the marks, as long as there are any. */
  #standing: ReturnType<typeof setTimeout> | undefined;
  #path = "";
  #arrived = 0;
  #state: PageState | null = null;

  constructor({ site, isOn }: Told) {
    this.#site = site;
    this.#isOn = isOn;
    document.addEventListener("click", (event) => this.#onClick(event));
    addEventListener("pageshow", ({ persisted }) => persisted && this.#sayAll());
    this.#mutations.observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: STREAMING_ATTRIBUTES,
    });
    if (isOn) this.#refresh();
  }

  /** Begins or stops reading the site's answers. */
  turn({ site, isOn }: Told): void {
    this.#site = site;
    this.#isOn = isOn;
    if (!isOn && this.#state) this.#setState(site ? "off" : "other");
    this.#refresh();
  }

  /** Has the selected text checked; says whether there is one. */
  select(): boolean {
    const { element, answer, shown, words, from } = this.#selected() ?? {};
    if (!element || !shown || !answer || !words?.trim()) return false;
    const reading: Reading = {
      id: "selection",
      kind: "selection",
      question: "",
      answer,
      text: textOf(answer),
      streaming: false,
    };
    this.#drop("selection");
    this.#watched.set("selection", {
      reading,
      element,
      shown,
      words,
      from: from ?? 0,
      changed: 0,
      sentences: [],
      marks: null,
      pending: true,
    });
    if (!this.#isOn) this.#setState(this.#site ? "off" : "other");
    this.#say({ type: "reading", reading });
    return true;
  }

  /**
   * What is selected, in the page's text or in a field, whose text cannot be marked. In `answer` the words are followed
   * by the references that their citation numbers stand for in the chatbot's answer or the page.
   */
  #selected(): { element: Element; answer: Input; shown: PartedText; words: string; from: number } | null {
    const field = document.activeElement?.matches(FIELDS)
      ? (document.activeElement as HTMLTextAreaElement | HTMLInputElement)
      : null;
    const typed = field?.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
    if (field && typed)
      return { element: field, answer: { markdown: typed }, shown: readTurn(field, null), words: typed, from: 0 };
    const selection = getSelection();
    const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
    const common = range?.commonAncestorContainer;
    const element = common instanceof Element ? common : common?.parentElement;
    if (!range || !element) return null;
    const shown = readTurn(element, this.#site);
    const span = shown.within(range);
    if (!span) return null;
    const blocks = shown.excerpt(span, readAround(element, this.#site));
    return { element, answer: { blocks }, shown, words: shown.text.slice(span.start, span.end), from: span.start };
  }

  // --- the page ----------------------------------------------------------------------------------------------------

  #onMutations(records: MutationRecord[]): void {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      for (const watched of this.#watched.values())
        if (element && watched.element.contains(element)) this.#dirty.add(watched.element);
    }
    this.#refreshIn(SETTLE_MS);
  }

  #onVisible(entries: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      this.#visibility.unobserve(target);
      this.#seen.add(target);
      this.#refreshIn(0);
    }
  }

  /** Reads the page again after at most this long. */
  #refreshIn(ms: number): void {
    const due = performance.now() + ms;
    if (due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#refresh(), ms);
  }

  #refresh(): void {
    this.#due = Infinity;
    const now = performance.now();
    if (this.#path !== location.pathname) [this.#path, this.#arrived] = [location.pathname, now];
    const turns = this.#site && this.#isOn ? turnsOf(this.#site) : [];
    for (const { element } of turns) {
      if (this.#observed.has(element)) continue;
      this.#observed.add(element);
      this.#visibility.observe(element);
    }
    for (const turn of turns)
      if (this.#seen.has(turn.element) || this.#watched.has(turn.id)) this.#readAnswer(turn, now);
    const there = new Set(turns.map(({ id }) => id));
    for (const id of [...this.#watched.keys()]) {
      if (id === "selection") this.#followSelection();
      else if (!there.has(id)) this.#forget(id);
    }
    this.#dirty = new Set();
    if (this.#isOn) this.#judgeState(turns.length, now);
  }

  #readAnswer({ id, element, question: asked, streaming: said }: Turn, now: number): void {
    const known = this.#watched.get(id);
    const moved = known?.element !== element || this.#dirty.has(element);
    const shown = known && !moved ? known.shown : readTurn(element, this.#site);
    const { text } = shown;
    const question = known && !moved ? known.reading.question : readQuestion(asked, this.#site);
    if (!known && !text.trim()) return;
    const changed = known?.reading.text === text ? known.changed : now;
    const streaming = said || now - changed < QUIET_MS;
    if (streaming) this.#refreshIn(said ? QUIET_MS : changed + QUIET_MS - now + 1);
    const answer = known && !moved ? known.reading.answer : { blocks: shown.blocks };
    const reading: Reading = { id, kind: "answer", question, answer, text, streaming };
    const old = known?.reading;
    const news = old?.text !== text || old.question !== question || old.streaming !== streaming;
    const { sentences = [], marks = null, pending = true } = known ?? {};
    const watched: Watched = {
      reading,
      element,
      shown,
      words: text,
      from: 0,
      changed,
      sentences,
      marks,
      pending: pending || news,
    };
    this.#watched.set(id, watched);
    if (moved) this.#mark(watched);
    if (news) this.#say({ type: "reading", reading });
  }

  /** Marks the selected text again if its element was rendered anew and still holds it. */
  #followSelection(): void {
    const watched = this.#watched.get("selection");
    if (!watched || !this.#dirty.has(watched.element)) return;
    watched.shown = readTurn(watched.element, this.#site);
    watched.from = watched.shown.text.indexOf(watched.words);
    if (watched.from < 0) this.#forget("selection");
    else this.#mark(watched);
  }

  /** A conversation without an answer means that the site has changed and its row no longer fits. */
  #judgeState(answers: number, now: number): void {
    if (!this.#site) return;
    const waited = now - this.#arrived;
    if (answers > 0) return this.#setState("reading");
    if (!this.#site.conversation.test(location.pathname)) return this.#state ? this.#setState("empty") : undefined;
    if (waited >= LOAD_MS) return this.#setState("unreadable");
    this.#refreshIn(LOAD_MS - waited);
  }

  #setState(state: PageState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#say({ type: "state", site: this.#site?.name ?? null, state });
  }

  // --- the desk ----------------------------------------------------------------------------------------------------

  #say(message: FromPage): void {
    void this.#line.say(message);
    this.#line.waiting = [...this.#watched.values()].some(({ pending }) => pending);
  }

  /** Says everything again to a desk that knows nothing. */
  #sayAll(): void {
    if (this.#state) this.#say({ type: "state", site: this.#site?.name ?? null, state: this.#state });
    for (const { reading } of this.#watched.values()) this.#say({ type: "reading", reading });
    if (this.#isOn) this.#refreshIn(0);
  }

  #hear(message: ToPage): void {
    const watched = this.#watched.get(message.id);
    if (!watched) return;
    if (message.type === "reveal")
      return watched.marks?.reveal(watched.sentences.findIndex(({ index }) => index === message.index));
    watched.sentences = message.marks;
    watched.pending = message.pending;
    this.#line.waiting = [...this.#watched.values()].some(({ pending }) => pending);
    this.#mark(watched);
  }

  // --- marks -------------------------------------------------------------------------------------------------------

  /** Marks what is judged and still stands there. */
  #mark(watched: Watched): void {
    watched.marks?.clear();
    watched.marks = null;
    if (!hasHighlights() || !watched.element.isConnected) return;
    const { shown, from, sentences } = watched;
    const spans = sentences.map(({ start, end }) => ({ start: start + from, end: end + from }));
    const marks = new OwnMarks(watched.element, shown, spans, PREFIX);
    sentences.forEach(({ source, look }, at) => {
      const span = spans[at];
      if (span && shown.text.slice(span.start, span.end) === source) marks.mark(at, look);
    });
    watched.marks = marks;
    this.#standing ??= setTimeout(() => this.#keepMarks(), STAND_MS);
  }

  /** Marks again what the page has taken away or moved. */
  #keepMarks(): void {
    this.#standing = undefined;
    for (const watched of this.#watched.values()) {
      if (!watched.marks) continue;
      if (watched.marks.stand()) this.#standing ??= setTimeout(() => this.#keepMarks(), STAND_MS);
      else this.#mark(watched);
    }
  }

  #onClick(event: MouseEvent): void {
    const orphaned = !chrome.runtime?.id; // the extension was updated or removed
    if (orphaned || !event.isTrusted || event.defaultPrevented || !getSelection()?.isCollapsed) return;
    if (event.target instanceof Element && event.target.closest(INTERACTIVE)) return;
    for (const [id, { marks, sentences }] of this.#watched) {
      const sentence = sentences[marks?.at(event) ?? -1];
      if (!sentence) continue;
      void chrome.runtime.sendMessage({ type: "open-panel" } satisfies OpenPanel);
      return this.#say({ type: "open", id, index: sentence.index });
    }
  }

  #drop(id: string): void {
    this.#watched.get(id)?.marks?.clear();
    this.#watched.delete(id);
  }

  #forget(id: string): void {
    this.#drop(id);
    this.#say({ type: "gone", id });
  }
}

/** Starts, unless an earlier injection of this script into the page has. */
function start(): void {
  const world = globalThis as { evident?: true };
  if (world.evident) return;
  world.evident = true;
  const ask = async (): Promise<Told> => {
    const { site, selectors, isOn }: ToldSite = await chrome.runtime.sendMessage({
      type: "ask-site",
    } satisfies AskSite);
    const row = siteById(site);
    return { site: row && { ...row, ...selectors }, isOn };
  };
  void chrome.runtime.sendMessage({ type: "style-marks", prefix: PREFIX } satisfies StyleMarks);
  const reader = ask().then((told) => new Reader(told));
  type Heard = CheckSelection | SiteChanged;
  chrome.runtime.onMessage.addListener((message: Heard, sender, answer: (asked: Asked) => void) => {
    if (sender.id !== chrome.runtime.id || sender.tab) return;
    if (message.type === "site-changed") return void reader.then(async (reader) => reader.turn(await ask()));
    if (message.type !== "check-selection") return;
    void reader.then((reader) => answer({ asked: reader.select() }));
    return true; // the answer comes later
  });
}

start();
