"""Whatever a worker says is read as an observation or refused, and never trips the reader."""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.model.observation import Fault, Frame, Observation, Returned, Slot, Trace
from grader.model.run import Call, Import, Inspect, Make, Send
from grader.wire.frames import MalformedFrame
from grader.wire.observations import (
    LONGEST_KEPT,
    MAX_DEPTH,
    MAX_NAMES,
    MAX_TEXT,
    Slip,
    check_complete,
    read_observation,
    read_slip,
    write_slip,
)

from .test_frames import json_values

FAULT = Fault(
    "exception",
    "Width",
    "no",
    (Frame("ex01.py", 3, "f"),),
    3,
    1,
    ("f", "g"),
    "(x)",
    2,
    (("x", (3, 2)),),
    ("ValueError",),
)
TENSORS = {"result.0": np.ones((2, 3), np.float32)}
ANSWER = Observation(
    fault=FAULT,
    returned={
        "result": Returned(
            "sequence",
            type="tuple",
            items=(
                Returned("tensor", "result.0", "float32", (2, 3), "cpu", "torch.Tensor"),
                Returned("number", type="float", number=0.5),
            ),
        )
    },
    refused={"made": FAULT},
    slots={"module": (Slot("W_query.weight", (2, 3), "parameter", "Linear", "float32", True),)},
    operations={"result": {"mm": 3}},
    strays={"result": ("mask",)},
    written={"result": ("x",)},
    tensors=TENSORS,
)
# What the parent makes itself, what goes beside the message, and what the slip says.
NEVER_SENT = ("ending", "detail", "tensors", "lines", "printed", "digest")
MESSAGE: dict[str, Any] = json.loads(
    json.dumps({key: value for key, value in asdict(ANSWER).items() if key not in NEVER_SENT})
)
NUMBER = {"kind": "number", "key": "", "dtype": "", "shape": [], "device": "", "type": "int", "number": 1, "items": []}


def changed(message: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The message with another value at a path."""
    if not path:
        return value
    copy = list(message) if isinstance(message, list) else dict(message)
    copy[path[0]] = changed(copy[path[0]], path[1:], value)
    return copy


def paths(message: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every part of a message."""
    items = message.items() if isinstance(message, dict) else enumerate(message) if isinstance(message, list) else ()
    return [path, *(deeper for key, value in items for deeper in paths(value, (*path, key)))]


def test_an_observation_arrives_as_it_was_sent() -> None:
    assert read_observation(MESSAGE, TENSORS) == ANSWER


def test_a_message_that_says_nothing_is_an_empty_observation() -> None:
    assert read_observation({}, {}) == Observation()


@given(st.dictionaries(st.sampled_from([*MESSAGE, "other"]), json_values))
def test_any_message_is_read_or_refused(message: dict[str, Any]) -> None:
    with contextlib.suppress(MalformedFrame):
        read_observation(message, {})


@given(st.sampled_from(paths(MESSAGE)[1:]), json_values)
@example(("slots", "module"), {"0": {}})
@example(("strays", "result"), {})
@example(("written", "result"), {})
def test_a_message_with_any_one_part_replaced_is_read_or_refused(path: tuple[Any, ...], value: Any) -> None:
    message = changed(MESSAGE, path, value)

    with contextlib.suppress(MalformedFrame):
        read_observation(message, TENSORS)


def test_a_slip_arrives_as_it_was_written() -> None:
    slip = Slip(3, 0.25, 12, {"run": [0.1, 0.1, 1]}, {"result": Frame("ex01.py", 1, "f")})

    assert read_slip(write_slip(slip)) == slip
    assert read_slip(write_slip(Slip(1, 0.5))) == Slip(1, 0.5)


@given(st.lists(json_values, max_size=5) | json_values, json_values)
@example([1, 0.5, True, None], {})
@example([1, 0.5, -1, None], {})
@example([1, 10**400, 0, None], {})
@example([1, 0.5, 0, None], {"result": {"file": "x", "line": 1, "function": 1}})
def test_any_slip_is_read_or_refused(new: Any, lines: Any) -> None:
    with contextlib.suppress(MalformedFrame):
        read_slip(f"{json.dumps(new)}\n{json.dumps(lines)}".encode())


def test_the_same_lines_are_read_once_and_long_ones_are_not_kept() -> None:
    def slip(function: str) -> Slip:
        return Slip(1, 0.5, lines={"result": Frame("ex01.py", 1, function)})

    once, again = (read_slip(write_slip(slip("f"))) for _ in range(2))
    long, longer = (read_slip(write_slip(slip("f" * LONGEST_KEPT))) for _ in range(2))

    assert once.lines is again.lines
    assert long == longer
    assert long.lines is not longer.lines


def test_a_number_too_large_for_a_float_is_refused() -> None:
    with pytest.raises(MalformedFrame):
        read_observation({"returned": {"result": {**NUMBER, "number": 10**400}}}, {})


def test_a_tensor_that_did_not_come_is_refused() -> None:
    with pytest.raises(MalformedFrame):
        read_observation(MESSAGE, {})


def test_a_tensor_of_another_shape_than_it_claims_is_refused() -> None:
    with pytest.raises(MalformedFrame):
        read_observation(MESSAGE, {"result.0": np.ones((3, 2), np.float32)})


def test_results_nested_without_end_are_refused() -> None:
    nested: dict[str, Any] = NUMBER
    for _ in range(MAX_DEPTH + 1):
        nested = {**NUMBER, "kind": "sequence", "items": [nested]}

    with pytest.raises(MalformedFrame):
        read_observation({"returned": {"result": nested}}, {})


def test_more_results_than_any_run_asks_for_are_refused() -> None:
    with pytest.raises(MalformedFrame):
        read_observation({"returned": {f"r{i}": NUMBER for i in range(MAX_NAMES + 1)}}, {})


def test_text_is_cut_to_a_bound() -> None:
    message = changed(MESSAGE, ("fault", "message"), "x" * (MAX_TEXT + 1))

    fault = read_observation(message, TENSORS).fault

    assert fault is not None
    assert fault.message == "x" * MAX_TEXT


TRACE = {
    "trace.result.values": np.array([1.0, 2.0, 3.0], np.float32),
    "trace.result.made": np.array([2, 4, 7, 1, 2, 0, 1, 9, 0, 1, 0]),
}


def read_trace(values: Any, made: Any, stages: Any = None) -> Trace:
    tensors = {"trace.result.values": np.asarray(values), "trace.result.made": np.asarray(made)}
    return read_observation({"traces": {"result": stages or {}}}, tensors).traces["result"]


def test_a_trace_is_read_tensor_by_tensor() -> None:
    first, second = read_observation({"traces": {"result": {"scores": 1}}}, TRACE).traces["result"].made

    assert (first.lines, first.value.tolist(), first.parents) == ((4, 7), [1.0, 2.0], ())
    assert (second.lines, second.value.tolist(), second.parents) == ((9,), 3.0, (0,))


@pytest.mark.parametrize(
    ("values", "made", "stages"),
    [
        ([1.0], [1, 5, 1, 2, 0], {}),  # fewer values than it claims
        ([1.0, 2.0], [1, 5, 0, 0], {}),  # more
        ([1.0], [1, 5, 0, 1, 0], {}),  # made of itself
        ([1.0], [0, 0, 0], {}),  # made nowhere
        ([], [1, 5, 1, 0, 0], {}),  # empty
        ([1.0], [1, 5, 0], {}),  # cut off
        ([1.0], [1, 5, -1, 0], {}),
        ([1.0], [1, 5, 2**62, 0], {}),
        ([1.0], [1, 5, 2, 2**40, 2**40, 0], {}),
        ([1.0], [1, 5, 140_000, *[2**62] * 140_000, 0], {}),  # of whose product each step takes longer
        ([[1.0]], [1, 5, 0, 0], {}),
        ([1], [1, 5, 0, 0], {}),
        ([1.0], [1.0, 5.0, 0.0, 0.0], {}),
        ([1.0], [1, 5, 0, 0], {"scores": 1}),
        ([1.0] * 1001, [1, 5, 0, 0] * 1001, {}),
    ],
)
@pytest.mark.timeout(20)
def test_a_trace_that_contradicts_itself_is_refused(values: Any, made: Any, stages: Any) -> None:
    with pytest.raises(MalformedFrame):
        read_trace(values, made, stages)


@given(st.lists(st.integers(0, 6), max_size=40), st.integers(0, 12))
def test_any_trace_is_read_or_refused(made: list[int], count: int) -> None:
    with contextlib.suppress(MalformedFrame):
        read_trace(np.zeros(count, np.float32), np.array(made, np.int64))


def test_a_trace_may_come_of_a_call_that_was_to_be_traced_alone() -> None:
    seen = Observation(tensors=TRACE, fault=stopped(0))

    check_complete((Call("result", trace=True),), seen)
    with pytest.raises(MalformedFrame, match="nobody asked for"):
        check_complete((Call("result"),), seen)


ASKED = (Import("ex01"), Make("module", "ex01", "Head"), Inspect("module"), Call("result", of="module"), Send(("x",)))
SLOTS: dict[str, tuple[Slot, ...]] = {"module": ()}


def stopped(at: int) -> Fault:
    return Fault("exception", "ValueError", action=at)


@pytest.mark.parametrize(
    "seen",
    [
        Observation(slots=SLOTS, returned={"result": Returned("none")}),
        Observation(slots=SLOTS, refused={"result": FAULT}),
        Observation(fault=stopped(1)),
        Observation(fault=stopped(3), slots=SLOTS),
    ],
)
def test_an_answer_to_everything_up_to_the_fault_is_whole(seen: Observation) -> None:
    check_complete(ASKED, seen)


@pytest.mark.parametrize(
    "seen",
    [
        Observation(),
        Observation(slots=SLOTS),
        Observation(returned={"result": Returned("none")}),
        Observation(slots=SLOTS, returned={"other": Returned("none")}),
        Observation(fault=stopped(3)),
        Observation(fault=stopped(4), slots=SLOTS),
    ],
)
def test_an_answer_that_leaves_something_out_is_refused(seen: Observation) -> None:
    with pytest.raises(MalformedFrame, match="no answer to the action"):
        check_complete(ASKED, seen)


def test_numbers_of_slots_may_come_where_they_were_asked_for_alone() -> None:
    slot = Slot("W", (2,), "parameter")
    seen = Observation(slots={"after": (slot,)}, tensors={"after.W": np.ones(2)})

    check_complete((Inspect("m", "after", values=True),), seen)
    for actions in ((Inspect("m", "after"),), (Inspect("m", "other", values=True),)):
        with pytest.raises(MalformedFrame):
            check_complete(actions, seen)


def test_what_may_not_be_there_to_be_looked_at_is_told_of_or_refused() -> None:
    refused = Observation(refused={"after": Fault("exception")})

    check_complete((Inspect("W", "after", may_fail=True),), refused)
    with pytest.raises(MalformedFrame):
        check_complete((Inspect("W", "after"),), refused)


def test_what_is_as_it_is_by_default_may_be_left_out() -> None:
    seen = read_observation({"fault": {"kind": "exit"}, "returned": {"result": {"kind": "none"}}}, {})

    assert seen == Observation(fault=Fault("exit"), returned={"result": Returned("none")})


@pytest.mark.parametrize(
    "message",
    [
        {"fault": {"type": "ValueError"}},
        {"fault": {"kind": "exception", "frames": [{"file": "a.py", "line": 1}]}},
        {"returned": {"result": {"type": "None"}}},
        {"slots": {"module": [{"name": "W", "kind": "parameter"}]}},
    ],
)
def test_what_has_no_default_may_not_be_left_out(message: dict[str, Any]) -> None:
    with pytest.raises(MalformedFrame):
        read_observation(message, {})


def test_half_a_surrogate_pair_is_replaced() -> None:
    seen = read_observation({"fault": {**MESSAGE["fault"], "message": "half \ud800 a pair"}}, {})

    assert seen.fault is not None
    assert seen.fault.message == "half ? a pair"
