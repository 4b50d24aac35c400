"""Compares ways to weigh retrieved passages, which crate/verify/src/verdict.rs has fixed: (1 - neutral)^k times (BM25 beside the best)^g.

    python weigh.py PACK DATA WORK EVIDENT      EVIDENT is the built command line; WORK has calibration.jsonl

The claims are FEVER's held-in ones of calibration.jsonl and 300 of FM2's training pages, on which the models were trained. Their evidence is retrieved from an index of all of
DATA/corpus. Prints the area under the ROC curve of the mean of e / (e + c) so weighed, k = inf being the most decisive passage alone.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from base import load
from data import ENTAILMENT, NEUTRAL, fm2

SETTINGS = {"maxFacts": 0, "maxTokens": 64, "claimsOnly": False, "decontextualise": False}  # the verifier is not asked for here


def claims(data, work):
    """{set: [(statement, label)]}"""
    fever = [(p["hypothesis"], int(p["label"] == ENTAILMENT)) for p in load(work, "calibration")
             if p["source"] == "fever_dev" and p["label"] != NEUTRAL]
    page = [(r["text"], int(r["label"] == "SUPPORTS")) for r in fm2(data, False)]
    return {"FEVER": fever[:200], "FM2": random.Random(5).sample(page, 300)}


def judge(evident, pack, index, work, statements):
    """For each statement the passages' [entailment, neutral, contradiction, BM25], best first."""
    asked = work / "weigh.jsonl"
    asked.write_text("".join(json.dumps({"answer": s}) + "\n" for s in statements))
    command = [evident, "verify", "--index", index, "--pack", pack, "--settings", json.dumps(SETTINGS), "--jsonl", asked]
    reports = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    return [np.array([[*map(e["nli"].get, ("entailment", "neutral", "contradiction")), e["bm25"]] for e in s["evidence"]])
            for s in (json.loads(line)["sentences"][0] for line in reports)]


def support(passages, k, g):
    e, n, c, bm25 = passages.T
    weights = (1 - n) ** (k or 1) * (bm25 / bm25.max()) ** g
    if k is None:
        weights = weights == weights.max()
    return (weights * e / (e + c)).sum() / weights.sum()


def main(pack, data, work, evident):
    index = work / "index"
    subprocess.run([evident, "index", "build", data / "corpus/passages.jsonl", "--out", index], check=True, stdout=subprocess.DEVNULL)
    sets = {}
    for name, pairs in claims(data, work).items():
        judged = judge(evident, pack, index, work, [s for s, _ in pairs])
        sets[name] = [(p, y) for p, (_, y) in zip(judged, pairs) if len(p)]
    print("| k | g |", " | ".join(f"{name} ({len(rows)})" for name, rows in sets.items()), "|")
    for k in (None, 4, 16, 32):
        for g in (0, 1, 4, 8):
            areas = (100 * roc_auc_score([y for _, y in rows], [support(p, k, g) for p, _ in rows]) for rows in sets.values())
            print(f"| {k or 'inf'} | {g} |", " | ".join(f"{area:.1f}" for area in areas), "|", flush=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:5]))
