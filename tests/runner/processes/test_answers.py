"""The same bytes in answer to the same run are read once; what a slip says of them is each process's own."""

from __future__ import annotations

import numpy as np
import pytest

from grader.model.observation import Frame, Observation
from grader.model.run import Call, Run
from grader.runner.processes.answers import LARGEST, Answers
from grader.runner.processes.channel import packed
from grader.wire.frames import MalformedFrame
from grader.wire.observations import Slip, read_slip, write_slip

from ..asking import EX


def run() -> Run:
    return Run((Call("result", module=EX, definition="f"),))


def frame(*values: float) -> bytes:
    shape = {"kind": "tensor", "key": "result", "dtype": "float32", "shape": [len(values)], "device": "cpu"}
    return packed({"returned": {"result": shape}}, {"result": np.array(values, np.float32)})


def slip(line: int = 3, printed: int = 0) -> Slip:
    """A slip as it arrives."""
    return read_slip(write_slip(Slip(1, 0.5, printed, lines={"result": Frame(f"{EX}.py", line, "f")})))


def told(seen: Observation) -> tuple[list[float], int, int]:
    return seen.tensors["result"].tolist(), seen.lines["result"].line, seen.printed


@pytest.fixture
def answers() -> Answers:
    """Room for three answers."""
    return Answers(most=3 * len(frame(1, 2)))


def test_who_computes_the_same_is_seen_to_have_done_the_same(answers: Answers) -> None:
    asked = run()

    first, second = (answers.read(asked, slip(), bytes(bytearray(frame(1, 2)))) for _ in range(2))

    assert first is second
    assert first.digest
    assert told(first) == ([1, 2], 3, 0)


def test_what_a_slip_says_is_of_this_answer_alone(answers: Answers) -> None:
    asked = run()

    each = [answers.read(asked, own, frame(1, 2)) for own in (slip(3), slip(8, printed=5), slip(3))]

    assert [told(seen)[1:] for seen in each] == [(3, 0), (8, 5), (3, 0)]
    assert len({seen.digest for seen in each}) == 1


def test_another_run_or_other_bytes_are_another_answer(answers: Answers) -> None:
    asked = run()
    first = answers.read(asked, slip(), frame(1, 2))
    other = answers.read(asked, slip(), frame(1, 3))

    assert told(other)[0] == [1, 3]
    assert other.digest != first.digest
    assert answers.read(run(), slip(), frame(1, 2)) is not first


def test_numbers_that_others_are_given_as_well_nobody_can_write_to(answers: Answers) -> None:
    seen = answers.read(run(), slip(), frame(1, 2))

    with pytest.raises(ValueError, match="read-only"):
        seen.tensors["result"][0] = 5


def test_what_is_asked_for_over_and_over_stays_and_the_rest_makes_room(answers: Answers) -> None:
    asked = run()
    often, once = (answers.read(asked, slip(), frame(number, 0)) for number in (1, 2))
    for number in range(3, 20):
        answers.read(asked, slip(), frame(number, 0))
        assert answers.read(asked, slip(), frame(1, 0)) is often

    assert answers.read(asked, slip(), frame(2, 0)) is not once


@pytest.mark.parametrize(("count", "keep"), [(LARGEST // 4 + 1, True), (2, False)], ids=["large", "asked of one"])
def test_what_is_large_or_asked_of_one_alone_is_not_kept(count: int, keep: bool) -> None:
    asked, answers, content = run(), Answers(), frame(*[0.0] * count)

    first, second = (answers.read(asked, slip(), content, keep=keep) for _ in range(2))

    assert first is not second
    assert first.digest == second.digest == b""


def test_what_cannot_be_believed_is_refused_each_time(answers: Answers) -> None:
    asked = run()
    foreign = packed({"returned": {"result": {"kind": "none"}}}, {"other": np.zeros(1, np.float32)})

    for _ in range(2):
        with pytest.raises(MalformedFrame):
            answers.read(asked, slip(), foreign)
