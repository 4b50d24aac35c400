/**
 * What an `<evident-check>` does: it finds its text, has a shared engine check it, and shows each finding as it comes.
 */

import { chooseModel } from "../device.js";
import { plainError } from "../errors.js";
import {
  type DeviceChoice,
  EvidentError,
  fetchSources,
  type LoadProgress,
  type Markup,
  type ModelChoice,
  type Notice,
  type Report,
  type SentenceReport,
  type Settings,
  type Span,
  type Verifier,
  type VerifyEvent,
} from "../index.js";
import { directory } from "../options.js";
import { publishedBytes } from "../published.js";
import { Comparison } from "../sources/comparison.js";
import { wrongWords } from "../ui/alignment.js";
import { handOver, make } from "../ui/dom.js";
import { Estimate, withTimeLeft } from "../ui/estimate.js";
import { failureOf } from "../ui/failure.js";
import { leftOutOf } from "../ui/findings.js";
import { CopyMarks, HighlightMarks, hasHighlights, INTERACTIVE, type Marks } from "../ui/marks.js";
import { rateLine } from "../ui/measured.js";
import { type PageReading, PageText } from "../ui/page-text.js";
import { CheckProgress, loadingOf } from "../ui/progress.js";
import { type SecondOpinions, secondOpinion } from "../ui/second-opinion.js";
import { SentenceList } from "../ui/sentence-list.js";
import { SourceCheck } from "../ui/source-check.js";
import { lookOf, standingOf } from "../ui/standing.js";
import { type Strings, Wording } from "../ui/strings.js";
import { shadowStyle } from "../ui/style.js";
import { summaryBadges, summaryIcons, tallyOf } from "../ui/summary.js";
import { translationOf } from "../ui/translations/index.js";
import { type EngineSource, engineFor, type Guest, keepEngines } from "./engines.js";
import type { EvidentEvents } from "./events.js";
import { warnIfMissing } from "./missing.js";
import { keepInWindow, type Size, sizeOf, sizeStyle } from "./sizes.js";

/** The widgets in the document. */
const connected = new Set<Widget>();

/** The text to check: of an element of the page, or of a field. */
type Subject = { element: Element; text: PageText } | { element: HTMLInputElement | HTMLTextAreaElement; text: string };

/** A text that was checked, or is being checked, and how it is marked. */
interface Checked {
  subject: Subject;
  /** The sentences as the engine found them; `judged` has the reports so far. */
  sentences: Span[];
  blocks: Markup[];
  judged: (SentenceReport | undefined)[];
  list: SentenceList;
  sources: SourceCheck;
  marks: Marks | null;
}

export class Widget implements Guest {
  settings: Partial<Settings> = {};
  report: Report | null = null;

  readonly #host: HTMLElement;
  readonly #root: ShadowRoot;
  #strings: Partial<Strings> = {};
  #wording = new Wording({}, "en");
  #parts: Parts | null = null;
  #running: { abort: AbortController; report: Promise<Report> } | null = null;
  #checked: Checked | null = null;
  readonly #progress = new CheckProgress();
  readonly #estimate = new Estimate();
  /** Whether a check was asked for. Until then the element says what the first check fetches. */
  #begun = false;
  /** The element whose clicks and text changes are watched. */
  #watched: Element | null = null;
  readonly #mutations = new MutationObserver(() => this.#remark());
  readonly #visibility = new IntersectionObserver((entries) => {
    if (this.#typed() || !entries.some(({ isIntersecting }) => isIntersecting)) return;
    this.#visibility.disconnect();
    void this.check();
  });

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#root = host.attachShadow({ mode: "open" });
    this.#root.adoptedStyleSheets = [shadowStyle(), sizeStyle()];
  }

  get strings(): Partial<Strings> {
    return this.#strings;
  }

  set strings(strings: Partial<Strings>) {
    this.#strings = strings;
    this.changed();
  }

  connected(): void {
    connected.add(this);
    this.changed();
    if (this.#host.hasAttribute("for")) warnIfMissing(this.#host);
    this.#remark();
  }

  disconnected(): void {
    connected.delete(this);
    this.#visibility.disconnect();
    queueMicrotask(() => {
      if (connected.has(this)) return; // it was only moved
      this.cancel();
      this.#checked?.sources.stop();
      this.#unmark();
      keepWantedEngines();
    });
  }

  /** Follows a change of the attributes or the wording. */
  changed(): void {
    const lang = this.#language();
    const translation = translationOf(lang);
    const known = translation !== undefined || Object.keys(this.#strings).length > 0;
    this.#wording = new Wording({ ...translation, ...this.#strings }, known ? lang : "en");
    this.#arrange();
    if (!connected.has(this)) return;
    queueMicrotask(keepWantedEngines);
    this.#visibility.disconnect();
    if (this.#host.hasAttribute("auto") && !this.#checked && !this.#running) this.#visibility.observe(this.#host);
  }

  check(): Promise<Report> {
    if (this.#running) return this.#running.report;
    const abort = new AbortController();
    const report = Promise.resolve(abort.signal).then((signal) => this.#check(signal));
    this.#running = { abort, report };
    report.catch(() => undefined); // it is shown and told already
    return report;
  }

  cancel(): void {
    this.#running?.abort.abort();
  }

  /** The engine that this element asks for. */
  source(): EngineSource {
    // `createVerifier` checks device and model.
    if (this.#host.hasAttribute("backend"))
      throw new EvidentError("bad-settings", "there is no attribute backend: it is called device now");
    const device = (this.#host.getAttribute("device") || "auto") as DeviceChoice;
    const given = (name: "pack" | "index" | "engine" | "rerank") => {
      const address = this.#host.getAttribute(name);
      return address === null ? {} : { [name]: directory(address) };
    };
    const threads = this.#host.hasAttribute("threads") ? { threads: Number(this.#host.getAttribute("threads")) } : {};
    const model = this.#host.hasAttribute("model") ? { model: this.#host.getAttribute("model") as ModelChoice } : {};
    const wiki = this.#host.getAttribute("wiki");
    return {
      ...given("pack"),
      ...given("index"),
      ...(wiki === null ? {} : { wiki }),
      ...given("engine"),
      ...given("rerank"),
      ...threads,
      ...model,
      device,
    };
  }

  // --- one check ---------------------------------------------------------------------------------------------------

  async #check(signal: AbortSignal): Promise<Report> {
    try {
      this.#clear();
      this.#begun = true;
      this.#arrange();
      this.#setBusy(true);
      const subject = this.#subject();
      const text = textOf(subject);
      if (!text.trim()) throw new EvidentError("empty-answer", "there is no text to check");
      const question = this.#host.getAttribute("question");
      const engine = engineFor(this.source());
      const report = await engine.use(this, signal, (verifier) => {
        if (engine.guests > 1) this.#showProgress(0, this.#wording.say("queued"));
        return verifier.verify(subject.text instanceof PageText ? { blocks: subject.text.blocks } : text, {
          ...(question ? { question } : {}),
          settings: this.settings,
          signal,
          onEvent: (event) => this.#onEvent(event, subject),
        });
      });
      this.#end();
      this.report = report;
      this.#offerSources(report);
      this.#checked?.list.openMostDoubtful();
      this.#say(this.#outcome(report));
      this.#tell("evident-report", { report });
      return report;
    } catch (thrown) {
      const error =
        thrown instanceof EvidentError ? thrown : new EvidentError("internal", String(thrown), { cause: thrown });
      this.#end();
      this.#failed(error);
      this.#tell("evident-error", { error });
      throw error;
    }
  }

  /** How a check has ended, in words. */
  #outcome({ sentences }: Report): string {
    if (sentences.length === 0) return this.#wording.say("noClaims");
    return this.#wording.say("done", { tally: tallyOf(sentences, this.#wording) });
  }

  /** Ends the check, before anybody is told: a listener may start the next one. */
  #end(): void {
    this.#running = null;
    this.#setBusy(false);
    keepWantedEngines();
  }

  /** The text to check now. */
  #subject(): Subject {
    const id = this.#host.getAttribute("for");
    if (id !== null) {
      const element = (this.#host.getRootNode() as Document | ShadowRoot).getElementById(id);
      if (!element) throw new EvidentError("bad-settings", `the page has no element with the id "${id}"`);
      if (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement)
        return { element, text: element.value };
      return { element, text: new PageText(element, this.#reading()) };
    }
    if (this.#typed()) return { element: this.#ui.text, text: this.#ui.text.value };
    return { element: this.#host, text: new PageText(this.#host, this.#reading()) };
  }

  /** How an element of the page is read: without the `<evident-check>` elements in it. */
  #reading(): PageReading {
    return { except: CSS.escape(this.#host.localName) };
  }

  /** Whether the reader types the text in. */
  #typed(): boolean {
    return !this.#host.hasAttribute("for") && !this.#host.textContent?.trim();
  }

  onLoad(progress: LoadProgress): void {
    const { fraction, label } = loadingOf(progress, this.#wording);
    if (this.#ui.progress.hidden && this.#running) this.#say(this.#wording.say("loading"));
    this.#showProgress(fraction, label);
    if (fraction === 1) this.#endLoading();
    this.#tell("evident-progress", { doing: "loading", fraction, progress });
  }

  /** A check shows its own steps after the loading; other work does not. */
  #endLoading(): void {
    if (!this.#running) this.#ui.progress.hidden = true;
  }

  /** Does work with the engine of the check, after the check. */
  #use<T>(signal: AbortSignal, work: (verifier: Verifier) => Promise<T>): Promise<T> {
    return engineFor(this.source())
      .use(this, signal, work)
      .finally(() => this.#endLoading());
  }

  onNotice({ kind, seconds }: Notice): void {
    const { notice } = this.#ui;
    if (kind === "gpu-failed") notice.textContent = this.#wording.say("gpuFailed");
    if (kind === "wiki-waits") notice.textContent = seconds ? this.#wording.say("wikiWaits", { n: seconds }) : "";
  }

  #onEvent(event: VerifyEvent, subject: Subject): void {
    const fraction = this.#follow(event, subject);
    this.#tell("evident-progress", { doing: "verifying", fraction, event });
    if (event.kind === "sentence") this.#tell("evident-sentence", { index: event.index, sentence: event.sentence });
  }

  /** Shows a step. Returns how far the check is, in [0, 1]. */
  #follow(event: VerifyEvent, subject: Subject): number {
    const done = this.#progress.follow(event);
    if (event.kind === "load") {
      const { fraction, label } = loadingOf(event, this.#wording);
      this.#showProgress(fraction, label);
      return done;
    }
    if (event.kind === "sentences") {
      const { sentences, leftOut, blocks } = event;
      this.#unmark();
      const sources = new SourceCheck(this.#ui.sources, this.#wording, (thrown) =>
        failureOf(plainError(thrown), this.#wording),
      );
      const stated = async () => engineFor(this.source()).measured();
      const list = new SentenceList(this.#ui.sentences, sentences, this.#wording, {
        onOpen: (index) => this.#checked?.marks?.open(index),
        onBack: (index) => this.#checked?.marks?.reveal(index),
        onDismiss: (index) => this.#dismiss(index),
        more: (first) => [
          rateLine(first, stated(), null, this.#wording),
          secondOpinion(first, this.#opinions(), this.#wording),
        ],
        fileFor: (address, entry) => sources.fileFor(address, entry),
      });
      const judged = sentences.map(() => undefined);
      this.#checked = { subject, sentences, blocks, judged, list, sources, marks: null };
      this.#ui.next.replaceChildren(list.next.element);
      this.#mark();
      this.#ui.leftOut.textContent = leftOutOf(
        leftOut.map(({ kind }) => kind),
        this.#wording,
      );
      this.#ui.result.hidden = sentences.length + leftOut.length === 0;
      this.#ui.hint.hidden = sentences.length === 0;
      this.#summarise();
      this.#say(this.#wording.say("checking", { n: sentences.length }));
      return done;
    }
    const { judged, list, marks } = this.#checked as Checked;
    const total = judged.length;
    if (event.kind === "stage") list.working(event.sentence, event.stage);
    else if (event.kind === "sentence") {
      judged[event.index] = event.sentence;
      list.judged(event.index, event.sentence);
      marks?.mark(event.index, lookOf(standingOf(event.sentence)), wrongWords(event.sentence, textOf(subject)));
      this.#summarise();
    }
    this.#showProgress(done, this.#wording.say("checked", { n: judged.filter(Boolean).length, total }));
    return done;
  }

  /** Second opinions by the engine of the check. */
  #opinions(): SecondOpinions {
    const { settings } = this;
    const use = <T>(work: (verifier: Verifier) => Promise<T>) => this.#use(new AbortController().signal, work);
    return {
      bytes: () => use((verifier) => verifier.secondOpinionBytes()),
      ask: (first, onEvent) => use((verifier) => verifier.secondOpinion(first, { settings, onEvent })),
    };
  }

  /** Offers to compare the sentences with the pages that they cite. */
  #offerSources(report: Report): void {
    const { sources, list } = this.#checked ?? {};
    const comparison = new Comparison(report, {
      fetch: fetchSources,
      use: (signal, work) => this.#use(signal, work),
      onChecked: (index, sentence) => {
        if (!this.report) return; // another check has begun
        this.report = { ...this.report, sentences: this.report.sentences.with(index, sentence) };
        list?.sourced(index, sentence);
      },
    });
    const told = async (work: Promise<void>) => {
      await work;
      if (this.report) this.#tell("evident-sources", { report: this.report });
    };
    sources?.offer({
      addresses: comparison.addresses,
      fetch: (signal, onStep) => told(comparison.fetch(signal, onStep)),
      give: (address, file, signal, onStep) => told(comparison.give(address, file, signal, onStep)),
    });
  }

  #failed(error: EvidentError): void {
    this.#checked?.list.stop();
    if (error.code === "cancelled") {
      const judged = this.#checked?.judged ?? [];
      const [n, total] = [judged.filter(Boolean).length, judged.length];
      return this.#say(total ? this.#wording.say("cancelledAfter", { n, total }) : this.#wording.say("cancelled"));
    }
    this.#say("");
    this.#ui.error.replaceChildren(...failureOf(error, this.#wording));
  }

  // --- marks in the text -------------------------------------------------------------------------------------------

  /** Marks the sentences judged so far. */
  #mark(): void {
    if (!this.#checked || !this.#host.isConnected || !this.#checked.subject.element.isConnected) return;
    const { subject, sentences, blocks, list } = this.#checked;
    const marks =
      subject.text instanceof PageText && hasHighlights()
        ? new HighlightMarks(subject.element, subject.text, sentences)
        : new CopyMarks(this.#ui.copy, blocks, sentences, this.#wording);
    const text = textOf(subject);
    list.undismissed().forEach((sentence, index) => {
      if (sentence) marks.mark(index, lookOf(standingOf(sentence)), wrongWords(sentence, text));
    });
    marks.open(list.opened);
    this.#checked.marks = marks;
    this.#ui.copy.classList.remove("stale");
    this.#watch(subject.element);
  }

  /** Removes the mark of a sentence that the reader has dismissed, or shows it again. */
  #dismiss(index: number): void {
    if (!this.#checked) return;
    const { subject, list, marks } = this.#checked;
    const sentence = list.undismissed()[index];
    if (sentence) marks?.mark(index, lookOf(standingOf(sentence)), wrongWords(sentence, textOf(subject)));
    else marks?.unmark(index);
    this.#summarise();
  }

  #unmark(): void {
    this.#watch(null);
    this.#checked?.marks?.clear();
    if (this.#checked) this.#checked.marks = null;
  }

  /** Marks the text again after its nodes changed. If the text itself changed, its verdicts no longer hold. */
  #remark(): void {
    if (!this.#checked) return;
    const before = this.#checked.subject;
    this.#unmark();
    if (!(before.text instanceof PageText)) return this.#mark();
    const text = new PageText(before.element, this.#reading());
    if (text.text !== before.text.text) return this.#say(this.#wording.say("changed"));
    this.#checked.subject = { element: before.element, text };
    this.#mark();
  }

  /** Watches one element for clicks and text changes, or none: an element of the page, or a field. */
  #watch(element: Element | null): void {
    this.#mutations.disconnect();
    this.#watched?.removeEventListener("click", this.#onClick);
    this.#watched?.removeEventListener("input", this.#onInput);
    this.#watched = element;
    if (element && this.#checked?.subject.text instanceof PageText) {
      element.addEventListener("click", this.#onClick);
      this.#mutations.observe(element, { subtree: true, childList: true, characterData: true });
    } else element?.addEventListener("input", this.#onInput);
  }

  /** Shows the marks of a field's text as stale while the field has another one. */
  readonly #onInput = (): void => {
    const { subject } = this.#checked ?? {};
    if (!subject || subject.text instanceof PageText) return;
    const stale = (subject.element as HTMLTextAreaElement).value !== subject.text;
    this.#ui.copy.classList.toggle("stale", stale);
    this.#say(this.#wording.say(stale ? "changed" : "unchanged"));
  };

  readonly #onClick = (event: Event): void => {
    const click = event as MouseEvent;
    const path = click.composedPath();
    const within = path.slice(0, path.indexOf(click.currentTarget as EventTarget));
    if (click.defaultPrevented || !getSelection()?.isCollapsed) return;
    if (within.some((target) => target instanceof Element && target.matches(INTERACTIVE))) return;
    const index = this.#checked?.marks?.at(click) ?? null;
    if (index === null) return;
    this.#expand(true);
    this.#checked?.list.open(index);
    this.#checked?.list.goTo(index);
  };

  // --- the shadow tree ---------------------------------------------------------------------------------------------

  get #ui(): Parts {
    this.#parts ??= this.#build();
    return this.#parts;
  }

  #build(): Parts {
    const text = make("textarea", "text");
    text.id = "text";
    text.rows = 4;
    text.dir = "auto";
    const textLabel = make("label", "");
    textLabel.htmlFor = text.id;
    const check = make("button", "check");
    check.type = "submit";
    const cancel = make("button", "cancel");
    cancel.type = "button";
    cancel.hidden = true;
    cancel.addEventListener("click", () => this.cancel());
    const box = make("div", "box", textLabel, text);
    const form = make("form", "form", box, check, cancel);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.check();
    });

    const bar = make("progress", "bar");
    bar.id = "bar";
    bar.max = 1;
    const barLabel = make("label", "");
    barLabel.htmlFor = bar.id;
    const progress = make("div", "progress", barLabel, bar);
    progress.hidden = true;
    const status = make("p", "status");
    status.setAttribute("role", "status");
    const notice = make("div", "notice");
    notice.setAttribute("role", "status");
    const error = make("div", "error");
    error.setAttribute("role", "alert");

    const copy = make("div", "copy");
    copy.classList.add("markup");
    copy.hidden = true;
    copy.setAttribute("role", "group");
    copy.addEventListener("click", this.#onClick);
    const [summary, next, sentences, leftOut, sources, hint] = [
      make("ul", "summary"),
      make("div", "flagged"),
      make("ol", "sentences"),
      make("p", "left-out"),
      make("section", "sources"),
      make("p", "hint"),
    ];
    sources.hidden = true;
    const result = make("div", "result", summary, next, sentences, leftOut, sources, hint);
    result.hidden = true;
    result.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      if (this.#checked?.list.opened != null) this.#checked.list.close();
      else this.#expand(false);
    });
    const before = make("p", "before");
    before.id = "before";
    check.setAttribute("aria-describedby", before.id);
    const drop = make("div", "drop", copy, result);
    drop.id = "drop";
    const more = make("button", "more");
    more.type = "button";
    more.hidden = true;
    more.setAttribute("aria-controls", drop.id);
    more.addEventListener("click", () => this.#expand(!this.#ui.widget.classList.contains("expanded")));

    const widget = make("div", "widget", form, before, progress, status, notice, error, more, drop);
    widget.setAttribute("role", "group");
    const slot = make("slot", "");
    slot.addEventListener("slotchange", () => this.changed());
    this.#root.append(slot, widget);
    return {
      widget,
      box,
      text,
      textLabel,
      check,
      cancel,
      progress,
      bar,
      barLabel,
      status,
      notice,
      error,
      before,
      more,
      drop,
      copy,
      result,
      summary,
      next,
      sentences,
      leftOut,
      sources,
      hint,
    };
  }

  /** Puts the wording in, and shows the box if the reader types the text. */
  #arrange(): void {
    const { widget, box, textLabel, check, cancel, copy, sentences, sources, hint, before } = this.#ui;
    const size = this.#size();
    const expanded = widget.classList.contains("expanded");
    widget.className = `widget size-${size}${expanded ? " expanded" : ""}`;
    const say = (name: keyof Strings) => this.#wording.say(name);
    widget.lang = this.#wording.lang;
    // A page that gives the wording may write in any direction; no translation of ours is written from the right.
    widget.dir = Object.keys(this.#strings).length > 0 ? "" : "ltr";
    widget.setAttribute("aria-label", say("label"));
    sentences.setAttribute("aria-label", say("sentences"));
    sources.setAttribute("aria-label", say("checkSources"));
    copy.setAttribute("aria-label", say("copy"));
    textLabel.textContent = say("text");
    const bytes = this.#toFetch();
    const megabytes = bytes === null ? null : this.#wording.megabytes(bytes);
    check.textContent = say("check");
    before.hidden = this.#begun;
    before.textContent = megabytes
      ? this.#wording.say("before", { size: megabytes })
      : this.#wording.say("beforeUnknown");
    check.title = size === "panel" || this.#begun ? "" : before.textContent;
    if (megabytes && size !== "panel" && !this.#begun) check.append(` (${megabytes})`);
    this.#summarise();
    cancel.textContent = say("cancel");
    hint.textContent = say("hint");
    box.hidden = !this.#typed();
  }

  /** The language that the page says it is in here. */
  #language(): string {
    return this.#host.closest("[lang]")?.getAttribute("lang") || document.documentElement.lang || "en";
  }

  /** The size that the element has: a box to type in needs the panel. */
  #size(): Size {
    return this.#typed() ? "panel" : sizeOf(this.#host.getAttribute("size"));
  }

  /** Bytes that the first check will fetch, where that is known before anything is fetched: of the published models. */
  #toFetch(): number | null {
    try {
      const { pack, model } = this.source();
      return pack === undefined ? publishedBytes(chooseModel(model ?? "auto")) : null;
    } catch {
      return null; // the check will say what is wrong
    }
  }

  /** Shows how many sentences have each standing, without the dismissed; in a small size also on the button to them. */
  #summarise(): void {
    const { more, result, summary, widget } = this.#ui;
    const size = this.#size();
    const counted = this.#checked?.list.undismissed() ?? [];
    summary.replaceChildren(...summaryBadges(counted, this.#wording));
    summary.hidden = counted.length === 0;
    more.hidden = size === "panel" || result.hidden;
    const expanded = widget.classList.contains("expanded");
    const doing = this.#wording.say(expanded ? "hide" : "show");
    more.setAttribute("aria-expanded", String(expanded));
    const found = counted.flatMap((sentence) => (sentence ? [sentence] : []));
    const icons = size === "badge" ? summaryIcons(found, this.#wording) : [];
    more.title = icons.length > 0 ? doing : "";
    for (const icon of icons) icon.setAttribute("aria-hidden", "true"); // the words below say the same
    const said = make("span", "said", `${tallyOf(found, this.#wording)}. ${doing}`);
    more.replaceChildren(...(icons.length > 0 ? [...icons, said] : [doing]));
  }

  /** Shows or hides what was found, in a small size. */
  #expand(expanded: boolean): void {
    const { widget, drop, more } = this.#ui;
    if (!expanded && drop.matches(":focus-within")) more.focus();
    widget.classList.toggle("expanded", expanded);
    this.#summarise();
    if (expanded && this.#size() === "badge") keepInWindow(drop);
  }

  #setBusy(busy: boolean): void {
    const { widget, check, cancel, text, progress } = this.#ui;
    const [off, on] = busy ? [check, cancel] : [cancel, check];
    handOver(off, on, "hidden");
    text.readOnly = busy;
    widget.setAttribute("aria-busy", String(busy));
    if (!busy) progress.hidden = true;
  }

  #showProgress(fraction: number, label: string): void {
    this.#ui.bar.value = fraction;
    this.#ui.barLabel.textContent = withTimeLeft(label, this.#estimate.left(fraction), this.#wording);
    this.#ui.progress.hidden = false;
  }

  #clear(): void {
    this.#unmark();
    this.#checked?.sources.clear();
    this.#checked = null;
    this.report = null;
    this.#ui.error.replaceChildren();
    this.#ui.notice.textContent = "";
    this.#ui.result.hidden = true;
    this.#expand(false);
    this.#say("");
  }

  #say(text: string): void {
    this.#ui.status.textContent = text;
  }

  #tell<Name extends keyof EvidentEvents>(name: Name, detail: EvidentEvents[Name]): void {
    this.#host.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/** The parts of the shadow tree that change. */
interface Parts {
  widget: HTMLElement;
  box: HTMLElement;
  text: HTMLTextAreaElement;
  textLabel: HTMLLabelElement;
  check: HTMLButtonElement;
  cancel: HTMLButtonElement;
  progress: HTMLElement;
  bar: HTMLProgressElement;
  barLabel: HTMLLabelElement;
  status: HTMLElement;
  notice: HTMLElement;
  error: HTMLElement;
  before: HTMLElement;
  more: HTMLButtonElement;
  drop: HTMLElement;
  copy: HTMLElement;
  result: HTMLElement;
  summary: HTMLElement;
  next: HTMLElement;
  sentences: HTMLElement;
  leftOut: HTMLElement;
  sources: HTMLElement;
  hint: HTMLElement;
}

function textOf({ text }: Subject): string {
  return text instanceof PageText ? text.text : text;
}

/** Disposes of the engines that no element in the document names. */
function keepWantedEngines(): void {
  keepEngines(
    [...connected].flatMap((widget) => {
      try {
        return [widget.source()];
      } catch {
        return []; // its attributes name no engine
      }
    }),
  );
}
