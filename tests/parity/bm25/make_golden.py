"""Makes golden.json: what bm25s, an independent BM25, finds among the passages of the demo, with what names add.

    python tests/parity/bm25/make_golden.py

needs `pip install bm25s` and cargo. Both implementations score the same terms and names: those that the example `analyse`
of evident-index prints. bm25s scores the terms; what a passage's names add is made of bm25s's own idf and, after
FORMAT.md, of the passage's length. crate/index/tests/bm25_parity.rs compares; another corpus and its golden are compared
with

    python tests/parity/bm25/make_golden.py --passages FILE --count 10000 --queries 1000 --out FILE
    BM25_GOLDEN=FILE cargo test --release -p evident-index --test bm25_parity -- --ignored --nocapture
"""

import argparse
import hashlib
import json
import re
import subprocess
from collections import Counter
from pathlib import Path

import bm25s
import numpy

ROOT = Path(__file__).resolve().parents[3]
K1, B, HITS = 0.9, 0.4, 10


def sentences(text):
    return re.split(r"(?<=[.!?])\s+", text.strip())


def make_queries(passages, count):
    """A sentence of one passage, every second time after a sentence of another, as context comes before a statement; of
    the others every second is about the passage's title."""
    step = len(passages) / count
    for n in range(count):
        statement = sentences(passages[int(n * step)]["text"])[-1]
        context = sentences(passages[int(n * step * 7) % len(passages)]["text"])[0]
        about = f"{passages[int(n * step)]['title']}: {statement}" if n % 4 == 2 else statement
        yield f"{context} {statement}" if n % 2 else about


def analyse(texts, what="terms"):
    """The terms of each text, the names of each title, or the names that each query asks for, as often as it does."""
    lines = "\n".join(text.replace("\n", " ") for text in texts)
    command = ["cargo", "run", "--quiet", "--release", "-p", "evident-index", "--example", "analyse", what]
    run = subprocess.run(command, cwd=ROOT, input=lines, stdout=subprocess.PIPE, text=True, check=True)
    return [line.split("\t") if line else [] for line in run.stdout.split("\n")[:-1]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", default="tests/data/passages.jsonl", help="JSONL; relative to the repository")
    parser.add_argument("--count", type=int, default=1000, help="how many of its first lines to use")
    parser.add_argument("--queries", type=int, default=120)
    parser.add_argument("--out", type=Path, default=ROOT / "tests/parity/bm25/golden.json")
    args = parser.parse_args()

    lines = (ROOT / args.passages).read_bytes().splitlines(keepends=True)[: args.count]
    passages = [json.loads(line) for line in lines]
    queries = list(make_queries(passages, args.queries))
    count = len(passages)
    analysed = analyse([p["title"] for p in passages] + [p["text"] for p in passages] + queries)
    terms = [title + text for title, text in zip(analysed[:count], analysed[count:])] + analysed[2 * count :]
    titles, asked = analyse([p["title"] for p in passages], "title"), analyse(queries, "query")

    model = bm25s.BM25(method="lucene", k1=K1, b=B, dtype="float64")
    model.index(terms[:count], show_progress=False)
    # What a name's posting earns of its weight: it stands once in a passage of this length.
    lengths = numpy.array([len(passage) for passage in terms[:count]], dtype="float64")
    once = 1 / (1 + K1 * (1 - B + B * lengths / lengths.mean()))
    named = {}
    for number, names in enumerate(titles):
        for name in names:
            named.setdefault(name, []).append(number)
    # bm25s's idf of a word: its score for a passage, without what that passage's tf earns.
    frequencies = [Counter(passage) for passage in terms[:count]]
    norms = K1 * (1 - B + B * lengths / lengths.mean())

    def idf(word):
        number = next(number for number in range(count) if frequencies[number][word])
        tf = frequencies[number][word]
        return model.get_scores([word])[number] * (tf + norms[number]) / tf

    found = []
    for query, query_terms, names in zip(queries, terms[count:], asked, strict=True):
        scores = model.get_scores(query_terms).astype("float64")
        for name in names:
            if name in named:
                scores[named[name]] += sum(map(idf, set(name[1:].split(" ")))) * once[named[name]]
        best = [n for n in numpy.argsort(-scores, kind="stable")[:HITS] if scores[n] > 0]
        found.append({"query": query, "hits": [[str(passages[n]["id"]), float(f"{scores[n]:.7g}")] for n in best]})

    golden = {
        "passages": args.passages,
        "count": len(passages),
        "sha256": hashlib.sha256(b"".join(lines)).hexdigest(),
        "bm25s": bm25s.__version__,
    }
    rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in found)
    args.out.write_text(json.dumps(golden)[:-1] + ', "queries": [\n' + rows + "\n]}\n")


if __name__ == "__main__":
    main()
