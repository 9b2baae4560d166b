"""What people would use instead, on the same class in the same run, each tool's half before ours and half behind.

Throughput is compared with as many at once on both sides: one after the other, and as many as there are cores.
"""

from __future__ import annotations

import os
import shutil
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks import grading
from benchmarks.classroom import FIRST_ATTEMPT, OF_HONEST, classroom
from benchmarks.grading import REFERENCE
from benchmarks.measurements.floor import forked
from benchmarks.peers.tools import ISOLATED, Graded, Tool, pytest_of_all
from benchmarks.processes import CannotRun
from benchmarks.scale import Scale


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """Submissions a second of each tool and of `grade batch`, alone and with all cores. Raises CannotRun."""
    cores = len(os.sched_getaffinity(0))
    honest = classroom(there / "class", scale.class_, shares=OF_HONEST)
    students = [honest.folder / name for name in honest.kinds]
    some = students[: max(scale.peers, cores)]
    tools: dict[str, dict[str, Any]] = {
        tool.name: {"isolation": tool.says, **verified(tool, there)} for tool in ISOLATED
    }
    loops: dict[str, list[Graded]] = {tool.name: [] for tool in ISOLATED}
    half = (len(some) + 1) // 2
    for tool in ISOLATED:
        loops[tool.name] += [_graded(tool, student, there) for student in some[:half]]
    floors = [forked(scale.forks)["cpu"]]
    ours = {jobs: _batch(honest.folder, students, there, jobs) for jobs in sorted({1, cores})}
    floors += [forked(scale.forks)["cpu"]]
    for tool in ISOLATED:
        loops[tool.name] += [_graded(tool, student, there) for student in some[half:]]
    for tool in ISOLATED:
        seconds = [each.used.seconds for each in loops[tool.name]]
        tools[tool.name] |= {
            "submissions": len(seconds),
            "each_seconds": statistics.mean(seconds),
            "each_cpu": statistics.mean(each.used.cpu for each in loops[tool.name]),
            "per_second": 1 / statistics.mean(seconds),
            "per_second_all_cores": _at_once(tool, some, there, cores) if cores > 1 else 1 / statistics.mean(seconds),
        }
    return {
        "cores": cores,
        "class": len(students),
        "floor_cpu": statistics.mean(floors),
        "tools": tools,
        "grade": {str(jobs): each for jobs, each in ours.items()},
        "pytest_of_all": _of_all(students, there),
    }


def verified(tool: Tool, there: Path) -> dict[str, Any]:
    """That a tool gives the reference all, and a submission with mistakes less. Raises CannotRun where it does not."""
    right, wrong = _graded(tool, REFERENCE, there), _graded(tool, FIRST_ATTEMPT, there)
    if not right.is_full or not 0 < wrong.right < wrong.of:
        raise CannotRun(
            f"{tool.name}: {right.right} of {right.of} right, and {wrong.right} of {wrong.of} for a wrong one"
        )
    return {"tests": right.of, "wrong_one_gets": wrong.right}


def _graded(tool: Tool, submission: Path, there: Path) -> Graded:
    """In a copy of the submission, since some tools write beside it. The copy is made before the clock starts."""
    scratch, copy = there / f"of-{tool.name}-{submission.name}", there / f"copy-{tool.name}-{submission.name}"
    scratch.mkdir()
    shutil.copytree(submission, copy, ignore=shutil.ignore_patterns("__pycache__"))
    try:
        return tool.grade(copy, scratch, "")
    finally:
        shutil.rmtree(scratch)
        shutil.rmtree(copy)


def _at_once(tool: Tool, some: list[Path], there: Path, count: int) -> float:
    """Submissions a second with so many processes of the tool at once."""
    started = time.perf_counter()
    with ThreadPoolExecutor(count) as threads:
        done = list(threads.map(lambda student: _graded(tool, student, there), some))
    return len(done) / (time.perf_counter() - started)


def _batch(folder: Path, students: list[Path], there: Path, jobs: int) -> dict[str, Any]:
    """The whole class, start included."""
    used = grading.batch(folder, there / "out", "--jobs", str(jobs))
    return {"seconds": used.seconds, "cpu": used.cpu, "per_second": len(students) / used.seconds}


def _of_all(students: list[Path], there: Path) -> dict[str, Any]:
    """One pytest process for a part of the class, and what it costs beyond the first student's."""
    found = {}
    for count in (1, min(len(students), 100)):
        folder = there / f"all-{count}"
        for student in students[:count]:
            shutil.copytree(student, folder / student.name)
        (scratch := there / "of-all").mkdir(exist_ok=True)
        found[count] = pytest_of_all(folder, scratch).used
    (_, first), (count, whole) = found.items()
    return {
        "count": count,
        "seconds": whole.seconds,
        "each_seconds": (whole.seconds - first.seconds) / (count - 1),
        "each_cpu": (whole.cpu - first.cpu) / (count - 1),
    }
