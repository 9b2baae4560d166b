"""What is said of an exception: where it was raised, or the line that called what is right by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.diagnosis.evidence import Mistake
from grader.model.observation import OTHER_SLOTS, Ending, Fault, Frame, Observation
from grader.model.report import Status
from grader.verdict.examined import Examined, by_way_of

from ..judge.hand_made import EXERCISE, FUNCTION
from .test_examine import examined

FILE = f"{EXERCISE}.py"
OUTER, INNER, DEEP = Frame(FILE, 12, "attend"), Frame(FILE, 7, "softmax"), Frame(FILE, 3, "exponential")
RAISED = Examined(
    Status.ERROR, "ValueError: no.", FILE, 3, 5, frames=(OUTER, INNER, DEEP)
)  # at the line of what was raised


def nothing_has_its_shape(_name: str) -> bool:
    return False


def raising(**parts: object) -> Observation:
    return Observation(fault=Fault("exception", "ValueError", "no", **parts))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("right", "line", "called"),
    [
        ((), 3, ""),  # the innermost may be what is wrong
        (("exponential",), 7, "exponential"),
        (("exponential", "softmax"), 12, "softmax"),
        (("softmax",), 3, ""),  # which is not what raised
    ],
)
def test_what_raised_and_is_right_is_told_of_the_line_that_called_it(
    right: tuple[str, ...], line: int, called: str
) -> None:
    found = by_way_of(RAISED, right, nothing_has_its_shape)

    assert (found.line, found.column) == (line, 0 if called else 5)
    assert found.summary.startswith("ValueError: no")
    assert (f"`{called}`" in found.summary) == bool(called)


def test_where_everything_that_was_called_is_right_the_line_stays() -> None:
    assert by_way_of(RAISED, ["attend", "softmax", "exponential"], nothing_has_its_shape) == RAISED


@pytest.mark.parametrize(
    "raised",
    [
        replace(RAISED, status=Status.FAILED),
        replace(RAISED, mistakes=(Mistake("mask-missing"),)),
        replace(RAISED, frames=()),
        replace(RAISED, line=4),  # another line is told already
        replace(RAISED, frames=(OUTER, INNER, Frame("helpers.py", 3, "exponential"))),
    ],
)
def test_no_line_is_told_but_that_of_an_exception_of_which_nothing_else_is_known(raised: Examined) -> None:
    assert by_way_of(raised, ["exponential"], {"exponential"}.__contains__) == raised


def test_a_function_whose_result_has_its_shape_is_enough_where_sizes_do_not_fit() -> None:
    of_sizes = replace(RAISED, summary="RuntimeError: shapes (2, 3) and (4, 5) cannot be multiplied.")

    asked: list[str] = []

    def has_shape(name: str) -> bool:
        asked.append(name)
        return name == "exponential"

    shaped, right = by_way_of(of_sizes, (), has_shape), by_way_of(of_sizes, ["exponential"], nothing_has_its_shape)
    assert (shaped.line, right.line) == (7, 7)
    assert right.summary != shaped.summary  # of one of them nothing is known but the shape
    assert asked == ["exponential", "softmax"]  # and not whether what called that has its own


def test_nobody_is_asked_for_a_shape_where_what_raised_speaks_of_none() -> None:
    def has_shape(name: str) -> bool:
        raise AssertionError(name)

    assert by_way_of(RAISED, (), has_shape).line == 3
    assert by_way_of(replace(RAISED, status=Status.FAILED), (), has_shape).line == 3


@pytest.mark.parametrize(
    ("seen", "status", "said"),
    [
        (Observation(Ending.CRASHED, detail="it ended by itself"), Status.CRASHED, "ended the whole process"),
        (Observation(Ending.TIMEOUT), Status.TIMEOUT, "was still running after 10 s"),
        (raising(), Status.ERROR, "ValueError: no"),
        (Observation(fault=Fault("exit", "SystemExit")), Status.ERROR, "ends the program (SystemExit)"),
        (Observation(fault=Fault("missing", names=("softmin",))), Status.FAILED, "it has `softmin`"),
        (Observation(fault=Fault("missing")), Status.FAILED, "neither functions nor classes"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_was_not_answered_whole_has_a_status_and_a_sentence(seen: Observation, status: Status, said: str) -> None:
    outcome, _ = examined(lambda run: seen)

    assert outcome.status is status
    assert said in outcome.summary
    assert outcome.question is None


def test_the_stub_s_own_exception_is_work_that_is_not_begun_and_another_s_is_none() -> None:
    fault = Fault("exception", "NotImplementedError", frames=(Frame(FILE, 2, FUNCTION),))
    elsewhere = replace(fault, frames=(Frame("helpers.py", 2, "help"),))

    stub, _ = examined(lambda run: Observation(fault=fault))
    begun, _ = examined(
        lambda run: Observation(fault=fault),
        written=f"def {FUNCTION}(x):\n    raise NotImplementedError\n    y = x * 2\n    return y\n",
    )
    other, _ = examined(lambda run: Observation(fault=elsewhere))

    assert stub.status is Status.UNSTARTED
    assert (begun.status, other.status) == (Status.ERROR, Status.ERROR)
    assert "take it out when your code is complete" in begun.summary


def test_an_exception_is_placed_at_the_student_s_own_line_and_its_frames_are_kept_where_nothing_else_is_known() -> None:
    frames = (Frame(FILE, 2, FUNCTION),)
    outcome, _ = examined(lambda run: raising(frames=frames), written=f"def {FUNCTION}(x):\n    return check(x)\n")

    assert (outcome.file, outcome.line, outcome.ended, outcome.frames) == (FILE, 2, 2, frames)


def test_weights_of_a_module_that_is_made_otherwise_are_no_exception_of_the_student_s() -> None:
    outcome, _ = examined(lambda run: Observation(fault=Fault(OTHER_SLOTS)))

    assert outcome.status is Status.FAILED
