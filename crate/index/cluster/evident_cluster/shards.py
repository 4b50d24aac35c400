"""Cuts a corpus into shards, each a corpus of its own, whose passages follow one another as in the whole."""

import bz2
import gzip
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO


class NotCut(Exception):
    """A corpus that cannot be cut, and why."""


def cut(corpus: Path, folder: Path, shard_bytes: int) -> list[Path]:
    """Writes shards of about `shard_bytes` bytes each to `folder`, and names them in their order.

    A corpus is a MediaWiki dump (.xml) or passages in lines of JSON (any other name), compressed (.gz, .bz2) or not.
    """
    name = corpus.name.lower().removesuffix(".gz").removesuffix(".bz2")
    if corpus.is_dir() or name.endswith((".ndjson", ".tar", ".tgz", ".zim", ".txt", ".md", ".html", ".htm")):
        raise NotCut(f"{corpus} cannot be cut: give a MediaWiki dump (.xml) or passages in lines of JSON")
    folder.mkdir(parents=True, exist_ok=True)
    with opened(corpus) as source:
        return (
            cut_dump(source, folder, shard_bytes) if name.endswith(".xml") else cut_lines(source, folder, shard_bytes)
        )


def opened(corpus: Path) -> BinaryIO:
    """The corpus as it is without its compression."""
    suffix = corpus.suffix.lower()
    return gzip.open(corpus) if suffix == ".gz" else bz2.open(corpus) if suffix == ".bz2" else corpus.open("rb")


def cut_lines(source: BinaryIO, folder: Path, shard_bytes: int) -> list[Path]:
    """Shards of whole lines."""
    return written((line for line in source if line.strip()), folder, ".jsonl", shard_bytes)


def cut_dump(source: BinaryIO, folder: Path, shard_bytes: int) -> list[Path]:
    """Shards of whole pages. Each has all redirects of the dump, for they name its articles wherever they stand."""
    redirects, head = folder / "redirects.xml", []
    for line in source:
        head.append(line)
        if b"</siteinfo>" in line:
            break
    with redirects.open("wb") as aside:

        def articles() -> Iterator[bytes]:
            for page in pages(source):
                if b"<redirect " in page:
                    aside.write(page)
                else:
                    yield page

        shards = written(articles(), folder, ".xml", shard_bytes, b"".join(head))
    for shard in shards:
        with shard.open("ab") as out, redirects.open("rb") as aside:
            shutil.copyfileobj(aside, out)
            out.write(b"</mediawiki>\n")
    redirects.unlink()
    return shards


def pages(source: BinaryIO) -> Iterator[bytes]:
    """The pages of a dump, whose tags stand on lines of their own, as MediaWiki writes them."""
    page, is_whole = [], False
    for line in source:
        tag = line.strip()
        if tag == b"</mediawiki>":
            is_whole = True
            break
        page.append(line)
        if tag == b"</page>":
            yield b"".join(page)
            page = []
    if not is_whole:
        raise NotCut("the dump does not end with </mediawiki>: fetch it again")


def written(pieces: Iterator[bytes], folder: Path, suffix: str, shard_bytes: int, head: bytes = b"") -> list[Path]:
    """Writes pieces to shards, which begin with `head`."""
    shards, left = [], 0
    with ExitStack() as open_shard:
        for piece in pieces:
            if left <= 0:
                open_shard.close()
                shards.append(folder / f"{len(shards):06}{suffix}")
                out = open_shard.enter_context(shards[-1].open("wb"))
                out.write(head)
                left = shard_bytes
            out.write(piece if piece.endswith(b"\n") else piece + b"\n")
            left -= len(piece)
    return shards
