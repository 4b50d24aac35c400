"""Judges portions of labelled statements, one to a task of Ray, and joins their rows in one report."""

import shutil
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path

import ray

from evident_cluster.work import RETRIES, begin, begun, end, named, plan_of, run

# The files that `evident eval --resume` goes on from: the settings of the run, and its rows.
KEPT = ("run.json", "rows.jsonl")


@dataclass(frozen=True)
class Evaluation:
    """The statements to judge, and how. All machines see its paths."""

    rows: Path
    out: Path
    work: Path
    """The folder for the portions; an evaluation that was broken off goes on from what is there."""
    portions: int = 16
    evident: tuple[str, ...] = ("evident",)
    """The command line, on every machine the same version."""
    options: tuple[str, ...] = ()
    """Further options of `evident eval`."""

    def plan(self) -> dict:
        """The plan that marks the folder for work as this evaluation's."""
        fields = {key: value for key, value in asdict(self).items() if key not in ("out", "work", "evident")}
        return plan_of(self.rows, self.evident, fields)

    def judge(self, out: Path, *more: str) -> str:
        """Runs `evident eval`, which writes to `out`."""
        return run(self.evident, ["eval", str(self.rows), *self.options, "--out", str(out), *more])


def evaluate(evaluation: Evaluation) -> str:
    """Judges all statements, and gives the report as Markdown."""
    plan = evaluation.plan()
    if not begun(evaluation.work, plan, (evaluation.rows, evaluation.out), set()):
        begin(evaluation.work, plan)
    judged = [portion.remote(evaluation, number) for number in range(1, evaluation.portions + 1)]
    said = ray.get(joined.remote(evaluation, *judged))
    end(evaluation.work, ("portions",))
    return said


@ray.remote(max_retries=RETRIES, num_cpus=1)
def portion(evaluation: Evaluation, number: int) -> Path:
    """Judges a portion, beginning with the rows that an earlier task kept of it."""
    place = evaluation.work / "portions" / f"{number:06}"
    if place.exists():
        return place
    earlier = [folder for folder in place.parent.glob(f"{place.name}.*") if (folder / "rows.jsonl").exists()]
    draft = drafted(place)
    resume = []
    if earlier:
        copied(max(earlier, key=lambda folder: (folder / "rows.jsonl").stat().st_size), draft)
        resume = ["--resume"]
    evaluation.judge(draft, "--portion", f"{number}/{evaluation.portions}", "--threads", "1", *resume)
    return named(draft, place)


@ray.remote(max_retries=RETRIES, num_cpus=1)
def joined(evaluation: Evaluation, *portions: Path) -> str:
    """The rows of all portions one after another: nothing is left to judge, and the report is written."""
    draft = drafted(evaluation.work / "portions" / "joined")
    copied(portions[0], draft)
    with (draft / "rows.jsonl").open("ab") as rows:
        for each in portions[1:]:
            with (each / "rows.jsonl").open("rb") as source:
                shutil.copyfileobj(source, rows)
    said = evaluation.judge(draft, "--resume")
    shutil.copytree(draft, evaluation.out, dirs_exist_ok=True)
    return said


def drafted(place: Path) -> Path:
    """A new folder beside `place`: a lost worker's command may still write to another."""
    draft = place.with_name(f"{place.name}.{uuid.uuid4().hex}")
    draft.mkdir(parents=True)
    return draft


def copied(source: Path, target: Path) -> None:
    """Copies what `evident eval` goes on from."""
    for name in KEPT:
        shutil.copyfile(source / name, target / name)
