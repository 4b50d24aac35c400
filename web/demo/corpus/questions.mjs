import { readdirSync, readFileSync } from "node:fs";

/** How many sample questions a subject has. */
const EACH = 12;

/** The subjects of the articles: a name, the number of articles and sample questions, as questions.md and articles/ say. */
export function subjects() {
  const folder = new URL("articles/", import.meta.url);
  const articlesOf = (lot) => readFileSync(new URL(`${lot}.md`, folder), "utf8").match(/^# /gm).length;
  const text = readFileSync(new URL("questions.md", import.meta.url), "utf8");
  const [, ...blocks] = text.split(/^## /m);
  const named = blocks.map((block) => {
    const [head, ...lines] = block.trim().split("\n");
    const [lot, name] = head.split(": ");
    const questions = lines.filter(Boolean).map((line) => line.replace(/^- /, ""));
    const isWrong = (question) => !question.endsWith("?") || question.length > 80;
    if (!name || questions.length !== EACH || questions.some(isWrong))
      throw new Error(
        `questions.md: ${lot} wants a name and ${EACH} questions, each of at most 80 characters and with a "?"`,
      );
    return { lot, name, articles: articlesOf(lot), questions };
  });
  const lots = readdirSync(folder).map((file) => file.replace(/\.md$/, ""));
  const missing = lots.filter((lot) => !named.some((subject) => subject.lot === lot));
  if (missing.length) throw new Error(`questions.md has nothing on ${missing.join(", ")}`);
  return named.map(({ lot: _, ...subject }) => subject);
}
