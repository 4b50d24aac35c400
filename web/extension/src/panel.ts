/**
 * The panel beside the page: the checked texts of its tab, their sentences with verdicts, and the evidence behind each.
 */

import { sentence } from "../../demo/format.js";
import { plainError } from "../../package/src/errors.js";
import type { SentenceReport, Stage } from "../../package/src/report.js";
import { citedBy } from "../../package/src/sources/cited.js";
import { byId, make } from "../../package/src/ui/dom.js";
import { Estimate, withTimeLeft } from "../../package/src/ui/estimate.js";
import { type Failure, failureOf } from "../../package/src/ui/failure.js";
import { leftOutOf } from "../../package/src/ui/findings.js";
import { measuredOf, rateLine } from "../../package/src/ui/measured.js";
import { loadingOf } from "../../package/src/ui/progress.js";
import type { Scoring } from "../../package/src/ui/score-panel.js";
import { secondOpinion } from "../../package/src/ui/second-opinion.js";
import { SentenceList } from "../../package/src/ui/sentence-list.js";
import { SourceCheck } from "../../package/src/ui/source-check.js";
import { Wording } from "../../package/src/ui/strings.js";
import { scoresStyle, shadowStyle } from "../../package/src/ui/style.js";
import { summaryBadges } from "../../package/src/ui/summary.js";
import { CitedPages } from "./cited.js";
import { enableButton, isEnabled, pauseButton } from "./enable.js";
import { Line } from "./line.js";
import type { Asked, Checked, CheckSelection, EngineState, FromPanel, PageState, ToPanel } from "./messages.js";
import { Opinions } from "./opinions.js";
import { loadPreferences, OWN_FILES, type Preferences } from "./preferences.js";
import { ScoresView } from "./scores.js";
import { siteOf } from "./sites.js";
import { mayAsk } from "./wiki-leave.js";

const wording = new Wording({}, "en");
const status = byId("status", HTMLElement);
const progress = byId("progress", HTMLProgressElement);
const notice = byId("notice", HTMLElement);
const enable = byId("enable", HTMLElement);
const before = byId("before", HTMLElement);
const texts = byId("texts", HTMLElement);
const hint = byId("hint", HTMLElement);

const line = new Line<FromPanel, ToPanel>("panel", hear, () => {
  cited.lost();
  watch();
});
const opinions = new Opinions((message) => void line.say(message));
const cited = new CitedPages((message) => void line.say(message));
const cards = new Map<string, Card>();

/** The tab that is shown: the window's active one, or the one that the address names. */
let tab = Number(new URLSearchParams(location.hash.slice(1)).get("tab")) || null;

hint.textContent = wording.say("hint");
void showBefore();
byId("check", HTMLButtonElement).addEventListener("click", () => void checkSelection());
if (tab === null) {
  chrome.tabs.onActivated.addListener(() => void follow());
  void follow();
} else watch();

/** Turns to the tab that is active in this window now. */
async function follow(): Promise<void> {
  const [active] = await chrome.tabs.query({ active: true, currentWindow: true });
  tab = active?.id ?? null;
  watch();
}

function watch(): void {
  if (tab !== null) void line.say({ type: "watch", tab });
}

async function checkSelection(): Promise<void> {
  if (tab === null) return;
  const { asked } = (await chrome.runtime.sendMessage({
    type: "check-selection",
    tab,
  } satisfies CheckSelection)) as Asked;
  notice.textContent = asked
    ? ""
    : "No selected text could be read. Select some in the page; if that does not help, press Evident's icon or Alt+Shift+E there, which lets it read that page.";
}

function hear(message: ToPanel): void {
  switch (message.type) {
    case "engine":
      return showEngine(message.engine);
    case "page":
      opinions.forget();
      cited.forget();
      for (const card of cards.values()) card.remove();
      cards.clear();
      texts.replaceChildren();
      notice.textContent = SAID[message.page?.state ?? "none"];
      before.hidden = false;
      void showBefore(); // the desk may be another one, by other options
      message.checked.forEach(showText);
      void offer(message.page === null);
      return;
    case "checked":
      return showText(message.checked);
    case "working":
      return cards.get(message.id)?.working(message.index, message.stage);
    case "scoring":
      return cards.get(message.id)?.score(message.scoring);
    case "opinion":
      return opinions.hear(message);
    case "sources":
      return cited.hear(message);
    case "gone":
      cards.get(message.id)?.remove();
      cards.delete(message.id);
      return;
    case "open":
      return cards.get(message.id)?.open(message.index);
  }
}

/**
 * Offers to turn the page's site on, or to pause it. Where the reader has neither turned it on nor handed the page over,
 * its address is unknown, and the page with all sites is offered.
 */
async function offer(isUnread: boolean): Promise<void> {
  const shown = tab;
  const button = shown === null ? null : await buttonFor(shown);
  if (shown !== tab) return;
  const sites = make("a", "", "Enable on a site");
  sites.href = "welcome.html";
  sites.target = "_blank";
  enable.replaceChildren(button ?? sites);
  enable.hidden = !button && !isUnread;
}

async function buttonFor(id: number): Promise<HTMLElement | null> {
  const { url } = await chrome.tabs.get(id).catch(() => ({ url: undefined }));
  const origin = url === undefined ? undefined : URL.parse(url)?.origin;
  if (!origin) return null;
  const { hosts, paused } = await loadPreferences();
  const site = siteOf(origin, hosts);
  if (!site) return null;
  if (await isEnabled([origin])) {
    if (paused.includes(site.id)) notice.textContent = SAID.off; // also of a page that has said nothing yet
    return pauseButton(site, paused);
  }
  return enableButton(site, [origin], (granted) => {
    if (granted)
      enable.hidden = true; // the background puts its script into the page, which then speaks
    else notice.textContent = `Without leave to read ${site.name}, Evident does nothing there.`;
  });
}

const estimate = new Estimate();
/** The most sentences that were left to judge since the engine began to. */
let most = 0;

function showEngine(engine: EngineState): void {
  const loading = engine.doing === "loading" ? loadingOf(engine.progress, wording) : null;
  progress.hidden = !loading;
  progress.value = loading?.fraction ?? 0;
  line.waiting = engine.doing !== "idle";
  if (engine.doing === "waiting") {
    status.textContent = wording.say("wikiWaits", { n: engine.seconds });
    return;
  }
  most = engine.doing === "judging" ? Math.max(most, engine.left) : 0;
  const done = engine.doing === "judging" ? 1 - engine.left / Math.max(1, most) : (loading?.fraction ?? 0);
  const said =
    engine.doing === "judging"
      ? wording.say("checking", { n: engine.left })
      : engine.doing === "scoring"
        ? "Scoring an answer."
        : "";
  status.textContent = withTimeLeft(loading?.label ?? said, estimate.left(done), wording);
}

/** Says what a check by the reader's options does. */
async function showBefore(): Promise<void> {
  const chosen = await loadPreferences();
  before.textContent = beforeOf({ ...chosen, wiki: (await mayAsk(chosen.wiki)) ? chosen.wiki : "" });
}

/** What a check fetches, and from where, and what it sends. */
function beforeOf({ pack, index, wiki }: Preferences): string {
  const isOwn = index === OWN_FILES;
  const from = [
    pack ? [`the models from ${new URL(pack).host}`] : [],
    index && !isOwn ? [`files of the index from ${new URL(index).host}`] : [],
  ].flat();
  const here = isOwn
    ? "the models came with the extension, and the index is that of your files"
    : "the models and the index came with the extension";
  const fetched = from.length
    ? `A check fetches ${from.join(", and ")}.`
    : wiki
      ? sentence(here)
      : `Nothing is fetched: ${here}.`;
  const asked = wiki
    ? `${new URL(wiki).host} is asked about what the index leaves open, and is sent names and words of that. `
    : "";
  return `${fetched} ${asked}${wiki ? "All other" : "The"} text stays on this device. The models read English.`;
}

const SELECTION =
  "select text in it, then press Evident's icon or Alt+Shift+E, or choose “Check with Evident” in the context menu.";

/** What the panel says of a page beside the texts. */
const SAID: Record<PageState | "none", string> = {
  none: `Answers are checked as they appear on the sites that are turned on in the options. On any other page, ${SELECTION}`,
  empty: "There is no answer on this page yet.",
  reading: "",
  off: `The answers on this page are not read now. To have something checked, ${SELECTION}`,
  unreadable: `Evident cannot read this site: it may have changed its pages. To have something checked on this one, ${SELECTION}`,
  other: "",
};

function showText(checked: Checked): void {
  let card = cards.get(checked.id);
  if (!card) {
    card = new Card(checked.id);
    cards.set(checked.id, card);
    texts.append(card.element);
  }
  hint.hidden = false;
  before.hidden = true;
  card.show(checked);
}

/** One checked text. */
class Card {
  readonly element = make("article", "");
  readonly #id: string;
  readonly #title = make("p", "title");
  readonly #summary = make("ul", "summary");
  readonly #next = make("div", "flagged");
  readonly #sentences = make("ol", "sentences");
  readonly #note = make("p", "left-out");
  readonly #cited = make("section", "sources");
  readonly #sources = new SourceCheck(this.#cited, wording, (thrown) => failureOf(failureIn(thrown), wording));
  /** The pages whose check is offered, as one text. */
  #offered = "";
  readonly #unasked = make("div", "notice");
  readonly #error = make("div", "error");
  readonly #scores = new ScoresView(wording, {
    onStart: () => void line.say({ type: "score", id: this.#id }),
    onStop: () => void line.say({ type: "stop-scoring", id: this.#id }),
    wayTo: (place) => this.#wayTo(place),
  });
  #list: SentenceList | null = null;
  #shown: Checked | null = null;

  constructor(id: string) {
    this.#id = id;
    this.#title.dir = "auto";
    this.#title.id = "title";
    this.#title.role = "heading";
    this.#title.ariaLevel = "2";
    this.#unasked.setAttribute("role", "status");
    this.#error.setAttribute("role", "alert");
    this.#sentences.setAttribute("aria-label", wording.say("sentences"));
    this.#cited.setAttribute("aria-label", wording.say("checkSources"));
    this.#cited.hidden = true;
    const root = this.element.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [shadowStyle(), scoresStyle()];
    const box = make(
      "section",
      "widget",
      this.#title,
      this.#summary,
      this.#next,
      this.#sentences,
      this.#note,
      this.#unasked,
      this.#cited,
      this.#error,
      this.#scores.element,
    );
    box.setAttribute("aria-labelledby", "title");
    root.append(box);
  }

  show(checked: Checked): void {
    const before = this.#shown;
    this.#shown = checked;
    this.#title.textContent = checked.kind === "selection" ? "Selected text" : checked.question || "Answer";
    const isAgain = checked.judged.some((report, index) => !report && before?.judged[index]);
    if (!before || !sameSentences(before, checked) || isAgain) this.#renew(checked, before);
    else
      checked.judged.forEach((report, index) => {
        if (report && !before.judged[index]) this.#list?.judged(index, report);
        else if (report && !sameSources(report, before.judged[index])) this.#list?.sourced(index, report);
      });
    this.#offerSources(checked, before);
    checked.judged.forEach((_, index) => this.#list?.dismiss(index, checked.dismissed.includes(index)));
    if (checked.whole && !before?.whole) this.#list?.openMostDoubtful();
    this.#summary.replaceChildren(...summaryBadges(this.#list?.undismissed() ?? [], wording));
    this.#note.textContent = this.#noted(checked);
    if (checked.unasked !== before?.unasked) this.#showUnasked(checked.unasked);
    this.#showFailure(checked);
    this.#scores.show(checked.scoring, checked.whole);
  }

  remove(): void {
    this.#sources.clear();
    this.element.remove();
  }

  /** Offers to check the sources of a text that is finished, once for the same pages. */
  #offerSources({ judged, streaming }: Checked, before: Checked | null): void {
    const isCompared = (report: SentenceReport | null) => report?.sources !== undefined;
    if (before?.judged.some(isCompared) && !judged.some(isCompared)) this.#offered = ""; // the text was read anew
    const isDone = !streaming && !judged.includes(null);
    const addresses = isDone ? [...new Set(judged.flatMap((report) => (report ? citedBy(report) : [])))] : [];
    const key = addresses.join("\n");
    if (this.#offered === key) return;
    this.#offered = key;
    if (key && tab !== null) this.#sources.offer(cited.of(tab, this.#id, addresses));
    else this.#sources.clear();
  }

  working(index: number, stage: Stage): void {
    this.#list?.working(index, stage);
  }

  score(scoring: Scoring): void {
    if (this.#shown) this.#scores.show(scoring, this.#shown.whole);
  }

  open(index: number): void {
    this.#list?.open(index);
    this.#list?.goTo(index);
  }

  #wayTo(place: number): (() => void) | null {
    const index = this.#shown?.sentences.findIndex(({ start, end }) => start <= place && place < end) ?? -1;
    return index < 0 ? null : () => this.open(index);
  }

  /** Lists the sentences anew; open evidence stays open. */
  #renew(checked: Checked, before: Checked | null): void {
    const opened = this.#list?.opened ?? null;
    this.#list = new SentenceList(this.#sentences, checked.sentences, wording, {
      onOpen: () => undefined,
      onBack: (index) => void line.say({ type: "reveal", id: this.#id, index }),
      onDismiss: (index, dismissed) => void line.say({ type: "dismiss", id: this.#id, index, dismissed }),
      more: (first, index) => [rateBelow(first), secondOpinion(first, opinions.on(this.#id, index), wording)],
      fileFor: (address, entry) => this.#sources.fileFor(address, entry),
    });
    this.#next.replaceChildren(this.#list.next.element);
    checked.judged.forEach((report, index) => report && this.#list?.judged(index, report));
    if (opened !== null && before?.sentences[opened]?.text === checked.sentences[opened]?.text) this.#list.open(opened);
  }

  #noted({ leftOut, streaming, sentences, judged, failure }: Checked): string {
    const left = leftOutOf(leftOut, wording);
    if (streaming) return `${left} The rest is still being written.`.trim();
    const done = !failure && !judged.includes(null);
    return sentences.length === 0 && done ? wording.say("noClaims") : left;
  }

  #showFailure({ failure }: Checked): void {
    if (!failure) return this.#error.replaceChildren();
    this.#list?.stop();
    const option = optionOf(failure.code);
    this.#error.replaceChildren(...failureOf(failure, wording), this.#retry(), ...(option ? [wayTo(option)] : []));
  }

  /** Says that the wiki could not be asked, and why. */
  #showUnasked(unasked: string | null): void {
    if (unasked === null) return this.#unasked.replaceChildren();
    const words = make("p", "", `${sentence(unasked)} Sentences that it was not asked about keep what the index says.`);
    words.dir = "auto";
    this.#unasked.replaceChildren(words, this.#retry(), wayTo("wiki"));
  }

  #retry(): HTMLElement {
    const retry = make("button", "back", "Try again");
    retry.type = "button";
    retry.addEventListener("click", () => void line.say({ type: "retry", id: this.#id }));
    return make("p", "", retry);
  }
}

/** The option that an error is about; null if it is about none. */
function optionOf(code: string): string | null {
  const [, what, how] = /^(pack|index|backend)-(.+)$/.exec(code) ?? [];
  if (!what || !how) return null;
  return `${what}${how === "unexpected" ? "Hash" : /^(unsigned|rollback)$/.test(how) ? "Key" : ""}`;
}

function wayTo(option: string): HTMLElement {
  const link = make("a", "", "Change it in the options");
  link.href = `options.html#${option}`;
  link.target = "_blank";
  return make("p", "", link);
}

/** How often such a verdict is right. The card tells of the models in the extension. */
function rateBelow(report: SentenceReport): HTMLElement {
  const stated = loadPreferences().then(({ pack }) => measuredOf(pack || "pack/", "nli"));
  return rateLine(report, stated, "card.txt", wording);
}

/** What the desk says of a failure, or what was thrown here. */
const failureIn = (thrown: unknown): Failure => (thrown instanceof Error ? plainError(thrown) : (thrown as Failure));

const sameSources = (a: SentenceReport, b: SentenceReport | null | undefined): boolean =>
  JSON.stringify(a.sources) === JSON.stringify(b?.sources);

function sameSentences(a: Checked, b: Checked): boolean {
  return (
    a.sentences.length === b.sentences.length && a.sentences.every(({ text }, at) => text === b.sentences[at]?.text)
  );
}
