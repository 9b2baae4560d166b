"""A number that is written with a comma, as in `** 0,5`, and so is two numbers to Python."""

from __future__ import annotations

import ast
import itertools
import re
from functools import lru_cache

from grader.diagnosis.places.statements import Told
from grader.diagnosis.source.used import definitions_of
from grader.model.observation import Fault
from grader.model.syntax import walk
from grader.words import say

# What comes of a tuple where a number is due, or of one argument more.
OF_TUPLES = ("TypeError", "IndexError")
# In a condition the comma is no Python at all.
IN_A_CONDITION = re.compile(r"[=<>] ?(\d{1,9}),(\d{1,9}) ?:")


def of_fault(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    """What there is to say of an error that such a number makes, and its line. text: of the line that failed."""
    if fault.kind == "syntax":
        found = IN_A_CONDITION.search(text)
        return (_said(found[1], found[2]), 0) if found else None
    return split(tree, of) if fault.type in OF_TUPLES or "tuple" in fault.message else None


@lru_cache(maxsize=4)  # asked for every step of an exercise that fails
def split(tree: ast.Module, of: str) -> Told | None:
    """What there is to say of the first such number in a definition, with its line."""
    for definition in definitions_of(tree, of):
        for node in walk(definition):
            match node:
                case ast.Tuple(elements) | ast.Call(args=elements):
                    for left, right in itertools.pairwise(elements):
                        if halves := _halves(left, right):
                            return _said(*halves), left.end_lineno or 0
    return None


def _halves(left: ast.expr, right: ast.expr) -> tuple[str, str] | None:
    """The digits on both sides of a comma between two numbers without a blank, of which one is part of a sum.

    Zero is what a power ends in, or a sum: `x ** 0,5`; and 5 minus something, or over it, is the rest of `1,5 - p`.
    """
    before, after = _end(left), _beginning(right)
    if before is None or after is None:
        return None
    is_close = before.lineno == after.lineno and (before.end_col_offset or 0) + 1 == after.col_offset
    ends = isinstance(left, ast.BinOp) and before.value == 0
    goes_on = isinstance(right, ast.BinOp) and isinstance(right.op, ast.Sub | ast.Div)
    return (str(before.value), str(after.value)) if is_close and (ends or goes_on) else None


def _end(node: ast.expr) -> ast.Constant | None:
    """The whole number that an expression ends in; None where it ends in anything else."""
    match node:
        case ast.BinOp(right=inner) | ast.UnaryOp(operand=inner):
            return _end(inner)
        case ast.Constant(int()) if not isinstance(node.value, bool):
            return node
        case _:
            return None


def _beginning(node: ast.expr) -> ast.Constant | None:
    """The whole number that an expression begins with; None where it begins with anything else."""
    return _beginning(node.left) if isinstance(node, ast.BinOp) else _end(node)


def _said(before: str, after: str) -> str:
    return say("judge.decimal-comma", code=f"{before},{after}", due=f"{before}.{after}")
