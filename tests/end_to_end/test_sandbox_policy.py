"""Where a grade counts, a missing layer of the sandbox is a refusal; elsewhere it is a note."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.model.isolation import LAYERS
from tests.command import Grade
from tests.sampling import every_time, one_in

from .submissions import REFERENCE_FOLDER

REFUSAL = "grade: The sandbox lacks {} here, so nothing is graded."
RUN = ("run", REFERENCE_FOLDER, "--exercise", "ex01", "--device", "cpu")

LEFT_OUT = ("bubblewrap", "landlock", "seccomp")
# Graded in passing: what is measured are the tests of each module.
pytestmark = [
    pytest.mark.no_cover,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="without bubblewrap every grade is refused"),
]


def ci(first: str, *others: str) -> pytest.MarkDecorator:
    """Values of CI, of which the first is tried every time."""
    params = (pytest.param(each, id=f"CI={each}") for each in (first, *others))
    return pytest.mark.parametrize("value", one_in(3, params, [f"CI={first}"]))


@pytest.mark.parametrize("layer", LEFT_OUT)
def test_a_required_layer_that_is_missing_is_a_refusal_that_names_it(layer: str, grade: Grade) -> None:
    done = grade(*RUN, "--require-sandbox", "--without-layer", layer, "--format", "json")

    assert (done.returncode, done.stdout) == (6, "")
    assert done.stderr.splitlines() == [
        REFUSAL.format(layer),
        "`grade doctor` says how to get it; --allow-unsandboxed grades all the same.",
    ]


def test_every_layer_that_is_missing_is_named(grade: Grade) -> None:
    without = [word for layer in ("session", "rlimits") for word in ("--without-layer", layer)]

    done = grade(*RUN, "--require-sandbox", *without)

    assert (done.returncode, done.stderr.splitlines()[0]) == (6, REFUSAL.format("session and rlimits"))


def test_a_layer_that_may_be_absent_is_no_reason_to_refuse(report_of: Callable[..., dict[str, Any]]) -> None:
    report = report_of(*RUN[1:], "--allow-without", "bubblewrap", "--without-layer", "bubblewrap")

    assert "bubblewrap" not in report["environment"]["isolation"]
    assert report["score"] == report["max_score"]


def test_where_one_layer_may_be_absent_every_other_is_required(grade: Grade) -> None:
    without = [word for layer in ("bubblewrap", "seccomp") for word in ("--without-layer", layer)]

    done = grade(*RUN, "--allow-without", "bubblewrap", *without)

    assert (done.returncode, done.stderr.splitlines()[0]) == (6, REFUSAL.format("seccomp"))


def test_to_allow_one_layers_absence_and_every_layers_is_a_contradiction(grade: Grade) -> None:
    done = grade(*RUN, "--allow-without", "bubblewrap", "--allow-unsandboxed")

    assert done.returncode == 2
    assert "give one of them" in done.stderr


def test_with_every_layer_nothing_is_refused(report_of: Callable[..., dict[str, Any]]) -> None:
    report = report_of(*RUN[1:], "--require-sandbox")

    assert report["environment"]["isolation"] == list(LAYERS)
    assert not [note for note in report["notes"] if "sandbox" in note]


@pytest.mark.parametrize("layer", every_time(["bubblewrap"], LEFT_OUT))
def test_elsewhere_it_is_graded_and_the_report_says_what_was_missing(
    layer: str, report_of: Callable[..., dict[str, Any]]
) -> None:
    report = report_of(*RUN[1:], "--without-layer", layer)

    assert report["environment"]["isolation"] == [other for other in LAYERS if other != layer]
    assert f"the sandbox lacks {layer} here; `grade doctor` says how to get it" in report["notes"]
    assert report["score"] == report["max_score"]


def test_a_report_for_people_says_that_the_sandbox_is_not_whole(grade: Grade) -> None:
    done = grade(*RUN, "--without-layer", "landlock")

    assert done.returncode == 0
    assert " · sandbox partial · " in done.stdout
    assert "The sandbox lacks landlock here" in done.stdout


@ci("true", "1", "TRUE", "yes", "woodpecker")
def test_in_ci_it_is_refused_unless_told_otherwise(value: str, grade: Grade) -> None:
    done = grade(*RUN, "--without-layer", "seccomp", CI=value)

    assert (done.returncode, done.stdout) == (6, "")
    assert done.stderr.splitlines()[0] == REFUSAL.format("seccomp")


def test_in_ci_it_is_graded_where_that_is_allowed(report_of: Callable[..., dict[str, Any]]) -> None:
    report = report_of(*RUN[1:], "--without-layer", "seccomp", "--allow-unsandboxed", CI="true")

    assert report["score"] == report["max_score"]
    assert "seccomp" not in report["environment"]["isolation"]


@ci("false", "0", "", "False", "no")
def test_what_is_no_ci_requires_nothing(value: str, grade: Grade) -> None:
    assert grade(*RUN, "--without-layer", "seccomp", CI=value).returncode == 0


def test_a_layer_that_there_is_none_of_is_wrong_usage(grade: Grade) -> None:
    assert grade(*RUN, "--without-layer", "armour").returncode == 2


def test_leaving_layers_out_is_not_advertised(grade: Grade) -> None:
    said = grade("run", "--help").stdout

    assert "--require-sandbox" in said
    assert "--without-layer" not in said


# A machine without bubblewrap.


@pytest.fixture
def path_without_bubblewrap(tmp_path: Path) -> str:
    """A PATH with every program of this one's folders but bubblewrap."""
    for folder in os.environ["PATH"].split(os.pathsep):
        for program in Path(folder).glob("*"):
            own = tmp_path / program.name
            if program.name != "bwrap" and not own.is_symlink():
                own.symlink_to(program)
    return str(tmp_path)


def test_the_doctor_says_how_to_get_a_layer_that_is_missing(path_without_bubblewrap: str, grade: Grade) -> None:
    done = grade("doctor", PATH=path_without_bubblewrap)

    assert done.returncode == 0
    assert re.search(r"– bubblewrap +not installed: `apt-get install bubblewrap`", done.stdout)
    sandbox = next(line for line in done.stdout.splitlines() if " sandbox " in line)
    assert "bubblewrap" not in sandbox
    assert "seccomp" in sandbox


def test_a_machine_without_it_grades_for_practice_and_refuses_where_it_counts(
    path_without_bubblewrap: str, grade: Grade
) -> None:
    practice = grade(*RUN, "--format", "json", PATH=path_without_bubblewrap)
    counting = grade(*RUN, "--format", "json", PATH=path_without_bubblewrap, CI="true")

    assert practice.returncode == 0
    assert "bubblewrap" not in json.loads(practice.stdout)["environment"]["isolation"]
    assert (counting.returncode, counting.stdout) == (6, "")
    assert counting.stderr.splitlines()[0] == REFUSAL.format("bubblewrap")
