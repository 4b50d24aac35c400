"""Token ids of tests/data/tokenize.jsonl by the reference tokenizers.

    python tests/parity/models/make_tokens.py T5_DIR MPNET_DIR     (needs transformers, sentencepiece; rewrites golden/tokens-*.jsonl)

T5_DIR holds T5's published spiece.model and tokenizer.json, MPNET_DIR all-mpnet-base-v2's tokenizer.json. A line of the golden files is a text, the ids that transformers
gives with the published tokenizer.json, and, only where it differs, what the original implementation gives: sentencepiece
with spiece.model, BERT's own WordPiece in Python. README.md says why they differ. Byte-level BPE and DeBERTa's kind of Unigram are
those that make_golden.py has trained.
"""

import json
import sys
import tempfile
from pathlib import Path

import sentencepiece
from transformers import PreTrainedTokenizerFast
from transformers.models.bert.tokenization_bert_legacy import BertTokenizerLegacy

HERE = Path(__file__).parent
ROOT = HERE.parents[2]


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
    fast = PreTrainedTokenizerFast(tokenizer_file=str(t5 / "tokenizer.json"))
    pieces = sentencepiece.SentencePieceProcessor(str(t5 / "spiece.model"))
    write("tokens-t5.jsonl", texts, lambda text: fast(text).input_ids, lambda text: pieces.encode(text) + [pieces.eos_id()])

    bert = ROOT / "models/embedded/tokenizer.json"
    fast = PreTrainedTokenizerFast(tokenizer_file=str(bert))
    vocabulary = fast.get_vocab()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "vocab.txt").write_text("\n".join(sorted(vocabulary, key=vocabulary.get)) + "\n", encoding="utf-8")
        slow = BertTokenizerLegacy(str(Path(folder) / "vocab.txt"))
    write("tokens-bert.jsonl", texts, lambda text: fast(text).input_ids, slow.encode)

    folders = {"mpnet": Path(sys.argv[2]), **{model: HERE / "golden" / model for model in ("gpt2", "deberta-v3")}}
    for model, folder in folders.items():
        fast = PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
        ids = lambda text: fast(text, padding=False, truncation=False).input_ids
        write(f"tokens-{model}.jsonl", texts, ids, ids)


main()
