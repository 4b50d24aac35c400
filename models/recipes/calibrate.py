"""Fits a pack's calibration on the pairs held in for it, and writes it to WORK/calibration.json for pack.py to take up.

    python calibrate.py PACK WORK [--keep]      --keep: the pack's temperatures and bias stay, and the weight and thresholds are fitted to them
"""

import json
import random
import sys
from pathlib import Path

import torch
from scipy.stats import beta
from torch.nn.functional import binary_cross_entropy, binary_cross_entropy_with_logits, cross_entropy

from base import load
from data import ENTAILMENT, NEUTRAL, passage, titled
from evaluate import calibrated, judge, nli_logits, open_pack, verdicts

CHECKING = {"fever_dev", "climate_fever", "fm2", "wice_dev", "contrast", "facts", "irrelevant"}  # sources like the task
PEOPLE = ["fever_dev", "fm2", "wice_dev"]  # those of claims that people wrote and that calibration has some dozens of
SORTED = ["fever_dev", "fm2"]  # those of them that have dozens of true ones, of false ones, and of irrelevant evidence

PAIRS = 600
DRAWS = 3  # of what a claim is shown with
FALSE_ALARMS = 0.05  # the share of true claims that may be called unfactual
CONFIDENCE = 0.95  # with which it may not be more


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


def shown(pairs, rng):
    """Claims (facts, statement) of pairs: the evidence of each, and up to two other passages."""
    def facts(pair):
        others = pair["others"][: rng.choice([0, 0, 1, 2])]
        return [passage(pair, rng)] + [titled(pair["title"], o) for o in others]

    return [(facts(pair), pair["hypothesis"]) for pair in pairs]


def labels(pairs):
    return torch.tensor([pair["label"] for pair in pairs])


def main(pack, work, keep=False):
    rng = random.Random(0)
    pairs = [p for p in load(work, "calibration") if p["source"] in CHECKING][:PAIRS]
    opened = open_pack(pack)
    p, logits = judge(opened, shown(pairs, rng))
    label = labels(pairs)
    decided, y = label != NEUTRAL, (label == ENTAILMENT).double()

    score = torch.logit(p.double(), 1e-9)[decided]
    temperature, bias = fit(lambda t, b: binary_cross_entropy_with_logits((score + b) / t.exp(), y[decided]), 0.0, 0.0)
    # Made pairs are easier than what people claim, and one set's claims than another's: each set counts the same.
    sets = {source: [pair for pair in load(work, "calibration") if pair["source"] == source][:PAIRS] for source in PEOPLE}
    read = [[(passage(pair, rng), pair["hypothesis"]) for pair in pairs] for pairs in sets.values()]
    known = [nli_logits(*opened[1:], *zip(*some)).double() for some in read]
    wanted = [labels(pairs) for pairs in sets.values()]
    (nli_temperature,) = fit(lambda t: sum(cross_entropy(rows / t.exp(), y) for rows, y in zip(known, wanted)), 0.0)
    found = {"verifier": {"temperature": round(torch.tensor(temperature).exp().item(), 4), "bias": round(bias, 4)},
             "nli": {"temperature": round(torch.tensor(nli_temperature).exp().item(), 4)}, "weight_verifier": 0.0}
    if keep:
        shipped = json.loads((pack / "pack.json").read_text())["calibration"]
        found = found | {model: shipped[model] for model in ("verifier", "nli")}

    def combined(w):
        return calibrated(p, logits, found | {"weight_verifier": w})[2]

    tenths = [i / 20 for i in range(21)]
    found["weight_verifier"] = best(tenths, lambda w: -binary_cross_entropy(combined(w)[decided].clamp(1e-6, 1 - 1e-6), y[decided]).item())
    both = combined(found["weight_verifier"])
    hundredths = [i / 100 for i in range(5, 81)]
    found["threshold_factual"] = best(hundredths, lambda t: ((both >= t) == (y > 0))[decided].double().mean().item())

    # Evidence too is harder to tell among what people claim than in made pairs.
    judged = {source: [calibrated(*judge(opened, shown(sets[source], rng)), found)[2:] for _ in range(DRAWS)] for source in SORTED}
    score = {source: torch.stack([both for both, _ in draws]) for source, draws in judged.items()}  # [draws, claims]
    evidence = {source: torch.stack([relevance for _, relevance in draws]) for source, draws in judged.items()}
    label = {source: labels(sets[source]) for source in SORTED}

    def sorted_rightly(source, t):
        relevant = label[source] != NEUTRAL
        return (evidence[source] >= t)[:, relevant].double().mean().item(), (evidence[source] < t)[:, ~relevant].double().mean().item()

    found["threshold_evidence"] = best(hundredths, lambda t: sum(sum(sorted_rightly(source, t)) for source in SORTED))

    def alarms(t):
        """Of the true claims, how many are called unfactual (a mean of draws), and the most that it may be in the long run (Clopper and Pearson)."""
        called = sum(verdicts(score[source], evidence[source], found | {"threshold_unfactual": t})[1][:, label[source] == ENTAILMENT].sum().item()
                     for source in SORTED) / DRAWS
        count = sum((label[source] == ENTAILMENT).sum().item() for source in SORTED)
        return called, count, beta.ppf(CONFIDENCE, called + 1, count - called)

    most = [t for t in hundredths if t <= found["threshold_factual"] and alarms(t)[2] <= FALSE_ALARMS]
    found["threshold_unfactual"] = most[-1] if most else hundredths[0]
    (work / "calibration.json").write_text(json.dumps(found, indent=2) + "\n")
    print(found)
    for source in SORTED:
        print(f"{source}: evidence kept {{:.2f}}, irrelevant left out {{:.2f}}".format(*sorted_rightly(source, found["threshold_evidence"])))
    print("true claims called unfactual: {:.1f} of {}, at most {:.3f} of them".format(*alarms(found["threshold_unfactual"])))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] == ["--keep"])
