"""Reads the data sets, splits them by claim and page, and makes pairs from them and from the sentences of the corpus.

A pair is {title, evidence, others, hypothesis, label, source}: `evidence` bears on the hypothesis as `label` says (0
entailment, 1 neutral, 2 contradiction, 3 either of the latter two, where the data set does not say which); `others` are
sentences of the same page, or like it in words, that do not bear on it. The trainings lay a pair out in their own ways,
with few or many of the others. mix.py writes the pairs.

Never trained on: the claims of FEVER-Symmetric; Factcheck-Bench; the FM2 claims and passages of every second page;
every fourth CLIMATE-FEVER claim. Evidence of FEVER-Symmetric and CLIMATE-FEVER can stand in training beside other
claims.
"""

import json
import random
import re
import zlib
from collections import defaultdict
from functools import cache

from sklearn.feature_extraction.text import TfidfVectorizer

from reword import Thesaurus, numbers, restated
from words import CLASSES, COUNTRIES, ELEMENTS, OPPOSITES, PARAPHRASES

ENTAILMENT, NEUTRAL, CONTRADICTION, NOT_ENTAILED = range(4)
# Found for a claim that is true (or false), but not known to settle it: neutral, unless the model takes it to entail (or
# to contradict) the claim.
NEUTRAL_OR_ENTAILMENT, NEUTRAL_OR_CONTRADICTION = 4, 5
LABELS = {"entailment": ENTAILMENT, "neutral": NEUTRAL, "contradiction": CONTRADICTION, "not_entailment": NOT_ENTAILED}
# Pairs taken of each set: the formulaic ones are thinned out, the ones closest to checking a claim are kept.
QUOTA = {
    "snli": 4000,
    "conjnli": 4500,
    "breaking_nli": 1200,
    "med": 700,
    "help": 700,
    "begin_wow_dev": 400,
    "begin_wow_test": 2200,
    "fever_train": 60000,
    "fever_train_nei_autopaired": 9000,
    "lingnli": 14000,
    "mnli_sample": 8000,
    "cad_nli": 7000,
    "creak_explanations": 5000,
    "factor_contradictions": 2000,
    "wikifactcheck_pairs": 2500,
    "wikisplit_entail": 3000,
    "monli": 400,
    "folio": 600,
    "dnc_kg_relations": 1500,
    "negation_nli": 2500,
}
PTB = [
    ("-LRB- ", "("),
    (" -RRB-", ")"),
    ("-LRB-", "("),
    ("-RRB-", ")"),
    ("-LSB- ", "["),
    (" -RSB-", "]"),
    ("`` ", '"'),
    (" ''", '"'),
    ("``", '"'),
    ("''", '"'),
    (" ,", ","),
    (" .", "."),
    (" ;", ";"),
    (" :", ":"),
    (" 's", "'s"),
    (" n't", "n't"),
    (" %", "%"),
    (" -- ", " - "),
    ("( ", "("),
    (" )", ")"),
]


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def part(key, parts):
    """The part, 0 to parts - 1, that a claim or page falls into: the same in every run."""
    return zlib.crc32(key.strip().lower().encode()) % parts


def held_page(title):
    return part(title, 2) == 0


def held_climate(claim):
    return part(claim, 4) == 0


def tidy(text):
    """Undoes Penn Treebank spacing."""
    for old, new in PTB:
        text = text.replace(old, new)
    return " ".join(text.split())


def passage(shown, rng):
    """A pair's premise as the engine would show it: the evidence, sometimes among one or two others, mostly under its
    title."""
    parts = rng.sample(shown["others"], min(len(shown["others"]), rng.choice([0, 0, 0, 0, 1, 2])))
    parts = [p for p in parts if len(p.split()) < 50]
    parts.insert(rng.randint(0, len(parts)), shown["evidence"])
    return titled(shown["title"] if rng.random() < 0.8 else "", " ".join(parts))


def sentences(text):
    return [
        s
        for s in re.split(r"(?<!\b[A-Z]\.)(?<!\b(?:Mr|Dr|St|No|vs|Jr)\.)(?<!Mrs\.)(?<=[.!?])\s+(?=[A-Z\"'])", text)
        if s
    ]


def pair(title, evidence, others, hypothesis, label, source):
    return {
        "title": title,
        "evidence": evidence,
        "others": others,
        "hypothesis": hypothesis,
        "label": label,
        "source": source,
    }


def titled(title, text):
    return f"{title}. {text}" if title else text


# ---- evaluation sets: lists of (facts, claim, label), label 1 for factual and 0 for not -----------------------------------------


def fm2(data, held):
    return [r for r in rows(data / "fm2/dev.jsonl") if held_page(r["wikipedia_page"]) == held]


def eval_fm2(data):
    """Held-out pages, gold evidence."""
    return [
        (
            [titled(r["wikipedia_page"], " ".join(e["text"] for e in r["gold_evidence"]))],
            r["text"],
            int(r["label"] == "SUPPORTS"),
        )
        for r in fm2(data, True)
    ]


def eval_symmetric(data):
    return [
        ([tidy(r["evidence"])], tidy(r["claim"]), int(r["label"] == "SUPPORTS"))
        for r in rows(data / "fever_symmetric/dev.jsonl")
    ]


def climate_held(data):
    return [r for r in rows(data / "climate_fever/climate-fever.jsonl") if held_climate(r["claim"])]


def climate_passages(data):
    """The ends of the passages that speak of held-out claims."""
    return {titled(e["article"], e["evidence"])[-60:] for r in climate_held(data) for e in r["evidences"]}


def held_passage(row, climate):
    """Whether a row of the corpus comes from what is measured on, `climate` being climate_passages()."""
    return (
        row["source"] == "fever_symmetric"
        or (row["source"] == "fm2" and held_page(row.get("title") or ""))
        or row["text"][-60:] in climate
    )


def eval_climate(data):
    """Held-out claims that are supported or refuted, with their five evidence sentences."""
    return [
        ([titled(e["article"], e["evidence"]) for e in r["evidences"]], r["claim"], int(r["claim_label"] == "SUPPORTS"))
        for r in climate_held(data)
        if r["claim_label"] in ("SUPPORTS", "REFUTES")
    ]


def eval_factcheck(data):
    """Claims of real ChatGPT answers, of each of their five web passages three sentences; those without a verdict are
    left out."""
    return [
        ([best_window(tidy(e["text"]), c["claim"]) for e in c["evidence"]], c["claim"], int(c["factual"]))
        for a in rows(data / "factcheck_bench/answers.jsonl")
        for s in a["sentences"]
        for c in s["claims"]
        if isinstance(c["factual"], bool) and c["evidence"]
    ]


def eval_stances(data):
    """Each of those web passages that supports its claim altogether, or refutes it, by itself."""
    return [
        ([best_window(tidy(e["text"]), c["claim"])], c["claim"], int(e["stance"] != "refute"))
        for a in rows(data / "factcheck_bench/answers.jsonl")
        for s in a["sentences"]
        for c in s["claims"]
        for e in c["evidence"]
        if e["stance"] in ("completely-support", "refute")
    ]


def eval_symmetric_unseen(data):
    """Those of FEVER-Symmetric whose evidence stands nowhere in training, beside no claim and as no distractor."""
    seen = {text[-50:] for p in make(data) for text in (p["evidence"], *p["others"])}
    return [claim for claim in eval_symmetric(data) if claim[0][0][-50:] not in seen]


EVALUATION = {
    "fever_symmetric": eval_symmetric,
    "fever_symmetric_unseen": eval_symmetric_unseen,
    "fm2": eval_fm2,
    "climate_fever": eval_climate,
    "factcheck_bench": eval_factcheck,
    "factcheck_bench_stances": eval_stances,
}


# ---- made pairs ----

NAME = re.compile(r"(?<=[a-z,(\"] )[A-Z][\w’-]+(?: (?:of |the |de |von |van )?[A-Z][\w’-]+)*")
CLASS_OF = {word: words for words in CLASSES for word in words}
OPPOSITE = {a: b for pair in OPPOSITES for a, b in (pair, pair[::-1])}
WORD = re.compile(r"\b(" + "|".join(sorted(map(re.escape, {**CLASS_OF, **OPPOSITE}), key=len, reverse=True)) + r")\b")
NUMBER = re.compile(r"(?<![\w.])\d{1,3}(?:,\d{3})+|(?<![\w.,])\d+(?:\.\d+)?(?![\w,]*\d)")
VERB = re.compile(r"\b(is|was|were|are|has|had|can|could|did|will|would)\b(?! not\b)")
UNIQUE = re.compile(
    r"\b(?:is|was) the (?:\w+-)?(?:only|first|last|capital|\w+est)\b"
)  # what can be said of one subject alone
ONE = re.compile(
    r" (?:is|was) (?:(?:an?|the)|(born|located|founded|released|directed|written)) "
)  # what a subject is but once
SUBJECT = re.compile(
    r"((?!(?:It|He|She|They|There|This|That|These|The) )[A-Z][\w’-]+(?: [A-Z][\w’-]+)*) (?:is|was|are|were|has|had) "
)
LEADING = re.compile(
    r"(?!(?:It|He|She|They|There|This|That|These|The|In|On) )[A-Z][\w’'-]+(?: (?:of |the |de |and |in )?[A-Z][\w’'-]+)*(?=[ ,])"
)
CLAUSE = re.compile(
    r"(.{30,}?(?:\w{3}|\d))(?:, (?:which|who|where|whose|while|although|and (?:he|she|it|they|was|is|has)|the|but|with|including|[a-z]+ing)\b"
    r"| until | because )"
)
DATE = re.compile(r"\b(?:on )((?:%s)) \d{1,2}, (\d{4})" % "|".join(CLASSES[0]))
PRONOUN = re.compile(
    r"^(He|She|It|They|The (?:film|book|novel|album|song|city|band|series|game|show|country|company)) "
)


def other_number(text, rng):
    plain = text.replace(",", "")
    if "." in plain:
        return f"{max(0.1, float(plain) * rng.choice([0.3, 0.5, 0.7, 1.4, 2, 3])):.{len(plain.split('.')[1])}f}"
    value = int(plain)
    if 1000 < value < 2100 and "," not in text:
        new = value + rng.choice([-1, 1]) * rng.choice([1, 2, 3, 5, 8, 10, 12, 20, 35, 50, 100])
    elif value < 32:
        new = max(0, value + rng.choice([-7, -5, -3, -2, -1, 1, 2, 3, 4, 6, 9]))
    else:
        new = int(value * rng.choice([0.1, 0.4, 0.6, 0.8, 1.2, 1.5, 2, 5, 10]))
    new = value + 1 if new == value else new
    return f"{new:,}" if "," in text else str(new)


@cache
def synonyms():
    return Thesaurus()


def falsify(text, names, rng):
    """`text` with one number, name or word swapped for another of its kind, or negated: (new text, old piece, new
    piece) or None."""
    options = [("number", m) for m in NUMBER.finditer(text)] + [("word", m) for m in WORD.finditer(text)]
    options += 2 * [("name", m) for m in NAME.finditer(text)]
    if rng.random() < 0.12 or not options:
        options = [("not", m) for m in VERB.finditer(text)][:1] or options
    if not options:
        return None
    kind, match = rng.choice(options)
    old = match.group()
    if kind == "number":
        new = other_number(old, rng)
    elif kind == "not":
        new = old + " not"
    elif kind == "word":
        new = OPPOSITE.get(old) or rng.choice([w for w in CLASS_OF[old] if w != old])
    else:
        before = text[: match.start()].split()[-1].lower()
        pool = [n for n in names["page"] if n not in text and not set(n.split()) & set(old.split())]
        if not pool or rng.random() < 0.4:
            pool = [
                n
                for n in names["all"].get((before, len(old.split())), [])
                if n not in text and not set(n.split()) & set(old.split())
            ]
        if not pool:
            return None
        new = rng.choice(pool)
    return text[: match.start()] + new + text[match.end() :], old, new


def named(text, title):
    """`text` with the subject of its page for a pronoun that it begins with."""
    match = PRONOUN.match(text)
    return f"{re.sub(r' [(].*', '', title)} " + text[match.end() :] if match and title else text


def vary(text, title, rng):
    """A sentence that `text` (of the page `title`) entails: shortened, reordered or reworded."""
    text = named(text.strip(), title)
    if rng.random() < 0.6:
        text = re.sub(r" ?\([^)]*\)", "", text)
    if rng.random() < 0.4:
        match = re.match(r"((?:In|On|During|By|After|Since) [^,]{3,40}), (?=[A-Z])(.{20,})\.$", text)
        if match:
            text = match[2] + rng.choice(["", " " + match[1][0].lower() + match[1][1:]]) + "."
    if rng.random() < 0.6:
        cut = CLAUSE.match(text)
        if cut and len(cut[1].split()) > 5 and VERB.search(cut[1]):
            text = cut[1] + "."
    if rng.random() < 0.4:
        text = DATE.sub(lambda m: "in " + rng.choice(["", m[1] + " "]) + m[2], text)
    if rng.random() < 0.7:
        found = [(a, b) for a, b in PARAPHRASES if re.search(rf"\b{a}\b", text)]
        for a, b in rng.sample(found, min(2, len(found))):
            text = re.sub(rf"\b{a}\b", b, text, count=1)
    if rng.random() < 0.4:
        text = synonyms()(text, rng, rng.choice([1, 1, 2, 3]))
    return numbers(text, rng) if rng.random() < 0.15 else text


def contrast(text, title, others, pool, rng, restatement=None):
    """Pairs from one true sentence: varied or restated (entailment), falsified (contradiction), and the same with the
    evidence falsified, so that an odd wording alone tells nothing; or its subject exchanged."""
    names = {"page": [n for o in others for n in NAME.findall(o)], "all": pool["names"]}
    true = vary(text, title, rng)
    if restatement and rng.random() < 0.7:
        true = restatement
    pairs = [(text, true, ENTAILMENT)]
    false = falsify(true, names, rng)
    if false:
        statement, old, new = false
        pairs.append((text, statement, CONTRADICTION))
        if rng.random() < 0.35 and not new.endswith(" not") and text.count(old) == 1:
            swapped = text.replace(old, new)
            pairs = pairs[rng.random() < 0.5 :]
            pairs += [(swapped, statement, ENTAILMENT), (swapped, true, CONTRADICTION)]
    subject = re.sub(r" [(].*", "", title)
    if not true.startswith(subject + " "):
        leading = SUBJECT.match(true)
        subject = leading[1] if leading else ""
    if subject and rng.random() < 0.6:
        near = [n for n in names["page"] if n not in text and not set(n.split()) & set(subject.split())]
        other = rng.choice(near) if near and rng.random() < 0.6 else rng.choice(pool["titles"])
        if other != subject:
            pairs.append((text, other + true[len(subject) :], CONTRADICTION if UNIQUE.search(true) else NEUTRAL))
    return [pair(title, e, others, h, y, "contrast") for e, h, y in pairs]


def crossed(first, second, rng):
    """Pairs on two sentences of two subjects, so that words in common are not enough: each said of its own subject
    (entailment) and of the other's, which is a contradiction if both say the same kind of thing of their subjects and
    neutral if not; and with the sentence of the other subject as the only evidence (neutral)."""
    (_, one), (_, two) = first, second
    a, b = SUBJECT.match(one)[1], SUBJECT.match(two)[1]
    kinds = [ONE.match(s[len(name) :]) for s, name in ((one, a), (two, b))]
    unlike = CONTRADICTION if all(kinds) and kinds[0][1] == kinds[1][1] else NEUTRAL
    evidence = f"{one} {two}"
    said = [
        (evidence, one, ENTAILMENT),
        (evidence, two, ENTAILMENT),
        (evidence, b + one[len(a) :], unlike),
        (evidence, a + two[len(b) :], unlike),
    ]
    if not UNIQUE.search(one):
        said += rng.sample([(two, one, NEUTRAL), (one, b + one[len(a) :], NEUTRAL)], 1)
    return [pair("", e, [], h, y, "crossed") for e, h, y in said]


def fact_pairs(rng):
    """Plain statements about countries and elements from the tables of words.py, with the evidence in a sentence or
    two."""
    made = []

    def add(title, evidence, others, true, false):
        for statement, label in [(rng.choice(true), ENTAILMENT)] + [
            (f, CONTRADICTION) for f in rng.sample(false, min(2, len(false)))
        ]:
            made.append(pair(title, evidence, others, statement, label, "facts"))

    for country, capital, city, continent, language in COUNTRIES:
        far = rng.choice([c for c in COUNTRIES if c[3] != continent and c[4] != language])
        rank = rng.choice(["second", "third", "fourth"])
        near = f"{city} is a city in {country}, known for its trade and culture."
        both = rng.choice(
            [
                f"{capital} is the capital and largest city of {country}.",
                f"{capital} is the capital of {country}.",
                f"The capital of {country} is {capital}, the seat of its government.",
            ]
        )
        add(
            capital,
            both,
            [near, f"{country} lies in {continent}."],
            [
                f"{capital} is the capital of {country}.",
                f"The capital of {country} is {capital}.",
                f"{country}'s capital is {capital}.",
            ],
            [
                f"{city} is the capital of {country}.",
                f"The capital of {country} is {city}.",
                f"{capital} is the capital of {far[0]}.",
                f"The capital of {country} is {far[1]}.",
                f"{far[1]} is the capital of {country}.",
                f"{country} is the capital of {capital}.",
            ],
        )
        add(
            country,
            f"{country} is a country in {continent}. Its official language is {language}.",
            [both, near],
            [
                f"{country} is in {continent}.",
                f"{country} is a country located in {continent}.",
                f"{language} is the official language of {country}.",
                f"People in {country} speak {language}.",
            ],
            [
                f"{country} is in {far[3]}.",
                f"{country} is a country located in {far[3]}.",
                f"{far[4]} is the official language of {country}.",
                f"{country} is a city in {continent}.",
            ],
        )
        rank_of, capital_of = f"the {rank}-largest city of {country}", f"the capital of {country}"
        for place, own, other in ((city, rank_of, capital_of), (capital, capital_of, rank_of)):
            text = " ".join(rng.sample([both, f"{city} is {rank_of}."], 2))
            made += [
                pair(rng.choice([country, ""]), text, [], f"{place} is {what}.", label, "facts")
                for what, label in ((own, ENTAILMENT), (other, CONTRADICTION))
            ]
        for place, text in ((city, near), (capital, both)):
            unsaid = [
                f"{place} was founded by {far[4]} settlers.",
                f"{place} has a population of two million people.",
                f"{place} hosted the Summer Olympics.",
            ]
            made.append(pair(place, text, [f"{country} lies in {continent}."], rng.choice(unsaid), NEUTRAL, "facts"))
        unsaid = [f"{capital} is the capital of {country}.", f"The capital of {far[0]} is {far[1]}."]
        made.append(pair(city, near, [], rng.choice(unsaid), NEUTRAL, "facts"))
    for element, symbol, number, kind in ELEMENTS:
        far = rng.choice([e for e in ELEMENTS if e[3] != kind])
        text = rng.choice(
            [
                f"{element} is a chemical element; it has symbol {symbol} and atomic number {number}.",
                f"{element} is the chemical element with the symbol {symbol} and atomic number {number}. It is classed as {kind}.",
            ]
        )
        name, wrong = element.lower(), int(number) + rng.choice([1, 2, 5, 10])
        add(
            element,
            text,
            [
                f"{element} has been studied by chemists since it was first isolated.",
                f"{far[0]} has atomic number {far[2]}.",
            ],
            [
                f"The atomic number of {name} is {number}.",
                f"{element} has atomic number {number}.",
                f"The symbol of {name} is {symbol}.",
                f"{element} is an element with the symbol {symbol}.",
            ],
            [
                f"The atomic number of {name} is {far[2]}.",
                f"{element} has atomic number {wrong}.",
                f"{far[0]} has atomic number {number}.",
                f"The symbol of {name} is {far[1]}.",
            ],
        )
    return made


class Neighbours:
    """For a query, the sentences of a pool most like it in words (TF-IDF cosine)."""

    def __init__(self, pool):
        self.pool = pool
        self.vectoriser = TfidfVectorizer(sublinear_tf=True, stop_words="english")
        self.matrix = self.vectoriser.fit_transform(pool).T.tocsc()

    def __call__(self, queries, own, count=4):
        """For each query, up to `count` sentences that are not its own evidence and share at most half its words with
        that."""
        found = []
        for start in range(0, len(queries), 512):
            scores = (self.vectoriser.transform(queries[start : start + 512]) @ self.matrix).tocsr()
            for i in range(scores.shape[0]):
                row = scores[i]
                mine, near = set(own[start + i].lower().split()), []
                for j in row.indices[row.data.argsort()[::-1][:12]]:
                    theirs = set(self.pool[j].lower().split())
                    if len(mine & theirs) <= 0.5 * min(len(mine), len(theirs)) and len(near) < count:
                        near.append(self.pool[j])
                found.append(near)
        return found


def best_window(text, claim, size=3):
    """The `size` neighbouring sentences of a long text that have the most words in common with the claim."""
    parts, words = sentences(text), set(re.findall(r"\w{3,}", claim.lower()))
    windows = [" ".join(parts[i : i + size]) for i in range(max(1, len(parts) - size + 1))]
    return max(windows, key=lambda w: len(words & set(re.findall(r"\w{3,}", w.lower()))))


def read_pairs(data, rng):
    """The pairs of data/nli and the FM2 training pages, without those of the evaluation sets."""
    pairs = []
    for path in sorted((data / "nli").glob("*.jsonl")):
        name, seen, taken = path.stem, set(), []
        if name in ("fever_symmetric_dev", "fm2_dev"):
            continue
        for r in rows(path):
            key = (r["premise"], r["hypothesis"])
            if key in seen or (name == "climate_fever" and held_climate(r["hypothesis"])):
                continue
            seen.add(key)
            premise, claim, title = tidy(r["premise"]), tidy(r["hypothesis"]), ""
            if name == "climate_fever" and ". " in premise:
                title, premise = premise.split(". ", 1)
            if len(premise.split()) > 70:
                premise = best_window(premise, claim)
            taken.append(pair(title, " ".join(premise.split()[:100]), [], claim, LABELS[r["label"]], name))
        rng.shuffle(taken)
        pairs += taken[: QUOTA.get(name)]
    for r in fm2(data, False):
        gold = [e["text"] for e in r["gold_evidence"]]
        others = [e["text"] for e in r["retrieved_evidence"] if e["text"] not in gold]
        label = ENTAILMENT if r["label"] == "SUPPORTS" else CONTRADICTION
        pairs += 3 * [pair(r["wikipedia_page"], " ".join(gold), others[:4], r["text"], label, "fm2")]
        if len(others) > 4:
            pairs.append(pair(r["wikipedia_page"], others[4], others[5:8], r["text"], NEUTRAL, "fm2"))
    return pairs


def make(data, seed=0):
    """The pairs of the sets and those made from the corpus."""
    rng = random.Random(seed)
    pairs = read_pairs(data, rng)
    held = climate_passages(data)
    pages, loose = defaultdict(list), []
    for r in rows(data / "corpus/passages.jsonl"):
        title, text = r.get("title") or "", tidy(r["text"])
        if held_passage(r, held):
            continue
        for s in sentences(text):
            if 6 <= len(s.split()) <= 60 and not s.islower():
                (pages[title] if title else loose).append(s)
    everything = [(t, s) for t, ss in pages.items() for s in dict.fromkeys(ss)] + [
        ("", s) for s in dict.fromkeys(loose)
    ]
    pool = {"names": defaultdict(list), "titles": [re.sub(r" [(].*", "", t) for t in pages]}
    for _, s in everything:
        for m in NAME.finditer(s):
            pool["names"][s[: m.start()].split()[-1].lower(), len(m.group().split())].append(m.group())

    near = Neighbours([s for _, s in everything])
    # Claims of the checking kind get sentences like them: to lie among, and as evidence that says nothing of them.
    checking = [p for p in pairs if p["source"] in ("fever_dev", "climate_fever", "wice_dev", "conjnli")]
    for p, others in zip(checking, near([p["hypothesis"] for p in checking], [p["evidence"] for p in checking])):
        p["others"] = others
        if p["source"] == "fever_dev" and len(others) > 1 and rng.random() < 0.35:
            pairs.append({**p, "evidence": others[0], "others": others[1:], "label": NEUTRAL})

    chosen = rng.sample(everything, 9000)
    similar = near([s for _, s in chosen], [s for _, s in chosen])
    for (title, s), like in zip(chosen, similar):
        page = [o for o in pages.get(title, []) if o != s]
        others = (rng.sample(page, min(3, len(page))) if title else []) + like[:2]
        if len(s.split()) > 45 or not s.endswith("."):
            continue
        made = contrast(s, title, others, pool, rng)
        pairs += made
        if others and rng.random() < 0.45:
            statement = rng.choice(made)["hypothesis"]
            pairs.append(pair(title, others[0], others[1:], statement, NEUTRAL, "irrelevant"))
    for title, s in everything:
        page = [o for o in pages.get(title, []) if o != s]
        text = named(s, title)
        leading = LEADING.match(text)
        for restatement in restated(text, leading[0], rng) if leading and len(s.split()) <= 45 else ():
            pairs += contrast(text, title, rng.sample(page, min(3, len(page))) if title else [], pool, rng, restatement)
    about = [(t, s) for t, s in everything if len(s.split()) < 30 and s.endswith(".") and SUBJECT.match(s)]
    alike = {s: item for item in about for s in [item[1]]}
    for item, like in zip(about, near([s for _, s in about], [s for _, s in about])):
        second = next((alike[s] for s in like if s in alike), None) or rng.choice(about)
        if SUBJECT.match(item[1])[1] != SUBJECT.match(second[1])[1]:
            pairs += crossed(*rng.sample([item, second], 2), rng)
    for _ in range(4):
        pairs += fact_pairs(rng)
    rng.shuffle(pairs)
    return pairs
