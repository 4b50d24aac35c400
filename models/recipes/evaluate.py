"""Measures a pack on the sets it was never trained on.

    python evaluate.py PACK DATA [SET ...]      prints the tables of the card: how good the scores are, and the verdicts

Works on the shipped int8 weights, restored to f32. ACC is the share of claims on the right side of 0.5, AUR the area under the ROC
curve, ECE the calibration error over 20 bins (guan2024, App. C.1). A claim's facts go into one prompt for the verifier, and one by
one to the NLI model, whose judgments are weighed by how far they are from neutral. "By chance" is where 95 % of ECEs would lie
if each score were the true probability (consistency resampling, Bröcker and Smith 2007). Claims without a verdict make up the rest of each 100.
"""

import json
import sys
from pathlib import Path

import torch
from sklearn.metrics import roc_auc_score
from transformers import PreTrainedTokenizerFast

from data import EVALUATION
from nli import encode
from pack import model
from prompt import prompt
from verifier import scores

BINS = 20
SHARPNESS = 16  # as crate/verify/src/verdict.rs weighs passages without BM25 scores


def open_tokenizer(pack):
    return PreTrainedTokenizerFast(tokenizer_file=str(pack / "tokenizer.json"), pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]",
                                   model_input_names=["input_ids", "token_type_ids", "attention_mask"])


def open_pack(pack):
    """(verifier, nli, tokenizer)"""
    return model(pack, "verifier"), model(pack, "nli"), open_tokenizer(pack)


@torch.no_grad()
def nli_logits(model, tok, premises, hypotheses):
    """[pairs, 3]"""
    found = [None] * len(premises)
    order = sorted(range(len(premises)), key=lambda i: len(premises[i]))
    for i in range(0, len(order), 16):
        some = order[i:i + 16]
        x = encode(tok, [premises[j] for j in some], [hypotheses[j] for j in some], 256)
        for j, row in zip(some, model(**x).logits):
            found[j] = row
    return torch.stack(found)


def judge(opened, claims):
    """For claims (facts, statement, ...): the verifier's p [claims] and the NLI logits of each claim's facts, a list of [facts, 3]."""
    verifier, nli, tok = opened
    order = sorted(range(len(claims)), key=lambda i: len(prompt(*claims[i][:2])))
    p = torch.empty(len(claims))
    p[order] = scores(verifier, tok, [prompt(*claims[i][:2]) for i in order], bf16=False)
    logits = nli_logits(nli, tok, [f for c in claims for f in c[0]], [c[1] for c in claims for _ in c[0]])
    return p, list(logits.split([len(c[0]) for c in claims]))


def calibrated(p, logits, calibration):
    """(verifier, nli, both, evidence), each [claims]: probabilities of being factual, and that some fact bears on the claim."""
    fit = calibration["verifier"]
    verifier = torch.sigmoid((torch.logit(p.double(), 1e-9) + fit["bias"]) / fit["temperature"])
    nli, evidence = [], []
    for rows in logits:
        triples = (rows.double() / calibration["nli"]["temperature"]).softmax(-1)
        decisiveness = 1 - triples[:, 1]
        weights = decisiveness**SHARPNESS
        nli.append((weights * triples[:, 0] / (triples[:, 0] + triples[:, 2])).sum() / weights.sum())
        evidence.append(decisiveness.max())
    nli, w = torch.stack(nli), calibration["weight_verifier"]
    return verifier, nli, w * verifier + (1 - w) * nli, torch.stack(evidence)


def calibration_error(p, y):
    bins = (p * BINS).long().clamp(max=BINS - 1)
    return sum((bins == b).float().mean() * (p[bins == b].mean() - y[bins == b].mean()).abs() for b in bins.unique()).item()


def by_chance(p, draws=1000):
    generator = torch.Generator().manual_seed(0)
    errors = torch.tensor([calibration_error(p, torch.bernoulli(p, generator=generator)) for _ in range(draws)])
    return errors.quantile(0.025).item(), errors.quantile(0.975).item()


def verdicts(score, evidence, calibration):
    """(factual, unfactual), each [claims], as crate/verify/src/verdict.rs has them; neither is no evidence."""
    shown = evidence >= calibration["threshold_evidence"]
    return shown & (score >= calibration["threshold_factual"]), shown & (score < calibration["threshold_unfactual"])


def main(pack, data, names):
    opened, calibration = open_pack(pack), json.loads((pack / "pack.json").read_text())["calibration"]
    print("| set | claims | model | ACC | AUR | ECE | by chance |\n|---|---|---|---|---|---|---|", flush=True)
    shares = []
    for name in names or EVALUATION:
        claims = EVALUATION[name](data)
        y = torch.tensor([c[2] for c in claims], dtype=torch.double)
        *scores, evidence = calibrated(*judge(opened, claims), calibration)
        for model, p in zip(("verifier", "NLI", "both"), scores):
            print(f"| {name} | {len(claims)} | {model} | {100 * ((p > 0.5) == (y > 0.5)).double().mean():.1f} "
                  f"| {100 * roc_auc_score(y, p):.1f} | {100 * calibration_error(p, y):.1f} "
                  f"| {' to '.join(f'{100 * e:.1f}' for e in by_chance(p))} |", flush=True)
        factual, unfactual = verdicts(scores[-1], evidence, calibration)
        columns = (factual, 1), (unfactual, 1), (unfactual, 0), (factual, 0)
        shares.append((name, *(100 * called[y == truth].double().mean() for called, truth in columns)))
    print("\n| set | true: called factual | called unfactual | false: called unfactual | called factual |\n|---|---|---|---|---|")
    for name, *columns in shares:
        print(f"| {name} |", " | ".join(f"{share:.1f}" for share in columns), "|")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
