"""Has MPNet judge the pairs that the small NLI model learns from.

    python label.py DATA WORK MINUTES      reads WORK/nli and WORK/train.jsonl, writes WORK/labelled.*.jsonl, a file a process

A labelled pair is {premise, hypothesis, label or null, teacher: [3] logits}. Besides the pairs of mix.py there are
those that only a teacher can label: claims with a number, name or word swapped, and claims beside other sentences of
their page or the passages that are most like them in the corpus.
"""

import json
import random
import sys
import time
from collections import defaultdict
from pathlib import Path

import torch
import torch.distributed as dist
from sklearn.feature_extraction.text import TfidfVectorizer
from transformers import MPNetForSequenceClassification

from base import encode, is_bf16_quicker, load
from data import NAME, NEUTRAL, NOT_ENTAILED, climate_passages, falsify, held_passage, part, passage, rows, sentences, tidy, titled
from nli import tokenizer

# Pairs taken of each source.
QUOTA = {"contrast": 9000, "crossed": 2500, "facts": 1500, "irrelevant": 2500, "snli": 3000, "conjnli": 3000, "help": 300, "med": 300,
         "breaking_nli": 700, "begin_wow_test": 1200, "begin_wow_dev": 200}
ALTERED = {"fever_dev": 1, "fm2": 4, "climate_fever": 1, "wice_dev": 1}  # swaps tried on each claim
RETRIEVED = 4500  # claims that are shown two passages each


def pool(data, train, rng):
    """Pairs (premise, hypothesis, label or None), those that are in no set or were made by no rule without a label."""
    by, found = defaultdict(list), []
    for pair in rng.sample(train, len(train)):
        by[pair["source"]].append(pair)
    for source, pairs in by.items():
        shown = {(passage(p, rng), p["hypothesis"]): None if p["label"] == NOT_ENTAILED else p["label"] for p in pairs[: QUOTA.get(source)]}
        found += [(*pair, label) for pair, label in shown.items()]

    names, passages = defaultdict(list), []
    held = climate_passages(data)
    for row in rows(data / "corpus/passages.jsonl"):
        if held_passage(row, held):
            continue
        text = tidy(row["text"])
        if 8 <= len(text.split()) <= 110:
            passages.append(titled(row.get("title") or "", text))
        for s in sentences(text):
            for m in NAME.finditer(s):
                names[s[: m.start()].split()[-1].lower(), len(m.group().split())].append(m.group())

    claims = {(p["source"], p["hypothesis"]): p for source in ALTERED for p in by[source] if p["label"] != NEUTRAL}.values()
    for p in claims:
        near = {"page": [n for text in (p["evidence"], *p["others"]) for n in NAME.findall(text)], "all": names}
        swapped = [falsify(p["hypothesis"], near, rng) for _ in range(ALTERED[p["source"]])]
        found += [(passage(p, rng), hypothesis, None) for hypothesis in dict.fromkeys(s[0] for s in swapped if s)]
        if p["source"] == "fm2":
            found += [(titled(p["title"], other), p["hypothesis"], None) for other in p["others"][:3]]
    vectoriser = TfidfVectorizer(sublinear_tf=True, stop_words="english")
    matrix = vectoriser.fit_transform(passages).T.tocsc()
    asked = rng.sample(list(claims), min(RETRIEVED, len(claims)))
    scores = (vectoriser.transform([p["hypothesis"] for p in asked]) @ matrix).tocsr()
    for i, p in enumerate(asked):
        best = scores[i].indices[scores[i].data.argsort()[::-1][:6]]
        found += [(passages[j], p["hypothesis"], None) for j in [*best[:1], *rng.sample(list(best[1:]), min(1, len(best[1:])))]]
    # Hypotheses held in for calibration are none of the labelled ones; a swap may make one.
    found = [p for p in found if part(p[1], 20)]
    rng.shuffle(found)
    return found


@torch.no_grad()
def main(data, work, minutes):
    dist.init_process_group("gloo")
    tok = tokenizer(work)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = MPNetForSequenceClassification.from_pretrained(work / "nli").to(device).eval()
    reduced = torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda" or is_bf16_quicker())
    pairs = pool(data, load(work, "train"), random.Random(0))[dist.get_rank()::dist.get_world_size()]
    start = time.time()
    with open(work / f"labelled.{dist.get_rank()}.jsonl", "w", encoding="utf-8") as file:
        for at in range(0, len(pairs), 2048):
            if time.time() - start > 60 * minutes:
                break
            some = sorted(pairs[at:at + 2048], key=lambda p: len(p[0]) + len(p[1]))
            for i in range(0, len(some), 32):
                premises, hypotheses, labels = zip(*some[i:i + 32])
                with reduced:
                    logits = model(**encode(tok, list(premises), list(hypotheses)).to(device)).logits.float()
                file.writelines(json.dumps({"premise": p, "hypothesis": h, "label": y, "teacher": [round(v, 3) for v in row.tolist()]}) + "\n"
                                for p, h, y, row in zip(premises, hypotheses, labels, logits))
            print(f"{at + len(some)} of {len(pairs)} labelled", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
