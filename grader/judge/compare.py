"""Compares what a solution returned with what the reference gave: kind, shape, type, device, pattern, then values.

The first of these that differs is told, with numbers. Nothing is ever broadcast, and NaN equals nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from grader.judge import packing
from grader.model.case import Expected
from grader.model.check import RIGHT, Finding, Question, wrong
from grader.model.observation import Observation, Returned
from grader.words import say

# A right answer may add in another order than the reference does. Over every accepted alternative of the pack and
# twenty seeds none erred by more than 1.2 times the floor; four leaves room for styles nobody has thought of.
TOLERANCE_FACTOR = 4.0
# No floor below a few units in the last place: a reference that is exact by luck must not ask the same of others.
EPSILON = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}
LEAST_FLOOR_UNITS = 4.0
# Relative to the largest value: what is no further off looks right to who rounds it.
NEARLY = 1e-3
# The lowest finite number of a type that ends before a rubric's `minus_infinity` may.
LOWEST = {"float16": -65504.0}
# Below this a score of the reference's, or of a solution's, stands for minus infinity.
HIDDEN = -1e8


def returned(
    question: Question,
    name: str,
    seen: Observation,
    expected: Expected,
    *,
    minus_infinity: float | None = None,
) -> Finding:
    """Whether the result called `name` is what the reference returned.

    minus_infinity: values at or below it count as minus infinity.
    """
    want, floors = expected.observation, expected.floors
    got, wanted = seen.returned.get(name), want.returned[name]
    if got is None:
        return wrong(say("judge.nothing-back"))
    if said := _packed_otherwise(got, wanted):
        return wrong(_on(question, said))
    is_one_of_many = got.kind == "sequence" and wanted.kind == "tensor"
    got, notes = packing.unwrapped(got, wanted)
    tensors = seen.tensors
    if packing.is_stacked(got, wanted) and (array := tensors.get(got.key)) is not None:
        got, tensors = packing.unstacked(got, array)
        notes += (say("judge.stacked", count=len(got.items)),)
    for g, w, label in packing.pairs(got, wanted):
        finding = _form(question, g, w, label)
        if not finding.right:
            return replace(finding, notes=(*finding.notes, *notes)) if is_one_of_many else finding
        notes += finding.notes
        if w.kind == "number" and g.number != w.number:
            number, due = shown_apart(g.number, w.number)
            return wrong(_on(question, say("judge.number", got=number, expected=due), label))
        if w.kind != "tensor":
            continue
        value = np.float64(g.number) if g.kind == "number" else tensors.get(g.key)
        if value is None:
            return wrong(label + say("judge.unreadable"))
        expected = want.tensors[w.key]
        if minus_infinity is not None:
            threshold = max(minus_infinity, LOWEST.get(question.dtype, -np.inf))
            value, note = _as_infinity(np.asarray(value, np.float64), expected, threshold)
            notes += note
        finding = values(question, value, expected, floors.get(w.key, 0.0), label)
        if not finding.right:
            return finding
    return Finding(True, notes=tuple(dict.fromkeys(notes)))


def _packed_otherwise(got: Returned, wanted: Returned) -> str:
    """What is said of a tensor that came as its rows, or in pieces that nobody joined; "" for none."""
    if packing.is_of_rows(got, wanted):
        return say("judge.rows", type=got.type, shape=wanted.shape)
    if packing.is_unjoined(got, wanted):
        return say("judge.unjoined", count=got.length, shape=got.items[0].shape, expected=wanted.shape)
    return ""


def values(question: Question, got: Any, expected: Any, floor: float = 0.0, label: str = "") -> Finding:
    """Whether an array of the right shape holds the right values. floor: relative to the largest expected value."""
    if expected.dtype.kind in "biu":
        return _exact(question, got, expected, label)
    got, expected = np.asarray(got, np.float64), np.asarray(expected, np.float64)
    allowed = tolerance(question, expected, floor)
    finite = np.isfinite(expected)
    if finite.all() and np.isfinite(got).all():  # as nearly always
        error = np.abs(got - expected)
    elif pattern := _pattern(got, expected):
        return wrong(_on(question, pattern, label))
    else:
        error = np.abs(np.where(finite, got, 0.0) - np.where(finite, expected, 0.0))
    if bool(np.all(error <= allowed)):
        return RIGHT
    found = wrong(_on(question, _worst(question, got, expected, error, allowed), label))
    return replace(found, nearly=_how_near(question, expected[finite], float(error.max()), allowed))


def tolerance(question: Question, expected: Any, floor: float) -> float:
    """How far a right answer may be off, in the units of the values: a multiple of the reference's own noise."""
    finite = np.abs(expected[np.isfinite(expected)])
    scale = float(finite.max()) if finite.size else 0.0
    if question.case.template.relative is not None:
        return question.case.template.relative * scale
    least = LEAST_FLOOR_UNITS * EPSILON[question.dtype]
    return TOLERANCE_FACTOR * max(floor, least) * (scale or 1.0)


def _how_near(question: Question, expected: Any, error: float, allowed: float) -> str:
    """How near is near enough, where a result is nearly right: of what is far off nobody asks."""
    if not question.case.is_public or error > NEARLY * float(np.abs(expected).max(initial=0.0)):
        return ""
    step = 10.0 ** math.floor(math.log10(allowed)) if allowed > 0 else 1.0
    return say("judge.nearly", error=f"{error:.2g}", allowed=f"{math.floor(allowed / step) * step:.1g}")


def rounded(array: Any, dtype: str) -> Any:
    """An array as a solution is given it: its floating-point numbers in a type, whole numbers and truth values kept."""
    if array.dtype.kind != "f":
        return array
    if dtype != "bfloat16":
        return array.astype(dtype)
    # numpy has no bfloat16: the upper half of a float32, rounded to the nearest, a tie to the even one.
    bits = np.asarray(array, np.float32).view(np.uint32)
    half = np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    return ((bits + half) & np.uint32(0xFFFF0000)).view(np.float32)


def lifeless(array: Any) -> bool:
    """Whether an array is the same everywhere or not finite: nothing was computed that could be judged."""
    flat = np.asarray(array).reshape(-1)
    return flat.size == 0 or not bool(np.all(np.isfinite(flat))) or bool(np.all(flat == flat[0]))


def tensor(seen: Observation, name: str) -> Any:
    """The array of a result that is one tensor, or the first tensor of several; None where there is none."""
    result = seen.returned.get(name)
    while result is not None and result.kind == "sequence" and result.items:
        result = result.items[0]
    return seen.tensors.get(result.key) if result is not None and result.kind == "tensor" else None


def changed_inputs(seen: Observation, question: Question, *, by_shape: bool = False) -> list[str]:
    """The inputs that were written to, of those that a run sent back afterwards.

    by_shape: whether only another shape counts, and not other numbers.
    """
    return [
        name
        for name, before, after in sent_back(seen, question)
        if after is not None and (after.shape != before.shape or not (by_shape or np.array_equal(after, before)))
    ]


def sent_back(seen: Observation, question: Question) -> Iterator[tuple[str, Any, Any]]:
    """Each input by its name, as a solution is given it, and as a run sent it back; None where it did not."""
    for name, array in question.case.inputs.items():
        yield name, rounded(array, question.dtype), seen.tensors.get(f"sent.{name}")


def shown(value: float) -> str:
    """A number with four digits that count."""
    return f"{value:.4g}"


def shown_apart(one: float, other: float) -> tuple[str, str]:
    """Two numbers with as many digits as it takes to tell them apart, four at the least."""
    both = [(f"{one:.{digits}g}", f"{other:.{digits}g}") for digits in range(4, 18)]
    return next((pair for pair in both if pair[0] != pair[1]), both[0])


def _form(question: Question, got: Returned, want: Returned, label: str) -> Finding:
    """Kind, number of items, shape, dtype and device, in this order."""

    def no(said: str, mistake: str = "") -> Finding:
        return wrong(_on(question, said, label), mistake)

    if want.kind == "sequence":
        if got.kind != "sequence" or len(got.items) != len(want.items):
            mistake = "returns-none" if got.kind == "none" else ""
            return no(say("judge.no-tuple", got=kind(got), count=len(want.items)), mistake)
        return RIGHT if got.type == "tuple" else Finding(True, notes=(say("judge.for-tuple", type=got.type),))
    if want.kind == "none":
        return RIGHT
    if want.kind == "number":
        return RIGHT if got.kind == "number" else no(say("judge.no-number", got=kind(got)))
    if got.kind == "number" and want.shape == ():
        return Finding(True, notes=(say("judge.for-scalar", type=got.type),))
    if got.kind != "tensor":
        mistake = "returns-none" if got.kind == "none" else ""
        return no(_no_tensor(got, want), mistake)
    if got.shape != want.shape:
        return no(say("judge.shape", got=got.shape, expected=want.shape))
    dtype = question.dtype if want.dtype == "float64" else want.dtype
    if got.dtype != dtype:
        return no(another_type(got.dtype, dtype))
    given = [*question.case.inputs.values(), *question.case.weights.values()]
    has_a_device = any(array.ndim > 0 for array in given)  # numbers alone say nothing of where to compute
    if has_a_device and got.device != question.device:
        return no(say("judge.device", got=got.device, expected=question.device))
    return RIGHT


def another_type(got: str, expected: str) -> str:
    """What is said of a tensor of another type, with a way out where floats are expected, which the inputs are too."""
    return say("judge.float-type" if "float" in expected else "judge.dtype", got=got, expected=expected)


def _no_tensor(got: Returned, want: Returned) -> str:
    """What is said of a result that is no tensor, with the way to one where there is one."""
    if got.type == "numpy.ndarray":
        return say("judge.of-numpy", got=kind(got), shape=want.shape)
    of_its_axis = "number" if len(want.shape) == 1 else "sequence"
    if got.items and want.shape[:1] == (got.length,) and {item.kind for item in got.items} == {of_its_axis}:
        return say("judge.of-numbers", got=kind(got), shape=want.shape)
    return say("judge.no-tensor", got=kind(got), shape=want.shape)


def described(seen: Observation, name: str) -> str:
    """What a call returned, in words."""
    return kind(seen.returned[name]) if name in seen.returned else say("judge.kind.nothing")


def are_floats(*arrays: Any) -> bool:
    """Whether these are all arrays of floating-point numbers."""
    return all(array is not None and array.dtype.kind == "f" for array in arrays)


def no_floats(seen: Observation, name: str) -> str:
    """What is said of a call that did not return a tensor of floating-point numbers."""
    got = seen.returned.get(name)
    if got is not None and got.kind == "tensor":
        return say("check.no-floats", got=say("judge.kind.of-type", type=got.dtype))
    return say("check.no-floats", got=described(seen, name))


def nothing(seen: Observation, *names: str) -> str:
    """The mistake where one of these calls returned None."""
    is_none = any(name in seen.returned and seen.returned[name].kind == "none" for name in names)
    return "returns-none" if is_none else ""


def kind(got: Returned) -> str:
    """A returned object in words."""
    if got.kind == "none":
        return "None"
    if got.kind == "sequence":
        return say("judge.kind.sequence", type=got.type, length=got.length)
    if got.kind == "tensor":
        return say("judge.kind.tensor", shape=got.shape)
    return say("judge.kind.other", type=got.type)


def _exact(question: Question, got: Any, expected: Any, label: str) -> Finding:
    different = np.asarray(got) != expected
    if not bool(different.any()):
        return RIGHT
    count, total = int(different.sum()), different.size
    index = tuple(int(i) for i in np.argwhere(different)[0])
    of_all = say("judge.of-elements", count=total)
    if not question.case.is_public:
        return wrong(_on(question, say("judge.differ", number=count, of_all=of_all), label))
    pair = {"place": list(index), "got": got[index], "expected": expected[index]}
    return wrong(_on(question, say("judge.differ-first", number=count, of_all=of_all, **pair), label))


def no_numbers(got: Any) -> str:
    """How many elements are NaN; empty where none is."""
    nan = int(np.isnan(got).sum()) if got.dtype.kind == "f" else 0
    return say("judge.nan", count=nan, of_all=say("judge.of-elements", count=got.size)) if nan else ""


def _pattern(got: Any, expected: Any) -> str:
    """What is wrong with NaN and infinities; empty where they are as expected."""
    if np.isnan(expected).any():
        return say("judge.expects-nan")
    if nan := no_numbers(got):
        return nan
    for sign, name in ((-np.inf, "-inf"), (np.inf, "inf")):
        unexpected, missing = (got == sign) & (expected != sign), (got != sign) & (expected == sign)
        if unexpected.any():
            return say("judge.infinite", count=int(unexpected.sum()), infinity=name)
        if missing.any():
            return say("judge.not-infinite", count=int(missing.sum()), infinity=name)
    return ""


def _worst(question: Question, got: Any, expected: Any, error: Any, allowed: float) -> str:
    count = say("judge.off", count=int((error > allowed).sum()), of_all=say("judge.of-values", count=error.size))
    if not question.case.is_public:  # a fresh case's values would be a table to copy from
        return count
    index = tuple(int(i) for i in np.unravel_index(int(error.argmax()), error.shape))
    pair = dict(zip(("got", "expected"), shown_apart(float(got[index]), float(expected[index])), strict=True))
    if not index:
        return say("judge.worst", said=count, **pair)
    return say("judge.worst-at", said=count, place=list(index), **pair)


def _as_infinity(got: Any, expected: Any, threshold: float) -> tuple[Any, tuple[str, ...]]:
    """Read very negative finite numbers as minus infinity where it is expected: softmax makes both exactly zero."""
    stands_for = np.isfinite(got) & (got <= threshold) & np.isneginf(expected)
    if not stands_for.any():
        return got, ()
    note = say("judge.stands-for-infinity", value=shown(float(got[stands_for].flat[0])))
    return np.where(stands_for, -np.inf, got), (note,)


def _on(question: Question, said: str, label: str = "") -> str:
    """What was seen, with the case it was seen on. label: what it was seen of, to stand in front."""
    case = question.case
    if case.is_public:
        return say("judge.on-case", said=label + said, case=case.name)
    return say("judge.on-fresh", said=label + said, case=case.name)
