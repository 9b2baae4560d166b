"""What a second job brings: the same class of honest ones on one job and on two, in turn.

A machine is not as quick all the time, so each pair is of two runs side by side, the order turned each time, and the
pairs' median is told. A class of a few hundred, since each job has to see for itself what most of a class does.
"""

from __future__ import annotations

import shutil
import statistics
from pathlib import Path
from typing import Any

from benchmarks import grading
from benchmarks.classroom import OF_HONEST, classroom
from benchmarks.scale import Scale

JOBS = (1, 2)


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """What a submission takes on each number of jobs, beyond a class of one for each job, in each pair."""
    starts = {jobs: _graded(there, jobs, jobs) for jobs in JOBS}
    pairs = []
    for turn in range(scale.pairs):
        taken = {jobs: _graded(there, scale.pair, jobs) for jobs in (JOBS if turn % 2 else reversed(JOBS))}
        pairs.append({str(jobs): _each(taken[jobs], starts[jobs], scale.pair - jobs) for jobs in JOBS})
    ratios = [pair["1"]["seconds"] / pair["2"]["seconds"] for pair in pairs]
    return {"count": scale.pair, "pairs": pairs, "ratios": ratios, "ratio": statistics.median(ratios)}


def _graded(there: Path, count: int, jobs: int) -> dict[str, float]:
    some = classroom(there / "class", count, shares=OF_HONEST).folder
    used = grading.batch(some, there / "out", "--jobs", str(jobs))
    shutil.rmtree(some)
    shutil.rmtree(there / "out")
    return {"seconds": used.seconds, "cpu": used.cpu}


def _each(whole: dict[str, float], start: dict[str, float], more: int) -> dict[str, float]:
    return {what: (whole[what] - start[what]) / more for what in whole}
