"""Where a list of modules says how many it holds, and what each of them is."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from grader.diagnosis.places.statements import maker, nodes_of_init
from grader.diagnosis.places.texts import written
from grader.judge.binding.labels import NUMBER
from grader.model.syntax import walk

ADDING = ("append", "add_module", "extend", "insert")


def line_of_slot(tree: ast.Module, of: str, slot: str, *, counting: bool) -> int:
    """The line that makes what a slot lies in, 0 for none: of a list's, within the comprehension or loop that fills it.

    counting: the one that says how many the list holds, else the one that makes each.
    """
    made = maker(tree, of, slot)
    number = NUMBER.search(slot)
    if made is None or number is None:
        return made.line if made else 0
    if (each := _written_out(made.node, int(number[0]))) and not counting:
        return each.lineno
    found = _comprehended(made.node) or _appended([*nodes_of_init(tree, of)], made.target)
    return found[0 if counting else 1].lineno if found else made.line


def _written_out(node: ast.AST, number: int) -> ast.expr | None:
    """The part of that number of a list whose parts are written one by one."""
    for each in walk(node):
        match each:
            case ast.Call(args=[ast.List(parts)]) if number < len(parts):
                return parts[number]
    return None


def _comprehended(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """What a comprehension goes through, and what it makes in each turn."""
    for each in walk(node):
        match each:
            case ast.ListComp(made, [turns]) | ast.GeneratorExp(made, [turns]):
                return turns.iter, made
    return None


def _appended(nodes: Sequence[ast.AST], name: str) -> tuple[ast.expr, ast.expr] | None:
    """What the loop goes through that adds to a list, and what it adds."""
    for loop in (node for node in nodes if isinstance(node, ast.For)):
        for each in walk(loop):
            match each:
                case ast.Call(ast.Attribute(owner, attr), [*_, made]) if attr in ADDING and written(owner) == name:
                    return loop.iter, made
    return None
