"""Roots that the source divides by where none is due: too late, once more, or at all; and what was to be one.

Or what one was to be taken of.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass

from grader.diagnosis.clues.heads import HEAD_COUNT
from grader.diagnosis.places.patterns import DIVIDING, ROOT
from grader.diagnosis.places.shares import is_of_shares, last_given
from grader.diagnosis.places.statements import Told, functions_of, statements_of
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.source.used import nodes_of
from grader.model.syntax import dotted, read_in, stored_in, walk
from grader.model.text import clean
from grader.words import say

# A root, or what takes one by itself.
TAKEN = re.compile(rf"{ROOT.pattern}|scaled_dot_product")
# A root of what was measured, such as a length, and not of a width.
MEASURED = re.compile(r"(sum|mean|var|std|norm)\(")
# Another way to take one.
POWER = re.compile(r"pow\w*\(")
RAISED = re.compile(rf"{TAKEN.pattern}|{POWER.pattern}|\*\*")
# What is a size, and is computed of nothing.
WIDTH = re.compile(r"(self\.)?[a-zA-Z_]\w*|[\w.]+\.(shape\[-?\d\]|size\(-?\d\))")


@dataclass(frozen=True)
class _Division:
    """A division by a root. code: as it stands. divided: what is divided. function: the one that it stands in."""

    code: ast.stmt | ast.expr
    divided: ast.expr
    function: ast.FunctionDef


def late(tree: ast.Module, of: str) -> Told | None:
    """What to say of a root that divides what softmax gives, or what is made of that, where no other one is taken."""
    found = _divisions(tree, of)
    rooted = [root for s in statements_of(tree, of) for root in TAKEN.findall(s.text)]
    if len(found) != 1 or len(rooted) != 1 or not _is_late(found[0], tree):
        return None
    return say("judge.scaled-late", code=short(found[0].code)), found[0].code.lineno


def _is_late(division: _Division, tree: ast.Module) -> bool:
    return is_of_shares(division.divided, division.function, tree, blended=True)


def twice(tree: ast.Module, of: str) -> Told | None:
    """What to say of a root that divides what comes of a function of the file's that divides by one already."""
    found = _divisions(tree, of)
    dividing = {each.function.name for each in found} - {of, "forward"}
    for each in (each for each in found if each.function.name not in dividing):
        divided: ast.expr | None = each.divided
        if isinstance(divided, ast.Name):
            divided = last_given(divided.id, each.function, each.code.lineno)
        name = dotted(divided.func) if isinstance(divided, ast.Call) else ""
        if name.removeprefix("self.") in dividing:
            said = say("judge.scaled-twice", code=short(each.code), name=clean(name, 60))
            return said, each.code.lineno
    return None


def needless(tree: ast.Module, of: str) -> Told | None:
    """What to say of the first root that a definition divides by, where nothing is to be scaled."""
    found = next(iter(_divisions(tree, of)), None)
    return (say("judge.scaled-needlessly", code=short(found.code)), found.code.lineno) if found else None


def halved(tree: ast.Module, of: str) -> Told | None:
    """What to say of the first `x ** 1 / 2`, or `// 2`, of which Python takes the power first."""
    for node in nodes_of(tree, of):
        match node:
            case ast.BinOp(left, ast.Div() | ast.FloorDiv() as by, ast.Constant(2)):
                power = left.right if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mult | ast.Div) else left
                if isinstance(power, ast.BinOp) and isinstance(power.op, ast.Pow) and written(power.right) == "1":
                    due = clean(f"{written(power.left)} ** 0.5", 60)
                    return say(
                        "judge.halved", code=f"{short(power)} {'/' if isinstance(by, ast.Div) else '//'} 2", due=due
                    ), node.lineno
    return None


def takes_a_root(tree: ast.Module, of: str) -> bool:
    """Whether a definition, or what it makes use of, takes a root of anything, of whatever degree."""
    return any(RAISED.search(statement.text) for statement in statements_of(tree, of))


def rootless(tree: ast.Module, of: str) -> Told | None:
    """What to say of the one division by a width as it is, where nothing takes a root; the line is known already."""
    texts = [statement.text for statement in statements_of(tree, of)]
    if any(TAKEN.search(text) or POWER.search(text) for text in texts):
        return None
    found: list[tuple[ast.AST, ast.expr]] = []
    for function in functions_of(tree, of):
        measured = _measured(function)
        for node in walk(function):
            match node:
                case ast.BinOp(_, ast.Div(), by) | ast.AugAssign(_, ast.Div(), by):
                    found.append((node, by))
                case ast.Call(ast.Attribute(_, name), [by, *_]) if name in DIVIDING:
                    found.append((node, by))
                case _:
                    continue
            name = written(by)
            if not WIDTH.fullmatch(name) or name in measured or HEAD_COUNT.fullmatch(name):
                return None
    if len(found) != 1:
        return None
    ((code, by),) = found
    due = clean(f"{written(by)} ** 0.5", 60)
    return say("judge.rootless", code=short(code, written(by)), due=due), 0


def floored(tree: ast.Module, of: str) -> Told | None:
    """What to say of the first division by a root that is rounded down, and the line."""
    functions = functions_of(tree, of)
    kept = {name for function in functions for name in _roots(function) if "." in name}
    for function in functions:
        roots = kept | _roots(function)
        for node in walk(function):
            match node:
                case ast.BinOp(left, ast.FloorDiv(), by) if dotted(by) in roots or _is_root(by, set()):
                    due = f"{written(left)} / {written(by)}"
                case ast.AugAssign(target, ast.FloorDiv(), by) if dotted(by) in roots or _is_root(by, set()):
                    due = f"{written(target)} /= {written(by)}"
                case _:
                    continue
            return say("judge.floored", code=short(node), due=clean(due, 80)), node.lineno
    return None


def _divisions(tree: ast.Module, of: str) -> list[_Division]:
    """What a definition, and what it makes use of, divides by a root, or multiplies by the inverse of one."""
    functions = functions_of(tree, of)
    kept = {name for function in functions for name in _roots(function) if "." in name}
    return [each for function in functions for each in _divisions_in(function, kept | _roots(function))]


def _roots(function: ast.FunctionDef) -> set[str]:
    """The variables and attributes that are given a mere root."""
    measured = _measured(function)
    return {
        dotted(target)
        for node in walk(function)
        if isinstance(node, ast.Assign) and _is_root(node.value, measured) and not _computes(node.value)
        for target in node.targets
    } - {""}


def _measured(function: ast.FunctionDef) -> set[str]:
    """The variables that are given what is measured."""
    assigned = (
        node for node in walk(function) if isinstance(node, ast.Assign) and MEASURED.search(written(node.value))
    )
    return {name for node in assigned for target in node.targets for name in stored_in(target)}


def _is_root(node: ast.expr, measured: Set[str]) -> bool:
    """Whether an expression has a root in it, and that of nothing measured."""
    text = written(node)
    return bool(ROOT.search(text)) and not MEASURED.search(text) and measured.isdisjoint(read_in(node))


def _divisions_in(function: ast.FunctionDef, roots: Set[str]) -> Iterator[_Division]:
    measured = _measured(function)

    def is_root(node: ast.expr) -> bool:
        return dotted(node) in roots or _is_root(node, measured)

    for node in walk(function):
        match node:
            case ast.BinOp(divided, ast.Div(), by) if is_root(by):
                yield _Division(node, divided, function)
            case ast.BinOp(divided, ast.Mult(), ast.BinOp(_, ast.Pow(), ast.UnaryOp(ast.USub())) as by) if is_root(by):
                yield _Division(node, divided, function)
            case ast.AugAssign(ast.Name() as divided, ast.Div(), by) if is_root(by):
                yield _Division(node, divided, function)
            case ast.Call(ast.Attribute(divided, name), [by, *_]) if name in DIVIDING and is_root(by):
                yield _Division(node, divided, function)


def _computes(node: ast.expr) -> bool:
    """Whether an expression multiplies tensors or divides, and is no mere root."""
    return any(isinstance(each, ast.BinOp) and isinstance(each.op, ast.MatMult | ast.Div) for each in walk(node))
