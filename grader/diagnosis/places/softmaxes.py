"""The names by which a file calls softmax."""

from __future__ import annotations

import ast
from functools import lru_cache

from grader.model.syntax import Definition, dotted, walk


@lru_cache(maxsize=4)
def softmaxes(tree: ast.Module) -> frozenset[str]:
    """Other names that softmax has in a file, such as a layer's."""
    names: set[str] = set()
    for node in walk(tree):
        match node:
            case ast.Assign([target], value) | ast.AnnAssign(target, _, ast.expr() as value) if _is_softmax(value):
                names.add(dotted(target).rpartition(".")[2])
            case ast.alias("softmax", str(other)):
                names.add(other)
    return frozenset(names - {"", *(node.name for node in walk(tree) if isinstance(node, Definition))})


def _is_softmax(value: ast.expr) -> bool:
    """Whether an expression is a layer of softmax, the function itself, or that with its axis filled in."""
    match value:
        case ast.Call(func, [given, *_]) if dotted(func).endswith("partial"):
            return _is_softmax(given)
        case ast.Call(func):
            return dotted(func).endswith("Softmax")
        case _:
            return dotted(value).endswith("softmax")
