"""Turns the NLI model into a T5-shaped verifier that answers the prompt of guan2024.

    python verifier.py WORK MINUTES1 MINUTES2      reads WORK/*.jsonl and WORK/nli, writes WORK/verifier

The encoder starts from matrices solved to do what the NLI model's do. Stage 1 teaches the encoder the NLI model's hidden states, layer by layer, on
plain pairs. Stage 2 lays the pairs out as prompts of one to four facts; the decoder learns to answer, with labels half gold and
half the NLI model's, while the hidden states of facts and statement go on following the NLI model's.
"""

import math
import random
import sys
from pathlib import Path

import torch
import torch.distributed as dist
from sklearn.metrics import roc_auc_score
from torch.nn.functional import gelu, one_hot
from transformers import BertForSequenceClassification, T5Config, T5ForConditionalGeneration

from base import Run, batches, load, tokenizer
from data import NEUTRAL, passage, titled
from nli import encode, lay as lay_pair
from prompt import FACTUAL, QUESTIONS, UNFACTUAL, pieces, prompt

BATCH, TOKENS, SAMPLE = 32, 192, 800  # BATCH a process
CLS, SEP = 101, 102
CONFIG = T5Config(
    vocab_size=30522, d_model=384, d_kv=32, num_heads=12, d_ff=1536, num_layers=6, num_decoder_layers=1, feed_forward_proj="gelu",
    dropout_rate=0.0, tie_word_embeddings=True, pad_token_id=0, eos_token_id=SEP, decoder_start_token_id=0)


def solve(inputs, outputs, ridge=1e-3):
    """The matrix [out, in] that best maps inputs [tokens, in] to outputs [tokens, out], by ridge regression."""
    square = inputs.T @ inputs
    square.diagonal().add_(ridge * square.diagonal().mean())
    return torch.linalg.solve(square, inputs.T @ outputs).T


def untrained(teacher):
    """A T5 on the teacher's word table, which stays as it is."""
    student = T5ForConditionalGeneration(CONFIG)
    student.shared.weight.data.copy_(teacher.bert.embeddings.word_embeddings.weight)
    student.shared.weight.requires_grad = False
    student.decoder.final_layer_norm.weight.data.fill_(20.0)  # a tied, scaled head needs a long vector to be sure of a word
    return student


@torch.no_grad()
def solve_encoder(student, teacher, x):
    """Makes the encoder do what the teacher's does, as nearly as matrices solved one after the other on a sample `x` can.

    T5 adds to a residual stream and normalises before each layer, without biases; BERT normalises after each addition. So the
    stream, up to its length, is made to follow BERT's normalised state: queries, keys, values and feed-forward inputs are solved
    to be the teacher's, the matrices that write to the stream to turn it to the teacher's next state.
    """
    mask, wanted, mixed, hooks = x["attention_mask"].bool(), {}, {}, []
    blocks = student.encoder.block
    for i, (mine, theirs) in enumerate(zip(blocks, teacher.bert.encoder.layer)):
        source = theirs.attention.self
        for name, module in {"q": source.query, "k": source.key, "v": source.value, "middle": theirs.attention.output,
                             "wi": theirs.intermediate.dense, "end": theirs.output}.items():
            hooks.append(module.register_forward_hook(lambda _, __, out, at=(i, name): wanted.update({at: out[mask].float()})))
        hooks.append(mine.layer[0].SelfAttention.o.register_forward_hook(lambda _, given, __, at=i: mixed.update({at: given[0][mask].float()})))
    with torch.autocast("cpu", torch.bfloat16):
        start = teacher.bert(**x, output_hidden_states=True).hidden_states[0]
    wanted[-1, "end"] = start[mask].float()

    def unit(stream):
        return stream / stream.pow(2).mean(-1, keepdim=True).sqrt()

    def normed(norm, stream, target):
        """Gives the norm the gains that best turn the stream into the target; returns what it then puts out."""
        gain = (unit(stream) * target).sum(0) / unit(stream).pow(2).sum(0)
        norm.weight.copy_(torch.maximum(gain, 0.4 * target.pow(2).mean(0).sqrt()))
        return unit(stream) * norm.weight

    def turn(stream, inputs, target):
        """The matrix that, writing to the stream, turns it to the target, and the stream after it."""
        weight = solve(inputs, stream.pow(2).mean(-1, keepdim=True).sqrt() * unit(target) - stream)
        return weight, stream + inputs @ weight.T

    stream = student.shared(x["input_ids"])[mask]
    blocks[0].layer[0].SelfAttention.relative_attention_bias.weight.zero_()
    for i, block in enumerate(blocks):
        attention, feed = block.layer[0].SelfAttention, block.layer[1].DenseReluDense
        state = normed(block.layer[0].layer_norm, stream, wanted[i - 1, "end"])
        attention.q.weight.copy_(solve(state, wanted[i, "q"]) / math.sqrt(CONFIG.d_kv))  # T5 does not divide by the root of d_kv
        attention.k.weight.copy_(solve(state, wanted[i, "k"]))
        attention.v.weight.copy_(solve(state, wanted[i, "v"]))
        student.encoder.block = blocks[: i + 1]
        with torch.autocast("cpu", torch.bfloat16):
            student.encoder(input_ids=x["input_ids"], attention_mask=x["attention_mask"])
        weight, stream = turn(stream, mixed.pop(i), wanted[i, "middle"])
        attention.o.weight.copy_(weight)
        state = normed(block.layer[1].layer_norm, stream, wanted[i, "middle"])
        feed.wi.weight.copy_(solve(state, wanted[i, "wi"]))
        weight, stream = turn(stream, gelu(state @ feed.wi.weight.T), wanted[i, "end"])
        feed.wo.weight.copy_(weight)
    student.encoder.block = blocks
    end = wanted[CONFIG.num_layers - 1, "end"]
    print("solved: relative error on the sample", round(distance(normed(student.encoder.final_layer_norm, stream, end), end).item(), 3), flush=True)
    for hook in hooks:
        hook.remove()


def distance(mine, theirs):
    """Squared error relative to the teacher's square, over [tokens, width]."""
    return (mine.float() - theirs).pow(2).sum() / theirs.pow(2).sum()


class Layout:
    """Lays a pair out as a prompt, and as the premise and hypothesis the teacher sees, with the places of the tokens they share."""

    def __init__(self, tok):
        self.ids = lambda text: tok.backend_tokenizer.encode(text, add_special_tokens=False).ids

    def __call__(self, pair, rng):
        others = [o for o in pair["others"] if len(o.split()) < 60]
        rng.shuffle(others)
        title = pair["title"] if rng.random() < 0.8 else ""
        facts = [titled(title, pair["evidence"])]
        if rng.random() < 0.2:
            facts, others = [passage(pair, rng)], others[:1]
        for other in others[: rng.choice([0, 0, 1, 1, 2, 3])]:
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
        return len(student), student + [SEP], teacher + [SEP], segment, places, pair["label"]


def padded(sequences):
    longest = max(map(len, sequences))
    ids = torch.tensor([s + [0] * (longest - len(s)) for s in sequences])
    mask = torch.tensor([[1] * len(s) + [0] * (longest - len(s)) for s in sequences])
    return {"input_ids": ids, "attention_mask": mask}


def answer_log_probabilities(logits, sets):
    """[batch, vocabulary] -> log P(L_A), log P(L_B), each [batch]."""
    logs = logits.float().log_softmax(-1)
    return [logs[:, ids].logsumexp(-1) for ids in sets]


def scores(model, tok, prompts, tokens=512, bf16=True):
    """p = P(L_A) / (P(L_A) + P(L_B)) at the decoder's first step, for each prompt."""
    sets = [tok.convert_tokens_to_ids(words) for words in (FACTUAL, UNFACTUAL)]
    found = []
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=bf16):
        for i in range(0, len(prompts), 16):
            x = tok(prompts[i:i + 16], truncation=True, max_length=tokens, padding=True, return_tensors="pt")
            start = torch.zeros(len(x["input_ids"]), 1, dtype=torch.long)
            logits = model(input_ids=x["input_ids"], attention_mask=x["attention_mask"], decoder_input_ids=start).logits[:, 0]
            yes, no = answer_log_probabilities(logits, sets)
            found.append(torch.sigmoid(yes - no))
    return torch.cat(found)


def report(model, tok, pairs):
    pairs = [p for p in pairs if p["label"] != NEUTRAL]
    p = scores(model, tok, [prompt([titled(x["title"], x["evidence"])], x["hypothesis"]) for x in pairs])
    y = torch.tensor([x["label"] == 0 for x in pairs])
    return f"accuracy {((p > 0.5) == y).float().mean():.3f} AUR {roc_auc_score(y, p):.3f}"


def stage1(student, teacher, tok, pairs, minutes, save):
    run = Run([{"params": [w for w in student.encoder.parameters() if w.requires_grad]}], 1e-3, 150, minutes, least=0.1, decay=0.0)
    losses = []
    for batch in batches(pairs, BATCH, 1, lay_pair):
        spent = run.spent()
        if spent >= 1:
            break
        _, premises, hypotheses, _ = zip(*batch)
        x = encode(tok, list(premises), list(hypotheses), 128)
        mask = x["attention_mask"].bool()
        with torch.autocast("cpu", torch.bfloat16):
            with torch.no_grad():
                theirs = [h.float()[mask] for h in teacher.bert(**x, output_hidden_states=True).hidden_states]
            mine = student.encoder(input_ids=x["input_ids"], attention_mask=x["attention_mask"], output_hidden_states=True)
        last = distance(mine.last_hidden_state[mask], theirs[-1])
        inner = [distance(block.layer[0].layer_norm(h)[mask], t)
                 for block, h, t in list(zip(student.encoder.block, mine.hidden_states, theirs))[1:]]
        run.step(last + 0.3 * sum(inner))
        losses.append(last.item())
        if run.steps % 100 == 0 and dist.get_rank() == 0:
            print("stage 1", run.steps, f"relative error {sum(losses[-100:]) / 100:.3f}, layer 1 {inner[0].item():.3f}, {spent:.0%} of the time", flush=True)
            save()


def stage2(student, teacher, tok, pairs, held, minutes, save):
    sets = [tok.convert_tokens_to_ids(words) for words in (FACTUAL, UNFACTUAL)]
    norm = student.decoder.final_layer_norm.weight
    groups = [{"params": [w for w in student.encoder.parameters() if w.requires_grad]},
              {"params": [w for w in student.decoder.parameters() if w.requires_grad and w is not norm], "scale": 3.0},
              {"params": [norm], "scale": 30.0, "weight_decay": 0.0}]
    run = Run(groups, 3e-4, 100, minutes)
    losses = []
    for batch in batches(pairs, BATCH, 2, Layout(tok)):
        spent = run.spent()
        if spent >= 1:
            break
        _, prompts, premises, segments, places, labels = zip(*batch)
        x, y = padded(prompts), padded(premises)
        y["token_type_ids"] = (torch.arange(y["input_ids"].shape[1]) >= torch.tensor(segments)[:, None]).long() * y["attention_mask"]
        rows = torch.cat([torch.full((len(p),), i) for i, p in enumerate(places)])
        at = torch.tensor([place for p in places for place in p])
        with torch.autocast("cpu", torch.bfloat16):
            with torch.no_grad():
                seen = teacher(**y, output_hidden_states=True)
            states = student.encoder(input_ids=x["input_ids"], attention_mask=x["attention_mask"])
            logits = student(encoder_outputs=states, attention_mask=x["attention_mask"],
                             decoder_input_ids=torch.zeros(len(batch), 1, dtype=torch.long)).logits[:, 0]
        target = 0.5 * one_hot(torch.tensor(labels), 3) + 0.5 * seen.logits.float().softmax(-1)
        factual = target[:, 0] + 0.5 * target[:, 1]
        yes, no = answer_log_probabilities(logits, sets)
        answer = -(factual * yes + (1 - factual) * no).mean()
        run.step(answer + 0.3 * distance(states.last_hidden_state[rows, at[:, 0]], seen.hidden_states[-1].float()[rows, at[:, 1]]))
        losses.append(answer.item())
        if dist.get_rank() == 0:
            if run.steps % 100 == 0:
                print("stage 2", run.steps, f"loss {sum(losses[-100:]) / 100:.3f}, {spent:.0%} of the time", flush=True)
            if run.steps % 400 == 0:
                print(run.steps, report(student, tok, held), flush=True)
                save()


def main(work, minutes1, minutes2):
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    first = dist.get_rank() == 0
    tok = tokenizer()
    teacher = BertForSequenceClassification.from_pretrained(work / "nli").eval().requires_grad_(False)
    pairs, held = load(work, "train"), load(work, "calibration")
    student, rng = untrained(teacher), random.Random(0)
    if first:
        sample = [lay_pair(p, rng) for p in pairs[:SAMPLE]]
        solve_encoder(student, teacher, encode(tok, [s[1] for s in sample], [s[2] for s in sample], 96))

    def save():
        if first:
            student.save_pretrained(work / "verifier")

    stage1(student, teacher, tok, pairs, minutes1, save)
    stage2(student, teacher, tok, pairs, held[:600], minutes2, save)
    save()
    if first:
        print("end", report(student, tok, held[:600]), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]))
