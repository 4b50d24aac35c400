"""Puts the pairs together that the models are trained on.

    python mix.py DATA WORK     writes WORK/train.jsonl and WORK/calibration.jsonl

Held out for calibration: every twentieth hypothesis, by a hash. Large sets, and rules that make many pairs, are thinned
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
    "fever_train": 57000,
    "fever_dev": 11000,
    "fever_train_nei_autopaired": 8000,
    "lingnli": 13000,
    "mnli_sample": 7500,
    "cad_nli": 6700,
    "creak_explanations": 4800,
    "snli": 3500,
    "conjnli": 4000,
    "breaking_nli": 500,
    "begin_wow_test": 2000,
    "med": 400,
    "help": 400,
    "wikisplit_entail": 1200,
    "dnc_kg_relations": 700,
    "contrast": 16000,
    "crossed": 3500,
    "facts": 1500,
    "irrelevant": 2500,
    "answer": 26000,
    "silent answer": 9000,
    "unanswerable": 4000,
    "condaqa": 7500,
    "boolq": 4000,
    "strategyqa": 1500,
    "whole": 20000,
    "silent": 12000,
    "unsaid": 4500,
    "joined": 3000,
    "date": 6500,
    "number": 3000,
    "unit": 900,
    "other unit": 6000,
    "turned": 4500,
    "life": 3500,
    "who": 6500,
    "negation": 12000,
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
