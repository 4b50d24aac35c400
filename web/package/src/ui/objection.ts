/** What a reader can say against a verdict: that its mark is to go, or that it is wrong, which makes a case to measure by. */

import type { SentenceReport } from "../report.js";
import { make } from "./dom.js";
import { download } from "./download.js";
import type { Word, Wording } from "./strings.js";

/** What is right, as `evident eval` names it. */
export type Label = "factual" | "unfactual" | "no evidence";

/** What each button says, and the verdict that says the same. */
const ANSWERS = [
  { label: "factual", word: "isTrue", verdict: "factual" },
  { label: "unfactual", word: "isFalse", verdict: "unfactual" },
  { label: "no evidence", word: "isOpen", verdict: "noEvidence" },
] as const satisfies { label: Label; word: Word; verdict: SentenceReport["verdict"] }[];

/** A case as a line of JSON, as `evident eval` reads it: what was judged, its evidence, and what is right. */
export function caseLine({ statement, context, verdict, evidence }: SentenceReport, label: Label): string {
  const passages = evidence.map(({ title, text }) => ({ title, text }));
  return `${JSON.stringify({ statement, label, context, evidence: passages, verdict })}\n`;
}

/** The buttons for both. `onDismiss` is told whether the mark is dismissed now. */
export function objection(
  report: SentenceReport,
  dismissed: boolean,
  onDismiss: (dismissed: boolean) => void,
  wording: Wording,
): HTMLElement {
  let isDismissed = dismissed;
  const dismiss = button("", () => {
    isDismissed = !isDismissed;
    name();
    onDismiss(isDismissed);
  });
  const name = () => {
    dismiss.textContent = wording.say(isDismissed ? "restore" : "dismiss");
  };
  name();
  const answers = ANSWERS.filter(({ verdict }) => verdict !== report.verdict).map(({ label, word }) =>
    button(wording.say(word), () => download("evident-case.jsonl", "application/jsonl", caseLine(report, label))),
  );
  const body = make("div", "body", make("p", "hint", wording.say("wrongHint")), make("div", "answers", ...answers));
  return make("div", "objection", dismiss, make("details", "details", make("summary", "", wording.say("wrong")), body));
}

function button(label: string, act: () => void): HTMLButtonElement {
  const made = make("button", "back", label);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}
