"""Writes the labelled statements by which `evident calibrate` fits the pack.

    python claims.py DATA WORK     reads WORK/calibration.jsonl of mix.py

WORK/pairs.jsonl are statements with their evidence, for temperatures and bias. WORK/claims.jsonl are claims for the
thresholds, whose evidence is to be retrieved from an index of WORK/passages.jsonl (train.sh). One half are claims of
FEVER, FM2 and CREAK, one a page, the other half those of claims/fit.jsonl, which are nearer to what chatbots say. The
passages are what has a title in DATA/corpus, the introductions in DATA/paragraphs, the evidence of the claims, and the
articles of DATA/simplewiki. None of the claims was trained on. FEVER's evidence comes without the title of its page,
which nearly all claims name (97.5 % of FEVER's development claims): the first name in the claim takes its place.
"""

import gzip
import json
import lzma
import random
import re
import sys
from pathlib import Path

from base import load_classed
from data import CONTRADICTION, ENTAILMENT, NEUTRAL, fm2, part, passage, rows
from retrieved import statement

LABELS = {ENTAILMENT: "factual", NEUTRAL: "no evidence", CONTRADICTION: "unfactual"}
# Statements that people wrote. Each of the sets counts the same, so that the largest does not decide.
SETS = {
    "fever": ("fever_dev", "fever_train", "fever_train_nei_autopaired"),
    "fm2": ("fm2",),
    "wice": ("wice_dev",),
    "creak": ("creak_explanations",),
}
PAIRS = 600  # of a set
MOST = {"fever": 500}  # claims of a set and label
# Claims of FEVER whose own evidence says the opposite of their label, by part(claim, 1 << 32): found by eye among the
# sixty claims on which label and NLI model differed most.
MISLABELLED = {
    238657620, 277592340, 391046740, 408708300, 427868920, 550243380, 635857760, 1283956160,
    1478330280, 1950506667, 1968984280, 2595782820, 3345240940, 3511890960, 3752276360, 3887252300,
}  # fmt: skip
SMALL = "(?:of|the|and|in|on|for|to|at|from|with|de|la|von|van|du|der|&)"
NAME = re.compile(rf"[A-Z0-9][^\s,]*(?:\s(?:{SMALL}\s){{0,2}}[A-Z0-9][^\s,]*)*")
NOT_NAME = re.compile(r"^(?:(?:The|An?|No|There|In \d+,?)(?: |$))+|'s?$")


def pairs(work):
    """Statements with a passage each."""
    rng, known = random.Random(0), load_classed(work, "calibration")
    for name, sources in SETS.items():
        for p in [p for p in known if p["source"] in sources][:PAIRS]:
            evidence = [{"title": "", "text": passage(p, rng)}]
            yield {"statement": p["hypothesis"], "label": LABELS[p["label"]], "set": name, "evidence": evidence}


def subject(claim):
    """The first name in a claim; "" if there is none."""
    names = (NOT_NAME.sub("", found[0]) for found in NAME.finditer(claim.rstrip(".")))
    return next(filter(None, names), "")


def claims(data, work):
    """{statement, label, set} of each claim, and the passages that are its evidence."""
    found, passages, pages = [], [], set()

    def add(name, page, claim, label, evidence):
        like = [c for c in found if (c["set"], c["label"]) == (name, label)]
        if part(claim, 1 << 32) in MISLABELLED or page in pages or len(like) >= MOST.get(name, 10**9):
            return
        pages.add(page)
        found.append({"statement": claim, "label": label, "set": name})
        passages.extend({"title": title, "text": text} for title, text in evidence)

    held = [p for p in rows(work / "calibration.jsonl") if p["label"] in (ENTAILMENT, CONTRADICTION)]
    for p in held:
        true = p["label"] == ENTAILMENT
        if p["source"] in ("fever_dev", "fever_train"):
            if title := subject(p["hypothesis"]):
                # Sentences of other pages, which do not name the subject, must not bear its title.
                named = [text for text in p["others"] if title.split()[-1] in text]
                texts = [p["evidence"], " ".join(named)]
                add("fever", title, p["hypothesis"], true, [(title, text) for text in texts if text])
        elif p["source"] == "creak_explanations":
            add("creak", p["hypothesis"], p["hypothesis"], true, [])
    for row in fm2(data, True):
        page = row["wikipedia_page"]
        text = " ".join(e["text"] for e in row["gold_evidence"])
        add("fm2", page, row["text"], row["label"] == "SUPPORTS", [(page, text)])
    return found, passages


def written():
    """The claims by hand that an article settles, as statements."""
    rng = random.Random(0)
    for claim in rows(Path(__file__).with_name("claims") / "fit.jsonl"):
        if claim["label"] != "silent":
            label = "factual" if claim["label"] == "true" else "unfactual"
            yield {"statement": statement(claim, rng), "label": label, "set": "written"}


def in_no_order(claims):
    """The claims in an order that says nothing: every fifth is judged by thresholds that the others give."""
    return sorted(claims, key=lambda claim: part("fit " + claim["statement"], 1 << 30))


def corpus(data):
    """What the index has beside the evidence of the claims: {title, text} each."""
    for row in rows(data / "corpus/passages.jsonl"):
        if row.get("title"):
            yield {"title": row["title"], "text": row["text"]}
    with gzip.open(data / "paragraphs/mind_wiki_intros.jsonl.gz", "rt", encoding="utf-8") as file:
        for article in map(json.loads, file):
            for text in article["paragraphs"]:
                yield {"title": article["title"], "text": text}
    with lzma.open(data / "simplewiki/articles.jsonl.xz", "rt", encoding="utf-8") as file:
        for article in map(json.loads, file):
            yield {"title": article["title"], "text": article["text"]}


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def main(data, work):
    write(work / "pairs.jsonl", pairs(work))
    found, passages = claims(data, work)
    by_hand = in_no_order(written())[: len(found)]
    write(work / "claims.jsonl", in_no_order(found + by_hand))
    everything = enumerate([*corpus(data), *passages])
    write(work / "passages.jsonl", ({"id": str(number), **passage} for number, passage in everything))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
