"""Shares that do not sum to 1: exponentials divided by another number than their sum, or weights raised to a power."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from grader.diagnosis.clues.reductions import adds_up_itself
from grader.diagnosis.places.shares import as_given, is_of_shares
from grader.diagnosis.places.statements import Told, asked, functions_of
from grader.diagnosis.places.texts import short, written
from grader.model.syntax import called_in, walk
from grader.words import say

LARGEST = {"max", "amax"}
# What adds up numbers, or has them sum to 1, is called so.
ADDING = re.compile(r"sum|softmax|norm|mean")


def shares_spoilt(tree: ast.Module, of: str, numbers: Collection[str]) -> Told | None:
    """What to say of what is no share of a whole, and the line. numbers: the function's arguments that are such."""
    return adds_up_itself(tree, of) or by_the_largest(tree, of) or to_a_power(tree, of, numbers)


def by_the_largest(tree: ast.Module, of: str) -> Told | None:
    """What to say of exponentials that are divided by the largest of them, where nothing is ever added up."""
    for function in functions_of(tree, of):
        nodes = walk(function)
        if any(map(_adds_up, nodes)):
            continue
        for node in nodes:
            match node:
                case ast.BinOp(above, ast.Div(), below) if _is_exponential(as_given(above, function, node.lineno)):
                    largest = _largest(as_given(below, function, node.lineno))
                case _:
                    continue
            if largest is not None and written(largest[0]) == written(above):
                return say("judge.by-the-largest", code=short(node), due=short(largest[1])), node.lineno
    return None


def _adds_up(node: ast.AST) -> bool:
    return isinstance(node, ast.AugAssign) or (isinstance(node, ast.Call) and bool(ADDING.search(called_in(node))))


def _is_exponential(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and called_in(node) == "exp"


def _largest(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """Of what an expression is the largest number, or that of each row, and the same as a sum; None for another."""
    match node:
        case ast.Attribute(ast.Call() as call, "values") | ast.Subscript(ast.Call() as call, ast.Constant(0)):
            return _largest(call)
        case ast.Call(ast.Attribute(ast.Name("torch") as torch, name), [of, *axes] as given, named) if name in LARGEST:
            return (of, ast.Call(ast.Attribute(torch, "sum"), given, named)) if all(map(_is_an_axis, axes)) else None
        case ast.Call(ast.Attribute(of, name), given, named) if name in LARGEST and all(map(_is_an_axis, given)):
            return of, ast.Call(ast.Attribute(of, "sum"), given, named)
        case ast.Call(ast.Name("max"), [of], []):
            return of, ast.Call(ast.Name("sum"), [of], [])
        case _:
            return None


def _is_an_axis(node: ast.expr) -> bool:
    """Whether an argument counts axes; another may be what the numbers are compared to."""
    return isinstance(node, ast.Constant | ast.UnaryOp)


def to_a_power(tree: ast.Module, of: str, numbers: Collection[str]) -> Told | None:
    """What to say of weights that are handed back raised to an argument of the function that was asked."""
    for function in asked(tree, of):
        for node in walk(function):
            match as_given(node.value, function, node.lineno) if isinstance(node, ast.Return) and node.value else None:
                case (
                    ast.BinOp(weights, ast.Pow(), ast.Name(factor))
                    | ast.Call(ast.Attribute(ast.Name("torch"), "pow"), [weights, ast.Name(factor)])
                    | ast.Call(ast.Attribute(weights, "pow"), [ast.Name(factor)])
                ) as raised if factor in numbers and is_of_shares(weights, function, tree, blended=False):
                    return say("judge.shares-to-a-power", code=short(raised), factor=factor), raised.lineno
    return None
