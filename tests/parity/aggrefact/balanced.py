"""Balanced accuracy by data set and in the mean, by scikit-learn, of random scores of made rows.

    python tests/parity/aggrefact/balanced.py

(needs scikit-learn; rewrites balanced.json.) crate/eval/src/statements/datasets.rs asserts the same.
"""

import json
from pathlib import Path

import numpy
from sklearn.metrics import balanced_accuracy_score

rng = numpy.random.default_rng(32)
rows, balanced = [], {}
for name, size, share in [("AggreFact-CNN", 40, 0.85), ("ClaimVerify", 25, 0.6), ("RAGTruth", 60, 0.9), ("Wice", 12, 0.3)]:
    label = (rng.random(size) < share).astype(int)
    label[:2] = 0, 1
    p = numpy.clip(rng.normal(0.4 + 0.25 * label, 0.25), 0, 1).round(2)
    p[2] = 0.5  # calls nothing supported
    rows += [(name, bool(truth), float(score)) for truth, score in zip(label, p)]
    balanced[name] = balanced_accuracy_score(label, p > 0.5)
golden = {"rows": rows, "balanced": balanced, "mean": float(numpy.mean(list(balanced.values())))}
Path(__file__).with_suffix(".json").write_text(json.dumps(golden) + "\n")
print(balanced, golden["mean"])
