"""What fails where the weights of several heads are copied into one wide layer, and how they are to be joined."""

from __future__ import annotations

import ast
import re

from grader.diagnosis.places.statements import Told
from grader.diagnosis.source.used import nodes_of
from grader.model.observation import Fault
from grader.model.syntax import dotted
from grader.words import say

SIZES = "must match the size of tensor"
STACKS = {"torch.stack", "stack"}
NUMBERS = {"weight", "bias"}
# What gives a parameter's numbers as they are.
AS_THEY_ARE = {"data", "detach", "clone"}
# A layer's weight that is due, by its name; without digits, which may be a fresh case's.
KEY = re.compile(r'"([A-Za-z_]+\.weight)"')


def copied(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    """What there is to say where the numbers of heads do not go where they are copied, of the line that failed."""
    if _is_stacked(fault, tree, of):
        return say("judge.weights-stacked"), 0
    missing, _, others = fault.message.partition("Unexpected key(s) in state_dict: ")
    if "load_state_dict(" in text:
        for key in KEY.findall(missing):
            if head := re.search(rf'"([A-Za-z_]+)\.0\.{re.escape(key)}"', others):
                first, second = (f"{head[1]}.{number}.{key}" for number in (0, 1))
                if f'"{second}"' in others:
                    return say("judge.keys-of-heads", key=key, first=first, second=second), 0
    return None


def _is_stacked(fault: Fault, tree: ast.Module, of: str) -> bool:
    """Whether whole weights are stacked for one of their kind, which has no axis for the heads."""
    if SIZES not in fault.message or len({each.file for each in fault.frames}) != 1:
        return False
    failed = fault.frames[-1].line
    for node in nodes_of(tree, of):
        match node:
            case ast.Call(
                ast.Attribute(into, "copy_"),
                [ast.Call(called, [ast.ListComp(elt=each) | ast.List([each, *_]), *_])],
            ) if node.lineno <= failed <= (node.end_lineno or failed) and dotted(called) in STACKS:
                if _kind(each) in NUMBERS and _kind(each) == _kind(into):
                    return True
    return False


def _kind(node: ast.expr) -> str:
    """The last name of what stands behind dots, whatever gives its numbers as they are; "" for anything else."""
    match node:
        case ast.Call(ast.Attribute(inner, name), []) | ast.Attribute(inner, name) if name in AS_THEY_ARE:
            return _kind(inner)
        case ast.Attribute(attr=name):
            return name
        case _:
            return ""
