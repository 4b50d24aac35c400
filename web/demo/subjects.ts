/** What the demo's index knows: its subjects, each with questions that a reader may put to a chatbot. */

import { byId, make } from "../package/src/ui/dom.js";
import { count } from "./format.js";

interface Subject {
  name: string;
  articles: number;
  questions: string[];
}

const details = byId("subjects", HTMLDetailsElement);
const list = byId("subject-list", HTMLUListElement);

/** Lists the subjects once the reader opens the list; `onQuestion` gets the question that the reader chooses. */
export function offerSubjects(onQuestion: (question: string) => void): void {
  details.addEventListener("toggle", () => {
    if (details.open && !list.hasChildNodes()) void show(onQuestion);
  });
}

/** Shows or hides the list: it tells of the demo's index alone. */
export function showSubjects(isShown: boolean): void {
  details.hidden = !isShown;
}

async function show(onQuestion: (question: string) => void): Promise<void> {
  try {
    const response = await fetch("subjects.json");
    if (!response.ok) throw new Error(`${response.status}`);
    const subjects = (await response.json()) as Subject[];
    list.replaceChildren(...subjects.map((subject) => row(subject, onQuestion)));
  } catch {
    list.replaceChildren(make("li", "hint", "The list could not be fetched. Close and open it to try again."));
    details.addEventListener("toggle", () => list.replaceChildren(), { once: true });
  }
}

function row({ name, articles, questions }: Subject, onQuestion: (question: string) => void): HTMLElement {
  const buttons = questions.map((question) => {
    const button = make("button", "link", question);
    button.type = "button";
    button.addEventListener("click", () => onQuestion(question));
    return make("li", "", button);
  });
  const head = make("summary", "", name, " ", make("span", "hint", count(articles, "article")));
  return make("li", "", make("details", "", head, make("ul", "questions", ...buttons)));
}
