"""Fine-tunes all-mpnet-base-v2 into the NLI model that judges.

    python nli.py WORK MINUTES [SEED [rounded]]      reads WORK/train.jsonl, writes WORK/nli

With `rounded` every matrix is rounded to 4 bits before each pass (quantise.Rounding), and what is written is the
rounded model.

It goes on from WORK/nli if that is there: from the very step if the run was cut off, for which a checkpoint is
written every few minutes, or anew with another SEED, so that it does not see the same pairs in the same order. The
rate falls with the time spent, so that the run ends when told. It runs on a GPU if PyTorch finds one, else on all
cores. The word table stays as published, and where there is no GPU the lowest layers too.
"""

import os
import random
import sys
import time
from contextlib import nullcontext
from pathlib import Path

import torch
from torch.nn.functional import log_softmax
from torch.utils.data import IterableDataset, get_worker_info
from transformers import AutoTokenizer, MPNetForSequenceClassification

from base import DEVICE, IS_ON_GPU, LABELS, load, made_ahead, moved, mpnet, plain, reduced
from data import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    NEUTRAL_OR_ENTAILMENT,
    NOT_ENTAILED,
    passage,
)
from quantise import Rounding

RATE = 7e-5 if IS_ON_GPU else 4e-5  # the head's is five times that
WARM_UP, LEAST = 60, 0.01
FROZEN = 0 if IS_ON_GPU else 3  # layers at the bottom
DROPOUT = 0.1 if IS_ON_GPU else 0.0  # one pass over the data needs none
TOKENS = 16384 if IS_ON_GPU else 4096  # of a batch
LONGEST = 208  # tokens of a pair
PADDING = 16  # lengths are rounded up to it: few shapes are quicker
POOL = 4096  # pairs that are sorted by length together
EVERY = 420  # seconds from checkpoint to checkpoint


def tokenizer(work):
    return plain(AutoTokenizer.from_pretrained(mpnet(work)))


def begun(work):
    """The model in WORK/nli, or where there is none MPNet with a new head."""
    folder = work / "nli"
    model = MPNetForSequenceClassification.from_pretrained(
        folder if (folder / "model.safetensors").exists() else mpnet(work),
        num_labels=3,
        hidden_dropout_prob=DROPOUT,
        attention_probs_dropout_prob=DROPOUT,
        id2label=dict(enumerate(LABELS)),
        label2id={name: i for i, name in enumerate(LABELS)},
    ).float()
    for weight in [*model.mpnet.embeddings.parameters(), *model.mpnet.encoder.layer[:FROZEN].parameters()]:
        weight.requires_grad = False
    return model


class Batches(IterableDataset):
    """Endless batches (token ids, mask, labels) of about one length and so many tokens; every reader has its own."""

    def __init__(self, tok, pairs, seed):
        self.tok, self.pairs, self.seed = tok, pairs, seed

    def __iter__(self):
        reader = get_worker_info()
        number, readers = (reader.id, reader.num_workers) if reader else (0, 1)
        rng, pairs = random.Random(f"{self.seed} {number}"), self.pairs[number::readers]
        while True:
            rng.shuffle(pairs)
            for start in range(0, len(pairs), POOL):
                groups = self.groups(pairs[start : start + POOL], rng)
                yield from map(self.batch, rng.sample(groups, len(groups)))

    def groups(self, pairs, rng):
        premises = [passage(pair, rng) for pair in pairs]
        read = self.tok(premises, [p["hypothesis"] for p in pairs], truncation="only_first", max_length=LONGEST)
        groups = [[]]
        for ids, pair in sorted(zip(read["input_ids"], pairs), key=lambda found: len(found[0])):
            if (len(groups[-1]) + 1) * padded(len(ids)) > TOKENS:
                groups.append([])
            groups[-1].append((ids, pair["label"]))
        return groups

    def batch(self, group):
        rows, labels = zip(*group)
        ids = torch.full((len(rows), padded(max(map(len, rows)))), self.tok.pad_token_id)
        mask = torch.zeros_like(ids)
        for i, row in enumerate(rows):
            ids[i, : len(row)], mask[i, : len(row)] = torch.tensor(row), 1
        return ids, mask, torch.tensor(labels)


def padded(length):
    return -(-length // PADDING) * PADDING


def loss_of(logits, labels):
    """Cross-entropy. A pair that is only known not to be entailed counts either of the other two as right. One that is
    neutral unless it settles the claim counts nothing where the model takes it to settle the claim."""
    logs = log_softmax(logits.float(), -1)
    known = -logs.gather(1, torch.where(labels > CONTRADICTION, NEUTRAL, labels)[:, None])[:, 0]
    losses = torch.where(labels == NOT_ENTAILED, -logs[:, 1:].logsumexp(-1), known)
    settles = torch.where(labels == NEUTRAL_OR_ENTAILMENT, logs[:, ENTAILMENT], logs[:, CONTRADICTION]).exp() > 0.5
    losses = torch.where((labels > NOT_ENTAILED) & settles, 0, losses)
    return losses.mean()


def main(work, minutes, seed, is_rounded):
    if not IS_ON_GPU:
        torch.set_num_threads(len(os.sched_getaffinity(0)))
    torch.manual_seed(seed)
    tok, folder, state = tokenizer(work), work / "nli", work / f"nli.{seed}.state.pt"
    is_new = not (folder / "model.safetensors").exists()
    model = begun(work).to(DEVICE).train()
    head = list(model.classifier.parameters())
    body = [w for w in model.mpnet.parameters() if w.requires_grad]
    rounding = Rounding(model) if is_rounded else nullcontext()
    rate = RATE / 2 if is_rounded else RATE
    optimiser = torch.optim.AdamW([{"params": body}, {"params": head}], lr=rate, weight_decay=0.01, fused=True)
    steps = seen = 0
    before = 0.0  # seconds that earlier parts of this run took
    if state.exists():
        was = torch.load(state)
        if was["seed"] == seed:
            optimiser.load_state_dict(was["optimiser"])
            steps, seen, before, is_new = was["steps"], was["seen"], was["spent"], was["is_new"]

    def save():
        with rounding:
            model.save_pretrained(folder)
        found = {
            "seed": seed,
            "optimiser": optimiser.state_dict(),
            "steps": steps,
            "seen": seen,
            "is_new": is_new,
            "spent": before + time.time() - start,
        }
        torch.save(found, state.with_suffix(".new"))
        state.with_suffix(".new").replace(state)

    start = saved = time.time()
    losses = []
    pairs = Batches(tok, load(work, "train"), f"{seed} {steps}")
    for ids, mask, labels in map(moved, made_ahead(pairs)):
        share = (before + time.time() - start) / 60 / minutes
        if share >= 1:
            break
        with rounding:
            with reduced():
                logits = model(input_ids=ids, attention_mask=mask).logits
            loss = loss_of(logits, labels)
            loss.backward()
        torch.nn.utils.clip_grad_norm_([*body, *head], 1.0)
        for group, scale in zip(optimiser.param_groups, (1, 5 if is_new else 1)):
            group["lr"] = scale * rate * min(1, (steps + 1) / WARM_UP) * max(LEAST, 1 - share)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        steps, seen = steps + 1, seen + len(ids)
        losses.append(loss.detach())
        if steps % 50 == 0:
            print(
                steps,
                f"{seen} pairs, loss {torch.stack(losses[-50:]).mean():.3f}, {share:.0%} of the time",
                flush=True,
            )
        if time.time() - saved > EVERY:
            save()
            saved = time.time()
    save()
    print("end", steps, seen, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0, "rounded" in sys.argv[4:])
