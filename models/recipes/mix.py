"""Puts the pairs together that the models are trained on.

    python mix.py DATA WORK     writes WORK/train.jsonl and WORK/calibration.jsonl

Held in for calibration: every twentieth hypothesis, by a hash. Sets and rules of which there is plenty are thinned
out: a rule is soon learnt.
"""

import json
import random
import sys
from collections import Counter
from pathlib import Path

import altered
import answers
import data as sets
import passages
import templates
from data import part

QUOTA = {
    "fever_train": 30000,
    "fever_dev": 11000,
    "fever_train_nei_autopaired": 8000,
    "lingnli": 6000,
    "mnli_sample": 3500,
    "cad_nli": 3500,
    "creak_explanations": 3500,
    "snli": 2000,
    "conjnli": 3000,
    "breaking_nli": 500,
    "begin_wow_test": 1600,
    "med": 400,
    "help": 400,
    "wikisplit_entail": 1200,
    "dnc_kg_relations": 700,
    "contrast": 11000,
    "crossed": 3500,
    "facts": 1500,
    "irrelevant": 2500,
    "answer": 16000,
    "silent answer": 6000,
    "unanswerable": 2500,
    "condaqa": 6500,
    "boolq": 4000,
    "strategyqa": 1500,
    "whole": 12000,
    "silent": 10000,
    "unsaid": 3500,
    "joined": 3000,
    "date": 6000,
    "number": 3000,
    "unit": 900,
    "other unit": 4000,
    "turned": 4500,
    "life": 3500,
    "who": 4500,
    "negation": 8500,
}


def main(data, work):
    rng = random.Random(0)
    pairs = sets.make(data)
    for maker in (answers, altered, templates, passages):
        pairs += maker.make(data, rng)
    rng.shuffle(pairs)
    taken, kept = Counter(), {"train": [], "calibration": []}
    for pair in pairs:
        split = "train" if part(pair["hypothesis"], 20) else "calibration"
        taken[split, pair["source"]] += 1
        if taken[split, pair["source"]] <= QUOTA.get(pair["source"], len(pairs)):
            kept[split].append(pair)
    work.mkdir(parents=True, exist_ok=True)
    for split, some in kept.items():
        with open(work / f"{split}.jsonl", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(p) + "\n" for p in some)
        print(split, len(some), dict(Counter(p["source"] for p in some).most_common()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
