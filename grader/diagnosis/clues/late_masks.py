"""Masks that come late: minus infinity in what softmax gives, and a triangle that is cut out of exponentials.

Whatever fills it in: there, or in a function of one's own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Set
from typing import TypeGuard

from grader.diagnosis.places.patterns import SOFTMAX
from grader.diagnosis.places.shares import as_given, is_of_shares, last_given
from grader.diagnosis.places.statements import Told, functions_of
from grader.diagnosis.places.texts import short, written
from grader.model.syntax import called_in, dotted, positional, read_in, walk
from grader.words import say

# As in `-torch.inf`, `-math.inf` and `float("-inf")`.
INFINITE = re.compile(r"- ?(\w+\.)*inf(inity)?\b|['\"]-inf")
# A mere name for it: no tensor that has it in places.
NAMED = re.compile(r"(\w+\.)*(float|tensor)?\(?(- ?(\w+\.)*inf(inity)?|['\"]-inf(inity)?['\"])\)?")
# What hides scores by a mask, and what a triangle is cut out of to be one.
MASKED = re.compile(r"masked_fill|where\(|mask|tril|ones|full|zeros")
FILLING = {"masked_fill", "masked_fill_", "fill_", "index_fill", "index_fill_"}


def filled_late(tree: ast.Module, of: str) -> Told | None:
    """What to say of the first minus infinity that is filled into shares, and of no scores, and the line."""
    functions = functions_of(tree, of)
    kept = _names_of_infinity(tree)
    places = {each.name: place for each in functions if (place := _place_filled(each, kept)) is not None}
    for function in functions:
        last = max((node.lineno for node in walk(function) if _is_softmax(node)), default=0)
        filled = [*_filled(function, kept), *_filled_by_call(function, places)]
        for code, base in sorted(filled, key=lambda each: each[0].lineno):
            if code.lineno >= last and is_of_shares(base, function, tree, blended=False):
                return say("judge.masked-late", code=short(code)), code.lineno
    return None


def kept_above(tree: ast.Module, of: str) -> Told | None:
    """What to say of the one triangle that is cut out of exponentials themselves, where no mask is made, and the line.

    Of another diagonal neither what is said nor what is to be written would be true.
    """
    for function in functions_of(tree, of):
        cuts = [node for node in walk(function) if isinstance(node, ast.Call) and called_in(node) in ("triu", "triu_")]
        if len(cuts) != 1 or MASKED.search(written(function)):
            continue
        (cut,) = cuts
        given, is_function = [*cut.args], dotted(cut.func).partition(".")[0] in ("torch", "triu")
        whole = given.pop(0) if is_function and given else getattr(cut.func, "value", None)
        diagonals = [*given, *(each.value for each in cut.keywords)]
        made = as_given(whole, function, cut.lineno) if whole is not None else None
        is_exponential = isinstance(made, ast.Call) and called_in(made) in ("exp", "softmax")
        if is_exponential and all(written(each) == "0" for each in diagonals):
            return say("judge.kept-above", code=short(cut)), cut.lineno
    return None


def _is_softmax(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and bool(SOFTMAX.search(f"{written(node.func)}("))


def _names_of_infinity(tree: ast.Module) -> set[str]:
    """The names that are given minus infinity, and nothing beside it."""
    given = (node for node in walk(tree) if isinstance(node, ast.Assign) and NAMED.fullmatch(written(node.value)))
    return {dotted(target) for node in given for target in node.targets} - {""}


def _filled(function: ast.FunctionDef, kept: Set[str]) -> Iterator[tuple[ast.stmt | ast.expr, ast.expr]]:
    """Where minus infinity is filled in or added, and into what."""

    def is_infinite(node: ast.expr) -> bool:
        return bool(INFINITE.search(written(node))) or dotted(node) in kept

    def has_infinity(node: ast.expr) -> bool:
        made = last_given(node.id, function, node.lineno) if isinstance(node, ast.Name) else None
        return is_infinite(node) or (made is not None and (is_infinite(made) or not kept.isdisjoint(read_in(made))))

    for node in walk(function):
        match node:
            case ast.Assign([ast.Subscript(ast.Name() as base)], value) if is_infinite(value):
                yield node, base
            case ast.Call(ast.Attribute(ast.Name("torch"), "where"), [_, one, other]) if is_infinite(one):
                yield node, other
            case ast.Call(ast.Attribute(ast.Name("torch"), "where"), [_, one, other]) if is_infinite(other):
                yield node, one
            case ast.Call(ast.Attribute(base, "where"), [_, other]) if is_infinite(other):
                yield node, base
            case ast.Call(ast.Attribute(ast.Name("torch"), name), [base, *_, value]) if name in FILLING:
                if is_infinite(value):
                    yield node, base
            case ast.Call(ast.Attribute(base, name), [*_, value]) if name in FILLING and is_infinite(value):
                yield node, base
            case ast.Call(ast.Attribute(base, name), _, [*_, ast.keyword("value", value)]) if name in FILLING:
                if is_infinite(value):
                    yield node, base
            case ast.BinOp(base, ast.Add(), added) | ast.AugAssign(base, ast.Add(), added) if has_infinity(added):
                yield node, base


def _filled_by_call(function: ast.FunctionDef, places: Mapping[str, int]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Where what a function is given is handed to another one that fills it and does no more, and what that is.

    places: of these others, the place of the argument that each fills.
    """
    for node in walk(function):
        if isinstance(node, ast.Call):
            name = dotted(node.func)
            place = places.get(name.removeprefix("self."))
            if place is not None and place < len(node.args):
                yield node, node.args[place]


def _place_filled(function: ast.FunctionDef, kept: Set[str]) -> int | None:
    """The place of the argument that a function fills with minus infinity; None where it does not, or has softmax."""
    if any(_is_softmax(node) for node in walk(function)):
        return None
    names = [name for name in positional(function) if name != "self"]
    for _, base in _filled(function, kept):
        found: ast.expr | None = base
        if isinstance(base, ast.Name) and base.id not in names:
            found = last_given(base.id, function, base.lineno)
        if isinstance(found, ast.Call) and isinstance(found.func, ast.Attribute):
            found = found.func.value  # as of a clone
        if isinstance(found, ast.Name) and found.id in names:
            return names.index(found.id)
    return None
