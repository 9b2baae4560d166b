"""What the source says of a result or an error for which no known mistake is named."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache

from grader.judge.diagnosis.evidence import reached
from grader.judge.diagnosis.places.statements import written


@dataclass(frozen=True, slots=True)
class Quoted:
    """A piece of a student's source, and the line that it begins in."""

    code: str
    line: int


@lru_cache(maxsize=4)  # asked for every step of an exercise that fails
def infinite_product(tree: ast.Module, of: str) -> Quoted | None:
    """Where a definition multiplies something that may be 0 by infinity, which makes NaN."""
    for definition in reached(tree, of):
        for node in ast.walk(definition):
            match node:
                case ast.BinOp(left, ast.Mult(), right):
                    pairs = [(left, right), (right, left)]
                case ast.AugAssign(target, ast.Mult(), value):
                    pairs = [(target, value)]
                case _:
                    continue
            if any(_is_infinite(infinite) and _may_be_zero(other) for other, infinite in pairs):
                return Quoted(written(node), node.lineno)
    return None


def _is_infinite(node: ast.expr) -> bool:
    match node:
        case ast.UnaryOp(ast.USub(), operand):
            return _is_infinite(operand)
        case ast.Attribute(attr="inf") | ast.Name("inf"):
            return True
        case ast.Call(ast.Name("float"), [ast.Constant(str() as value)]):
            return value.strip("+- ").lower() in ("inf", "infinity")
        case _:
            return False


def _may_be_zero(node: ast.expr) -> bool:
    """Whether an expression is no number of the source's, and no tensor that is made full of one."""
    match node:
        case ast.UnaryOp(_, operand):
            return _may_be_zero(operand)
        case ast.Call(ast.Attribute(attr=name) | ast.Name(name)):
            return name not in ("ones", "full", "ones_like", "full_like", "new_ones", "new_full")
        case _:
            return not isinstance(node, ast.Constant)


@lru_cache(maxsize=4)
def divided_by_heads(tree: ast.Module) -> Quoted | None:
    """Where something is divided by the number of heads with `/`, which gives a float; None where more than once is."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(_, ast.Div(), ast.Name(name) | ast.Attribute(attr=name)) if "head" in name.lower():
                found.append(Quoted(written(node), node.lineno))
    return found[0] if len(found) == 1 else None
