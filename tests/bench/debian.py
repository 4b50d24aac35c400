"""Real text for the index's curves: the prose of Debian's documentation packages.

    python3 tests/bench/debian.py OUT [DEBS]     needs Debian's apt-get and dpkg-deb, and the network unless DEBS has the packages

Writes a text file for each page of the packages' HTML and for each of the dictionaries, under OUT, which `evident-bench` and
`evident index build` read. What stands in <pre> is code and left out, and so is what frames a page.
"""

import gzip
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

PACKAGES = """
    anarchism axiom-doc debian-handbook dict-foldoc dict-gcide dict-jargon erlang-doc gap-doc ghc-doc gimp-help-en git-doc
    libboost1.81-doc nodejs-doc openjdk-17-doc postgresql-doc-15 python-pandas-doc python-scipy-doc python3.11-doc
    qtbase5-doc-html r-doc-html racket-doc rust-doc sagemath-doc sqlite3-doc
""".split()

FRAME = {"script", "style", "nav", "header", "footer", "pre", "title"}
BLOCKS = {"p", "div", "li", "td", "th", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "br", "tr", "section"}
WORDS = 20
"""A page of fewer words is a list of links, not prose."""


class Prose(HTMLParser):
    """The text of a page, a line for each block."""

    def __init__(self):
        super().__init__()
        self.parts, self.framed = [], []

    def handle_starttag(self, tag, attrs):
        if tag in FRAME:
            self.framed.append(tag)
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag):
        if tag in self.framed:
            while self.framed.pop() != tag:
                pass
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data):
        if not self.framed:
            self.parts.append(data)


def prose(path):
    """The text of a file; none where it is no page and no dictionary."""
    data = path.read_bytes()
    if path.suffix in {".gz", ".dz"}:
        data = gzip.decompress(data)
        path = path.with_suffix("" if path.suffix == ".gz" else ".txt")
    text = data.decode("utf-8", "replace")
    if path.suffix == ".txt":
        return text
    if path.suffix not in {".html", ".htm", ".xhtml"}:
        return ""
    parser = Prose()
    parser.feed(text)
    lines = (" ".join(line.split()) for line in "".join(parser.parts).split("\n"))
    return "\n".join(line for line in lines if line)


def main(out, debs=None):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(debs or scratch)
        if not debs:
            subprocess.run(["apt-get", "download", *PACKAGES], cwd=folder, check=True)
        for package in PACKAGES:
            [deb] = folder.glob(f"{package}_*.deb")
            root = Path(scratch, package)
            subprocess.run(["dpkg-deb", "--extract", deb, root], check=True)
            pages = 0
            for path in sorted(root.rglob("*")):
                if path.is_symlink() or not path.is_file() or path.suffix not in {".html", ".htm", ".xhtml", ".gz", ".dz"}:
                    continue
                text = prose(path)
                if len(text.split()) >= WORDS:
                    target = Path(out, package, path.relative_to(root)).with_suffix(".txt")
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_text(text, encoding="utf-8")
                    pages += 1
            print(f"{package}: {pages} texts", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
