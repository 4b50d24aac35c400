"""Fine-tunes MiniLM into the embedded NLI model.

    python nli.py WORK MINUTES [SEED]      reads WORK/*.jsonl, writes WORK/nli, or goes on from it if it is there

It learns from the pairs that the teacher has judged (label.py): half the label and half the teacher's probabilities, or the
latter alone where there is no label. The learning rate falls with the time spent, so that the run ends when told; a checkpoint is written on the way.
"""

import random
import sys
from pathlib import Path

import torch
import torch.distributed as dist
from sklearn.metrics import roc_auc_score
from torch.nn.functional import cross_entropy, one_hot

from base import Run, batches, load, nli_model, reduced, tokenizer
from data import passage

RATE, WARM_UP, BATCH, TOKENS = 1e-4, 60, 24, 144  # BATCH a process


def encode(tok, premises, hypotheses, tokens=TOKENS):
    return tok(premises, hypotheses, truncation="only_first", max_length=tokens, padding=True, pad_to_multiple_of=16,
               return_tensors="pt")


def probabilities(model, tok, premises, hypotheses, tokens=256):
    """[pairs, 3]: entailment, neutral, contradiction."""
    with torch.no_grad(), reduced():
        logits = [model(**encode(tok, premises[i:i + 32], hypotheses[i:i + 32], tokens)).logits.float()
                  for i in range(0, len(premises), 32)]
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
    """(length, premise, hypothesis, wanted probabilities [3]) of a pair of data.py or a labelled one."""
    premise = pair["premise"] if "premise" in pair else passage(pair, rng)
    gold = [] if pair["label"] is None else [one_hot(torch.tensor(pair["label"]), 3).float()]
    judged = [torch.tensor(pair["teacher"]).softmax(-1)] if "teacher" in pair else []
    return min(len(premise), 700) + len(pair["hypothesis"]), premise, pair["hypothesis"], torch.stack(gold + judged).mean(0)


def fine_tune(model, tok, groups, rate, pairs, seed, work, folder, minutes):
    """Trains the parameters of `groups` on `pairs` for so many minutes and writes the model to `folder`, also on the way."""
    first = dist.get_rank() == 0
    held = load(work, "calibration")[:600]
    run = Run(groups, rate, WARM_UP, minutes)
    model.train()
    losses = []
    for batch in batches(pairs, BATCH, seed, lay):
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


def main(work, minutes, seed):
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = nli_model(work / "nli")
    groups = [{"params": [w for w in model.parameters() if w.requires_grad]}]
    labelled = [pair for path in sorted(work.glob("labelled.*.jsonl")) for pair in load(work, path.stem)]
    fine_tune(model, tokenizer(), groups, RATE, labelled, seed, work, work / "nli", minutes)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
