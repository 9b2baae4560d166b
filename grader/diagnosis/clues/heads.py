"""What becomes of the heads of a class: cut out and left where they are, dealt out in turn, or never made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from grader.diagnosis.places.statements import Told, methods
from grader.diagnosis.places.texts import LONGEST_STATEMENT, written
from grader.diagnosis.source.used import nodes_of
from grader.model.observation import Fault
from grader.model.syntax import positional
from grader.model.text import clean
from grader.words import say

# What students call the width of a head, and the number of heads.
HEAD_WIDTH = re.compile(r"(\w+\.)?(head_?(dim|size|width)|dim_?head|d_?(head|k)|[dh]h|hd)")
HEAD_COUNT = re.compile(r"(\w+\.)?(n(um)?_?heads?|heads?|nh|[hH])")
CUTTING = ("view", "reshape", "unflatten")
# The size of the axis that a fused projection has for them.
ROLES = "3"
# What moves axes, or does without.
MOVING = {
    "permute", "movedim", "moveaxis", "swapaxes", "swapdims", "einsum", "rearrange", "tensordot", "split", "chunk",
    "unbind",
}  # fmt: skip
KEYS_TURNED = re.compile(r"(?:@ |matmul\([\w.]+, )([\w.]+)\.transpose\((?:1, 2|2, 1)\)")
NAMING = (ast.Name, ast.Attribute)
OF_SIZES = re.compile(r"must match the size of tensor|size mismatch|Expected size|cannot be multiplied")


def of_sizes(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    """What the heads have to do with an error about sizes, and the line, 0 for the one that failed. text: of it."""
    if fault.type != "RuntimeError" or not OF_SIZES.search(fault.message):
        return None
    if again := one_again_and_again(tree, of):
        return say("judge.heads-of-the-whole", code=clean(written(again), 80)), again.lineno
    if cut := never_moved(tree, of):
        return say("judge.heads-unmoved", code=clean(written(cut), 80)), cut.lineno
    if dealt := dealt_out(tree, of):
        return dealt
    turned = KEYS_TURNED.search(text[:LONGEST_STATEMENT])
    axes = {name.partition(".transpose(")[0]: len(shape) for name, shape in fault.shapes}
    fronts = {tuple(shape[:2]) for _, shape in fault.shapes}
    is_moved_so = len(fault.shapes) > 1 and len(fronts) == 1  # what is turned moves its heads to where the others stand
    if turned and axes.get(turned[1]) == 4 and not is_moved_so:
        return say("judge.keys-of-four-axes", name=clean(turned[1], 60)), 0
    return None


def one_again_and_again(tree: ast.Module, of: str) -> ast.Call | None:
    """Where one and the same tensor is stacked once for each head."""
    for node in nodes_of(tree, of):
        match node:
            case ast.Call(ast.Attribute(attr="stack"), [ast.BinOp(ast.List([_]), ast.Mult(), count), *_]):
                if HEAD_COUNT.fullmatch(written(count)):
                    return node
    return None


@lru_cache(maxsize=4)
def never_moved(tree: ast.Module, of: str) -> ast.Call | None:
    """Where a definition cuts an axis into heads that stay behind the tokens, since nothing moves any axis."""
    nodes = [*nodes_of(tree, of)]
    lost = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    factors = {id(part) for node in nodes for part in _multiplied(node)}
    blended = {target for node in nodes for target in _made_by_a_product(node)}
    for node in nodes:
        match node:
            case ast.For() | ast.ListComp() | ast.GeneratorExp():
                return None  # which may take them one by one
            case ast.Call(ast.Attribute(value)) if _multiplied(value) or written(value) in blended:
                continue  # what the heads are merged from
            case ast.Call(ast.Attribute(attr=name) | ast.Name(name)) if name in MOVING:
                return None
            case ast.Call(ast.Attribute(attr="transpose"), args) if id(node) not in lost | factors:
                if not _are_the_last_two(args):
                    return None
    return next((node for node in nodes if isinstance(node, ast.Call) and _cuts_behind_the_tokens(node)), None)


def _multiplied(node: ast.AST) -> list[ast.expr]:
    """The two sides of a product of matrices."""
    match node:
        case ast.BinOp(left, ast.MatMult(), right):
            return [left, right]
        case ast.Call(ast.Attribute(attr="matmul"), [*factors]):
            return factors
        case _:
            return []


def _made_by_a_product(node: ast.AST) -> list[str]:
    """The variable that a product of matrices is given to."""
    match node:
        case ast.Assign([ast.Name(name)], value) if _multiplied(value):
            return [name]
        case _:
            return []


def _are_the_last_two(axes: list[ast.expr]) -> bool:
    """Whether axes are said to be the last two of four."""
    try:
        return {int(ast.literal_eval(axis)) % 4 for axis in axes} == {2, 3}
    except (TypeError, ValueError, OverflowError):
        return False


def _cuts_behind_the_tokens(call: ast.Call) -> bool:
    """Whether a call cuts the last axis of something with a batch in front into heads."""
    given = _cut(call)
    return bool(given) and HEAD_COUNT.fullmatch(given[-2]) is not None and is_a_width(given[-1])


def _cut(call: ast.Call) -> list[str]:
    """The sizes of four axes, one by one or as a tuple, into which a call cuts something; none for another call.

    Of `unflatten` those that it cuts an axis into, and the axis. A fused projection has one more.
    """
    sizes = sizes_given(call)
    match call.func:
        case ast.Attribute(attr=name) if name in CUTTING and len(sizes) + (name == "unflatten") in (4, 5):
            return [written(each) for each in sizes]
        case _:
            return []


def sizes_given(call: ast.Call) -> list[ast.expr]:
    """What a call is given, one by one or as a tuple."""
    return [size for each in call.args for size in (each.elts if isinstance(each, ast.Tuple | ast.List) else [each])]


def is_a_width(size: str) -> bool:
    """Whether a size is written as the width of one head is, or left to torch."""
    return size == "-1" or "//" in size or HEAD_WIDTH.fullmatch(size) is not None


def dealt_out(tree: ast.Module, of: str) -> Told | None:
    """What to say where a definition cuts the last axis into head_dim times num_heads, and the line.

    That deals the features out to the heads in turn, which no move of axes puts right; one that is made for it has to
    change along with it. A fused projection may have its roles in between, or behind.
    """
    nodes = [*nodes_of(tree, of)]
    calls = (node for node in nodes if isinstance(node, ast.Call))
    cuts = {id(call): call for call in calls if _deals_out(call)}  # one may come twice
    if not cuts:
        return None
    first, *others = cuts.values()
    said = say("judge.heads-dealt-out", code=clean(written(first), 80))
    if moved := _moved_along(first, nodes):
        without = say("judge.without-its-move", said=said, moved=moved[0])
        said = say("judge.with-its-move", said=said, moved=moved[0], due=moved[1]) if moved[1] else without
    if alike := [each for each in others if _moved_along(each, nodes) == moved]:
        said = say("judge.and-alike", said=said, count=len(alike))
    return said, first.lineno


def _deals_out(call: ast.Call) -> bool:
    given = [size for size in _cut(call) if size != ROLES]
    return len(given) > 1 and is_a_width(given[-2]) and HEAD_COUNT.fullmatch(given[-1]) is not None


def _moved_along(cut: ast.Call, nodes: list[ast.AST]) -> tuple[str, str] | None:
    """How axes are moved right after a cut into head_dim times num_heads, and how once it is turned around.

    None where nothing moves them, or that is right then.
    """
    sizes = ["", *_cut(cut)][-4:] if ROLES not in _cut(cut) else ["", *_cut(cut)][-5:]
    *_, width, heads = [place for place, size in enumerate(sizes) if size != ROLES]
    names = {target.id for node in nodes for target in _called(node, cut)}
    for node in nodes:
        match node:
            case ast.Call(ast.Attribute(value, name)) if value is cut or (
                isinstance(value, ast.Name) and value.id in names and value.lineno > cut.lineno
            ):
                order = _order(name, [written(each) for each in node.args], len(sizes))
                # With the heads where their width was they are in front of the tokens, and each one's features last.
                if not order or (order[-1] == heads and order.index(width) < order.index(1)):
                    return None
                due = [{width: heads, heads: width}.get(axis, axis) for axis in order]
                given = ", ".join(written(each) for each in node.args)
                moved = f".{name}({clean(given, 60)})"
                if due == [*range(len(sizes))]:  # with the axes as they are the heads still stand behind the tokens
                    return moved, "" if _is_moved_on(node, nodes) else ".transpose(1, 2)" if len(sizes) == 4 else ""
                return moved, f".permute({', '.join(map(str, due))})"
    return None


def _is_moved_on(moved: ast.Call, nodes: list[ast.AST]) -> bool:
    """Whether the axes of what a call has moved are moved once more."""
    names = {target.id for node in nodes for target in _called(node, moved)}
    for node in nodes:
        match node:
            case ast.Call(ast.Attribute(value, name)) if name in MOVING | {"transpose"} and (
                value is moved or (isinstance(value, ast.Name) and value.id in names and value.lineno > moved.lineno)
            ):
                return True
    return False


def _called(node: ast.AST, value: ast.expr) -> list[ast.Name]:
    """The variable that a value is given to."""
    match node:
        case ast.Assign([ast.Name() as target], given) if given is value:
            return [target]
        case _:
            return []


def _order(method: str, given: list[str], axes: int) -> list[int]:
    """In which order a method puts axes; empty where it moves none, or it cannot be told."""
    try:
        places = [int(each) % axes for each in given]
    except ValueError:
        return []
    if method == "permute" and sorted(places) == [*range(axes)]:
        return places
    if method in ("transpose", "swapaxes", "swapdims") and len(places) == 2:
        one, other = places
        return [{one: other, other: one}.get(axis, axis) for axis in range(axes)]
    return []


@lru_cache(maxsize=4)
def unused(tree: ast.Module, of: str, place: int) -> str:
    """An argument of a class's `__init__` of which nothing is made but a test or a name; "" for none.

    place: the argument's, `self` aside.
    """
    for init in methods(tree, of, "__init__"):
        own = positional(init)[1:]
        if place >= len(own) or init.args.kwarg or init.args.vararg:
            return ""
        names = {own[place]}
        nodes = [*nodes_of(tree, of)]
        given = [(target, _read(value)) for target, value in _assigned(init)]
        for target, read in given:  # in their order, as they are executed
            names |= {target} if names & read else set()
        spared = {id(each) for node in nodes if _is_no_use(node) for each in ast.walk(node)}
        spared |= {id(each) for _, value in _assigned(init) for each in ast.walk(value)}
        kept = {name.removeprefix("self.") for name in names if name.startswith("self.")}
        is_used = any(
            written(node) in names or (isinstance(node, ast.Attribute) and node.attr in kept)
            for node in nodes
            if isinstance(node, NAMING) and isinstance(node.ctx, ast.Load) and id(node) not in spared
        )
        return "" if is_used else own[place]
    return ""


def _assigned(init: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """What `__init__` only gives another name to, or computes with: no call, of which anything may be made."""
    for node in init.body:
        match node:
            case ast.Assign([ast.Name() | ast.Attribute() as target], value):
                if not any(isinstance(each, ast.Call) for each in ast.walk(value)):
                    yield written(target), value


def _read(value: ast.expr) -> set[str]:
    return {written(node) for node in ast.walk(value) if isinstance(node, NAMING)}


def _is_no_use(node: ast.AST) -> bool:
    """Whether a statement only refuses what cannot be."""
    match node:
        case ast.Assert() | ast.If(body=[ast.Raise()], orelse=[]):
            return True
        case _:
            return False
