"""Documents in chunks, as the published code of MiniCheck makes them for its T5.

    python tests/parity/aggrefact/chunks.py MINICHECK

(MINICHECK is a checkout of Liyan06/MiniCheck; needs torch, transformers and tqdm; rewrites chunks.json.) The sentences are given, so that
NLTK, which finds them there, is not needed. crate/eval/src/rows/chunks.rs asserts the same.
"""

import json
import random
import sys
import types
from pathlib import Path

END = "\x1f"  # what parts the given sentences of a line
sys.modules["nltk"] = types.ModuleType("nltk")
sys.modules["nltk.tokenize"] = types.ModuleType("nltk.tokenize")
sys.modules["nltk.tokenize"].sent_tokenize = lambda line: [sentence for sentence in line.split(END) if sentence]
sys.modules["minicheck"] = types.ModuleType("minicheck")  # whose __init__ would fetch NLTK's models
sys.modules["minicheck"].__path__ = [f"{sys.argv[1]}/minicheck"]
from minicheck.inference import Inferencer  # noqa: E402


def chunks(lines, words):
    made = Inferencer.__new__(Inferencer)
    made.model_name, made.chunk_size = "flan-t5-large", words
    made.inference = lambda chunks, claims: chunks
    return made.inference_per_example("\n".join(END.join(line) for line in lines), "A claim.")


def main():
    rng, found = random.Random(32), []
    shapes = [([], 5), ([[]], 5), ([["One two."]], 1), ([["One."], [], [], ["Two."]], 5), ([[], ["One two three."], []], 2)]
    for _ in range(24):
        lines = [[" ".join(f"w{rng.randrange(50)}" for _ in range(rng.randrange(1, 12))) + "." for _ in range(rng.choice([0, 1, 1, 2, 4]))]
                 for _ in range(rng.randrange(1, 7))]
        shapes.append((lines, rng.choice([3, 8, 20, 60])))
    for lines, words in shapes:
        found.append({"lines": lines, "words": words, "chunks": chunks(lines, words)})
    Path(__file__).with_suffix(".json").write_text(json.dumps(found, indent=None) + "\n")
    print(len(found), sum(len(row["chunks"]) for row in found))


main()
