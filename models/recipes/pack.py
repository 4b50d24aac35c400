"""Writes the trained models as an int8 pack (format 1).

    python pack.py WORK PACK     reads the models in WORK and, if there, WORK/calibration.json

Each matrix X of [rows, cols] becomes I8 with X.scale F32 [rows], the row's largest magnitude at 127; vectors and the few narrow
matrices stay F32. The word table, which all models share, is its own file. A model that is another's with adapters is that one's file
and one of their own: to X is added the product of X.outputs, [rank, rows], transposed, and X.inputs, [rank, cols]. The pack is written beside its place and moved there
file by file, the manifest last.
"""

import hashlib
import json
import shutil
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

NARROW = 64  # a matrix with a side shorter than this stays F32
TABLE = {"verifier": "shared.weight", "nli": "bert.embeddings.word_embeddings.weight", "lm": "transformer.wte.weight"}
TIED = {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "lm_head.weight", "bert.embeddings.position_ids"}
UNFITTED = {"verifier": {"temperature": 1.0, "bias": 0.0}, "nli": {"temperature": 1.0},
            "weight_verifier": 0.5, "threshold_factual": 0.5, "threshold_unfactual": 0.5, "threshold_evidence": 0.5}
SOURCES = [
    "all-MiniLM-L6-v2 (Apache-2.0)", "all-mpnet-base-v2 (Apache-2.0), which taught", "e-SNLI (MIT)", "ConjNLI (MIT)", "BreakingNLI, MED, HELP (CC BY-SA)", "WiCE (ODC-BY)", "BEGIN (CC BY)",
    "Fool Me Twice (Apache-2.0)", "FEVER (CC BY-SA)", "CLIMATE-FEVER", "CONNER", "wiki-split (CC BY-SA)", "QED (CC BY-SA)",
    "An Anarchist FAQ (GFDL)", "FOLDOC (GFDL)", "the manuals of Debian, PostgreSQL, SQLite, Rust, GIMP and Stellarium (free licences)"]
T5 = {
    "architectures": ["T5ForConditionalGeneration"], "model_type": "t5", "vocab_size": 30522, "d_model": 384, "d_kv": 32, "num_heads": 12,
    "d_ff": 1536, "num_layers": 6, "num_decoder_layers": 1, "feed_forward_proj": "gelu", "is_gated_act": False, "dense_act_fn": "gelu",
    "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128, "layer_norm_epsilon": 1e-6, "dropout_rate": 0.0,
    "is_encoder_decoder": True, "tie_word_embeddings": True, "pad_token_id": 0, "eos_token_id": 102, "decoder_start_token_id": 0}
BERT = {
    "architectures": ["BertForSequenceClassification"], "model_type": "bert", "vocab_size": 30522, "hidden_size": 384, "num_hidden_layers": 6,
    "num_attention_heads": 12, "intermediate_size": 1536, "hidden_act": "gelu", "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0,
    "max_position_embeddings": 512, "type_vocab_size": 2, "layer_norm_eps": 1e-12, "position_embedding_type": "absolute", "pad_token_id": 0,
    "id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"}, "label2id": {"entailment": 0, "neutral": 1, "contradiction": 2}}
EMBEDDER = {**{k: v for k, v in BERT.items() if k not in ("id2label", "label2id")}, "architectures": ["BertModel"]}
DISCOURSE = {**BERT, "id2label": {"0": "coherent"}, "label2id": {"coherent": 0}}
GPT_NEO = {
    "architectures": ["GPTNeoForCausalLM"], "model_type": "gpt_neo", "vocab_size": 30522, "hidden_size": 384, "num_layers": 2,
    "attention_types": [[["global"], 2]], "num_heads": 12, "intermediate_size": 896, "activation_function": "gelu_new",
    "max_position_embeddings": 512, "window_size": 256, "layer_norm_epsilon": 1e-5, "resid_dropout": 0.0, "embed_dropout": 0.0,
    "attention_dropout": 0.0, "tie_word_embeddings": True, "bos_token_id": 101, "eos_token_id": 102}
CONFIGS = {"verifier": T5, "nli": BERT, "lm": GPT_NEO, "embedder": EMBEDDER, "discourse": DISCOURSE}
ADAPTED = {"embedder": "nli", "discourse": "nli"}
ADAPTER = (".inputs", ".outputs")


def quantise(weight):
    """f32 [rows, cols] -> (int8 [rows, cols], f32 scale [rows]); weight is about q * scale."""
    scale = weight.abs().amax(1).clamp_min(1e-12) / 127
    return (weight / scale[:, None]).round().clamp(-127, 127).to(torch.int8), scale


def dequantise(q, scale):
    return q.float() * scale[:, None]


def quantised(tensors):
    out = {}
    for name, tensor in tensors.items():
        if tensor.dim() == 2 and (min(tensor.shape) >= NARROW or name.endswith(ADAPTER)):
            out[name], out[name + ".scale"] = quantise(tensor.float())
        else:
            out[name] = tensor.float().contiguous()
    return out


def restored(path):
    """The f32 tensors of a quantised file."""
    tensors = load_file(path)
    return {name: dequantise(t, tensors[name + ".scale"]) if t.dtype == torch.int8 else t
            for name, t in tensors.items() if not name.endswith(".scale")}


def merged(tensors):
    """The tensors with their adapters added, int8 as before."""
    out = {name: tensor for name, tensor in tensors.items() if not name.endswith(ADAPTER)}
    for name in out:
        if name + ADAPTER[0] in tensors:
            inputs, outputs = (tensors[name + side] for side in ADAPTER)
            out[name] = dequantise(*quantise(out[name] + outputs.T @ inputs))
    return out


def model(pack, name):
    """One of the pack's models as transformers runs it, in f32."""
    import transformers

    entry, tensors = json.loads((pack / "pack.json").read_text())["models"][name], {}
    for part in entry["weights"]:
        names = part.get("names", {})
        tensors |= {names.get(k, k): v for k, v in restored(pack / part["path"]).items()}
    tensors, config = merged(tensors), json.loads((pack / entry["config"]).read_text())
    if config["architectures"] == ["BertModel"]:
        tensors = {k.removeprefix("bert."): v for k, v in tensors.items() if not k.startswith("classifier.")}
    made = getattr(transformers, config["architectures"][0])(transformers.AutoConfig.for_model(**config))
    missing, extra = made.load_state_dict(tensors, strict=False)
    if extra or set(missing) - TIED:
        raise SystemExit(f"{name}: tensors missing {sorted(set(missing) - TIED)}, unknown {extra}")
    made.tie_weights()
    return made.eval()


def write(work, pack):
    from base import minilm

    made = pack.with_name(pack.name + ".new")
    shutil.rmtree(made, ignore_errors=True)
    for name, config in CONFIGS.items():
        (made / name).mkdir(parents=True)
        tensors = load_file(work / name / "model.safetensors")
        table = tensors.pop(TABLE[name]) if name in TABLE else None
        save_file(quantised({k: v for k, v in tensors.items() if k not in TIED}), made / name / "model.safetensors")
        (made / name / "config.json").write_text(json.dumps(config, indent=2) + "\n")
        if name in ADAPTED:
            continue
        if name == "verifier":
            save_file(quantised({"embedding.weight": table}), made / "embedding.safetensors")
        elif not torch.equal(restored(made / "embedding.safetensors")["embedding.weight"], table):
            raise SystemExit(f"{name} does not share the word table")
    tokenizer = json.loads((minilm() / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer |= {"padding": None, "truncation": None}
    (made / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")

    def entry(path):
        data = (made / path).read_bytes()
        return {"path": path.as_posix(), "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    listed = sorted(p.relative_to(made) for p in made.rglob("*") if p.is_file())

    def weights(name):
        files = [ADAPTED[name], name] if name in ADAPTED else [name]
        table = TABLE[ADAPTED.get(name, name)]
        return [{"path": f"{file}/model.safetensors"} for file in files] + [{"path": "embedding.safetensors", "names": {"embedding.weight": table}}]

    fitted = work / "calibration.json"
    manifest = {
        "format": 1, "name": "evident-embedded", "version": "0.6.0", "license": "Apache-2.0", "sources": SOURCES,
        "files": [entry(p) for p in listed],
        "models": {name: {"config": f"{name}/config.json", "tokenizer": "tokenizer.json", "weights": weights(name)} for name in CONFIGS},
        "calibration": json.loads(fitted.read_text()) if fitted.exists() else UNFITTED}
    for p in listed:
        (made / p).chmod(0o644)
        (pack / p).parent.mkdir(parents=True, exist_ok=True)
        (made / p).replace(pack / p)
    (made / "pack.json").write_text(json.dumps(manifest, indent=2) + "\n")
    (made / "pack.json").replace(pack / "pack.json")
    shutil.rmtree(made)
    print(f"{pack}: {sum(p.stat().st_size for p in pack.rglob('*') if p.is_file()):,} bytes")


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
