"""`python -m benchmarks` as a person runs it, a little of it: what it measures, writes and keeps."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.grading import ROOT


@pytest.mark.long
def test_a_measurement_is_written_beside_what_was_kept(tmp_path: Path) -> None:
    results, page = tmp_path / "results.json", tmp_path / "page.md"
    results.write_text(json.dumps({"measured": {}, "confinement_of_before": 1}), "utf-8")
    words = ["--quick", "--only", "confinement", "--results", results, "--page-to", page]

    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", *map(str, words)], cwd=ROOT, capture_output=True, text=True
    )

    written = json.loads(results.read_text("utf-8"))
    assert done.returncode in (0, 1), done.stderr
    assert written["confinement"]["bare_ms"] > 0
    assert written["measured"]["confinement"]["scale"] == "quick"
    assert written["confinement_of_before"] == 1
    assert "A confined child" in page.read_text("utf-8")


@pytest.mark.long
def test_the_floor_makes_the_calls_that_decide() -> None:
    words = [sys.executable, "-m", "benchmarks.bare", "1", ROOT / "solutions" / "reference"]

    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)

    told = json.loads(done.stdout)
    assert told["runs"] >= 100
    assert told["cpu"] > 0


def test_every_exercise_has_checks_for_the_other_tools_and_no_two_one_name() -> None:
    from benchmarks.peers.checks import CHECKS  # torch with them

    assert {check.exercise for check in CHECKS} == {f"ex{number:02}" for number in range(1, 14)}
    assert len({check.name + check.exercise for check in CHECKS}) >= len(CHECKS) - 1  # one shape is asked twice
