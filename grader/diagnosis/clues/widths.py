"""Widths that are taken for one another: of what goes in, of what comes out, of all heads and of one."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from grader.diagnosis.clues.batch import UNPACKED, Axes, axes_given
from grader.diagnosis.clues.heads import CUTTING, HEAD_COUNT, HEAD_WIDTH, NAMING, sizes_given
from grader.diagnosis.places.shapes import whole_shape
from grader.diagnosis.places.statements import Told, methods, nodes_asked
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.source.used import nodes_of
from grader.model.observation import Fault
from grader.model.syntax import positional, walk
from grader.model.text import clean
from grader.words import say

CUT = re.compile(r"shape '\[(\d+(?:, \d+)*)\]' is invalid for input of size (\d+)")
OF_CUTS = re.compile(r"is invalid for input of size|doesn't multiply up to the size")
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
                    right = clean(f"{kept or f'self.{due}'} // {written(size.right)}", 80)
                    return say("judge.heads-of-the-input", code=short(size), due=right), 0
                code, taken, width = (clean(each, 60) for each in (name, given, kept or due))
                if kept:
                    return say("judge.width-of-the-input", code=code, given=taken, due=width), 0
                return say("judge.width-to-keep", code=code, given=taken, due=width), 0
    return None


def _widths(tree: ast.Module, of: str) -> Iterator[tuple[str, str, str]]:
    """What a class of several heads calls the two widths that it is made with, and the attribute that keeps the second.

    "" where none does.
    """
    for init in methods(tree, of, "__init__"):
        names = positional(init)[1:]
        if not any(map(HEAD_COUNT.fullmatch, names)):
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
            return own == name and HEAD_COUNT.fullmatch(written(heads)) is not None
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


def width_of_a_head(fault: Fault, tree: ast.Module, of: str) -> Told | None:
    """What to say of how wide a head is to be, where something cannot be cut into heads."""
    if fault.type != "RuntimeError" or not OF_CUTS.search(fault.message):
        return None
    return _as_wide_as_all(fault, tree, of) or _shared_input(tree, of)


def _as_wide_as_all(fault: Fault, tree: ast.Module, of: str) -> Told | None:
    """What to say where a width that is to be one head's is that of all of them, and the cut that failed takes it.

    That is where what was to come of the cut has so many times the numbers that there are.
    """
    found = CUT.search(fault.message)
    shape = [*map(int, found[1].split(","))] if found else []
    times, left = divmod(math.prod(shape), int(found[2]) or 1) if found else (0, 0)
    if times < 2 or left or not fault.frames:
        return None
    line = fault.frames[-1].line
    calls = (node for node in nodes_of(tree, of) if isinstance(node, ast.Call))
    cuts = [call for call in calls if call.lineno <= line <= (call.end_lineno or line) and _is_a_cut(call)]
    read = {written(each) for cut in cuts for given in cut.args for each in walk(given) if isinstance(each, NAMING)}
    for init in methods(tree, of, "__init__"):
        given, width = [*positional(init)[1:3], "", ""][:2]
        heads = next(filter(HEAD_COUNT.fullmatch, positional(init)), "")
        made = [node for node in walk(init) if isinstance(node, ast.Call) and _names(node.args[:2]) == [given, width]]
        for node in walk(init) if heads and made and any(map(HEAD_COUNT.fullmatch, read)) else ():
            match node:
                case ast.Assign([ast.Name() | ast.Attribute() as target], ast.Name(name)) if name == width:
                    code, is_of_one = written(target), HEAD_WIDTH.fullmatch(written(target))
                    if code in read and is_of_one:
                        due = clean(f"{width} // {heads}", 60)
                        return say("judge.head-as-wide-as-all", code=clean(written(node), 60), due=due), node.lineno
                    if any(_gives_each_head(code, times, cut, shape) for cut in cuts):
                        due = clean(f"{code} // {heads}", 60)
                        return say("judge.width-of-all", code=clean(code, 60), due=due), line
    return None


def _gives_each_head(width: str, times: int, cut: ast.Call, shape: list[int]) -> bool:
    """Whether a cut names a width as the size of one axis, and of another the heads, of which there are so many."""
    sizes = [written(size) for size in sizes_given(cut)]
    is_known = len(sizes) == len(shape) and sizes.count(width) == 1
    return is_known and [of for name, of in zip(sizes, shape, strict=True) if HEAD_COUNT.fullmatch(name)] == [times]


def _is_a_cut(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in CUTTING


def _names(some: Iterable[ast.expr]) -> list[str]:
    return [each.id for each in some if isinstance(each, ast.Name)]


def _shared_input(tree: ast.Module, of: str) -> Told | None:
    """What to say where the width of what goes in is shared out to the heads, and not that of what comes out."""
    for init in methods(tree, of, "__init__"):
        given, due, *_ = [*positional(init)[1:], "", ""]
        for node in nodes_of(tree, of):
            match node:
                case ast.BinOp(ast.Name(width), ast.FloorDiv(), heads) if width == given and due:
                    if HEAD_COUNT.fullmatch(written(heads)):
                        code, right = clean(written(node), 60), clean(f"{due} // {written(heads)}", 60)
                        return say("judge.heads-of-the-input", code=code, due=right), node.lineno
    return None


@lru_cache(maxsize=4)
def divided_by_heads(tree: ast.Module) -> ast.BinOp | None:
    """Where something is divided by the number of heads with `/`, which gives a float; None where more than once is."""
    found = []
    for node in walk(tree):
        match node:
            case ast.BinOp(_, ast.Div(), ast.Name(name) | ast.Attribute(attr=name)) if "head" in name.lower():
                found.append(node)
    return found[0] if len(found) == 1 else None
