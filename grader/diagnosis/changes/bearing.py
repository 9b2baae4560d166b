"""Which changes of a source may bear on what is wrong with it, by how far the solution is right."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from grader.diagnosis.changes.pieces import Repair
from grader.diagnosis.follow import own_line
from grader.diagnosis.source.reached import is_past, is_unreached
from grader.diagnosis.stages import Progress
from grader.model.check import Question
from grader.model.syntax import assigned_at, dotted, functions_around, holds, walk


def bearing_on(tree: ast.Module, question: Question, some: Iterable[Repair], far: Progress | None) -> list[Repair]:
    """Those of some changes that may bear on the first stage that is wrong.

    What only made the stages that are right bears on none, nor does what comes behind it, loops aside.
    """
    some = [*some]
    if far is None:
        return some
    made, line = own_line(tree, question, far.made), own_line(tree, question, far.lines)
    lines = {each for each in {repair.line for repair in some} if _may_bear(tree, each, made, line)}
    return [each for each in some if each.line in lines]


def _may_bear(tree: ast.Module, line: int, right: int, wrong: int) -> bool:
    return not (is_past(tree, line, right) or _is_kept_past(tree, line, right) or is_unreached(tree, wrong, line))


def _is_kept_past(tree: ast.Module, line: int, right: int) -> bool:
    """Whether a line gives a module what is read in no other function behind the line up to which all is right."""
    functions = functions_around(tree, right)
    kept = {dotted(target) for node in assigned_at(tree, line) for target in node.targets}
    kept = {name for name in kept if name.startswith("self.")}
    if not kept or not functions or holds(functions[-1], line):
        return False
    read = (node for node in walk(functions[-1]) if isinstance(node, ast.Attribute) and node.lineno > right)
    return kept.isdisjoint(map(dotted, read))
