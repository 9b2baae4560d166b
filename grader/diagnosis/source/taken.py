"""Which `return` of a function ends its call, where numbers among its arguments alone decide that."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping

from grader.model.syntax import stored_in, walk

Numbers = Mapping[str, float | bool]
COMPARISONS: Mapping[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Is: operator.eq, ast.IsNot: operator.ne,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip


class _Undecided(Exception):
    """Something else decides."""


def taken(function: ast.FunctionDef, numbers: Numbers) -> ast.Return | None:
    """The `return` that a call comes to; None where that cannot be said, or there is none.

    numbers: those of its arguments, by name. One that the function gives another value decides nothing.
    """
    try:
        return _reached(function.body, {name: numbers[name] for name in numbers.keys() - stored_in(function)})
    except _Undecided:
        return None


def _reached(statements: Iterable[ast.stmt], numbers: Numbers) -> ast.Return | None:
    for statement in statements:
        if isinstance(statement, ast.Return):
            return statement
        if isinstance(statement, ast.FunctionDef | ast.ClassDef) or not _ends(statement):
            continue
        if not isinstance(statement, ast.If):
            raise _Undecided
        branch = statement.body if _holds(statement.test, numbers) else statement.orelse
        if (found := _reached(branch, numbers)) is not None:
            return found
    return None


def _ends(statement: ast.stmt) -> bool:
    """Whether a call may end in a statement."""
    return any(isinstance(node, ast.Return | ast.Raise) for node in walk(statement))


def _holds(test: ast.expr, numbers: Numbers) -> bool:
    match test:
        case ast.UnaryOp(ast.Not(), operand):
            return not _holds(operand, numbers)
        case ast.BoolOp(ast.And(), values):
            return all(_holds(value, numbers) for value in values)
        case ast.BoolOp(ast.Or(), values):
            return any(_holds(value, numbers) for value in values)
        case ast.Compare(left, [sign], [right]) if type(sign) in COMPARISONS:
            return COMPARISONS[type(sign)](_number(left, numbers), _number(right, numbers))
        case _:
            return bool(_number(test, numbers))


def _number(value: ast.expr, numbers: Numbers) -> float | bool:
    match value:
        case ast.Constant(bool(number) | int(number) | float(number)):
            return number
        case ast.Name(name) if name in numbers:
            return numbers[name]
        case _:
            raise _Undecided
