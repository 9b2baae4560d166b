"""Changes of a call: another function, other arguments or another order of them, or no call at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from grader.diagnosis.changes.families import BLANK, FAMILIES
from grader.diagnosis.changes.pieces import Repair, put, safe
from grader.diagnosis.places.texts import short, written
from grader.model.syntax import called_in, dotted

# Nobody's function is called with more; what is exchanged is written out with all others.
MOST_ARGUMENTS = 8
# What leaves out an axis, or keeps it with one place.
KEEPS = {"sum", "mean", "amax", "amin", "max", "min", "prod", "logsumexp", "norm"}
# What is given a share, of which the rest may be meant.
FILLED = {"full", "full_like", "bernoulli", "bernoulli_"}
SHAPING, LEFT_OVER = {"view", "reshape"}, "-1"
TURNING = {"t", "transpose", "permute", "swapaxes"}
LIBRARIES = ("torch", "F", "math", "nn", "np", "numpy")
NUMPYS = ("np", "numpy")


def of_call(node: ast.Call) -> Iterator[tuple[int, str]]:
    """What to write in a call's place, each with how likely it is: less is likelier."""
    name = called_in(node)
    yield from _with_another_function(node, name)
    yield from _with_other_settings(node, name)
    yield from _with_fewer_axes(node, name)
    yield from _of_built_in(node, name)
    yield from _in_another_order(node)
    yield from _without(node, name)


def is_blank(node: ast.expr) -> bool:
    """Whether an expression gives what something is begun with, and nothing that is computed."""
    return isinstance(node, ast.Call) and called_in(node) in BLANK


def of_sizes(node: ast.Call) -> Iterator[tuple[int, Repair]]:
    """Each size of a view with what is left over in its place."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in SHAPING:
        for size in node.args if len(node.args) > 1 else ():
            if not isinstance(size, ast.Constant | ast.UnaryOp | ast.Starred):
                yield 3, replace(put(size, LEFT_OVER, size), within=short(node))


def _with_another_function(node: ast.Call, name: str) -> Iterator[tuple[int, str]]:
    """With one of the same family, or torch's in the place of numpy's."""
    for family in FAMILIES:
        for other in family if name in family else ():
            if other != name:
                owner = node.func.value if isinstance(node.func, ast.Attribute) else None
                func = ast.Attribute(owner, other) if owner is not None else ast.Name(other)
                yield 0, ast.unparse(ast.Call(func, node.args, node.keywords))
    if isinstance(node.func, ast.Attribute) and dotted(node.func.value) in NUMPYS:
        yield 0, ast.unparse(ast.Call(ast.Attribute(ast.Name("torch"), node.func.attr), node.args, node.keywords))


def _with_other_settings(node: ast.Call, name: str) -> Iterator[tuple[int, str]]:
    """Without a type, with the rest of a share, or with an axis kept that was left out, or the other way round."""
    args, named = node.args, {each.arg for each in node.keywords}
    if "dtype" in named:
        yield 1, _without_argument(node, "dtype")
    if name in FILLED and args and not isinstance(args[-1], ast.Constant):
        rest = ast.BinOp(ast.Constant(1), ast.Sub(), args[-1])
        yield 1, ast.unparse(ast.Call(node.func, [*args[:-1], rest], node.keywords))
    if name in KEEPS:
        if "keepdim" in named:
            yield 0, _without_argument(node, "keepdim")
        elif not named and not args:
            yield 1, ast.unparse(ast.Call(node.func, [ast.Constant(-1), ast.Constant(True)], []))
        elif named & {"dim", "axis"} or args:
            kept = [*node.keywords, ast.keyword("keepdim", ast.Constant(True))]
            yield 1, ast.unparse(ast.Call(node.func, args, kept))


def _with_fewer_axes(node: ast.Call, name: str) -> Iterator[tuple[int, str]]:
    """Of what begins with the whole shape of something: a row's, or a column's."""
    for part in ("[0]", "[1]", "[-1]") if name in BLANK else ():
        match node.args:
            case [ast.Attribute(whole, "shape"), *others]:
                size = ast.Name(f"{safe(whole)}.shape{part}")
                yield 1, ast.unparse(ast.Call(node.func, [size, *others], node.keywords))
            case [whole, *others] if name.endswith("_like") and part != "[-1]":
                row = ast.Name(f"{safe(whole)}[0]" if part == "[0]" else f"{safe(whole)}[:, 0]")
                yield 1, ast.unparse(ast.Call(node.func, [row, *others], node.keywords))


def _without_argument(node: ast.Call, name: str) -> str:
    return ast.unparse(ast.Call(node.func, node.args, [each for each in node.keywords if each.arg != name]))


def _of_built_in(node: ast.Call, name: str) -> Iterator[tuple[int, str]]:
    """Of Python's own: a range from the beginning, or its end, a slice one piece further, a sum that is to join."""
    match dotted(node.func), node.args:
        case "range", [_, end]:
            yield 0, f"range({ast.unparse(end)})"
        case "range", [end] if not isinstance(end, ast.Constant):
            yield 1, safe(end)
        case "slice", [lower, ast.BinOp(left, ast.Add(), width)] if written(left) == written(lower):  # piece by piece
            yield 0, f"slice({safe(lower)} * {safe(width)}, ({written(lower)} + 1) * {safe(width)})"
        case _, [some] if name == "sum" and isinstance(node.func, ast.Name):
            yield 1, f"torch.cat([*{safe(some)}])"


def _in_another_order(node: ast.Call) -> Iterator[tuple[int, str]]:
    """With two neighbouring arguments exchanged."""
    args, is_range = node.args, dotted(node.func) == "range"
    if 2 <= len(args) <= MOST_ARGUMENTS and not is_range and not any(isinstance(each, ast.Starred) for each in args):
        for place in range(len(args) - 1):
            turned = [*args[:place], args[place + 1], args[place], *args[place + 2 :]]
            yield 2, ast.unparse(ast.Call(node.func, turned, node.keywords))


def _without(node: ast.Call, name: str) -> Iterator[tuple[int, str]]:
    """What is called on, turned before it is shaped; else as it is, or the first argument."""
    owner = dotted(node.func).partition(".")[0]
    if isinstance(node.func, ast.Attribute) and name in (*SHAPING, "flatten") and owner not in LIBRARIES:
        joined = "flatten" if name == "flatten" else "reshape"
        turned_first = ast.Attribute(ast.Name(f"{safe(node.func.value)}.transpose(1, 2)"), joined)
        yield 2, ast.unparse(ast.Call(turned_first, node.args, node.keywords))
    if isinstance(node.func, ast.Attribute) and owner not in LIBRARIES and dotted(node.func.value) != "self":
        yield 1 if name in TURNING else 2, safe(node.func.value)
    elif node.args and dotted(node.func) != "range":
        yield 2, safe(node.args[0])
