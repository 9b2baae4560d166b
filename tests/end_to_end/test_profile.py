"""`--profile` tells what each phase took, and changes nothing of what is graded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.model.profile import CHILD, PHASES
from tests.command import Grade

from .submissions import ROOT

FIRST_ATTEMPT = str(ROOT / "fixtures" / "submissions" / "first_attempt")


def report(file: Path) -> dict[str, Any]:
    """A report without its time."""
    told: dict[str, Any] = json.loads(file.read_text("utf-8"))
    del told["seconds"]
    return told


@pytest.mark.long
def test_a_profiled_run_grades_the_same_and_tells_each_phase(grade: Grade, tmp_path: Path) -> None:
    words = ("run", FIRST_ATTEMPT, "--seed", "3")
    grade(*words, "--format", f"json={tmp_path}/plain.json")
    grade(*words, "--format", f"json={tmp_path}/profiled.json", "--profile", f"{tmp_path}/profile.json")

    profile = json.loads((tmp_path / "profile.json").read_text("utf-8"))

    assert report(tmp_path / "plain.json") == report(tmp_path / "profiled.json")
    here, worker = profile["grading"]["here"], profile["grading"]["worker"]
    assert {"start", "intake", "fork", "wire", "judge", "diagnose", "report"} <= here.keys() <= {*PHASES}
    assert {"confine", "import", "run", "trace", "wire", CHILD} <= worker.keys()
    assert sum(spent["wall"] for spent in here.values()) <= profile["wall"]
    assert worker["run"]["cpu"] <= worker[CHILD]["cpu"]


@pytest.mark.long
def test_a_batchs_profile_is_of_all_its_jobs(grade: Grade, tmp_path: Path) -> None:
    grade(
        "batch", str(ROOT / "fixtures" / "submissions"), "--out", f"{tmp_path}/out", "--jobs", "2",
        "--allow-unsandboxed", "--profile", f"{tmp_path}/profile.json",
    )  # fmt: skip

    profile = json.loads((tmp_path / "profile.json").read_text("utf-8"))

    assert profile["grading"]["here"]["judge"]["times"] == len(list((tmp_path / "out" / "results").iterdir()))


def test_a_profile_that_cannot_be_written_is_said(grade: Grade, tmp_path: Path) -> None:
    done = grade("run", FIRST_ATTEMPT, "--exercise", "ex01", "--profile", f"{tmp_path}/nowhere/profile.json")

    assert "cannot be written" in done.stderr
