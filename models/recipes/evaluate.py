"""Measures a pack on the sets it was never trained on.

    python evaluate.py PACK DATA [SET ...]      prints the tables of the card: how good the scores are, and the verdicts

Works on the shipped weights, restored to f32. ACC is the share of claims on the right side of 0.5, AUR the area under
the ROC curve, ECE the calibration error over 20 bins (guan2024, App. C.1). A claim's facts go into one prompt for the
verifier, and one by one to an NLI model, whose judgments are weighed by how far they are from neutral. "By chance" is
where 95 % of ECEs would lie if each score were the true probability (consistency resampling, Bröcker and Smith 2007).
Claims without a verdict make up the rest of each 100.
"""

import sys
from pathlib import Path

import torch
from sklearn.metrics import roc_auc_score

from base import encode
from data import EVALUATION
from pack import manifest, model, tokenizer
from prompt import prompt
from verifier import scores

BINS = 20
SHARPNESS = 16  # as crate/verify/src/evidence/weigh.rs weighs passages without BM25 scores
TOKENS = 320  # of a pair


def calibration(pack, name):
    """How the scores of an NLI model become verdicts."""
    contents = manifest(pack)
    return contents["calibration"] if name == "nli" else contents["calibrations"][name]


@torch.no_grad()
def nli_logits(model, tok, premises, hypotheses):
    """The logits of each pair, [pairs, 3]."""
    found = [None] * len(premises)
    order = sorted(range(len(premises)), key=lambda i: len(premises[i]))
    for i in range(0, len(order), 16):
        some = order[i : i + 16]
        x = encode(tok, [premises[j] for j in some], [hypotheses[j] for j in some], TOKENS)
        for j, row in zip(some, model(**x).logits):
            found[j] = row
    return torch.stack(found)


def judge(nli, tok, claims):
    """For claims (facts, statement, ...) the logits of each claim's facts, a list of [facts, 3]."""
    logits = nli_logits(nli, tok, [f for c in claims for f in c[0]], [c[1] for c in claims for _ in c[0]])
    return list(logits.split([len(c[0]) for c in claims]))


def asked(verifier, tok, claims):
    """For claims (facts, statement, ...) the verifier's p, [claims]."""
    order = sorted(range(len(claims)), key=lambda i: len(prompt(*claims[i][:2])))
    p = torch.empty(len(claims))
    p[order] = scores(verifier, tok, [prompt(*claims[i][:2]) for i in order], bf16=False)
    return p


def supported(logits, fitted):
    """(score, evidence), each [claims]: the probability of being factual, and that some fact bears on the claim."""
    score, evidence = [], []
    for rows in logits:
        triples = (rows.double() / fitted["nli"]["temperature"]).softmax(-1)
        decisiveness = 1 - triples[:, 1]
        weights = decisiveness**SHARPNESS
        score.append((weights * triples[:, 0] / (triples[:, 0] + triples[:, 2])).sum() / weights.sum())
        evidence.append(decisiveness.max())
    return torch.stack(score), torch.stack(evidence)


def answered(p, fitted):
    """The verifier's p calibrated, [claims]."""
    return torch.sigmoid(
        (torch.logit(p.double(), 1e-9) + fitted["verifier"]["bias"]) / fitted["verifier"]["temperature"]
    )


def calibration_error(p, y):
    bins = (p * BINS).long().clamp(max=BINS - 1)
    return sum(
        (bins == b).float().mean() * (p[bins == b].mean() - y[bins == b].mean()).abs() for b in bins.unique()
    ).item()


def by_chance(p, draws=1000):
    generator = torch.Generator().manual_seed(0)
    errors = torch.tensor([calibration_error(p, torch.bernoulli(p, generator=generator)) for _ in range(draws)])
    return errors.quantile(0.025).item(), errors.quantile(0.975).item()


def verdicts(score, evidence, fitted):
    """(factual, unfactual), each [claims], as crate/verify/src/judge/verdict.rs has them but for "mixed"; neither is no
    evidence."""
    shown = evidence >= fitted["threshold_evidence"]
    return shown & (score >= fitted["threshold_factual"]), shown & (score < fitted["threshold_unfactual"])


def main(pack, data, names):
    models = {name: (model(pack, name), tokenizer(pack, name)) for name in ("nli", "small", "verifier")}
    print("| set | claims | model | ACC | AUR | ECE | by chance |\n|---|---|---|---|---|---|---|", flush=True)
    shares = []
    for name in names or EVALUATION:
        claims = EVALUATION[name](data)
        y = torch.tensor([c[2] for c in claims], dtype=torch.double)
        for which, opened in models.items():
            if which == "verifier":
                score, evidence = answered(asked(*opened, claims), calibration(pack, "nli")), None
            else:
                score, evidence = supported(judge(*opened, claims), calibration(pack, which))
            print(
                f"| {name} | {len(claims)} | {which} | {100 * ((score > 0.5) == (y > 0.5)).double().mean():.1f} "
                f"| {100 * roc_auc_score(y, score):.1f} | {100 * calibration_error(score, y):.1f} "
                f"| {' to '.join(f'{100 * e:.1f}' for e in by_chance(score))} |",
                flush=True,
            )
            if evidence is not None:
                factual, unfactual = verdicts(score, evidence, calibration(pack, which))
                columns = (factual, 1), (unfactual, 1), (unfactual, 0), (factual, 0)
                shares.append(
                    (name, which, *(f"{100 * called[y == truth].double().mean():.1f}" for called, truth in columns))
                )
    print(
        "\n| set | model | true: called factual | called unfactual | false: called unfactual | called factual |"
        "\n|---|---|---|---|---|---|"
    )
    for columns in shares:
        print("|", " | ".join(columns), "|")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
