"""Pairs laid out as the product reads them: whole passages of up to a hundred words under their title.

A passage says a statement (one of its sentences, varied), denies it (one falsified), or is silent on it: the
statement is of another passage of the same article, or says something of its subject that an article about another
would. A fact may lie in two sentences or two passages.
"""

import gzip
import json
import re
from collections import defaultdict

from data import CONTRADICTION, ENTAILMENT, NAME, NEUTRAL, NUMBER, PRONOUN, falsify, pair, sentences, tidy, vary

WORDS = 100  # of a passage
STOP = set(
    """the a an of in on at to for from by with and or but as is was are were be been being has have had do does
did it its he she his her him they them their this that these those which who whom whose what when where why
how not no nor so than then there here also into over under about after before during while until since
between among through more most many much some any all each other such only own same very can could will
would may might must shall should one two up out off if because both either neither however although though""".split()
)
ODD = re.compile(r"[;:|{}\[\]\\=]|\b(?:Figure|Table|Chapter|chapter|below|above)\b")
LEANING = re.compile(
    r"(?:They|His|Her|Its|Their|This|These|Those|That|There|Such|However|But|And|Thus|Then|Here|Both|Another"
    r"|In this|At this"
    r"|The latter|For example|In addition|Moreover|Some)\b"
)  # what follows on from another sentence
PERSON = re.compile(r"\((?:born|[^)]*\d{4} ?[–-])")
FIXED = re.compile(
    r"\b(?:born|died|was an?|is an?|was the|is the|nationality|his|her|its|their|this|that|these|there|also|him)\b"
)
PREDICATE = re.compile(
    r"(He|She|It) ((?:enjoyed|liked|studied|taught|visited|owned|played|spoke|collected|lived|moved|married"
    r"|attended|worked|loved|feared|learned"
    r"|kept|travelled|suffered|admired|supported|wrote|designed|uses|contains|produces|hosts|houses|has|offers"
    r"|attracts|supports|includes|provides"
    r"|receives)\b [^,;:()\"]{8,60}?)(?:\.$|, | and (?:was|is|has|he|she|it)\b)"
)
SAYS = (
    r"((?:was|is|has|had|became|won|wrote|played|studied|served|moved|died|received|worked|joined|began|made|lived"
    r"|married|founded|led|contains"
    r"|produces|lies|covers|hosts|opened)\b [^,;()\"]{10,75}?)(?:\.$|, (?:which|who|where|and|but|with|while)\b)"
)
TASTES = """liked to swim|had a dog called Rex|preferred tea to coffee|was afraid of heights|never ate fish
collected stamps|slept badly|spoke softly|loved the colour green|was left-handed|disliked loud music
could play the piano|wore glasses|had three sisters|enjoyed long walks|was fond of cats|kept a diary
was tall|hated winter|rose early|owned a piano|took apart clocks as a child""".replace("\n", "|").split("|")
ARTICLES = {
    "squad1_wikipedia": 34,
    "openstax_textbooks": 6,
    "mind_wiki_intros": 2,
}  # statements taken of an article of each set


def articles(data, name):
    """[(title, paragraphs)]"""
    with gzip.open(data / f"paragraphs/{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    return [(r["title"], [tidy(p) for p in r["paragraphs"] if p]) for r in found if len(r["title"].split()) < 9]


def content(text, words=WORDS):
    """The first words of a text."""
    return " ".join(text.split()[:words])


def chunks(paragraph, words=WORDS):
    """A paragraph in passages of whole sentences, each of at most so many words unless one sentence has more: lists
    of sentences."""
    found, count = [], words
    for sentence in sentences(paragraph):
        length = len(sentence.split())
        if count + length > words:
            found.append([])
            count = 0
        found[-1].append(sentence)
        count += length
    return found


def stems(text):
    return {w[:5] for w in re.findall(r"[a-z]{3,}", text.lower()) if w not in STOP}


def plain_stems(text):
    """The stems of words in lower case, which are no names."""
    return {w[:5] for w in re.findall(r"(?<![\w’-])[a-z]{3,}", text) if w not in STOP}


def entities(text):
    """{name or number: its kind}"""
    numbers = {
        m.group(): "year" if re.fullmatch(r"1[0-9]{3}|20[0-2][0-9]", m.group()) else "number"
        for m in NUMBER.finditer(text)
    }
    return dict.fromkeys(NAME.findall(text), "name") | numbers


def is_sound(sentence):
    return (
        6 <= len(sentence.split()) <= 34
        and sentence.endswith(".")
        and sentence[0].isupper()
        and sentence.count('"') % 2 == 0
        and sentence.count("(") == sentence.count(")")
        and not ODD.search(sentence)
    )


def is_silent(statement, title, premise):
    """Whether a premise of the same article neither says nor denies a statement, as far as words tell.

    It lacks a name or number of the statement, and no sentence of it that has another of that kind is worded like the
    statement."""
    of_title = set(re.findall(r"\w+", title))
    absent = {
        e: kind
        for e, kind in entities(statement).items()
        if not any(w in premise for w in re.findall(r"[\w,.]+", e) if w not in of_title)
        and not set(re.findall(r"\w+", e)) <= of_title
    }
    mine = plain_stems(statement)
    if not absent or len(mine) < 3 or len(mine & plain_stems(premise)) > 0.6 * len(mine):
        return False
    for sentence in sentences(premise):
        others = {kind for e, kind in entities(sentence).items() if e not in statement}
        if len(mine & plain_stems(sentence)) > 0.34 * len(mine) and others & set(absent.values()):
            return False
    for entity in absent:  # the word right before what is asked for
        before = re.findall(r"[a-z]{4,}", statement.split(entity)[0][-40:])
        if before and before[-1] not in STOP and before[-1][:5] in plain_stems(premise):
            return False
    return True


def told_and_silent(title, subject, passages, most, names, rng):
    """Pairs of an article's statements with their own passage and with the others of the article most like them in
    words."""
    texts = [" ".join(c) for c in passages]
    words = [stems(t) for t in texts]
    spread = defaultdict(int)
    for found in words:
        for word in found:
            spread[word] += 1
    sound = [
        (i, s)
        for i, c in enumerate(passages)
        for j, s in enumerate(c)
        if is_sound(s) and (j == 0 or not LEANING.match(s))
    ]
    for i, sentence in rng.sample(sound, min(len(sound), most)):
        true = vary(sentence, subject, rng)
        if PRONOUN.match(true) or len(true.split()) > 26 and rng.random() < 0.6:
            continue
        false = falsify(true, names, rng)
        if false and false[2] in sentence:
            false = None
        if not false or rng.random() < 0.46:
            yield pair(title, texts[i], [], true, ENTAILMENT, "whole")
        else:
            yield pair(title, texts[i], [], false[0], CONTRADICTION, "whole")
        mine = stems(true)
        near = sorted(
            (j for j in range(len(texts)) if j != i), key=lambda j: -sum(spread[w] ** -0.5 for w in mine & words[j])
        )[:6]
        told = false[0] if false and not false[2].endswith(" not") and rng.random() < 0.5 else true
        if len(told.split()) > 24 and rng.random() < 0.8:
            continue
        for j in rng.sample(near, min(4, len(near))):
            first = rng.randrange(len(passages[j]))
            premise = texts[j] if rng.random() < 0.6 else " ".join(passages[j][first : first + rng.choice([1, 2, 3])])
            if is_silent(true, title, premise) and is_silent(told, title, premise):
                yield pair(title, premise, [], told, NEUTRAL, "silent")
                break


def joined(title, passages, names, rng):
    """Pairs on two facts about an article's subject in one statement, which lie in two sentences or two passages."""
    subject = re.sub(r" \(.*", "", title)
    says = re.compile(rf"(?:He|She|It|{re.escape(subject)}) {SAYS}")
    facts = [(i, s, m[1]) for i, c in enumerate(passages) for s in c for m in [says.match(s)] if m]
    for _ in range(min(6, len(facts) // 2)):
        (i, one, first), (j, two, second) = rng.sample(facts, 2)
        if first == second:
            continue
        texts = " ".join(passages[i]), " ".join(passages[j])
        evidence = texts[0] if i == j else f"{texts[0]} {title}. {texts[1]}" if rng.random() < 0.5 else f"{one} {two}"
        false = falsify(second, names, rng)
        kind = rng.random()
        if kind < 0.4:
            yield pair(title, evidence, [], f"{subject} {first} and {second}.", ENTAILMENT, "joined")
        elif kind < 0.75 and false and false[2] not in evidence:
            yield pair(title, evidence, [], f"{subject} {first} and {false[0]}.", CONTRADICTION, "joined")
        elif i != j and is_silent(f"{subject} {second}.", title, texts[0]):
            yield pair(title, texts[0], [], f"{subject} {first} and {second}.", NEUTRAL, "joined")


def unsaid(every, rng):
    """Passages, each with a statement that it is silent on: one from TASTES, or what an article says of another subject
    of its kind."""
    said = {True: [], False: []}
    for _, paragraphs in every:
        for sentence in (s for p in paragraphs for s in sentences(p)):
            match = PREDICATE.match(sentence)
            if match and not FIXED.search(match[2]):
                said[match[1] != "It"].append(match[2])
    for title, paragraphs in every:
        subject = re.sub(r" \(.*", "", title)
        is_person = bool(PERSON.search(paragraphs[0][:160])) if paragraphs else False
        if not paragraphs or not (is_person or re.match(r"(?:The )?" + re.escape(subject), paragraphs[0])):
            continue
        premise = " ".join(rng.choice(chunks(paragraphs[0], rng.choice([100, 60, 30]))))
        predicate = rng.choice(TASTES) if is_person and rng.random() < 0.3 else rng.choice(said[is_person])
        if not stems(predicate) & stems(premise):
            yield pair(title, premise, [], f"{subject} {predicate}.", NEUTRAL, "unsaid")


def names_by_place(found):
    """The names in the first paragraphs of articles [(title, paragraphs)], by the word before them and their number of
    words."""
    by_place = defaultdict(list)
    for match in (m for _, paragraphs in found for p in paragraphs[:12] for m in NAME.finditer(p)):
        before = match.string[: match.start()].split()[-1].lower()
        by_place[before, len(match.group().split())].append(match.group())
    return by_place


def make(data, rng):
    made, every = [], []
    sets = {name: articles(data, name) for name in ARTICLES}
    by_place = names_by_place(sets["squad1_wikipedia"])
    for name, most in ARTICLES.items():
        for title, paragraphs in sets[name]:
            words = rng.choice([WORDS, WORDS, 90, 60, 35])
            passages = [c for p in paragraphs for c in chunks(p, words) if 12 <= sum(len(s.split()) for s in c) <= 112]
            names = {"page": [n for c in passages[:60] for s in c for n in NAME.findall(s)], "all": by_place}
            subject = "" if name == "openstax_textbooks" else title  # a section's title is none
            made += told_and_silent(title, subject, passages, most, names, rng)
            if subject:
                made += joined(title, passages, names, rng)
                every.append((title, paragraphs))
    return made + list(unsaid(every, rng))
