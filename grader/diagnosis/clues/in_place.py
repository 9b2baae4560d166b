"""What writes into an argument itself, so that the caller's tensor is another one afterwards."""

from __future__ import annotations

import ast

from grader.diagnosis.places.statements import Told, asked, functions_of
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.places.writing import is_in_place
from grader.model.syntax import positional, stored_in, walk
from grader.model.text import clean
from grader.words import say

# Methods of torch's that give a new tensor once their name ends in no `_`.
WITH_A_TWIN = {
    "masked_fill_", "masked_scatter_", "index_fill_", "tril_", "triu_", "div_", "mul_", "add_", "sub_", "exp_", "sqrt_",
    "pow_", "clamp_", "neg_", "transpose_", "t_", "unsqueeze_", "squeeze_", "swapaxes_", "relu_", "where_", "divide_",
    "multiply_", "subtract_", "true_divide_", "swapdims_", "clip_",
}  # fmt: skip


def written_into(tree: ast.Module, of: str) -> Told | None:
    """What to say of the first statement that writes into an argument as it was given, and the line.

    None where the first that writes anywhere looks otherwise, or where several functions do that are called: another
    may be what changes the caller's tensor.
    """
    own = [*asked(tree, of)]
    used = [each for each in functions_of(tree, of) if each not in own]
    for some in (own, used):
        writing = [(function, nodes) for function in some if (nodes := _writing(function))]
        if writing:
            function, nodes = writing[0]
            is_one = len(writing) == 1 and len({*map(_root, nodes)}) == 1  # else one may be a number's
            return _told(function, nodes[0]) if is_one else None
    return None


def _writing(function: ast.FunctionDef) -> list[ast.AST]:
    """What writes into something, in the order in which it does."""
    nodes = [node for node in walk(function) if isinstance(node, ast.Assign | ast.AugAssign | ast.Call)]
    ordered = sorted(nodes, key=lambda each: (each.end_lineno or 0, each.end_col_offset or 0, -each.col_offset))
    return [node for node in ordered if _writes(node)]


def _writes(node: ast.AST) -> bool:
    match node:
        case ast.Call(ast.Attribute(_, method)):
            return is_in_place(method)
        case ast.Assign(targets):
            return any(isinstance(target, ast.Subscript | ast.Attribute) for target in targets)
        case _:
            return isinstance(node, ast.AugAssign)


def _root(node: ast.AST) -> str:
    """The name of what is written into, or of what that is a part of; "" for what has none."""
    match node:
        case ast.Call(func=each) | ast.AugAssign(target=each) | ast.Assign(targets=[each, *_]):
            while isinstance(each, ast.Attribute | ast.Subscript | ast.Call):
                each = each.func if isinstance(each, ast.Call) else each.value
            return each.id if isinstance(each, ast.Name) else ""
        case _:
            return ""


def _told(function: ast.FunctionDef, node: ast.AST) -> Told | None:
    match node:
        case ast.Call(ast.Attribute(ast.Name(name), method)) if method in WITH_A_TWIN and _is_given(
            name, function, node
        ):
            due = clean(f"{name}.{method.removesuffix('_')}", 60)
            return say("judge.writes-by-a-method", code=short(node), name=name, due=due), node.lineno
        case ast.AugAssign(ast.Name(name), op, by) if _is_given(name, function, node):
            due = clean(f"{name} = {written(ast.BinOp(node.target, op, by))}", 80)
            return say("judge.writes-by-an-operator", code=short(node), name=name, due=due), node.lineno
        case ast.Assign([ast.Subscript(ast.Name(name))]) if _is_given(name, function, node):
            return say("judge.writes-into-places", code=short(node), name=name), node.lineno
        case _:
            return None


def _is_given(name: str, function: ast.FunctionDef, node: ast.expr | ast.stmt) -> bool:
    """Whether a name is an argument, and is that still where something is written into it."""
    is_another = any(
        name in stored_in(target) and isinstance(target, ast.Name) and each.lineno < node.lineno
        for each in walk(function)
        if isinstance(each, ast.Assign)
        for target in each.targets
    )
    return name in {*positional(function)} - {"self"} and not is_another
