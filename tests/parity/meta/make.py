"""Makes golden.json: what scikit-learn, SciPy and statsmodels measure on random scores and labels, and fit to them.

    python tests/parity/meta/make.py

needs `pip install scikit-learn scipy statsmodels`. crate/eval/tests/measures.rs asserts the same of evident_eval::measures. The calibration
error is in neither library: here it is numpy's, over 20 bins (guan2024, App. C.1).
"""

import json
from itertools import combinations
from pathlib import Path

import numpy
import scipy
import sklearn
import statsmodels
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax
from scipy.stats import beta, pearsonr, somersd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (accuracy_score, average_precision_score, cohen_kappa_score, precision_recall_curve, precision_score, recall_score,
                             roc_auc_score, roc_curve)
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

OUT = Path(__file__).with_name("golden.json")
BINS, NEITHER = 20, 2


def calibration_error(p, y):
    bins = numpy.minimum((p * BINS).astype(int), BINS - 1)
    return sum((bins == b).mean() * abs(p[bins == b].mean() - y[bins == b].mean()) for b in numpy.unique(bins))


def of_class(measure, y, called, label):
    return measure(y, called, labels=[label], average=None, zero_division=numpy.nan)[0]


def measured(p, y):
    """Shares; NaN where there is none."""
    called = numpy.where(p > 0.5, 1, numpy.where(p < 0.5, 0, NEITHER))
    somers = somersd(y, p)
    return {
        "ece": calibration_error(p, y),
        "acc": accuracy_score(y, called),
        "precision_factual": of_class(precision_score, y, called, 1),
        "recall_factual": of_class(recall_score, y, called, 1),
        "precision_unfactual": of_class(precision_score, y, called, 0),
        "recall_unfactual": of_class(recall_score, y, called, 0),
        "aur": roc_auc_score(y, p),
        "aup": average_precision_score(y, p),
        "r": pearsonr(p, y).statistic,
        "somers_d": somers.statistic,
        "somers_p": somers.pvalue,
    }


def curves(p, y):
    wrong, right, _ = roc_curve(y, p, drop_intermediate=False)
    precision, recall, _ = precision_recall_curve(y, p)
    return {"roc": numpy.stack([wrong, right], 1).tolist(), "precision_recall": numpy.stack([recall, precision], 1)[::-1].tolist()}


def binary(rng, n, share, digits):
    """Scores of n rows, of which about `share` is factual; few digits make ties."""
    y = (rng.random(n) < share).astype(int)
    y[:2] = 0, 1
    return numpy.clip(rng.normal(0.45 + 0.2 * y, 0.25), 0, 1).round(digits), y


def graded(rng, n, levels):
    """Two ordered ratings that go together somewhat, as chen2023 sets a metric against ratings of 0, 1, 2."""
    x = rng.integers(0, levels, n)
    y = numpy.round(x + rng.normal(0, levels, n), 1)
    return x.astype(float), y


def clipped(rng, n):
    """Ratings of 0, 1 and 2 and a score that is 0 for most, as helpfulness is, which go against each other."""
    x = rng.integers(0, 3, n)
    y = numpy.maximum(0, rng.normal(-0.5 * x, 0.5)).round(2)
    return x.astype(float), y


def raters(rng, items, people, labels):
    """What several people say of the same items: the truth, mostly."""
    truth = rng.integers(0, labels, items)[:, None]
    ratings = numpy.where(rng.random((items, people)) < 0.7, truth, rng.integers(0, labels, (items, people)))
    kappas = [cohen_kappa_score(ratings[:, a], ratings[:, b]) for a, b in combinations(range(people), 2)]
    return {"ratings": ratings.tolist(), "fleiss": fleiss_kappa(aggregate_raters(ratings)[0]), "cohen": kappas[0],
            "average": numpy.mean(kappas)}


def upper_bounds():
    """(counted, of, confidence, Clopper and Pearson's upper bound)."""
    made = [(0, 20, 0.95), (1, 100, 0.95), (17, 485, 0.95), (32, 892, 0.95), (19, 20, 0.9), (3, 3, 0.95)]
    return [(k, n, level, 1.0 if k == n else beta.ppf(level, k + 1, n - k)) for k, n, level in made]


def fits(rng):
    """Logits of three labels that are too sure with the temperature that mends them, and a score with its regression."""
    labels = rng.integers(0, 3, 400)
    logits = 4 * (numpy.eye(3)[labels] + rng.normal(0, 0.7, (400, 3)))
    loss = lambda log: -log_softmax(logits / numpy.exp(log), axis=1)[numpy.arange(400), labels].mean()
    temperature = numpy.exp(minimize_scalar(loss, bounds=(-3, 3), method="bounded", options={"xatol": 1e-10}).x)
    y = rng.integers(0, 2, 300)
    x = rng.normal(3 * y - 0.5, 2)
    line = LogisticRegression(C=numpy.inf, tol=1e-12, max_iter=10_000).fit(x[:, None], y)
    return {"logits": logits.tolist(), "labels": labels.tolist(), "temperature": temperature, "x": x.tolist(), "y": y.tolist(),
            "slope": line.coef_[0, 0], "intercept": line.intercept_[0]}


def plain(value):
    return {k: None if numpy.isnan(v) else float(v) for k, v in value.items()}


def main():
    rng = numpy.random.default_rng(2024)
    rows = []
    for n, share, digits in [(2, 0.5, 3), (7, 0.5, 1), (40, 0.3, 1), (40, 0.9, 6), (193, 0.67, 2), (193, 0.67, 1), (300, 0.05, 6), (568, 0.27, 3)]:
        p, y = binary(rng, n, share, digits)
        row = {"p": p.tolist(), "y": y.tolist(), "measures": plain(measured(p, y))}
        rows.append(row | curves(p, y) if n <= 200 else row)
    pairs = []
    made = [graded(rng, n, levels) for n, levels in [(5, 2), (30, 3), (200, 3), (120, 40)]] + [clipped(rng, n) for n in (12, 80, 400)]
    for x, y in made:
        forth, back = somersd(x, y), somersd(y, x)
        pairs.append({"x": x.tolist(), "y": y.tolist(), "r": pearsonr(x, y).statistic, "r_p": pearsonr(x, y).pvalue, "forth": [forth.statistic, forth.pvalue],
                      "back": [back.statistic, back.pvalue]})
    golden = {"sklearn": sklearn.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__, "rows": rows, "pairs": pairs,
              "raters": [raters(rng, *shape) for shape in [(12, 2, 2), (50, 3, 3), (400, 5, 3)]],
              "upper_bounds": upper_bounds(), "fits": fits(rng)}
    OUT.write_text(json.dumps(golden) + "\n")


if __name__ == "__main__":
    main()
