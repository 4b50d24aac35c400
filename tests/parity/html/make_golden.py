"""Makes golden.json: the text that mwparserfromhtml, Wikimedia's parser of its HTML dumps, makes of HTML as Parsoid
writes it.

    python tests/parity/html/make_golden.py

needs `pip install mwparserfromhtml`. crate/corpus/tests/parity.rs reads the same HTML and compares, words for
words. Where evident-corpus differs on purpose, a fixture says what it gives and why.
"""

import json
from importlib.metadata import version
from pathlib import Path

from mwparserfromhtml.parse.article import WikiStew

# What is no text of the article, by the names that mwparserfromhtml gives its elements.
SKIPPED = {
    "Category",
    "Citation",
    "Comment",
    "Heading",
    "Infobox",
    "InlineCleanup",
    "Media-audio",
    "Media-img",
    "Media-video",
    "Messagebox",
    "Navigation",
    "Note",
    "Reference",
    "Table",
    "Wikitable",
    "noprint",
}

TRANSCLUDED = 'about="#mwt1" typeof="mw:Transclusion" data-mw=\'{"parts":[]}\''

# HTML on which both agree, and (HTML, what evident-corpus gives, why it differs).
FIXTURES = [
    "<p>Iron is a metal.</p>",
    '<p id="mwAg"><b id="mwAw">Iron</b> is a <i>soft</i> and <i><b>old</b></i> metal.</p>',
    "<p>The <i>Titanic</i>'s captain left '' Ona ''' and don''t.</p>",
    '<p>A <a rel="mw:WikiLink" href="./Metal" title="Metal">metal</a> with '
    '<a rel="mw:WikiLink" href="./Iron(II)_oxide" title="Iron(II) oxide">its oxides</a>.</p>',
    '<p>See <a rel="mw:ExtLink" href="https://example.org/a?b=c" class="external text">the <i>old</i> site</a> and '
    '<a rel="mw:ExtLink" href="https://example.org" class="external autonumber"></a> here.</p>',
    "<p>Iron<!-- no copper --> rusts.<!--\nnot this\n--></p>",
    "<p>5&nbsp;km &ndash; 7 km, −5, R&amp;D, &lt;2 V, 3 &gt; 2, &quot;x&quot; and &#x2013;.</p>",
    "<p>* no item, = no heading = and | no cell.</p>\n<p>= neither =</p>\n<p>: nor this</p>",
    "<ul><li>one</li>\n<li>two\n<ul><li>three</li></ul></li></ul>\n<ol><li>four</li></ol>\n<dl><dt>five</dt>\n<dd>six</dd></dl>",
    "<p>First line\nof a paragraph.</p>\n\n<p>The next <a rel=\"mw:WikiLink\" href=\"./Paragraph\">paragraph</a>.</p>",
    '<p>東京は<a rel="mw:WikiLink" href="./日本" title="日本">日本</a>の<b>首都</b>である。</p>',
    "<p>Ελλάδα, Россия, Ísland and 🌍.</p>",
    '<p>Iron rusts.<sup about="#mwt2" class="mw-ref reference" id="cite_ref-1" rel="dc:references" '
    'typeof="mw:Extension/ref" data-mw=\'{"name":"ref","attrs":{},"body":{"id":"mw-reference-text-cite_note-1"}}\'>'
    '<a href="./Page#cite_note-1"><span class="mw-reflink-text">[1]</span></a></sup></p>'
    '<div class="mw-references-wrap" typeof="mw:Extension/references" about="#mwt3" data-mw=\'{"name":"references"}\'>'
    '<ol class="mw-references references"><li about="#cite_note-1" id="cite_note-1" data-mw-footnote-number="1">'
    '<span class="mw-reference-text reference-text">Smith, p. 3</span></li></ol></div>',
    '<figure typeof="mw:File/Thumb"><a href="./File:A.png" class="mw-file-description"><img alt="A lump" src="a.png"/></a>'
    "<figcaption>A lump of iron</figcaption></figure><p>Iron.</p>",
    f'<p>The canal is <span {TRANSCLUDED} data-sort-value="1">740&nbsp;mi (1,190&nbsp;km)</span> long.</p>',
    f'<div role="note" class="hatnote navigation-not-searchable" {TRANSCLUDED}>For the album, see Iron (album).</div><p>Iron.</p>',
    f'<table class="box-Unreferenced plainlinks metadata ambox ambox-content" role="presentation" {TRANSCLUDED}><tbody>'
    '<tr><td class="mbox-text">This article cites nothing.</td></tr></tbody></table><p>Iron.</p>',
    f'<p>Iron.</p><div role="navigation" class="navbox" {TRANSCLUDED}><table class="navbox-inner"><tbody><tr><td>Metals</td></tr>'
    "</tbody></table></div>",
    '<link rel="mw:PageProp/Category" href="./Category:Metals"/><meta property="mw:PageProp/notoc"/><p>Iron.</p>',
    "<blockquote><p>To be, or not.</p></blockquote>\n<div>In a box.</div>",
    '<p>Iron.</p>\n<table class="wikitable"><tbody><tr><th>Moon</th><th>Radius</th></tr><tr><td>Phobos</td><td>11 km</td></tr>'
    "</tbody></table>\n<p>Rust.</p>",
    (
        '<section data-mw-section-id="1"><h2 id="Rust">Rust</h2><p>It rusts.</p></section>',
        "It rusts.",
        "",
    ),
    (
        "<p>The mass is 2×10<sup>30</sup> kg of H<sub>2</sub>O.</p>",
        "The mass is 2×10³⁰ kg of H₂O.",
        "without the tags the power becomes another number, 1030",
    ),
    (
        '<p>The area <span typeof="mw:Extension/math" class="mwe-math-element" data-mw=\'{"name":"math","attrs":{},'
        '"body":{"extsrc":"\\\\pi r^2"}}\'><span class="mwe-math-mathml-inline" style="display: none;"><math '
        'alttext="{\\displaystyle \\pi r^{2}}"><mi>π</mi><msup><mi>r</mi><mn>2</mn></msup></math></span></span> grows.</p>',
        "The area πr² grows.",
        "the parts of a formula are joined without its powers",
    ),
    (
        "<p>It grows. It is <math alttext=\"{\\displaystyle \\begin{pmatrix}1\\end{pmatrix}}\"><mn>1</mn></math> then. It ends.</p>",
        "It grows. It ends.",
        "a formula that no line can show leaves its sentence without what it says",
    ),
    (
        "<p>one<br/>two<br>three</p>",
        "one two three",
        "the words are joined: \"onetwothree\"",
    ),
    (
        '<p>Paris (<span class="IPA" lang="fr-fonipa">paʁi</span>; <small>old</small>) is a city.</p>',
        "Paris (old) is a city.",
        "a pronunciation says nothing that a claim does",
    ),
    (
        '<style data-mw-deduplicate="TemplateStyles:r1">.a > b{color:red}</style><p>Iron.</p>',
        "Iron.",
        "the source of a style sheet is shown",
    ),
    (
        '<p>Iron <s>is gold</s>. <span style="display: none">0026</span>It rusts.</p>',
        "Iron. It rusts.",
        "what is struck out or not displayed is shown",
    ),
    (
        '<p>Iron is old.<sup class="noprint Inline-Template" style="white-space:nowrap;">[<i><a rel="mw:WikiLink" '
        'href="./Wikipedia:Citation_needed"><span title="x">citation needed</span></a></i>]</sup> It rusts.</p>',
        "Iron is old. It rusts.",
        "",
    ),
]


def text(html):
    paragraphs = WikiStew(html).to_plaintext(SKIPPED)
    return " ".join(" ".join(paragraphs).split())


def main():
    rows = []
    for fixture in FIXTURES:
        html, *different = (fixture,) if isinstance(fixture, str) else fixture
        row = {"html": html, "golden": text(html)}
        if different and different[0] != row["golden"]:
            row["ours"], row["why"] = different
            assert row["why"], html
        rows.append(row)
    golden = {"by": f"mwparserfromhtml {version('mwparserfromhtml')}", "texts": rows}
    path = Path(__file__).with_name("golden.json")
    path.write_text(json.dumps(golden, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
