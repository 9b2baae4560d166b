"""Where random vectors are drawn once that each trial needs anew."""

from __future__ import annotations

import ast

from grader.judge.diagnosis.places.statements import Told, asked
from grader.judge.diagnosis.places.texts import short, written
from grader.model.syntax import walk
from grader.words import say

DRAWING = {"randn", "normal"}
REPEATING = (ast.For, ast.While, ast.comprehension, ast.ListComp, ast.GeneratorExp, ast.FunctionDef, ast.Lambda)


def drawn_once(tree: ast.Module, of: str, width: str) -> Told | None:
    """What to say of the first vector that a function draws outside any loop, beside others that it draws otherwise.

    width: the argument that says how wide a vector is.
    """
    for function in asked(tree, of):
        repeated = {id(node) for loop in walk(function)[1:] if isinstance(loop, REPEATING) for node in walk(loop)}
        draws = [node for node in walk(function) if isinstance(node, ast.Call) and _draws(node)]
        alone = [node for node in draws if id(node) not in repeated and _is_vector(node, width)]
        if alone and len(draws) > len(alone):
            return say("judge.drawn-once", code=short(alone[0])), alone[0].lineno
    return None


def _draws(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in DRAWING


def _is_vector(call: ast.Call, width: str) -> bool:
    """Whether what is drawn is one vector: `randn(dim)`, `randn(1, dim)`, or that of a tuple."""
    given = [*call.args, *(each.value for each in call.keywords if each.arg == "size")]
    shape = [part for each in given for part in (each.elts if isinstance(each, ast.Tuple | ast.List) else [each])]
    return [written(part) for part in shape if written(part) != "1"] == [width]
