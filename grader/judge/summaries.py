"""Which of the checks' own sentences a summary is, where more follows from it than its status says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from grader.words import heard

# What is said of a result that has its shape, and is wrong in its numbers or their type alone.
OF_NUMBERS = (
    "judge.worst",
    "judge.worst-at",
    "judge.differ-first",
    "judge.nan",
    "judge.infinite",
    "judge.not-infinite",
    "judge.dtype",
    "judge.float-type",
)
# What is said where a result is not finite, which says nothing of what a module holds.
NOT_FINITE = ("check.state-not-finite", "check.gradient-not-finite")
# What is said of an output that is spoilt, where nothing can be said of what a token sees.
LIFELESS = ("check.lifeless-causality",)
# All that is said where a result is spoilt, of what asks for more than the result.
SPOILT = (*NOT_FINITE, *LIFELESS, "check.nothing-to-drop")
# What is said of a token that sees the ones after it, whatever lets it.
SEES_FUTURE = ("check.sees-future", "check.sees-a-little")
# What is said of dropout that lets nothing through, and of a gradient that comes of nothing.
ALL_DROPPED, NO_PART = ("check.all-dropped", "check.all-exchanged"), ("check.gradient-zero",)
# What is said where p is taken for the share to keep: seen where p is 0, and only where it is not.
EXCHANGED_AT_ZERO = (*ALL_DROPPED, "check.kept-and-infinite-at-zero")
EXCHANGED = (*EXCHANGED_AT_ZERO, "check.share-kept", "check.share-exchanged", "check.share-kept-and-scaled")
# What is said where it is so both in what is dropped and in what the rest is divided by.
OF_BOTH = ("check.kept-and-infinite-at-zero", "check.share-kept-and-scaled")
# What is said of two parameters that are one, whose weights cannot be the two that a result is asked for with.
TIED = ("check.tied", "judge.one-head-for-all")
# What is said of a parameter of another shape.
MISSHAPEN = ("check.slot-shape",)
UNCLEAR = (*NOT_FINITE, "check.state-unclear", "judge.nothing-yet")
# What goes wrong in a call behind the first, whose stages are right.
OF_A_LATER_CALL = ("check.again-wrong", "check.again-broken", "check.fewer-wrong", "check.fewer-broken", "check.shared")
# What is said of a wrong share of what is dropped, or of a wrong choice, which is decided where it is drawn.
OF_SHARES = (
    *EXCHANGED,
    "check.share-dropped",
    "check.same-each-time",
    "check.same-number",
    "check.dropped-together",
    "check.dropped-in-heads",
    "check.drawn-before",
    "check.not-by-chance",
)
# What is said of survivors that are not as large as they are to be.
OF_SURVIVORS = ("check.scaled-otherwise", "check.survivors-not-scaled", "check.infinite-at-zero")
# What is said of dropout that no other result can be to blame for: of a wrong choice, of a division by p, and of random
# numbers that come from elsewhere than they should.
OF_DROPOUT = (
    *EXCHANGED,
    "check.infinite-at-zero",
    "check.dropped-at-zero",
    "check.generator-not-used",
    "check.generator-reseeded",
    "check.global-generator",
    "check.own-generator",
)
# What is said of an output that says nothing of dropout.
NO_DROPOUT_SEEN = ("check.dropout-unclear", "check.dropout-misshapen")
# What is said of a call of several that gave no tensor.
NO_FLOATS = ("check.no-floats", "check.no-tensor")
# What is said of one of several numbers that are handed back.
OF_ONE_NUMBER = (
    "check.number-off",
    "check.number-deviation",
    "check.number-by-root",
    "check.number-exact",
    "check.number-root",
)


def is_said(keys: Sequence[str], summary: str) -> bool:
    """Whether a summary is one of those sentences, which checks begin with a small letter and without a full stop."""
    return any(parts_of(key, summary) is not None for key in keys)


def parts_of(key: str, summary: str) -> Mapping[str, str] | None:
    """What a summary that is this sentence says in its places; None where it is another."""
    return next((found for each in _as_said(summary) if (found := heard(key, each)) is not None), None)


def without_case(summary: str) -> str:
    """What a summary says, without the case that it says it of."""
    found = heard("judge.on-case", summary.removesuffix("."))
    return found["said"] if found is not None else summary


def sizes_of(shape: str) -> list[int]:
    """The sizes of a shape that a summary tells, such as `(4, 6)`."""
    return [int(size) for size in re.findall(r"\d+", shape)]


def number_of(summary: str) -> int:
    """Which of several numbers a summary says is not right, from 1; 0 for none."""
    every = (parts_of(key, summary) for key in OF_ONE_NUMBER)
    return next((int(found["position"]) for found in every if found is not None), 0)


def _as_said(summary: str) -> tuple[str, str]:
    """What a check may have said, by what became of it as a sentence."""
    said = summary.removesuffix(".")
    return said, said[:1].lower() + said[1:]
