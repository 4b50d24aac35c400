"""Token ids of tests/data/tokenize.jsonl by the reference tokenizers.

    python tests/parity/models/make_tokens.py T5_DIR MPNET_DIR     (needs transformers, sentencepiece; rewrites golden/tokens-*.jsonl)

T5_DIR holds T5's published spiece.model and tokenizer.json, MPNET_DIR all-mpnet-base-v2's tokenizer.json. A line of the golden files is a text, the ids that the tokenizers
crate gives with the published tokenizer.json if no text can spell its control tokens, and, only where it differs, what the original implementation gives: sentencepiece
with spiece.model, BERT's own WordPiece in Python. README.md says why they differ. Byte-level BPE and DeBERTa's kind of Unigram are
those that make_golden.py has trained.
"""

import json
import sys
import tempfile
from pathlib import Path

import sentencepiece
from tokenizers import Tokenizer
from transformers import PreTrainedTokenizerFast
from transformers.models.bert.tokenization_bert_legacy import BertTokenizerLegacy

HERE = Path(__file__).parent
ROOT = HERE.parents[2]


def as_text(path):
    """A tokenizer.json as a function from texts to ids. Its control tokens get spellings that no text has."""
    whole = json.loads(path.read_text(encoding="utf-8"))
    model, vocabulary = whole["model"], whole["model"]["vocab"]
    control = {token["content"] for token in whole["added_tokens"] if token["special"]} - {model.get("unk_token")}
    respelt = lambda piece: "\ue000" + piece if piece in control else piece
    if isinstance(vocabulary, dict):
        model["vocab"] = {respelt(piece): id for piece, id in vocabulary.items()}
    else:
        model["vocab"] = [[respelt(piece), score] for piece, score in vocabulary]
    whole |= {"added_tokens": [], "truncation": None, "padding": None}
    tokenizer = Tokenizer.from_str(json.dumps(whole))
    return lambda text: tokenizer.encode(text).ids


def write(name, texts, published, original):
    lines, differ = [], 0
    for text in texts:
        line = {"text": text, "ids": published(text)}
        if (ids := original(text)) != line["ids"]:
            line["original"] = ids
            differ += 1
        lines.append(json.dumps(line, ensure_ascii=True))
    (HERE / "golden" / name).write_text("\n".join(lines) + "\n")
    print(f"{name}: {len(lines)} texts, {differ} of them otherwise by the original implementation")


def main():
    texts = [json.loads(line) for line in (ROOT / "tests/data/tokenize.jsonl").read_text(encoding="utf-8").splitlines()]

    t5 = Path(sys.argv[1])
    pieces = sentencepiece.SentencePieceProcessor(str(t5 / "spiece.model"))
    write("tokens-t5.jsonl", texts, as_text(t5 / "tokenizer.json"), lambda text: pieces.encode(text) + [pieces.eos_id()])

    bert = ROOT / "models/embedded/tokenizer.json"
    fast = PreTrainedTokenizerFast(tokenizer_file=str(bert))
    vocabulary = fast.get_vocab()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "vocab.txt").write_text("\n".join(sorted(vocabulary, key=vocabulary.get)) + "\n", encoding="utf-8")
        slow = BertTokenizerLegacy(str(Path(folder) / "vocab.txt"))
    write("tokens-bert.jsonl", texts, as_text(bert), lambda text: slow.encode(text, split_special_tokens=True))

    folders = {"mpnet": Path(sys.argv[2]), **{model: HERE / "golden" / model for model in ("gpt2", "deberta-v3")}}
    for model, folder in folders.items():
        ids = as_text(folder / "tokenizer.json")
        write(f"tokens-{model}.jsonl", texts, ids, ids)


main()
