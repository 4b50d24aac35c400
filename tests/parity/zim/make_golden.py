"""Makes new.zim, old.zim and large.zim, and golden.json: what libzim, Kiwix's own library, reads of them.

    python tests/parity/zim/make_golden.py

needs `pip install libzim zstandard`. libzim itself writes new.zim. It no longer writes archives as old as old.zim
(articles in the namespace A, clusters of LZMA2), nor small ones with the wide offsets of large.zim; these are written
below, after https://openzim.org/wiki/ZIM_file_format, and libzim reads them. crate/corpus/tests/zim.rs reads all three.
"""

import hashlib
import json
import lzma
import struct
from importlib.metadata import version
from pathlib import Path

import zstandard
from libzim.reader import Archive
from libzim.writer import Creator, Hint, Item, StringProvider

HERE = Path(__file__).parent
HTML, PNG, TEXT = "text/html", "image/png", "text/plain"
PLAIN, LZMA2, ZSTD = 1, 4, 5  # how clusters are compressed
PICTURE = bytes.fromhex("89504e470d0a1a0a") + bytes(range(256))
FOOTER = (
    '<div style="clear:both; border-top: dashed 2px #AAAAAA; padding: 0.5em;">This article is issued from '
    '<a class="external text" href="https://en.example.org/wiki/?oldid=7">Wikipedia</a>.</div>'
)


def page(title, body, head=""):
    """A page as mwoffliner lays it out."""
    return (
        f'<!DOCTYPE html><html><head><meta charset="UTF-8"><title>{title}</title>{head}</head><body class="mw-body">'
        f'<h1 id="titleHeading">{title}</h1><div id="mw-content-text">{body}{FOOTER}</div></body></html>'
    )


# The path, title, HTML and whether the list of articles has it.
PAGES = [
    (
        "Iron",
        "Iron",
        page(
            "Iron",
            '<table class="infobox"><tr><th>Melting point</th><td>1538 °C</td></tr></table>'
            "<p><b>Iron</b> or <b>ferrum</b> is a metal. Its sign is Fe.</p><h2>Rust &amp; air</h2><p>It rusts.</p>",
            '<link rel="canonical" href="https://en.example.org/wiki/Iron">',
        ),
        True,
    ),
    ("Tin", "Tin", page("Tin", "<p><b>Tin</b> is soft.</p>"), True),
    ("Ga/llium,_the_metal", "Ga/llium, the metal", page("Ga/llium, the metal", "<p>It melts in a hand.</p>"), True),
    ("L'eau", "L'eau", page("L'eau", "<p>Water is <i>wet</i>.</p><ul><li>ice</li><li>steam</li></ul>"), True),
    ("東京", "東京", page("東京", "<p>東京は日本の<b>首都</b>である。</p>"), True),
    ("plain", "A plain page", "<html><body><h1>No wiki</h1><p>What is <b>bold</b> names nothing.</p></body>", True),
    ("Long", "Long", page("Long", "".join(f"<p>It has {n * 7919 % 1000} parts.</p>" for n in range(300))), True),
    ("frame.html", "A frame", "<p>No article.</p>", False),
    ("Main", "Main", page("Main", "<p>Welcome to the main page.</p>"), True),
]
# The path, title and target of each redirect; the second leads to the first.
REDIRECTS = [("Ferrum_(metal)", "Ferrum (metal)", "Iron"), ("Fe", "Fe", "Ferrum_(metal)"), ("Home", "Home", "Main")]


class Entry(Item):
    def __init__(self, path, title, mimetype, content, hints):
        super().__init__()
        self.path, self.title, self.mimetype, self.content, self.hints = path, title, mimetype, content, hints

    def get_path(self):
        return self.path

    def get_title(self):
        return self.title

    def get_mimetype(self):
        return self.mimetype

    def get_contentprovider(self):
        return StringProvider(self.content)

    def get_hints(self):
        return self.hints


def write_new(path):
    creator = Creator(path).config_clustersize(2048)
    creator.set_mainpath("Main")
    with creator:
        for name, title, html, is_article in PAGES:
            compress = name != "Tin"  # one article in a cluster that is not compressed
            creator.add_item(Entry(name, title, HTML, html, {Hint.FRONT_ARTICLE: is_article, Hint.COMPRESS: compress}))
        creator.add_item(Entry("a.png", "", PNG, PICTURE.decode("latin-1"), {}))
        for name, title, target in REDIRECTS:
            creator.add_redirection(name, title, target, {Hint.FRONT_ARTICLE: True})
        creator.add_alias("Stannum", "Stannum", "Tin", {Hint.FRONT_ARTICLE: False})
        creator.add_metadata("Title", "A test of Evident", TEXT)


def cluster(blobs, method, is_extended):
    width, kind = (8, 0x10) if is_extended else (4, 0)
    offsets = [width * (len(blobs) + 1)]
    for blob in blobs:
        offsets.append(offsets[-1] + len(blob))
    data = struct.pack(f"<{len(offsets)}{'Q' if is_extended else 'I'}", *offsets) + b"".join(blobs)
    compress = {
        PLAIN: bytes,
        LZMA2: lambda data: lzma.compress(data, preset=9 | lzma.PRESET_EXTREME),
        ZSTD: zstandard.ZstdCompressor(level=19, write_content_size=False).compress,
    }
    return bytes([kind | method]) + compress[method](data)


def write_old(path, major, is_extended):
    """An archive of before 2021: articles in A, pictures in I, metadata in M."""
    mime_types = [HTML, PNG, TEXT]
    clusters = [[], [], []]
    entries = {}  # by namespace and path: the title, and the MIME type, cluster and blob, or the target
    for number, (name, title, html, is_article) in enumerate(PAGES):
        if is_article:
            which = number % 2
            entries[f"A{name}"] = (title, (0, which, len(clusters[which])))
            clusters[which].append(html.encode())
    entries["Ia.png"] = ("", (1, 2, 0))
    entries["MTitle"] = ("", (2, 2, 1))
    clusters[2] += [PICTURE, b"A test of Evident"]
    for name, title, target in REDIRECTS:
        entries[f"A{name}"] = (title, f"A{target}")
    entries["-favicon"] = ("", "Ia.png")
    names = sorted(entries, key=str.encode)

    def entry(name):
        title, place = entries[name]
        key, shown = name.encode(), "" if title == name[1:] else title
        text = key[1:] + b"\0" + shown.encode() + b"\0"
        if isinstance(place, str):
            return struct.pack("<HBcII", 0xFFFF, 0, key[:1], 0, names.index(place)) + text
        return struct.pack("<HBcIII", place[0], 0, key[:1], 0, *place[1:]) + text

    head = b"".join(mime_type.encode() + b"\0" for mime_type in mime_types) + b"\0"
    directory = [entry(name) for name in names]
    methods = [ZSTD if is_extended else LZMA2, LZMA2, PLAIN]
    packed = [
        cluster(blobs, method, is_extended and method != LZMA2) for blobs, method in zip(clusters, methods, strict=True)
    ]
    by_title = sorted(range(len(names)), key=lambda n: (names[n][0] + (entries[names[n]][0] or names[n][1:])).encode())
    at = 80 + len(head)
    parts, places = [head], {}
    # The lists stand before what they name.
    for key, size in (("urls", 8 * len(names)), ("titles", 4 * len(names)), ("clusters", 8 * len(packed))):
        places[key], at = at, at + size
    starts = {}
    for key, items in (("urls", directory), ("clusters", packed)):
        starts[key] = []
        for item in items:
            starts[key].append(at)
            at += len(item)
    parts += [struct.pack(f"<{len(names)}Q", *starts["urls"]), struct.pack(f"<{len(names)}I", *by_title)]
    parts += [struct.pack(f"<{len(packed)}Q", *starts["clusters"]), *directory, *packed]
    header = struct.pack("<IHH", 72173914, major, 0) + bytes(range(16)) + struct.pack("<II", len(names), len(packed))
    header += struct.pack("<QQQQ", places["urls"], places["titles"], places["clusters"], 80)
    header += struct.pack("<IIQ", names.index("AMain"), 0xFFFFFFFF, at)
    whole = header + b"".join(parts)
    assert len(whole) == at
    path.write_bytes(whole + hashlib.md5(whole).digest())


def golden(path, aliases):
    """The articles as libzim reads them, by their paths."""
    archive = Archive(path)
    assert archive.check()
    main = archive.main_entry
    while main.is_redirect:
        main = main.get_redirect_entry()
    listed = {name for name, *_, is_article in PAGES if is_article}
    articles, redirects = {}, {}
    for number in range(archive.all_entry_count):
        entry, title = archive._get_entry_by_id(number), archive._get_entry_by_id(number).title
        if entry.is_redirect:
            while entry.is_redirect:
                entry = entry.get_redirect_entry()
            redirects.setdefault(entry.path, []).append(title)
            continue
        item = entry.get_item()
        name = entry.path.removeprefix("A/")
        if name in aliases:
            redirects.setdefault(aliases[name], []).append(title)
        elif item.mimetype == HTML and name in listed and entry.path != main.path:
            articles[entry.path] = (name, title, bytes(item.content).decode())
    return [
        {"path": name, "title": title, "redirects": redirects.get(path, []), "html": html}
        for path, (name, title, html) in articles.items()
    ]


def main():
    for name in ("new.zim", "old.zim", "large.zim"):
        (HERE / name).unlink(missing_ok=True)
    write_new(HERE / "new.zim")
    write_old(HERE / "old.zim", 5, is_extended=False)
    write_old(HERE / "large.zim", 6, is_extended=True)
    archives = {
        "new.zim": golden(HERE / "new.zim", {"Stannum": "Tin"}),
        "old.zim": golden(HERE / "old.zim", {}),
        "large.zim": golden(HERE / "large.zim", {}),
    }
    record = {"libzim": version("libzim"), "archives": archives}
    (HERE / "golden.json").write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
