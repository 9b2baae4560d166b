"""How results come: whole, in a tuple, stacked, or in pieces where one tensor is due; and what to compare with what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from grader.model.observation import Returned
from grader.words import say


def unwrapped(got: Returned, want: Returned) -> tuple[Returned, tuple[str, ...]]:
    """Accept `(context, weights)` where one tensor is due: the first item is judged."""
    if got.kind == "sequence" and want.kind == "tensor" and got.items and got.items[0].kind == "tensor":
        beside = got.length - 1
        return got.items[0], (say("judge.further-values", count=beside),) if beside else ()
    return got, ()


def is_stacked(got: Returned, want: Returned) -> bool:
    """Whether one tensor is returned that unpacks into the tensors of the tuple that is due."""
    if got.kind != "tensor" or want.kind != "sequence" or any(item.kind != "tensor" for item in want.items):
        return False
    shapes = {item.shape for item in want.items}
    return len(shapes) == 1 and got.shape == (len(want.items), *shapes.pop())


def unstacked(got: Returned, array: Any) -> tuple[Returned, dict[str, Any]]:
    """A tensor as the tuple of its slices along the first axis."""
    slices = {f"{got.key}.{number}": part for number, part in enumerate(array)}
    items = tuple(replace(got, key=key, shape=got.shape[1:]) for key in slices)
    return Returned("sequence", type="tuple", items=items), slices


def is_of_rows(got: Returned, want: Returned) -> bool:
    """Whether what is returned is a list of a tensor's rows rather than the tensor, or it and something more."""
    if got.kind != "sequence" or want.kind != "tensor" or not want.shape or not got.items:
        return False
    return all(item.kind == "tensor" and item.shape == want.shape[1:] != want.shape for item in got.items)


def is_unjoined(got: Returned, want: Returned) -> bool:
    """Whether a list of tensors is returned, as of several heads, none of which is the one that is due."""
    if got.kind != "sequence" or got.type != "list" or want.kind != "tensor" or len(got.items) < 2:
        return False
    return all(item.kind == "tensor" and item.shape == got.items[0].shape != want.shape for item in got.items)


def is_repeated(got: Returned, want: Returned) -> bool:
    """Whether a list holds a tensor of the shape that is due again and again, as where each row is the whole."""
    if got.kind != "sequence" or got.type != "list" or want.kind != "tensor" or len(got.items) < 2:
        return False
    return all(item.kind == "tensor" and item.shape == want.shape for item in got.items)


def pairs(got: Returned, want: Returned) -> Iterator[tuple[Returned, Returned, str]]:
    """What to compare with what: the result itself, or each item of a tuple."""
    yield got, want, ""
    if got.kind == want.kind == "sequence" and len(got.items) == len(want.items):
        for number, (g, w) in enumerate(zip(got.items, want.items, strict=True), 1):
            yield g, w, say("judge.result", number=number, total=len(want.items))
