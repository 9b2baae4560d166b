"""The checks as pytest runs them. SUBMISSIONS: a folder of submissions, all in this process; else SUBMISSION: one."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from benchmarks.peers.checks import CHECKS, Check, run
from benchmarks.peers.loading import Both

ALL = os.environ.get("SUBMISSIONS", "")
STUDENTS = sorted(Path(ALL).iterdir()) if ALL else [Path(os.environ["SUBMISSION"])]


@cache
def both(student: Path) -> Both:
    """A student's modules are imported once."""
    return Both(student)


@pytest.mark.parametrize("student", STUDENTS, ids=lambda student: student.name)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: f"{check.exercise}-{check.name}")
def test_exercise(student: Path, check: Check) -> None:
    run(check, both(student))
