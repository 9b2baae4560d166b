"""Where a case's own numbers make a divisor 0."""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from grader.judge.diagnosis.places.statements import Told, asked
from grader.judge.diagnosis.places.texts import short
from grader.model.syntax import walk
from grader.words import heard, say

DIVIDING = {"div", "div_", "divide", "divide_", "true_divide", "true_divide_"}
OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


def divided_by_zero(tree: ast.Module, of: str, given: Mapping[str, float]) -> Told | None:
    """What to say of the first division by what is 0 in a case. given: its numbers, by the function's own names."""
    for function in asked(tree, of):
        known = dict(given)
        nodes = sorted((n for n in walk(function) if isinstance(n, ast.stmt | ast.expr)), key=lambda n: n.lineno)
        stored = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        for name in known.keys() & stored.keys():  # which is another number from there on
            del known[name]
        for node in nodes:
            match node:
                case ast.Assign([ast.Name(name)], value) if stored[name] == 1:
                    number = _number(value, known)
                    known |= {name: number} if number is not None else {}
        for code, divisor in _divisions(nodes):
            if _number(divisor, known) == 0:
                return say("judge.divided-by-zero", code=short(code), divisor=short(divisor)), code.lineno
    return None


def is_divided_by_zero(notes: Iterable[str]) -> bool:
    """Whether a step's notes say so."""
    return any(heard("judge.divided-by-zero", note) is not None for note in notes)


def _divisions(nodes: list[ast.stmt | ast.expr]) -> Iterator[tuple[ast.stmt | ast.expr, ast.expr]]:
    """What divides, each with what by."""
    for node in nodes:
        match node:
            case ast.BinOp(_, ast.Div(), divisor) | ast.AugAssign(_, ast.Div(), divisor):
                yield node, divisor
            case ast.Call(ast.Attribute(ast.Name("torch"), name), [_, divisor]) if name in DIVIDING:
                yield node, divisor
            case ast.Call(ast.Attribute(attr=name), [divisor]) if name in DIVIDING:
                yield node, divisor


def _number(node: ast.expr, known: Mapping[str, float]) -> float | None:
    """What a piece of source computes of numbers that are known; None where that is not certain."""
    match node:
        case ast.Constant(int() | float() as value):
            return float(value)
        case ast.Name(name):
            return known.get(name)
        case ast.UnaryOp(ast.USub(), operand):
            number = _number(operand, known)
            return None if number is None else -number
        case ast.BinOp(left, sign, right) if type(sign) in OPERATORS:
            one, other = _number(left, known), _number(right, known)
            return None if one is None or other is None else OPERATORS[type(sign)](one, other)
        case _:
            return None
