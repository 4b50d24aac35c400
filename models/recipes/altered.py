"""Pairs from sentences of Wikipedia altered by rule: dates, numbers, units, lives, negation, and who did it.

A statement keeps the sentence's words but for what the rule alters, so that only that decides.
"""

import re
from collections import Counter

from data import CONTRADICTION, ENTAILMENT, LEADING, NAME, named, pair, sentences
from passages import articles

MOST = {
    "date": 9000,
    "number": 6000,
    "unit": 3000,
    "life": 4000,
    "who": 6000,
    "negation": 8000,
}  # sentences of each kind
YEAR = r"1[0-9]{3}|20[0-2][0-9]"
COUNT = re.compile(
    r"(?<![\d.,$£€-])(\d{1,3}(?:,\d{3})+|\d{3,})(?![\d.,-]*\d)(?! *(?:BC|AD|CE|–|-)) "
    r"([a-z]+s|people|men|women|children|percent|students)\b"
)
HEDGE = re.compile(r"(?:about|around|over|more than|some|approximately|nearly|almost|roughly) $")
NO_HEDGE = re.compile(
    r"(?:^|\b(?:the|a|an|his|its|their|this|first|of|[A-Z]\S*) )$"
)  # "the about 200" and "The 2010 more than 651"
UNITS = {
    "km": (0.6214, "miles"),
    "kilometres": (0.6214, "miles"),
    "kilometers": (0.6214, "miles"),
    "miles": (1.609, "kilometres"),
    "metres": (3.281, "feet"),
    "meters": (3.281, "feet"),
    "feet": (0.3048, "metres"),
    "kg": (2.205, "pounds"),
    "pounds": (0.4536, "kilograms"),
    "square kilometres": (0.3861, "square miles"),
    "square miles": (2.59, "square kilometres"),
}
MEASURE = re.compile(r"\b(\d{1,4}(?:\.\d+)?) ?(%s)\b" % "|".join(sorted(UNITS, key=len, reverse=True)))
LIFE = re.compile(rf"\((?:born )?[^()]*?\b({YEAR})\s*[–-]\s*[^()]*?\b({YEAR})[^()]*\)")
DENIED = re.compile(r"\b(is|was|are|were) not (?!only|just|until|yet|the first)")
VERB = re.compile(r"\b(is|was|are|were|can|could|will) (?!not\b|never\b)|\b(has|had) (?=\w+(?:ed|en|wn)\b)")
ONCE = re.compile(
    r"\b(?:discovered|invented|founded|wrote|painted|built|composed|created|designed|directed|developed"
    r"|published|introduced"
    r"|established|won|defeated|conquered|led|produced|proposed|formulated|recorded|released)\b"
)


def ordinal(n):
    return f"{n}{'th' if 10 < n % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"


def short(text, rng):
    """A sentence, often only its main clause."""
    match = re.match(
        r"(.{25,}?)(?:, (?:which|who|where|and (?:was|is|the|has)|with|including|but)\b| until | because )", text
    )
    return match[1] + "." if match and rng.random() < 0.6 else text


def date(text, rng):
    """(statement, label) of a sentence with one year."""
    years = re.findall(rf"\b(?:{YEAR})\b", text)
    if len(years) != 1 or not re.search(rf"\b[Ii]n {years[0]}\b", text):
        return
    year = int(years[0])
    century, decade, off = (year - 1) // 100 + 1, year // 10 * 10, rng.choice([2, 5, 10, 15, 30])
    true = [f"in the {ordinal(century)} century", f"before {year + off}", f"after {year - off}", f"in the {decade}s"]
    false = [
        f"in the {ordinal(century + rng.choice([-1, 1]))} century",
        f"before {year - off}",
        f"after {year + off}",
        f"in the {decade + rng.choice([-20, -10, 10, 20])}s",
        f"in {year + rng.choice([-1, 1]) * rng.choice([1, 2, 7, 10, 100])}",
    ]
    is_true = rng.random() < 0.45
    when = rng.choice(true if is_true else false)
    said = re.sub(
        rf"\b([Ii])n {years[0]}\b", lambda m: (when[0].upper() if m[1] == "I" else when[0]) + when[1:], text, count=1
    )
    yield said, ENTAILMENT if is_true else CONTRADICTION


def number(text, rng):
    """A count said roughly or as a bound, rightly or wrongly."""
    match = COUNT.search(text)
    if not match or re.fullmatch(YEAR, match[1]):
        return
    value = int(match[1].replace(",", ""))
    unit = 10 ** max(0, len(str(value)) - 2)

    def spelled(v):
        return f"{v / 1e6:.4g} million" if v >= 1e6 and rng.random() < 0.2 else f"{int(v):,}"

    true = [
        "about " + spelled(round(value / unit) * unit),
        "more than " + spelled(value * 0.9),
        "fewer than " + spelled(value * 1.15 + 1),
    ]
    false = [
        "about " + spelled(value * rng.choice([0.4, 1.6, 2.2])),
        "more than " + spelled(value * 1.3 + 1),
        "fewer than " + spelled(value * 0.75),
    ]
    is_true = rng.random() < 0.5
    before = HEDGE.sub("", text[: match.start()])
    if not NO_HEDGE.search(before):
        yield f"{before}{rng.choice(true if is_true else false)} {text[match.start(2):]}", (
            ENTAILMENT if is_true else CONTRADICTION
        )


def unit(text, rng):
    """A measure in another unit, without what stands in brackets behind it."""
    match = MEASURE.search(text)
    if match:
        factor, other = UNITS[match[2]]
        value, is_true = float(match[1]) * factor, rng.random() < 0.5
        value = value if is_true else rng.choice([float(match[1]), value * 2, value * 0.4])
        before, after = HEDGE.sub("", text[: match.start()]), re.sub(r"^ \([^)]*\)", "", text[match.end() :])
        yield f"{before}about {value:.3g} {other}{after}", ENTAILMENT if is_true else CONTRADICTION


def life(text, title, rng):
    """Birth and death, from the two years after a name."""
    match = LIFE.search(text)
    if not match or not 15 < int(match[2]) - int(match[1]) < 105:
        return
    who, born, died = re.sub(r" \(.*", "", title), int(match[1]), int(match[2])
    age = died - born
    every = [
        (f"was born in {born}", True),
        (f"died in {died}", True),
        (f"died in the {ordinal((died - 1) // 100 + 1)} century", True),
        (f"was over {(age - 2) // 10 * 10} years old at death", True),
        (f"died in {born}", False),
        (f"was born in {died}", False),
        (f"was born in {born + rng.choice([-10, -1, 3, 100])}", False),
        (f"died in {died + rng.choice([-20, -3, 1, 10])}", False),
        (f"died before the age of {max(10, age // 10 * 10 - 10)}", False),
    ]
    for said, is_true in rng.sample(every, 3):
        yield f"{who} {said}.", ENTAILMENT if is_true else CONTRADICTION


def negation(title, text, rng):
    """Pairs with a verb denied, in the statement, the evidence or both."""
    denied = DENIED.search(text)
    if denied:
        plain = text[: denied.end(1)] + text[denied.end() - 1 :]
        return [
            pair(title, text, [], text, ENTAILMENT, "negation"),
            pair(title, text, [], plain, CONTRADICTION, "negation"),
        ]
    verb = VERB.search(text)
    if not verb or " not " in text or rng.random() > 0.12:
        return []
    no = f"{text[:verb.end() - 1]} not {text[verb.end():]}"
    return [
        pair(title, text, [], no, CONTRADICTION, "negation"),
        pair(title, no, [], text, CONTRADICTION, "negation"),
        pair(title, no, [], no, ENTAILMENT, "negation"),
    ]


def who(title, parts, rng):
    """Pairs in which somebody else from the neighbouring sentences has done it."""
    for i, text in enumerate(parts):
        lead = LEADING.match(text)
        if not lead or not 6 <= len(text.split()) <= 32 or not ONCE.search(text):
            continue
        evidence = " ".join(parts[max(0, i - 1) : i + 2])
        others = [n for n in NAME.findall(evidence) if not set(n.split()) & set(lead[0].split()) and n not in text]
        if others:
            yield pair(title, evidence, [], rng.choice(others) + text[lead.end() :], CONTRADICTION, "who")
            yield pair(title, evidence, [], short(text, rng), ENTAILMENT, "who")


def make(data, rng):
    paragraphs = [
        (t, p) for name in ("squad1_wikipedia", "mind_wiki_intros") for t, ps in articles(data, name) for p in ps
    ]
    rng.shuffle(paragraphs)
    count, made = Counter(), []

    def add(kind, pairs):
        pairs = list(pairs) if count[kind] < MOST[kind] else []
        count[kind] += bool(pairs)
        made.extend(pairs)

    for title, paragraph in paragraphs:
        parts = sentences(paragraph)
        add("who", who(title, parts, rng))
        for evidence in parts:
            if (
                not 7 <= len(evidence.split()) <= 38
                or not evidence.endswith(".")
                or evidence.count("(") != evidence.count(")")
            ):
                continue
            text = short(named(evidence, title), rng)
            for kind, found in (
                ("date", date(text, rng)),
                ("number", number(text, rng)),
                ("unit", unit(text, rng)),
                ("life", life(evidence, title, rng)),
            ):
                add(kind, (pair(title, evidence, [], said, label, kind) for said, label in found))
            add("negation", negation(title, text, rng))
    return made
