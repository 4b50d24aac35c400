"""Small random checkpoints in the published Hugging Face layout, and what transformers computes with them.

    python tests/parity/models/make_golden.py        (needs torch, transformers, safetensors; rewrites golden/)

Each folder of golden/ holds config.json, tokenizer.json, model.safetensors and golden.json. A word of the toy tokenizers
is a token, so that a text says which ids it stands for. crate/nn/tests/parity.rs asserts the same numbers.
"""

import json
import random
import shutil
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import (AutoModelForSeq2SeqLM, AutoModelForSequenceClassification, BertConfig, BertForSequenceClassification,
                          PreTrainedTokenizerFast, RobertaConfig, RobertaForSequenceClassification, T5Config,
                          T5ForConditionalGeneration)

HERE = Path(__file__).parent / "golden"
VOCABULARY = 96
STEPS = 8


def randomise(model, seed):
    """Weights large enough that attention is far from uniform and every activation bends."""
    generator = torch.Generator().manual_seed(seed)
    for name, p in model.named_parameters():
        noise = torch.randn(p.shape, generator=generator)
        if "norm" in name.lower() and name.endswith("weight"):
            p.data = 1 + 0.2 * noise
        elif p.dim() == 1:
            p.data = 0.2 * noise
        elif "embedding" in name or "shared" in name or "relative_attention_bias" in name:
            p.data = noise
        else:
            p.data = noise / p.shape[1] ** 0.5


def tokenizer(special, template):
    """One token a word: the special ones, then w0, w1, ..."""
    words = special + [f"w{i}" for i in range(VOCABULARY - len(special))]
    tok = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<unk>"))
    tok.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    single, pair = template
    names = [word for word in special if word in f"{single} {pair}"]
    tok.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=[(n, words.index(n)) for n in names])
    return tok


def text(rng, length):
    return " ".join(f"w{rng.randrange(VOCABULARY - 8)}" for _ in range(length))


def quantise(state):
    """Matrices as int8 with a scale a row, the way packs store them."""
    out = {}
    for name, weight in state.items():
        if weight.dim() == 2 and "relative_attention_bias" not in name:
            scale = weight.abs().amax(1).clamp_min(1e-12) / 127
            out[name] = (weight / scale[:, None]).round().to(torch.int8)
            out[f"{name}.scale"] = scale
        else:
            out[name] = weight
    return out


def widen(state):
    return {name: w.float() * state[f"{name}.scale"][:, None] if w.dtype == torch.int8 else w.float()
            for name, w in state.items() if not name.endswith(".scale")}


def store(folder, model, tok, stored, config):
    """Writes the checkpoint; returns the model as it reads back, in f32."""
    shutil.rmtree(folder, ignore_errors=True)
    model.save_pretrained(folder)
    written = json.loads((folder / "config.json").read_text())
    for key, value in config.items():
        if value is None:
            written.pop(key, None)
        else:
            written[key] = value
    (folder / "config.json").write_text(json.dumps(written, indent=1) + "\n")
    (folder / "generation_config.json").unlink(missing_ok=True)
    state = {name: w.contiguous() for name, w in model.state_dict().items()}
    if model.config.model_type == "t5":
        own_head = not torch.equal(state["lm_head.weight"], state["shared.weight"])
        state = {n: w for n, w in state.items() if "embed_tokens" not in n and (own_head or n != "lm_head.weight")}
    else:
        state = {n: w for n, w in state.items() if w.dtype == torch.float32}
    state = quantise(state) if stored == "int8" else {n: w.to(stored) for n, w in state.items()}
    wide = widen(state)
    save_file(wide, folder / "model.safetensors", metadata={"format": "pt"})
    kind = AutoModelForSeq2SeqLM if model.config.model_type == "t5" else AutoModelForSequenceClassification
    loaded = kind.from_pretrained(folder, dtype=torch.float32).eval()
    for name, w in wide.items():
        assert torch.equal(loaded.state_dict()[name], w), name
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    tok.save(str(folder / "tokenizer.json"), pretty=False)
    return loaded


def rounded(values):
    return [float(f"{v:.7g}") for v in values]


def t5(name, seed, stored=torch.float32, config=None, tied=True, **settings):
    base = dict(vocab_size=VOCABULARY, d_model=32, d_kv=8, d_ff=40, num_heads=3, num_layers=2, num_decoder_layers=2,
                decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, tie_word_embeddings=tied)
    model = T5ForConditionalGeneration(T5Config(**{**base, **settings}))
    if not tied:
        model.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.detach().clone())
    randomise(model, seed)
    if tied:
        model.shared.weight.data *= 0.1  # or every step would repeat its own token
        model.tie_weights()
    tok = tokenizer(["<pad>", "</s>", "<unk>"], ("$A </s>", "$A </s> $B </s>"))
    loaded = store(HERE / name, model, tok, stored, {"tie_word_embeddings": tied, **(config or {})})
    reference = PreTrainedTokenizerFast(tokenizer_object=tok, pad_token="<pad>", eos_token="</s>", unk_token="<unk>")
    rng, cases = random.Random(seed), []
    for length in (0, 6, 40, 300):
        prompt = text(rng, length)
        ids = reference(prompt, return_tensors="pt").input_ids
        assert ids.shape[1] == length + 1
        with torch.no_grad():
            out = loaded.generate(input_ids=ids, attention_mask=torch.ones_like(ids), max_new_tokens=STEPS, do_sample=False, num_beams=1,
                                  return_dict_in_generate=True, output_logits=True)
        tokens = out.sequences[0, 1:].tolist()
        cases.append({"prompt": prompt, "tokens": tokens, "logits": [rounded(step[0].tolist()) for step in out.logits]})
    (HERE / name / "golden.json").write_text(json.dumps(cases))
    print(name, [case["tokens"] for case in cases])


def classifier(name, seed, kind, config_kind, special, template, stored=torch.float32, **settings):
    base = dict(vocab_size=VOCABULARY, hidden_size=24, num_attention_heads=3, intermediate_size=40, num_hidden_layers=2)
    model = kind(config_kind(**{**base, **settings}))
    randomise(model, seed)
    tok = tokenizer(special, template)
    loaded = store(HERE / name, model, tok, stored, {})
    reference = PreTrainedTokenizerFast(tokenizer_object=tok, pad_token=special[settings.get("pad_token_id", 0)], unk_token="<unk>",
                                        model_input_names=["input_ids", "token_type_ids", "attention_mask"])
    rng = random.Random(seed)
    pairs = [(text(rng, a), text(rng, b)) for a, b in [(5, 4), (0, 3), (17, 9), (30, 8), (1, 1), (17, 9), (80, 10)]]
    limit = settings["max_position_embeddings"] - (settings["pad_token_id"] + 1 if kind is RobertaForSequenceClassification else 0)
    inputs = reference([a for a, _ in pairs], [b for _, b in pairs], padding=True, truncation="only_first", max_length=limit, return_tensors="pt")
    if kind is RobertaForSequenceClassification:
        inputs.pop("token_type_ids", None)
    with torch.no_grad():
        logits = loaded(**inputs).logits
    golden = {"labels": [model.config.id2label[i] for i in range(model.config.num_labels)], "pairs": pairs, "logits": [rounded(row.tolist()) for row in logits]}
    (HERE / name / "golden.json").write_text(json.dumps(golden))
    print(name, tuple(inputs.input_ids.shape), logits[0].tolist())


def main():
    # FLAN-T5's shape; config.json as Google published it, with tie_word_embeddings and without the key of later versions.
    t5("t5-v1.1", 1, tied=False, feed_forward_proj="gated-gelu", num_decoder_layers=1, config={"scale_decoder_outputs": None})
    # The same kind of model with config.json as transformers 5 writes it.
    t5("t5-v1.1-resaved", 2, tied=False, feed_forward_proj="gated-gelu", num_layers=1, num_decoder_layers=1, stored=torch.bfloat16,
       config={"tie_word_embeddings": True, "scale_decoder_outputs": False})
    # config.json as the first T5s have it: what later ones say there is the default.
    t5("t5-v1.0", 3, feed_forward_proj="relu", d_kv=16, num_heads=2, stored=torch.float16, config=dict.fromkeys(
        ["tie_word_embeddings", "scale_decoder_outputs", "relative_attention_max_distance", "feed_forward_proj", "dense_act_fn", "is_gated_act"]))
    t5("t5-gelu", 4, feed_forward_proj="gelu", num_layers=3, num_decoder_layers=1, relative_attention_num_buckets=16,
       relative_attention_max_distance=50, stored="int8")
    bert = (["[PAD]", "[CLS]", "[SEP]", "<unk>"], ("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1"))
    labels = ["entailment", "neutral", "contradiction"]
    classifier("bert", 5, BertForSequenceClassification, BertConfig, *bert, max_position_embeddings=64, hidden_act="gelu",
               id2label=dict(enumerate(labels)), label2id={n: i for i, n in enumerate(labels)})
    classifier("bert-gelu-new", 6, BertForSequenceClassification, BertConfig, *bert, max_position_embeddings=72, hidden_act="gelu_new",
               layer_norm_eps=1e-5, num_labels=1, stored=torch.float16)
    classifier("bert-int8", 7, BertForSequenceClassification, BertConfig, *bert, max_position_embeddings=128, hidden_act="relu", num_labels=2, stored="int8")
    roberta = (["<s>", "<pad>", "</s>", "<unk>"], ("<s> $A </s>", "<s> $A </s> </s> $B </s>"))
    classifier("roberta", 8, RobertaForSequenceClassification, RobertaConfig, *roberta, max_position_embeddings=66, type_vocab_size=1,
               pad_token_id=1, bos_token_id=0, eos_token_id=2, num_labels=3, layer_norm_eps=1e-5)


main()
