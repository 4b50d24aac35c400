/**
 * Offers to compare sentences with the pages that they cite, says which hosts will be asked before any is, and shows how
 * far it is.
 */

import type { OnStep } from "../sources/comparison.js";
import { linkOf, make } from "./dom.js";
import type { Wording } from "./strings.js";

/** What does it. */
export interface SourceWork {
  /** The pages that are cited. */
  addresses: string[];
  /** Whether they may be fetched; asked within the reader's click. Left out where nobody has to be asked. */
  allow?(): Promise<boolean>;
  /** Gives back what `allow` was granted, for nothing is fetched after all. */
  giveBack?(): void;
  /** Fetches the pages and compares the sentences with them. */
  fetch(signal: AbortSignal, onStep: OnStep): Promise<void>;
  /** Takes a file as the page at an address. */
  give(address: string, file: File, signal: AbortSignal, onStep: OnStep): Promise<void>;
}

export class SourceCheck {
  readonly #section: HTMLElement;
  readonly #wording: Wording;
  readonly #explain: (thrown: unknown) => Node[];
  readonly #status = make("p", "status");
  readonly #alert = make("div", "alert");
  #work: SourceWork | null = null;
  #running: AbortController | null = null;

  /** `section` is empty and hidden; `explain` says what went wrong. */
  constructor(section: HTMLElement, wording: Wording, explain: (thrown: unknown) => Node[]) {
    this.#section = section;
    this.#wording = wording;
    this.#explain = explain;
    this.#status.setAttribute("role", "status");
    this.#status.tabIndex = -1; // takes the focus over from a button that goes
    this.#alert.setAttribute("role", "alert");
  }

  /** Offers this in place of what was offered before, if there is anything to fetch. */
  offer(work: SourceWork): void {
    this.clear();
    this.#work = work;
    if (work.addresses.length === 0) return;
    this.#section.hidden = false;
    this.#show(this.#button("checkSources", () => this.#ask(work)));
  }

  /** Ends what is being done. */
  stop(): void {
    this.#running?.abort();
  }

  /** The same, and offers nothing. */
  clear(): void {
    this.stop();
    this.#running = this.#work = null;
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
    input.addEventListener("change", () => this.#give(address, input.files?.[0]));
    entry.addEventListener("dragover", (event) => {
      event.preventDefault();
      event.stopPropagation(); // a page may take files of its own
    });
    entry.addEventListener("drop", (event) => {
      event.preventDefault();
      event.stopPropagation();
      this.#give(address, event.dataTransfer?.files[0]);
    });
    return [this.#button("giveSource", () => input.click()), input];
  }

  /** Says what will be fetched, and from whom. */
  #ask(work: SourceWork): void {
    const hostOf = (address: string) => (linkOf(address) ? new URL(address).host : address);
    const hosts = [...new Set(work.addresses.map(hostOf))].join(", ");
    const fetch = this.#button("fetchSources", () => void this.#fetch(work));
    fetch.classList.add("primary");
    const back = this.#button("cancel", () => this.offer(work));
    const ask = make("p", "hint", this.#wording.say("sourcesAsk", { n: work.addresses.length, hosts }));
    // The whole addresses: one may say more than its host.
    this.#show(ask, make("ul", "hint", ...work.addresses.map((address) => make("li", "", address))), fetch, back);
  }

  async #fetch(work: SourceWork): Promise<void> {
    const allowed = (await work.allow?.()) ?? true;
    if (this.#work !== work) return work.giveBack?.();
    if (allowed)
      return this.#run((signal, onStep) => {
        onStep(0, work.addresses.length);
        return work.fetch(signal, onStep);
      });
    this.offer(work);
    this.#status.textContent = this.#wording.say("sourcesRefused");
  }

  #give(address: string, file: File | undefined): void {
    const work = this.#work;
    if (work && file) void this.#run((signal, onStep) => work.give(address, file, signal, onStep));
  }

  /** Does one thing at a time, with a button that ends it. */
  async #run(act: (signal: AbortSignal, onStep: OnStep) => Promise<void>): Promise<void> {
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    this.#section.hidden = false;
    this.#alert.replaceChildren();
    this.#status.textContent = "";
    this.#show(this.#button("cancel", () => running.abort()));
    const work = this.#work;
    let again: Node[] = [];
    try {
      await act(running.signal, (n, total) => {
        if (this.#running === running) this.#status.textContent = this.#wording.say("sourcesWork", { n, total });
      });
      if (this.#running === running) this.#status.textContent = this.#wording.say("sourcesDone");
    } catch (thrown) {
      if (this.#running !== running) return; // another text is there now
      this.#status.textContent = running.signal.aborted ? this.#wording.say("cancelled") : "";
      if (!running.signal.aborted) this.#alert.replaceChildren(...this.#explain(thrown));
      if (work) again = [this.#button("checkSources", () => this.offer(work))];
    }
    if (this.#running !== running) return;
    this.#running = null;
    this.#show(...again);
  }

  /** Shows texts, and below them buttons; the focus does not stay behind. */
  #show(...content: Node[]): void {
    const focused = this.#section.matches(":focus-within");
    const [texts, buttons] = [false, true].map((is) =>
      content.filter((one) => one instanceof HTMLButtonElement === is),
    ) as [Node[], HTMLButtonElement[]];
    this.#section.replaceChildren(
      ...texts,
      ...(buttons.length ? [make("div", "actions", ...buttons)] : []),
      this.#status,
      this.#alert,
    );
    if (focused) (buttons[0] ?? this.#status).focus();
  }

  #button(word: "checkSources" | "fetchSources" | "cancel" | "giveSource", act: () => void): HTMLButtonElement {
    const made = make("button", "back", this.#wording.say(word));
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  }
}
