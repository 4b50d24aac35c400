"""Builds the shards of a corpus as indexes of their own, one to a task of Ray, and joins them in a tree."""

import json
import shutil
import time
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path

import ray

from evident_cluster.shards import cut
from evident_cluster.work import RETRIES, Failed, begin, begun, end, named, plan_of, run

# What the command line says of a folder that another command writes to.
BUSY = " is being written by "


@dataclass(frozen=True)
class Job:
    """The index to build, and how. All machines see its paths."""

    corpus: Path
    out: Path
    work: Path
    """The folder for shards and parts; a build that was broken off goes on from what is there."""
    shard_bytes: int = 256 << 20
    fan_in: int = 16
    """The number of parts that one task joins."""
    evident: tuple[str, ...] = ("evident",)
    """The command line, on every machine the same version."""
    options: tuple[str, ...] = ()
    """Further options of `evident index build`."""

    def plan(self) -> dict:
        """The plan that marks the folder for work as this build's."""
        fields = {key: value for key, value in asdict(self).items() if key not in ("out", "work", "evident")}
        return plan_of(self.corpus, self.evident, fields)


def build(job: Job) -> dict:
    """Builds the index, and gives what `evident index join --json` says of it."""
    parts = [part.remote(job, shard) for shard in shards(job)]
    level = 0
    while len(parts) > job.fan_in:
        groups = [parts[first : first + job.fan_in] for first in range(0, len(parts), job.fan_in)]
        parts = [joined.remote(job, f"{level}-{number}", *group) for number, group in enumerate(groups)]
        level += 1
    said = ray.get(last.remote(job, *parts))
    end(job.work, ("shards", "parts"))
    return json.loads(said)


def shards(job: Job) -> list[Path]:
    """The shards, cut now or by an earlier build of the same job."""
    plan, folder = job.plan(), job.work / "shards"
    if found := begun(job.work, plan, (job.corpus, job.out), {"shards"}):
        return [folder / name for name in found["shards"]]
    shutil.rmtree(folder, ignore_errors=True)
    made = cut(job.corpus, folder, job.shard_bytes)
    begin(job.work, plan, shards=[shard.name for shard in made])
    return made


@ray.remote(max_retries=RETRIES, num_cpus=1)
def part(job: Job, shard: Path) -> Path:
    """The index of a shard."""
    return made(job, shard.stem, ["build", str(shard), "--threads", "1", *job.options])


@ray.remote(max_retries=RETRIES, num_cpus=1)
def joined(job: Job, name: str, *parts: Path) -> Path:
    """The index of the parts."""
    return made(job, f"joined-{name}", ["join", *map(str, parts), "--threads", "1"])


@ray.remote(max_retries=RETRIES, num_cpus=1)
def last(job: Job, *parts: Path) -> str:
    """Joins the parts as the whole index."""
    while True:
        try:
            return run(job.evident, ["index", "join", *map(str, parts), "--out", str(job.out), "--json"])
        except Failed as failed:
            if BUSY not in str(failed):
                raise
            time.sleep(1)  # a lost worker's command still writes there


def made(job: Job, name: str, arguments: list[str]) -> Path:
    """Makes an index unless it is there. It gets its name when it is whole: a lost worker's command may still write to
    another folder."""
    place = job.work / "parts" / name
    if place.exists():
        return place
    draft = place.with_name(f"{name}.{uuid.uuid4().hex}")
    draft.parent.mkdir(parents=True, exist_ok=True)
    run(job.evident, ["index", *arguments, "--out", str(draft), "--json"])
    return named(draft, place)
