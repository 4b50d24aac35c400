/**
 * `<evident-check>`: checks the text of its slot, of the element that `for` names, or of a box that the reader types
 * in.
 *
 * ```html
 * <script type="module" src="/evident/evident-check.js"></script>
 * <evident-check>The atomic number of carbon is 8.</evident-check>
 * ```
 *
 * Importing this module defines the element where there is a window, and does nothing where there is none. No worker,
 * wasm, pack or index is loaded before the first check.
 */

import type { EvidentEvents } from "./element/events.js";
import { Widget } from "./element/widget.js";
import type { Report, Settings } from "./report.js";
import type { Strings } from "./ui/strings.js";

export type { EvidentEvents, ProgressDetail } from "./element/events.js";
export { ENGLISH, type Strings, type Template } from "./ui/strings.js";

/**
 * The element. Attributes: `for` (an id), `pack`, `index` (addresses of directories; the published packages by
 * default, as of `createVerifier`), `engine` (the address of the directory with worker.js and wasm/; beside this module
 * by default), `device` ("auto", "cpu" or "webgpu"), `model`, `threads`, `rerank`, `wiki` (as `createVerifier` takes
 * them), `question` (what the chatbot was asked), `size` ("panel", "inline" or "badge"), `lang` (the language of its words,
 * the page's by default), `auto` (checks by itself when it scrolls into view).
 */
export interface EvidentCheckElement extends HTMLElement {
  /** How to verify; the next check goes by it. */
  settings: Partial<Settings>;
  /** Wording to use instead of the element's own; what it leaves out stays as it is. */
  strings: Partial<Strings>;
  /** The report of the last check that ended well; null before it and while a check is under way. */
  readonly report: Report | null;
  /**
   * Checks the text, as the button does; while a check is under way, resolves with that one. The element shows what
   * goes wrong, so a caller need not catch it.
   * @throws EvidentError, as a rejection.
   */
  check(): Promise<Report>;
  /** Ends the check that is under way, if there is one. */
  cancel(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "evident-check": EvidentCheckElement;
  }
  interface HTMLElementEventMap extends EvidentEventMap {}
}

type EvidentEventMap = { [Name in keyof EvidentEvents]: CustomEvent<EvidentEvents[Name]> };

/** Defines the element, under this name or another, unless the name is taken or there is no window. */
export function defineEvidentCheck(name = "evident-check"): void {
  const registry = (globalThis as { customElements?: CustomElementRegistry }).customElements;
  if (registry && !registry.get(name)) registry.define(name, elementClass());
}

/** Properties that a page may have set before the element was defined. */
const PROPERTIES = ["settings", "strings"] as const;

/** The class, made when it is needed, for it extends a global of the window's. */
function elementClass(): CustomElementConstructor {
  return class extends HTMLElement implements EvidentCheckElement {
    static readonly observedAttributes = [
      "for",
      "pack",
      "index",
      "wiki",
      "engine",
      "device",
      "model",
      "threads",
      "rerank",
      "size",
      "lang",
      "auto",
    ];
    readonly #widget = new Widget(this);

    constructor() {
      super();
      for (const name of PROPERTIES) {
        const own = Object.getOwnPropertyDescriptor(this, name);
        if (!own) continue;
        delete (this as Partial<EvidentCheckElement>)[name];
        this[name] = own.value;
      }
    }

    get settings(): Partial<Settings> {
      return this.#widget.settings;
    }

    set settings(settings: Partial<Settings>) {
      this.#widget.settings = settings;
    }

    get strings(): Partial<Strings> {
      return this.#widget.strings;
    }

    set strings(strings: Partial<Strings>) {
      this.#widget.strings = strings;
    }

    get report(): Report | null {
      return this.#widget.report;
    }

    check(): Promise<Report> {
      return this.#widget.check();
    }

    cancel(): void {
      this.#widget.cancel();
    }

    connectedCallback(): void {
      this.#widget.connected();
    }

    disconnectedCallback(): void {
      this.#widget.disconnected();
    }

    attributeChangedCallback(): void {
      if (this.isConnected) this.#widget.changed();
    }
  };
}

defineEvidentCheck();
