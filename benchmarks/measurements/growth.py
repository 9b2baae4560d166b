"""What a submission costs, and what memory there is, in a class of 100 and in one of 10,000 honest ones, on all cores.

Small classes are graded before the large one and behind it, since a machine is not always as quick, and several of
them: what a hundred cost depends on which of a few hundred mistakes they happen to make.
"""

from __future__ import annotations

import os
import shutil
import statistics
from pathlib import Path
from typing import Any

from benchmarks import grading
from benchmarks.classroom import OF_HONEST, classroom
from benchmarks.scale import Scale

# Small classes on each side of the large one.
SEVERAL = 3


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """A row for each size of a class. What a submission takes is told beyond a class of one for each job."""
    jobs = len(os.sched_getaffinity(0))
    small = max(scale.growth[0], 2 * jobs)
    large = max(scale.growth[1], 2 * small)
    seeds = range(1, 2 * SEVERAL + 1)
    before, behind = ([(small, seed) for seed in some] for some in (seeds[:SEVERAL], seeds[SEVERAL:]))
    taken: dict[int, list[dict[str, Any]]] = {}
    for count, seed in ((jobs, 1), *before, (large, 1), *behind, (jobs, 1)):
        some = classroom(there / "class", count, seed, shares=OF_HONEST).folder
        taken.setdefault(count, []).append(_graded(some, there / "out", count, jobs))
        shutil.rmtree(some)
    starts = {what: statistics.mean(one[what] for one in taken[jobs]) for what in ("seconds", "cpu")}
    rows = []
    for count in (small, large):
        row = {what: statistics.mean(one[what] for one in taken[count]) for what in taken[count][0]}
        each = {f"each_{what}": (row[what] - start) / (count - jobs) for what, start in starts.items()}
        rows.append({**row, "count": count, **each})
    return {"jobs": jobs, "rows": rows}


def _graded(some: Path, out: Path, count: int, jobs: int) -> dict[str, float]:
    used = grading.batch(some, out, "--jobs", str(jobs), memory=True)
    shutil.rmtree(out)
    return {"seconds": used.seconds, "cpu": used.cpu, **used.memory_of(count)}
