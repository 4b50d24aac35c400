"""Fine-tunes all-mpnet-base-v2 into the NLI model that judges.

    python nli.py WORK MINUTES [SEED [rounded]]      reads WORK/train.jsonl, writes WORK/nli

With `rounded` every matrix is rounded to 4 bits before each pass and the gradient moves what it was before, as in
Bengio et al. 2013 (straight-through); the scales stay those of the start, and what is written is the rounded model.

It goes on from WORK/nli if that is there: from the very step if the run was cut off, for which a checkpoint is
written every few minutes, or anew with another SEED, so that it does not see the same pairs in the same order. The
rate falls with the time spent, so that the run ends when told. It runs on a GPU if PyTorch finds one, else on all
cores. The word table and the lowest layers stay as published.
"""

import os
import random
import sys
import time
from pathlib import Path

import torch
from torch.nn.functional import log_softmax
from transformers import AutoTokenizer, MPNetForSequenceClassification

from base import LABELS, encode, is_bf16_quicker, load, mpnet, plain
from data import NOT_ENTAILED, passage
from quantise import BLOCK, NARROW, ZERO, to_int4

RATE, WARM_UP, LEAST = 4e-5, 60, 0.01  # the head's rate is five times that
FROZEN = 3  # layers at the bottom
TOKENS = 4096  # of a batch
LONGEST = 208  # tokens of a pair
PADDING = 16  # lengths are rounded up to it: few shapes are quicker
POOL = 4096  # pairs that are sorted by length together
EVERY = 420  # seconds from checkpoint to checkpoint


def tokenizer(work):
    return plain(AutoTokenizer.from_pretrained(mpnet(work)))


def begun(work):
    """The model in WORK/nli, or where there is none MPNet with a new head. It has no dropout: one pass over the data
    needs none."""
    folder = work / "nli"
    model = MPNetForSequenceClassification.from_pretrained(
        folder if (folder / "model.safetensors").exists() else mpnet(work),
        num_labels=3,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        id2label=dict(enumerate(LABELS)),
        label2id={name: i for i, name in enumerate(LABELS)},
    ).float()
    for weight in [*model.mpnet.embeddings.parameters(), *model.mpnet.encoder.layer[:FROZEN].parameters()]:
        weight.requires_grad = False
    return model


class Rounding:
    """Matrices as 4 bits with the scales they had at the start, and what they are between the steps."""

    def __init__(self, matrices):
        self.matrices = matrices
        self.scales = [to_int4(w.detach())[1].float().unsqueeze(-1) for w in matrices]

    @torch.no_grad()
    def __enter__(self):
        self.exact = [w.detach().clone() for w in self.matrices]
        for weight, scale in zip(self.matrices, self.scales):
            blocks = weight.unflatten(1, (-1, BLOCK))
            steps = (blocks / torch.where(scale == 0, 1, scale)).round_().clamp_(-ZERO, ZERO - 1)
            weight.copy_(steps.mul_(scale).flatten(1))

    @torch.no_grad()
    def __exit__(self, *_):
        for weight, exact in zip(self.matrices, self.exact):
            weight.copy_(exact)


def batches(tok, pairs, rng):
    """Endless batches (premise, hypothesis, label) of about one length and so many tokens."""
    while True:
        rng.shuffle(pairs)
        for start in range(0, len(pairs), POOL):
            shown = [(passage(p, rng), p["hypothesis"], p["label"]) for p in pairs[start : start + POOL]]
            read = tok([s[0] for s in shown], [s[1] for s in shown], truncation="only_first", max_length=LONGEST)[
                "input_ids"
            ]
            groups = [[]]
            for ids, item in sorted(zip(read, shown), key=lambda found: len(found[0])):
                if (len(groups[-1]) + 1) * -(-len(ids) // PADDING) * PADDING > TOKENS:
                    groups.append([])
                groups[-1].append(item)
            yield from rng.sample(groups, len(groups))


def loss_of(logits, labels):
    """Cross-entropy, where a pair that is only known not to be entailed counts either of the other two as right."""
    logs = log_softmax(logits.float(), -1)
    known = -logs.gather(1, labels.clamp(max=2)[:, None])[:, 0]
    return torch.where(labels == NOT_ENTAILED, -logs[:, 1:].logsumexp(-1), known).mean()


def main(work, minutes, seed, is_rounded):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if device.type == "cpu":
        torch.set_num_threads(len(os.sched_getaffinity(0)))
    torch.manual_seed(seed)
    tok, folder, state = tokenizer(work), work / "nli", work / "nli.state.pt"
    is_new = not (folder / "model.safetensors").exists()
    model = begun(work).to(device).train()
    head = list(model.classifier.parameters())
    body = [w for w in model.mpnet.parameters() if w.requires_grad]
    rounding = Rounding([w for w in body if is_rounded and w.dim() == 2 and min(w.shape) >= NARROW])
    optimiser = torch.optim.AdamW([{"params": body}, {"params": head}], lr=RATE, weight_decay=0.01, fused=True)
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
    reduced = torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda" or is_bf16_quicker())
    for batch in batches(tok, load(work, "train"), random.Random(f"{seed} {steps}")):
        share = (before + time.time() - start) / 60 / minutes
        if share >= 1:
            break
        premises, hypotheses, labels = zip(*batch)
        with rounding:
            with reduced:
                logits = model(**encode(tok, list(premises), list(hypotheses), LONGEST).to(device)).logits
            loss = loss_of(logits, torch.tensor(labels, device=device))
            loss.backward()
        torch.nn.utils.clip_grad_norm_([*body, *head], 1.0)
        for group, scale in zip(optimiser.param_groups, (1, 5 if is_new else 1)):
            group["lr"] = scale * RATE * min(1, (steps + 1) / WARM_UP) * max(LEAST, 1 - share)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        steps, seen = steps + 1, seen + len(batch)
        losses.append(loss.item())
        if steps % 50 == 0:
            print(
                steps,
                f"{seen} pairs, loss {sum(losses[-50:]) / len(losses[-50:]):.3f}, {share:.0%} of the time",
                flush=True,
            )
        if time.time() - saved > EVERY:
            save()
            saved = time.time()
    save()
    print("end", steps, seen, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0, "rounded" in sys.argv[4:])
