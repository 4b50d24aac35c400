"""Weights in fewer bits than f32: int8 with a scale for each row, and 4 bits in blocks of 32 along a row with a scale
for each block.

A matrix X is stored as X and X.scale: I8 [rows, cols] and F32 [rows], or U8 [rows, cols / 2] and F16 [rows, cols /
32], where a weight is (q - 8) * scale for q in 0..15, two in a byte, the first in the low half. Vectors and narrow
matrices stay F32.
"""

import torch
from safetensors.torch import load_file

NARROW = 64  # a matrix with a side shorter than this stays F32
BLOCK = 32
ZERO = 8  # what a 4-bit weight of zero is stored as
EXTREMES = (
    4,
    5,
    6,
    8,
    7,
    7.25,
    7.5,
    7.75,
    8.25,
    8.5,
    9,
    9.5,
)  # the steps that a block's extreme weight may have before its scale is fitted
ADAPTER = (".inputs", ".outputs")
PLACES = ("position_embeddings.weight", "wpe.weight")  # tables of places are small: they stay F16
OUTLIERS = ".wo.weight"  # a T5's inputs of this matrix have outliers: it stays int8


def quantise(weight):
    """f32 [rows, cols] -> (int8 [rows, cols], f32 scale [rows]); weight is about q * scale."""
    scale = weight.abs().amax(1).clamp_min(1e-12) / 127
    return (weight / scale[:, None]).round().clamp(-127, 127).to(torch.int8), scale


def dequantise(q, scale):
    return q.float() * scale[:, None]


def to_int4(weight):
    """f32 [rows, cols] -> (bytes [rows, cols / 2], f16 scale [rows, cols / 32]).

    Each block tries several scales, each fitted to the steps that it gives, and takes the one with the least squared
    error."""
    blocks = weight.float().unflatten(1, (-1, BLOCK))  # [rows, blocks, 32]
    extreme = blocks.gather(-1, blocks.abs().argmax(-1, keepdim=True))
    least = torch.full_like(extreme, torch.inf)
    steps, scale = torch.zeros_like(blocks), torch.zeros_like(extreme)
    for most in EXTREMES:
        first = extreme / -most
        q = (blocks / torch.where(first == 0, 1, first)).round().clamp(-ZERO, ZERO - 1)
        fitted = ((blocks * q).sum(-1, keepdim=True) / (q * q).sum(-1, keepdim=True).clamp_min(1)).half().float()
        error = (blocks - q * fitted).square().sum(-1, keepdim=True)
        better = error < least
        least, scale, steps = (
            torch.where(better, error, least),
            torch.where(better, fitted, scale),
            torch.where(better, q, steps),
        )
    codes = (steps + ZERO).to(torch.uint8).flatten(1)
    return codes[:, ::2] | codes[:, 1::2] << 4, scale.squeeze(-1).half()


def from_int4(packed, scale):
    codes = torch.stack([packed & 15, packed >> 4], -1).flatten(1).float() - ZERO
    return (codes.unflatten(1, (-1, BLOCK)) * scale.float().unsqueeze(-1)).flatten(1)


def is_wide(name, tensor):
    return tensor.dim() == 2 and (min(tensor.shape) >= NARROW or name.endswith(ADAPTER))


def is_int4(name, tensor):
    """Whether `stored` rounds a tensor to 4 bits."""
    return is_wide(name, tensor) and not name.endswith((*ADAPTER, *PLACES, OUTLIERS))


class Rounding:
    """A context in which a model's matrices have their 4-bit values, with the scales of the start, for
    quantisation-aware training: the gradient at the rounded values updates the exact ones (straight-through estimator,
    Bengio et al. 2013). Matrices that are not trained are rounded permanently."""

    def __init__(self, model):
        wide = [weight for name, weight in model.named_parameters() if is_int4(name, weight)]
        for weight in wide:
            if not weight.requires_grad:
                weight.data = from_int4(*to_int4(weight.data))
        self.matrices = [weight for weight in wide if weight.requires_grad]
        self.scales = [to_int4(weight.data)[1].float().unsqueeze(-1) for weight in self.matrices]

    @torch.no_grad()
    def __enter__(self):
        self.exact = [weight.detach().clone() for weight in self.matrices]
        for weight, scale in zip(self.matrices, self.scales):
            blocks = weight.unflatten(1, (-1, BLOCK))
            steps = (blocks / torch.where(scale == 0, 1, scale)).round_().clamp_(-ZERO, ZERO - 1)
            weight.copy_(steps.mul_(scale).flatten(1))

    @torch.no_grad()
    def __exit__(self, *_):
        for weight, exact in zip(self.matrices, self.exact):
            weight.copy_(exact)


def stored(tensors):
    """Tensors as a file stores them."""
    out = {}
    for name, tensor in tensors.items():
        if name.endswith(PLACES):
            out[name] = tensor.half().contiguous()
        elif is_wide(name, tensor):
            how = quantise if name.endswith((*ADAPTER, OUTLIERS)) else to_int4
            out[name], out[name + ".scale"] = how(tensor.float())
        else:
            out[name] = tensor.float().contiguous()
    return out


FROM = {torch.int8: dequantise, torch.uint8: from_int4}


def restored(path):
    """The f32 tensors of a file."""
    tensors = load_file(path)
    return {
        name: FROM[t.dtype](t, tensors[name + ".scale"]) if t.dtype in FROM else t.float()
        for name, t in tensors.items()
        if not name.endswith(".scale")
    }
