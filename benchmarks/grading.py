"""`grade` as every measurement calls it, and where things lie."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import statistics
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.processes import Used, run

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "solutions" / "reference"
GRADE = Path(sys.executable).with_name("grade")
# The processor alone, as every other tool here; one seed, so that all ask the same; a hang costs two seconds.
OPTIONS = ("--device", "cpu", "--seed", "1", "--timeout", "2")


def environment(**more: str) -> dict[str, str]:
    """This one's, without what would have the grader think that a platform called it."""
    return {name: value for name, value in os.environ.items() if name != "CI"} | more


def batch(submissions: Path, out: Path, *options: str, memory: bool = False, profile: Path | None = None) -> Used:
    """`grade batch` of a folder into one that is emptied first. Raises CannotRun."""
    shutil.rmtree(out, ignore_errors=True)
    told = ["--profile", profile] if profile else []
    command = [GRADE, "batch", submissions, "--out", out, *OPTIONS, *options, *told]
    return run(command, environment=environment(), memory=memory, far=lambda: results(out))


def outcomes(out: Path) -> dict[str, str]:
    """What became of each submission of a batch."""
    with closing(sqlite3.connect(out / "results.sqlite")) as database:
        return dict(database.execute("SELECT id, outcome FROM results"))


def counted(out: Path) -> dict[str, int]:
    """How many submissions of a batch came to each outcome."""
    return dict(Counter(outcomes(out).values()))


def median_seconds(out: Path) -> float:
    """The time that half of a batch's submissions were graded within, each by itself."""
    reports = (out / "results").glob("*.json")
    return statistics.median(json.loads(report.read_text("utf-8"))["seconds"] for report in reports)


def profiled(file: Path) -> dict[str, Any]:
    """What `--profile` wrote."""
    noted: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return noted


def results(out: Path) -> int:
    """How many results of a batch there are so far."""
    folder = out / "results"
    return sum(not entry.name.startswith(".") for entry in os.scandir(folder)) if folder.is_dir() else 0
