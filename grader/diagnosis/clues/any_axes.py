"""What counts on an axis that an argument has in some cases and not in others."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.diagnosis.clues.arguments import parameter
from grader.diagnosis.places.shapes import whole_shape
from grader.diagnosis.places.statements import Told, asked
from grader.diagnosis.places.texts import short, written
from grader.model.check import Question
from grader.model.observation import Fault
from grader.model.pack import Draw
from grader.model.syntax import stored_in, walk
from grader.model.text import clean
from grader.words import say

# What has the shape of what it is made of.
LIKE = {"clone", "zeros_like", "ones_like", "empty_like"}
OF_AXES = ("IndexError", "ValueError")


def counts_on(question: Question, tree: ast.Module) -> Told | None:
    """What to say of the first loop over an axis that an argument may not have, or of its shape unpacked; the line."""
    of, varying = question.step.of, _varying(question)
    given = enumerate(question.case.template.inputs)
    names = {parameter(tree, of, place, name) for place, name in given if name in varying}
    for function in asked(tree, of):
        known = names - stored_in(function)
        known |= {alike for node in walk(function) for alike in _alike(node, known)}
        for node in walk(function):
            code, name = _counting(node)
            if code is not None and name in known:
                return say("judge.any-axes", code=short(code), name=clean(name, 60)), code.lineno
    return None


def counts_on_where_raised(question: Question, fault: Fault, tree: ast.Module) -> str:
    """What to say of that where it raises; "" elsewhere."""
    found = counts_on(question, tree) if fault.type in OF_AXES and fault.frames else None
    return found[0] if found is not None and found[1] == fault.frames[-1].line else ""


def _varying(question: Question) -> set[str]:
    """The arguments that have more axes in some of a function's cases than in others."""
    names = {name for each in question.exercise.steps if each.of == question.step.of for name in each.cases}
    cases = [case for name, case in question.exercise.cases.items() if name in names]
    ranks: dict[str, set[int]] = {}
    for name, drawn in (item for case in cases for item in case.inputs.items()):
        if isinstance(drawn, Draw) and drawn.shape:
            ranks.setdefault(name, set()).add(len(drawn.shape))
    return {name for name, found in ranks.items() if len(found) > 1}


def _alike(node: ast.AST, known: set[str]) -> Iterator[str]:
    """The name that is given something of the same shape as one of these."""
    match node:
        case ast.Assign([ast.Name(name)], ast.Call(ast.Attribute(ast.Name(owner), method), given)) if method in LIKE:
            if owner in known or any(written(each) in known for each in given):
                yield name


def _counting(node: ast.AST) -> tuple[ast.expr | ast.stmt | None, str]:
    """What goes through an axis behind the first, or unpacks a shape, and the name of what has it."""
    match node:
        case ast.For(_, ast.Call(ast.Name("range"), [end]) as code):
            match end:
                case ast.Subscript(ast.Attribute(ast.Name(name), "shape"), ast.Constant(int(axis))) if axis > 0:
                    return code, name
                case ast.Call(ast.Attribute(ast.Name(name), "size"), [ast.Constant(int(axis))]) if axis > 0:
                    return code, name
                case ast.Call(ast.Name("len"), [ast.Subscript(ast.Name(name), ast.Constant(0))]):
                    return code, name
        case ast.Assign([ast.Tuple(targets)], value) if not any(isinstance(each, ast.Starred) for each in targets):
            return node, whole_shape(value)
    return None, ""
