"""What `.view` refuses where heads are cut or joined, since its numbers do not lie in order."""

from __future__ import annotations

import ast
import re

from grader.diagnosis.clues import heads
from grader.diagnosis.places.shares import last_given
from grader.diagnosis.places.statements import Told, methods
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.source.used import nodes_of
from grader.judge.checks.asking import HEADS
from grader.model.observation import Fault
from grader.model.syntax import functions_around, positional, stored_in
from grader.model.text import clean
from grader.words import say

REFUSED = "view size is not compatible with input tensor's size and stride"
# What moves the heads behind the tokens, and what leaves them where they are.
MOVED_BACK = re.compile(r"\.(transpose|swapaxes|swapdims)\((1, 2|2, 1|-3, -2|-2, -3)\)$|\.permute\(0, 2, 1, 3\)$")
LAST_TWO = (".transpose(2, 3)", ".transpose(-2, -1)", ".transpose(-1, -2)")
# Of tensors with the heads beside the batch, and of what they are joined to.
WITH_HEADS, JOINED = 4, 3


def cut_in_front(fault: Fault, tree: ast.Module, of: str) -> bool:
    """Whether the view that torch refuses cuts heads out in front of the tokens, which are behind them still."""
    viewed = _refused(fault, tree, of)
    if viewed is None or len(viewed.args) != WITH_HEADS:
        return False
    _, count, _, width = map(written, viewed.args)
    return heads.HEAD_COUNT.fullmatch(count) is not None and heads.is_a_width(width)


def out_of_order(fault: Fault, tree: ast.Module, of: str) -> Told | None:
    """What to say of a view that torch refuses, in the line that failed."""
    view = _refused(fault, tree, of)
    if view is None or not isinstance(view.func, ast.Attribute):
        return None
    line, viewed, name = fault.frames[-1].line, view.func.value, clean(short(view.func.value), 80)
    is_of_heads = any(HEADS in positional(init) for init in methods(tree, of, "__init__"))
    if not is_of_heads or len(view.args) != JOINED:  # what else is right is not known
        return None
    moved = _given(viewed, tree, line) if isinstance(viewed, ast.Name) else viewed
    if moved is not None and MOVED_BACK.search(written(moved)):
        due = clean(f"{name}.contiguous().view(…)", 120)
        return say("judge.view-of-moved", code=clean(short(moved), 80), due=due), 0
    axes = {called: len(shape) for called, shape in fault.shapes}
    if isinstance(viewed, ast.Name) and axes.get(viewed.id) == WITH_HEADS and _is_blended(viewed, tree, of):
        due = clean(f"{name}.transpose(1, 2).contiguous().view(…)", 120)
        return say("judge.view-of-heads", name=name, due=due), 0
    return None


def _refused(fault: Fault, tree: ast.Module, of: str) -> ast.Call | None:
    """The only view in the line that failed, where that is what torch refuses."""
    if fault.type != "RuntimeError" or not fault.message.startswith(REFUSED) or not fault.frames:
        return None
    line = fault.frames[-1].line
    calls = [node for node in nodes_of(tree, of) if isinstance(node, ast.Call)]
    views = [each for each in calls if each.lineno <= line <= (each.end_lineno or line) and _is_a_view(each)]
    return views[0] if len(views) == 1 else None


def _given(name: ast.Name, tree: ast.Module, line: int) -> ast.expr | None:
    """What a variable was given last before a line."""
    around = functions_around(tree, line)
    return last_given(name.id, around[-1], line) if around else None


def _is_a_view(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "view"


def _is_blended(name: ast.Name, tree: ast.Module, of: str) -> bool:
    """Whether a variable is given nothing but what a product of weights and values makes, whose heads come first."""
    nodes = [*nodes_of(tree, of)]
    given = [node for node in nodes if isinstance(node, ast.Assign) and name.id in stored_in(node)]
    stored = [
        node for node in nodes if isinstance(node, ast.Name) and (node.id, type(node.ctx)) == (name.id, ast.Store)
    ]
    return bool(given) and len(given) == len(stored) and all(map(_is_a_product, (each.value for each in given)))


def _is_a_product(node: ast.expr) -> bool:
    match node:
        case ast.BinOp(op=ast.MatMult()):
            return True
        case ast.Call(ast.Attribute(made, "transpose"), [_, _]):
            return written(node).endswith(LAST_TWO) and _is_a_product(made)
        case ast.Call(func):
            return written(func).rpartition(".")[2] in ("matmul", "scaled_dot_product_attention")
        case _:
            return False
