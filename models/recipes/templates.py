"""Pairs from templates about invented facts: closed lists, roles within a passage, counts, superlatives, comparisons,
and what is not what.

The names are those of articles, so what is said of them is mostly untrue in the world: only the evidence decides.
"""

import re

from data import CONTRADICTION, ENTAILMENT, pair
from passages import articles

NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()
# the list, two ways to say that something is on it, what is counted; {n} is the subject, {l} the list, {x} a member
LISTS = [
    ("{n} borders {l}.", "{n} borders {x}.", "{n} has a border with {x}.", "neighbours"),
    ("{n} shares borders with {l}.", "{n} borders {x}.", "{x} is a neighbour of {n}.", "neighbours"),
    ("The members of {n} are {l}.", "{x} is a member of {n}.", "{n} counts {x} among its members.", "members"),
    ("{n} was written by {l}.", "{x} wrote {n}.", "{n} was written by {x}.", "authors"),
    (
        "The official languages of {n} are {l}.",
        "{x} is an official language of {n}.",
        "{x} has official status in {n}.",
        "official languages",
    ),
    ("{n} flows through {l}.", "{n} flows through {x}.", "{n} passes through {x}.", None),
    ("{n}'s moons are {l}.", "{x} is a moon of {n}.", "{n} has a moon called {x}.", "moons"),
    ("{n} is made of {l}.", "{n} contains {x}.", "{x} is part of {n}.", "parts"),
    ("{n} was founded by {l}.", "{x} founded {n}.", "{x} was a founder of {n}.", "founders"),
    ("The currency of {n} is the {l}.", "The currency of {n} is the {x}.", "{n} pays with the {x}.", None),
]
ROLES = [
    (("left pump", "right pump"), ("feeds", "drains"), ("the upper basin", "the lower basin")),
    (("red wire", "blue wire"), ("carries", "returns"), ("the signal", "the current")),
    (("inner ring", "outer ring"), ("holds", "supports"), ("the lens", "the frame")),
    (("red cells", "pale cells"), ("carry", "store"), ("oxygen", "starch")),
    (("first engine", "second engine"), ("drives", "turns"), ("the pump", "the wheels")),
    (("older brother", "younger brother"), ("wrote", "printed"), ("the plays", "the songs")),
    (("north gate", "south gate"), ("opens onto", "faces"), ("the market", "the harbour")),
    (("upper chamber", "lower chamber"), ("receives", "empties"), ("fresh air", "used air")),
    (("queen", "workers"), ("lays", "gather"), ("the eggs", "the food")),
    (("senate", "assembly"), ("proposes", "passes"), ("the budget", "the treaties")),
    (("first lens", "second lens"), ("gathers", "spreads"), ("the light", "the beam")),
    (("captain", "pilot"), ("steers", "lands"), ("the ship", "the plane")),
]
COUNTED = {
    "moons": "moon",
    "chambers": "chamber",
    "wheels": "wheel",
    "lakes": "lake",
    "volumes": "volume",
    "children": "child",
    "strings": "string",
    "legs": "leg",
    "players": "player",
    "letters": "letter",
    "islands": "island",
    "arms": "arm",
}
MOST = [
    "largest",
    "smallest",
    "oldest",
    "highest",
    "longest",
    "deepest",
    "heaviest",
    "fastest",
    "northernmost",
    "busiest",
]
RANKED = ["city", "planet", "river", "lake", "mountain", "island", "bridge", "museum", "state", "bone"]
# how a value is told, two ways to compare by it, its range, whether it is spelled with commas
COMPARED = [
    ("{a} is {x} metres high", "is higher than", "is lower than", (200, 8000), True),
    ("{a} has {x} inhabitants", "has more inhabitants than", "has fewer inhabitants than", (2000, 9000000), True),
    ("{a} is {x} kilometres long", "is longer than", "is shorter than", (60, 6000), True),
    ("{a} opened in {x}", "opened later than", "opened before", (1700, 2020), False),
    ("{a} has {x} moons", "has more moons than", "has fewer moons than", (2, 80), False),
    ("{a} was born in {x}", "was younger than", "was older than", (1500, 1990), False),
    ("{a} weighs {x} tonnes", "is heavier than", "is lighter than", (2, 900), False),
    (
        "The melting point of {a} is {x} °C",
        "melts at a higher temperature than",
        "melts at a lower temperature than",
        (30, 3000),
        True,
    ),
]
KINDS = """insect arachnid mammal reptile fish amphibian bird metal gas liquid planet star moon novel play film painter
composer king queen city village river lake island mountain language religion sport vegetable fruit tree
flower mineral rock company""".split()
COUNT = {"list": 2200, "role": 1500, "count": 900, "superlative": 1300, "compare": 1500, "kind": 2000}


def listed(words):
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def article(noun):
    return ("an " if noun[0] in "aeiou" else "a ") + noun


def closed_list(names, rng):
    told, one_way, other_way, counted = rng.choice(LISTS)
    length = 1 if "currency" in told else rng.randint(2, 6)
    subject, *others = rng.sample(names, length + 3)
    members, (absent, near) = others[:length], others[length:]
    evidence = told.format(n=subject, l=listed(members))
    if rng.random() < 0.5:
        evidence += " " + rng.choice(
            [
                f"It was first described in {rng.randint(1500, 1990)}.",
                f"{subject} lies near {near}.",
                f"Its area is {rng.randint(2, 900)} square kilometres.",
                f"It is often compared with {near}.",
            ]
        )
    kind, said = rng.random(), rng.choice([one_way, other_way])
    if kind < 0.3:
        return subject, evidence, said.format(n=subject, x=rng.choice(members)), True
    if kind > 0.75 and counted and length > 1:
        is_true = rng.random() < 0.5
        number = length if is_true else rng.choice([v for v in range(2, 9) if v != length])
        return subject, evidence, f"{subject} has {NUMBERS[number]} {counted}.", is_true
    both = 0.65 < kind < 0.75 and length > 1 and " is a" not in one_way
    return (
        subject,
        evidence,
        (one_way if both else said).format(n=subject, x=f"{rng.choice(members)} and {absent}" if both else absent),
        False,
    )


def role(names, rng):
    things, verbs, objects = rng.choice(ROLES)
    order = rng.choice([1, -1])
    (a, b), (v, w), (o, p) = things[::order], verbs[::order], objects[::order]
    subject = rng.choice(names)
    evidence = rng.choice(
        [
            f"In {subject} the {a} {v} {o}, and the {b} {w} {p}.",
            f"The {a} of {subject} {v} {o}. The {b} {w} {p}.",
            f"The {a} {v} {o}. It is the {b} that {w} {p}.",
        ]
    )
    return (
        subject,
        evidence,
        *rng.choice(
            [
                (f"The {a} {v} {o}.", True),
                (f"The {b} {w} {p}.", True),
                (f"The {b} {v} {o}.", False),
                (f"The {a} {w} {p}.", False),
                (f"In {subject} the {a} {w} {p} and the {b} {v} {o}.", False),
            ]
        ),
    )


def count(names, rng):
    subject, other = rng.sample(names, 2)
    many, one = rng.choice(list(COUNTED.items()))
    number = rng.randint(1, 11)
    told = f"{NUMBERS[number]} {many if number > 1 else one}"
    evidence = rng.choice(
        [
            f"{subject} has {told}.",
            f"{subject} has {told}, more than {other} has." if number > 2 else f"{subject} has only {told}.",
            f"Of its {told}, {subject} is proudest of the first." if number > 1 else f"{subject} has a single {one}.",
        ]
    )
    is_true = rng.random() < 0.5
    said = number if is_true else rng.choice([v for v in range(1, 12) if v != number])
    return (
        subject,
        evidence,
        f"{subject} has {NUMBERS[said] if rng.random() < 0.7 else said} {many if said > 1 else one}.",
        is_true,
    )


def superlative(names, rng):
    a, b, place = rng.sample(names, 3)
    most, thing, rank = rng.choice(MOST), rng.choice(RANKED), rng.choice(["second", "third", "fourth"])
    whole = f"{most} {thing} of {place}"
    evidence, said = rng.choice(
        [
            (
                f"{a} is the {whole}; {b} is the {rank} {most}.",
                [
                    (f"{a} is the {whole}.", True),
                    (f"{b} is the {whole}.", False),
                    (f"{b} is the {rank}-{whole}.", True),
                    (f"{a} is the {rank}-{whole}.", False),
                ],
            ),
            (
                f"{a} is the second {whole}, after {b}.",
                [(f"{a} is the {whole}.", False), (f"{b} is the {whole}.", True)],
            ),
            (
                f"{a} is the {whole}.",
                [(f"{b} is the {whole}.", False), (f"{a} is not the {whole}.", False), (f"The {whole} is {a}.", True)],
            ),
            (
                f"{a} is not the {whole}; that is {b}.",
                [(f"{a} is the {whole}.", False), (f"{b} is the {whole}.", True)],
            ),
        ]
    )
    return rng.choice(["", a]), evidence, *rng.choice(said)


def compare(names, rng):
    told, more, less, (low, high), commas = rng.choice(COMPARED)
    a, b = rng.sample(names, 2)
    x, y = rng.sample(range(low, high), 2)
    evidence = " ".join(
        told.format(a=name, x=f"{value:,}" if commas else value) + "." for name, value in ((a, x), (b, y))
    )
    is_true = rng.random() < 0.5
    return "", evidence, f"{a} {more if (x > y) == is_true else less} {b}.", is_true


def kind(names, rng):
    name, (is_one, is_none) = rng.choice(names), map(article, rng.sample(KINDS, 2))
    evidence = rng.choice(
        [
            f"{name} is {is_one}, not {is_none}.",
            f"Although often called {is_none}, {name} is {is_one}.",
            f"{name} is not {is_none} but {is_one}.",
            f"Contrary to popular belief, {name} is not {is_none}. It is {is_one}.",
        ]
    )
    return (
        "",
        evidence,
        *rng.choice(
            [
                (f"{name} is {is_one}.", True),
                (f"{name} is not {is_none}.", True),
                (f"{name} is {is_none}.", False),
                (f"{name} is not {is_one}.", False),
            ]
        ),
    )


def make(data, rng):
    titles = [title for name in ("squad1_wikipedia", "mind_wiki_intros") for title, _ in articles(data, name)]
    names = [title for title in titles if re.fullmatch(r"[A-Z][a-z]{3,}(?: [A-Z][a-z]+)?", title)]
    made = []
    for name, times in COUNT.items():
        by_rule = {
            "list": closed_list,
            "role": role,
            "count": count,
            "superlative": superlative,
            "compare": compare,
            "kind": kind,
        }[name]
        for title, evidence, said, is_true in (by_rule(names, rng) for _ in range(times)):
            made.append(
                pair(title, evidence, [], said[0].upper() + said[1:], ENTAILMENT if is_true else CONTRADICTION, name)
            )
    return made
