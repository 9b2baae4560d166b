"""Where a case's own numbers make a divisor 0."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from grader.diagnosis.places.patterns import DIVIDING
from grader.diagnosis.places.statements import Told, asked
from grader.diagnosis.places.texts import short
from grader.model.syntax import stored_in, walk
from grader.words import heard, say

OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
COMPARISONS: Mapping[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
# Nobody computes with larger whole numbers, of which there are some that no float holds.
LARGEST = 10**9
# What is said of it: of an argument as it is nothing more, since what to divide by instead is another step's to say.
SAID = ("judge.divided-by-zero", "judge.divided-by-argument")
LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def divided_by_zero(tree: ast.Module, of: str, given: Mapping[str, float]) -> Told | None:
    """What to say of the first division by what is 0 in a case, of those that it surely comes to.

    given: its numbers, and what is true or false in it, by the function's own names.
    """
    for function in asked(tree, of):
        for code, divisor in _Course(dict(given)).divisions(function.body):
            parts = {"code": short(code), "divisor": short(divisor)}
            if isinstance(divisor, ast.Name) and divisor.id in given.keys() - stored_in(function):
                return say("judge.divided-by-argument", **parts), code.lineno
            return say("judge.divided-by-zero", **parts), code.lineno
    return None


def is_divided_by_zero(notes: Iterable[str]) -> bool:
    """Whether a step's notes say so."""
    return any(heard(key, note) is not None for note in notes for key in SAID)


@dataclass
class _Course:
    """The course that a function takes, for as long as that is certain. known: its numbers by their names."""

    known: dict[str, float]
    is_over: bool = field(default=False, init=False)

    def divisions(self, block: Iterable[ast.stmt]) -> Iterator[tuple[ast.stmt | ast.expr, ast.expr]]:
        """What divides by 0, each with what by."""
        for statement in block:
            if self.is_over:
                return
            match statement:
                case ast.If(test, body, orelse) if (number := self._number(test)) is not None:
                    yield from self.divisions(body if number else orelse)
                case ast.With(body=body):
                    yield from self.divisions(body)
                case ast.If() | ast.For() | ast.While() | ast.Try() | ast.Match() | ast.FunctionDef() | ast.ClassDef():
                    self.is_over = any(isinstance(node, LEAVING) for node in walk(statement))
                    self._forget(statement)
                case _:
                    yield from self._of(statement)
                    self._keep(statement)
                    self.is_over = isinstance(statement, LEAVING)

    def _of(self, node: ast.AST) -> Iterator[tuple[ast.stmt | ast.expr, ast.expr]]:
        """The same of a statement that holds no others, and of what is computed for it."""
        parts: tuple[ast.expr, ast.expr] | None = None
        match node:
            case ast.IfExp(test, body, orelse):
                number = self._number(test)
                yield from self._of(test)
                yield from self._of(body if number else orelse) if number is not None else ()
                return
            case ast.BoolOp(values=[first, *_]):
                yield from self._of(first)
                return
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return
            case ast.BinOp(dividend, ast.Div(), divisor) | ast.AugAssign(dividend, ast.Div(), divisor):
                parts = (dividend, divisor)
            case ast.Call(ast.Attribute(ast.Name("torch"), name), [dividend, divisor]) if name in DIVIDING:
                parts = (dividend, divisor)
            case ast.Call(ast.Attribute(dividend, name), [divisor]) if name in DIVIDING:
                parts = (dividend, divisor)
        # Python itself refuses to divide a number of its own by 0.
        if (
            isinstance(node, ast.stmt | ast.expr)
            and parts
            and self._number(parts[1]) == 0
            and self._number(parts[0]) is None
        ):
            yield node, parts[1]
        for inner in ast.iter_child_nodes(node):
            yield from self._of(inner)

    def _keep(self, statement: ast.stmt) -> None:
        """Know what a statement gives a name, and no longer what that was before."""
        number = None
        match statement:
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), value=ast.expr() as value):
                number = self._number(value)
        self._forget(statement)
        if number is not None:
            self.known[name] = number

    def _forget(self, statement: ast.stmt) -> None:
        for name in stored_in(statement):
            self.known.pop(name, None)

    def _number(self, node: ast.expr) -> float | None:
        """What a piece of source computes of numbers that are known, 1 for what is true; None where it is uncertain."""
        match node:
            case ast.Constant(int() | float() as value) if abs(value) <= LARGEST:
                return float(value)
            case ast.Name(name):
                return self.known.get(name)
            case ast.UnaryOp(ast.USub() | ast.Not() as sign, operand):
                number = self._number(operand)
                if number is None:
                    return None
                return float(not number) if isinstance(sign, ast.Not) else -number
            case ast.BinOp(left, sign, right) if type(sign) in OPERATORS:
                one, other = self._number(left), self._number(right)
                return None if one is None or other is None else OPERATORS[type(sign)](one, other)
            case ast.Compare(left, [sign], [right]) if type(sign) in COMPARISONS:
                one, other = self._number(left), self._number(right)
                return None if one is None or other is None else float(COMPARISONS[type(sign)](one, other))
            case ast.BoolOp(sign, values):
                deciding = isinstance(sign, ast.Or)
                found = [self._number(each) for each in values]
                if any(number is not None and bool(number) is deciding for number in found):
                    return float(deciding)
                return None if None in found else float(not deciding)
            case _:
                return None
