"""Questions to train on, made from sentences by rule, in the manner of a search box: lower-cased, without a question
mark."""

import re
import zlib

from data import LEADING, NAME, NUMBER, VERB, named, rows, tidy

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
WHEN = re.compile(
    rf",? (?:in|on|since|until|by|from|during) (?:the (?:summer|winter|spring|autumn|fall) of )?(?:(?:{MONTHS}) )?(?:\d{{1,2}}, )?\d{{4}}\b"
)
WHERE = re.compile(r",? (?:in|at|near|from|to) (?:the )?[A-Z][\w’-]+(?:,? (?:of |the )?[A-Z][\w’-]+)*")


def question(sentence, title, rng):
    """(question, answer), where the answer is a span of the sentence, or None where no rule fits."""
    text = named(re.sub(r" ?\([^)]*\)", "", sentence), title).rstrip(".")
    options = []
    leading = LEADING.match(text)
    if leading and VERB.match(text[leading.end() + 1 :]):
        options.append((rng.choice(["who", "what", "what", "which"]) + text[leading.end() :], leading[0]))
        verb = VERB.match(text[leading.end() + 1 :])
        after = text[leading.end() + 1 + verb.end() :].strip()
        for pattern, word in ((WHEN, "when"), (WHERE, "where")):
            span = pattern.search(after)
            if span:
                options += 2 * [
                    (
                        f"{word} {verb[0]} {leading[0]} {after[: span.start()]}{after[span.end() :]}",
                        re.sub(r"^,? (?:in|on|since|until|by|from|during|at|near|to) (?:the )?", "", span[0]),
                    )
                ]
        count = re.search(r"\b(\d[\d,.]*) ([a-z]+(?: [a-z]+)?)", after)
        if count:
            options.append(
                (f"how many {count[2]} {verb[0]} {leading[0]} {after[: count.start()]}{after[count.end() :]}", count[1])
            )
    spans = list(NAME.finditer(text)) + list(NUMBER.finditer(text))
    if spans and (not options or rng.random() < 0.3):
        span = rng.choice(spans)
        options.append(
            (rng.choice(["what", "who", "which"]) + " " + text[: span.start()] + text[span.end() :], span[0])
        )
    if not options:
        return None
    asked, answer = rng.choice(options)
    words = re.split(r"[,;:]", asked)[0].split() if rng.random() < 0.6 else asked.split()
    if len(words) < 3:
        return None
    return " ".join(words[: rng.choice([8, 10, 12, 14])]).lower(), answer


def held(text):
    """Whether a paragraph is held out of training, to measure crate/verify's floors on."""
    return zlib.crc32(text.encode()) % 2 == 0


def texts(data):
    """(title, text) of the corpus to train on: CONNER's own passages, others on their topics, and half of the
    paragraphs are left out."""
    with open(data / "conner/nq.tsv", encoding="utf-8") as file:
        nq = [line.rstrip("\n").split("\t") for line in file]

    def runs(text):
        words = re.findall(r"\w+", text.lower())
        return {tuple(words[i : i + 8]) for i in range(len(words) - 7)}

    topics, seen = {row[0].lower() for row in nq}, set().union(*(runs(row[2]) for row in nq))
    for r in rows(data / "corpus/passages.jsonl"):
        title = r.get("title") or ""
        kept = r["source"] in ("qed", "fever_dev") and held(r["text"])
        if not (r["source"].startswith("conner") or kept or title.lower() in topics or runs(r["text"]) & seen):
            yield title, tidy(r["text"])
