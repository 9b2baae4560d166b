"""Statements whose result nobody keeps, each with what to write instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from grader.diagnosis.places.statements import Told, nodes_of_init
from grader.diagnosis.places.texts import written
from grader.diagnosis.source.used import definitions_of, nodes_of
from grader.model.syntax import LIBRARIES, holds, walk
from grader.model.text import clean
from grader.words import say

# Methods of a tensor's and functions of torch's that give another shape, and those that give other numbers.
SHAPING = {
    "transpose", "view", "reshape", "permute", "unsqueeze", "squeeze", "flatten", "unflatten", "swapaxes", "swapdims",
    "movedim", "moveaxis", "expand", "t",
}  # fmt: skip
COMPUTING = {
    "masked_fill", "softmax", "matmul", "bmm", "triu", "tril", "masked_scatter", "contiguous", "dropout", "div", "exp",
    "cat", "stack", "where",
}  # fmt: skip
MAKING = {"ones", "zeros", "rand", "randn", "rand_like", "arange", "full", "empty", "einsum", "sum", "mean", "var"}
LAYERS = {"Linear", "Dropout", "Softmax"}


def lost(tree: ast.Module, of: str, *, shaping: bool = False, word: re.Pattern[str] | None = None) -> Told | None:
    """What to say of the first result in a definition that nobody keeps.

    shaping: only of another shape. word: that its code has to have.
    """
    for definition in definitions_of(tree, of):
        layers = _layers(tree, definition.name)
        for call in _alone(definition):
            given = _given(call, layers)
            if given is None or (shaping and not _is_shaping(call)):
                continue
            code = clean(written(call), 80)
            if word and not word.search(code):
                continue
            if isinstance(given, ast.Name):  # under which the result belongs
                return say("judge.lost", code=code, name=clean(given.id, 60)), call.lineno
            return say("judge.lost-without-name", code=code), call.lineno
    return None


def lost_as(tree: ast.Module, of: str, name: str, line: int) -> Told | None:
    """What to ask where a line reads by a name what the statement before it may have computed, and nobody keeps."""
    for definition in definitions_of(tree, of):
        layers = _layers(tree, definition.name)
        for block in (getattr(node, part, None) for node in walk(definition) for part in ("body", "orelse")):
            pairs = pairwise(block) if isinstance(block, list) else ()
            before = next((one for one, other in pairs if holds(other, line) and not _is_compound(other)), None)
            match before:
                case ast.Expr(ast.Call() | ast.BinOp() as call) if _given(call, layers) or _makes(call, tree):
                    code = clean(written(call), 80)
                    return say("judge.lost-perhaps", code=code, name=clean(name, 60)), call.lineno
    return None


def _is_compound(statement: ast.stmt) -> bool:
    """Whether a statement holds others, so that not all of its lines are read at once."""
    return isinstance(getattr(statement, "body", None), list)


def compared(tree: ast.Module, of: str, name: str = "", word: re.Pattern[str] | None = None) -> Told | None:
    """What to say of the first `==` that stands where `=` is meant.

    name: of what stands left of it, where known. word: that the code right of it has to have.
    """
    for node in nodes_of(tree, of):
        match node:
            case ast.Expr(ast.Compare(ast.Name() | ast.Attribute() as left, [ast.Eq()], [value])):
                target = written(left)
                if (not name or target == name) and (word is None or word.search(written(value))):
                    due = clean(f"{target} = {written(value)}", 80)
                    return say("judge.compared", due=due), node.lineno
    return None


def _alone(definition: ast.AST) -> Iterator[ast.Call | ast.BinOp]:
    """The calls and sums that are statements of their own, in the order of their lines."""
    statements = [node for node in walk(definition) if isinstance(node, ast.Expr)]
    for statement in sorted(statements, key=lambda node: node.lineno):
        if isinstance(statement.value, ast.Call | ast.BinOp):
            yield statement.value


def _given(call: ast.Call | ast.BinOp, layers: set[str]) -> ast.expr | None:
    """What a call computes with, if it gives a new tensor and changes nothing; None else."""
    if isinstance(call, ast.BinOp):
        return call.left
    if any(keyword.arg in ("out", "inplace") for keyword in call.keywords):
        return None
    match call.func:
        case ast.Attribute(ast.Name("self"), name):
            return call.args[0] if name in layers and call.args else None
        case ast.Attribute(ast.Name(owner) | ast.Attribute(attr=owner), name) if owner in LIBRARIES:
            return call.args[0] if name in SHAPING | COMPUTING and call.args else None
        case ast.Attribute(owner, name):
            return owner if name in SHAPING | COMPUTING and not isinstance(owner, ast.Constant) else None
        case _:
            return None


def _makes(call: ast.Call | ast.BinOp, tree: ast.Module) -> bool:
    """Whether a call is one of torch's that gives a tensor, or of a function of the file's that gives something."""
    match call:
        case ast.Call(ast.Attribute(ast.Name(owner), name)):
            return owner in LIBRARIES and name in MAKING
        case ast.Call(ast.Name(name)):
            own = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
            return any(isinstance(node, ast.Return) and node.value for each in own for node in walk(each))
        case _:
            return False


def _is_shaping(call: ast.expr) -> bool:
    match call:
        case ast.Call(ast.Attribute(attr=name)):
            return name in SHAPING
        case _:
            return False


def _layers(tree: ast.Module, of: str) -> set[str]:
    """The attributes in which a class keeps a layer that gives a new tensor."""
    found = set()
    for node in nodes_of_init(tree, of):
        match node:
            case ast.Assign([ast.Attribute(ast.Name("self"), name)], ast.Call(func, args, keywords)):
                made = written(func).rpartition(".")[2]
                is_in_place = any(each.arg == "inplace" for each in keywords) or (made == "Dropout" and len(args) > 1)
                if made in LAYERS and not is_in_place:
                    found.add(name)
    return found
