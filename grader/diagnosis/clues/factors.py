"""Scores that are scaled by one number for all widths."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from grader.diagnosis.places.patterns import DIVIDING, PRODUCT, ROLES
from grader.diagnosis.places.shares import last_given
from grader.diagnosis.places.statements import Told, functions_of
from grader.diagnosis.places.texts import short, written
from grader.model.syntax import arguments_in, dotted, read_in, walk
from grader.words import say

TIMES = {"mul", "mul_", "multiply", "multiply_"}
ROOTS = {"sqrt", "rsqrt", "sqrt_", "rsqrt_", "isqrt"}
POWERS = {"pow", "float_power"}
# What takes a root by itself.
ROOTED = re.compile(r"scaled_dot_product|scale=")
# What makes a tensor of a number, or another number of the same size.
WRAPPING = {"tensor", "float", "as_tensor", "scalar_tensor", "Tensor"}
OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
# What is counted, and no tensor.
COUNTED = re.compile(r"(\b|_)(shape|size|len|numel|d_\w+|dim|width|n|heads?)\b")
# So often scores are given a name.
MOST_STEPS = 4
# So deep nobody hides a number.
DEEPEST = 6


def by_a_number(tree: ast.Module, of: str) -> Told | None:
    """What to say of the first number that scores are scaled by, where no root is taken of what is no number."""
    stored = _stored(tree)
    readings = [_Reading(stored, function) for function in functions_of(tree, of)]
    if any(reading.takes_a_root() for reading in readings):
        return None
    for reading in readings:
        function = reading.function
        for code, scaled, factor, divides in _scalings(function) if function.name != "__init__" else ():
            number = reading.number(factor)
            if number is None or reading.number(scaled) is not None or not reading.is_scaled(scaled, divides=divides):
                continue
            if 0 < number < 1 or (divides and number != 1):  # what makes scores larger is no scale
                return say("judge.scaled-by-a-number", code=short(code)), code.lineno
    return None


def _scalings(function: ast.FunctionDef) -> Iterator[tuple[ast.stmt | ast.expr, ast.expr, ast.expr, bool]]:
    """What divides or multiplies, what is divided, what by, and whether it divides."""
    for node in walk(function):
        match node:
            case ast.BinOp(scaled, ast.Div(), by) | ast.AugAssign(ast.Name() as scaled, ast.Div(), by):
                yield node, scaled, by, True
            case ast.AugAssign(ast.Name() as scaled, ast.Mult(), by):
                yield node, scaled, by, False
            case ast.BinOp(left, ast.Mult(), right):
                yield node, left, right, False
                yield node, right, left, False
            case ast.Call(ast.Attribute(ast.Name("torch"), name), [scaled, by]) if name in DIVIDING | TIMES:
                yield node, scaled, by, name in DIVIDING
            case ast.Call(ast.Attribute(scaled, name), [by]) if name in DIVIDING | TIMES:
                yield node, scaled, by, name in DIVIDING


@dataclass
class _Reading:
    """What numbers a function has. stored: what each name of the file is given, None where nobody knows."""

    stored: Mapping[str, Sequence[ast.expr | None]]
    function: ast.FunctionDef
    _numbers: dict[ast.expr, float | None] = field(default_factory=dict)

    @cached_property
    def _local(self) -> Mapping[str, Sequence[ast.expr | None]]:
        return _stored(self.function)

    @cached_property
    def _arguments(self) -> Set[str]:
        return arguments_in(self.function)

    def takes_a_root(self) -> bool:
        """Whether a root is taken of what is no number that stands there, or may be."""
        return any(self._is_root(node) for node in walk(self.function))

    def _is_root(self, node: ast.AST) -> bool:
        match node:
            case ast.BinOp(base, ast.Pow(), by):
                power = self.number(by)
                return self.number(base) is None and (power is None or power % 1 != 0)
            case ast.Call(ast.Attribute(attr=name) | ast.Name(name)) if name in ROOTS | POWERS:
                return self.number(node) is None
            case ast.Call():
                return bool(ROOTED.search(written(node)))
        return False

    def number(self, node: ast.expr, depth: int = 0) -> float | None:
        """The number that an expression is, however wide anything is; None where it is none, or may be another."""
        if depth <= DEEPEST and node not in self._numbers:
            try:
                found = self._number(node, depth + 1)
            except (ArithmeticError, ValueError):
                found = None
            self._numbers[node] = found if isinstance(found, float) and math.isfinite(found) else None
        return self._numbers.get(node)

    def _number(self, node: ast.expr, depth: int) -> float | None:
        match node:
            case ast.Constant(int() | float() as value) if not isinstance(value, bool):
                return float(value)
            case ast.Name() | ast.Attribute():
                given = self._given(node, depth)
                return self.number(given, depth) if given is not None else None
            case ast.UnaryOp(ast.USub(), operand):
                number = self.number(operand, depth)
                return -number if number is not None else None
            case ast.BinOp(left, sign, right) if type(sign) in OPERATORS:
                one, other = self.number(left, depth), self.number(right, depth)
                return None if one is None or other is None else OPERATORS[type(sign)](one, other)
            case ast.Call(
                ast.Attribute(ast.Name("math" | "torch" | "np" | "numpy"), name) | ast.Name(name), [given, *_]
            ):
                number = self.number(given, depth)
                if number is None or name in WRAPPING:
                    return number
                return {"sqrt": number**0.5, "rsqrt": number**-0.5}.get(name)
        return None

    def _given(self, node: ast.Name | ast.Attribute, depth: int) -> ast.expr | None:
        """What a name was given last, where it is given numbers alone, or once in the file where it is not local."""
        name = dotted(node)
        if isinstance(node, ast.Name) and (local := self._local.get(name)):
            is_sure = all(each is not None and self.number(each, depth) is not None for each in local)
            return last_given(name, self.function, node.lineno) if is_sure else None
        if not name or name in self._arguments or (isinstance(node, ast.Attribute) and not name.startswith("self.")):
            return None
        stored = self.stored.get(name, ())
        return stored[0] if len(stored) == 1 else None

    def is_scaled(self, node: ast.expr, *, divides: bool) -> bool:
        """Whether what is divided or multiplied may be scores, or what they are made of."""
        text, made = written(node), node
        for _ in range(MOST_STEPS):  # as of scores that were masked
            while isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute):
                made = made.func.value
            given = last_given(made.id, self.function, made.lineno) if isinstance(made, ast.Name) else None
            if given is None:
                break
            text, made = f"{text} {written(given)}", given
        if ROLES["value"].search(written(node)) or (COUNTED.search(text) and not PRODUCT.search(text)):
            return False
        if divides:
            return isinstance(node, ast.Name) or bool(read_in(node) - {"math", "torch"})
        return any(pattern.search(text) for pattern in (PRODUCT, ROLES["query"], ROLES["key"]))


def _stored(tree: ast.AST) -> Mapping[str, Sequence[ast.expr | None]]:
    """What each name, or attribute of `self`, is given each time; None for what is no value alone, as in a loop."""
    found: dict[str, list[ast.expr | None]] = {}
    alone: dict[ast.expr, ast.expr | None] = {}
    for node in walk(tree):
        match node:
            case ast.Assign([target], value) | ast.AnnAssign(target, _, value):
                alone[target] = value
    for node in walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.setdefault(dotted(node), []).append(alone.get(node))
    return found
