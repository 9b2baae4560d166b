"""What in the source keeps a gradient from flowing back."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from grader.diagnosis.places.statements import Statement, Told, outside_init, statements_of
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.source.used import nodes_of
from grader.model.text import clean
from grader.words import say

# Modes in which nothing is remembered for a gradient; the last only where it is given False.
MODES = re.compile(r"(^|\.)(no_grad|inference_mode)\b|(^|\.)set_grad_enabled\(False\)")
# By a name and what stands behind it in brackets, one within another at most.
LOST = re.compile(
    r"[\w.]*(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\][\w.]*)*\.(?:detach_?\(\)|data\b|numpy\(\)|item\(\)|tolist\(\))|(?<![\w.])(?:torch\.)?(?:from_numpy|tensor)\((?!self\.\w+\)|[\d.]+\)|float\(|math\.)"
)
# A number of the module's own, or a size; and what gives one a name.
SIZE = re.compile(r"self\.\w+[,)]|[\d.]+,|[\w.]+\.(?:shape\[[^\]]*\]|size\([^()]*\))[,)]|len\(")
SIZED = re.compile(r"\.shape\b(?:\[[^\]]*\])?$|\.size\([^()]*\)$|^len\([^()]*\)$|^self\.\w+$")

# What makes something to be learnt, or draws the numbers that it begins with.
MAKING = re.compile(r"(?<!\w)(Parameter|Linear|rand|randn|rand_like|randn_like|empty)\(")


def cut_off(tree: ast.Module, of: str) -> Told | None:
    """What there is to say of what no gradient goes through, and the line.

    That is a mode without gradients, a weight that is made anew, or a tensor that is taken out of its graph.
    """
    for node in nodes_of(tree, of):
        match node:
            case ast.With(items):
                modes = [item.context_expr for item in items]
            case ast.FunctionDef(name, decorator_list=modes) if name != "__init__":
                pass
            case _:
                continue
        for mode in modes:
            if MODES.search(written(mode)):
                return say("judge.under-no-grad", code=short(mode)), mode.lineno
    if anew := _made_anew(tree, of):
        return say("judge.made-anew", code=short(anew.node)), anew.line
    for statement in outside_init(statements_of(tree, of)):
        if statement.target.startswith("self."):  # as what is kept for a plot
            continue
        for lost in LOST.finditer(statement.text):
            if not _is_of_a_number(statement.text[lost.end() :], statements_of(tree, of)):
                return say("judge.no-gradient-through", code=clean(lost[0].rstrip("("), 60)), statement.line
    return None


def _is_of_a_number(given: str, statements: Sequence[Statement]) -> bool:
    """Whether what a call is given, from its bracket on, is a size, through which no gradient could go anyway."""
    if SIZE.match(given):
        return True
    named = re.match(r"(\w+)[,)]", given)
    sizing = (s for s in statements if named and re.search(rf"\b{named[1]}\b", s.target))
    return any(SIZED.search(s.value) for s in sizing)


def _made_anew(tree: ast.Module, of: str) -> Statement | None:
    """Where a call makes what `__init__` has made, under its name or as a variable called like it."""
    statements = statements_of(tree, of)
    made = [s for s in statements if s.function == "__init__"]
    kept = {s.target for s in made if s.target.startswith("self.") and MAKING.search(s.value)}
    names = {*kept, *(name.removeprefix("self.") for name in kept)}
    called = {s.function for s in statements if any(f"self.{s.function}(" in each.text for each in made)}
    return next(
        (
            s
            for s in outside_init(statements)
            if s.function not in called and s.target.removesuffix(".weight") in names and MAKING.search(s.value)
        ),
        None,
    )
