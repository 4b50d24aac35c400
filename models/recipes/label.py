"""Has MPNet judge the pairs that the small NLI model and the verifier learn from.

    python label.py DATA WORK MINUTES      reads WORK/nli and WORK/train.jsonl, writes WORK/labelled.*.jsonl, a file
                                           a process

A labelled pair is {premise, hypothesis, label or null, others, source, teacher: [3] logits}; `others` are sentences of
the same page that are not in the premise. Besides the pairs of mix.py there are those that only a teacher can label:
claims with a number, name or word swapped, and claims beside other sentences of their page or the passages that are
most like them in the corpus. Claims that people wrote come sooner than the rest, for time seldom reaches all.
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
from torch.utils.data import Dataset
from transformers import MPNetForSequenceClassification

from base import DEVICE, IS_ON_GPU, encode, load, made_ahead, reduced
from data import (
    NAME,
    NEUTRAL,
    NOT_ENTAILED,
    climate_passages,
    falsify,
    held_passage,
    part,
    passage,
    rows,
    sentences,
    tidy,
    titled,
)
from nli import TOKENS, tokenizer

# Pairs taken of each source.
QUOTA = {
    "contrast": 9000,
    "crossed": 2500,
    "facts": 1500,
    "irrelevant": 2500,
    "snli": 3000,
    "conjnli": 3000,
    "help": 300,
    "med": 300,
    "breaking_nli": 700,
    "begin_wow_test": 1200,
    "begin_wow_dev": 200,
}
ALTERED = {"fever_dev": 1, "fm2": 4, "climate_fever": 1, "wice_dev": 1}  # swaps tried on each claim
RETRIEVED = 4500  # claims that are shown two passages each
AT_ONCE = 65536 if IS_ON_GPU else 1024  # pairs that are sorted by length
LETTERS = 4  # of a token, about
LONGEST = 380  # letters of a hypothesis: the premise is cut to make room, and must have some left
# How many times sooner than the rest the pairs of a source come.
SOONER = {
    "fm2": 12,
    "fever_dev": 3,
    "fever_train": 2,
    "climate_fever": 2,
    "wice_dev": 4,
    "creak_explanations": 3,
    "contrast": 2,
    "feverous_dev_text": 2,
    "wikifactcheck_pairs": 2,
    "factor_contradictions": 2,
    "summedits": 2,
    "fever_train_nei_autopaired": 0.5,
}


def pool(data, train, rng):
    """Pairs without the teacher's logits. Those that are in no set and were made by no rule have no label."""
    by, found, seen = defaultdict(list), [], set()

    def add(premise, hypothesis, label, shown):
        # Hypotheses held out for calibration are not labelled; a swap may make one.
        if (premise, hypothesis) not in seen and len(hypothesis) < LONGEST and part(hypothesis, 20):
            seen.add((premise, hypothesis))
            others = [titled(shown["title"], other) for other in shown["others"] if other not in premise]
            found.append(
                {
                    "premise": premise,
                    "hypothesis": hypothesis,
                    "label": label,
                    "others": others[:3],
                    "source": shown["source"],
                }
            )

    for pair in rng.sample(train, len(train)):
        by[pair["source"]].append(pair)
    for source, pairs in by.items():
        for p in pairs[: QUOTA.get(source)]:
            add(passage(p, rng), p["hypothesis"], None if p["label"] == NOT_ENTAILED else p["label"], p)

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

    claims = {
        (p["source"], p["hypothesis"]): p for source in ALTERED for p in by[source] if p["label"] != NEUTRAL
    }.values()
    for p in claims:
        near = {"page": [n for text in (p["evidence"], *p["others"]) for n in NAME.findall(text)], "all": names}
        swapped = [falsify(p["hypothesis"], near, rng) for _ in range(ALTERED[p["source"]])]
        for hypothesis in dict.fromkeys(s[0] for s in swapped if s):
            add(passage(p, rng), hypothesis, None, p)
        if p["source"] == "fm2":
            for other in p["others"][:3]:
                add(titled(p["title"], other), p["hypothesis"], None, p | {"others": []})
    vectoriser = TfidfVectorizer(sublinear_tf=True, stop_words="english")
    matrix = vectoriser.fit_transform(passages).T.tocsc()
    asked = rng.sample(list(claims), min(RETRIEVED, len(claims)))
    scores = (vectoriser.transform([p["hypothesis"] for p in asked]) @ matrix).tocsr()
    for i, p in enumerate(asked):
        best = scores[i].indices[scores[i].data.argsort()[::-1][:6]]
        for j in [*best[:1], *rng.sample(list(best[1:]), min(1, len(best[1:])))]:
            add(passages[j], p["hypothesis"], None, p | {"others": [], "source": "retrieved"})
    return sorted(found, key=lambda p: rng.expovariate(SOONER.get(p["source"], 1)))


class Groups(Dataset):
    """Pairs in batches of about one length: the pairs, their token ids and the mask."""

    def __init__(self, tok, pairs):
        self.tok, self.groups = tok, [[]]
        for pair in sorted(pairs, key=length):
            if (len(self.groups[-1]) + 1) * length(pair) > TOKENS * LETTERS:
                self.groups.append([])
            self.groups[-1].append(pair)

    def __len__(self):
        return len(self.groups)

    def __getitem__(self, at):
        group = self.groups[at]
        read = encode(self.tok, [p["premise"] for p in group], [p["hypothesis"] for p in group])
        return group, read["input_ids"], read["attention_mask"]


def length(pair):
    return len(pair["premise"]) + len(pair["hypothesis"])


@torch.no_grad()
def main(data, work, minutes):
    dist.init_process_group("gloo")
    tok = tokenizer(work)
    model = MPNetForSequenceClassification.from_pretrained(work / "nli").to(DEVICE).eval()
    pairs = pool(data, load(work, "train"), random.Random(0))[dist.get_rank() :: dist.get_world_size()]
    start = time.time()
    with open(work / f"labelled.{dist.get_rank()}.jsonl", "w", encoding="utf-8") as file:
        for at in range(0, len(pairs), AT_ONCE):
            if time.time() - start > 60 * minutes:
                break
            for group, ids, mask in made_ahead(Groups(tok, pairs[at : at + AT_ONCE])):
                with reduced():
                    logits = model(input_ids=ids.to(DEVICE), attention_mask=mask.to(DEVICE)).logits.float()
                file.writelines(
                    json.dumps(p | {"teacher": [round(v, 3) for v in row]}) + "\n"
                    for p, row in zip(group, logits.tolist())
                )
            print(f"{min(at + AT_ONCE, len(pairs))} of {len(pairs)} labelled", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
