"""What is right is judged once for the same bytes; everything else is judged each time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model.check import RIGHT, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.run import OWN, Run, World
from grader.verdict.found_before import MOST_KEPT, found
from grader.words import speaking

from ..judge.hand_made import question

ASKED = question("output", {"x": 1})
SEEN = Observation(digest=b"the same")


class Judge:
    """Counts how often it is asked."""

    def __init__(self, finding: Finding = RIGHT) -> None:
        self.finding, self.times = finding, 0

    def __call__(self) -> Finding:
        self.times += 1
        return self.finding


def test_the_same_answer_to_the_same_run_is_judged_once() -> None:
    run, judge = Run(()), Judge(Finding(True, notes=("accepted",)))

    findings = [found(ASKED, run, Observation(digest=bytes(bytearray(b"the same"))), OWN, judge) for _ in range(3)]

    assert judge.times == 1
    assert {finding.notes for finding in findings} == {("accepted",)}


@pytest.mark.parametrize(
    "other",
    [
        {"run": Run(())},
        {"seen": Observation(digest=b"another")},
        {"world": World(frozenset({"ex11"}), "ex12")},
        {"question": replace(ASKED, device="cuda")},
        {"question": replace(ASKED, dtype="float16")},
        {"question": replace(ASKED, step=replace(ASKED.step, id="ex10.bias"))},
    ],
    ids=["run", "bytes", "world", "device", "type", "step"],
)
def test_what_differs_in_anything_is_judged_by_itself(other: dict[str, object]) -> None:
    first, second = Judge(), Judge(wrong("no"))
    given: dict[str, object] = {"question": ASKED, "run": Run(()), "seen": SEEN, "world": OWN}
    found(**given, judge=first)  # type: ignore[arg-type]

    assert not found(**given | other, judge=second).right  # type: ignore[arg-type]


def test_what_was_accepted_is_told_in_each_language() -> None:
    run = Run(())
    english, german = Judge(Finding(True, notes=("accepted",))), Judge(Finding(True, notes=("angenommen",)))

    found(ASKED, run, SEEN, OWN, english)
    with speaking("de"):
        assert found(ASKED, run, SEEN, OWN, german).notes == ("angenommen",)
    assert found(ASKED, run, SEEN, OWN, german).notes == ("accepted",)


@pytest.mark.parametrize(("seen", "finding"), [(SEEN, wrong("no")), (Observation(), RIGHT)], ids=["wrong", "unknown"])
def test_what_is_wrong_or_was_not_kept_is_judged_each_time(seen: Observation, finding: Finding) -> None:
    run, judge = Run(()), Judge(finding)

    for _ in range(2):
        found(ASKED, run, seen, OWN, judge)

    assert judge.times == 2


def test_what_is_kept_of_a_run_is_bounded() -> None:
    run, judge = Run(()), Judge()

    for number in range(2 * MOST_KEPT):
        found(ASKED, run, Observation(digest=bytes([number])), OWN, judge)
    found(ASKED, run, Observation(digest=bytes([0])), OWN, judge)

    assert judge.times == 2 * MOST_KEPT + 1


def test_a_question_names_what_its_finding_rests_on() -> None:
    """A field that is added to a question either follows from the run or belongs into what is known."""
    assert list(Question.__slots__) == ["exercise", "step", "case", "device", "dtype", "naming", "loaded"]
