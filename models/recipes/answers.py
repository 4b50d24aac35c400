"""Pairs on short answers to questions: "Who painted it? Leonardo." or, where a rule can, a statement.

Questions are SQuAD's, QED's, BoolQ's, CondaQA's and StrategyQA's. A wrong answer is another of its kind, from the
same paragraph where there is one. If the evidence is silent, the answer stands in another paragraph.
"""

import gzip
import json
import re
from collections import defaultdict

from data import CONTRADICTION, ENTAILMENT, NAME, NEUTRAL, pair, rows, sentences, tidy
from passages import chunks, content, stems

NUMBER = re.compile(r"(?:about |around |over )?[\d,.]+%?(?: (?:percent|million|billion|thousand))?")
MONTH = re.compile(r"(?:January|February|March|April|May|June|July|August|September|October|November|December)\b")
PROPER = re.compile(r"(?:the )?[A-Z][\w’'.-]*(?: (?:of |the |de |and )?[A-Z][\w’'.-]*){0,3}")
PAST = re.compile(r"\w+(?:ed|ote|nted|rew|ade|on|ook|ung|ave|ame|ept|eld|uilt|ost|ught)\b")
LONGEST_QUESTION = 22  # words


def gzipped(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def kind(answer):
    answer = answer.strip()
    if re.fullmatch(r"1[0-9]{3}|20[0-2][0-9]", answer):
        return "year"
    if NUMBER.fullmatch(answer):
        return "number"
    if MONTH.match(answer):
        return "date"
    if PROPER.fullmatch(answer):
        return f"name of {min(2, len(answer.split()))}"
    return "phrase" if len(answer.split()) < 7 else "long"


def said(question, answer, rng):
    """A question and its answer as a hypothesis."""
    question, answer = question.strip().rstrip("? ").strip(), answer.strip().rstrip(".")
    match = re.match(r"(?i)who ((?:was|is|were|are) )?(.+)$", question)
    if match and rng.random() < 0.5:
        if not match[1] and PAST.match(match[2]):
            return f"{answer} {match[2]}."
        if match[1] and re.match(r"(?:the|a|an) ", match[2]):
            return f"{answer} {match[1]}{match[2]}."
    match = re.match(r"(?i)what (is|was|are|were) ((?:the|a|an) .+)$", question)
    if match and rng.random() < 0.6:
        return f"{match[2][0].upper()}{match[2][1:]} {match[1]} {answer}."
    return f"{question[0].upper()}{question[1:]}? {answer[0].upper()}{answer[1:]}."


def differ(a, b):
    return a.lower() not in b.lower() and b.lower() not in a.lower()


def window(paragraph, answer, rng):
    """One to three sentences about an answer, or the passage that it stands in."""
    whole = next((c for c in chunks(paragraph) if answer in " ".join(c)), None)
    if not whole or rng.random() < 0.45:
        return " ".join(whole or [])
    at = next((i for i, s in enumerate(whole) if answer in s), 0)
    first = max(0, at - rng.choice([0, 0, 1]))
    return " ".join(whole[first : max(at, first + rng.choice([0, 0, 1, 2])) + 1])


def silent(question, answers, paragraphs, own, rng):
    """A passage of another paragraph of the article that has words of the question and neither answers nor denies it,
    or ""."""
    asked = stems(question)
    others = [" ".join(rng.choice(chunks(p))) for i, p in enumerate(paragraphs) if i != own and len(p.split()) > 20]
    near = sorted(others, key=lambda text: -len(asked & stems(text)))[:4]
    for text in rng.sample(near, len(near)):
        most = max(len(asked & stems(s)) for s in sentences(text))
        if most <= 0.4 * len(asked) and not any(a.lower() in text.lower() for a in answers):
            return text
    return ""


def squad(data, rng):
    articles = {
        r["title"]: [tidy(p) for p in r["paragraphs"]] for r in gzipped(data / "paragraphs/squad1_wikipedia.jsonl.gz")
    }
    asked, by_kind = [], defaultdict(list)
    for row in gzipped(data / "qa/squad1.1.jsonl.gz"):
        paragraphs = articles.get(row["title"], [])
        questions = [(q[0], q[1]) for q in row["qas"] if len(q) > 1 and q[0].strip("? ") and q[1].strip(" .")]
        if row["para"] < len(paragraphs) and paragraphs[row["para"]] and questions:
            asked.append((row["title"], paragraphs, row["para"], questions))
        for _, answer in questions:
            by_kind[kind(answer)].append(answer)
    for title, paragraphs, own, questions in asked:
        for question, answer in rng.sample(questions, min(2, len(questions))):
            if kind(answer) == "long" or not 3 < len(question.split()) <= LONGEST_QUESTION:
                continue
            shown = window(paragraphs[own], answer, rng)
            near = [b for _, b in questions if kind(b) == kind(answer) and differ(a=answer, b=b)]
            other = rng.choice(near if near and rng.random() < 0.7 else by_kind[kind(answer)])
            is_wrong = differ(answer, other) and (
                near or kind(answer) != "phrase" and other.lower() not in shown.lower()
            )
            if shown:
                yield pair(title, shown, [], said(question, answer, rng), ENTAILMENT, "answer")
                if is_wrong:
                    yield pair(title, shown, [], said(question, other, rng), CONTRADICTION, "answer")
            if rng.random() < 0.45:
                told = other if is_wrong and rng.random() < 0.5 else answer
                text = silent(question, (answer, told), paragraphs, own, rng)
                if text:
                    yield pair(title, text, [], said(question, told, rng), NEUTRAL, "silent answer")
    for row in rows(data / "qa/squad2_dev_unanswerable.jsonl"):
        paragraphs = articles.get(row["title"], [])
        names = NAME.findall(paragraphs[row["para"]]) if row["para"] < len(paragraphs) else []
        if names and row["question"].strip("? "):
            yield pair(
                row["title"],
                " ".join(rng.choice(chunks(paragraphs[row["para"]]))),
                [],
                said(row["question"], rng.choice(names), rng),
                NEUTRAL,
                "unanswerable",
            )
    for row in gzipped(data / "qa/qed_nq.jsonl.gz"):
        evidence, answer = row["answer_sentence"], (row["answers"] or [""])[0]
        if not evidence or not answer.strip(" .") or not 6 < len(evidence.split()) < 70 or len(answer.split()) > 7:
            continue
        yield pair(row["title"], evidence, [], said(row["question"], answer, rng), ENTAILMENT, "answer")
        if kind(answer) not in ("phrase", "long"):
            other = rng.choice(by_kind[kind(answer)])
            if other not in evidence and differ(answer, other):
                yield pair(row["title"], evidence, [], said(row["question"], other, rng), CONTRADICTION, "answer")


def yes_or_no(data, rng):
    def told(title, evidence, question, is_so, source):
        yes = rng.random() < 0.5
        label = NEUTRAL if is_so is None else ENTAILMENT if yes == is_so else CONTRADICTION
        question = question.rstrip("?")
        return pair(
            title,
            content(evidence),
            [],
            f"{question[0].upper()}{question[1:]}? {'Yes' if yes else 'No'}.",
            label,
            source,
        )

    for row in gzipped(data / "qa/boolq.jsonl.gz"):
        yield told(row["title"], row["passage"], row["question"], row["answer"] in (True, "true"), "boolq")
    for row in gzipped(data / "qa/condaqa.jsonl.gz"):
        for question, answer, *_ in row["qas"]:
            answer = str(answer).lower()
            if answer in ("yes", "no") or answer.startswith("don"):
                yield told("", row["passage"], question, {"yes": True, "no": False}.get(answer), "condaqa")
    for row in rows(data / "qa/strategyqa.jsonl"):
        yield told(row["term"], " ".join(row["facts"]), row["question"], bool(row["answer"]), "strategyqa")


def make(data, rng):
    return [*squad(data, rng), *yes_or_no(data, rng)]
