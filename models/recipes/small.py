"""Fine-tunes MiniLM into the small NLI model, for devices that have no room for MPNet.

    python small.py WORK MINUTES [SEED]     reads WORK/labelled.*.jsonl, writes WORK/small or goes on from it

It learns from the pairs that MPNet has judged (label.py): half the label and half MPNet's probabilities, or the
latter alone where there is no label. The learning rate falls with the time spent, so that the run ends when told; a
checkpoint is written on the way.
"""

import random
import sys
from pathlib import Path

import torch
import torch.distributed as dist
from sklearn.metrics import roc_auc_score
from torch.nn.functional import cross_entropy, one_hot

from base import Run, batches, encode, load, load_classed, reduced, small_model, tokenizer
from data import passage

RATE, WARM_UP, BATCH = 1e-4, 60, 24  # BATCH a process


def probabilities(model, tok, premises, hypotheses, tokens=256):
    """[pairs, 3]: entailment, neutral, contradiction."""
    with torch.no_grad(), reduced():
        logits = [
            model(**encode(tok, premises[i : i + 32], hypotheses[i : i + 32], tokens)).logits.float()
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


def main(work, minutes, seed):
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    first, folder = dist.get_rank() == 0, work / "small"
    model, tok = small_model(folder), tokenizer()
    labelled = [pair for path in sorted(work.glob("labelled.*.jsonl")) for pair in load(work, path.stem)]
    held = load_classed(work, "calibration")[:600]
    run = Run([{"params": [w for w in model.parameters() if w.requires_grad]}], RATE, WARM_UP, minutes)
    model.train()
    losses = []
    for batch in batches(labelled, BATCH, seed, lay):
        spent = run.spent()
        if spent >= 1:
            break
        _, premises, hypotheses, wanted = zip(*batch)
        with reduced():
            logits = model(**encode(tok, list(premises), list(hypotheses))).logits
        loss = cross_entropy(logits.float(), torch.stack(wanted))
        run.step(loss)
        losses.append(loss.item())
        if first and run.steps % 100 == 0:
            print(run.steps, f"loss {sum(losses[-100:]) / 100:.3f}, {spent:.0%} of the time", flush=True)
        if first and run.steps % 500 == 0:
            print(run.steps, report(model, tok, held), flush=True)
            model.save_pretrained(folder)
    if first:
        model.save_pretrained(folder)
        print("end", run.steps, report(model, tok, held), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
