"""A class with one layer for queries, keys and values, of which three layers' names say nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.diagnosis.places.statements import Told, methods
from grader.model.syntax import dotted, walk
from grader.model.text import clean
from grader.words import say

# Whose widths it has side by side.
ROLES = 3
# What makes a layer, or a weight of one's own.
MADE = ("Linear", "Parameter", "Conv1d")


def part_reused(tree: ast.Module, of: str) -> Told | None:
    """What to say where a role's part of the one wide layer of a class stands for another's; its line is known."""
    layers = [*_wide(tree, of)]
    return (say("judge.part-reused", layer=f"self.{clean(layers[0], 60)}"), 0) if len(layers) == 1 else None


def _wide(tree: ast.Module, of: str) -> Iterator[str]:
    """The layers, or weights, that `__init__` makes with three times a width."""
    for init in methods(tree, of, "__init__"):
        for node in walk(init):
            match node:
                case ast.Assign([ast.Attribute(ast.Name("self"), name)], ast.Call() as made):
                    parts = [*walk(made)]
                    if any(map(_makes_a_layer, parts)) and any(map(_is_of_three, parts)):
                        yield name


def _makes_a_layer(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func).endswith(MADE)


def _is_of_three(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(ast.Constant(number), ast.Mult(), _) | ast.BinOp(_, ast.Mult(), ast.Constant(number)):
            return number == ROLES
        case _:
            return False
