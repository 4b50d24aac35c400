/** How a line, its evidence, its sides and the keys are shown. */

import { make } from "../../package/src/ui/dom.js";
import { excerptOf, lineOf } from "../../package/src/ui/excerpt.js";
import { isRow, type Line, type Passage } from "./lines.js";
import { type Side, TASKS, type TaskName, type Value } from "./tasks.js";

/** What is to be judged, with what belongs to it: a sentence is marked after what precedes it. */
export function textOf(line: Line): HTMLElement[] {
  const quote = isRow(line)
    ? make("blockquote", "", line.context, line.context ? " " : "", make("mark", "", line.statement))
    : make("blockquote", "", line.knowledge);
  quote.dir = "auto";
  return [
    ...named("Topic", line.topic),
    ...named("Question", line.question),
    quote,
    ...named("Final answer", line.answer),
    ...named("Right answer", line.reference),
  ];
}

function named(name: string, text: unknown): HTMLElement[] {
  if (typeof text !== "string" || !text) return [];
  const words = make("bdi", "", text);
  words.dir = "auto";
  return [make("p", "", make("span", "hint", name), " ", words)];
}

/** A passage that opens. */
export function passageOf({ title, text }: Passage, index: number): HTMLElement {
  const words = make("p", "passage", excerptOf({ text, sentence: null }).after);
  words.dir = "auto";
  const heading = make("summary", "", make("bdi", "title", lineOf(title) || `Passage ${index + 1}`));
  const details = make("details", "", heading, make("div", "body", words));
  details.open = index === 0;
  return make("li", "", details);
}

/** A side with a button for each value. */
export function sideOf(side: Side, onChoose: (value: Value) => void): HTMLFieldSetElement {
  const buttons = side.values.map((value) => {
    const words = make("span", "", make("strong", "", value.word), " ", make("span", "meaning", value.meaning));
    const button = make("button", "choosing", make("kbd", "", value.key), " ", words);
    button.type = "button";
    button.value = value.name;
    button.setAttribute("aria-keyshortcuts", value.key);
    button.addEventListener("click", () => onChoose(value));
    return button;
  });
  return make("fieldset", "side", make("legend", "", side.title), make("div", "values", ...buttons));
}

/** Every key of a task, and what it does. */
export function keysOf(task: TaskName): HTMLElement[] {
  const values = TASKS[task].sides[0]?.values ?? [];
  const keys: [keys: string[], does: string][] =
    task === "facts"
      ? [...values.map(({ key, word }): [string[], string] => [[key], word]), [["E"], "Write down evidence"]]
      : [
          [values.map(({ key }) => key), "Rate the marked side"],
          [["↑", "↓"], "Mark another side"],
        ];
  keys.push(
    [["←", "→"], "Back and forth"],
    [["O"], "Skip to an open one"],
    [["Z"], "Undo"],
    [["C"], "Comment"],
    [["Esc"], "Leave a field"],
  );
  return keys.map(([names, does]) =>
    make("div", "", make("dt", "", ...names.map((name) => make("kbd", "", name))), make("dd", "", does)),
  );
}

/** What to do, in its order. */
export function stepsOf(task: TaskName): HTMLElement[] {
  return STEPS[task].map(([strong, rest]) => make("li", "", make("strong", "", strong), ` ${rest}`));
}

const STEPS: Record<TaskName, [strong: string, rest: string][]> = {
  facts: [
    ["Read", "the marked sentence after what precedes it."],
    ["Leave it out", "if it is subjective or hard to understand. A set should lack what any one person leaves out."],
    ["Look for evidence.", "The workers of Guan et al. (2024) were to take Wikipedia alone for reliable."],
    ["Decide", "by what you found, and write down the passages that decide."],
  ],
  ratings: [
    ["Read", "the question and the whole answer."],
    ["Look for evidence", "of each sentence. Chen et al. (2023) read the first page of Wikipedia that a search gives."],
    ["Rate", "one side at a time, whatever the others have: 2 is excellent, 1 acceptable, 0 unacceptable."],
  ],
};
