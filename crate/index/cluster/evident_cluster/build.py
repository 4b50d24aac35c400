"""Builds the shards of a corpus as indexes of their own, one to a task of Ray, and joins them in a tree."""

import json
import os
import shutil
import subprocess
import time
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path

import ray

from evident_cluster.shards import cut

# How often a task begins anew whose worker was lost.
RETRIES = 20


# What the command line says of a folder that another command writes to.
BUSY = " is being written by "


class Failed(Exception):
    """What the command line said when it failed."""


@dataclass(frozen=True)
class Job:
    """What is built, and how. All machines see its paths."""

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
        """What the folder for work is for."""
        status = self.corpus.stat()
        version = subprocess.run(
            [*self.evident, "--version"], capture_output=True, text=True, check=True
        ).stdout.strip()
        fields = {key: str(value) for key, value in asdict(self).items() if key not in ("out", "work", "evident")}
        return fields | {"bytes": status.st_size, "changed": status.st_mtime_ns, "version": version}


def build(job: Job) -> dict:
    """Builds the index, and gives what `evident index join --json` says of it."""
    parts = [part.remote(job, shard) for shard in shards(job)]
    level = 0
    while len(parts) > job.fan_in:
        groups = [parts[first : first + job.fan_in] for first in range(0, len(parts), job.fan_in)]
        parts = [joined.remote(job, f"{level}-{number}", *group) for number, group in enumerate(groups)]
        level += 1
    said = ray.get(last.remote(job, *parts))
    for name in ("shards", "parts"):
        shutil.rmtree(job.work / name)
    (job.work / "plan.json").unlink()
    if not any(job.work.iterdir()):
        job.work.rmdir()
    return said


def shards(job: Job) -> list[Path]:
    """The shards, cut now or by an earlier build of the same job."""
    plan, listed, folder = job.plan(), job.work / "plan.json", job.work / "shards"
    if listed.exists():
        found = json.loads(listed.read_text())
        if found["plan"] != plan:
            raise Failed(f"{job.work} holds the work of another build: remove it, or name another folder")
        return [folder / name for name in found["shards"]]
    if job.work.exists() and set(os.listdir(job.work)) - {"shards", "plan.new"}:
        raise Failed(f"{job.work} holds something else: name an empty folder, or one that is not there")
    for place in (job.corpus, job.out):
        if place.resolve().is_relative_to(job.work.resolve()):
            raise Failed(f"{place} lies in {job.work}: name another folder for the work")
    shutil.rmtree(folder, ignore_errors=True)
    made = cut(job.corpus, folder, job.shard_bytes)
    listed.with_suffix(".new").write_text(json.dumps({"plan": plan, "shards": [shard.name for shard in made]}))
    listed.with_suffix(".new").replace(listed)
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
def last(job: Job, *parts: Path) -> dict:
    """Joins the parts as the whole index."""
    while True:
        try:
            return run(job, ["join", *map(str, parts), "--out", str(job.out), "--json"])
        except Failed as failed:
            if BUSY not in str(failed):
                raise
            time.sleep(1)  # a lost worker's command still writes there


def made(job: Job, name: str, arguments: list[str]) -> Path:
    """Makes an index unless it is there. It gets its name when it is whole: a lost worker's command may still write to
    another folder."""
    place = job.work / "parts" / name
    if not place.exists():
        draft = place.with_name(f"{name}.{uuid.uuid4().hex}")
        draft.parent.mkdir(parents=True, exist_ok=True)
        run(job, [*arguments, "--out", str(draft), "--json"])
        try:
            os.rename(draft, place)
        except OSError:
            if not place.exists():
                raise
    return place


def run(job: Job, arguments: list[str]) -> dict:
    """Runs `evident index`, and gives what it says in JSON."""
    done = subprocess.run([*job.evident, "index", *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(done.stderr.strip())
    return json.loads(done.stdout)
