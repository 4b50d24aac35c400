"""Low-rank adapters of the small NLI model for CONNER's relevance and coherence (chen2023, Eq. 2 and 4): the outer
products of a few rows are added to each of its matrices (Hu et al. 2021).

    python adapters.py DATA WORK MINUTES      reads WORK/small, writes WORK/embedder and WORK/discourse, or goes on
                                              from the latter

The embedder's are solved, not trained: the NLI model began as the published MiniLM, a bi-encoder, and its training has
changed it only a little. The discourse model's are trained to tell a paragraph from its sentences in another order, as
Jwalapuram et al. do, and to tell which sentences follow the one before, which gives more labels to learn from.
"""

import gzip
import random
import re
import sys
from html import unescape
from pathlib import Path

import torch
import torch.distributed as dist
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, softplus
from transformers import BertModel

from base import Run, batches, minilm, reduced, share_table, small_model, tokenizer
from data import rows, sentences, tidy
from quantise import from_int4, to_int4
from questions import held as left_out

PARTS = [
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
]
RANK = {"embedder": 4, "discourse": 8}
RATE, WARM_UP, BATCH, TOKENS = 1e-3, 60, 12, 224  # BATCH paragraphs a process
DOC = Path("/usr/share")
DEMO = Path(__file__).parents[2] / "tests/data/passages.jsonl"
CLS, SEP = 101, 102


# ---- the embedder ----


def matrices(bert):
    """The name and the layer of every matrix that may have an adapter."""
    names = [f"encoder.layer.{i}.{part}" for i in range(len(bert.encoder.layer)) for part in PARTS]
    return [(name, bert.get_submodule(name)) for name in [*names, "pooler.dense"]]


@torch.no_grad()
def moments(bert, tok, texts):
    """The second moments of each matrix's inputs, [inputs, inputs], over all tokens of the texts."""
    found, hooks = {}, []
    for name, layer in matrices(bert):

        def add(layer, inputs, output, name=name):
            x = inputs[0].reshape(-1, inputs[0].shape[-1])
            found[name] = found.get(name, 0) + x.T @ x

        hooks.append(layer.register_forward_hook(add))
    for i in range(0, len(texts), 16):
        bert(**tok(texts[i : i + 16], truncation=True, max_length=TOKENS, padding=True, return_tensors="pt"))
    for hook in hooks:
        hook.remove()
    return found


def factors(delta, moment, rank):
    """A low-rank approximation of `delta`, [outputs, inputs], on such inputs: rows [rank, inputs] and [rank, outputs],
    whose outer products are summed.

    It is the best one in the Frobenius norm of delta C^(1/2), where C is the second moment of the inputs.
    """
    values, vectors = torch.linalg.eigh(moment / moment.diagonal().mean())
    values = values.clamp_min(1e-4)
    u, s, v = torch.linalg.svd(delta @ (vectors * values.sqrt()), full_matrices=False)
    scale = s[:rank, None].sqrt()
    return scale * v[:rank] / values.sqrt() @ vectors.T, scale * u[:, :rank].T


def solve_embedder(trunk, tok, texts, rank):
    """The adapters that lead from `trunk` back to the published MiniLM, on the same word table."""
    published = BertModel.from_pretrained(minilm())
    share_table(published.embeddings)
    published.eval()
    seen, wanted = moments(published, tok, texts), dict(matrices(published))
    tensors = {}
    for name, layer in matrices(trunk):
        if name != "pooler.dense":
            inputs, outputs = factors(wanted[name].weight.data - layer.weight.data, seen[name], rank)
            tensors |= {
                f"bert.{name}.weight.inputs": inputs.contiguous(),
                f"bert.{name}.weight.outputs": outputs.contiguous(),
            }
    return tensors


# ---- the discourse model ----


def pages(*patterns):
    """Paragraphs of HTML that Debian's packages install."""
    for path in sorted(path for pattern in patterns for path in DOC.glob(pattern)):
        text = path.read_bytes().decode("utf-8", "replace")
        for found in re.finditer(
            r'<(p|div class="para")[^>]*>(.*?)(?=</p>|</div>|<p[ >]|<h\d|<ul|<pre|<table)', text, re.S | re.I
        ):
            yield " ".join(unescape(re.sub(r"<[^>]+>", "", found[2])).split())


def foldoc():
    """Paragraphs of the Free On-line Dictionary of Computing, without its marks."""
    for path in DOC.glob("dictd/foldoc.dict.dz"):
        for block in re.split(r"\n\s*\n", gzip.open(path).read().decode()):
            text = re.sub(r"[{}]", "", " ".join(block.split()))
            if not re.search(r"%%%|Copyright", text):
                yield re.sub(r"^<[^>]*> | ?\(\d{4}-\d\d-\d\d\)$| ?\[\"[^\]]*\]", "", text)


def articles(data):
    """Stretches of eight sentences of WiCE's articles."""
    seen = set()
    for row in rows(data / "nli/wice_dev.jsonl"):
        parts = [
            s
            for s in sentences(tidy(row["premise"].replace("(meta data)", "")))
            if 5 <= len(s.split()) < 60 and "#" not in s and "TITLE" not in s and s not in seen
        ]
        seen.update(parts)
        for start in range(0, len(parts) - 3, 8):
            yield " ".join(parts[start : start + 8])


def paragraphs(data, rng):
    """Lists of at least three distinct sentences in the order of a paragraph; the paragraphs most like Wikipedia's come
    several times."""
    qed = [
        tidy(r["text"])
        for r in rows(data / "corpus/passages.jsonl")
        if r["source"] == "qed" and not left_out(r["text"])
    ]
    demo = [r["text"] for r in rows(DEMO) if r["source"].startswith("written")]
    manuals = list(
        dict.fromkeys(
            [
                *pages("doc/anarchism/html/*.html"),
                *pages(
                    "doc/debian-handbook/html/en-US/*.html",
                    "doc/postgresql-doc-*/html/*.html",
                    "doc/sqlite3/**/*.html",
                    "doc/rust-doc/html/book/*.html",
                    "doc/rust-doc/html/reference/*.html",
                    "stellarium/skycultures/*/description.en.utf8",
                    "gimp/2.0/help/en/*.html",
                ),
            ]
        )
    )
    for text in [*6 * qed, *4 * list(articles(data)), *3 * demo, *foldoc(), *rng.sample(manuals, len(manuals) // 3)]:
        parts = sentences(text)
        if (
            3 <= len(parts) == len(set(parts))
            and len(text.split()) < 300
            and sum(c.isalpha() or c == " " for c in text) > 0.8 * len(text)
        ):
            yield parts


class Adapted(nn.Module):
    """A frozen linear layer and its adapter."""

    def __init__(self, linear, rank):
        super().__init__()
        self.linear = linear.requires_grad_(False)
        self.inputs = nn.Parameter(torch.randn(rank, linear.in_features) / linear.in_features**0.5)
        self.outputs = nn.Parameter(torch.zeros(rank, linear.out_features))

    def forward(self, x):
        return self.linear(x) + x @ self.inputs.T @ self.outputs


class Discourse(nn.Module):
    """The frozen trunk with adapters, a bias of its own for the pooler and one logit; new, or loaded from `folder`.

    While it is trained it also says of each sentence, from its first token, whether it follows on the one before and
    whether it stands first.
    """

    def __init__(self, nli, folder, rank):
        super().__init__()
        self.bert = nli.bert.requires_grad_(False)
        for name, layer in matrices(self.bert):
            owner, _, last = name.rpartition(".")
            setattr(self.bert.get_submodule(owner), last, Adapted(layer, rank))
        self.bias = self.bert.pooler.dense.linear.bias.requires_grad_()
        self.classifier, self.places = nn.Linear(384, 1), nn.Linear(384, 2)
        if folder.exists():
            stored = load_file(folder / "model.safetensors")
            for name, layer in matrices(self.bert):
                layer.inputs.data, layer.outputs.data = (
                    stored[f"bert.{name}.weight.{side}"] for side in ("inputs", "outputs")
                )
            self.bias.data = stored["bert.pooler.dense.bias"]
            self.classifier.load_state_dict({k: stored[f"classifier.{k}"] for k in ("weight", "bias")})
            self.places.load_state_dict(torch.load(folder / "places.pt"))

    def forward(self, texts):
        """Lists of sentences as lists of tokens -> (a logit a text, [texts], two a token, [texts, tokens, 2])."""
        rows = [[CLS, *sum(text, [])][: TOKENS - 1] + [SEP] for text in texts]
        longest = -(-max(map(len, rows)) // 16) * 16
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
        with reduced():
            states, pooled = self.bert(input_ids=ids, attention_mask=mask, return_dict=False)
            return self.classifier(pooled)[:, 0].float(), self.places(states).float()

    def save(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        tensors = {
            f"bert.{name}.weight.{side}": getattr(layer, side).data
            for name, layer in matrices(self.bert)
            for side in ("inputs", "outputs")
        }
        tensors["bert.pooler.dense.bias"] = self.bias.data
        tensors |= {f"classifier.{k}": v for k, v in self.classifier.state_dict().items()}
        save_file(tensors, folder / "model.safetensors")
        torch.save(self.places.state_dict(), folder / "places.pt")


def reordered(count, rng):
    """A permutation of `count` sentences: mostly random, or with one stretch moved, or with the first one put last."""
    order = list(range(count))
    while order == sorted(order):
        kind = rng.random()
        if kind < 0.75:
            rng.shuffle(order)
        elif kind < 0.9:
            start, end = sorted(rng.sample(range(count + 1), 2))
            moved = order[start:end]
            del order[start:end]
            place = rng.randint(0, len(order))
            order[place:place] = moved
        else:
            order = order[1:] + order[:1]
    return order


def lay(parts, rng):
    """Neighbouring sentences of a paragraph: (length, the sentences, another order, whether the paragraph begins with
    them)."""
    count = min(len(parts), rng.choice([3, 4, 4, 5, 6, 7, 8]))
    start = 0 if rng.random() < 0.6 else rng.randint(0, len(parts) - count)
    own = parts[start : start + count]
    return min(sum(map(len, own)), TOKENS), own, reordered(count, rng), start == 0


def loss(model, batch):
    """(the loss, the share of paragraphs whose logit is above that of their other order)"""
    _, own, orders, whole = zip(*batch)
    texts = [*own, *([parts[i] for i in order] for parts, order in zip(own, orders))]
    logits, places = model(texts)
    follows, first = [], []
    for i, (text, order, begins) in enumerate(zip(texts, [*(range(len(parts)) for parts in own), *orders], whole * 2)):
        at = 1
        for n, part in enumerate(text):
            if at < TOKENS - 1:
                if n:
                    follows.append((i, at, order[n] == order[n - 1] + 1))
                if begins:
                    first.append((i, at, order[n] == 0))
            at += len(part)

    def told(items, kind):
        if not items:
            return 0.0
        i, at, truth = zip(*items)
        return binary_cross_entropy_with_logits(places[list(i), list(at), kind], torch.tensor(truth).float())

    above, below = logits.chunk(2)
    total = softplus(below - above).mean() + 0.25 * (softplus(-above) + softplus(below)).mean()
    return total + told(follows, 0) + 0.5 * told(first, 1), (above > below).float().mean().item()


@torch.no_grad()
def report(model, paragraphs):
    rng = random.Random(0)
    shares = [
        loss(model, [lay(parts, rng) for parts in paragraphs[i : i + 16]])[1] for i in range(0, len(paragraphs), 16)
    ]
    return sum(shares) / len(shares)


def main(data, work, minutes):
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    first, tok = dist.get_rank() == 0, tokenizer()
    nli = small_model(work / "small").eval()
    for _, layer in matrices(nli.bert):
        layer.weight.data = from_int4(*to_int4(layer.weight.data))
    every = list(paragraphs(data, random.Random(0)))
    random.Random(0).shuffle(every)
    if first:
        (work / "embedder").mkdir(parents=True, exist_ok=True)
        shown = [" ".join(parts) for parts in every[:400]] + [parts[0] for parts in every[400:600]]
        save_file(solve_embedder(nli.bert, tok, shown, RANK["embedder"]), work / "embedder" / "model.safetensors")
    ids = [[tok.backend_tokenizer.encode(part, add_special_tokens=False).ids for part in parts] for parts in every]
    texts = [" ".join(parts) for parts in every]
    apart, held = set(texts[:320]), ids[:320]
    ids = [parts for parts, text in zip(ids, texts) if text not in apart]
    model = Discourse(nli, work / "discourse", RANK["discourse"])
    run = Run([{"params": [w for w in model.parameters() if w.requires_grad]}], RATE, WARM_UP, minutes, decay=0.0)
    shares = []
    for batch in batches(ids, BATCH, 0, lay):
        spent = run.spent()
        if spent >= 1:
            break
        total, share = loss(model, batch)
        run.step(lambda: total)
        shares.append(share)
        if first and run.steps % 100 == 0:
            print(
                run.steps,
                f"paragraphs above another order {sum(shares[-100:]) / 100:.3f}, {spent:.0%} of the time",
                flush=True,
            )
        if first and run.steps % 500 == 0:
            model.save(work / "discourse")
            print(run.steps, f"held out {report(model, held):.3f}", flush=True)
    if first:
        model.save(work / "discourse")
        print("end", run.steps, f"held out {report(model, held):.3f}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
