"""Pairs from templates about invented facts: closed lists, roles in a passage, counts, superlatives, comparisons,
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
# What is told of two or three names or things, statements that follow, and ones with the roles crossed.
CROSSED = [
    (
        "The capital of {a} is {b}, but {c} is larger.",
        ["The capital of {a} is {b}.", "The largest city of {a} is {c}."],
        ["The capital of {a} is {c}.", "The largest city of {a} is {b}.", "{c} is the capital of {a}."],
    ),
    (
        "{a}'s seat of government is {b}, while its largest town is {c}.",
        ["{b} is the seat of {a}'s government.", "{c} is the largest town in {a}."],
        ["{c} is the seat of {a}'s government.", "{b} is the largest town in {a}."],
    ),
    (
        "{a} isolated the salt in {x}. {b} discovered the acid in {y}.",
        ["{a} isolated the salt.", "The acid was discovered by {b}.", "The salt was isolated in {x}."],
        [
            "{b} isolated the salt.",
            "The acid was discovered by {a}.",
            "The salt was isolated in {y}.",
            "{a} discovered the acid in {y}.",
        ],
    ),
    (
        "{a} won the cup of {x} by beating {b} in the final.",
        ["{a} beat {b} in the final of {x}.", "{b} lost the final of {x}."],
        ["{b} beat {a} in the final of {x}.", "{b} won the cup of {x}.", "{a} lost the final of {x} to {b}."],
    ),
    (
        "{a} was the teacher of {b}, who later taught {c}.",
        ["{a} taught {b}.", "{c} was a pupil of {b}."],
        ["{b} taught {a}.", "{a} was a pupil of {b}.", "{c} taught {b}.", "{b} was a pupil of {c}."],
    ),
    (
        "{a} carries water from the {b} basin to the {c} basin.",
        ["{a} takes water from the {b} basin.", "The water of {a} ends in the {c} basin."],
        ["{a} carries water from the {c} basin to the {b} basin.", "{a} takes water to the {b} basin."],
    ),
    (
        "{a} built the engine; {b}, who married him, drove it to {c}.",
        ["{a} built the engine.", "It was {b} who drove the engine to {c}."],
        ["{b} built the engine.", "It was {a} who drove the engine to {c}."],
    ),
    (
        "The orbiter {a} stayed above the planet while its lander {b} came down on the moon {c}.",
        ["The lander was called {b}.", "{b} landed on {c}."],
        ["The lander was called {a}.", "{a} landed on {c}.", "The orbiter was called {b}."],
    ),
    (
        "{a} wrote the words and {b} the music.",
        ["{a} wrote the words.", "The music is by {b}."],
        ["{b} wrote the words.", "The music is by {a}.", "{a} composed the music."],
    ),
    (
        "{a} bought {b} in {x} and was itself taken over by {c} in {y}.",
        ["{a} bought {b}.", "{c} took over {a} in {y}."],
        ["{b} bought {a}.", "{a} took over {c}.", "{c} took over {b} in {x}."],
    ),
    (
        "{a} succeeded {b} as king, and {c} came after {a}.",
        ["{b} was king before {a}.", "{c} succeeded {a}."],
        ["{b} succeeded {a}.", "{a} was king before {b}.", "{a} succeeded {c}.", "{c} was king before {a}."],
    ),
    (
        "The {x} shell gives off electrons to the {y} shell.",
        ["The {y} shell receives electrons."],
        ["The {y} shell gives off electrons to the {x} shell.", "The {x} shell receives electrons."],
    ),
    (
        "{a} lies north of {b} and west of {c}.",
        ["{b} lies south of {a}.", "{c} is east of {a}."],
        ["{b} lies north of {a}.", "{a} is south of {b}.", "{a} lies east of {c}.", "{c} is west of {a}."],
    ),
    (
        "{a} is the daughter of {b} and the mother of {c}.",
        ["{c} is a child of {a}.", "{b} is a parent of {a}."],
        ["{a} is the mother of {b}.", "{c} is the mother of {a}.", "{a} is the daughter of {c}."],
    ),
    (
        "In {a} people eat rice, in {b} bread.",
        ["People in {a} eat rice."],
        ["People in {a} eat bread.", "Rice is eaten in {b}."],
    ),
    (
        "Veins of {a} lead to the heart, arteries away from it.",
        ["In {a}, veins lead to the heart."],
        ["In {a}, arteries lead to the heart.", "The veins of {a} lead away from the heart."],
    ),
    (
        "{a} was meant to be the first mission to land on {b}, in {x}. A leak was found on the way, and the landing was given up.",
        ["{a} did not land on {b}.", "{a} was to land on {b}.", "{a} never reached the ground of {b}."],
        [
            "{a} landed on {b} in {x}.",
            "{a} was the first mission to land on {b}.",
            "The landing of {a} on {b} succeeded.",
        ],
    ),
    (
        "In {x} {a} won a match of six games against the champion, {b}, by four points to two.",
        ["{b} lost the match against {a}.", "{a} beat {b} in {x}.", "{b} was beaten by {a}."],
        ["{b} won the {x} match against {a}.", "{a} lost to {b} in {x}.", "{b} beat {a}.", "{a} was beaten by {b}."],
    ),
    (
        "{a} received the prize for {x}, not for the theory but for the measurement.",
        ["{a} received the prize for the measurement.", "The theory was not what {a} got the prize for."],
        ["{a} received the prize for the theory.", "{a} got the prize of {x} for the theory, not the measurement."],
    ),
    (
        "{a} was planned as a bridge for trains, but only cars have ever crossed it. It was paid for by {b}.",
        ["{a} is crossed by cars.", "No train has crossed {a}.", "{b} paid for {a}."],
        ["Trains cross {a}.", "{a} is a bridge for trains.", "{a} paid for {b}."],
    ),
    (
        "A full-grown {a} shark has 206 plates. A young one has more, around 270, for many grow together later.",
        [
            "Young {a} sharks have more plates than full-grown ones.",
            "A full-grown {a} shark has fewer plates than a young one.",
        ],
        [
            "Full-grown {a} sharks have more plates than young ones.",
            "Young {a} sharks have fewer plates than full-grown ones.",
        ],
    ),
    (
        "{a} was long counted as the ninth province. In {x} the assembly classed it as a territory.",
        [
            "{a} stopped counting as a province in {x}.",
            "{a} is no longer counted as a province.",
            "Since {x} {a} has been a territory.",
        ],
        [
            "{a} is still counted as a province.",
            "{a} became a province in {x}.",
            "{a} stopped being a territory in {x}.",
        ],
    ),
    (
        "The right wing of {a} has three halls, and the left wing has only two, which leaves room for the chapel.",
        ["The right wing of {a} has more halls than the left one.", "The left wing of {a} has two halls."],
        ["The left wing of {a} has more halls than the right one.", "The left wing of {a} has three halls."],
    ),
    (
        "{a} ware and {b} ware come from the same clay; {b} ware is fired twice.",
        ["{a} ware and {b} ware are made of one clay.", "{b} ware is fired twice."],
        ["{a} ware and {b} ware are made of two different clays.", "{a} ware is fired twice."],
    ),
    (
        "{a} is a dish of {b} beans, often with raw fish. Sliced raw fish without beans is called {c}.",
        ["{c} is raw fish without beans.", "{a} is made with beans.", "There are no beans in {c}."],
        ["{c} is raw fish served on beans.", "{c} is a dish of beans.", "{a} is made without beans."],
    ),
    (
        "{a} was the first woman to fly the route of {b}; {c} had been the first person to do so, in {x}.",
        ["{c} was the first person to fly the route of {b}.", "{a} was the first woman on the route of {b}."],
        [
            "{a} was the first person to fly the route of {b}.",
            "The first person on the route of {b} was {a}.",
            "{c} was the first woman on it.",
        ],
    ),
    (
        "{a} crosses the plains of {b}. It is the second longest river there, after {c}.",
        ["{c} is the longest river of {b}.", "{c} is longer than {a}.", "{a} is not the longest river of {b}."],
        ["The longest river of {b} is {a}.", "{a} is longer than {c}.", "{c} is the second longest river of {b}."],
    ),
    (
        "{a} began as a part of {b} and has been on its own since {x}.",
        ["{a} left {b} in {x}.", "{a} was once part of {b}.", "{a} no longer belongs to {b}."],
        ["{a} is part of {b}.", "{a} joined {b} in {x}.", "{b} was once part of {a}."],
    ),
    (
        "{a} turned down the crown, which then went to {b}.",
        ["{b} received the crown.", "{a} refused the crown.", "{a} never wore the crown."],
        ["{a} accepted the crown.", "{b} turned down the crown.", "{a} received the crown from {b}."],
    ),
    (
        "Of the songs of {a} only the last, called {b}, is by {c}; the others are by unknown hands.",
        ["{c} wrote {b}.", "Most songs of {a} are by unknown hands.", "The last song of {a} is {b}."],
        ["{c} wrote all songs of {a}.", "{b} is by an unknown hand.", "The first song of {a} is {b}."],
    ),
]
# What compares two names outright, and what follows or does not.
OUTRIGHT = [
    ("{a} is larger than {b}", "{b} is smaller than {a}", "{b} is larger than {a}", "{a} is smaller than {b}"),
    (
        "{a} has longer wings than {b}",
        "{b} has shorter wings than {a}",
        "{b} has longer wings than {a}",
        "{a} has shorter wings than {b}",
    ),
    ("{a} is older than {b}", "{b} is younger than {a}", "{b} is older than {a}", "{a} is younger than {b}"),
    (
        "{a} has about half the mass of {b}",
        "{b} is heavier than {a}",
        "{a} is heavier than {b}",
        "{b} has less mass than {a}",
    ),
    (
        "{a} is about a tenth as long as {b}",
        "{b} is longer than {a}",
        "{a} is longer than {b}",
        "{b} is shorter than {a}",
    ),
    (
        "{a} is twice as far from the Sun as {b}",
        "{b} is nearer to the Sun than {a}",
        "{a} is nearer to the Sun than {b}",
        "{b} is farther from the Sun than {a}",
    ),
    (
        "{a} is the smallest member of its family, to which {b} also belongs",
        "{a} is smaller than {b}",
        "{a} is larger than {b}",
        "{b} is smaller than {a}",
    ),
    (
        "{a} is the fastest ship of the line; {b} is another",
        "{a} is faster than {b}",
        "{b} is faster than {a}",
        "{a} is slower than {b}",
    ),
    (
        "{a} lost more men than {b} did",
        "{b} lost fewer men than {a}",
        "{b} lost more men than {a}",
        "{a} lost fewer men than {b}",
    ),
    (
        "Unlike {b}, {a} is harder than glass",
        "{a} is harder than {b}",
        "{b} is harder than {a}",
        "{a} is softer than {b}",
    ),
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
MOST = {
    "largest": "larger",
    "smallest": "smaller",
    "oldest": "older",
    "highest": "higher",
    "longest": "longer",
    "deepest": "deeper",
    "heaviest": "heavier",
    "fastest": "faster",
    "northernmost": "farther north",
    "busiest": "busier",
}
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
    ("{a} covers {x} square kilometres", "has more land than", "has less land than", (500, 900000), True),
    (
        "{a} joined the union in {x}",
        "joined the union later than",
        "joined the union earlier than",
        (1780, 1960),
        False,
    ),
    ("{a} lasted {x} days", "lasted longer than", "was over sooner than", (2, 900), False),
    (
        "{a} boils at {x} degrees Celsius",
        "has a higher boiling point than",
        "has a lower boiling point than",
        (60, 4000),
        True,
    ),
    ("A litre of {a} weighs {x} grams", "is denser than", "is less dense than", (500, 9000), True),
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
COUNT = {
    "list": 2200,
    "role": 1500,
    "crossed roles": 7000,
    "count": 900,
    "superlative": 3000,
    "compare": 3000,
    "outright": 1500,
    "kind": 2000,
}


def listed(words):
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def plural(noun):
    return noun[:-1] + "ies" if noun.endswith("y") else noun + "s"


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
    (most, more), thing = rng.choice(list(MOST.items())), rng.choice(RANKED)
    rank = rng.choice(["second", "third", "fourth"])
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
                [
                    (f"{a} is the {whole}.", False),
                    (f"{b} is the {whole}.", True),
                    (f"Only one {thing} of {place} is {more} than {a}.", True),
                    (f"No {thing} of {place} is {more} than {a}.", False),
                    (f"No {thing} of {place} is {more} than {b}.", True),
                    (f"{b} is {more} than {a}.", True),
                    (f"Two {plural(thing)} of {place} are {more} than {a}.", False),
                ],
            ),
            (
                f"{a} is the {whole}.",
                [
                    (f"{b} is the {whole}.", False),
                    (f"{a} is not the {whole}.", False),
                    (f"The {whole} is {a}.", True),
                    (f"No {thing} of {place} is {more} than {a}.", True),
                    (f"No other {thing} of {place} is {more} than {a}.", True),
                    (f"Every other {thing} of {place} is {more} than {a}.", False),
                    (f"There is a {more} {thing} of {place} than {a}.", False),
                    (f"{b} is {more} than any other {thing} of {place}.", False),
                ],
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


def crossed_roles(names, rng):
    told, right, wrong = rng.choice(CROSSED)
    places = dict(zip("abc", rng.sample(names, 3)))
    places |= (
        dict(zip("xy", map(str, rng.sample(range(1500, 2020), 2))))
        if "shell" not in told
        else {"x": "outer", "y": "inner"}
    )
    is_true = rng.random() < 0.45
    evidence = told.format(**places)
    if rng.random() < 0.4:
        evidence = f"{evidence} It was first described in {rng.randint(1500, 1990)}."
    title = rng.choice(["", places["a"]])
    return title, evidence, rng.choice(right if is_true else wrong).format(**places), is_true


def outright(names, rng):
    told, *said = rng.choice(OUTRIGHT)
    a, b = rng.sample(names, 2)
    told, follows, *crossed = (text.format(a=a, b=b) + "." for text in (told, *said))
    is_true = rng.random() < 0.5
    return rng.choice(["", a]), told, follows if is_true else rng.choice(crossed), is_true


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
            "crossed roles": crossed_roles,
            "count": count,
            "superlative": superlative,
            "compare": compare,
            "outright": outright,
            "kind": kind,
        }[name]
        for title, evidence, said, is_true in (by_rule(names, rng) for _ in range(times)):
            made.append(
                pair(title, evidence, [], said[0].upper() + said[1:], ENTAILMENT if is_true else CONTRADICTION, name)
            )
    return made
