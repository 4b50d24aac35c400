"""Adapters for the NLI model: each adds to a matrix of its upper layers the product of two thin ones.

    python adapt.py WORK MINUTES PACK [SEED]     reads WORK/claims/train.jsonl (retrieved.py) and PACK's NLI model, writes
                                                 WORK/adapter/model.safetensors

The model stays as it is stored. Trained on itself at a low rate it would stay so too: a weight would have to move half
a step of its 4 bits to be stored as another. The lowest eight layers have no adapters, for the head that marks words
reads the states above them (marks.py). A run that was cut off goes on from its last checkpoint.
"""

import os
import sys
import time
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

from base import DEVICE, IS_ON_GPU, load, made_ahead, moved, reduced
from marks import LAYER
from nli import Batches, loss_of
from pack import model, tokenizer
from quantise import ADAPTER

RANK = 16
RATE = 4e-4
WARM_UP, LEAST = 30, 0.01
EVERY = 300  # seconds from checkpoint to checkpoint


class Adapted(nn.Module):
    """A linear layer with an adapter. Its `outputs` are zeros at first, so it begins as the layer by itself."""

    def __init__(self, linear):
        super().__init__()
        self.linear = linear
        self.inputs = nn.Parameter(torch.randn(RANK, linear.in_features) / linear.in_features**0.5)
        self.outputs = nn.Parameter(torch.zeros(RANK, linear.out_features))

    def forward(self, x):
        return self.linear(x) + x @ self.inputs.T.to(x.dtype) @ self.outputs.to(x.dtype)


def adapt(nli):
    """Puts adapters into a model, which else stays as it is: {name of the matrix: its layer}."""
    nli.requires_grad_(False)
    layers = {name: module for name, module in nli.named_modules() if isinstance(module, nn.Linear)}
    found = {}
    for name, layer in layers.items():
        is_low = name.startswith("mpnet.encoder.layer.") and int(name.split(".")[3]) < LAYER
        if not is_low and layer.out_features >= RANK:
            owner, _, last = name.rpartition(".")
            found[f"{name}.weight"] = Adapted(layer)
            setattr(nli.get_submodule(owner), last, found[f"{name}.weight"])
    return found


def main(work, minutes, pack, seed):
    if not IS_ON_GPU:
        torch.set_num_threads(len(os.sched_getaffinity(0)))
    torch.manual_seed(seed)
    nli, folder, state = model(pack, "nli"), work / "adapter", work / f"adapter.{seed}.state.pt"
    adapters = adapt(nli)
    nli.to(DEVICE).train()
    weights = [weight for weight in nli.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=RATE, weight_decay=0.0)
    steps = seen = 0
    before = 0.0  # seconds that earlier parts of this run took
    if state.exists():
        was = torch.load(state)
        optimiser.load_state_dict(was["optimiser"])
        for weight, value in zip(weights, was["weights"]):
            weight.data.copy_(value)
        steps, seen, before = was["steps"], was["seen"], was["spent"]

    def save():
        folder.mkdir(exist_ok=True)
        sides = {
            name + side: getattr(adapter, side[1:]).detach().cpu().contiguous()
            for name, adapter in adapters.items()
            for side in ADAPTER
        }
        save_file(sides, folder / "model.safetensors")
        spent = before + time.time() - start
        found = {"optimiser": optimiser.state_dict(), "weights": weights, "steps": steps, "seen": seen, "spent": spent}
        torch.save(found, state.with_suffix(".new"))
        state.with_suffix(".new").replace(state)

    start = saved = time.time()
    losses = []
    pairs = Batches(tokenizer(pack, "nli"), load(work / "claims", "train"), f"{seed} {steps}")
    for ids, mask, labels in map(moved, made_ahead(pairs)):
        share = (before + time.time() - start) / 60 / minutes
        if share >= 1:
            break
        with reduced():
            logits = nli(input_ids=ids, attention_mask=mask).logits
        loss_of(logits, labels).backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, (steps + 1) / WARM_UP) * max(LEAST, 1 - share)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        steps, seen = steps + 1, seen + len(ids)
        losses.append(loss_of(logits, labels).detach())
        if steps % 25 == 0:
            mean = torch.stack(losses[-50:]).mean()
            print(steps, f"{seen} pairs, loss {mean:.3f}, {share:.0%} of the time", flush=True)
        if time.time() - saved > EVERY:
            save()
            saved = time.time()
    save()
    print("end", steps, seen, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 0)
