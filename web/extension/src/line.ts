/**
 * A page's or panel's line to the desk. It wakes the desk when there is something to say, also after the desk has gone.
 */

import type { Ping, PortName, Wake } from "./messages.js";

/** How often a line that waits for something lets the desk know that it does. */
const PING_MS = 15_000;
/** The pause before `onLost` is told of a line that broke. */
const RETRY_MS = 1_000;

export class Line<Said, Heard> {
  readonly #name: PortName;
  readonly #onMessage: (message: Heard) => void;
  readonly #onLost: () => void;
  #port: Promise<chrome.runtime.Port> | null = null;
  #ping: ReturnType<typeof setInterval> | undefined;

  /** @param onLost is told when the desk has gone, and all that it knew of this end with it. */
  constructor(name: PortName, onMessage: (message: Heard) => void, onLost: () => void) {
    this.#name = name;
    this.#onMessage = onMessage;
    this.#onLost = onLost;
  }

  async say(message: Said | Ping): Promise<void> {
    this.#port ??= this.#connect();
    try {
      (await this.#port).postMessage(message);
    } catch {
      this.#lost();
    }
  }

  /** Whether the desk owes an answer. Until then pings keep its page from being ended as idle. */
  set waiting(waiting: boolean) {
    clearInterval(this.#ping);
    if (waiting) this.#ping = setInterval(() => void this.say({ type: "ping" }), PING_MS);
  }

  async #connect(): Promise<chrome.runtime.Port> {
    await chrome.runtime.sendMessage({ type: "wake" } satisfies Wake);
    const port = chrome.runtime.connect({ name: this.#name });
    port.onMessage.addListener((message: Heard) => this.#onMessage(message));
    port.onDisconnect.addListener(() => this.#lost());
    return port;
  }

  #lost(): void {
    if (!this.#port) return;
    this.#port = null;
    this.waiting = false;
    // An extension that was updated or removed leaves its scripts in the pages behind, without a runtime.
    if (chrome.runtime?.id) setTimeout(this.#onLost, RETRY_MS);
  }
}
