/** Workers that judge sentences beside the engine's own: both ends of the port between the two. */

import { EvidentError, type PlainError, plainError } from "./errors.js";
import type { EngineEvent } from "./protocol.js";
import type { Assistant } from "./wasm/cpu/evident.js";

/**
 * To the helper: a statement with its passages and the settings, both as the Rust engine writes them; or a cancel.
 */
type Asked = { case: unknown; settings: unknown } | "cancel";

/** What comes back: stages, then one outcome. */
type Told = { event: EngineEvent } | { judged: unknown; memory: number } | { error: PlainError };

/** A helper, seen from the engine's worker. It judges one sentence at a time. */
export class Helper {
  /** Bytes of its wasm memory. */
  memory: number;

  readonly #port: MessagePort;
  #last: Promise<unknown> = Promise.resolve();
  #pending: {
    onEvent(event: EngineEvent): void;
    resolve(judged: unknown): void;
    reject(error: EvidentError): void;
  } | null = null;

  constructor(port: MessagePort, memory: number) {
    this.#port = port;
    this.memory = memory;
    port.onmessage = ({ data }: MessageEvent<Told>) => this.#hear(data);
  }

  /** Judges a sentence, after it has finished the one before. */
  judge(asked: unknown, settings: unknown, onEvent: (event: EngineEvent) => void): Promise<unknown> {
    const judged = this.#last.then(
      () =>
        new Promise((resolve, reject) => {
          this.#pending = { onEvent, resolve, reject };
          this.#post({ case: asked, settings });
        }),
    );
    this.#last = judged.catch(() => undefined);
    return judged;
  }

  cancel(): void {
    this.#post("cancel");
  }

  #hear(told: Told): void {
    if ("event" in told) return this.#pending?.onEvent(told.event);
    if ("error" in told) this.#pending?.reject(new EvidentError(told.error.code, told.error.message));
    else {
      this.memory = told.memory;
      this.#pending?.resolve(told.judged);
    }
    this.#pending = null;
  }

  #post(asked: Asked): void {
    this.#port.postMessage(asked);
  }
}

/** Has the assistant of this worker judge what comes through the port. */
export function serve(port: MessagePort, assistant: Assistant, memory: WebAssembly.Memory): void {
  const post = (told: Told) => port.postMessage(told);
  const fail = (thrown: unknown) => post({ error: plainError(thrown) });
  // A trap inside a Rust future rejects no promise.
  self.addEventListener("error", ({ error, message }) => fail(error ?? message));
  self.addEventListener("unhandledrejection", ({ reason }) => fail(reason));
  port.onmessage = ({ data }: MessageEvent<Asked>) => {
    if (data === "cancel") return assistant.cancel();
    assistant
      .judge(data.case, data.settings, (event) => post({ event }))
      .then((judged) => post({ judged, memory: memory.buffer.byteLength }))
      .catch(fail);
  };
}
