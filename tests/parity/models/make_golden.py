"""Small random checkpoints in the published Hugging Face layout, and what transformers computes with them.

    python tests/parity/models/make_golden.py [NAME ...] [all-MiniLM-L6-v2=DIR] [all-mpnet-base-v2=DIR] [published-sizes=DIR]

(needs torch, transformers, safetensors; rewrites golden/, or only the folders of these names.) Each folder of golden/ holds
config.json, tokenizer.json, model.safetensors and golden.json. A word of the toy tokenizers is a token, so that a text says
which ids it stands for; GPT, ModernBERT and DeBERTa have small byte-level BPE and Unigram tokenizers, trained on sentences of the
demo's corpus. Of all-MiniLM-L6-v2 and all-mpnet-base-v2, whose published files are read from DIR, only golden.json is kept;
published-sizes writes random checkpoints as large as published ones to DIR, for a test that is run by hand.
crate/nn/tests/parity.rs asserts the same numbers.
"""

import json
import random
import shutil
import sys
from functools import wraps
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (AutoModel, AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoModelForSequenceClassification,
                          AutoModelForTokenClassification, AutoTokenizer, BertConfig, BertForSequenceClassification, BertModel,
                          DebertaV2Config, DebertaV2ForSequenceClassification, GPT2Config, GPT2LMHeadModel, GPTNeoConfig, GPTNeoForCausalLM,
                          ModernBertConfig, ModernBertForSequenceClassification, ModernBertForTokenClassification, ModernBertModel,
                          MPNetConfig, MPNetForSequenceClassification, MPNetModel, PreTrainedTokenizerFast, RobertaConfig, RobertaForSequenceClassification, T5Config, T5ForConditionalGeneration,
                          T5ForTokenClassification)

HERE = Path(__file__).parent / "golden"
CORPUS = Path(__file__).parents[3] / "tests/data/passages.jsonl"
VOCABULARY = 96
STEPS = 8
BERT = (["[PAD]", "[CLS]", "[SEP]", "<unk>"], ("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1"))
ROBERTA = (["<s>", "<pad>", "</s>", "<unk>"], ("<s> $A </s>", "<s> $A </s> </s> $B </s>"))  # MPNet's too
FROM_PADDING = (RobertaForSequenceClassification, MPNetForSequenceClassification, MPNetModel)  # whose positions count on from its id
GIVEN = dict(name.split("=", 1) for name in sys.argv[1:] if "=" in name)
ONLY = {name.split("=")[0] for name in sys.argv[1:]}


def named(make):
    """Makes the folder only where the command line asks for it, or for none in particular."""
    @wraps(make)
    def wrapped(name, *args, **settings):
        if not ONLY or name in ONLY or Path(name).is_absolute():
            make(name, *args, **settings)
    return wrapped


def randomise(model, seed):
    """Weights large enough that attention is far from uniform and every activation bends."""
    generator = torch.Generator().manual_seed(seed)
    for name, p in model.named_parameters():
        noise = torch.randn(p.shape, generator=generator)
        if "norm" in name.lower() and name.endswith("weight"):
            p.data = 1 + 0.2 * noise
        elif p.dim() == 1:
            p.data = 0.2 * noise
        elif "wte" in name:
            p.data = 0.4 * noise  # also the head: larger ones would make every next token certain
        elif any(part in name for part in ("embedding", "shared", "relative_attention_bias", "wpe")):
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


def sentences():
    """The first of each passage on two of the demo's subjects."""
    passages = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    return [p["text"].split(". ")[0].rstrip(".") + "." for p in passages if p["id"].split("/")[0] in ("earth", "science")]


def byte_level_bpe(special=("<|endoftext|>",)):
    """As GPT-2's: no text is unknown, and no special tokens are added."""
    tok = Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tok.decoder = decoders.ByteLevel()
    tok.post_processor = processors.ByteLevel(trim_offsets=False)
    trainer = trainers.BpeTrainer(vocab_size=320, special_tokens=list(special), initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
                                  show_progress=False)
    tok.train_from_iterator(sentences(), trainer)
    return tok


def modernbert_bpe():
    """As ModernBERT's: GPT-NeoX's with the special tokens of BERT around a text, and with runs of spaces as tokens that are not special."""
    tok = byte_level_bpe(["[PAD]", "[CLS]", "[SEP]", "[UNK]"])
    tok.normalizer = normalizers.NFC()
    tok.add_tokens([AddedToken(" " * n, normalized=True) for n in (3, 2)])
    tok.add_special_tokens([AddedToken("[MASK]", lstrip=True, normalized=False)])
    tok.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]",
                                                       special_tokens=[("[CLS]", 1), ("[SEP]", 2)])
    return tok


def unigram():
    """As DeBERTa-v3's, but for its table of characters."""
    tok = Tokenizer(models.Unigram())
    tok.normalizer = normalizers.Sequence([normalizers.Strip(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    tok.pre_tokenizer = pre_tokenizers.Metaspace()
    tok.decoder = decoders.Metaspace()
    special = ["[PAD]", "[CLS]", "[SEP]", "[UNK]"]
    trainer = trainers.UnigramTrainer(vocab_size=240, special_tokens=special, unk_token="[UNK]", show_progress=False)
    tok.train_from_iterator(sentences(), trainer)
    tok.add_special_tokens(["[MASK]"])
    tok.post_processor = processors.TemplateProcessing(single="[CLS]:0 $A:0 [SEP]:0", pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
                                                       special_tokens=[("[CLS]", 1), ("[SEP]", 2)])
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
        state = {n: w for n, w in state.items() if w.dtype == torch.float32 and n != "lm_head.weight"}
    state = quantise(state) if stored == "int8" else {n: w.to(stored) for n, w in state.items()}
    wide = widen(state)
    save_file(wide, folder / "model.safetensors", metadata={"format": "pt"})
    kinds = {"T5ForConditionalGeneration": AutoModelForSeq2SeqLM, "GPT2LMHeadModel": AutoModelForCausalLM,
             "GPTNeoForCausalLM": AutoModelForCausalLM, "BertModel": AutoModel, "MPNetModel": AutoModel, "ModernBertModel": AutoModel,
             "ModernBertForTokenClassification": AutoModelForTokenClassification}
    kind = kinds.get(type(model).__name__, AutoModelForSequenceClassification)
    loaded = kind.from_pretrained(folder, dtype=torch.float32).eval()
    for name, w in wide.items():
        assert torch.equal(loaded.state_dict()[name], w), name
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    tok.save(str(folder / "tokenizer.json"), pretty=False)
    return loaded


def rounded(values):
    return [float(f"{v:.7g}") for v in values]


def likelihoods(logits, ids):
    """log P of each id by the logits of its row."""
    return rounded(logits.double().log_softmax(-1).gather(-1, torch.tensor(ids)[:, None])[:, 0].tolist())


@named
def t5(name, seed, stored=torch.float32, config=None, tied=True, query_scale=1, lengths=(0, 6, 40, 300), shards=None, **settings):
    base = dict(vocab_size=VOCABULARY, d_model=32, d_kv=8, d_ff=40, num_heads=3, num_layers=2, num_decoder_layers=2,
                decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, tie_word_embeddings=tied)
    model = T5ForConditionalGeneration(T5Config(**{**base, **settings}))
    if not tied:
        model.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.detach().clone())
    randomise(model, seed)
    for part, p in model.named_parameters():
        if part.endswith("Attention.q.weight"):
            p.data *= query_scale
    if tied:
        model.shared.weight.data *= 0.1  # or every step would repeat its own token
        model.tie_weights()
    tok = tokenizer(["<pad>", "</s>", "<unk>"], ("$A </s>", "$A </s> $B </s>"))
    loaded = store(HERE / name, model, tok, stored, {"tie_word_embeddings": tied, **(config or {})})
    if shards:  # as transformers itself writes it, in files of that size
        (HERE / name / "model.safetensors").unlink()
        loaded.to(stored).save_pretrained(HERE / name, max_shard_size=shards)
        (HERE / name / "generation_config.json").unlink()
        loaded = T5ForConditionalGeneration.from_pretrained(HERE / name, dtype=torch.float32).eval()
    reference = PreTrainedTokenizerFast(tokenizer_object=tok, pad_token="<pad>", eos_token="</s>", unk_token="<unk>")
    rng, cases = random.Random(seed), []
    for length in lengths:
        prompt = text(rng, length)
        ids = reference(prompt, return_tensors="pt").input_ids
        assert ids.shape[1] == length + 1
        with torch.no_grad():
            out = loaded.generate(input_ids=ids, attention_mask=torch.ones_like(ids), max_new_tokens=STEPS, do_sample=False, num_beams=1,
                                  return_dict_in_generate=True, output_logits=True)
        tokens = out.sequences[0, 1:].tolist()
        cases.append({"prompt": prompt, "tokens": tokens, "logits": [rounded(step[0].tolist()) for step in out.logits]})
    (HERE / name / "golden.json").write_text(json.dumps(cases))
    forced = []
    for source, target in [(6, 0), (6, 5), (40, 70)]:
        source, target = text(rng, source), text(rng, target)
        labels = reference(target).input_ids
        with torch.no_grad():
            out = loaded(input_ids=reference(source, return_tensors="pt").input_ids, labels=torch.tensor([labels]))
        forced.append({"input": source, "target": target, "log_probabilities": likelihoods(out.logits[0], labels)})
        assert abs(out.loss.item() + sum(forced[-1]["log_probabilities"]) / len(labels)) < 1e-4
    (HERE / name / "targets.json").write_text(json.dumps(forced))
    print(name, [case["tokens"] for case in cases])


@named
def hhem(name, seed, lengths=(0, 1, 9, 40, 160), **settings):
    """A T5's encoder with a head over its first token, a <pad> before the text, in the layout and with the names of HHEM-2.1-Open."""
    base = dict(vocab_size=VOCABULARY, d_model=32, d_kv=8, d_ff=40, num_heads=3, num_layers=2, feed_forward_proj="gated-gelu", num_labels=2)
    model = T5ForTokenClassification(T5Config(**{**base, **settings})).eval()
    randomise(model, seed)
    tok = tokenizer(["<pad>", "</s>", "<unk>"], ("$A </s>", "$A </s> $B </s>"))
    folder, labels = HERE / name, ["hallucinated", "consistent"]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    config = {"architectures": ["HHEMv2ForSequenceClassification"], "model_type": "HHEMv2", "id2label": dict(enumerate(labels)),
              **{key: value for key, value in {**base, **settings}.items() if key not in ("feed_forward_proj", "num_labels")}}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    tok.save(str(folder / "tokenizer.json"), pretty=False)
    save_file({f"t5.{n}": w.contiguous() for n, w in model.state_dict().items() if "embed_tokens" not in n}, folder / "model.safetensors",
              metadata={"format": "pt"})
    reference = PreTrainedTokenizerFast(tokenizer_object=tok, pad_token="<pad>", eos_token="</s>", unk_token="<unk>")
    rng = random.Random(seed)
    texts = [text(rng, length) for length in lengths]
    inputs = reference([f"<pad> {t}" for t in texts], padding=True, return_tensors="pt")
    assert inputs.input_ids[:, 0].tolist() == [0] * len(texts)
    with torch.no_grad():
        logits = model(input_ids=inputs.input_ids, attention_mask=inputs.attention_mask).logits[:, 0]
    golden = {"labels": labels, "texts": texts, "logits": [rounded(row.tolist()) for row in logits]}
    (folder / "golden.json").write_text(json.dumps(golden))
    print(name, tuple(inputs.input_ids.shape), logits[0].tolist())


@named
def causal(name, seed, model, limit, stored=torch.float32, prefix=True):
    randomise(model, seed)
    model.tie_weights()
    tok = byte_level_bpe()
    loaded = store(HERE / name, model, tok, stored, {})
    if not prefix:  # as GPT-2 was published
        file = HERE / name / "model.safetensors"
        save_file({n.removeprefix("transformer."): w for n, w in load_file(file).items()}, file, metadata={"format": "pt"})
    reference = PreTrainedTokenizerFast(tokenizer_object=tok, pad_token="<|endoftext|>", model_input_names=["input_ids", "attention_mask"])

    short = "Caf\u00e9 2024."
    with torch.no_grad():
        logits = loaded(**reference(short, return_tensors="pt")).logits[0]
    golden = {"text": short, "logits": [rounded(row.tolist()) for row in logits]}

    rows = sentences()
    texts = ["", "A", *rows[:4], " ".join(rows[4:7]), " ".join(rows[7:20]), "na\u00efve \U0001f600\n\n  \u4e2d\u6587"]
    pairs = [("", rows[20]), (rows[21], ""), (rows[23], f" {rows[24]}"), (" ".join(rows[25:40]), rows[40]),
             (rows[41], " ".join(rows[42:60]))]
    whole = [([], reference(t).input_ids) for t in texts] + [(reference(a).input_ids, reference(b).input_ids) for a, b in pairs]
    cut = []
    for before, ids in whole:  # the end of the text, then the start of what is before it
        ids = ids[:limit]
        cut.append((before[max(0, len(before) + len(ids) - limit):], ids))
    batch = reference.pad({"input_ids": [a + b or [0] for a, b in cut]}, return_tensors="pt")
    with torch.no_grad():
        logits = loaded(**batch).logits
    found = []
    for row, (before, ids) in zip(logits, cut):
        known = before + ids
        first = max(len(before), 1)
        found.append(likelihoods(row[first - 1:len(known) - 1], known[first:]) if len(known) > first else [])
    golden |= {"texts": texts, "log_probabilities": found[:len(texts)], "pairs": pairs, "log_probabilities_after": found[len(texts):]}
    (HERE / name / "golden.json").write_text(json.dumps(golden))
    print(name, [len(a) + len(b) for a, b in whole], [round(sum(row) / max(len(row), 1), 2) for row in found])


@named
def embedder(name, seed, kind, config_kind, special, template, lengths=(0, 1, 5, 17, 90), **settings):
    base = dict(vocab_size=VOCABULARY, hidden_size=24, num_attention_heads=3, intermediate_size=40, num_hidden_layers=2)
    model = kind(config_kind(**{**base, **settings}))
    randomise(model, seed)
    tok = tokenizer(special, template)
    loaded = store(HERE / name, model, tok, torch.float32, {})
    reference = PreTrainedTokenizerFast(tokenizer_object=tok, pad_token=special[settings.get("pad_token_id", 0)], unk_token="<unk>",
                                        model_input_names=inputs_of(kind))
    rng = random.Random(seed)
    write_embeddings(name, loaded, reference, [text(rng, length) for length in lengths], positions(kind, settings))


@named
def published_embedder(name, limit):
    if name not in GIVEN:
        print(f"{name}: left as it is, no folder given")
        return
    reference = AutoTokenizer.from_pretrained(GIVEN[name])
    passage = " ".join(sentences())
    write_embeddings(name, AutoModel.from_pretrained(GIVEN[name], dtype=torch.float32).eval(), reference, [*sentences()[:3], "", passage], limit)


def write_embeddings(name, model, reference, texts, limit):
    """Mean-pooled and normalised, as sentence-transformers does it."""
    inputs = reference(texts, padding=True, truncation=True, max_length=limit, return_tensors="pt")
    with torch.no_grad():
        states = model(**inputs).last_hidden_state
    mask = inputs.attention_mask[:, :, None].float()
    pooled = (states * mask).sum(1) / mask.sum(1).clamp(min=1e-9)
    golden = {"texts": texts, "embeddings": [rounded(row.tolist()) for row in torch.nn.functional.normalize(pooled, dim=1)]}
    (HERE / name).mkdir(exist_ok=True)
    (HERE / name / "golden.json").write_text(json.dumps(golden))
    print(name, tuple(inputs.input_ids.shape), golden["embeddings"][0][:3])


@named
def deberta(name, seed, limit, num_labels=3, stored=torch.float32, config=None, **settings):
    tok = unigram()
    base = dict(vocab_size=256, hidden_size=24, num_attention_heads=3, intermediate_size=40, num_hidden_layers=2, max_position_embeddings=limit,
                relative_attention=True, position_buckets=16, norm_rel_ebd="layer_norm", share_att_key=True, pos_att_type="p2c|c2p",
                max_relative_positions=-1, position_biased_input=False, type_vocab_size=0, num_labels=num_labels)
    model = DebertaV2ForSequenceClassification(DebertaV2Config(**{**base, **settings}))
    randomise(model, seed)
    loaded = store(HERE / name, model, tok, stored, config or {})
    reference = PreTrainedTokenizerFast(tokenizer_object=tok, pad_token="[PAD]", unk_token="[UNK]",
                                        model_input_names=["input_ids", "token_type_ids", "attention_mask"])
    rows = sentences()
    pairs = [(rows[0], rows[1]), ("", rows[2]), ("", ""), (" ".join(rows[3:6]), rows[6]), (rows[7], rows[8]), (" ".join(rows[9:30]), rows[30]),
             ("na\u00efve  \U0001f600\ufb01", "  \u4e2d [MASK]")]
    inputs = reference([a for a, _ in pairs], [b for _, b in pairs], padding=True, truncation="only_first", max_length=limit, return_tensors="pt",
                       split_special_tokens=True)
    with torch.no_grad():
        logits = loaded(**inputs).logits
    golden = {"labels": [model.config.id2label[i] for i in range(num_labels)], "pairs": pairs, "logits": [rounded(row.tolist()) for row in logits]}
    (HERE / name / "golden.json").write_text(json.dumps(golden))
    print(name, tuple(inputs.input_ids.shape), inputs.attention_mask.sum(1).tolist(), logits[0].tolist())


@named
def modernbert(name, seed, kind, limit=160, stored=torch.float32, config=None, **settings):
    tok = modernbert_bpe()
    base = dict(vocab_size=336, hidden_size=24, num_attention_heads=3, intermediate_size=40, num_hidden_layers=4, local_attention=12,
                max_position_embeddings=limit, pad_token_id=0, cls_token_id=1, bos_token_id=1, sep_token_id=2, eos_token_id=2)
    model = kind(ModernBertConfig(**{**base, **settings}))
    randomise(model, seed)
    loaded = store(HERE / name, model, tok, stored, config or {})
    reference = PreTrainedTokenizerFast(tokenizer_object=tok, pad_token="[PAD]", model_input_names=["input_ids", "attention_mask"])
    rows = sentences()
    if kind is ModernBertModel:
        write_embeddings(name, loaded, reference, ["", rows[0], "A", " ".join(rows[1:4]), " ".join(rows[4:30])], limit)
        return
    # Longer than the window and shorter, and one that must be cut.
    pairs = [(rows[0], rows[1]), ("", rows[2]), ("", ""), (" ".join(rows[3:6]), rows[6]), (rows[7], rows[8]), (" ".join(rows[9:30]), rows[30]),
             ("na\u00efve   \U0001f600\ufb01  x", "  \u4e2d  e\u0301 [MASK]")]
    inputs = reference([a for a, _ in pairs], [b for _, b in pairs], padding=True, truncation="only_first", max_length=limit, return_tensors="pt",
                       split_special_tokens=True, return_offsets_mapping=True)
    offsets = inputs.pop("offset_mapping")
    with torch.no_grad():
        logits = loaded(**inputs).logits
    assert logits.isfinite().all()
    golden = {"labels": [model.config.id2label[i] for i in range(model.config.num_labels)], "pairs": pairs}
    if kind is ModernBertForSequenceClassification:
        golden["logits"] = [rounded(row.tolist()) for row in logits]
    else:  # the tokens of the second text: their places in bytes, and their logits
        of_second = [[i for i, text in enumerate(inputs.sequence_ids(row)) if text == 1] for row in range(len(pairs))]
        place = lambda row, i: [len(pairs[row][1][:end].encode()) for end in offsets[row][i].tolist()]
        golden["places"] = [[place(row, i) for i in tokens] for row, tokens in enumerate(of_second)]
        golden["logits"] = [[rounded(logits[row, i].tolist()) for i in tokens] for row, tokens in enumerate(of_second)]
    (HERE / name / "golden.json").write_text(json.dumps(golden))
    print(name, tuple(inputs.input_ids.shape), inputs.attention_mask.sum(1).tolist(), golden["logits"][0])


@named
def classifier(name, seed, kind, config_kind, special, template, stored=torch.float32,
               lengths=((5, 4), (0, 3), (17, 9), (30, 8), (1, 1), (17, 9), (80, 10)), **settings):
    base = dict(vocab_size=VOCABULARY, hidden_size=24, num_attention_heads=3, intermediate_size=40, num_hidden_layers=2)
    model = kind(config_kind(**{**base, **settings}))
    randomise(model, seed)
    tok = tokenizer(special, template)
    loaded = store(HERE / name, model, tok, stored, {})
    reference = PreTrainedTokenizerFast(tokenizer_object=tok, pad_token=special[settings.get("pad_token_id", 0)], unk_token="<unk>",
                                        model_input_names=inputs_of(kind))
    rng = random.Random(seed)
    pairs = [(text(rng, a), text(rng, b)) for a, b in lengths]
    inputs = reference([a for a, _ in pairs], [b for _, b in pairs], padding=True, truncation="only_first",
                       max_length=positions(kind, settings), return_tensors="pt")
    with torch.no_grad():
        logits = loaded(**inputs).logits
    golden = {"labels": [model.config.id2label[i] for i in range(model.config.num_labels)], "pairs": pairs, "logits": [rounded(row.tolist()) for row in logits]}
    (HERE / name / "golden.json").write_text(json.dumps(golden))
    print(name, tuple(inputs.input_ids.shape), logits[0].tolist())


def positions(kind, settings):
    """The most tokens that there are position embeddings for."""
    return settings["max_position_embeddings"] - (settings["pad_token_id"] + 1 if kind in FROM_PADDING else 0)


def inputs_of(kind):
    """What the model asks its tokenizer for."""
    return ["input_ids", "attention_mask"] if kind in FROM_PADDING else ["input_ids", "token_type_ids", "attention_mask"]


def roberta(name, seed, **settings):
    classifier(name, seed, RobertaForSequenceClassification, RobertaConfig, *ROBERTA, type_vocab_size=1, pad_token_id=1, bos_token_id=0,
               eos_token_id=2, num_labels=3, layer_norm_eps=1e-5, **settings)


@named
def published_sizes(name):
    if name not in GIVEN:
        return
    folder = Path(GIVEN[name]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    t5(str(folder / "flan-t5-small"), 21, tied=False, vocab_size=32128, d_model=512, d_kv=64, d_ff=1024, num_heads=6, num_layers=8,
       num_decoder_layers=8, feed_forward_proj="gated-gelu", lengths=(0, 40, 300, 1400),
       query_scale=64 ** -0.5)  # as T5 is initialised: sharper attention magnifies the rounding of f32
    classifier(str(folder / "ms-marco-MiniLM-L6-v2"), 22, BertForSequenceClassification, BertConfig, *BERT, vocab_size=30522, hidden_size=384,
               num_attention_heads=12, intermediate_size=1536, num_hidden_layers=6, max_position_embeddings=512, num_labels=1)
    roberta(str(folder / "nli-MiniLM2-L6-H768"), 25, vocab_size=50265, hidden_size=768, num_attention_heads=12, intermediate_size=3072,
            num_hidden_layers=6, max_position_embeddings=514)
    deberta(str(folder / "nli-deberta-v3-xsmall"), 23, 512, vocab_size=128100, hidden_size=384, num_attention_heads=6,
            intermediate_size=1536, num_hidden_layers=12, position_buckets=256)
    modernbert(str(folder / "ModernBERT-base"), 30, ModernBertForSequenceClassification, 8192, vocab_size=50368, hidden_size=768,
               num_attention_heads=12, intermediate_size=1152, num_hidden_layers=22, local_attention=128, num_labels=3)
    causal(str(folder / "distilgpt2"), 24, GPT2LMHeadModel(GPT2Config(n_layer=6)), 1024)


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
    # Wide enough to be quantised, in shards, and read past 512 tokens.
    t5("t5-sharded", 15, tied=False, feed_forward_proj="gated-gelu", d_model=64, d_kv=16, num_heads=4, d_ff=96, num_layers=1, num_decoder_layers=1,
       stored=torch.float16, lengths=(0, 6, 40, 700), shards="60KB", query_scale=0.25)
    hhem("hhem", 18)
    labels = ["entailment", "neutral", "contradiction"]
    classifier("bert", 5, BertForSequenceClassification, BertConfig, *BERT, max_position_embeddings=64, hidden_act="gelu",
               id2label=dict(enumerate(labels)), label2id={n: i for i, n in enumerate(labels)})
    classifier("bert-gelu-new", 6, BertForSequenceClassification, BertConfig, *BERT, max_position_embeddings=72, hidden_act="gelu_new",
               layer_norm_eps=1e-5, num_labels=1, stored=torch.float16)
    classifier("bert-int8", 7, BertForSequenceClassification, BertConfig, *BERT, max_position_embeddings=128, hidden_act="relu", num_labels=2, stored="int8")
    roberta("roberta", 8, max_position_embeddings=66)
    gpt2 = dict(vocab_size=320, n_positions=96, n_embd=32, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0)
    causal("gpt2", 9, GPT2LMHeadModel(GPT2Config(**gpt2)), 96)
    gpt2 |= dict(n_inner=40, n_layer=3, activation_function="relu", scale_attn_by_inverse_layer_idx=True)
    causal("gpt2-unprefixed", 10, GPT2LMHeadModel(GPT2Config(**gpt2)), 96, stored=torch.float16, prefix=False)
    neo = dict(vocab_size=320, max_position_embeddings=96, hidden_size=32, num_layers=4, num_heads=4, window_size=7,
               attention_types=[[["global", "local"], 2]], bos_token_id=0, eos_token_id=0)
    causal("gpt-neo", 11, GPTNeoForCausalLM(GPTNeoConfig(**neo)), 96, stored="int8")
    # config.json as Microsoft published it, with one string for the kinds of attention.
    deberta("deberta-v3", 12, 128, config={"pos_att_type": "p2c|c2p"})
    # Distances past the last bucket, of one kind, and texts that are told apart.
    deberta("deberta-v2-types", 13, 96, num_labels=2, stored=torch.float16, type_vocab_size=2, max_relative_positions=64, pooler_hidden_act="relu",
            pos_att_type=["c2p"], norm_rel_ebd="none")
    embedder("bert-embedder", 14, BertModel, BertConfig, *BERT, max_position_embeddings=64)
    # Texts past the last bucket of distances, some of them beside shorter ones, and one to be cut.
    mpnet = dict(max_position_embeddings=202, pad_token_id=1, layer_norm_eps=1e-5)
    classifier("mpnet", 16, MPNetForSequenceClassification, MPNetConfig, *ROBERTA, lengths=((5, 4), (0, 3), (17, 9), (1, 1), (150, 30), (90, 60), (190, 30)),
               id2label=dict(enumerate(labels)), label2id={n: i for i, n in enumerate(labels)}, **mpnet)
    embedder("mpnet-embedder", 17, MPNetModel, MPNetConfig, *ROBERTA, lengths=(0, 1, 5, 17, 140, 250), num_hidden_layers=3, **mpnet)
    nli = dict(id2label=dict(enumerate(labels)), label2id={n: i for i, n in enumerate(labels)})
    # config.json as Answer.AI published it.
    modernbert("modernbert", 26, ModernBertForSequenceClassification, config={
        "layer_types": None, "rope_parameters": None, "global_attn_every_n_layers": 3, "global_rope_theta": 160000.0, "local_rope_theta": 10000.0,
        "layer_norm_eps": 1e-5, "position_embedding_type": "absolute"}, **nli)
    # config.json as transformers 5 writes it, with layers in another order, of which the last is local.
    modernbert("modernbert-mean", 27, ModernBertForSequenceClassification, stored=torch.float16, num_labels=2, num_hidden_layers=3,
               classifier_pooling="mean", classifier_activation="silu", local_attention=9, hidden_activation="gelu_pytorch_tanh",
               layer_types=["sliding_attention", "full_attention", "sliding_attention"],
               rope_parameters={"full_attention": {"rope_type": "default", "rope_theta": 5000.0},
                                "sliding_attention": {"rope_type": "default", "rope_theta": 300.0}})
    modernbert("modernbert-tokens", 28, ModernBertForTokenClassification)
    modernbert("modernbert-embedder", 29, ModernBertModel)
    published_embedder("all-MiniLM-L6-v2", 256)
    published_embedder("all-mpnet-base-v2", 384)
    published_sizes("published-sizes")


main()
