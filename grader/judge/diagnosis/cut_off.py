"""What in the source keeps a gradient from flowing back."""

from __future__ import annotations

import ast
import re

from grader.judge.diagnosis.places.statements import Told, nodes_of, outside_init, statements_of
from grader.judge.diagnosis.places.texts import short, written
from grader.model.text import clean
from grader.words import say

# Modes in which nothing is remembered for a gradient; the last only where it is given False.
MODES = re.compile(r"(^|\.)(no_grad|inference_mode)\b|(^|\.)set_grad_enabled\(False\)")
# By a name and what stands behind it in brackets, one within another at most.
LOST = re.compile(
    r"[\w.]*(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\][\w.]*)*\.(?:detach\(\)|data\b|numpy\(\)|item\(\)|tolist\(\))|(?<![\w.])(?:torch\.)?(?:from_numpy|tensor)\((?!self\.\w+\)|[\d.]+\)|float\(|math\.)"
)


def cut_off(tree: ast.Module, of: str) -> Told | None:
    """What there is to say of a mode without gradients, or of a tensor that is taken out of its graph, and the line."""
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
    for statement in outside_init(statements_of(tree, of)):
        if statement.target.startswith("self."):  # as what is kept for a plot
            continue
        if lost := LOST.search(statement.text):
            return say("judge.no-gradient-through", code=clean(lost[0].rstrip("("), 60)), statement.line
    return None
