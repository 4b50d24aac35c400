"""Statements with wrong words whose place is known, each with a passage that tells.

    python swaps.py DATA WORK     writes WORK/swaps-train.jsonl and WORK/swaps-held.jsonl

A row is {title, premise, hypothesis, marks: [[start, end], ..], kind}: `marks` are the wrong words, in characters of
the hypothesis. Rows of a page, or of a group of FACTOR and WikiFactCheck, are all in one of the two files.
"""

import json
import random
import re
import sys
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

import altered
from data import CONTRADICTION, NAME, falsify, part, rows, sentences, vary
from passages import ARTICLES, articles, chunks, is_sound, names_by_place

MOST = {
    "swap": 9000,
    "date": 1500,
    "number": 1500,
    "unit": 500,
    "other unit": 1200,
    "turned": 1500,
    "who": 1800,
    "negation": 1500,
    "factor": 2500,
    "wikifactcheck": 2500,
}
HELD = 8  # one page in so many is kept apart
WORD = re.compile(r"\w+(?:[.,'’-]\w+)*")
WIDEST = 0.45  # the largest share of a statement that can be wrong words: beyond it, it is another statement


def differing(true, false, title=""):
    """The words of `false` that are not in their place in `true`, as [start, end] with neighbours joined; None if
    there are none or too many. A denial that was taken out is marked at the word before it."""
    ours = list(WORD.finditer(false))
    words = [m.group().lower() for m in ours]
    named, wrong = set(title.lower().split()), set()
    match = SequenceMatcher(None, [w.lower() for w in WORD.findall(true)], words, autojunk=False)
    for what, _, _, start, end in match.get_opcodes():
        if what in ("replace", "insert"):
            wrong |= {i for i in range(start, end) if words[i] not in named}
    if not wrong:
        denial = [
            start
            for what, i, j, start, _ in match.get_opcodes()
            if what == "delete" and {"not", "never", "no", "without"} & {w.lower() for w in WORD.findall(true)[i:j]}
        ]
        wrong = {start - 1 for start in denial if start > 0}
    wrong -= {i for i in wrong if words[i] in ("the", "a", "an") and i - 1 not in wrong}
    if not wrong or len(wrong) > WIDEST * len(words):
        return None
    marks = []
    for i in sorted(wrong):
        if marks and i - 1 in wrong and false[marks[-1][1] : ours[i].start()].strip(" -") == "":
            marks[-1][1] = ours[i].end()
        else:
            marks.append([ours[i].start(), ours[i].end()])
    return marks


def closest(premise, hypothesis):
    """The premise's sentence that shares most words with the hypothesis."""
    mine = set(WORD.findall(hypothesis.lower()))
    return max(sentences(premise), key=lambda s: len(mine & set(WORD.findall(s.lower()))), default="")


def swaps(data, rng):
    """Sentences of articles with one name, number or word exchanged, beside the passage that they are from."""
    by_place = names_by_place(articles(data, "squad1_wikipedia"))
    for name in ARTICLES:
        for title, paragraphs in articles(data, name):
            passages = [c for p in paragraphs for c in chunks(p)]
            names = {"page": [n for c in passages[:60] for s in c for n in NAME.findall(s)], "all": by_place}
            sound = [(c, s) for c in passages for s in c if is_sound(s)]
            for passage, sentence in rng.sample(sound, min(len(sound), ARTICLES[name])):
                subject = "" if name == "openstax_textbooks" else title
                true = vary(sentence, subject, rng)
                false = falsify(true, names, rng)
                if not false or false[2] in sentence and not false[2].endswith(" not"):
                    continue
                yield row(title, " ".join(passage), false[0], [exchanged(true, *false)], "swap")


def exchanged(true, text, old, new):
    """Where `new` stands in `text`, which is `true` with `new` in place of `old`; of a denial only its "not"."""
    start = next(i for i in range(len(text)) if true[:i] + new + true[i + len(old) :] == text)
    wrong = new.removeprefix(old + " ") if new.endswith(" not") else new
    return [start + len(new) - len(wrong), start + len(new)]


def row(title, premise, hypothesis, marks, kind):
    return {"title": title, "premise": premise, "hypothesis": hypothesis, "marks": marks, "kind": kind}


def diffed(pairs, kind=None):
    """Rows of contradictions whose wrong words are found by a comparison with the premise."""
    for p in pairs:
        premise = p.get("evidence") or p["premise"]
        marks = differing(closest(premise, p["hypothesis"]), p["hypothesis"], p.get("title", ""))
        if marks:
            made = row(p.get("title", ""), premise, p["hypothesis"], marks, kind or p["source"])
            yield made | {"group": p["group"]} if "group" in p else made


def main(data, work):
    rng = random.Random(0)
    false = [p for p in altered.make(data, rng) if p["label"] == CONTRADICTION and p["source"] in MOST]
    made = list(swaps(data, rng)) + list(diffed(false))
    for kind in ("factor_contradictions", "wikifactcheck_pairs"):
        made += diffed(rows(data / f"nli/{kind}.jsonl"), kind.split("_")[0])
    rng.shuffle(made)
    count, kept = Counter(), {"train": [], "held": []}
    for one in made:
        split = "train" if part(one.pop("group", None) or one["title"] or one["premise"], HELD) else "held"
        count[split, one["kind"]] += 1
        if count[split, one["kind"]] <= MOST[one["kind"]] // (1 if split == "train" else HELD):
            kept[split].append(one)
    for split, some in kept.items():
        with open(work / f"swaps-{split}.jsonl", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(one) + "\n" for one in some)
        print(split, len(some), dict(Counter(one["kind"] for one in some)))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
