"""Trains the head that marks the wrong words of a contradicted statement: one linear layer over each token's state in
the NLI model, which itself stays as it is.

    python marks.py WORK PACK     reads WORK/swaps-train.jsonl, WORK/swaps-held.jsonl and PACK's NLI model, writes
                                  WORK/marks/model.safetensors and the marks' F1 on pages kept apart

A head on a middle layer is the best: the states of higher layers represent the whole pair rather than the word. Fitted
on 2,400 rows, layer 8 gave an F1 of 82, layers 9 to 12 gave 77 and 78.
"""

import json
import random
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch.nn.functional import binary_cross_entropy_with_logits

from base import load, reduced
from data import titled
from pack import model, tokenizer

LAYER = 8
ROWS = 6000  # read at most
CHOOSING = 10  # one row in so many chooses the threshold
TOKENS = 4096  # of a batch
LONGEST = 256  # tokens of a pair
RATE, DECAY, EPOCHS, TOKENS_A_STEP = 2e-3, 0.05, 10, 512
KINDS = ["swap", "date", "number", "other unit", "turned", "who", "negation", "factor", "wikifactcheck"]


@torch.no_grad()
def states(nli, tok, rows):
    """For each row the states of the statement's tokens, [tokens, width], their places, and whether each is wrong."""
    read = [
        tok(
            titled(r["title"], r["premise"]),
            r["hypothesis"],
            truncation="only_first",
            max_length=LONGEST,
            return_offsets_mapping=True,
        )
        for r in rows
    ]
    order = sorted(range(len(rows)), key=lambda i: -len(read[i]["input_ids"]))
    found = [None] * len(rows)
    while order:
        longest = len(read[order[0]]["input_ids"])
        batch, order = order[: TOKENS // longest], order[TOKENS // longest :]
        ids = torch.full((len(batch), longest), tok.pad_token_id)
        mask = torch.zeros_like(ids)
        for row, i in enumerate(batch):
            n = len(read[i]["input_ids"])
            ids[row, :n], mask[row, :n] = torch.tensor(read[i]["input_ids"]), 1
        with reduced():
            state = nli.mpnet(input_ids=ids, attention_mask=mask).last_hidden_state
        for row, i in enumerate(batch):
            tokens = [t for t, text in enumerate(read[i].sequence_ids(0)) if text == 1]
            places = [read[i]["offset_mapping"][t] for t in tokens]
            wrong = [float(any(s < end and e > start for start, end in rows[i]["marks"])) for s, e in places]
            found[i] = state[row, tokens].half(), places, wrong
        print(f"\r{len(rows) - len(order)} of {len(rows)}", end="", file=sys.stderr)
    return found


def fitted(rows):
    """The head's weights, [1, width], and bias, [1], fitted on standardised states."""
    x, y = torch.cat([r[0].float() for r in rows]), torch.tensor([w for r in rows for w in r[2]])
    mean, deviation = x.mean(0), x.std(0) + 1e-3
    x = (x - mean) / deviation
    head = torch.nn.Linear(x.shape[1], 1)
    optimiser = torch.optim.AdamW(head.parameters(), lr=RATE, weight_decay=DECAY)
    for _ in range(EPOCHS):
        for some in torch.randperm(len(x)).split(TOKENS_A_STEP):
            binary_cross_entropy_with_logits(head(x[some])[:, 0], y[some]).backward()
            optimiser.step()
            optimiser.zero_grad()
    weight = head.weight.detach() / deviation
    return weight, head.bias.detach() - weight @ mean


def words(text, places):
    """The tokens of each word: those without a gap between them."""
    found, last = [], None
    for token, (start, end) in enumerate(places):
        if found and start == last:
            found[-1].append(token)
        elif any(c.isalnum() for c in text[start:end]):
            found.append([token])
        last = end
    return found


def f1(pairs):
    """100 times F1 of (marked, wrong) pairs."""
    both = sum(a and b for a, b in pairs)
    return 200 * both / max(1, sum(a + b for a, b in pairs))


def judged(rows, found, weight, bias):
    """For each row its kind and (logit, is wrong) of each word; a word's logit is the maximum of its tokens'."""
    for row, (x, places, wrong) in zip(rows, found):
        logits = (x.float() @ weight.T + bias)[:, 0].tolist()
        by_word = words(row["hypothesis"], places)
        yield row["kind"], [(max(logits[t] for t in word), any(wrong[t] for t in word)) for word in by_word]


def marked(each, least=0.0):
    """(marked, wrong) of each word: it is marked if its logit is at least `least`, or the row's highest."""
    least = min(least, max((logit for logit, _ in each), default=least))
    return [(logit >= least, is_wrong) for logit, is_wrong in each]


def main(work, pack):
    torch.manual_seed(0)
    rng = random.Random(0)
    nli, tok = model(pack, "nli"), tokenizer(pack, "nli")
    nli.mpnet.encoder.layer = nli.mpnet.encoder.layer[:LAYER]
    train, held = ([r for r in load(work, f"swaps-{name}") if r["kind"] in KINDS] for name in ("train", "held"))
    train = rng.sample(train, min(ROWS, len(train)))
    found = states(nli, tok, train)
    n = len(train) // CHOOSING
    weight, bias = fitted(found[n:])
    choosing = [each for _, each in judged(train[:n], found[:n], weight, bias)]
    bias -= max((t / 10 for t in range(-10, 21)), key=lambda t: f1([p for each in choosing for p in marked(each, t)]))
    (work / "marks").mkdir(exist_ok=True)
    save_file({"marks.weight": weight, "marks.bias": bias}, work / "marks/model.safetensors")
    by_kind = {}
    for kind, each in judged(held, states(nli, tok, held), weight, bias):
        by_kind.setdefault(kind, []).extend(marked(each))
    figures = {"all": f1([p for pairs in by_kind.values() for p in pairs]), **{k: f1(p) for k, p in by_kind.items()}}
    print(json.dumps({kind: round(figure, 1) for kind, figure in figures.items()}))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
