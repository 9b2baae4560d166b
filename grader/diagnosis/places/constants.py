"""The numbers that a file gives a name once and for all, as by `AXIS = 0`: handed on by that name, they are meant."""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from grader.model.syntax import dotted, walk

# What is given a new value under its own name, beside what an assignment gives it.
GIVEN = (ast.Store, ast.Del)


@dataclass(frozen=True, slots=True)
class Constants:
    """By each name, as it is written, the number and the line that gives it. argument: what finds them in a text."""

    values: dict[str, tuple[str, int]]
    argument: re.Pattern[str] | None

    def put_in(self, text: str) -> tuple[str, int]:
        """A text with the numbers where it hands on a name of theirs, and the line that gives the first; 0 for none."""
        if self.argument is None:
            return text, 0
        found = self.argument.search(text)
        put = self.argument.sub(lambda match: f"{match[1]}{self.values[match[2]][0]}", text)
        return put, self.values[found[2]][1] if found else 0


@lru_cache(maxsize=4)
def constants(tree: ast.Module) -> Constants:
    """The names that a file, or a class of it by `self`, gives a number and never anything else."""
    times: Counter[str] = Counter()
    values: dict[str, tuple[str, int]] = {}
    within = {id(node) for body in tree.body for node in walk(body) if node is not body}
    for node in walk(tree):
        match node:
            case ast.Name(name, ctx) | ast.Attribute(ast.Name("self"), name, ctx) if isinstance(ctx, GIVEN):
                times[dotted(node)] += 1
            case ast.arg(name):
                times[name] += 1
        match node:
            case ast.Assign([ast.Name(name)], value) if id(node) not in within and _is_number(value):
                values[name] = ast.unparse(value), node.lineno
            case ast.Assign([ast.Attribute(ast.Name("self")) as target], value) if _is_number(value):
                values[dotted(target)] = ast.unparse(value), node.lineno
    values = {name: value for name, value in values.items() if times[name] == 1}
    names = "|".join(re.escape(name) for name in sorted(values, key=len, reverse=True))
    return Constants(values, re.compile(rf"(=|, |\()({names})(?=[,)])") if names else None)


def _is_number(value: ast.expr) -> bool:
    match value:
        case ast.Constant(number) | ast.UnaryOp(ast.USub(), ast.Constant(number)):
            return type(number) in (int, float)
        case _:
            return False
