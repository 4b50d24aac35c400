"""How far the scores of the pack's models for CONNER correlate with what they stand for, on text not trained on.

    python correlate.py PACK DATA      prints the table of the card: Spearman's rank correlation of each score with
                                       something known

- relevance: the cosine that the published MiniLM gives the same question and passage. CONNER's NQ rows, each with its
  own passage and another's.
- coherence: how much of a paragraph's order is kept, Kendall's tau. CONNER's and QED's paragraphs, a few neighbours
  swapped to many.
- cohesion: the share of a sentence's words left in their places. First sentences of the same paragraphs, some pairs of
  words swapped.
- informativeness: the share of a passage's words left in their places, given its question. The NQ rows.
- helpfulness: the share of the answer's words that stand in the passage. Own, next and random passages.
"""

import random
import sys
import zlib
from pathlib import Path

import torch
from scipy.stats import kendalltau, spearmanr
from transformers import AutoModel

from base import minilm
from data import rows, sentences, tidy
from pack import model, tokenizer
from questions import held
from reference import embedding, log_probabilities

COUNT = 200


def nq(data):
    """(topic, question, passage, answer) of CONNER's rows."""
    with open(data / "conner/nq.tsv", encoding="utf-8") as file:
        return [[tidy(cell) for cell in line.rstrip("\n").split("\t")[:4]] for line in file]


def held_paragraphs(data):
    found = [
        sentences(tidy(r["text"]))
        for r in sorted(rows(data / "corpus/passages.jsonl"), key=lambda r: zlib.crc32(r["text"].encode()))
        if r["source"] == "conner_nq" or r["source"] == "qed" and held(r["text"])
    ]
    return [parts for parts in found if 4 <= len(parts) == len(set(parts))][:COUNT]


def swapped(items, times, rng):
    """The items after so many swaps of two of them."""
    items = list(items)
    for _ in range(times):
        i, j = rng.sample(range(len(items)), 2)
        items[i], items[j] = items[j], items[i]
    return items


def relevance(pack, tok, data, rng):
    own, published = model(pack, "embedder"), AutoModel.from_pretrained(minilm()).eval()
    asked = rng.sample(nq(data), COUNT)
    for i, (_, question, passage, _) in enumerate(asked):
        for text in (passage, asked[i - 1][2]):
            ours, theirs = ([embedding(bert, tok, t) for t in (question, text)] for bert in (own, published))
            yield (ours[0] @ ours[1]).item(), (theirs[0] @ theirs[1]).item()


@torch.no_grad()
def coherence(pack, tok, data, rng):
    discourse = model(pack, "discourse")
    for parts in held_paragraphs(data):
        order = swapped(range(len(parts)), rng.choice([0, 1, 2, 8]), rng)
        x = tok(" ".join(parts[i] for i in order), truncation=True, max_length=512, return_tensors="pt")
        yield discourse(**x).logits.item(), kendalltau(range(len(order)), order)[0]


def start(passage):
    return " ".join(passage.split()[:100])


def fluency(lm, tok, texts, rng):
    """For texts (before, text): the mean ln P of its tokens and the share of its words left in their places."""
    for before, text in texts:
        words = text.split()
        order = swapped(range(len(words)), rng.randint(0, len(words) // 2), rng)
        logs = log_probabilities(lm, tok, before, " ".join(words[i] for i in order))
        yield sum(logs) / len(logs), sum(i == at for at, i in enumerate(order)) / len(order)


def cohesion(pack, tok, data, rng):
    return fluency(
        model(pack, "lm"), tok, [("", parts[0]) for parts in held_paragraphs(data) if len(parts[0].split()) > 4], rng
    )


def informativeness(pack, tok, data, rng):
    texts = [(question, start(passage)) for _, question, passage, _ in rng.sample(nq(data), COUNT)]
    return fluency(model(pack, "lm"), tok, texts, rng)


def helpfulness(pack, tok, data, rng):
    lm, asked = model(pack, "lm"), rng.sample(nq(data), COUNT)
    for i, (_, question, passage, answer) in enumerate(asked):
        base, *logs = (
            sum(log_probabilities(lm, tok, f"Passage: {start(text)}\nQuery: {question}\nAnswer:", answer))
            for text in (asked[i - 2][2], passage, asked[i - 1][2])
        )
        for text, log in zip((passage, asked[i - 1][2]), logs):
            words = set(answer.lower().split())
            yield 1 - log / base, sum(word in start(text).lower().split() for word in words) / len(words)


def main(pack, data):
    tok = tokenizer(pack, "lm")
    for score in (relevance, coherence, cohesion, informativeness, helpfulness):
        ours, known = zip(*score(pack, tok, data, random.Random(0)))
        print(f"| {score.__name__} | {len(ours)} | {spearmanr(ours, known)[0]:.2f} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
