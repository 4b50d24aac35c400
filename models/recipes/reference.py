"""Writes what transformers computes with a pack, in f32, for other implementations to be tested against.

    python reference.py PACK      writes reference.json beside this file

There are prompts with p; pairs with [entailment, neutral, contradiction] by each NLI model and [start, end, logit of
being wrong] of the hypothesis's tokens; texts after what is before them with ln P of each token; texts with their
embedding's first values; paragraphs with their logit of coherence.
"""

import json
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file

from evaluate import nli_logits
from marks import LAYER
from pack import model, tokenizer
from prompt import QUESTIONS, prompt
from verifier import scores

CARBON = "Carbon. Carbon is a chemical element; it has symbol C and atomic number 6. It is nonmetallic and tetravalent."
FRANCE = "France. Paris is the capital and most populous city of France. Lyon is the third-largest city of the country."
PLANETS = (
    "Jupiter. Jupiter is the fifth planet from the Sun and the largest in the Solar System. Mars is the fourth planet."
)
NILE = "Nile. The Nile is a major river in northeastern Africa. It flows north into the Mediterranean Sea and is about 6,650 km long."
CURIE = (
    "Marie Curie. She was the first woman to win a Nobel Prize, in 1903. She won a second one, in chemistry, in 1911."
)
MOON = "Apollo 11. Neil Armstrong became the first person to step onto the lunar surface on July 21, 1969."
CLAIMS = [
    ([CARBON], "The atomic number of carbon is 6."),
    ([CARBON], "The atomic number of carbon is 12."),
    ([FRANCE], "Paris is the capital of France."),
    ([FRANCE], "Lyon is the capital of France."),
    ([PLANETS], "Jupiter is the largest planet."),
    ([PLANETS], "Mars is the largest planet."),
    ([NILE], "The Nile flows into the Mediterranean Sea."),
    ([NILE], "The Nile is a river in South America."),
    ([CURIE], "Marie Curie won two Nobel Prizes."),
    ([CURIE, MOON], "Marie Curie never won a Nobel Prize."),
    ([NILE, MOON, FRANCE], "Neil Armstrong walked on the Moon in 1969."),
    ([NILE, FRANCE], "Neil Armstrong walked on the Moon in 1969."),
]
TEXTS = [
    ("", "The Nile flows into the Mediterranean Sea."),
    ("what is the capital of france", PLANETS),
    (f"Passage: {MOON}\nQuery: who walked on the moon first\nAnswer:", "Neil Armstrong"),
]
PARAGRAPHS = [MOON, NILE, " ".join(reversed(NILE.split(". ")))]


@torch.no_grad()
def embedding(bert, tok, text):
    """The mean of the last states, divided by its norm."""
    return torch.nn.functional.normalize(
        bert(**tok(text, truncation=True, max_length=256, return_tensors="pt")).last_hidden_state[0].mean(0), dim=0
    )


@torch.no_grad()
def marks(nli, tok, head, premise, hypothesis):
    """[start, end, logit] of each token of the hypothesis, by the states below the head."""
    read = tok(premise, hypothesis, return_offsets_mapping=True, return_tensors="pt")
    places, texts = read.pop("offset_mapping")[0].tolist(), read.sequence_ids(0)
    states = nli.mpnet(**read, output_hidden_states=True).hidden_states[LAYER][0]
    logits = (states @ head["marks.weight"].T + head["marks.bias"])[:, 0].tolist()
    return [[*place, round(logit, 4)] for place, logit, text in zip(places, logits, texts) if text == 1]


@torch.no_grad()
def log_probabilities(lm, tok, before, text):
    """ln P of each token of `text` after [CLS] before [SEP], as crate/nn lays them out."""
    first, ids = tok(before)["input_ids"], tok(text, add_special_tokens=False)["input_ids"]
    logs = lm(torch.tensor([first + ids])).logits[0].log_softmax(-1)
    return [logs[len(first) + i - 1, token].item() for i, token in enumerate(ids)]


def main(pack):
    verifier, tok = model(pack, "verifier"), tokenizer(pack, "verifier")
    layouts = [(facts, statement, "", QUESTIONS[0]) for facts, statement in CLAIMS]
    layouts += [([CURIE], "She shared it with her husband.", "Marie Curie won the Nobel Prize in 1903.", QUESTIONS[0])]
    layouts += [(*CLAIMS[3], "", question) for question in QUESTIONS[1:]]
    prompts = [prompt(*layout) for layout in layouts]
    premises, hypotheses = zip(*[(fact, statement) for facts, statement in CLAIMS for fact in facts])
    by = {
        name: nli_logits(model(pack, name), tokenizer(pack, name), premises, hypotheses).softmax(-1)
        for name in ("nli", "small")
    }
    judged = [
        {name: [round(v, 6) for v in triples[i].tolist()] for name, triples in by.items()} for i in range(len(premises))
    ]
    judge, words, head = model(pack, "nli"), tokenizer(pack, "nli"), load_file(pack / "nli/marks.safetensors")
    for item, premise, hypothesis in zip(judged, premises, hypotheses):
        item["marks"] = marks(judge, words, head, premise, hypothesis)
    found = {
        "prompts": [
            {
                "prompt": text,
                "ids": tok(text)["input_ids"],
                "p": round(scores(verifier, tok, [text], bf16=False).item(), 6),
            }
            for text in prompts
        ],
        "pairs": [{"premise": a, "hypothesis": b, **found} for a, b, found in zip(premises, hypotheses, judged)],
        "texts": [
            {
                "before": before,
                "text": text,
                "logs": [round(v, 5) for v in log_probabilities(model(pack, "lm"), tok, before, text)],
            }
            for before, text in TEXTS
        ],
        "embeddings": [
            {"text": text, "first": [round(v, 5) for v in embedding(model(pack, "embedder"), tok, text)[:8].tolist()]}
            for text in (CURIE, "who walked on the moon first")
        ],
        "paragraphs": [
            {"text": text, "logit": round(model(pack, "discourse")(**tok(text, return_tensors="pt")).logits.item(), 5)}
            for text in PARAGRAPHS
        ],
    }
    Path(__file__).with_name("reference.json").write_text(json.dumps(found, indent=1) + "\n")
    for (facts, statement, _, _), item in zip(layouts, found["prompts"]):
        print(f"{item['p']:.3f}", len(facts), statement)
    for item in found["pairs"]:
        print(item["nli"], item["small"], item["hypothesis"], "|", item["premise"][:30])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
