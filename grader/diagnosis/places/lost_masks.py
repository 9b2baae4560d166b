"""Where scores are masked and the result is let go."""

from __future__ import annotations

import ast
import re

from grader.diagnosis.places.texts import written
from grader.diagnosis.source.used import definitions_of
from grader.model.syntax import read_in, walk

# Out-of-place operations whose result is lost where they stand alone as a statement.
MASKING = re.compile(r"masked_fill$|masked_scatter$|mask_scores|apply_mask")
ADDING = re.compile(r"\.(add|mul|multiply)$")


def lost_masking(tree: ast.Module, of: str) -> int:
    """The line of a statement in a definition that masks the scores and whose result nobody reads; 0 for none."""
    for definition in definitions_of(tree, of):
        if lost := _lost_masking(definition):
            return lost
    return 0


def _lost_masking(definition: ast.AST) -> int:
    read = read_in(definition)
    for node in walk(definition):
        if isinstance(node, ast.Expr) and _masks(node.value, is_alone=True):
            return node.lineno
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            is_lost = node.targets[0].id not in read
            if is_lost and _masks(node.value):
                return node.lineno
    return 0


def _masks(value: ast.expr, is_alone: bool = False) -> bool:
    """Whether an expression gives masked scores. is_alone: as a statement of its own, it can mean nothing else."""
    names = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)} - {"torch", "float"}
    text = written(value)
    if isinstance(value, ast.Call):
        function = written(value.func)
        if MASKING.search(function) or (is_alone and ADDING.search(function)):
            return True
        return function.endswith("where") and (is_alone or "inf" in text) and len(names) > 1
    is_sum = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add)
    return is_sum and (is_alone or bool(re.search("mask|inf", text)))
