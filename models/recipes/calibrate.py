"""Fits a pack's calibration on the pairs held in for it, and writes it to WORK/calibration.json for pack.py to take up.

    python calibrate.py PACK WORK
"""

import json
import random
import sys
from pathlib import Path

import torch
from torch.nn.functional import binary_cross_entropy, binary_cross_entropy_with_logits, cross_entropy

from base import load
from data import ENTAILMENT, NEUTRAL, passage, titled
from evaluate import calibrated, judge, nli_logits, open_pack

CHECKING = {"fever_dev", "climate_fever", "fm2", "wice_dev", "contrast", "facts", "irrelevant"}  # sources like the task
PEOPLE = ["fever_dev", "fm2", "wice_dev"]  # those of claims that people wrote and that calibration has some dozens of

PAIRS = 600
FALSE_ALARMS = 0.05  # the share of true claims that may be called unfactual


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


def best(grid, value):
    return max(grid, key=value)


def main(pack, work):
    rng = random.Random(0)
    pairs = [p for p in load(work, "calibration") if p["source"] in CHECKING][:PAIRS]
    claims = []
    for pair in pairs:
        others = pair["others"][: rng.choice([0, 0, 1, 2])]
        claims.append(([passage(pair, rng)] + [titled(pair["title"], o) for o in others], pair["hypothesis"]))
    opened = open_pack(pack)
    p, logits = judge(opened, claims)
    label = torch.tensor([pair["label"] for pair in pairs])
    decided, y = label != NEUTRAL, (label == ENTAILMENT).double()

    score = torch.logit(p.double(), 1e-9)[decided]
    temperature, bias = fit(lambda t, b: binary_cross_entropy_with_logits((score + b) / t.exp(), y[decided]), 0.0, 0.0)
    # Made pairs are easier than what people claim, and one set's claims than another's: each set counts the same.
    sets = [[pair for pair in load(work, "calibration") if pair["source"] == source][:PAIRS] for source in PEOPLE]
    shown = [[(passage(pair, rng), pair["hypothesis"]) for pair in pairs] for pairs in sets]
    known = [nli_logits(*opened[1:], *zip(*some)).double() for some in shown]
    wanted = [torch.tensor([pair["label"] for pair in pairs]) for pairs in sets]
    (nli_temperature,) = fit(lambda t: sum(cross_entropy(rows / t.exp(), y) for rows, y in zip(known, wanted)), 0.0)
    found = {"verifier": {"temperature": round(torch.tensor(temperature).exp().item(), 4), "bias": round(bias, 4)},
             "nli": {"temperature": round(torch.tensor(nli_temperature).exp().item(), 4)}, "weight_verifier": 0.0}

    def combined(w):
        return calibrated(p, logits, found | {"weight_verifier": w})[2]

    tenths = [i / 20 for i in range(21)]
    found["weight_verifier"] = best(tenths, lambda w: -binary_cross_entropy(combined(w)[decided].clamp(1e-6, 1 - 1e-6), y[decided]).item())
    both, evidence = combined(found["weight_verifier"]), calibrated(p, logits, found)[3]
    hundredths = [i / 100 for i in range(5, 81)]
    found["threshold_factual"] = best(hundredths, lambda t: ((both >= t) == (y > 0))[decided].double().mean().item())

    true = both[decided & (y > 0)]
    most = [t for t in hundredths if t <= found["threshold_factual"] and (true < t).double().mean() <= FALSE_ALARMS]
    found["threshold_unfactual"] = most[-1] if most else hundredths[0]

    def sorted_rightly(t):
        return (evidence >= t)[decided].double().mean().item(), (evidence < t)[~decided].double().mean().item()

    found["threshold_evidence"] = best(hundredths, lambda t: sum(sorted_rightly(t)))
    (work / "calibration.json").write_text(json.dumps(found, indent=2) + "\n")
    print(found)
    print(f"{len(claims)} pairs; evidence kept {{:.2f}}, irrelevant left out {{:.2f}}".format(*sorted_rightly(found["threshold_evidence"])))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
