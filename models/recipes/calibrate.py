"""Fits a pack's temperatures, and the verifier's bias, on the pairs held in for it.

    python calibrate.py PACK WORK     writes WORK/calibration.json and WORK/calibration-small.json for pack.py

What is fitted is how sure the models are of one passage. The thresholds, which are for retrieved passages, come from
thresholds.py; until then they are pack.py's. The verifier has no weight in a score.
"""

import json
import random
import sys
from pathlib import Path

import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from base import load_classed
from data import ENTAILMENT, NEUTRAL, passage
from evaluate import asked, nli_logits
from pack import UNFITTED, model, tokenizer

# Claims that people wrote. Each of the sets counts the same, so that the largest does not decide.
SETS = {
    "fever": ("fever_dev", "fever_train", "fever_train_nei_autopaired"),
    "fm2": ("fm2",),
    "wice": ("wice_dev",),
    "creak": ("creak_explanations",),
}
PAIRS = 600  # of a set


def fit(loss, *start):
    """The values that make loss(*values) least."""
    values = [torch.tensor(v, dtype=torch.double, requires_grad=True) for v in start]
    optimiser = torch.optim.LBFGS(values, max_iter=200, line_search_fn="strong_wolfe")

    def closure():
        optimiser.zero_grad()
        out = loss(*values)
        out.backward()
        return out

    optimiser.step(closure)
    return [v.item() for v in values]


def temperature(nli, tok, sets):
    """By which an NLI model's logits are divided."""
    known = [
        (
            nli_logits(nli, tok, [p for p, _, _ in some], [h for _, h, _ in some]).double(),
            torch.tensor([y for _, _, y in some]),
        )
        for some in sets
    ]
    (log,) = fit(lambda t: sum(cross_entropy(logits / t.exp(), y) for logits, y in known), 0.0)
    return {"temperature": round(torch.tensor(log).exp().item(), 4)}


def answers(verifier, tok, sets):
    """The temperature and bias of the verifier's logit."""
    decided = [([premise], claim, label) for some in sets for premise, claim, label in some if label != NEUTRAL]
    score = torch.logit(asked(verifier, tok, decided).double(), 1e-9)
    y = torch.tensor([label == ENTAILMENT for *_, label in decided]).double()
    log, bias = fit(lambda t, b: binary_cross_entropy_with_logits((score + b) / t.exp(), y), 0.0, 0.0)
    return {"temperature": round(torch.tensor(log).exp().item(), 4), "bias": round(bias, 4)}


def main(pack, work):
    rng, pairs = random.Random(0), load_classed(work, "calibration")
    sets = [
        [(passage(p, rng), p["hypothesis"], p["label"]) for p in pairs if p["source"] in sources][:PAIRS]
        for sources in SETS.values()
    ]
    sets = [some for some in sets if some]
    verifier = answers(model(pack, "verifier"), tokenizer(pack, "verifier"), sets)
    for name, path in (("nli", "calibration.json"), ("small", "calibration-small.json")):
        found = UNFITTED | {"nli": temperature(model(pack, name), tokenizer(pack, name), sets), "verifier": verifier}
        (work / path).write_text(json.dumps(found, indent=2) + "\n")
        print(name, found)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
