"""The shapes of the tensors that a failing expression names, as they were when it failed.

Names and attributes are looked up, and nothing of the solution's is called for it.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator, Mapping
from itertools import islice
from types import FrameType, TracebackType
from typing import Any

import torch
from torch import nn

from grader.model.observation import Shape

MOST, LONGEST_NAME, MOST_AXES = 6, 60, 8
# What is longer nobody writes, and to parse it takes time.
LONGEST = 400
PLAIN = (torch.Tensor, nn.Parameter)


def of_failing(trace: TracebackType) -> tuple[Shape, ...]:
    """Of the expression that failed in a traceback's own frame; none where its source cannot be read."""
    expression = _expression(trace)
    if expression is None:
        return ()
    found = dict(_shapes(expression, trace.tb_frame))
    return tuple((name, shape) for name, shape in found.items() if len(name) <= LONGEST_NAME)[:MOST]


def _expression(trace: TracebackType) -> ast.expr | None:
    """The smallest expression that was being computed."""
    code = trace.tb_frame.f_code
    where = next(islice(code.co_positions(), trace.tb_lasti // 2, None), (None,) * 4)
    first, last, start, end = where
    if first is None or last is None or start is None or end is None:
        return None
    lines = [line.encode() for line in linecache.getlines(code.co_filename)[first - 1 : last]]
    if not lines:
        return None
    lines[-1] = lines[-1][:end]  # before the first is cut: it may be the same one
    lines[0] = lines[0][start:]
    text = b"".join(lines)
    try:
        return ast.parse(b"(" + text + b")", mode="eval").body if len(text) <= LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _shapes(node: ast.AST, frame: FrameType) -> Iterator[Shape]:
    """The tensors that an expression names, in its order; of a linear layer, its weight."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        match _value(node, frame):
            case torch.Tensor() as tensor if type(tensor) in PLAIN:
                yield ast.unparse(node), tuple(tensor.shape)[:MOST_AXES]
                return
            case nn.Linear() as layer:
                weight = vars(layer).get("_parameters", {}).get("weight")
                if type(weight) in PLAIN:
                    yield f"{ast.unparse(node)}.weight", tuple(weight.shape)[:MOST_AXES]
                return
    for inner in ast.iter_child_nodes(node):
        yield from _shapes(inner, frame)


def _value(node: ast.AST, frame: FrameType) -> Any:
    """What a name or an attribute stands for; None where that is not to be had without running anything."""
    match node:
        case ast.Name(name):
            return frame.f_locals.get(name, frame.f_globals.get(name))
        case ast.Attribute(base, name):
            return _held(_value(base, frame), name)
        case _:
            return None


def _held(owner: Any, name: str) -> Any:
    """What an object itself holds under a name; a module also among its parameters, buffers and modules."""
    try:
        own = object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return None
    places = [own, *(own.get(place) for place in ("_parameters", "_buffers", "_modules"))]
    return next((place[name] for place in places if isinstance(place, Mapping) and name in place), None)
