"""The same bytes in answer to the same run are read once; what a slip says of them is each process's own."""

from __future__ import annotations

import numpy as np
import pytest

from grader.model.observation import Frame, Observation
from grader.model.run import Call, Run
from grader.runner.processes.answers import LARGEST, MOST_KEPT, answer
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


def test_who_computes_the_same_is_seen_to_have_done_the_same() -> None:
    asked = run()

    first, second = (answer(asked, slip(), bytes(bytearray(frame(1, 2)))) for _ in range(2))

    assert first is second
    assert first.told == frame(1, 2)
    assert told(first) == ([1, 2], 3, 0)


def test_what_a_slip_says_is_of_this_answer_alone() -> None:
    asked = run()

    each = [answer(asked, own, frame(1, 2)) for own in (slip(3), slip(8, printed=5), slip(3))]

    assert [told(seen)[1:] for seen in each] == [(3, 0), (8, 5), (3, 0)]
    assert len({seen.told for seen in each}) == 1


def test_another_run_or_other_bytes_are_another_answer() -> None:
    asked = run()
    first = answer(asked, slip(), frame(1, 2))

    assert told(answer(asked, slip(), frame(1, 3)))[0] == [1, 3]
    assert answer(run(), slip(), frame(1, 2)) is not first


def test_numbers_that_others_are_given_as_well_nobody_can_write_to() -> None:
    seen = answer(run(), slip(), frame(1, 2))

    with pytest.raises(ValueError, match="read-only"):
        seen.tensors["result"][0] = 5


def test_of_many_answers_to_a_run_the_last_few_are_kept_and_none_that_is_large() -> None:
    asked = run()
    often, large = frame(0), frame(*[0.0] * (LARGEST // 4 + 1))
    first = answer(asked, slip(), often)
    for number in range(1, 3 * MOST_KEPT):  # what is asked for over and over stays
        answer(asked, slip(), frame(number))
        assert answer(asked, slip(), often) is first

    once = answer(asked, slip(), large)

    assert answer(asked, slip(), frame(1)).told == frame(1)
    assert answer(asked, slip(), large) is not once
    assert once.told == b""


def test_what_cannot_be_believed_is_refused_each_time() -> None:
    asked = run()
    foreign = packed({"returned": {"result": {"kind": "none"}}}, {"other": np.zeros(1, np.float32)})

    for _ in range(2):
        with pytest.raises(MalformedFrame):
            answer(asked, slip(), foreign)
