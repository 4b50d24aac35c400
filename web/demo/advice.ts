/** What each error means for the reader of this page, and what to do about it. */

import type { ErrorCode } from "evident-check";
import { alertOf } from "../package/src/ui/failure.js";
import { sentence, WORDING } from "./format.js";

/** The page's own errors, beside the engine's. */
type PageCode =
  | "bad-address"
  | "bad-document"
  | "bad-files"
  | "bad-lines"
  | "bad-link"
  | "files-too-large"
  | "index-blocked"
  | "page-blocked"
  | "page-missing"
  | "text-too-long";

/** An error of this page's own. */
export class PageError extends Error {
  readonly code: PageCode;

  constructor(code: PageCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The stable name of an error; "internal" if it has none. */
export function codeOf(thrown: unknown): ErrorCode | PageCode {
  const code = typeof thrown === "object" && thrown && "code" in thrown ? String(thrown.code) : "";
  return code in ADVICE ? (code as keyof typeof ADVICE) : "internal";
}

/** An error as an alert shows it. */
export function explain(thrown: unknown): Node[] {
  const code = codeOf(thrown);
  const title = isOfPage(code) ? TITLES[code] : WORDING.say(`error-${code}`);
  const message = typeof thrown === "object" && thrown && "message" in thrown ? String(thrown.message) : String(thrown);
  return alertOf(title, sentence(message), ADVICE[code], code);
}

/** What this page's own errors are called. */
const TITLES: Record<PageCode, string> = {
  "bad-address": "This is not such an address",
  "bad-document": "This document cannot be read",
  "bad-files": "There is nothing here to check against",
  "bad-lines": "This file cannot be labelled",
  "bad-link": "The text in this link cannot be read",
  "files-too-large": "That is too much for one page",
  "index-blocked": "This index may not be read from another site",
  "page-blocked": "This page may not be read from another site",
  "page-missing": "There is no page at this address",
  "text-too-long": "The text is too long for a link",
};

const isOfPage = (code: string): code is PageCode => code in TITLES;

/** What to do about each error. */
const ADVICE: Record<ErrorCode | PageCode, string> = {
  "empty-answer": "Type or paste an answer, then check it.",
  "answer-too-long": "Check it in parts.",
  "question-too-long": "Leave out what the answer does not need.",
  "bad-settings": "Correct it under Settings.",
  cancelled: "Check again whenever you like.",
  network: "Check the connection and try again; what has arrived is kept.",
  "bad-address":
    "Give the address of a page, or for an index that of the folder that holds manifest.json, such as https://example.org/index/",
  "bad-document": "Save it as text or as another kind of file, and choose that.",
  "bad-files":
    "Choose PDF, Word (.docx), HTML, EPUB, text, Markdown or JSON lines (.jsonl), or the folder of an index.",
  "bad-lines":
    "Mend that line. EVAL.md and CONNER.md say how lines of JSON are written; a saved report and answers will do as well.",
  "bad-link": "A program may have cut it off or changed it: ask for the whole link, or for the text itself.",
  "bad-passages": "Mend what is named here, or leave that file out.",
  "files-too-large":
    "Choose fewer files, or build their index on the command line, evident index build, and choose its folder here.",
  "index-blocked":
    "Its host has to send Access-Control-Allow-Origin. Or download the index, and choose its folder here.",
  "index-missing": "It is the folder that holds manifest.json. The demo's own is built by ./build.sh demo",
  "index-version": "Build it again: evident index build; the demo's own by ./build.sh demo",
  "index-corrupt":
    "A file is not what it should be. Reload; if it happens again, build the index again; the demo's own by ./build.sh demo",
  "index-unexpected": "Whoever runs this page has said which index it takes, and this is another: tell them.",
  "index-unsigned": "Whoever runs this page has said who must have signed the index, and they have not: tell them.",
  "index-rollback": "Somebody has put an older index in the place of a newer one: tell whoever runs this page.",
  "page-blocked": "Save the page, and choose the file here.",
  "page-missing": "Check the address in another tab.",
  "text-too-long": "Share a part of it, or save the report and send that.",
  "pack-missing": "Build the demo again: ./build.sh demo",
  "pack-version": "Build the demo again: ./build.sh demo",
  "pack-corrupt":
    "A file is not what the pack says it is. Reload; if it happens again, build the demo again: ./build.sh demo",
  "pack-unexpected": "Whoever runs this page has said which models it takes, and these are others: tell them.",
  "pack-unsigned": "Whoever runs this page has said who must have signed the models, and they have not: tell them.",
  "pack-rollback": "Somebody has put older models in the place of newer ones: tell whoever runs this page.",
  "pack-architecture": "The pack needs a model for NLI: an MPNet, a BERT or a RoBERTa.",
  "signature-unavailable": "Take a newer browser.",
  "backend-unavailable": "Choose Automatic or CPU under Settings.",
  "backend-lost": "Try again, or choose Automatic or CPU under Settings.",
  "out-of-memory": "Close other pages and try again, or serve the demo with a smaller pack.",
  internal: "Try again. If it fails on the same text, please report it with the message above.",
};
