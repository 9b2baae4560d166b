"""A class that takes the width of what goes in for that of what comes out, as it is made or as it cuts."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator

from grader.diagnosis.clues.batch import UNPACKED, Axes, axes_given
from grader.diagnosis.clues.heads import CUT, HEADS
from grader.diagnosis.places.shapes import whole_shape
from grader.diagnosis.places.statements import Told, methods, nodes_asked
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.source.used import nodes_of
from grader.model.observation import Fault
from grader.model.syntax import positional, walk
from grader.model.text import clean
from grader.words import say

VIEWS, PARTS = ("view", "reshape"), "split"
NOT_MULTIPLIED = "mat1 and mat2 shapes cannot be multiplied"
MADE_OF_WIDTHS = {"Linear", "rand", "randn", "empty", "zeros", "ones"}
OF_WHAT_GOES_IN = "d_in"


def width_of_the_input(fault: Fault, tree: ast.Module, of: str, axes: Axes) -> Told | None:
    """What to say where a cut that failed takes the input's last axis, `B, T, C = x.shape`, for the result's width.

    A view has to fit once that size is another; of parts there are too many or too few. axes: of the inputs, by the
    exercise's names.
    """
    found = CUT.search(fault.message)
    if not (found or UNPACKED.search(fault.message)) or not fault.frames:
        return None
    line = fault.frames[-1].line
    for given, due, kept in _widths(tree, of):
        for name in _called(tree, of, axes):
            for call in (node for node in nodes_of(tree, of) if isinstance(node, ast.Call)):
                sizes = _sizes(call, is_a_view=bool(found)) if call.lineno <= line <= (call.end_lineno or line) else []
                at = next((n for n, size in enumerate(sizes) if _is_of(size, name)), None)
                if at is None or (found and not _fits_otherwise(found, len(sizes), at)):
                    continue
                size = sizes[at]
                if isinstance(size, ast.BinOp):
                    right = clean(f"{kept or due} // {written(size.right)}", 80)
                    return say("judge.heads-of-the-input", code=short(size), due=right), 0
                parts = {"code": name, "given": given, "due": kept or due}
                return say("judge.width-of-the-input", **{key: clean(each, 60) for key, each in parts.items()}), 0
    return None


def _widths(tree: ast.Module, of: str) -> Iterator[tuple[str, str, str]]:
    """What a class of several heads calls the two widths that it is made with, and the attribute that keeps the second.

    "" where none does.
    """
    for init in methods(tree, of, "__init__"):
        names = positional(init)[1:]
        if not any(map(HEADS.fullmatch, names)):
            continue
        given, due = names[:2]
        kept = [
            written(node.targets[0])
            for node in walk(init)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id == due
        ]
        yield given, due, next((each for each in kept if each.startswith("self.")), "")


def _called(tree: ast.Module, of: str, axes: Axes) -> Iterator[str]:
    """The variables that `forward` gives the last size of the input, and no other value."""
    named = axes_given(tree, of, axes)
    nodes = [*nodes_asked(tree, of)]
    stored = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    for node in nodes:
        match node:
            case ast.Assign([ast.Tuple([*_, ast.Name(name)] as targets)], value) if stored.count(name) == 1:
                own = named.get(whole_shape(value), ())
                if len(targets) == len(own) and own[-1] == OF_WHAT_GOES_IN:
                    yield name


def _sizes(call: ast.Call, *, is_a_view: bool) -> list[ast.expr]:
    """The sizes that a view cuts into, or else that of the parts into which something is split."""
    match call:
        case ast.Call(ast.Attribute(attr=name), [ast.Tuple(sizes)] | [*sizes]) if is_a_view and name in VIEWS:
            return sizes
        case ast.Call(ast.Attribute(attr=name), [size, *_]) if not is_a_view and name == PARTS:
            return [size]
        case _:
            return []


def _is_of(size: ast.expr, name: str) -> bool:
    """Whether a size is that of a variable, or what each head has of it."""
    match size:
        case ast.Name(own):
            return own == name
        case ast.BinOp(ast.Name(own), ast.FloorDiv(), heads):
            return own == name and HEADS.fullmatch(written(heads)) is not None
        case _:
            return False


def _fits_otherwise(found: re.Match[str], count: int, at: int) -> bool:
    """Whether a shape that has so many sizes, and does not fit, would do so with another one in this place."""
    shape = [*map(int, found[1].split(","))]
    others = math.prod(shape[:at] + shape[at + 1 :])
    return len(shape) == count and others > 0 and int(found[2]) % others == 0


def widths_turned(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    """What to say where a class has d_out before d_in: itself, or for what the line that failed uses. text: of it."""
    for init in methods(tree, of, "__init__") if fault.message.startswith(NOT_MULTIPLIED) else ():
        given = [each.arg for each in init.args.args[1:3]]
        for target, made in _made_of_widths(init):
            widths = [each.id for each in made.args[:2] if isinstance(each, ast.Name)]
            is_layer = isinstance(made.func, (ast.Name, ast.Attribute)) and written(made.func).endswith("Linear")
            used = rf"self\.{target}\(" if is_layer else rf"(@ |matmul\(\w+, )self\.{target}\b(?!\.)"
            is_used = re.search(used, text) is not None
            if is_used and (given, widths) == (["d_in", "d_out"], ["d_out", "d_in"]):
                return say("judge.widths-turned", code=short(made)), made.lineno
            if is_used and (given, widths) == (["d_out", "d_in"], ["d_in", "d_out"]):
                taken = "__init__(self, d_out, d_in)"
                return say("judge.widths-turned", code=taken), init.lineno
    return None


def _made_of_widths(init: ast.FunctionDef) -> Iterator[tuple[str, ast.Call]]:
    """The attributes that are made of two widths, each with the call that makes it."""
    for node in walk(init):
        match node:
            case ast.Assign([ast.Attribute(ast.Name("self"), target)], value):
                for call in ast.walk(value):
                    match call:
                        case ast.Call(ast.Attribute(attr=name) | ast.Name(name)) if name in MADE_OF_WIDTHS:
                            yield target, call
