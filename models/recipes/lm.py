"""Trains a small causal language model on the word table of the other models, for CONNER's scores (chen2023, Eq. 3, 5
and 6).

    python lm.py DATA WORK MINUTES      reads WORK/small's word table, writes WORK/lm, or goes on from it if it is there

Each sample is [CLS] before [SEP] text, as crate/nn lays a text out after what it is conditioned on: nothing, a question
before its passage (Eq. 5), or the prompt of Eq. 6 before an answer that stands in its passage.
"""

import math
import random
import sys
from pathlib import Path

import torch
import torch.distributed as dist
from safetensors.torch import load_file
from torch.nn.functional import cross_entropy
from transformers import GPTNeoConfig, GPTNeoForCausalLM

from base import Run, batches, reduced, tokenizer
from data import sentences
from pack import TABLE
from questions import question, texts

RATE, WARM_UP, BATCH, TOKENS = 1.5e-3, 100, 16, 160  # BATCH a process
CLS, SEP = 101, 102
ANSWER_WEIGHT = 4.0
CONFIG = GPTNeoConfig(
    vocab_size=30522,
    hidden_size=384,
    num_layers=2,
    attention_types=[[["global"], 2]],
    num_heads=12,
    intermediate_size=896,
    max_position_embeddings=512,
    resid_dropout=0.0,
    embed_dropout=0.0,
    attention_dropout=0.0,
    bos_token_id=CLS,
    eos_token_id=SEP,
    tie_word_embeddings=True,
)


def begun(table, folder):
    """The model in `folder`, or where there is none an untrained one, on the given word table, which is frozen."""
    model = GPTNeoForCausalLM.from_pretrained(folder) if folder.exists() else GPTNeoForCausalLM(CONFIG)
    words = model.transformer.wte.weight
    if not folder.exists():
        model.transformer.ln_f.weight.data.fill_(0.05)  # the table's rows are long: logits begin small
    words.data.copy_(table)
    words.requires_grad = False
    return model


class Layout:
    """Lays a text out: (number of tokens, their ids, the position at which the answer begins)."""

    def __init__(self, tok):
        self.ids = lambda text: tok.backend_tokenizer.encode(text, add_special_tokens=False).ids

    def __call__(self, item, rng):
        title, text = item
        kind = rng.random()
        parts = sentences(text)
        start = rng.randrange(len(parts))
        shown = " ".join(parts[start : start + rng.choice([1, 1, 2, 4])])
        made = question(parts[start], title, rng) if kind > 0.4 else None
        if made is None:
            ids = [CLS, SEP, *self.ids(shown)]
            answer = len(ids)
        elif kind > 0.6:
            before, answer = f"Passage: {shown}\nQuery: {made[0]}\nAnswer:", self.ids(made[1])
            ids = [CLS, *self.ids(before)[: TOKENS - len(answer) - 2], SEP]
            ids, answer = ids + answer, len(ids)
        else:
            ids = [CLS, *self.ids(made[0]), SEP, *self.ids(shown)]
            answer = len(ids)
        return min(len(ids), TOKENS), ids[:TOKENS], answer


def losses(model, items, rng):
    """(mean loss with answers weighted, mean loss of the texts, of the answers)"""
    _, ids, answers = zip(*items)
    longest = max(map(len, ids))
    x = torch.tensor([s + [0] * (longest - len(s)) for s in ids])
    mask = torch.tensor([[1] * len(s) + [0] * (longest - len(s)) for s in ids])
    shift = torch.tensor(
        [[rng.randint(0, CONFIG.max_position_embeddings - longest) if rng.random() < 0.5 else 0] for _ in ids]
    )
    with reduced():
        states = model.transformer(x, attention_mask=mask, position_ids=torch.arange(longest) + shift).last_hidden_state
        wanted = mask[:, 1:].bool()
        logits = model.lm_head(states[:, :-1][wanted])
    loss = cross_entropy(logits.float(), x[:, 1:][wanted], reduction="none")
    answer = (torch.arange(1, longest) >= torch.tensor(answers)[:, None])[wanted]
    weights = 1 + (ANSWER_WEIGHT - 1) * answer
    return (weights * loss).sum() / weights.sum(), loss[~answer].mean(), loss[answer].mean()


def main(data, work, minutes):
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    first = dist.get_rank() == 0
    model = begun(load_file(work / "small" / "model.safetensors")[TABLE["small"]], work / "lm")
    rng = random.Random(dist.get_rank())
    every = list(texts(data))
    random.Random(0).shuffle(every)
    held, every, lay = every[:400], every[400:], Layout(tokenizer())
    run = Run([{"params": [w for w in model.parameters() if w.requires_grad]}], RATE, WARM_UP, minutes, decay=0.0)
    log = []
    for items in batches(every, BATCH, 0, lay):
        spent = run.spent()
        if spent >= 1:
            break
        loss, *parts = losses(model, items, rng)
        run.step(lambda: loss)
        log.append([part.item() for part in parts])
        if first and run.steps % 100 == 0:
            text, answer = ([x for x in column if not math.isnan(x)] for column in zip(*log[-100:]))
            print(
                run.steps,
                f"text {sum(text) / len(text):.3f}, answers {sum(answer) / max(1, len(answer)):.3f}, {spent:.0%} of the time",
                flush=True,
            )
            model.save_pretrained(work / "lm")
    if first:
        model.save_pretrained(work / "lm")
        model.eval()
        with torch.no_grad():
            found = [
                losses(model, sorted((lay(x, rng) for x in held[i : i + 16]), key=lambda item: item[0]), rng)[1:]
                for i in range(0, 400, 16)
            ]
        print("end", run.steps, "held out: text, answers", torch.tensor(found).nanmean(0).tolist(), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
