"""Says the same in other words: synonyms from WordNet, and sentences taken apart or turned round by rule.

WordNet's files are Debian's package wordnet-base; the variable WORDNET names another folder.
"""

import os
import re
from collections import defaultdict
from pathlib import Path

WORDNET = Path(os.environ.get("WORDNET", "/usr/share/wordnet"))
POS = {"1": "noun", "2": "verb", "3": "adj", "4": "adv", "5": "adj"}
COMMON = {
    "be",
    "have",
    "do",
    "make",
    "take",
    "get",
    "give",
    "go",
    "can",
    "will",
    "person",
    "people",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "hundred",
    "thousand",
    "million",
    "mr",
    "in",
    "at",
    "on",
    "more",
    "most",
}
DIGITS = dict(zip("two three four five six seven eight nine ten eleven twelve".split(), map(str, range(2, 13))))
PAST = {
    "written": "wrote",
    "drawn": "drew",
    "built": "built",
    "led": "led",
    "won": "won",
    "made": "made",
    "sung": "sang",
}
BY = "directed|written|produced|created|published|founded|designed|developed|composed|built|invented|discovered|painted|led|made|drawn|won"
NAME = r"(?:the )?[A-Z][\w’'-]+(?: (?:[A-Z]\. )?(?:of |the |de |von |van )?[A-Z][\w’'-]+)*"


class Thesaurus:
    """Synonyms of words that nearly always mean one thing."""

    def __init__(self, folder=WORDNET):
        if not (folder / "data.noun").exists():
            raise SystemExit(f"{folder} has no WordNet: install Debian's wordnet-base, or name its folder in WORDNET")
        counts, self.words = defaultdict(dict), {}
        for line in (folder / "cntlist.rev").read_text().splitlines():
            key, sense, count = line.split()
            lemma, kind = key.split("%")
            counts[lemma][POS[kind[0]], int(sense)] = int(count)
        first = {}
        for pos in ("noun", "verb", "adj"):
            for line in (folder / f"index.{pos}").read_text().splitlines():
                if not line.startswith(" "):
                    fields = line.split()
                    first[fields[0], pos] = fields[6 + int(fields[3])], int(fields[2])
        synsets = {}
        for pos in ("noun", "verb", "adj"):
            for line in (folder / f"data.{pos}").read_text().splitlines():
                if not line.startswith(" "):
                    fields = line.split()
                    words = [re.sub(r"\(.*", "", w) for w in fields[4 : 4 + 2 * int(fields[3], 16) : 2]]
                    synsets[fields[0], pos] = [w for w in words if re.fullmatch(r"[a-z]{3,}", w)]
        for (lemma, pos), (offset, senses) in first.items():
            own = counts.get(lemma, {})
            total, mine = sum(own.values()), own.get((pos, 1), 0)
            if lemma in COMMON or not (senses == 1 and total == mine or mine >= 8 and mine >= 0.75 * total):
                continue
            same = [
                w
                for w in synsets.get((offset, pos), [])
                if w != lemma
                and first.get((w, pos), ("",))[0] == offset
                and sum(counts.get(w, {}).values()) == counts.get(w, {}).get((pos, 1), 0) > 0
            ]
            if same:
                self.words[lemma, pos] = same

    def _forms(self, word):
        """(lemma, part of speech, how to inflect) of a lower-case word, by regular endings."""
        yield word, "noun", lambda w: w
        yield word, "adj", lambda w: w
        yield word, "verb", lambda w: w
        if word.endswith("s") and not word.endswith("ss"):
            yield word[:-1], "noun", plural
            yield word[:-1], "verb", plural
        if word.endswith("ed"):
            yield word[:-1], "verb", past
            yield word[:-2], "verb", past

    def __call__(self, text, rng, count=2):
        """`text` with up to `count` words exchanged for synonyms."""
        found = []
        for match in re.finditer(r"(?<![\w-])[a-z]{3,}(?![\w-])", text):
            for lemma, pos, inflect in self._forms(match.group()):
                if (lemma, pos) in self.words and not (pos == "adj" and lemma.endswith("ing")):
                    found.append((match, [inflect(w) for w in self.words[lemma, pos]]))
                    break
        for match, words in sorted(rng.sample(found, min(count, len(found))), key=lambda f: -f[0].start()):
            text = text[: match.start()] + rng.choice(words) + text[match.end() :]
        return text


def plural(word):
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(s|x|z|ch|sh)$", word) else "s")


def past(word):
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ied"
    return word + ("d" if word.endswith("e") else "ed")


def article(phrase):
    return ("an " if phrase[0].lower() in "aeiou" else "a ") + phrase


def restated(text, subject, rng):
    """Short statements that a sentence about `subject` entails, put in another way than the sentence puts them."""
    made = []
    if not text.startswith((subject + " ", subject + ",")):
        return made
    rest = text[len(subject) + 1 :]
    match = re.match(rf"(?:\([^)]*\) )?(?:is|was|are|were) [^.;]{{0,80}}?\b({BY}) by ({NAME})", rest)
    if match:
        verb = PAST.get(match[1], match[1])
        made += [f"{match[2][0].upper()}{match[2][1:]} {verb} {subject}.", f"{subject} was {match[1]} by {match[2]}."]
    match = re.search(rf"\bstarring ({NAME})(?:,? and ({NAME}))?", rest)
    if match:
        made += [
            rng.choice(
                [
                    f"{name} stars in {subject}.",
                    f"{name} appears in {subject}.",
                    f"{name} is one of the stars of {subject}.",
                ]
            )
            for name in match.groups()
            if name
        ]
    match = re.match(r"\((?:[^)]*\b)?born (?:on )?((?:\w+ \d{1,2}, |\d{1,2} \w+ )?(\d{4}))\)", rest)
    if match:
        made += [f"{subject} was born in {match[2]}.", f"{match[2]} is the year in which {subject} was born."]
    match = re.match(r"\([^)]*?(\d{4}) ?[–-]+ ?[^)]*?(\d{4})\)", rest)
    if match:
        made += [f"{subject} died in {match[2]}.", f"{subject} was born in {match[1]}."]
    match = re.match(
        r"(?:\([^)]*\) )?(is|was) an? (\d{4}) ([^.,;]{4,60}?)(?: (?:directed|written|by|that|which|starring|produced|based|from)\b|[.,;])",
        rest,
    )
    if match:
        made += [f"{subject} {match[1]} {article(match[3])} from {match[2]}.", f"{subject} came out in {match[2]}."]
    match = re.match(r", (an? [^,;]{6,60}), (?!and |or |but )(\w+ [^;]{12,})$", text[len(subject) :])
    if match:
        made += [
            f"{subject} {'is' if re.match(r'(is|has|are)', match[2]) else 'was'} {match[1]}.",
            f"{subject} {match[2]}",
        ]
    match = re.match(
        r"((?:is|was|has|had) [^,;]{8,70}?),? and (?:(?:he|she|it|they) )?((?:is|was|has|had|\w+ed) [^;]{10,})$", rest
    )
    if match:
        made += [f"{subject} {match[1]}.", f"{subject} {match[2]}"]
    match = re.search(rf" (?:located|situated) in ({NAME}(?:, {NAME})?)", rest)
    if match:
        made += [f"{subject} can be found in {match[1]}.", f"{subject} is in {match[1].split(', ')[-1]}."]
    return [s if s.endswith(".") else s + "." for s in made]


def numbers(text, rng):
    """Small numbers in words for those in digits, or the other way round."""
    if rng.random() < 0.5:
        return re.sub(r"\b(%s)\b" % "|".join(DIGITS), lambda m: DIGITS[m[1]], text)
    words = {v: k for k, v in DIGITS.items()}
    return re.sub(r"(?<![\w.,$£€])(\d{1,2})(?= [a-z])", lambda m: words.get(m[1], m[1]), text)
