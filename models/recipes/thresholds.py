"""Fits a pack's thresholds on claims with retrieved passages, judged by the native engine.

    python thresholds.py DATA WORK PACK EVIDENT [MODEL]

DATA is the folder of data sets, WORK holds calibration.jsonl of mix.py, EVIDENT is the program. MODEL is the pack's NLI model,
"nli" or "small". Prints the thresholds and what they come to, and puts them into
WORK/calibration.json or WORK/calibration-small.json where calibrate.py has written that, and into WORK/measured.json.

The claims are of FEVER, FM2 and CREAK, one a page, and none was trained on. Passages come from an index of everything in
DATA/corpus and the introductions in DATA/paragraphs, with the evidence of the claims among it. All claims fit the
thresholds. What these come to is reported by cross-fitting: each fifth of the claims, by a hash, is judged by the
thresholds that the other four fifths give.

Of all thresholds the lowest is taken from which, with 95 percent confidence (Clopper and Pearson), at most 5 percent of false
claims are called factual, and the highest below which at most 5 percent of true claims are called unfactual.
"""

import gzip
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from scipy.stats import beta

from data import CONTRADICTION, ENTAILMENT, fm2, part, rows

MOST = {"fever": 1000}
FOLDS = 5
WRONG = 0.05  # the share of claims that may get the wrong verdict
CONFIDENCE = 0.95  # with which it may not be more
ON = "claims of FEVER, FM2 and CREAK, one a page, not trained on, with retrieved passages; each fifth judged by the thresholds of the rest"


def claims(data, work):
    """{statement, label, set, fold} of each claim, and the passages that are its evidence."""
    found, passages, pages = [], [], set()

    def add(name, page, claim, label, evidence):
        if page in pages or len([c for c in found if c["set"] == name]) >= MOST.get(name, 10**9):
            return
        pages.add(page)
        found.append({"statement": claim, "label": label, "set": name, "fold": part("fit " + page, FOLDS)})
        passages.extend({"title": title, "text": text} for title, text in evidence)

    held = [p for p in rows(work / "calibration.jsonl") if p["label"] in (ENTAILMENT, CONTRADICTION)]
    for p in held:
        true = p["label"] == ENTAILMENT
        if p["source"] in ("fever_dev", "fever_train"):
            others = [(p["title"], " ".join(p["others"]))] if p["others"] else []
            add("fever", p["evidence"], p["hypothesis"], true, [(p["title"], p["evidence"]), *others])
        elif p["source"] == "creak_explanations":
            add("creak", p["hypothesis"], p["hypothesis"], true, [])
    for row in fm2(data, True):
        page = row["wikipedia_page"]
        text = " ".join(e["text"] for e in row["gold_evidence"])
        add("fm2", page, row["text"], row["label"] == "SUPPORTS", [(page, text)])
    return found, passages


def corpus(data):
    """The passages of the index: {title, text} each."""
    for passage in rows(data / "corpus/passages.jsonl"):
        yield {"title": passage.get("title") or "", "text": passage["text"]}
    with gzip.open(data / "paragraphs/mind_wiki_intros.jsonl.gz", "rt", encoding="utf-8") as file:
        for article in map(json.loads, file):
            for text in article["paragraphs"]:
                yield {"title": article["title"], "text": text}


def judged(data, work, pack, evident, model):
    """The claims with what the engine says of each: score, whether it gave thought to it, and its verdict."""
    folder = work / "thresholds"
    folder.mkdir(exist_ok=True)
    found, passages = claims(data, work)
    if not (folder / "index").exists():
        with open(folder / "passages.jsonl", "w", encoding="utf-8") as file:
            for number, passage in enumerate([*corpus(data), *passages]):
                file.write(json.dumps({"id": str(number), **passage}) + "\n")
        subprocess.run([evident, "index", "build", folder / "passages.jsonl", "--out", folder / "index"], check=True)
    asked = folder / "claims.jsonl"
    asked.write_text("".join(json.dumps({"statement": c["statement"]}) + "\n" for c in found), encoding="utf-8")
    command = [evident, "verify", "--index", folder / "index", "--pack", pack, "--jsonl", asked]
    settings = ["--settings", '{"claimsOnly": false, "unit": "paragraph"}']
    said = subprocess.run([*command, *settings], check=True, capture_output=True, text=True, env={**os.environ, "EVIDENT_MODEL": model})
    (folder / f"reports-{model}.jsonl").write_text(said.stdout, encoding="utf-8")
    for claim, report in zip(found, map(json.loads, said.stdout.splitlines())):
        claim["sentence"] = report["sentences"][0]
    return found


def decisiveness(sentence):
    return max((1 - e["nli"]["neutral"] for e in sentence["evidence"] if e["nli"]), default=0.0)


def bound(wrong, count):
    """The most that the share may be in the long run."""
    return beta.ppf(CONFIDENCE, wrong + 1, count - wrong) if wrong < count else 1.0


def verdict(claim, thresholds):
    sentence = claim["sentence"]
    if sentence["verdict"] == "mixed" or decisiveness(sentence) < thresholds["threshold_evidence"]:
        return None
    if sentence["score"] >= thresholds["threshold_factual"]:
        return True
    return False if sentence["score"] < thresholds["threshold_unfactual"] else None


def fitted(some, evidence):
    """The thresholds for these claims."""
    def wrong(label, thresholds):
        those = [c for c in some if c["label"] == label]
        return bound(sum(verdict(c, thresholds) == (not label) for c in those), len(those))

    grid = [i / 100 for i in range(2, 100)]
    base = {"threshold_evidence": evidence, "threshold_factual": 2.0, "threshold_unfactual": -1.0}
    factual = [t for t in grid if t >= 0.5 and wrong(False, {**base, "threshold_factual": t}) <= WRONG]
    unfactual = [t for t in grid if t <= 0.5 and wrong(True, {**base, "threshold_unfactual": t}) <= WRONG]
    return {**base, "threshold_factual": min(factual, default=0.99), "threshold_unfactual": max(unfactual, default=0.01)}


def shares(some):
    """Of true and of false claims: how many are called factual, unfactual, neither, in percent."""
    lines = []
    for label in (True, False):
        called = [c["called"] for c in some if c["label"] == label]
        count = max(1, len(called))
        right, wrong = called.count(label), called.count(not label)
        lines.append(f"{len(called)} {'true' if label else 'false'}: {100 * right / count:.1f} right, {100 * wrong / count:.1f} wrong "
                     f"(at most {100 * bound(wrong, count):.1f})")
    return "; ".join(lines)


def measured(some):
    """What a pack.json states of the verdicts on these claims."""
    def counts(label):
        called = [c["called"] for c in some if c["label"] == label]
        return {"claims": len(called), "factual": called.count(True), "unfactual": called.count(False)}

    return {"on": ON, "true": counts(True), "false": counts(False)}


def main(data, work, pack, evident, model="nli"):
    found = judged(data, work, pack, evident, model)
    evidence = json.loads((pack / "pack.json").read_text())["calibration"]["threshold_evidence"]
    thresholds = fitted(found, evidence)
    print(json.dumps(thresholds))
    fitted_before = work / ("calibration.json" if model == "nli" else f"calibration-{model}.json")
    if fitted_before.exists():
        fitted_before.write_text(json.dumps(json.loads(fitted_before.read_text()) | thresholds, indent=2) + "\n")
    for fold in range(FOLDS):
        others = fitted([c for c in found if c["fold"] != fold], evidence)
        for claim in found:
            if claim["fold"] == fold:
                claim["called"] = verdict(claim, others)
    by_set = defaultdict(list)
    for claim in found:
        by_set[claim["set"]].append(claim)
    print("all", shares(found))
    path = work / "measured.json"
    before = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps(before | {model: measured(found)}, indent=2) + "\n")
    for name, some in by_set.items():
        print(name, shares(some))


if __name__ == "__main__":
    main(*(Path(arg) for arg in sys.argv[1:5]), *sys.argv[5:])
