"""The command line, run by tasks of Ray, and the folder for what lies between."""

import json
import os
import shutil
import subprocess
from pathlib import Path

# How often a task begins anew whose worker was lost.
RETRIES = 20


class Failed(Exception):
    """A failure of the command line in its own words, or the reason why work cannot begin."""


def run(evident: tuple[str, ...], arguments: list[str]) -> str:
    """Runs the command line, and gives what it says."""
    done = subprocess.run([*evident, *arguments], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(done.stderr.strip())
    return done.stdout


def plan_of(source: Path, evident: tuple[str, ...], fields: dict) -> dict:
    """The plan of some work: its first file, the version of the command line, and all else that decides it."""
    status = source.stat()
    facts = {"bytes": status.st_size, "changed": status.st_mtime_ns, "version": run(evident, ["--version"]).strip()}
    return {key: str(value) for key, value in fields.items()} | facts


def begun(work: Path, plan: dict, outside: tuple[Path, ...], drafts: set[str]) -> dict | None:
    """The notes made with this plan when the work began; `None` if it begins now. `outside` are paths that must not lie
    in the folder, `drafts` what may be there without a plan."""
    listed = work / "plan.json"
    if listed.exists():
        found = json.loads(listed.read_text())
        if found["plan"] != plan:
            raise Failed(f"{work} holds the work of something else: remove it, or name another folder")
        return found
    if work.exists() and set(os.listdir(work)) - drafts - {"plan.new"}:
        raise Failed(f"{work} holds something else: name an empty folder, or one that is not there")
    for place in outside:
        if place.resolve().is_relative_to(work.resolve()):
            raise Failed(f"{place} lies in {work}: name another folder for the work")
    return None


def begin(work: Path, plan: dict, **notes: object) -> None:
    """Notes the plan: from now on the work goes on where it was broken off."""
    work.mkdir(parents=True, exist_ok=True)
    draft = work / "plan.new"
    draft.write_text(json.dumps({"plan": plan} | notes))
    draft.replace(work / "plan.json")


def end(work: Path, folders: tuple[str, ...]) -> None:
    """Removes what lies between."""
    for name in folders:
        shutil.rmtree(work / name, ignore_errors=True)
    (work / "plan.json").unlink()
    if not any(work.iterdir()):
        work.rmdir()


def named(draft: Path, place: Path) -> Path:
    """Gives a folder that is whole its name, unless another task did so first."""
    try:
        os.rename(draft, place)
    except OSError:
        if not place.exists():
            raise
    return place
