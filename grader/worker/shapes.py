"""The shapes of the tensors that a failing expression names, as they are where it was raised.

Names and attributes are looked up where they are held: no property and no `__getattr__` of a solution is asked.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from types import TracebackType
from typing import Any

import torch
from torch import nn

from grader.model.observation import Shape
from grader.wire.observations import MOST_AXES, MOST_SHAPES

LONGEST_NAME = 60
# What is longer nobody writes, and to parse it takes time.
LONGEST = 400
Sizes = tuple[int, ...]
PLAIN = (torch.Tensor, nn.Parameter)
# What stands for an index that is not known.
UNKNOWN = object()
# What has names of its own, which are not those around it.
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)
SCOPES = (*COMPREHENSIONS, ast.GeneratorExp, ast.Lambda)
# Those whose variables are in the frame around them, and gone from there once they raised, so that the same names are
# what they were before: https://peps.python.org/pep-0709/
INLINED = COMPREHENSIONS if sys.version_info >= (3, 12) else ()
Place = tuple[tuple[int, int], tuple[int, int]]
Names = Mapping[str, Any]


def of_failing(trace: TracebackType) -> tuple[Shape, ...]:
    """Of the expression that failed in a traceback's own frame; none where its source cannot be read."""
    try:
        place = _place(trace)
        if place is None:
            return ()
        lines = linecache.getlines(trace.tb_frame.f_code.co_filename)
        expression = _expression(lines, place)
        found = dict(_shapes(expression, _names(trace, lines, place), is_whole=True)) if expression is not None else {}
    except BaseException:  # of what a hostile solution made of Python's own; its error is told without
        return ()
    few = [(name, shape) for name, shape in found.items() if len(name) <= LONGEST_NAME and len(shape) <= MOST_AXES]
    return tuple(few[:MOST_SHAPES])


def _place(trace: TracebackType) -> Place | None:
    """Where what was being computed begins and ends in its source: lines, and columns in bytes."""
    positions = trace.tb_frame.f_code.co_positions()
    first, last, start, end = next(islice(positions, trace.tb_lasti // 2, None), (None,) * 4)
    if first is None or last is None or start is None or end is None:
        return None
    return (first, start), (last, end)


def _names(trace: TracebackType, lines: list[str], place: Place) -> Names:
    """What a name stands for at a place in a traceback's own frame, where that is still known."""
    frame = trace.tb_frame
    lost = _lost(ast.parse("".join(lines)), place) if INLINED else ()
    names = frame.f_globals | dict(frame.f_locals)
    return {name: value for name, value in names.items() if name not in lost}


def _lost(tree: ast.AST, place: Place) -> set[str]:
    """The variables that are gone of the comprehensions around a place."""
    lost: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Lambda(body=body) if _holds(body, place):
                lost = set()  # it has a frame of its own, and keeps what it has of the one around it
            case ast.GeneratorExp(generators=[first, *_]) if _holds(node, place) and not _holds(first.iter, place):
                lost = set()
            case _ if isinstance(node, INLINED) and _holds(node, place) and not _holds(node.generators[0].iter, place):
                targets = [each.target for each in node.generators]
                lost |= {each.id for one in targets for each in ast.walk(one) if isinstance(each, ast.Name)}
    return lost


def _holds(node: ast.expr, place: Place) -> bool:
    begin, end = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
    return begin <= place[0] and place[1] <= end


def _expression(lines: list[str], place: Place) -> ast.AST | None:
    """The smallest expression, or `+=` and the like, that was being computed."""
    (first, start), (last, end) = place
    encoded = [line.encode() for line in lines[first - 1 : last]]
    if not encoded:
        return None
    encoded[-1] = encoded[-1][:end]  # before the first is cut: it may be the same one
    encoded[0] = encoded[0][start:]
    text = b"".join(encoded)
    if len(text) > LONGEST:
        return None
    try:
        return ast.parse(b"(" + text + b")", mode="eval").body
    except SyntaxError:
        return ast.parse(text)


def _shapes(node: ast.AST, names: Names, *, is_whole: bool = False) -> Iterator[Shape]:
    """The tensors that an expression names, in its order, or the parts of them; of a linear layer, its weight.

    What was made of them by then, turned or multiplied, in place of them. is_whole: whether it is what failed, and not
    a part of that.
    """
    if not is_whole and (made := _made(node, names)) is not None:
        yield ast.unparse(node), made
        return
    if isinstance(node, ast.Subscript) and not is_whole:
        return  # the shape of the whole is not what failed
    if isinstance(node, (ast.Name, ast.Attribute)):
        value = _value(node, names)
        if type(value) in PLAIN:
            yield ast.unparse(node), tuple(value.shape)
            return
        if type(value) is nn.Linear:
            yield f"{ast.unparse(node)}.weight", tuple(value.weight.shape)
            return
    for inner in ast.iter_child_nodes(node) if not isinstance(node, SCOPES) else ():
        yield from _shapes(inner, names)


def _made(node: ast.AST, names: Names) -> Sizes | None:
    """The shape of a part of a tensor, or of one that is turned, or of a product; None where it is not known."""
    match node:
        case ast.Subscript():
            return _part(node, names)
        case ast.Call(ast.Attribute(turned, "transpose"), [one, other], []):
            return _turned(_of(turned, names), _index(one, names), _index(other, names))
        case ast.Attribute(turned, "T" | "mT" as how):
            shape = _of(turned, names)
            return shape if shape is None else shape[::-1] if how == "T" else _turned(shape, -2, -1)
        case ast.BinOp(left, ast.MatMult(), right):
            rows, columns = _of(left, names), _of(right, names)
            if rows is None or columns is None or len(rows) < 2 or len(rows) != len(columns):
                return None
            return (*rows[:-1], columns[-1]) if (rows[:-2], rows[-1]) == (columns[:-2], columns[-2]) else None
        case _:
            return None


def _of(node: ast.AST, names: Names) -> Sizes | None:
    """The shape of a tensor that is named, or made of one that is."""
    value = _value(node, names)
    return tuple(value.shape) if type(value) in PLAIN else _made(node, names)


def _turned(shape: Sizes | None, one: Any, other: Any) -> Sizes | None:
    """A shape with two axes exchanged; None where there are none of these."""
    if shape is None or not {type(one), type(other)} <= {int}:
        return None
    if not all(-len(shape) <= axis < len(shape) for axis in (one, other)):
        return None
    sizes = [*shape]
    sizes[one], sizes[other] = sizes[other], sizes[one]
    return tuple(sizes)


def _part(node: ast.Subscript, names: Names) -> Sizes | None:
    """The shape of a part of a tensor that is named; None where its indices are more than numbers and slices."""
    whole = _value(node.value, names)
    written = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    indices = [_index(each, names) for each in written]
    if type(whole) not in PLAIN or UNKNOWN in indices:
        return None
    return tuple(whole[tuple(indices)].shape)


def _index(node: ast.AST | None, names: Names) -> Any:
    """What an index is, where that is to be had without running anything; else UNKNOWN."""
    match node:
        case None | ast.Constant(None):
            return None
        case ast.Constant(value) if value is Ellipsis or type(value) is int:
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() as value)):
            return -value
        case ast.BinOp(left, ast.Add() | ast.Sub() as sign, right):
            one, other = _index(left, names), _index(right, names)
            if not {type(one), type(other)} <= {int}:
                return UNKNOWN
            return one + other if isinstance(sign, ast.Add) else one - other
        case ast.Slice(lower, upper, step):
            ends = [_index(end, names) for end in (lower, upper, step)]
            return UNKNOWN if UNKNOWN in ends else slice(*ends)
        case ast.Subscript(ast.Attribute(sized, "shape"), axis):
            return _size(_value(sized, names), _index(axis, names))
        case ast.Call(ast.Attribute(sized, "size"), [axis], []):
            return _size(_value(sized, names), _index(axis, names))
        case _:
            value = _value(node, names)
            return value if type(value) is int else UNKNOWN


def _size(sized: Any, axis: Any) -> Any:
    return sized.shape[axis] if type(sized) in PLAIN and type(axis) is int else UNKNOWN


def _value(node: ast.AST, names: Names) -> Any:
    """What a name or an attribute stands for; None where that is not to be had without running anything."""
    match node:
        case ast.Name(name):
            return names.get(name)
        case ast.Attribute(base, name):
            return _held(_value(base, names), name)
        case _:
            return None


def _held(owner: Any, name: str) -> Any:
    """What a module holds under a name, as an attribute, a parameter, a buffer or a module."""
    if not issubclass(type(owner), nn.Module):
        return None
    own = owner.__dict__
    places = [own, *(own.get(place) for place in ("_parameters", "_buffers", "_modules"))]
    return next((place[name] for place in places if type(place) is dict and name in place), None)
