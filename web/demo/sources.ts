/** The pages that the answer cites: fetched when the reader says so, or given as files, and compared with the sentences. */

import type { Report, SentenceReport, Source, Verifier } from "evident-check";
import { citedBy } from "../package/src/sources/cited.js";
import { byId, linkOf, make } from "../package/src/ui/dom.js";
import { explain } from "./advice.js";
import { WORDING } from "./format.js";
import type { Reply, Request } from "./index-worker.js";
import { reaches } from "./offline.js";

export class SourceCheck {
  readonly #section = byId("sources", HTMLElement);
  readonly #onChecked: (index: number, sentence: SentenceReport) => void;
  readonly #status = make("p", "status");
  readonly #alert = make("div", "alert");
  #checked: { verifier: Verifier; report: Report } | null = null;
  /** The pages that were read, and those that could not be. */
  #given: Record<string, Source> = {};
  #running: AbortController | null = null;

  /** `onChecked` is told of each sentence that was compared with its sources. */
  constructor(onChecked: (index: number, sentence: SentenceReport) => void) {
    this.#onChecked = onChecked;
    this.#status.setAttribute("role", "status");
    this.#alert.setAttribute("role", "alert");
  }

  /** Offers to check the sources of a report's sentences, if they cite any. */
  offer(verifier: Verifier, report: Report): void {
    this.clear();
    this.#checked = { verifier, report };
    const addresses = new Set(report.sentences.flatMap(citedBy));
    if (addresses.size === 0) return;
    this.#section.hidden = false;
    this.#show(button("checkSources", () => this.#ask([...addresses])));
  }

  clear(): void {
    this.#running?.abort();
    this.#running = this.#checked = null;
    this.#given = {};
    this.#section.hidden = true;
    this.#section.replaceChildren();
    this.#status.textContent = "";
    this.#alert.replaceChildren();
  }

  /** What takes a file in a source's place: a button, and the source's entry as a place to drop one. */
  fileFor(address: string, entry: HTMLElement): Node[] {
    const input = make("input", "");
    input.type = "file";
    input.hidden = true;
    input.addEventListener("change", () => void this.#give(address, input.files?.[0]));
    entry.addEventListener("dragover", (event) => {
      event.preventDefault();
      event.stopPropagation(); // the page's own evidence takes no part in it
    });
    entry.addEventListener("drop", (event) => {
      event.preventDefault();
      event.stopPropagation();
      void this.#give(address, event.dataTransfer?.files[0]);
    });
    return [button("giveSource", () => input.click()), input];
  }

  /** Says what will be fetched, and from whom, before anything is. */
  #ask(addresses: string[]): void {
    const hostOf = (address: string) => (linkOf(address) ? new URL(address).host : address);
    const hosts = [...new Set(addresses.map(hostOf))].join(", ");
    const fetch = button("fetchSources", () => void this.#fetch(addresses));
    fetch.classList.add("primary");
    const back = button("cancel", () => this.#checked && this.offer(this.#checked.verifier, this.#checked.report));
    this.#show(make("p", "hint", WORDING.say("sourcesAsk", { n: addresses.length, hosts })), fetch, back);
    fetch.focus();
  }

  async #fetch(addresses: string[]): Promise<void> {
    let fetched = 0;
    await this.#work(async (signal) => {
      await ask({ type: "sources", addresses }, signal, (reply) => {
        if (reply.type !== "source") return;
        this.#given[reply.address] = reply.source;
        fetched += 1;
        this.#say("sourcesWork", { n: fetched, total: addresses.length });
      });
      // A worker of an isolated page cannot tell a host that is down from one that lets no other site read.
      for (const [address, source] of Object.entries(this.#given))
        if (typeof source === "object" && "unread" in source && source.unread === "failed" && (await reaches(address)))
          this.#given[address] = { unread: "blocked" };
      await this.#compare(signal, () => true);
    });
  }

  async #give(address: string, file: File | undefined): Promise<void> {
    if (!file) return;
    await this.#work(async (signal) => {
      const reply = await ask({ type: "passages", name: file.name, file }, signal, () => undefined);
      if (reply.type !== "passages") return;
      this.#given[address] = reply.passages.map((passage) => ({ ...passage, source: address }));
      await this.#compare(signal, (sentence) => citedBy(sentence).includes(address));
    });
  }

  /** Compares these sentences with all pages that there are. */
  async #compare(signal: AbortSignal, isMeant: (sentence: SentenceReport) => boolean): Promise<void> {
    if (!this.#checked) return;
    const { verifier, report } = this.#checked;
    const meant = report.sentences.flatMap((sentence, index) =>
      citedBy(sentence).length > 0 && isMeant(sentence) ? [{ sentence, index }] : [],
    );
    const total = meant.reduce((sum, { sentence }) => sum + citedBy(sentence).length, 0);
    let compared = 0;
    const checked = await verifier.checkSources(
      { sentences: meant.map(({ sentence }) => sentence), settings: report.settings },
      this.#given,
      {
        signal,
        onEvent: ({ kind }) => kind === "source" && this.#say("sourcesWork", { n: ++compared, total }),
      },
    );
    checked.forEach((sentence, number) => {
      const index = meant[number]?.index;
      if (index !== undefined) this.#onChecked(index, sentence);
    });
    this.#say("sourcesDone");
  }

  /** Does one thing at a time, with a button that ends it. */
  async #work(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    this.#section.hidden = false;
    this.#alert.replaceChildren();
    this.#show(button("cancel", () => running.abort()));
    let again: Node[] = [];
    try {
      await work(running.signal);
    } catch (thrown) {
      if (this.#running !== running) return; // another text is on the page
      if (running.signal.aborted) this.#say("cancelled");
      else {
        this.#status.textContent = "";
        this.#alert.replaceChildren(...explain(thrown));
      }
      const checked = this.#checked;
      if (checked) again = [button("checkSources", () => this.offer(checked.verifier, checked.report))];
    }
    if (this.#running !== running) return;
    this.#running = null;
    this.#show(...again);
  }

  #say(word: "sourcesWork" | "sourcesDone" | "cancelled", places = {}): void {
    this.#status.textContent = WORDING.say(word, places);
  }

  #show(...content: Node[]): void {
    const [texts, buttons] = [false, true].map((is) =>
      content.filter((one) => one instanceof HTMLButtonElement === is),
    );
    this.#section.replaceChildren(
      ...(texts ?? []),
      ...(buttons?.length ? [make("div", "actions", ...buttons)] : []),
      this.#status,
      this.#alert,
    );
  }
}

function button(word: "checkSources" | "fetchSources" | "cancel" | "giveSource", act: () => void): HTMLButtonElement {
  const made = make("button", "", WORDING.say(word));
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/** Has a worker do one thing; `onNews` is told what comes before its last reply, which this resolves to. */
function ask(request: Request, signal: AbortSignal, onNews: (reply: Reply) => void): Promise<Reply> {
  const worker = new Worker("index-worker.js", { type: "module", name: "evident-sources" });
  const asked = new Promise<Reply>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      reject(Object.assign(new Error(event.message), { code: "internal" }));
    });
    worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      if (data.type === "failed") reject(Object.assign(new Error(data.message), { code: data.code }));
      else if (data.type === "sources" || data.type === "passages") resolve(data);
      else onNews(data);
    });
    worker.postMessage(request);
  });
  return asked.finally(() => worker.terminate());
}
