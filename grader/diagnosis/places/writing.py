"""Where something is written to that was not made there."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from grader.diagnosis.places.patterns import IN_PLACE, WRITTEN_TO
from grader.diagnosis.places.statements import Statement, asked, bare_name, first
from grader.model.syntax import positional, stored_in, walk

NOBODYS = {"torch", "nn", "init", "self"}
# What gives a part of something, or another look at it, and no copy.
LOOKING = {
    "view", "transpose", "permute", "t", "squeeze", "unsqueeze", "expand", "detach", "state_dict", "parameters",
    "named_parameters", "children", "named_children", "modules", "named_modules", "items", "values", "get",
    "get_parameter", "get_submodule",
}  # fmt: skip


def changed(statements: Sequence[Statement]) -> Statement | None:
    """What is written to and was not made in the same function; else anything that is written to."""
    for position, statement in enumerate(statements):
        made = {bare_name(s.target) for s in statements[:position] if s.function == statement.function}
        if any(root and root not in made | NOBODYS for found in WRITTEN_TO.findall(statement.text) for root in found):
            return statement
    return first(statements, IN_PLACE) or first(statements, r"[-+*/]= ")


def is_in_place(method: str) -> bool:
    """Whether a method writes into the tensor it is called of, as torch names them."""
    return method.endswith("_") and not method.endswith("__")


def written_through(tree: ast.Module, of: str) -> int:
    """The line where a function first writes into its first argument by another name; 0 for none.

    Such as one that is given a part of it, or goes through its parts. Whatever else is given such a name is forgotten.
    """
    for function in asked(tree, of):
        names = {*[name for name in positional(function) if name != "self"][:1]}
        for node in sorted(walk(function), key=lambda node: getattr(node, "lineno", 0)):
            if names & {_root(place) for place in _written(node)}:
                return int(getattr(node, "lineno", 0))
            match node:
                case ast.Call(ast.Attribute(ast.Name(name), "append"), [value]) if _root(value) in names:
                    names = {*names, name}  # a list of its parts
            for target, value in _named(node):
                is_another = _root(value) in names
                names = names | stored_in(target) if is_another else names - stored_in(target)
    return 0


def _written(node: ast.AST) -> Iterator[ast.expr]:
    """What a piece of source writes into."""
    match node:
        case ast.AugAssign(target):
            yield target
        case ast.Assign(targets):
            yield from (target for target in targets if isinstance(target, ast.Subscript | ast.Attribute))
        case ast.Call(ast.Attribute(place, name)) if is_in_place(name):
            yield place
        case ast.Call(ast.Attribute(place, "load_state_dict")) | ast.Call(ast.Name("setattr"), [place, *_]):
            yield place


def _named(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a statement gives names to, each with what it is; of a loop, with what that goes through."""
    match node:
        case ast.For(ast.Tuple(targets), ast.Call(ast.Name("zip"), values)) if len(targets) == len(values):
            yield from zip(targets, values, strict=True)
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
            yield from zip(targets, values, strict=True)
        case ast.For(target, value) | ast.Assign([ast.Name() as target], value):
            yield target, value


def _root(node: ast.expr) -> str:
    """The variable of which an expression is a part, or a look at it; "" where it is something of its own."""
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(value) | ast.Subscript(value) | ast.Call(ast.Name("getattr"), [value, *_]):
            return _root(value)
        case ast.Call(ast.Attribute(value, name)) if name in LOOKING:
            return _root(value)
        case ast.ListComp(each, [ast.comprehension(ast.Name(name), values)]) if _root(each) == name:  # its parts
            return _root(values)
        case _:
            return ""
