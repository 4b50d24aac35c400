/** A second opinion on a sentence: what the T5 says of it over the same evidence, beside the first verdict. */

import type { SentenceReport, VerifyEvent } from "../report.js";
import { badge } from "./badge.js";
import { make } from "./dom.js";
import { type Failure, failureOf } from "./failure.js";
import { asList } from "./numbers.js";
import { loadingOf } from "./progress.js";
import { standingOf } from "./standing.js";
import type { Wording } from "./strings.js";

/** Who gives it. */
export interface SecondOpinions {
  /** The bytes of the T5 that is fetched for it; 0 if it is there. It rejects if there is none. */
  bytes(): Promise<number>;
  /** Judges the sentence again. */
  ask(first: SentenceReport, onEvent: (event: VerifyEvent) => void): Promise<SentenceReport>;
}

/**
 * A button that says how much is fetched, and in its place what the T5 says. It stays empty if there is no T5, or if the
 * T5 gave the first verdict already.
 */
export function secondOpinion(first: SentenceReport, opinions: SecondOpinions, wording: Wording): HTMLElement {
  const element = make("div", "opinion");
  if (first.pFactual !== null || first.evidence.length === 0) return element;
  const status = make("p", "hint");
  status.setAttribute("role", "status");
  const offer = (bytes: number) => {
    const size = bytes ? "askT5" : "askT5Here";
    const button = make("button", "back", wording.say(size, { size: wording.megabytes(bytes) }));
    button.type = "button";
    button.addEventListener("click", () => {
      button.disabled = true;
      status.textContent = wording.say("verify");
      const follow = (event: VerifyEvent) => {
        if (event.kind === "load") status.textContent = loadingOf(event, wording).label;
        else if (event.kind === "stage") status.textContent = wording.say(event.stage);
      };
      opinions.ask(first, follow).then(
        (second) => element.replaceChildren(...opinionOf(first, second, wording)),
        (error: Failure) => {
          button.disabled = false;
          status.replaceChildren(...failureOf(error, wording));
        },
      );
    });
    element.replaceChildren(button, status);
  };
  opinions.bytes().then(offer, () => undefined);
  return element;
}

/** What the T5 says, whether it agrees, and whether it depends on the wording of the question. */
export function opinionOf(first: SentenceReport, second: SentenceReport, wording: Wording): Node[] {
  const agrees = wording.say(second.verdict === first.verdict ? "t5Agrees" : "t5Differs");
  const spread = second.spread === undefined ? "" : ` ± ${wording.decimal(second.spread)}`;
  const name = wording.say(second.answeredAt === null ? "t5Silent" : "t5") + spread;
  const rows = second.pFactual === null ? [] : [{ name, value: second.pFactual, kind: "score" }];
  const standing = standingOf(second);
  return [
    make("p", "", wording.say("secondOpinion"), " ", badge(standing, wording.say(standing)), " ", agrees),
    ...(rows.length ? [asList(rows, wording)] : []),
    ...wordingNote(second, wording),
  ];
}

/** That the T5's answer depends on the wording of its question; nothing if it does not. */
export function wordingNote({ risks }: SentenceReport, wording: Wording): HTMLElement[] {
  return risks.includes("wording") ? [make("p", "hint", wording.say("dependsOnWording"))] : [];
}
