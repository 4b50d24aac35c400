"""Pairs from sentences of Wikipedia altered by rule: dates, numbers, units, lives, negation, and who did what to whom.

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
    "other unit": 5000,
    "turned": 6000,
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
# Units that are taken for each other; a number keeps its value and gets another of them.
TAKEN_FOR = """metres feet kilometres miles yards inches centimetres millimetres
meters feet kilometers miles yards inches centimeters millimeters
km miles metres m feet
kilograms pounds grams tonnes tons ounces milligrams
square kilometres|square miles|hectares|acres|square metres
litres gallons millilitres cubic metres|cubic centimetres
seconds minutes hours days weeks months years decades centuries
degrees Celsius|degrees Fahrenheit|kelvins
°C °F
thousand million billion trillion
kilometres per hour|miles per hour|metres per second
per cent|percentage points|percent
volts amperes watts kilowatts megawatts
dollars euros pounds yen cents"""
TAKEN_FOR = [re.split(r"\|", line) if "|" in line else line.split() for line in TAKEN_FOR.splitlines()]
COUNTED = r"(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|a hundred|several hundred)"
OTHER_UNIT = re.compile(
    rf"\b({COUNTED})([ -]?)(%s)(?![\w-]| (?:per|square|cubic|pounds|dollars))"
    % "|".join(sorted({re.escape(unit) for row in TAKEN_FOR for unit in row}, key=len, reverse=True))
)
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
        yield (
            f"{before}{rng.choice(true if is_true else false)} {text[match.start(2) :]}",
            (ENTAILMENT if is_true else CONTRADICTION),
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


def other_unit(title, text, rng):
    """Pairs with a measure as it is, and with its number beside another unit."""
    match = OTHER_UNIT.search(text)
    if not match or re.fullmatch(YEAR, match[1]):
        return
    others = [unit for row in TAKEN_FOR if match[3] in row for unit in row if unit != match[3]]
    # What stands behind in brackets says the same in another unit, and would give it away.
    rest = re.sub(r"^ \([^)]*\)", "", text[match.end() :])
    yield pair(title, text, [], text[: match.end()] + rest, ENTAILMENT, "other unit")
    yield pair(title, text, [], text[: match.start(3)] + rng.choice(others) + rest, CONTRADICTION, "other unit")


NAMED = r"[A-Z][\w’-]+(?: (?:of )?[A-Z][\w’-]+)*"
BETWEEN = [
    "defeated|beat|succeeded|replaced|preceded|followed|conquered|invaded|defended against|lost to|taught",
    "acquired by|founded by|defeated by|succeeded by|replaced by|conquered by|invaded by|taught by|preceded by",
    "acquired|bought|influenced|employed|attacked|overthrew|appointed|owns|controlled|killed|captured",
    "older than|younger than|larger than|smaller than|north of|south of|east of|west of|higher than|lower than",
]
TURNED = [
    *(re.compile(rf"\b(?P<a>{NAMED}) (?:was |were |had |is |lies )?(?:{verbs}) (?P<b>{NAMED})") for verbs in BETWEEN),
    re.compile(rf"\bfrom (?:the )?(?P<a>{NAMED}) (?:to|into) (?:the )?(?P<b>{NAMED})"),
    re.compile(r"\bfrom (?P<a>[a-z]+) (?:to|into) (?P<b>[a-z]+)(?=[,.;])"),
    re.compile(r"\b(?P<a>[a-z]{4,}) rather than (?P<b>[a-z]{4,})(?=[,.;])"),
]


def turned(title, parts, rng):
    """Pairs in which two names, or from where and to where, have changed places."""
    for i, text in enumerate(parts):
        if not 6 <= len(text.split()) <= 34 or not text.endswith("."):
            continue
        for pattern in TURNED:
            match = pattern.search(text)
            if not match or set(match["a"].split()) & set(match["b"].split()):
                continue
            (a, b), (c, d) = match.span("a"), match.span("b")
            said = text[:a] + match["b"] + text[b:c] + match["a"] + text[d:]
            if a == 0:
                said = said[0].upper() + said[1:]
            evidence = " ".join(parts[max(0, i - 1) : i + 2])
            yield pair(title, evidence, [], said, CONTRADICTION, "turned")
            yield pair(title, evidence, [], text, ENTAILMENT, "turned")
            break


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
    no = f"{text[: verb.end() - 1]} not {text[verb.end() :]}"
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
        add("turned", turned(title, parts, rng))
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
            add("other unit", other_unit(title, text, rng))
            add("negation", negation(title, text, rng))
    return made
