"""Turns the small NLI model into a T5-shaped verifier that answers the prompt of guan2024.

    python verifier.py WORK MINUTES1 MINUTES2 MINUTES3 [SEED [rounded]]

It reads WORK/*.jsonl and WORK/small and writes WORK/verifier, or goes on from it if it is there: with another SEED, or
it sees the same pairs again. MINUTES may be 0.

The encoder's matrices are first solved, layer by layer, to do what the small NLI model's do. Stage 1 goes on with
gradient steps on that model's hidden states at every layer, on plain pairs. Stage 2 has prompts of one to four facts:
the hidden states follow the small model's at the tokens of facts and statement, and the decoder learns the answer.
Stage 3 learns the answer alone. An answer's label is half gold and half MPNet's where label.py has both.

With `rounded` it goes on from the verifier that is there, with the rounding to 4 bits in the loop, as in nli.py. At the
end it writes the mean of the weights before and after, rounded, which judges better than either. WORK/verifier-plain
keeps those before.
"""

import math
import random
import shutil
import sys
from collections import defaultdict
from contextlib import nullcontext
from pathlib import Path

import torch
import torch.distributed as dist
from sklearn.metrics import roc_auc_score
from torch.nn.functional import gelu, one_hot, scaled_dot_product_attention
from transformers import BertForSequenceClassification, T5Config, T5ForConditionalGeneration

from base import DEVICE, IS_ON_GPU, LABELS, Run, batches, load, load_classed, moved, reduced, tokenizer
from data import NEUTRAL, passage, titled
from prompt import FACTUAL, QUESTIONS, UNFACTUAL, pieces, prompt
from quantise import Rounding

RATES, WARM_UP, TOKENS = (6e-4, 4e-4, 2e-4), 40, 192
BATCH = 192 if IS_ON_GPU else 8  # a process
CLAIMS = {
    "fever_train",
    "fever_dev",
    "fm2",
    "climate_fever",
    "wice_dev",
    "creak_explanations",
    "contrast",
    "feverous_dev_text",
    "wikifactcheck_pairs",
    "factor_contradictions",
    "crossed",
    "facts",
    "negation",
    "number",
    "date",
    "who",
    "summedits",
}
WORDS = 120 if IS_ON_GPU else 80  # of evidence and statement at most: a step's time grows with its tokens
SILENT = (
    0.6 if IS_ON_GPU else 0.3
)  # the share of silent pairs that is kept: little of the answer can be learnt from them
SAMPLE = 4000  # pairs the encoder is solved on
CLS, SEP = 101, 102
CONFIG = T5Config(
    vocab_size=30522,
    d_model=384,
    d_kv=32,
    num_heads=12,
    d_ff=1536,
    num_layers=6,
    num_decoder_layers=1,
    feed_forward_proj="gelu",
    dropout_rate=0.0,
    tie_word_embeddings=True,
    pad_token_id=0,
    eos_token_id=SEP,
    decoder_start_token_id=0,
)


def total(value):
    """The sum over all processes."""
    dist.all_reduce(value)
    return value


def solve(matrix, inputs, outputs, ridge=1e-2):
    """Makes a layer's matrix [out, in] the one that best maps inputs [tokens, in] to outputs [tokens, out] (a part a
    batch, over all processes), by ridge regression."""
    square = total(sum(x.T @ x for x in inputs))
    product = total(sum(x.T @ y for x, y in zip(inputs, outputs)))
    square.diagonal().add_(ridge * square.diagonal().mean())
    matrix.weight.copy_(torch.linalg.solve(square, product).T)


def begun(teacher, folder):
    """The T5 in `folder`, or where there is none an untrained one, on the teacher's word table, which stays as it
    is."""
    student = (
        T5ForConditionalGeneration.from_pretrained(folder) if folder.exists() else T5ForConditionalGeneration(CONFIG)
    )
    student.shared.weight.data.copy_(teacher.bert.embeddings.word_embeddings.weight)
    student.shared.weight.requires_grad = False
    return student


@torch.no_grad()
def solve_encoder(student, teacher, sample):
    """Makes the encoder do what the teacher's does, as nearly as matrices solved one after the other on a sample can.

    T5 adds to a residual stream and normalises before each layer, without biases; BERT normalises after each addition.
    So the stream, normalised, is made to match BERT's normalised state at the tokens of facts and statement: the
    matrices of queries, keys, values and feed-forward inputs are solved to give the teacher's, and those that write to
    the stream to turn it to its next state.
    """

    def watch(i):
        """What the teacher's layer i makes of the sample: {name: [tokens, width] a batch}."""
        layer = teacher.bert.encoder.layer[i]
        source, seen, hooks = layer.attention.self, defaultdict(list), []
        for name, module in {
            "start": layer,
            "q": source.query,
            "k": source.key,
            "v": source.value,
            "middle": layer.attention.output,
            "wi": layer.intermediate.dense,
            "end": layer.output,
        }.items():

            def keep(_, inputs, out, name=name):
                seen[name].append((inputs[0] if name == "start" else out)[theirs].float())

            hooks.append(module.register_forward_hook(keep))
        for _, y, theirs, _, _ in sample:
            with reduced():
                teacher.bert(**y)
        for hook in hooks:
            hook.remove()
        return seen

    places = [mine for *_, mine, _ in sample]

    def unit(stream):
        return stream / stream.pow(2).mean(-1, keepdim=True).sqrt()

    def at(parts):
        return [part[mine] for part, mine in zip(parts, places)]

    def normed(norm, streams, targets):
        """Gives the norm the gains that best turn the streams into the targets; returns what it then puts out."""
        units = [unit(stream) for stream in streams]
        square, product = (
            total(sum(u.pow(2).sum(0) for u in at(units))),
            total(sum((u * t).sum(0) for u, t in zip(at(units), targets))),
        )
        power, tokens = total(sum(t.pow(2).sum(0) for t in targets)), total(torch.tensor(float(sum(map(len, targets)))))
        norm.weight.copy_(torch.maximum(product / square, 0.4 * (power / tokens).sqrt()))
        return [u * norm.weight for u in units]

    def turn(matrix, streams, inputs, targets):
        """Solves the matrix that, writing to the streams, turns them to the targets; returns the streams after it."""
        solve(
            matrix,
            at(inputs),
            [s.pow(2).mean(-1, keepdim=True).sqrt() * unit(t) - s for s, t in zip(at(streams), targets)],
        )
        return [stream + matrix(x) for stream, x in zip(streams, inputs)]

    def heads(projection, state):
        """[batch, tokens, width] -> [batch, heads, tokens, d_kv]"""
        return projection(state).unflatten(-1, (CONFIG.num_heads, CONFIG.d_kv)).transpose(1, 2)

    streams = [student.shared(x["input_ids"]) for x, *_ in sample]
    masks = [x["attention_mask"].bool()[:, None, None] for x, *_ in sample]
    student.encoder.block[0].layer[0].SelfAttention.relative_attention_bias.weight.zero_()
    for i, block in enumerate(student.encoder.block):
        attention, feed, wanted = block.layer[0].SelfAttention, block.layer[1].DenseReluDense, watch(i)
        states = normed(block.layer[0].layer_norm, streams, wanted["start"])
        for name in "qkv":
            solve(getattr(attention, name), at(states), wanted[name])
        attention.q.weight.div_(math.sqrt(CONFIG.d_kv))  # T5 does not divide by the root of d_kv
        mixed = [
            scaled_dot_product_attention(
                *(heads(p, s) for p in (attention.q, attention.k, attention.v)), attn_mask=m, scale=1.0
            )
            .transpose(1, 2)
            .flatten(2)
            for s, m in zip(states, masks)
        ]
        streams = turn(attention.o, streams, mixed, wanted["middle"])
        states = normed(block.layer[1].layer_norm, streams, wanted["middle"])
        solve(feed.wi, at(states), wanted["wi"])
        streams = turn(feed.wo, streams, [gelu(feed.wi(s)) for s in states], wanted["end"])
    last = at(normed(student.encoder.final_layer_norm, streams, wanted["end"]))
    ends = wanted["end"]
    print(
        "solved: relative error on the sample", round(distance(torch.cat(last), torch.cat(ends)).item(), 3), flush=True
    )


def distance(mine, theirs):
    """Squared error relative to the teacher's square, over [tokens, width]."""
    return (mine.float() - theirs).pow(2).sum() / theirs.pow(2).sum()


def wanted(pair):
    """The probability of yes: the mean of the gold label and MPNet's judgment, or the one that there is; neutral counts
    half."""
    gold = [] if pair["label"] is None else [one_hot(torch.tensor(pair["label"]), len(LABELS)).float()]
    judged = [torch.tensor(pair["teacher"]).softmax(-1)] if "teacher" in pair else []
    entailment, neutral, _ = torch.stack([*gold, *judged]).mean(0).tolist()
    return entailment + 0.5 * neutral


def asked(work):
    """The pairs that prompts are made of: those that MPNet has judged, and as many that it has not."""
    rng = random.Random(0)
    judged = [
        {"title": "", "evidence": p["premise"], **p}
        for path in sorted(work.glob("labelled.*.jsonl"))
        for p in load(work, path.stem)
    ]
    known = {p["hypothesis"] for p in judged}
    rest = [p for p in load_classed(work, "train") if p["source"] in CLAIMS and p["hypothesis"] not in known]
    found = [
        p
        for p in judged + rng.sample(rest, min(len(judged), len(rest)))
        if len(f"{p['evidence']} {p['hypothesis']}".split()) <= WORDS
        and (abs(wanted(p) - 0.5) > 0.1 or rng.random() < SILENT)
    ]
    print(len(found), "prompts,", len(judged), "judged", flush=True)
    return found


class Layout:
    """Lays a pair out as a prompt, and as the premise and hypothesis the teacher sees, with the places of the tokens
    they share."""

    def __init__(self, tok):
        self.ids = lambda text: tok.backend_tokenizer.encode(text, add_special_tokens=False).ids

    def plain(self, pair, rng):
        """Both see the premise and hypothesis alone."""
        premise, statement = self.ids(passage(pair, rng))[:100], self.ids(pair["hypothesis"])[:40]
        ids = [CLS, *premise, SEP, *statement, SEP]
        return len(ids), ids, ids, len(premise) + 2, [(k, k) for k in range(len(ids))], wanted(pair)

    def __call__(self, pair, rng):
        others = [o for o in pair["others"] if len(o.split()) < 60]
        rng.shuffle(others)
        title = pair["title"] if rng.random() < 0.8 else ""
        facts = [titled(title, pair["evidence"])]
        if rng.random() < 0.2:
            facts, others = [passage(pair, rng)], others[:1]
        for other in others[: rng.choice([0, 0, 0, 0, 1, 2, 3])]:
            facts.insert(rng.randint(0, len(facts)), titled(title, other))
        context = rng.choice(others) if others and rng.random() < 0.12 else ""
        question = QUESTIONS[0] if rng.random() < 0.9 else rng.choice(QUESTIONS[1:])
        while True:
            laid = [(self.ids(text), shared) for text, shared in pieces(facts, pair["hypothesis"], context, question)]
            over = sum(len(ids) for ids, _ in laid) + 2 - TOKENS
            if over <= 0:
                break
            if context:
                context = ""
            else:  # drop another's fact, or shorten the only one
                drop = next((f for f in facts if pair["evidence"] not in f and len(facts) > 1), None)
                if drop is None:
                    facts = [" ".join(facts[0].split()[: -max(2, over // 2)])]
                else:
                    facts.remove(drop)
        student, teacher, places = [CLS], [CLS], [(0, 0)]
        shared = [ids for ids, is_shared in laid if is_shared]
        for ids, is_shared in laid:
            if is_shared:
                if ids is shared[-1]:
                    teacher.append(SEP)
                places += [(len(student) + k, len(teacher) + k) for k in range(len(ids))]
                teacher += ids
            student += ids
        segment = len(teacher) - len(shared[-1])
        return len(student), student + [SEP], teacher + [SEP], segment, places, wanted(pair)


def padded(sequences):
    longest = max(map(len, sequences))
    ids = torch.tensor([s + [0] * (longest - len(s)) for s in sequences])
    mask = torch.tensor([[1] * len(s) + [0] * (longest - len(s)) for s in sequences])
    return {"input_ids": ids, "attention_mask": mask}


def collate(items):
    """Layouts -> (the student's input, the teacher's, the shared tokens' (row, place) in the teacher's, in the
    student's, the probabilities of yes)."""
    _, prompts, premises, segments, places, yes = zip(*items)
    x, y = padded(prompts), padded(premises)
    y["token_type_ids"] = (torch.arange(y["input_ids"].shape[1]) >= torch.tensor(segments)[:, None]).long() * y[
        "attention_mask"
    ]
    rows = torch.tensor([i for i, p in enumerate(places) for _ in p])
    mine, theirs = torch.tensor([place for p in places for place in p]).T
    return x, y, (rows, theirs), (rows, mine), torch.tensor(yes)


def answer_log_probabilities(logits, sets):
    """[batch, vocabulary] -> log P(L_A), log P(L_B), each [batch]."""
    logs = logits.float().log_softmax(-1)
    return [logs[:, ids].logsumexp(-1) for ids in sets]


def scores(model, tok, prompts, tokens=512, bf16=True):
    """p = P(L_A) / (P(L_A) + P(L_B)) at the decoder's first step, for each prompt."""
    sets = [tok.convert_tokens_to_ids(words) for words in (FACTUAL, UNFACTUAL)]
    found = []
    with torch.no_grad(), reduced(bf16):
        for i in range(0, len(prompts), 16):
            x = tok(prompts[i : i + 16], truncation=True, max_length=tokens, padding=True, return_tensors="pt").to(
                model.device
            )
            start = torch.zeros(len(x["input_ids"]), 1, dtype=torch.long, device=model.device)
            logits = model(
                input_ids=x["input_ids"], attention_mask=x["attention_mask"], decoder_input_ids=start
            ).logits[:, 0]
            yes, no = answer_log_probabilities(logits, sets)
            found.append(torch.sigmoid(yes - no).cpu())
    return torch.cat(found)


@torch.no_grad()
def halfway(student, folder):
    """Makes each weight of the student the mean of what it is and what it is in the model in `folder`."""
    others = dict(T5ForConditionalGeneration.from_pretrained(folder).to(DEVICE).named_parameters())
    for name, weight in student.named_parameters():
        weight.lerp_(others[name], 0.5)


def report(model, tok, pairs):
    pairs = [p for p in pairs if p["label"] != NEUTRAL]
    p = scores(model, tok, [prompt([titled(x["title"], x["evidence"])], x["hypothesis"]) for x in pairs])
    y = torch.tensor([x["label"] == 0 for x in pairs])
    return f"accuracy {((p > 0.5) == y).float().mean():.3f} AUR {roc_auc_score(y, p):.3f}"


def follow(student, teacher, x, y, theirs, mine):
    """The encoder's output, and how far its states are from the teacher's, at every layer and the last."""
    with reduced():
        with torch.no_grad():
            seen = teacher.bert(**y, output_hidden_states=True)
        states = student.encoder(**x, output_hidden_states=True)
    targets = [h.float()[theirs] for h in seen.hidden_states]
    inner = [
        distance(block.layer[0].layer_norm(h[mine]), t)
        for block, h, t in list(zip(student.encoder.block, states.hidden_states, targets))[1:]
    ]
    last = distance(states.last_hidden_state[mine], targets[-1])
    return states, last + 0.3 * sum(inner), last.detach()


def train(student, teacher, tok, pairs, lay, stage, minutes, seed, rounding, save):
    """Steps on pairs laid out by `lay`: in stages 1 and 2 on the teacher's states, in stages 2 and 3 on the decoder's
    first word."""
    sets = [tok.convert_tokens_to_ids(words) for words in (FACTUAL, UNFACTUAL)]
    groups = [
        {"params": [w for w in student.encoder.parameters() if w.requires_grad]},
        {"params": [w for w in student.decoder.parameters() if w.requires_grad], "scale": 2.0},
    ]
    run = Run(groups, RATES[stage - 1], WARM_UP, minutes, least=0.05, decay=0.0, rounding=rounding)
    log = []
    for x, y, theirs, mine, wanted in map(moved, batches(pairs, BATCH, seed, lay, collate)):
        spent = run.spent()
        if spent >= 1:
            break

        def loss():
            answer, far, last = torch.tensor(0.0), 0.0, torch.tensor(0.0)
            if stage < 3:
                states, far, last = follow(student, teacher, x, y, theirs, mine)
            else:
                with reduced():
                    states = student.encoder(**x)
            if stage > 1:
                with reduced():
                    logits = student(
                        encoder_outputs=states,
                        attention_mask=x["attention_mask"],
                        decoder_input_ids=torch.zeros_like(x["input_ids"][:, :1]),
                    ).logits[:, 0]
                yes, no = answer_log_probabilities(logits, sets)
                answer = -(wanted * yes + (1 - wanted) * no).mean()
            log.append((answer.detach(), last))
            return answer + (1.0, 0.5, 0.0)[stage - 1] * far

        run.step(loss)
        if dist.get_rank() == 0 and run.steps % 50 == 0:
            means = [torch.stack(column).mean().item() for column in zip(*log[-50:])]
            print(run.steps, "answer {:.3f}, states {:.3f}".format(*means), f"{spent:.0%} of the time", flush=True)
        if run.steps % (1000 if IS_ON_GPU else 50) == 0:
            save()


def main(work, minutes, seed, is_rounded):
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    tok = tokenizer()
    teacher = BertForSequenceClassification.from_pretrained(work / "small").eval().requires_grad_(False)
    pairs, held = load_classed(work, "train"), load_classed(work, "calibration")[:400]
    lay, rng = Layout(tok), random.Random(dist.get_rank())
    folder, before = work / "verifier", work / "verifier-plain"
    if is_rounded and dist.get_rank() == 0 and not before.exists():
        shutil.copytree(folder, before)
    student = begun(teacher, folder)
    if not folder.exists():
        sample = sorted(
            (
                lay.plain(p, rng)
                for p in pairs[dist.get_rank() :: dist.get_world_size()][: SAMPLE // dist.get_world_size()]
            ),
            key=lambda item: item[0],
        )
        solve_encoder(student, teacher, [collate(sample[i : i + 32]) for i in range(0, len(sample), 32)])

    student, teacher = student.to(DEVICE), teacher.to(DEVICE)
    rounding = Rounding(student) if is_rounded else nullcontext()

    def save():
        if dist.get_rank() == 0:
            with rounding:
                student.save_pretrained(folder)

    for stage, spent in enumerate(minutes, 1):
        if spent:
            some, how = (pairs, lay.plain) if stage == 1 else (asked(work), lay)
            train(student, teacher, tok, some, how, stage, spent, seed + stage, rounding, save)
    if is_rounded:
        halfway(student, before)
    save()
    if dist.get_rank() == 0:
        with rounding:
            print("end", report(student, tok, held), flush=True)


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        [float(minutes) for minutes in sys.argv[2:5]],
        int(sys.argv[5]) if len(sys.argv) > 5 else 0,
        "rounded" in sys.argv[6:],
    )
