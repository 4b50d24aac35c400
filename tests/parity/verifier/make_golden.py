"""A small random T5, and the p that guan2024's Sec. 4.2 defines, computed by transformers' own `generate`.

    python tests/parity/verifier/make_golden.py

(needs torch, transformers, safetensors, tokenizers; rewrites t5/ and golden.json). The prompts are written here after Tab. 4
and App. C.5, and p is read from the scores of greedy generation: at the first step whose token is an answer word, the mass of
L_A over that of L_A and L_B; 0.5 if there is none in 8 steps. fid.json has the same for fusion in the decoder. crate/verify/tests/models/paper.rs asserts the same.
"""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import T5Config, T5ForConditionalGeneration
from transformers.modeling_outputs import BaseModelOutput

torch.set_num_threads(1)
HERE = Path(__file__).parent
STEPS = 8
FACTUAL = ["A", "a", "Yes", "yes", "YES"]
NOT_FACTUAL = ["B", "b", "No", "no", "NO"]
WORDINGS = {
    "correct": "Based on the given facts, is the statement correct? (A) Yes. (B) No. Please answer A or B:",
    "entailed": "Is the statement entailed by the given facts? (A) Yes. (B) No. Please answer A or B:",
    "judge": "Based on the given facts, judge whether the statement is factually correct. Please answer Yes or No:",
    "support": "Can the given facts support the statement? Please answer Yes or No:",
}
CASES = [
    ("Iron is a metal.", "", [("Iron", "Iron is a soft grey metal. It rusts in wet air."), ("Tin", "Tin is a metal.")]),
    ("It rusts in wet air.", "Iron is a metal. Tin is a metal.", [("Iron", "Iron is a metal that rusts.")]),
    ("Mars has two moons.", "", [("Mars", "Mars is the fourth planet. It has two moons."), ("Venus", "Venus has no moon.")]),
    ("Gold is a gas.", "", []),
    ("The moon is made of tin.", "Mars is red.", [("Moon", "The moon is made of grey stone.")]),
    ("Venus is the fourth planet.", "", [("Mars", "Mars is the fourth planet."), ("Venus", "Venus is the second planet.")]),
]


def prompt(statement, context, passages, wording):
    lines = ["Answer the following question:"]
    if passages:
        lines += ["Facts:"] + [f"{n}. {text}" for n, (_, text) in enumerate(passages, 1)]
    if context:
        lines += [f"Context: {context}", f"Statement following the context: {statement}"]
    else:
        lines += [f"Statement: {statement}"]
    return "\n".join([*lines, WORDINGS[wording]])


def tokenizer():
    split = pre_tokenizers.BertPreTokenizer()
    texts = [prompt(*case, wording) for case in CASES for wording in WORDINGS]
    words = {word for text in texts for word, _ in split.pre_tokenize_str(text)}
    vocabulary = ["<pad>", "</s>", "<unk>", *FACTUAL, *NOT_FACTUAL, *sorted(words - {*FACTUAL, *NOT_FACTUAL})]
    made = Tokenizer(models.WordLevel({word: i for i, word in enumerate(vocabulary)}, unk_token="<unk>"))
    made.pre_tokenizer = split
    made.post_processor = processors.TemplateProcessing(single="$A </s>", pair="$A $B </s>", special_tokens=[("</s>", 1)])
    return made


def model(vocabulary, seed):
    config = T5Config(vocab_size=vocabulary, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, feed_forward_proj="gated-gelu",
                      tie_word_embeddings=True, decoder_start_token_id=0, pad_token_id=0, eos_token_id=1)
    made = T5ForConditionalGeneration(config).eval()
    generator = torch.Generator().manual_seed(seed)
    for name, p in made.named_parameters():
        noise = torch.randn(p.shape, generator=generator)
        wide = any(part in name for part in ("shared", "relative_attention_bias"))
        p.data = 1 + 0.2 * noise if p.dim() == 1 else noise if wide else noise / p.shape[1] ** 0.5
    made.shared.weight.data[3:13] *= 1.5  # also the head, so that answer words come, but not always
    return made


def answer(made, tok, text=None, **read):
    ids = text and torch.tensor([tok.encode(text).ids])
    with torch.no_grad():
        said = made.generate(ids, **read, do_sample=False, num_beams=1, max_new_tokens=STEPS, output_scores=True, return_dict_in_generate=True)
    words = [[tok.token_to_id(word) for word in side] for side in (FACTUAL, NOT_FACTUAL)]
    for step, scores in enumerate(said.scores):
        if said.sequences[0, step + 1].item() in words[0] + words[1]:
            mass = scores[0].double().softmax(-1)
            a, b = (mass[side].sum().item() for side in words)
            return a / (a + b), step
    return 0.5, None


def fused(made, tok, statement, passages):
    """p where each passage is read apart and the decoder attends to all of them (Izacard and Grave 2021, FiD)."""
    texts = [f"question: {statement} title: {title} context: {text}" for title, text in passages] or [f"question: {statement}"]
    with torch.no_grad():
        states = torch.cat([made.encoder(torch.tensor([tok.encode(text).ids])).last_hidden_state for text in texts], 1)
    return answer(made, tok, encoder_outputs=BaseModelOutput(states))


tok = tokenizer()
size = tok.get_vocab_size()


def rows(made):
    found = []
    for statement, context, passages in CASES:
        for wording in WORDINGS:
            text = prompt(statement, context, passages, wording)
            p, step = answer(made, tok, text)
            found.append({"statement": statement, "context": context, "wording": wording, "prompt": text, "p": p, "answeredAt": step,
                          "passages": [{"title": title, "text": text} for title, text in passages]})
    return found


def kinds(found):
    """How many answer at once, later, and not at all."""
    steps = [row["answeredAt"] for row in found]
    return min(steps.count(0), sum(step not in (None, 0) for step in steps), steps.count(None))


seed = next(seed for seed in range(1000) if kinds(rows(model(size, seed))) > 2)
made = model(size, seed)
folder = HERE / "t5"
folder.mkdir(exist_ok=True)
tok.save(str(folder / "tokenizer.json"))
config = made.config.to_dict()
keep = ["vocab_size", "d_model", "d_kv", "d_ff", "num_layers", "num_decoder_layers", "num_heads", "relative_attention_num_buckets",
        "relative_attention_max_distance", "layer_norm_epsilon", "feed_forward_proj", "decoder_start_token_id", "pad_token_id", "eos_token_id",
        "model_type"]
(folder / "config.json").write_text(json.dumps({**{key: config[key] for key in keep if key in config}, "tie_word_embeddings": True}, indent=1) + "\n")
state = {name: tensor.contiguous() for name, tensor in made.state_dict().items() if not name.endswith(("embed_tokens.weight", "lm_head.weight"))}
save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
found = rows(made)
(HERE / "golden.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
fids = [{"statement": statement, "passages": [{"title": title, "text": text} for title, text in passages],
         **dict(zip(("p", "answeredAt"), fused(made, tok, statement, passages)))} for statement, _, passages in CASES]
(HERE / "fid.json").write_text(json.dumps(fids, indent=1, ensure_ascii=False) + "\n")
print("seed", seed, [row["answeredAt"] for row in found])
