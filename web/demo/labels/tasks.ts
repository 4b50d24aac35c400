/** What people are asked, and by which keys they answer. */

/** One thing that can be said from one side. */
export interface Value {
  key: string;
  /** As files have it. */
  name: string;
  word: string;
  meaning: string;
}

/** What is asked, of which one value is right. */
export interface Side {
  /** As files have it. */
  name: string;
  title: string;
  values: Value[];
}

/** What is asked of each line. */
export interface Task {
  sides: Side[];
}

/** The value that takes a sentence out of a set: such a one is not clearly factual or not (guan2024, Sec. 3). */
export type Unclear = "subjective" | "hard to understand";

export const isUnclear = (value: string): value is Unclear => value === "subjective" || value === "hard to understand";

/** Whether a sentence is factual: the labels of guan2024, Fig. 1. The last three are reasons not to be sure. */
const FACTS: Task = {
  sides: [
    {
      name: "label",
      title: "Is the sentence factual?",
      values: [
        { key: "F", name: "factual", word: "Factual", meaning: "What it says is so." },
        { key: "U", name: "unfactual", word: "Unfactual", meaning: "Something in it is not so: facts contradict it." },
        {
          key: "S",
          name: "subjective",
          word: "Not sure: subjective",
          meaning: "It tells a feeling, a taste or somebody's own experience.",
        },
        {
          key: "N",
          name: "no evidence",
          word: "Not sure: no evidence found",
          meaning: "It can be checked, but you found nothing for it and nothing against it.",
        },
        {
          key: "H",
          name: "hard to understand",
          word: "Not sure: hard to understand",
          meaning: "Its grammar or its wording hides what it says.",
        },
      ],
    },
  ],
};

/** A side of knowledge, with what 2, 1 and 0 mean. */
function scale(name: string, title: string, two: string, one: string, zero: string): Side {
  const value = (key: string, word: string, meaning: string) => ({ key, name: key, word, meaning });
  return {
    name,
    title,
    values: [value("2", "Excellent", two), value("1", "Acceptable", one), value("0", "Unacceptable", zero)],
  };
}

/** How good an answer is as knowledge: the sides and values of chen2023, App. J.1 and Tab. 17. */
const RATINGS: Task = {
  sides: [
    scale(
      "factuality",
      "Factuality",
      "Every sentence is right, and reliable evidence shows it.",
      "No sentence is wrong, but for one at least there is no evidence.",
      "One sentence at least has an error: reliable knowledge contradicts it.",
    ),
    scale(
      "relevance",
      "Relevance",
      "It fits the topic and the question closely.",
      "It fits the topic, but the question less.",
      "It fits neither topic nor question.",
    ),
    scale(
      "coherence",
      "Coherence",
      "It is fluent and hangs together. An end that was cut off does not count.",
      "It has small faults, such as something said twice, but is understood all the same.",
      "It hangs together so badly that it is hard to understand.",
    ),
    scale(
      "informative",
      "Informativeness",
      "It tells you something that you did not know.",
      "It tells little beyond what you know, or trivial things.",
      "It tells nothing of any use.",
    ),
    scale(
      "helpfulness",
      "Helpfulness",
      "The right answer to the question stands in it.",
      "It helps to find the right answer by a detour.",
      "Nothing in it is of use for the right answer.",
    ),
    scale(
      "validity",
      "Validity",
      "The final answer is right.",
      "Whether the final answer is right cannot be told.",
      "The final answer is wrong from end to end.",
    ),
  ],
};

export const TASKS = { facts: FACTS, ratings: RATINGS };

export type TaskName = keyof typeof TASKS;
