"""`grade batch` of 1 to 10,000 submissions on one job and on two: right, wrong and hostile ones.

What a submission costs is told beyond the first of each job, which pays for the start: torch's import above all.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from benchmarks import grading
from benchmarks.classroom import VARIED, classroom
from benchmarks.measurements.floor import forked
from benchmarks.scale import Scale

DRAWN = ("right", "wrong", "hostile")
KINDS = ("right", VARIED, "wrong", "hostile")
JOBS = (1, 2)


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """A row for each kind, number of jobs and count, and the phases of one batch of each kind on one job."""
    rows: list[dict[str, Any]] = []
    profiles: dict[str, Any] = {}
    for kind in KINDS:
        whole = classroom(there / kind, max(*scale.counts, *JOBS), shares={kind: 100})
        names = list(whole.kinds)
        for count in scale.counts:
            for jobs in JOBS:
                own = max(count, jobs)  # a job that has nothing to do does not start
                some = _linked(whole.folder, names[:own], there / f"{kind}-{count}-{jobs}")
                rows += [_row(some, there / "out", kind, own, jobs)]
                shutil.rmtree(some)
            some = _linked(whole.folder, names[:count], there / f"{kind}-{count}")
            if count == max(scale.counts):
                rows[-len(JOBS) :] = _weighed(rows[-len(JOBS) :], some, there / "out", scale.forks)
            if count == _profiled(scale):
                file = there / "profile.json"
                grading.batch(some, there / "out", "--jobs", "1", profile=file)
                profiles[kind] = {"count": count, **grading.profiled(file)}
            shutil.rmtree(some)
        shutil.rmtree(whole.folder)
    return {
        "rows": [_with_cost(row, rows) for row in rows],
        "profiles": profiles,
        "cores": len(os.sched_getaffinity(0)),
    }


def _weighed(rows: list[dict[str, Any]], some: Path, out: Path, forks: int) -> list[dict[str, Any]]:
    """The largest batches, each measured once more, with the floor before, between and behind; of all the least.

    Who else uses the machine can only add to what something takes.
    """
    floors = [forked(forks)["cpu"]]
    for number, row in enumerate(rows):
        again = _row(some, out, row["kind"], row["count"], row["jobs"])
        rows[number] = min(row, again, key=lambda each: each["cpu"])
        floors += [forked(forks)["cpu"]]
    return [{**row, "floor_cpu": min(floors)} for row in rows]


def _profiled(scale: Scale) -> int:
    """The count whose phases are told: large enough that the start is little, small enough to be measured once more."""
    return max(count for count in scale.counts if count <= 100)


def _row(some: Path, out: Path, kind: str, count: int, jobs: int) -> dict[str, Any]:
    used = grading.batch(some, out, "--jobs", str(jobs), memory=True)
    row = {
        "kind": kind, "count": count, "jobs": jobs, "seconds": used.seconds, "cpu": used.cpu, **used.memory_of(count),
        "median_seconds": grading.median_seconds(out), "outcomes": grading.counted(out),
    }  # fmt: skip
    shutil.rmtree(out)
    return row


def _with_cost(row: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The row with what each submission costs after those of the smallest batch; nothing of that one."""
    same = [one for one in rows if (one["kind"], one["jobs"]) == (row["kind"], row["jobs"])]
    first = min(same, key=lambda one: one["count"])
    more = row["count"] - first["count"]
    return {**row, **{f"each_{what}": (row[what] - first[what]) / more for what in ("seconds", "cpu")}} if more else row


def _linked(folder: Path, names: list[str], to: Path) -> Path:
    """Some of a class, in a folder of its own; the files are the same ones, of which a disk has only so many."""
    for name in names:
        shutil.copytree(folder / name, to / name, symlinks=True, copy_function=os.link)
    return to
