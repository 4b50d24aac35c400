"""Makes golden.json: the text that mwparserfromhell, an independent parser of wiki markup, makes of it.

    python tests/parity/wikitext/make_golden.py

needs `pip install mwparserfromhell`. crate/corpus/tests/parity.rs reads the same markup and compares, words
for words. Where evident-corpus differs on purpose, a fixture says what it gives and why.
"""

import json
from pathlib import Path

import mwparserfromhell

# Markup on which both agree, and (markup, what evident-corpus gives, why it differs).
FIXTURES = [
    "Iron is a metal.",
    "'''Iron''' is a ''soft'' and '''''old''''' metal.",
    "The ''Titanic'''s captain left Ona.",
    "L'''amour'' begins the poem.",
    "He said ''it's'' and 'no' and \"yes\".",
    "A [[metal]] with [[Iron(II) oxide|its oxides]], two [[alloy]]s and [[Steel#Uses|its uses]].",
    "See [[Help:Contents|the help]] and [[Talk:Iron|its talk]].",
    "[[Ona|The ''old'' '''town''']] lies there.",
    "See [https://example.org/a?b=c the ''old'' site] and [https://example.org] here.",
    "See [//example.org the site] and [mailto:a@example.org a letter].",
    "It is [sic] an [array] of numbers, a[0] and a[1].",
    "Iron <!-- no copper --> rusts.<!--\nnot this\n-->",
    "5&nbsp;km &ndash; 7&thinsp;km, &minus;5, &#8211;, &#x2013;, &eacute;, &amp;lt;, &quot;x&quot;.",
    "R&D and AT&T; a & b.",
    "Write <nowiki>[[a|b]] and {{c}}</nowiki> so.",
    "The drop is <2 V for a load >30 A.",
    "If p < 0.05 and n > 3, then x<y.",
    "<b>Bold</b>, <i>italic</i>, <small>small</small>, <span style=\"color:red\">red</span> and <u>under</u>.",
    "<div class=\"x\">In a box.</div>",
    "* one\n* two\n** three\n# four\n: five",
    "First line\nof a paragraph.\n\nThe next [[paragraph]].",
    "Before.\n----\nAfter.",
    "東京は[[日本]]の'''首都'''である。",
    "Ελλάδα, Россия, [[Ísland|Íslands]] and 🌍.",
    "{{Use dmy dates|date=May 2020}}\nIron is a metal.",
    "Iron is a metal.{{citation needed|date=May 2020}} It rusts.{{sfn|Smith|1999|p=3}}",
    "{{{1|Iron}}} is a metal.",
    "Closed }} and ]] before anything opens.",
    "A | bar, a || b and an = sign.",
    "Snake_case and __init__ and a_b.",
    "<gallery>\nFile:a.png|b\n</gallery>\nIron.",
    "<poem>\nRoses\nViolets\n</poem>",
    "Iron{{efn|A {{small|note}} of [[a|b]].}} rusts.",
    (
        "The mass is 2×10<sup>30</sup> kg of H<sub>2</sub>O.",
        "The mass is 2×10³⁰ kg of H₂O.",
        "strip_code drops the tags: the power becomes another number, 1030",
    ),
    (
        "The canal is {{convert|740|mi|km}} long.",
        "The canal is 740 miles long.",
        "strip_code drops every template: \"The canal is  long.\"",
    ),
    (
        "It is old. It is {{elevation of|Ona}} high. It stands.",
        "It is old. It stands.",
        "strip_code leaves a hole; a sentence with one says something else",
    ),
    (
        "Iron<ref name=\"a\">Smith, ''Iron'', p. 3</ref> rusts.<ref name=\"a\" />",
        "Iron rusts.",
        "strip_code keeps the text of footnotes within the sentence",
    ),
    (
        "one<br />two<br>three",
        "one two three",
        "strip_code joins the words: \"onetwothree\"",
    ),
    (
        "The area <math>\\pi r^2</math> grows.",
        "The area πr² grows.",
        "strip_code drops formulas",
    ),
    (
        "[[File:a.png|thumb|A [[lump]] of iron]]Iron.[[Category:Metals]]",
        "Iron.",
        "strip_code keeps the parameters of pictures and the names of categories",
    ),
    ("[[fr:Fer]]Iron.", "Iron.", "strip_code keeps the links to other languages, which MediaWiki lists beside the text"),
    ("__NOTOC__Iron.", "Iron.", "strip_code keeps switches"),
    ("-{zh-hans:计算机; zh-hant:電腦}- counts.", "计算机 counts.", "strip_code does not know language conversion"),
    ("== Rust ==\nIt rusts.", "It rusts.", "headings are the section of their passages, not text"),
    (
        "Before.\n{|\n! Moon !! Radius\n|-\n| Phobos || 11 km\n|}\nAfter.",
        "Before. After.",
        "strip_code joins the cells of tables; they become passages of facts",
    ),
    (
        "Paris ({{IPA|fr|paʁi}}; {{small|old}}) is a city.",
        "Paris (old) is a city.",
        "strip_code leaves the semicolon and drops the text of {{small}}",
    ),
    ("The [[lake of [[Ona]] is deep.", "The lake of Ona is deep.", "strip_code shows brackets that are never closed"),
    (
        "An unclosed {{convert|5|km. It is red.",
        "It is red.",
        "strip_code shows the source of a template that never ends",
    ),
]


def main():
    rows = []
    for fixture in FIXTURES:
        markup, *different = (fixture,) if isinstance(fixture, str) else fixture
        text = mwparserfromhell.parse(markup).strip_code()
        row = {"markup": markup, "golden": " ".join(text.split())}
        if different:
            row["ours"], row["why"] = different
        rows.append(row)
    golden = {"by": f"mwparserfromhell {mwparserfromhell.__version__}", "texts": rows}
    path = Path(__file__).with_name("golden.json")
    path.write_text(json.dumps(golden, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
