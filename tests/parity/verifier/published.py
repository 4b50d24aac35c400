"""The p that published verifiers give, computed by transformers on small checkpoints of their architectures.

    python tests/parity/verifier/published.py

(needs torch, transformers, safetensors; rewrites published.json.) The models are those of tests/parity/writing/model (a T5) and of
tests/parity/models/golden; what they say means nothing. Prompt, tokens and class are those of the published code: of Liyan06/MiniCheck
minicheck/inference.py, of derenlei/FactCG factcg/utils.py and inference.py, and of vectara/hallucination_evaluation_model
modeling_hhem_v2.py. crate/verify/tests/models/published.rs asserts the same.
"""

import json
from pathlib import Path

import torch
from safetensors.torch import load_file
from transformers import AutoModelForSeq2SeqLM, AutoModelForSequenceClassification, PreTrainedTokenizerFast, T5Config, T5ForTokenClassification

HERE = Path(__file__).parent
PARITY = HERE.parent
FACTCG = "{}\n\nChoose your answer: based on the paragraph above can we conclude that \"{}\"?\n\nOPTIONS:\n- Yes\n- No\nI think the answer is "
HHEM = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {}\n\nHypothesis: {}"
LONG = " ".join(f"Iron number {n} is a metal that rusts in wet air." for n in range(20))
CASES = [
    ("Iron is a metal.", ["Iron is a soft grey metal. It rusts in wet air.", "Tin is a metal."]),
    ("Iron rusts in wet air.", ["Iron is a metal.\nIt rusts."]),
    ("Tin is soft.", [LONG, "Marie Curie was born in Warsaw."]),
    ("Marie Curie won two prizes.", ["Marie Curie won one prize."]),
    ("w3 w4 w5", ["w1 w2 w7", "w9 w4"]),
]


def tokenizer(folder, **special):
    return PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), **special)


def minicheck():
    folder = PARITY / "writing/model"
    model = AutoModelForSeq2SeqLM.from_pretrained(folder, dtype=torch.float32).eval()
    tok = tokenizer(folder, eos_token="</s>", pad_token="<pad>", unk_token="<unk>")

    def p(document, claim):
        inputs = tok("predict: " + tok.eos_token.join([document, claim]), return_tensors="pt")
        assert inputs.input_ids[0].tolist().count(tok.eos_token_id) == 2
        start = torch.zeros((1, 1), dtype=torch.long)
        logits = model(input_ids=inputs.input_ids, attention_mask=inputs.attention_mask, decoder_input_ids=start).logits[0, 0]
        return logits[torch.tensor([3, 209])].double().softmax(-1)[1].item()

    return p


def factcg():
    folder = PARITY / "models/golden/deberta-v2-types"
    model = AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32).eval()
    tok = tokenizer(folder, pad_token="[PAD]", unk_token="[UNK]", model_input_names=["input_ids", "token_type_ids", "attention_mask"])

    def p(document, claim):
        inputs = tok(FACTCG.format(document, claim), max_length=2048, truncation=True, return_tensors="pt")
        return model(**inputs).logits[0].double().softmax(-1)[1].item()

    return p


def hhem():
    folder = PARITY / "models/golden/hhem"
    config = json.loads((folder / "config.json").read_text())
    del config["model_type"], config["architectures"]
    model = T5ForTokenClassification(T5Config(**config, feed_forward_proj="gated-gelu")).eval()
    state = {name.removeprefix("t5."): weight for name, weight in load_file(folder / "model.safetensors").items()}
    left = model.load_state_dict(state, strict=False)
    assert not left.unexpected_keys and all("embed_tokens" in name for name in left.missing_keys), left
    model.transformer.encoder.embed_tokens.weight.data = model.transformer.shared.weight.data
    tok = tokenizer(folder, eos_token="</s>", pad_token="<pad>", unk_token="<unk>")

    def p(document, claim):
        inputs = tok(HHEM.format(document, claim), return_tensors="pt")
        return model(input_ids=inputs.input_ids, attention_mask=inputs.attention_mask).logits[0, 0].double().softmax(-1)[1].item()

    return p


@torch.no_grad()
def main():
    found = []
    for name, made in [("minicheck", minicheck), ("factcg", factcg), ("hhem", hhem)]:
        p = made()
        found += [{"prompt": name, "claim": claim, "documents": documents, "p": [p(document, claim) for document in documents]}
                  for claim, documents in CASES]
    (HERE / "published.json").write_text(json.dumps(found, indent=1) + "\n")
    for row in found:
        print(row["prompt"], row["p"])


main()
