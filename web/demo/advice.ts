/** What each error means for the reader of this page, and what to do about it. */

import type { ErrorCode } from "evident-check";
import { make } from "../package/src/ui/dom.js";
import { sentence } from "./format.js";

/** What can go wrong on this page beside the engine's errors. */
type PageCode = "bad-address" | "bad-files" | "bad-link" | "bad-passages" | "files-too-large" | "index-blocked" | "text-too-long";

/** An error of this page's own. */
export class PageError extends Error {
  readonly code: PageCode;

  constructor(code: PageCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The stable name of an error; of one that has none, "internal". */
export function codeOf(thrown: unknown): ErrorCode | PageCode {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  return code in ADVICE ? (code as keyof typeof ADVICE) : "internal";
}

/** An error as an alert shows it: what it is, what was said, what to do, and its name. */
export function explain(thrown: unknown): Node[] {
  const code = codeOf(thrown);
  const { title, advice } = ADVICE[code];
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return [make("strong", "", title), make("p", "", sentence(message)), make("p", "", advice), make("code", "", code)];
}

const ADVICE: Record<ErrorCode | PageCode, { title: string; advice: string }> = {
  "empty-answer": { title: "There is nothing to check", advice: "Type or paste an answer, then check it." },
  "answer-too-long": { title: "The answer is too long", advice: "Check it in parts." },
  "bad-settings": { title: "A setting is out of range", advice: "Correct it under Settings." },
  cancelled: { title: "Cancelled", advice: "Check again whenever you like." },
  network: { title: "A file could not be fetched", advice: "Check the connection and try again; what has arrived is kept." },
  "bad-address": { title: "This is not the address of an index", advice: "Give the address of the folder that holds manifest.json, such as https://example.org/index/" },
  "bad-files": { title: "There is nothing here to check against", advice: "Choose text (.txt), Markdown (.md) or JSON lines (.jsonl), or the folder of an index." },
  "bad-link": { title: "The text in this link cannot be read", advice: "The link may have been cut off: ask for the whole of it." },
  "bad-passages": { title: "The files cannot be made an index", advice: "Mend what is named here, or leave that file out." },
  "files-too-large": { title: "That is too much for one page", advice: "Choose fewer files, or build their index on the command line, evident index build, and choose its folder here." },
  "index-blocked": { title: "This index may not be read from another site", advice: "Its host has to send Access-Control-Allow-Origin. Or download the index, and choose its folder here." },
  "index-missing": { title: "The index is not there", advice: "It is the folder that holds manifest.json. The demo's own is built by ./build.sh demo" },
  "index-version": { title: "The index is of another version", advice: "Build it again: evident index build; the demo's own by ./build.sh demo" },
  "index-corrupt": { title: "This is no index, or a damaged one", advice: "A file is not what it should be. Reload; if it happens again, build the index again; the demo's own by ./build.sh demo" },
  "text-too-long": { title: "The text is too long for a link", advice: "Share a part of it, or save the report and send that." },
  "pack-missing": { title: "The models are not there", advice: "Build the demo again: ./build.sh demo" },
  "pack-version": { title: "The models are of another version", advice: "Build the demo again: ./build.sh demo" },
  "pack-corrupt": { title: "The models are damaged", advice: "A file is not what the pack says it is. Reload; if it happens again, build the demo again: ./build.sh demo" },
  "pack-architecture": { title: "These models cannot be run", advice: "The pack needs a model for NLI: an MPNet, a BERT or a RoBERTa." },
  "backend-unavailable": { title: "This backend is not available here", advice: "Choose Automatic or CPU under Settings." },
  "backend-lost": { title: "The graphics device stopped working", advice: "Try again, or choose Automatic or CPU under Settings." },
  "out-of-memory": { title: "There is not enough memory", advice: "Close other pages and try again, or serve the demo with a smaller pack." },
  internal: { title: "The engine failed", advice: "Try again. If it fails on the same text, please report it with the message above." },
};
