"""Pairs from the claims by hand, each beside what the product's retrieval finds for it, with as many older pairs.

    python retrieved.py DATA WORK EVIDENT     reads claims/train.jsonl and WORK/train.jsonl, writes
                                              WORK/claims/train.jsonl

EVIDENT is the command line, which searches WORK/simplewiki, an index of the articles of DATA/simplewiki (`evident index
build articles.jsonl --cut --out WORK/simplewiki`). A passage that has all words that settle a claim has its label. If they stand in two passages, these are one premise. Of the other
passages found one is taken of those with most words of the claim, for a silent claim two. They are neutral, unless the
model that learns takes one to settle the claim: another passage may repeat the fact.
"""

import json
import lzma
import random
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from answers import said
from data import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    NEUTRAL_OR_CONTRADICTION,
    NEUTRAL_OR_ENTAILMENT,
    pair,
    rows,
)
from passages import stems

FOUND = 10  # passages of a claim
LABELS = {"true": ENTAILMENT, "false": CONTRADICTION, "silent": NEUTRAL}
BESIDE = {"true": NEUTRAL_OR_ENTAILMENT, "false": NEUTRAL_OR_CONTRADICTION, "silent": NEUTRAL}
OLDER = 1.4  # older pairs for each of a claim: with fewer the model forgets them
MARKUP = re.compile(r"\*\*|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")


def plain(text):
    """The letters and digits of a text, in lower case, parted by single spaces and between two."""
    return " ".join(["", *re.findall(r"[^\W_]+", text.lower()), ""])


def statement(claim, rng):
    """A claim as the judge reads it: without its marks, a short answer with its question."""
    text = MARKUP.sub("", claim["claim"])
    return said(claim["question"], text, rng) if claim["style"] == "short" else text


def found(evident, index, query):
    """The best passages for a query: {id, title, text} each."""
    command = [evident, "index", "search", "--index", index, "-k", str(FOUND), "--json", "--", query]
    hits = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)["hits"]
    return [hit["passage"] for hit in hits]


def quotes(claim, articles):
    """The stretches of the article's text that settle a claim."""
    words = articles[claim["article"]]["text"].split()
    return [plain(" ".join(words[first:last])) for first, last in claim["words"]]


def settling(passages, wanted):
    """Of the passages of an article those that have what settles a claim: the fewest, at most two, or none."""
    has = {number: [quote in text for quote in wanted] for number, text in enumerate(passages)}
    for number, each in has.items():
        if all(each):
            return [number]
    for first, ours in has.items():
        for second, others in has.items():
            if first < second and all(a or b for a, b in zip(ours, others)):
                return [first, second]
    return []


def pairs(claims, articles, hits, rng):
    """The pairs of each claim."""
    for claim, passages in zip(claims, hits):
        title, text = articles[claim["article"]]["title"], statement(claim, rng)
        own = [p for p in passages if p["title"] == title]
        wanted = quotes(claim, articles)
        holds = [any(quote in plain(p["text"]) for quote in wanted) for p in passages]
        read = [own[n] for n in settling([plain(p["text"]) for p in own], wanted)]
        label = LABELS[claim["label"]]
        if read:
            evidence = " ".join(p["text"] for p in read)
            yield pair(title, evidence, [], text, label, "claim" if label != NEUTRAL else "silent claim")
        words = stems(text)
        near = [p for p, has in zip(passages, holds) if not has]
        near.sort(key=lambda p: -len(words & stems(p["title"] + " " + p["text"])))
        for p in rng.sample(near[:4], min(len(near), 2 if label == NEUTRAL else 1)):
            yield pair(p["title"], p["text"], [], text, BESIDE[claim["label"]], "beside claim")


def main(data, work, evident):
    rng = random.Random(0)
    claims = rows(Path(__file__).with_name("claims") / "train.jsonl")
    with lzma.open(data / "simplewiki/articles.jsonl.xz", "rt", encoding="utf-8") as file:
        articles = {article["id"]: article for article in map(json.loads, file)}
    index = work / "simplewiki"
    queries = [" ".join([claim.get("question", ""), MARKUP.sub("", claim["claim"])]).strip() for claim in claims]
    with ThreadPoolExecutor(2) as pool:
        hits = list(pool.map(lambda query: found(evident, index, query), queries))
    made = list(pairs(claims, articles, hits, rng))
    print(len(made), Counter((p["source"], p["label"]) for p in made))
    older = rows(work / "train.jsonl")
    made += rng.sample(older, min(len(older), int(OLDER * len(made))))
    (work / "claims").mkdir(exist_ok=True)
    with open(work / "claims/train.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(p) + "\n" for p in made)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
