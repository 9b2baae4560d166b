"""Each tool as a course would run it on one submission: what that takes, and how much of it was right."""

from __future__ import annotations

import json
import os
import re
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.environments import HERE, environment
from benchmarks.processes import CannotRun, Used, run

ROOT = HERE.parents[1]

EXERCISES = [f"ex{number:02}" for number in range(1, 14)]
# Tools find our checks by this, and a thread each is what the grader gives its workers, too.
SHARED = {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
NOTEBOOK = {
    "cells": [
        {"cell_type": "code", "execution_count": None, "id": "1", "metadata": {}, "outputs": [], "source": "pass"}
    ],
    "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}  # fmt: skip


@dataclass(frozen=True)
class Graded:
    """What a tool took for a submission. right, of: how many of its tests, checks or questions passed, and of all."""

    used: Used
    right: int
    of: int

    @property
    def is_full(self) -> bool:
        return self.right == self.of


@dataclass(frozen=True)
class Tool:
    """A tool. grade: one submission, a folder of modules, in a scratch folder; of one exercise where it is named."""

    name: str
    says: str
    grade: Callable[[Path, Path, str], Graded]


def with_pytest(submission: Path, scratch: Path, exercise: str = "") -> Graded:
    """One pytest process. Raises CannotRun where it is no verdict that it ends with."""
    return _pytest({"SUBMISSION": str(submission)}, scratch, exercise)


def pytest_of_all(submissions: Path, scratch: Path) -> Graded:
    """One pytest process for a folder of submissions."""
    return _pytest({"SUBMISSIONS": str(submissions)}, scratch, "")


def _pytest(told: dict[str, str], scratch: Path, exercise: str) -> Graded:
    bin_ = environment("pytest")
    command = [
        bin_ / "python", "-m", "pytest", "-q", "--tb=line", "-p", "no:cacheprovider", "-c", os.devnull,
        "--rootdir", scratch, "-k", exercise, HERE / "pytest" / "test_exercises.py",
    ]  # fmt: skip
    used = run(command, environment=_environment(bin_, **told), folder=scratch, codes=(0, 1))
    counted = {word: int(count) for count, word in re.findall(r"(\d+) (passed|failed|errors?)\b", used.output)}
    if not counted:
        raise CannotRun(used.output[-2000:])
    return Graded(used, counted.get("passed", 0), sum(counted.values()))


def with_check50(submission: Path, scratch: Path, exercise: str = "") -> Graded:
    """`check50 --dev`, which is `--local` with checks from a folder instead of from GitHub."""
    bin_ = environment("check50")
    found = scratch / "check50.json"
    found.unlink(missing_ok=True)
    only = ["--target", exercise] if exercise else []
    command = [
        bin_ / "check50", "--dev", HERE / "check50", "--log-level", "warning", "-o", "json", "--output-file", found,
        *only,
    ]  # fmt: skip
    used = run(command, environment=_environment(bin_), folder=submission, codes=(0, 1))  # 1: a check failed
    results = json.loads(found.read_text("utf-8")).get("results", []) if found.exists() else []
    if not results:
        raise CannotRun(used.output[-2000:])
    return Graded(used, sum(result["passed"] is True for result in results), len(results))


def with_otter(submission: Path, scratch: Path, exercise: str = "") -> Graded:
    """`otter run` on a zip of a notebook and the modules beside it. The zips are made before the clock starts."""
    bin_ = environment("otter")
    autograder = _autograder(bin_, scratch, exercise)
    handed_in = scratch / "submission.zip"
    with zipfile.ZipFile(handed_in, "w") as archive:
        archive.writestr("submission.ipynb", json.dumps(NOTEBOOK))
        for module in sorted(submission.glob("*.py")):
            archive.write(module, module.name)
    out = scratch / "results.json"
    out.unlink(missing_ok=True)
    command = [bin_ / "otter", "run", "--no-logo", "-a", autograder, "-o", scratch, handed_in]
    used = run(command, environment=_environment(bin_), folder=scratch)
    if not out.exists():  # it ends with 0 where it could not grade, too
        raise CannotRun(used.output[-2000:])
    tests = [test for test in json.loads(out.read_text("utf-8"))["tests"] if "score" in test]
    return Graded(used, sum(test["score"] == test["max_score"] for test in tests), len(tests))


def _autograder(bin_: Path, scratch: Path, exercise: str) -> Path:
    """What `otter generate` makes of our tests, once for each choice of exercises."""
    made = scratch / f"autograder-{exercise or 'all'}.zip"
    if not made.exists():
        from benchmarks.peers.otter.asking import write_tests

        tests = scratch / "tests"
        shutil.rmtree(tests, ignore_errors=True)
        tests.mkdir()
        write_tests(tests, [exercise] if exercise else EXERCISES)
        words = [bin_ / "otter", "generate", "-t", tests, "-o", made, "--no-environment", "--no-requirements"]
        run(words, environment=_environment(bin_), folder=scratch)
    return made


def _environment(bin_: Path, **told: str) -> dict[str, str]:
    return {**os.environ, **SHARED, "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}", **told}


ISOLATED = (
    Tool("pytest", "one process a submission; no sandbox", with_pytest),
    Tool("check50", "one process a submission, and more for its checks; no sandbox", with_check50),
    Tool("otter", "a notebook kernel a submission; no sandbox", with_otter),
)
