"""What the source says of an error whose own message does not say enough, and the line that says it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.judge import sentences
from grader.judge.diagnosis.places.statements import methods, written
from grader.judge.diagnosis.remarks import Quoted, divided_by_heads
from grader.model.observation import Fault
from grader.model.text import clean
from grader.words import say

NOT_MULTIPLIED = "mat1 and mat2 shapes cannot be multiplied"
MADE_OF_WIDTHS = {"Linear", "rand", "randn", "empty", "zeros", "ones"}


def cause(fault: Fault | None, tree: ast.Module | None, of: str, text: str, is_fresh: bool) -> tuple[str, int] | None:
    """What there is to say of an error, and a line; None where nothing is certain. text: of the line that failed."""
    if fault is None or tree is None:
        return None
    if sentences.wants_whole_number(fault) and not is_fresh and (quotient := divided_by_heads(tree)):
        return say("judge.no-whole-number", code=clean(quotient.code, 60)), quotient.line
    if fault.message.startswith(NOT_MULTIPLIED) and (turned := widths_turned(tree, of, text)):
        return say("judge.widths-turned", code=clean(turned.code, 60)), turned.line
    return None


def widths_turned(tree: ast.Module, of: str, text: str) -> Quoted | None:
    """Where a class has d_out before d_in: in `__init__` itself, or for what the line that failed uses. text: of it."""
    for init in methods(tree, of, "__init__"):
        given = [each.arg for each in init.args.args[1:3]]
        for target, made in _made_of_widths(init):
            widths = [each.id for each in made.args[:2] if isinstance(each, ast.Name)]
            is_used = f"self.{target}" in text and f"self.{target}." not in text
            if is_used and (given, widths) == (["d_in", "d_out"], ["d_out", "d_in"]):
                return Quoted(written(made), made.lineno)
            if is_used and (given, widths) == (["d_out", "d_in"], ["d_in", "d_out"]):
                return Quoted("__init__(self, d_out, d_in)", init.lineno)
    return None


def _made_of_widths(init: ast.FunctionDef) -> Iterator[tuple[str, ast.Call]]:
    """The attributes that are made of two widths, each with the call that makes it."""
    for node in ast.walk(init):
        match node:
            case ast.Assign([ast.Attribute(ast.Name("self"), target)], value):
                for call in ast.walk(value):
                    match call:
                        case ast.Call(ast.Attribute(attr=name) | ast.Name(name)) if name in MADE_OF_WIDTHS:
                            yield target, call
