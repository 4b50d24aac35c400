"""Fine-tunes MPNet into an NLI model of ten times the embedded one's size, the teacher.

    python teacher.py WORK MINUTES      reads WORK/*.jsonl, writes WORK/teacher, or goes on from it if it is there
"""

import random
import sys
from collections import Counter
from pathlib import Path

import torch
import torch.distributed as dist
from torch.nn.functional import cross_entropy
from transformers import AutoTokenizer, MPNetForSequenceClassification

from base import LABELS, Run, batches, load, mpnet, plain
from nli import lay, report

RATE, WARM_UP, BATCH, TOKENS = 4e-5, 60, 24, 144  # BATCH a process
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


def main(work, minutes):
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    first = dist.get_rank() == 0
    if first:
        mpnet(work)
    dist.barrier()
    tok, model = tokenizer(work), teacher_model(work)
    held = load(work, "calibration")[:600]
    body = [w for w in model.mpnet.parameters() if w.requires_grad]
    run = Run([{"params": body}, {"params": list(model.classifier.parameters()), "scale": 5}], RATE, WARM_UP, minutes)
    model.train()
    losses = []
    for batch in batches(chosen(load(work, "train")), BATCH, 0, lay):
        spent = run.spent()
        if spent >= 1:
            break
        _, premises, hypotheses, labels = zip(*batch)
        x = tok(list(premises), list(hypotheses), truncation="only_first", max_length=TOKENS, padding=True, pad_to_multiple_of=16,
                return_tensors="pt")
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(**x).logits
        loss = cross_entropy(logits.float(), torch.stack(labels))
        run.step(loss)
        losses.append(loss.item())
        if first and run.steps % 100 == 0:
            print(run.steps, f"loss {sum(losses[-100:]) / 100:.3f}, {spent:.0%} of the time", flush=True)
        if first and run.steps % 500 == 0:
            model.save_pretrained(work / "teacher")
    if first:
        model.save_pretrained(work / "teacher")
        print("end", run.steps, report(model, tok, held), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
