"""The models that models.mjs measures, for every engine, and PyTorch's times.

    python tests/bench/models.py make DIR     random checkpoints of published shapes, their ONNX graphs, and the cases to run
    python tests/bench/models.py time DIR N   PyTorch on N threads: reads {"model", "case"} a line, answers {"ms", "difference"}

Packages: requirements.txt. Each checkpoint is in the Hugging Face layout, with a tokenizer of which a word is a token, so that a
text says how many tokens it has. The ONNX graph takes token ids to logits, T5's with its encoder and one step of its decoder;
its int8 form is what quantize_dynamic makes of it as it comes.
"""

import json
import sys
import time
from pathlib import Path

import torch
from transformers import AutoModelForSeq2SeqLM, AutoModelForSequenceClassification, BertConfig, BertForSequenceClassification, T5Config, T5ForConditionalGeneration

sys.path.insert(0, str(Path(__file__).parents[1] / "parity/models"))
from make_golden import BERT, VOCABULARY, randomise, store, tokenizer

WORDS = VOCABULARY - 8


class FirstToken(torch.nn.Module):
    """The logits of what follows a prompt."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids):
        start = torch.zeros_like(input_ids[:, :1])
        return self.model(input_ids=input_ids, decoder_input_ids=start, use_cache=False).logits[:, 0]


class PairLogits(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, token_type_ids):
        return self.model(input_ids=input_ids, attention_mask=torch.ones_like(input_ids), token_type_ids=token_type_ids).logits


def words(start, count):
    return " ".join(f"w{(start + 37 * i) % WORDS}" for i in range(count))


def flan_t5_small():
    """google/flan-t5-small's shape. Queries are scaled as T5 initialises them: sharper attention magnifies rounding."""
    config = T5Config(vocab_size=32128, d_model=512, d_kv=64, d_ff=1024, num_heads=6, num_layers=8, num_decoder_layers=8,
                      feed_forward_proj="gated-gelu", tie_word_embeddings=False, decoder_start_token_id=0, pad_token_id=0, eos_token_id=1)
    model = T5ForConditionalGeneration(config)
    model.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.detach().clone())
    randomise(model, 21)
    for name, p in model.named_parameters():
        if name.endswith("Attention.q.weight"):
            p.data *= config.d_kv ** -0.5
    tok = tokenizer(["<pad>", "</s>", "<unk>"], ("$A </s>", "$A </s> $B </s>"))
    cases = {f"{tokens} tokens": [words(tokens, tokens - 1)] for tokens in (128, 512, 1400)}
    return model, tok, cases, lambda texts: [tok.encode(texts[0])]


def minilm():
    """cross-encoder/ms-marco-MiniLM-L6-v2's shape."""
    config = BertConfig(vocab_size=30522, hidden_size=384, num_attention_heads=12, intermediate_size=1536, num_hidden_layers=6,
                        max_position_embeddings=512, num_labels=1)
    model = BertForSequenceClassification(config)
    randomise(model, 22)
    tok = tokenizer(*BERT)
    pairs = lambda count: [text for i in range(count) for text in (words(i, 12), words(i + 5, 113))]
    cases = {f"{count} x 128 tokens": pairs(count) for count in (1, 10)}
    return model, tok, cases, lambda texts: [tok.encode(a, b) for a, b in zip(texts[::2], texts[1::2])]


MODELS = {"flan-t5-small": (flan_t5_small, FirstToken, AutoModelForSeq2SeqLM), "minilm-l6": (minilm, PairLogits, AutoModelForSequenceClassification)}


def inputs(case, names):
    return tuple(torch.tensor(case[name]) for name in names)


def make(folder):
    import onnx
    from onnxruntime.quantization import quantize_dynamic

    made = {}
    for name, (build, wrap, _) in MODELS.items():
        model, tok, texts, encode = build()
        stored = store(folder / name, model, tok, torch.float32, {"tie_word_embeddings": False})
        stored.set_attn_implementation("eager")  # the form that exports
        wrapped = wrap(stored).eval()
        names = ["input_ids"] + (["token_type_ids"] if wrap is PairLogits else [])
        made[name] = {"seq2seq": wrap is FirstToken, "inputs": names, "cases": {}}
        for case, given in texts.items():
            rows = encode(given)
            found = {"texts": given, "input_ids": [row.ids for row in rows], "token_type_ids": [row.type_ids for row in rows]}
            with torch.no_grad():
                found["logits"] = wrapped(*inputs(found, names)).flatten().tolist()
            made[name]["cases"][case] = found
        batch = max(len(found["texts"]) for found in made[name]["cases"].values()) > 2
        shape = {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC} if batch else {1: torch.export.Dim.DYNAMIC}
        graph = folder / f"{name}.onnx"
        torch.onnx.export(wrapped, inputs(found, names), graph, input_names=names, output_names=["logits"], dynamo=True, external_data=False,
                          dynamic_shapes=tuple(shape for _ in names))
        exported = onnx.load(graph)
        del exported.graph.value_info[:]  # the exporter leaves a shape there that quantize_dynamic does not take
        onnx.save(exported, graph)
        quantize_dynamic(graph, folder / f"{name}-int8.onnx")
    (folder / "models.json").write_text(json.dumps(made))


@torch.no_grad()
def serve_times(folder):
    made = json.loads((folder / "models.json").read_text())
    models = {name: wrap(kind.from_pretrained(folder / name).eval()) for name, (_, wrap, kind) in MODELS.items()}
    for line in sys.stdin:
        asked = json.loads(line)
        given = made[asked["model"]]
        tensors = inputs(given["cases"][asked["case"]], given["inputs"])
        began = time.perf_counter()
        models[asked["model"]](*tensors)
        print(json.dumps({"ms": (time.perf_counter() - began) * 1e3, "difference": 0}), flush=True)


if __name__ == "__main__":
    verb, folder = sys.argv[1], Path(sys.argv[2])
    if verb == "make":
        folder.mkdir(parents=True, exist_ok=True)
        make(folder)
    else:
        torch.set_num_threads(int(sys.argv[3]))
        serve_times(folder)
