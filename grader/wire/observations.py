"""Turns what a worker says into an observation, believing nothing about its form.

An answer is two frames: a slip, which says what is this process's alone, and what was seen. So whoever computes the
same sends the same bytes, and most of a class does.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from grader.model.observation import Fault, Frame, Observation, Returned, Slot, Trace, Traced
from grader.model.run import Action, Call, Gradients, Inspect, Randomness, Send
from grader.wire.frames import ENCODER, MAX_DIMENSIONS, MalformedFrame

Read = TypeVar("Read")
MAX_NAMES = 500
MAX_TEXT = 2000
MAX_DEPTH = 5
# Of a trace: its tensors, and all their numbers. A loop over every token and head of a case stays below.
MAX_TRACED = 1000
MAX_TRACED_VALUES = 1 << 17
MOST_PARENTS = 16
MOST_LINES = 8
MOST_SHAPES, MOST_AXES = 6, 8
# Most of a class begin their definitions at the same lines; what is longer than honest lines are is kept nowhere.
LINES_KEPT, LONGEST_KEPT = 512, 2048


@dataclass(frozen=True, slots=True)
class Slip:
    """What goes before an answer.

    number: of the question, from 1 on. took: seconds. printed: how many bytes the solution wrote meanwhile. spent: on
    the phases of `--profile`. lines: where the definitions that were asked begin, by the names of the actions.
    """

    number: int
    took: float
    printed: int = 0
    spent: Any = None
    lines: Mapping[str, Frame] = field(default_factory=dict)


def write_slip(slip: Slip) -> bytes:
    """A slip's frame: the lines, which are alike for many, apart from what is new each time."""
    new = [slip.number, slip.took, slip.printed, slip.spent]
    return "\n".join((ENCODER.encode(new), ENCODER.encode(slip.lines))).encode()


def read_slip(frame: bytes) -> Slip:
    """The slip of a frame. Raises MalformedFrame for what is none."""
    try:
        new, _, lines = frame.decode().partition("\n")
        number, took, printed, spent = json.loads(new)
        read_lines = _lines if len(lines) <= LONGEST_KEPT else _lines.__wrapped__
        return Slip(_whole(number), _seconds(took), _whole(printed), spent, read_lines(lines))
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise MalformedFrame(f"a slip of another form: {type(error).__name__}") from None


@lru_cache(maxsize=LINES_KEPT)
def _lines(text: str) -> Mapping[str, Frame]:
    """The lines of a slip; of the same text the same. Raises whatever a text of another form makes it raise."""
    return _named(json.loads(text), _frame)


def read_observation(message: Mapping[str, Any], tensors: Mapping[str, Any]) -> Observation:
    """The observation a message describes. Raises MalformedFrame for a message of any other form.

    What is as it is by default may be left out.
    """
    try:
        fault = message.get("fault")
        traces = _named(message.get("traces", {}), lambda value: _named(value, _whole))
        return Observation(
            fault=_fault(fault) if fault is not None else None,
            returned=_named(message.get("returned", {}), lambda value: _returned(value, tensors)),
            refused=_named(message.get("refused", {}), _fault),
            slots=_named(message.get("slots", {}), lambda value: _each(value, _slot)),
            operations=_named(message.get("operations", {}), lambda value: _named(value, _whole)),
            strays=_named(message.get("strays", {}), lambda value: _each(value, _text)),
            written=_named(message.get("written", {}), lambda value: _each(value, _text)),
            traces={name: _trace(stages, name, tensors) for name, stages in traces.items()},
            tensors=tensors,
        )
    except (TypeError, ValueError, KeyError, AttributeError, IndexError, OverflowError, RecursionError) as error:
        raise MalformedFrame(f"an observation of another form: {type(error).__name__}") from None


def check_complete(actions: tuple[Action, ...], seen: Observation) -> None:
    """Raise MalformedFrame unless what was asked for came back, up to the fault where the run stopped, and no more."""
    done = actions if seen.fault is None else actions[: seen.fault.action]
    due = {key for action in actions if isinstance(action, Call) and action.trace for key in _trace_keys(action.name)}
    for action in done:
        match action:
            case Call(name):
                there = name in seen.returned or name in seen.refused
                due |= _keys(seen.returned[name]) if name in seen.returned else set()
            case Inspect():
                there = action.key in seen.slots or (action.may_fail and action.name in seen.refused)
                is_sent = action.values or action.gradients
                due |= {f"{action.key}.{slot.name}" for slot in seen.slots.get(action.key, ()) if is_sent}
            case _:
                there = True
                due |= _sent_by(action)
        if not there:
            raise MalformedFrame(f"no answer to the action {action.verb!r}")
    if foreign := seen.tensors.keys() - due:
        raise MalformedFrame(f"a tensor {min(foreign)[:40]!r} that nobody asked for")


def _keys(result: Returned) -> set[str]:
    """The names of a result's tensors."""
    return {result.key} - {""} | {key for item in result.items for key in _keys(item)}


def _sent_by(action: Action) -> set[str]:
    """The names of the tensors that an action other than a call may send."""
    match action:
        case Gradients(tensors=tensors):
            return {f"{of}.{name}" for name in tensors for of in ("gradient", "first")}
        case Send(tensors=tensors):
            return {f"sent.{name}" for name in tensors}
        case Randomness(name):
            return {f"randomness.{name}"}
        case _:
            return set()


def _named(values: Mapping[str, Any], read: Callable[[Any], Read]) -> dict[str, Read]:
    """What is told by names, each read."""
    if len(values) > MAX_NAMES:
        raise ValueError("too many names")
    return {_text(name): read(value) for name, value in values.items()}


def _each(values: Sequence[Any], read: Callable[[Any], Read]) -> tuple[Read, ...]:
    """As many of a list as may be, each read."""
    return tuple(read(value) for value in values[:MAX_NAMES])


def _fault(value: Mapping[str, Any]) -> Fault:
    return Fault(
        kind=_text(value["kind"]),
        type=_text(value.get("type", "")),
        bases=_each(value.get("bases", ()), _text),
        message=_text(value.get("message", "")),
        frames=_each(value.get("frames", ()), _frame),
        line=_whole(value.get("line", 0)),
        column=_whole(value.get("column", 0)),
        names=_each(value.get("names", ()), _text),
        signature=_text(value.get("signature", "")),
        shapes=tuple(
            (_text(name), tuple(map(_whole, sizes[:MOST_AXES])))
            for name, sizes in value.get("shapes", ())[:MOST_SHAPES]
        ),
        action=_whole(value.get("action", 0)),
    )


def _frame(value: Mapping[str, Any]) -> Frame:
    return Frame(_text(value["file"]), _whole(value["line"]), _text(value["function"]))


def _returned(value: Mapping[str, Any], tensors: Mapping[str, Any], depth: int = 0) -> Returned:
    """A result, whose tensor must be there with the very shape that it claims."""
    if depth > MAX_DEPTH:
        raise ValueError("nested too deeply")
    result = Returned(
        kind=_text(value["kind"]),
        key=_text(value.get("key", "")),
        dtype=_text(value.get("dtype", "")),
        shape=tuple(_whole(size) for size in value.get("shape", ())),
        device=_text(value.get("device", "")),
        type=_text(value.get("type", "")),
        number=float(value.get("number", 0.0)),
        items=_each(value.get("items", ()), lambda item: _returned(item, tensors, depth + 1)),
        further=_whole(value.get("further", 0)),
    )
    if result.key and tensors[result.key].shape != result.shape:
        raise ValueError("a tensor of another shape")
    return result


def _slot(value: Mapping[str, Any]) -> Slot:
    return Slot(
        name=_text(value["name"]),
        shape=tuple(_whole(size) for size in value["shape"]),
        kind=_text(value["kind"]),
        owner=_text(value.get("owner", "")),
        dtype=_text(value.get("dtype", "")),
        trainable=bool(value.get("trainable", False)),
        first=_text(value.get("first", "")),
    )


def _trace_keys(name: str) -> tuple[str, str]:
    """The names of a trace's tensors: its values one after the other, and what they are."""
    return f"trace.{name}.values", f"trace.{name}.made"


def _trace(stages: Mapping[str, int], name: str, tensors: Mapping[str, Any]) -> Trace:
    """A trace of its two tensors: for each value its lines, its shape and its parents, each led by their number."""
    values, described = (tensors[key] for key in _trace_keys(name))
    if values.ndim != 1 or described.ndim != 1 or values.dtype.kind != "f" or described.dtype.kind != "i":
        raise ValueError("a trace of another form")
    numbers = [_whole(number) for number in described.tolist()]
    made: list[Traced] = []
    start = at = 0
    while at < len(numbers):
        lines, at = _list(numbers, at)
        sizes, at = _list(numbers, at)
        parents, at = _list(numbers, at)
        if len(made) == MAX_TRACED or not lines or 0 in sizes or any(parent >= len(made) for parent in parents):
            raise ValueError("too many tensors, or one that is empty, made nowhere, or of later ones")
        if len(sizes) > MAX_DIMENSIONS:  # before they are multiplied
            raise ValueError("too many axes")
        end = start + math.prod(sizes)
        made.append(Traced(lines, values[start:end].reshape(sizes), parents))
        start = end
    if start != values.size or any(number >= len(made) for number in stages.values()):
        raise ValueError("a trace of another size")
    return Trace(tuple(made), stages)


def _list(numbers: list[int], at: int) -> tuple[tuple[int, ...], int]:
    """The numbers of a list that is led by its length, and where the next one begins."""
    end = at + 1 + numbers[at]
    return tuple(numbers[at + 1 : end]), end


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    if value.isascii():
        return value[:MAX_TEXT]
    return value[:MAX_TEXT].encode("utf-8", "replace").decode()  # half of a surrogate pair can be written nowhere


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value < math.inf:
        raise TypeError("no time")
    return float(value)


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**63:
        raise TypeError("no whole number")
    return value
