"""How an array goes into a slot: as it is, on its side, or with an axis of its own for the heads."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from grader.judge.binding.renamed import Shape
from grader.model.observation import Slot
from grader.words import say

# Layers of torch's own, whose weights are (out, in).
LAYERS = ("Linear", "LazyLinear", "NonDynamicallyQuantizableLinear")


class Unbound(Exception):
    """The student's module has no place for some weight. The message says what was found and what was expected.

    missing: the names of weights that nothing in the module is called like.
    """

    def __init__(self, said: str, missing: Sequence[str] = ()) -> None:
        super().__init__(said)
        self.missing = tuple(missing)


def fitted(name: str, array: Any, slot: Slot, num_heads: int = 1) -> list[Any]:
    """The ways in which a slot may hold an array, the likeliest first; two where its shape does not say which it is.

    Raises Unbound where there is none.
    """
    found = list(itertools.islice(_fitting(name, array, slot, num_heads), 2))
    if not found:
        raise Unbound(say("judge.slot-shape", slot=slot.name, shape=slot.shape, expected=array.shape))
    return found


def fits(name: str, array: Any, slot: Slot, num_heads: int = 1) -> bool:
    """Whether a slot may hold an array."""
    return next(_fitting(name, array, slot, num_heads), None) is not None


def _fitting(name: str, array: Any, slot: Slot, num_heads: int) -> Iterator[Any]:
    """Transposed where a bare parameter stands for a Linear, or the other way; torch's own layers say how they lie.

    Axes of one entry make no difference: those of a bias that is added by hand, or of a convolution over one token.
    """
    shape = long_axes(slot.shape)
    is_turned = name.endswith(".weight") is not slot.name.endswith(".weight")
    ways = (array.T, array) if is_turned else (array, array.T)
    whole = [way for way in ways if way.shape in (slot.shape, shape)]
    is_either_way = array.ndim == 2 and array.shape == slot.shape == array.shape[::-1] and slot.owner not in LAYERS
    for way in whole if is_either_way else whole[:1]:
        yield np.ascontiguousarray(way if way.shape == slot.shape else way.reshape(slot.shape))
    if array.ndim == 2 and shape == (array.size,):  # one that is given its shape in `forward`
        for way in ways:
            yield np.ascontiguousarray(way).reshape(slot.shape)
    for split in _with_heads(array, num_heads) if len(shape) == array.ndim + 1 else ():
        for axes in itertools.permutations(range(split.ndim)):
            if (way := split.transpose(axes)).shape == shape:
                yield np.ascontiguousarray(way.reshape(slot.shape))


def _with_heads(array: Any, num_heads: int) -> Iterator[Any]:
    """An array with an axis cut in two, heads and what each has; first what goes in, as out_proj takes it from them."""
    for axis in reversed(range(array.ndim)):
        before, size, behind = array.shape[:axis], array.shape[axis], array.shape[axis + 1 :]
        if num_heads > 1 and size % num_heads == 0:
            yield array.reshape(*before, num_heads, size // num_heads, *behind)


def long_axes(shape: Shape) -> Shape:
    """A shape without its axes of one entry."""
    return tuple(size for size in shape if size != 1)
