"""Fine-tunes MPNet into an NLI model of ten times the embedded one's size, the teacher.

    python teacher.py WORK MINUTES [SEED]      reads WORK/*.jsonl, writes WORK/teacher, or goes on from it if it is there

Give a training that goes on another seed, or it sees the same pairs again.
"""

import random
import sys
from collections import Counter
from pathlib import Path

import torch
import torch.distributed as dist
from transformers import AutoTokenizer, MPNetForSequenceClassification

from base import LABELS, load, mpnet, plain
from nli import fine_tune

RATE = 4e-5
FROZEN = 3  # layers at the bottom that stay as they are, as the embeddings do
QUOTA = {"contrast": 12000, "crossed": 4000, "facts": 1000, "irrelevant": 2500}  # pairs made by rule: a rule is soon learnt


def tokenizer(work):
    return plain(AutoTokenizer.from_pretrained(mpnet(work)))


def teacher_model(work):
    folder = work / "teacher"
    model = MPNetForSequenceClassification.from_pretrained(
        folder if folder.exists() else mpnet(work), num_labels=3, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
        attn_implementation="eager", id2label=dict(enumerate(LABELS)), label2id={name: i for i, name in enumerate(LABELS)})
    for weight in [*model.mpnet.embeddings.parameters(), *model.mpnet.encoder.layer[:FROZEN].parameters()]:
        weight.requires_grad = False
    return model


def chosen(pairs):
    taken, kept = Counter(), []
    for p in random.Random(0).sample(pairs, len(pairs)):
        taken[p["source"]] += 1
        if taken[p["source"]] <= QUOTA.get(p["source"], len(pairs)):
            kept.append(p)
    return kept


def main(work, minutes, seed):
    dist.init_process_group("gloo")
    torch.manual_seed(seed)
    if dist.get_rank() == 0:
        mpnet(work)
    dist.barrier()
    model = teacher_model(work)
    groups = [{"params": [w for w in model.mpnet.parameters() if w.requires_grad]},
              {"params": list(model.classifier.parameters()), "scale": 5}]
    fine_tune(model, tokenizer(work), groups, RATE, chosen(load(work, "train")), seed, work, work / "teacher", minutes)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
