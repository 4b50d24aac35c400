"""What two workers build and judge is what the command line alone writes, also when a worker is lost.

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
ROOT = HERE.parents[2]
EVIDENT = os.environ.get("EVIDENT", str(ROOT / "target/release/evident"))

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


def statements():
    """Labelled statements over what `lines` says, two of which share a paragraph."""
    said = [
        ("iron copper zinc silver rust melts bends shines.", True),
        ("Ore 7 is a stone.", False),
        ("It was mined in Egypt.", "no evidence"),
        ("Ore 12 conducts heat.", True),
        ("Stone 3 has no name.", False),
    ]
    rows = [
        {"id": f"s{number}", "statement": text, "label": label, "paragraph": max(number, 2), "position": number}
        for number, (text, label) in enumerate(said, 1)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def setUpModule():
    if ray is not None:
        sys.path.insert(0, str(HERE))
        os.environ["PYTHONPATH"] = str(HERE)
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)


def tearDownModule():
    if ray is not None:
        ray.shutdown()


@unittest.skipIf(ray is None, "ray is not installed: pip install ray")
@unittest.skipUnless(Path(EVIDENT).exists(), f"{EVIDENT} is not built")
class Place(unittest.TestCase):
    """A folder for a test, and a command line that may fail in it."""

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
                import os, pathlib, signal, subprocess, sys, time
                with open({str(self.place / "log")!r}, "a") as log:
                    print(*sys.argv[1:], file=log)
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

    def written(self, name, content):
        path = self.place / name
        path.write_bytes(content)
        return path


class Build(Place):
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

    def test_lines_of_json(self):
        said = self.built(self.written("ores.jsonl", lines()), shard_bytes=20_000, fan_in=3)
        self.assertEqual((said["passages"], said["segments"]), (900, 1))

    def test_a_dump_with_redirects_from_afar(self):
        corpus = self.written("wiki.xml.bz2", bz2.compress(dump()))
        self.built(corpus, shard_bytes=100_000, fan_in=4)

    def test_a_worker_that_is_killed_in_the_middle(self):
        kill = ("'build' in sys.argv and '000005' in sys.argv[3]", "os.kill(os.getppid(), signal.SIGKILL)")
        self.built(self.written("ores.jsonl", lines()), kill, shard_bytes=20_000, fan_in=3)
        self.assertTrue((self.place / "mark").exists())

    def test_a_worker_that_is_killed_while_it_joins(self):
        kill = (
            "'join' in sys.argv and 'out' == os.path.basename(sys.argv[-2])",
            "os.kill(os.getppid(), signal.SIGKILL)",
        )
        self.built(self.written("ores.jsonl", lines()), kill, shard_bytes=20_000, fan_in=3)
        self.assertTrue((self.place / "mark").exists())

    def test_a_build_goes_on_where_it_was_broken_off(self):
        from evident_cluster.build import build
        from evident_cluster.work import Failed

        fail = ("'build' in sys.argv and '000005' in sys.argv[3]", "sys.exit('error: no room')")
        corpus = self.written("ores.jsonl", lines())
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
        from evident_cluster.build import build
        from evident_cluster.work import Failed

        fail = ("'build' in sys.argv and '000001' in sys.argv[3]", "sys.exit('error: no room')")
        corpus = self.written("ores.jsonl", lines())
        with self.assertRaises(Failed):
            self.built(corpus, fail, shard_bytes=20_000)
        corpus.write_bytes(lines()[:-1])
        with self.assertRaisesRegex(Failed, "holds the work of something else"):
            build(self.job)

    def test_what_cannot_be_cut_is_refused(self):
        from evident_cluster.shards import NotCut, cut

        for name in ("wiki.ndjson", "wiki.zim", "notes.txt"):
            with self.assertRaises(NotCut):
                cut(self.written(name, b"x"), self.place / "shards", 100)
        short = self.written("short.xml", dump()[:-20])
        with self.assertRaisesRegex(NotCut, "fetch it again"):
            cut(short, self.place / "shards", 10_000)


class Evaluate(Place):
    def setUp(self):
        super().setUp()
        index = self.place / "index"
        self.evident("index", "build", self.written("ores.jsonl", lines()), "--out", index)
        self.rows = self.written("statements.jsonl", statements())
        self.options = ("--index", str(index), "--pack", str(ROOT / "models/embedded"))

    def evident(self, *arguments):
        return subprocess.run([EVIDENT, *arguments], check=True, capture_output=True, text=True).stdout

    def evaluated(self, does=("False", "pass"), **how):
        from evident_cluster.evaluate import Evaluation, evaluate

        whole = self.place / "whole"
        report = self.evident("eval", self.rows, *self.options, "--out", whole)
        out, work = self.place / "out", self.place / "work"
        self.evaluation = Evaluation(
            self.rows, out, work, evident=self.command(does), options=self.options, **{"portions": 2} | how
        )
        self.assertEqual(evaluate(self.evaluation), report)
        self.assertEqual(files(out), files(whole))
        self.assertFalse(work.exists())

    def test_a_worker_that_is_killed_between_two_rows(self):
        kill = """
                    child = subprocess.Popen([EVIDENT, *sys.argv[1:]])
                    rows = pathlib.Path(sys.argv[sys.argv.index("--out") + 1], "rows.jsonl")
                    while not rows.exists() or b"\\n" not in rows.read_bytes():
                        time.sleep(0.001)
                    child.kill()
                    os.kill(os.getppid(), signal.SIGKILL)
                    sys.exit(1)
        """.replace("EVIDENT", repr(EVIDENT))
        self.evaluated(("'2/2' in sys.argv", kill.strip()))
        began = [line for line in (self.place / "log").read_text().splitlines() if "--portion 2/2" in line]
        self.assertEqual(["--resume" in line for line in began], [False, True])

    def test_an_evaluation_goes_on_where_it_was_broken_off(self):
        from evident_cluster.evaluate import evaluate
        from evident_cluster.work import Failed

        fail = ("'2/3' in sys.argv", "sys.exit('error: no room')")
        with self.assertRaisesRegex(Failed, "no room"):
            self.evaluated(fail, portions=3)
        (self.place / "log").unlink()
        done = [path.name for path in (self.evaluation.work / "portions").iterdir() if "." not in path.name]
        evaluate(self.evaluation)
        self.assertEqual(files(self.evaluation.out), files(self.place / "whole"))
        again = (self.place / "log").read_text()
        self.assertFalse([name for name in done if f"--portion {int(name)}/3" in again])

    def test_more_portions_than_statements_are_refused(self):
        from evident_cluster.work import Failed

        with self.assertRaisesRegex(Failed, "fewer labelled statements than portions"):
            self.evaluated(portions=6)


if __name__ == "__main__":
    unittest.main()
