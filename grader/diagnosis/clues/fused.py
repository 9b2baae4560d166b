"""A class with one layer for queries, keys and values, of which three layers' names say nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.diagnosis.places.statements import Told, methods
from grader.model.syntax import walk
from grader.model.text import clean
from grader.words import say

# Whose widths it has side by side.
ROLES = 3


def part_reused(tree: ast.Module, of: str) -> Told | None:
    """What to say where a role's part of the one wide layer of a class stands for another's; its line is known."""
    layers = [*_wide(tree, of)]
    return (say("judge.part-reused", layer=f"self.{clean(layers[0], 60)}"), 0) if len(layers) == 1 else None


def _wide(tree: ast.Module, of: str) -> Iterator[str]:
    """The attributes that `__init__` makes with three times a width."""
    for init in methods(tree, of, "__init__"):
        for node in walk(init):
            match node:
                case ast.Assign([ast.Attribute(ast.Name("self"), name)], ast.Call() as made) if any(
                    map(_is_of_three, walk(made))
                ):
                    yield name


def _is_of_three(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(ast.Constant(number), ast.Mult(), _) | ast.BinOp(_, ast.Mult(), ast.Constant(number)):
            return number == ROLES
        case _:
            return False
