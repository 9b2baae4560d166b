"""What in the source keeps a gradient from flowing back."""

from __future__ import annotations

import ast
import re

from grader.judge.diagnosis.places.statements import definitions_of, outside_init, statements_of, written
from grader.model.syntax import walk
from grader.model.text import clean
from grader.words import say

# Modes in which nothing is remembered for a gradient; the last only where it is given False.
MODES = re.compile(r"(^|\.)(no_grad|inference_mode)\b|(^|\.)set_grad_enabled\(False\)")
# By a name and what stands behind it in brackets, one within another at most.
LOST = re.compile(
    r"[\w.]*(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\][\w.]*)*\.(?:detach\(\)|data\b|numpy\(\)|item\(\)|tolist\(\))|(?<![\w.])(?:torch\.)?(?:from_numpy|tensor)\((?!self\.\w+\)|[\d.]+\)|float\(|math\.)"
)


def cut_off(tree: ast.Module, of: str) -> tuple[str, int] | None:
    """What there is to say of a mode without gradients, or of a tensor that is taken out of its graph, and the line."""
    for definition in definitions_of(tree, of):
        for node in walk(definition):
            match node:
                case ast.With(items):
                    modes = [(written(item.context_expr), node.lineno) for item in items]
                case ast.FunctionDef(name, decorator_list=decorators) if name != "__init__":
                    modes = [(written(each), each.lineno) for each in decorators]
                case _:
                    continue
            for mode, line in modes:
                if MODES.search(mode):
                    return say("judge.under-no-grad", code=clean(mode, 60)), line
    for statement in outside_init(statements_of(tree, of)):
        if statement.target.startswith("self."):  # as what is kept for a plot
            continue
        if lost := LOST.search(statement.text):
            return say("judge.no-gradient-through", code=clean(lost[0].rstrip("("), 60)), statement.line
    return None
