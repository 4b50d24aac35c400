"""Fine-tunes MiniLM into the small NLI model, for devices that have no room for MPNet.

    python small.py WORK MINUTES [SEED [rounded]]     reads WORK/labelled.*.jsonl, writes WORK/small or goes on from it

It learns from the pairs that MPNet has judged (label.py): half the label and half MPNet's probabilities, or the
latter alone where there is no label. The learning rate falls with the time spent, so that the run ends when told; a
checkpoint is written on the way. With `rounded` the rounding to 4 bits is in the loop, as in nli.py.
"""

import random
import sys
from pathlib import Path

import torch
import torch.distributed as dist
from sklearn.metrics import roc_auc_score
from torch.nn.functional import cross_entropy, one_hot

from base import DEVICE, IS_ON_GPU, Run, batches, encode, load, load_classed, moved, reduced, small_model, tokenizer
from data import passage
from quantise import Rounding

RATE, WARM_UP = (3e-4 if IS_ON_GPU else 1e-4), 60
BATCH = 256 if IS_ON_GPU else 24  # a process


def probabilities(model, tok, premises, hypotheses, tokens=256):
    """[pairs, 3]: entailment, neutral, contradiction."""
    with torch.no_grad(), reduced():
        logits = [
            model(**encode(tok, premises[i : i + 32], hypotheses[i : i + 32], tokens).to(DEVICE)).logits.float().cpu()
            for i in range(0, len(premises), 32)
        ]
    return torch.cat(logits).softmax(-1)


def report(model, tok, pairs):
    rng = random.Random(0)
    p = probabilities(model.eval(), tok, [passage(x, rng) for x in pairs], [x["hypothesis"] for x in pairs])
    model.train()
    y = torch.tensor([x["label"] for x in pairs])
    decided = y != 1
    score = p[:, 0] / (p[:, 0] + p[:, 2])
    return f"accuracy {(p.argmax(-1) == y).float().mean():.3f} AUR {roc_auc_score(y[decided] == 0, score[decided]):.3f}"


def lay(pair, rng):
    """(length, premise, hypothesis, wanted probabilities [3]) of a labelled pair."""
    premise = pair["premise"]
    gold = [] if pair["label"] is None else [one_hot(torch.tensor(pair["label"]), 3).float()]
    judged = torch.tensor(pair["teacher"]).softmax(-1)
    return (
        min(len(premise), 700) + len(pair["hypothesis"]),
        premise,
        pair["hypothesis"],
        torch.stack([*gold, judged]).mean(0),
    )


class Collate:
    """Pairs as laid out -> (a batch for the model, the probabilities wanted [pairs, 3])."""

    def __init__(self, tok):
        self.tok = tok

    def __call__(self, items):
        _, premises, hypotheses, wanted = zip(*items)
        return dict(encode(self.tok, list(premises), list(hypotheses))), torch.stack(wanted)


def main(work, minutes, seed, is_rounded):
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    first, folder = dist.get_rank() == 0, work / "small"
    model, tok = small_model(folder).to(DEVICE), tokenizer()
    labelled = [pair for path in sorted(work.glob("labelled.*.jsonl")) for pair in load(work, path.stem)]
    held = load_classed(work, "calibration")[:600]
    rounding = Rounding(model) if is_rounded else None
    rate = RATE / 2 if is_rounded else RATE
    run = Run(
        [{"params": [w for w in model.parameters() if w.requires_grad]}], rate, WARM_UP, minutes, rounding=rounding
    )

    def save():
        with run.rounding:
            model.save_pretrained(folder)

    model.train()
    losses = []
    for read, wanted in map(moved, batches(labelled, BATCH, seed, lay, Collate(tok))):
        spent = run.spent()
        if spent >= 1:
            break

        def loss():
            with reduced():
                logits = model(**read).logits
            losses.append(cross_entropy(logits.float(), wanted))
            return losses[-1]

        run.step(loss)
        losses[-1] = losses[-1].detach()
        if first and run.steps % 100 == 0:
            print(run.steps, f"loss {torch.stack(losses[-100:]).mean():.3f}, {spent:.0%} of the time", flush=True)
        if first and run.steps % 500 == 0:
            print(run.steps, report(model, tok, held), flush=True)
            save()
    if first:
        save()
        print("end", run.steps, report(model, tok, held), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0, "rounded" in sys.argv[4:])
