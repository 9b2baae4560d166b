"""Where a copy writes into its target."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from grader.diagnosis.places.statements import Statement, asked, end, last, outside_init, statements_of
from grader.judge.binding import paths
from grader.model.syntax import read_in, walk

# What is written to, or made anew.
WRITING = re.compile(
    r"\.copy_\(|\.data\b[^=]* = |\.(weight|bias)\b[^=(]* = |load_state_dict\(|setattr\(|Parameter\(|\.W\w* = |\] = "
)

# By which a copy goes through weights that it does not name.
GOING_THROUGH = {"parameters", "named_parameters", "state_dict", "load_state_dict", "children", "named_children"}
# What mixes the heads, by its names and not those of the three projections, such as `q_proj`.
OUT_PROJ = r"\b(?:(?:out|o|c)_?)?proj"


def unmixed(statements: Sequence[Statement]) -> Statement | None:
    """What hands back heads that nothing mixes; of a copy the last statement about the output layer, else its last."""
    is_copy = not any(statement.function == "forward" for statement in statements)
    return (last(statements, OUT_PROJ) if is_copy else None) or end(statements)


def copied_at(tree: ast.Module, of: str, slot: str = "") -> int:
    """The line of the first statement that writes into a copy's target; 0 for none.

    slot: a weight of the target's, of which the first statement is taken that speaks of it; "" for none in particular.
    """
    writing = [s for s in outside_init(statements_of(tree, of)) if WRITING.search(s.text)]
    parts = [part for part in paths.parts(slot) if part]
    for named in (parts, parts[-1:]):
        found = [s for s in writing if all(re.search(rf"\b{re.escape(part)}\b", _written_to(s)) for part in named)]
        if found:
            return found[0].line
    return writing[0].line if writing else 0


def only_named(tree: ast.Module, of: str, slots: Sequence[str]) -> tuple[ast.Assign, str] | None:
    """Where a copy gives a variable of its own what a weight of the target's was due, and the place of that weight.

    slots: the weights that were left as they were. None where it reads such a variable, or there is none.
    """
    for function in asked(tree, of):
        source, target, *_ = [*(each.arg for each in function.args.args), "", ""]
        held, sources, targets = set[str](), {source}, {target}
        for node in walk(function):
            match node:
                case ast.Assign([ast.Name(name)], value) if name in slots and source in read_in(value):
                    return None if name in read_in(function) else (node, f"{target}.{name}")
        for node in sorted(walk(function), key=lambda node: getattr(node, "lineno", 0)):
            match node:
                case ast.Assign([ast.Name(name)], value) if targets & read_in(value):
                    held.add(name)
                    targets.add(name)
                case ast.Assign([ast.Name(name)], value) if sources & read_in(value):
                    if name in held and name not in read_in(function):
                        return node, name
                    sources.add(name)
    return None


def left_out(tree: ast.Module, of: str, slots: Sequence[str], held: Sequence[str]) -> tuple[ast.expr, str] | None:
    """The names that a copy goes through, and the one that is not among them, of which it says nothing elsewhere.

    slots: the weights that were left as they were. held: all of the target's, beside which that one has to lie: a loop
    may also go through the parts of each layer.
    """
    beside = {paths.parts(slot)[0] for slot in held}
    for function in asked(tree, of):
        read = {node.value for node in walk(function) if isinstance(node, ast.Constant)}
        read |= {node.attr for node in walk(function) if isinstance(node, ast.Attribute)}
        absent = {name for slot in slots for name in paths.parts(slot)[:1]}
        for loop in (node for node in walk(function) if isinstance(node, ast.For | ast.comprehension)):
            match loop.target, loop.iter:
                case ast.Name(), ast.Tuple([_, _, *_] as names) | ast.List([_, _, *_] as names) if len(absent) == 1:
                    is_of_names = all(isinstance(each, ast.Constant) and each.value in beside for each in names)
                    if is_of_names and absent.isdisjoint(read) and _asks_by(function, loop.target.id):
                        return loop.iter, next(iter(absent))
    return None


def unmentioned(tree: ast.Module, of: str, slots: Sequence[str], held: Sequence[str]) -> ast.FunctionDef | None:
    """A copy that calls other weights of the target's by their names, and none of these, in no other way either.

    slots: those that were left as they were. held: all of the target's.
    """
    layers = {_layer(slot) for slot in slots}
    others = {_layer(slot) for slot in held} - layers
    for function in asked(tree, of):
        named = {node.value for node in walk(function) if isinstance(node, ast.Constant)}
        named |= {node.attr for node in walk(function) if isinstance(node, ast.Attribute)}
        may_be_named = not GOING_THROUGH.isdisjoint(named) or any(map(_asks_by_variable, walk(function)))
        if layers and layers.isdisjoint(named) and not others.isdisjoint(named) and not may_be_named:
            return function
    return None


def _asks_by_variable(node: ast.AST) -> bool:
    """Whether an attribute is asked for by a name that is not written there."""
    match node:
        case ast.Call(ast.Name("getattr" | "setattr"), [_, name, *_]):
            return not isinstance(name, ast.Constant)
        case _:
            return False


def _layer(slot: str) -> str:
    """What a weight's layer is called, which its own name may say as well."""
    named = [part for part in paths.parts(slot) if part not in ("weight", "bias") and not part.isdecimal()]
    return named[-1] if named else slot


def _asks_by(function: ast.FunctionDef, name: str) -> bool:
    """Whether an attribute is asked for by what a variable says."""
    for node in walk(function):
        match node:
            case ast.Call(ast.Name("getattr"), [_, ast.Name(asked_for), *_]) if asked_for == name:
                return True
    return False


def written_back(tree: ast.Module, of: str) -> ast.stmt | None:
    """Where a copy writes what its second argument, the target, holds into its first, the source; None for nowhere."""
    for function in asked(tree, of):
        source, target, *_ = [*(each.arg for each in function.args.args), "", ""]
        for node in walk(function):
            match node:
                case ast.Expr(ast.Call(ast.Attribute(place, "copy_"), [value, *_])) | ast.Assign([place], value):
                    is_inside = isinstance(place, (ast.Attribute, ast.Call, ast.Subscript))
                    if is_inside and (read_in(place) & {source, target}, read_in(value) & {source, target}) == (
                        {source},
                        {target},
                    ):
                        assert isinstance(node, ast.stmt)
                        return node
    return None


def _written_to(statement: Statement) -> str:
    """What a statement writes to, as far as it says so."""
    return statement.target or statement.text.partition(".copy_(")[0]
