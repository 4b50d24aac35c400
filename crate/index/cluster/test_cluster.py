"""An index that two workers build is the one that the command line builds, also when a worker is lost.

EVIDENT=target/release/evident python -m unittest discover crate/index/cluster
"""

import bz2
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
EVIDENT = os.environ.get("EVIDENT", str(HERE.parents[2] / "target/release/evident"))

try:
    import ray
except ImportError:
    ray = None

WORDS = "iron copper zinc silver rust melts bends shines conducts heat".split()


def sentence(number):
    return " ".join(WORDS[number * step % len(WORDS)] for step in range(1, 30)) + f" {number}."


def lines():
    passages = [
        {"id": str(number), "title": f"Ore {number // 3}", "text": sentence(number), "names": [f"stone {number // 3}"]}
        for number in range(900)
    ]
    return "".join(json.dumps(passage) + "\n" for passage in passages).encode()


def dump():
    """A dump whose redirects stand far from their articles."""

    def page(number, title, text, redirect=""):
        head = f"    <title>{title}</title>\n    <ns>0</ns>\n    <id>{number}</id>\n{redirect}"
        return f"  <page>\n{head}    <revision>\n      <text>{text}</text>\n    </revision>\n  </page>\n"

    def article(number):
        return page(number, f"Ore {number}", f"'''Ore {number}''' is known. {sentence(number)} " * 9)

    def redirect(number):
        title, target = f"Stone {number}", f"Ore {299 - number}"
        return page(1000 + number, title, f"#REDIRECT [[{target}]]", f'    <redirect title="{target}" />\n')

    head = "<mediawiki>\n  <siteinfo>\n    <base>https://en.example.org/wiki/Main</base>\n  </siteinfo>\n"
    return (head + "".join(article(n) + redirect(n) for n in range(300)) + "</mediawiki>\n").encode()


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@unittest.skipIf(ray is None, "ray is not installed: pip install ray")
@unittest.skipUnless(Path(EVIDENT).exists(), f"{EVIDENT} is not built")
class Cluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(HERE))
        os.environ["PYTHONPATH"] = str(HERE)
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)

    @classmethod
    def tearDownClass(cls):
        ray.shutdown()

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)

    def command(self, does):
        """The command line, before which a Python program does something once, and then no more."""
        program = self.place / "evident.py"
        program.write_text(
            f"#!{sys.executable}\n"
            + textwrap.dedent(
                f"""
                import os, pathlib, signal, sys, time
                with open({str(self.place / "log")!r}, "a") as log:
                    print(*sys.argv[1:4], file=log)
                mark = pathlib.Path({str(self.place / "mark")!r})
                if {does[0]} and not mark.exists():
                    mark.touch()
                    {does[1]}
                os.execv({EVIDENT!r}, [{EVIDENT!r}, *sys.argv[1:]])
                """
            )
        )
        program.chmod(0o755)
        return (str(program),)

    def built(self, corpus, does=("False", "pass"), **how):
        from evident_cluster.build import Job, build

        whole = self.place / "whole"
        subprocess.run([EVIDENT, "index", "build", corpus, "--out", whole], check=True, capture_output=True)
        out, work = self.place / "out", self.place / "work"
        job = Job(corpus, out, work, evident=self.command(does), **how)
        try:
            said = build(job)
        finally:
            self.job = job
        self.assertEqual(files(out), files(whole))
        self.assertFalse(work.exists())
        return said

    def corpus(self, name, content):
        path = self.place / name
        path.write_bytes(content)
        return path

    def test_lines_of_json(self):
        said = self.built(self.corpus("ores.jsonl", lines()), shard_bytes=20_000, fan_in=3)
        self.assertEqual((said["passages"], said["segments"]), (900, 1))

    def test_a_dump_with_redirects_from_afar(self):
        corpus = self.corpus("wiki.xml.bz2", bz2.compress(dump()))
        self.built(corpus, shard_bytes=100_000, fan_in=4)

    def test_a_worker_that_is_killed_in_the_middle(self):
        kill = ("'build' in sys.argv and '000005' in sys.argv[3]", "os.kill(os.getppid(), signal.SIGKILL)")
        self.built(self.corpus("ores.jsonl", lines()), kill, shard_bytes=20_000, fan_in=3)
        self.assertTrue((self.place / "mark").exists())

    def test_a_worker_that_is_killed_while_it_joins(self):
        kill = (
            "'join' in sys.argv and 'out' == os.path.basename(sys.argv[-2])",
            "os.kill(os.getppid(), signal.SIGKILL)",
        )
        self.built(self.corpus("ores.jsonl", lines()), kill, shard_bytes=20_000, fan_in=3)
        self.assertTrue((self.place / "mark").exists())

    def test_a_build_goes_on_where_it_was_broken_off(self):
        from evident_cluster.build import Failed, build

        fail = ("'build' in sys.argv and '000005' in sys.argv[3]", "sys.exit('error: no room')")
        corpus = self.corpus("ores.jsonl", lines())
        with self.assertRaisesRegex(Failed, "no room"):
            self.built(corpus, fail, shard_bytes=20_000, fan_in=3)
        done = [path.name for path in (self.job.work / "parts").iterdir() if "." not in path.name]
        self.assertTrue(done)
        (self.place / "log").unlink()
        build(self.job)
        self.assertEqual(files(self.job.out), files(self.place / "whole"))
        again = (self.place / "log").read_text()
        self.assertFalse([name for name in done if f"index build {self.job.work / 'shards' / name}" in again])

    def test_another_corpus_is_not_taken_for_the_one_before(self):
        from evident_cluster.build import Failed, build

        fail = ("'build' in sys.argv and '000001' in sys.argv[3]", "sys.exit('error: no room')")
        corpus = self.corpus("ores.jsonl", lines())
        with self.assertRaises(Failed):
            self.built(corpus, fail, shard_bytes=20_000)
        corpus.write_bytes(lines()[:-1])
        with self.assertRaisesRegex(Failed, "holds the work of another build"):
            build(self.job)

    def test_what_cannot_be_cut_is_refused(self):
        from evident_cluster.shards import NotCut, cut

        for name in ("wiki.ndjson", "wiki.zim", "notes.txt"):
            with self.assertRaises(NotCut):
                cut(self.corpus(name, b"x"), self.place / "shards", 100)
        short = self.corpus("short.xml", dump()[:-20])
        with self.assertRaisesRegex(NotCut, "fetch it again"):
            cut(short, self.place / "shards", 10_000)


if __name__ == "__main__":
    unittest.main()
