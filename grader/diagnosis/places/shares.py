"""What comes of softmax: shares, perhaps with some of them dropped, perhaps blended by already."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache

from grader.diagnosis.places.softmaxes import softmaxes
from grader.model.syntax import walk

# What hands on shares as they are, but for some that are dropped.
DROPPING = "drop"
# So far nobody leads them: by a name, dropped, by another name, and multiplied.
MOST_STEPS = 6


def last_given(name: str, function: ast.FunctionDef, line: int) -> ast.expr | None:
    """What a variable of a function was given last before a line."""
    given = _given(function).get(name, ())
    before = bisect_left(given, line, key=lambda each: each.lineno)
    if not before:
        return None
    return given[bisect_left(given, given[before - 1].lineno, key=lambda each: each.lineno)].value


def as_given(node: ast.expr, function: ast.FunctionDef, line: int) -> ast.expr:
    """What a name was given last before a line; anything else, and a name that was given nothing, as it is."""
    return (last_given(node.id, function, line) if isinstance(node, ast.Name) else None) or node


@lru_cache(maxsize=4)  # each division of a function asks it
def _given(function: ast.FunctionDef) -> Mapping[str, Sequence[ast.Assign]]:
    """Where each variable of a function is given a value, from the top."""
    found: dict[str, list[ast.Assign]] = {}
    for node in walk(function):
        if isinstance(node, ast.Assign):
            for target in (each for each in node.targets if isinstance(each, ast.Name)):
                found.setdefault(target.id, []).append(node)
    return {name: sorted(each, key=lambda given: given.lineno) for name, each in found.items()}


def is_of_shares(node: ast.expr, function: ast.FunctionDef, tree: ast.Module, *, blended: bool) -> bool:
    """Whether an expression in a function is what softmax gives. blended: or what is blended by that."""
    named = {"softmax", *softmaxes(tree)}
    found: ast.expr | None = node
    for _ in range(MOST_STEPS):
        match found:
            case ast.Name(name):
                found = last_given(name, function, found.lineno)
            case ast.BinOp(left, ast.MatMult()) if blended:
                found = left
            case ast.Call(ast.Attribute(attr=name) | ast.Name(name)) if name in named:
                return True
            case ast.Call(ast.Attribute(attr=name) | ast.Name(name), [given, *_]) if DROPPING in name:
                found = given
            case _:
                return False
    return False
