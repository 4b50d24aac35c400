/** A wiki that the engine asks about claims. Its module is fetched, and the wiki is asked, at the first question. */

import { bytesOf, retryAfterOf } from "./body.js";
import { plainError } from "./errors.js";
import type { AskWiki, WikiAnswer } from "./protocol.js";

/** How long an answer of the wiki may take, all of it. */
const PATIENCE_MS = 10_000;

/** Put in by web/build.mjs. */
declare const VERSION: string;

/** The module that asks wikis and reads their articles. */
export type WikiModule = Pick<typeof import("./wasm/wiki/evident.js"), "Wiki" | "words">;

/** An answer of HTTP, as Rust's `WikiReply`. */
interface Reply {
  status: number;
  retryAfter?: number;
  body: Uint8Array;
}

/** A wiki. It gets one request at a time. */
export class Wiki {
  readonly #open: () => Promise<WikiModule>;
  readonly #name: string;
  readonly #onFailed: (reason: string) => void;
  readonly #onWait: (seconds: number) => void;
  #wiki: Promise<InstanceType<WikiModule["Wiki"]>> | undefined;
  /** The answer to the last question, which the next one waits for. */
  #last: Promise<unknown> = Promise.resolve();
  #stopped = new AbortController();

  /**
   * A wiki by its name, or the address of its api.php; `open` loads the module that asks it. `onFailed` is told why it
   * could not be asked, but not that it was stopped. `onWait` is told for how many seconds the wiki has asked to wait,
   * and 0 when that is over.
   */
  constructor(
    name: string,
    open: () => Promise<WikiModule>,
    onFailed: (reason: string) => void,
    onWait: (seconds: number) => void,
  ) {
    this.#name = name;
    this.#open = open;
    this.#onFailed = onFailed;
    this.#onWait = onWait;
  }

  /** What the engine calls. */
  readonly ask: AskWiki = (...claim): Promise<WikiAnswer> => {
    const stopped = this.#stopped.signal;
    const answer = this.#last
      .catch(() => undefined)
      .then(async () => {
        stopped.throwIfAborted();
        return (await this.#load()).ask(...claim);
      });
    this.#last = answer;
    answer.catch((error) => {
      if (!stopped.aborted) this.#onFailed(plainError(error).message);
    });
    return answer;
  };

  /** Ends the request that is under way, and drops the questions that wait. */
  stop(): void {
    this.#stopped.abort();
    this.#stopped = new AbortController();
  }

  /** The module is loaded once; a failure is tried again. */
  #load(): Promise<InstanceType<WikiModule["Wiki"]>> {
    this.#wiki ??= this.#open().then(({ Wiki }) => new Wiki(this.#name, this.#get, this.#wait));
    this.#wiki.catch(() => {
      this.#wiki = undefined;
    });
    return this.#wiki;
  }

  /** Gets what is at an address of the wiki. An error is a clause of the message that the reader sees. */
  readonly #get = async (address: string, most: number): Promise<Reply> => {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    try {
      const response = await fetch(address, {
        credentials: "omit",
        referrerPolicy: "no-referrer",
        redirect: "error", // the reader agreed to this address
        headers: { "Api-User-Agent": `Evident/${VERSION}` },
        signal: AbortSignal.any([this.#stopped.signal, patience]),
      });
      const retryAfter = retryAfterOf(response);
      const body = await bytesOf(response, most);
      if (body) return { status: response.status, ...(retryAfter !== undefined && { retryAfter }), body };
    } catch (error) {
      if (patience.aborted) throw new Error("it did not answer within 10 s: try again", { cause: error });
      throw new Error(
        `it cannot be reached, or does not let pages of other sites read it (${plainError(error).message}): check the address and the network, and try again`,
        { cause: error },
      );
    }
    throw new Error(`its answer has more than ${most} bytes`);
  };

  readonly #wait = async (seconds: number): Promise<void> => {
    const { signal } = this.#stopped;
    this.#onWait(seconds);
    await new Promise<void>((resolve) => {
      setTimeout(resolve, seconds * 1_000);
      signal.addEventListener("abort", () => resolve());
    });
    this.#onWait(0);
  };
}
