"""Writes the trained models as a pack (format 2), and reads one back.

    python pack.py WORK PACK [OLD]     reads the models in WORK

A model that WORK has no folder of is taken over from the pack OLD, byte for byte, and so is OLD's calibration. Without
OLD there is none until `evident calibrate` writes it into the pack. WORK/marks, a second head of the NLI model
(marks.py), is a file of its own. Matrices are stored at 4 bits (quantise.py), MPNet's in shards that a server with a
limit on a file's size takes. The small models share a word table, which is its own file. A model that consists of
another one and adapters has that one's file and a file of adapters: the transpose of X.outputs, [rank, rows], times
X.inputs, [rank, cols], is added to X, and the sum is rounded to int8. The pack is written beside its place and moved
there file by file, the manifest last.
"""

import hashlib
import json
import shutil
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from quantise import ADAPTER, dequantise, quantise, restored, stored

VERSION = "0.10.0"
LARGEST = 20_000_000  # the bytes that no file may exceed
TABLE = {"verifier": "shared.weight", "small": "bert.embeddings.word_embeddings.weight", "lm": "transformer.wte.weight"}
TIED = {
    "encoder.embed_tokens.weight",
    "decoder.embed_tokens.weight",
    "lm_head.weight",
    "bert.embeddings.position_ids",
    "mpnet.embeddings.position_ids",
}
UNFITTED = {
    "verifier": {"temperature": 1.0, "bias": 0.0},
    "nli": {"temperature": 1.0},
    "weight_verifier": 0.0,
    "threshold_factual": 0.5,
    "threshold_unfactual": 0.4,
    "threshold_evidence": 0.5,
}
SOURCES = [
    "all-mpnet-base-v2 (Apache-2.0)",
    "all-MiniLM-L6-v2 (Apache-2.0)",
    "FEVER, FEVEROUS (CC BY-SA)",
    "Fool Me Twice (Apache-2.0)",
    "CLIMATE-FEVER",
    "HealthVer",
    "SciFact (CC BY)",
    "WiCE (ODC-BY)",
    "WikiFactCheck-English (CC BY-SA)",
    "FACTOR (MIT, ODC-BY)",
    "SummEdits (Apache-2.0)",
    "CREAK (MIT)",
    "BEGIN (CC BY)",
    "Q2 (Apache-2.0)",
    "alexa/factual-consistency-analysis-of-dialogs (CC BY-SA)",
    "e-SNLI (MIT)",
    "LingNLI",
    "MultiNLI (OANC)",
    "counterfactually augmented SNLI (Apache-2.0)",
    "ConjNLI (MIT)",
    "BreakingNLI, MED, HELP (CC BY-SA)",
    "MoNLI",
    "negation benchmarks for NLI (MIT)",
    "FOLIO (CC BY-SA)",
    "DNC",
    "RTE",
    "CommitmentBank",
    "SQuAD (CC BY-SA)",
    "QED (CC BY-SA)",
    "BoolQ (CC BY-SA)",
    "CondaQA (Apache-2.0)",
    "StrategyQA (MIT)",
    "wiki-split (CC BY-SA)",
    "Wikipedia (CC BY-SA)",
    "OpenStax (CC BY)",
    "CONNER",
    "An Anarchist FAQ (GFDL)",
    "FOLDOC (GFDL)",
    "the manuals of Debian, PostgreSQL, SQLite, Rust, GIMP and Stellarium (free licences)",
]
CLASSES = {
    "id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"},
    "label2id": {"entailment": 0, "neutral": 1, "contradiction": 2},
}
MPNET = {
    "architectures": ["MPNetForSequenceClassification"],
    "model_type": "mpnet",
    "vocab_size": 30527,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
    "max_position_embeddings": 514,
    "layer_norm_eps": 1e-5,
    "relative_attention_num_buckets": 32,
    "pad_token_id": 1,
    "bos_token_id": 0,
    "eos_token_id": 2,
    **CLASSES,
}
T5 = {
    "architectures": ["T5ForConditionalGeneration"],
    "model_type": "t5",
    "vocab_size": 30522,
    "d_model": 384,
    "d_kv": 32,
    "num_heads": 12,
    "d_ff": 1536,
    "num_layers": 6,
    "num_decoder_layers": 1,
    "feed_forward_proj": "gelu",
    "is_gated_act": False,
    "dense_act_fn": "gelu",
    "relative_attention_num_buckets": 32,
    "relative_attention_max_distance": 128,
    "layer_norm_epsilon": 1e-6,
    "dropout_rate": 0.0,
    "is_encoder_decoder": True,
    "tie_word_embeddings": True,
    "pad_token_id": 0,
    "eos_token_id": 102,
    "decoder_start_token_id": 0,
}
BERT = {
    "architectures": ["BertForSequenceClassification"],
    "model_type": "bert",
    "vocab_size": 30522,
    "hidden_size": 384,
    "num_hidden_layers": 6,
    "num_attention_heads": 12,
    "intermediate_size": 1536,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
    "position_embedding_type": "absolute",
    "pad_token_id": 0,
    **CLASSES,
}
EMBEDDER = {**{k: v for k, v in BERT.items() if k not in CLASSES}, "architectures": ["BertModel"]}
DISCOURSE = {**BERT, "id2label": {"0": "coherent"}, "label2id": {"coherent": 0}}
GPT_NEO = {
    "architectures": ["GPTNeoForCausalLM"],
    "model_type": "gpt_neo",
    "vocab_size": 30522,
    "hidden_size": 384,
    "num_layers": 2,
    "attention_types": [[["global"], 2]],
    "num_heads": 12,
    "intermediate_size": 896,
    "activation_function": "gelu_new",
    "max_position_embeddings": 512,
    "window_size": 256,
    "layer_norm_epsilon": 1e-5,
    "resid_dropout": 0.0,
    "embed_dropout": 0.0,
    "attention_dropout": 0.0,
    "tie_word_embeddings": True,
    "bos_token_id": 101,
    "eos_token_id": 102,
}
CONFIGS = {"nli": MPNET, "small": BERT, "verifier": T5, "lm": GPT_NEO, "embedder": EMBEDDER, "discourse": DISCOURSE}
ADAPTED = {"embedder": "small", "discourse": "small"}
PROMPTS = {"verifier": "guan2024"}  # by the names that the engine has for them
IRON = "Iron. Iron is a metal. It rusts in wet air, and it melts at 1,538 degrees Celsius."
WARM_UP = [(IRON, "Iron rusts in wet air."), (IRON, "Iron never rusts in wet air.")]  # as `evident pack seal` has them
PROBES = 16  # logits of an encoder-decoder that are stated, of tokens at equal distances
BLANK = "0" * 64


# ---- reading ----


def manifest(pack):
    return json.loads((pack / "pack.json").read_text())


def merged(tensors):
    """The tensors with their adapters added, in int8."""
    out = {name: tensor for name, tensor in tensors.items() if not name.endswith(ADAPTER)}
    for name in out:
        if name + ADAPTER[0] in tensors:
            inputs, outputs = (tensors[name + side] for side in ADAPTER)
            out[name] = dequantise(*quantise(out[name] + outputs.T @ inputs))
    return out


def model(pack, name):
    """One of the pack's models as transformers runs it, in f32."""
    import transformers

    entry, tensors = manifest(pack)["models"][name], {}
    for part in entry["weights"]:
        names = part.get("names", {})
        tensors |= {names.get(k, k): v for k, v in restored(pack / part["path"]).items()}
    tensors, config = merged(tensors), json.loads((pack / entry["config"]).read_text())
    tensors = {k: v for k, v in tensors.items() if not k.startswith("marks.")}  # a head that transformers does not know
    if config["architectures"] == ["BertModel"]:
        tensors = {k.removeprefix("bert."): v for k, v in tensors.items() if not k.startswith("classifier.")}
    made = getattr(transformers, config["architectures"][0])(transformers.AutoConfig.for_model(**config))
    missing, extra = made.load_state_dict(tensors, strict=False)
    if extra or set(missing) - TIED:
        raise SystemExit(f"{name}: tensors missing {sorted(set(missing) - TIED)}, unknown {extra}")
    made.tie_weights()
    return made.eval()


def tokenizer(pack, name):
    """The tokenizer of one of the pack's models."""
    from transformers import PreTrainedTokenizerFast

    path = str(pack / manifest(pack)["models"][name]["tokenizer"])
    if name == "nli":
        return PreTrainedTokenizerFast(
            tokenizer_file=path,
            pad_token="<pad>",
            cls_token="<s>",
            sep_token="</s>",
            model_input_names=["input_ids", "attention_mask"],
        )
    return PreTrainedTokenizerFast(
        tokenizer_file=path,
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )


# ---- writing ----


def shards(tensors):
    """Stored tensors in the fewest groups of about one size whose files are not too large; a matrix and its scales stay
    together."""
    sizes = {
        name: sum(tensors[n].nbytes for n in (name, name + ".scale") if n in tensors)
        for name in tensors
        if not name.endswith(".scale")
    }
    count = 1
    while True:
        groups, spent = [{} for _ in range(count)], 0
        for name, size in sizes.items():
            groups[spent * count // sum(sizes.values())] |= {
                n: tensors[n] for n in (name, name + ".scale") if n in tensors
            }
            spent += size
        if all(sum(t.nbytes for t in group.values()) < LARGEST - 100_000 for group in groups):
            return groups
        count += 1


def write_tokenizer(published, path):
    """Writes a tokenizer on one line, without padding and truncation, which the engine does itself."""
    found = json.loads((published / "tokenizer.json").read_text(encoding="utf-8")) | {
        "padding": None,
        "truncation": None,
    }
    path.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def write_nli(work, made):
    """MPNet with its own tokenizer; says which files its weights are in."""
    from base import mpnet

    groups = shards(stored({k: v for k, v in load_file(work / "nli/model.safetensors").items() if k not in TIED}))
    paths = [f"nli/model-{n:05}-of-{len(groups):05}.safetensors" for n in range(1, len(groups) + 1)]
    for path, group in zip(paths, groups):
        save_file(group, made / path)
    write_tokenizer(mpnet(work), made / "nli/tokenizer.json")
    return [{"path": path} for path in paths]


def write_small(work, made, name):
    """One of the models on the shared word table; says which files its weights are in."""
    tensors = load_file(work / name / "model.safetensors")
    table = tensors.pop(TABLE[name]) if name in TABLE else None
    save_file(stored({k: v for k, v in tensors.items() if k not in TIED}), made / name / "model.safetensors")
    shared = made / "embedding.safetensors"
    if table is not None and not shared.exists():
        save_file(stored({"embedding.weight": table}), shared)
    elif table is not None and not torch.equal(restored(shared)["embedding.weight"], table):
        raise SystemExit(f"{name} does not share the word table")
    files = [ADAPTED[name], name] if name in ADAPTED else [name]
    return [{"path": f"{file}/model.safetensors"} for file in files] + [
        {"path": shared.name, "names": {"embedding.weight": TABLE[ADAPTED.get(name, name)]}}
    ]


def write_model(work, made, name):
    """The files of a model trained in `work`; its entry in the manifest."""
    from base import minilm

    (made / name).mkdir(parents=True)
    (made / name / "config.json").write_text(json.dumps(CONFIGS[name], indent=2) + "\n")
    if name == "nli":
        return {"config": "nli/config.json", "tokenizer": "nli/tokenizer.json", "weights": write_nli(work, made)}
    if not (made / "tokenizer.json").exists():
        write_tokenizer(minilm(), made / "tokenizer.json")
    return {"config": f"{name}/config.json", "tokenizer": "tokenizer.json", "weights": write_small(work, made, name)}


def take_over(old, made, name):
    """Those files of a model of another pack that are not made yet; its entry in the manifest."""
    known = manifest(old)["models"][name]
    entry = {key: known[key] for key in ("config", "tokenizer", "weights", "measured") if key in known}
    for path in [entry["config"], entry["tokenizer"], *(part["path"] for part in entry["weights"])]:
        if not (made / path).exists():
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(old / path, made / path)
    return entry


def add_marks(work, made, entry):
    """The NLI model's entry in the manifest with the head that marks words, if there is one in `work`."""
    from marks import LAYER

    head, path, config = work / "marks/model.safetensors", "nli/marks.safetensors", made / entry["config"]
    if not head.exists():
        return entry
    shutil.copyfile(head, made / path)
    config.write_text(json.dumps(json.loads(config.read_text()) | {"mark_layer": LAYER}, indent=2) + "\n")
    others = [part for part in entry["weights"] if part["path"] != path]
    return entry | {"weights": [*others, {"path": path}]}


@torch.no_grad()
def warm_up(pack, name):
    """What transformers makes of the pairs that a browser warms a model up with, to two digits."""
    made, tok = model(pack, name), tokenizer(pack, name)

    def logits(pair):
        read = tok(*pair, return_tensors="pt")
        if not made.config.is_encoder_decoder:
            return made(**read).logits[0]
        start = torch.full((1, 1), made.config.decoder_start_token_id)
        first = made(read["input_ids"], decoder_input_ids=start).logits[0, 0]
        return first[torch.arange(PROBES) * len(first) // PROBES]

    return [{"pair": pair, "logits": [round(logit, 2) for logit in logits(pair).tolist()]} for pair in WARM_UP]


def sealed(contents):
    """The text of pack.json: its checksum is the SHA-256 of it with zeros in the checksum's place."""
    text = json.dumps({"format": 2, "checksum": BLANK, **contents}, indent=2) + "\n"
    return text.replace(BLANK, hashlib.sha256(text.encode()).hexdigest(), 1)


def known(contents, pack):
    """The contents with what is known of each model: its prompt and its warm-up pairs."""
    for name, entry in contents["models"].items():
        entry |= {"prompt": PROMPTS[name]} if name in PROMPTS else {}
        entry |= (
            {"warm_up": warm_up(pack, name)}
            if CONFIGS[name]["architectures"][0].endswith(("SequenceClassification", "ConditionalGeneration"))
            else {}
        )
    return contents


def write(work, pack, old=None):
    made = pack.with_name(pack.name + ".new")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    taken = [name for name in CONFIGS if old and not (work / name / "model.safetensors").exists()]
    models = {name: write_model(work, made, name) for name in CONFIGS if name not in taken}
    models |= {name: take_over(old, made, name) for name in taken}
    models["nli"] = add_marks(work, made, models["nli"])

    def entry(path):
        data = (made / path).read_bytes()
        if len(data) > LARGEST:
            raise SystemExit(f"{path} has {len(data):,} bytes")
        return {"path": path.as_posix(), "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    listed = sorted(p.relative_to(made) for p in made.rglob("*") if p.is_file())

    calibrated = manifest(old) if old else {"calibration": UNFITTED, "calibrations": {"small": UNFITTED}}
    contents = {
        "name": "evident-embedded",
        "version": VERSION,
        "license": "Apache-2.0",
        "sources": SOURCES,
        "files": [entry(p) for p in listed],
        "models": {name: models[name] for name in CONFIGS},
        "calibration": calibrated["calibration"],
        "calibrations": calibrated["calibrations"],
    }
    (made / "pack.json").write_text(sealed(contents))
    contents = known(contents, made)
    for p in listed:
        (made / p).chmod(0o644)
        (pack / p).parent.mkdir(parents=True, exist_ok=True)
        (made / p).replace(pack / p)
    (made / "pack.json").write_text(sealed(contents))
    (made / "pack.json").replace(pack / "pack.json")
    shutil.rmtree(made)
    print(f"{pack}: {sum(file['bytes'] for file in contents['files']):,} bytes")


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:4]))
