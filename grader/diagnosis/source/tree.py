"""A solution's source as a tree: of it only what counts is ever read, for lines and for words."""

from __future__ import annotations

import ast
from functools import lru_cache

from grader.diagnosis.source.direct import made_direct
from grader.model.syntax import Definition, parse_if_python


@lru_cache(maxsize=4)  # a class is graded by as many threads as there are cores
def parsed(source: str) -> ast.Module:
    """The source as a tree in its direct form, without what a later definition of the same name replaces.

    One with nothing in it where the source is no Python, or far longer than anybody writes.
    """
    tree = parse_if_python(source) or ast.Module([], [])
    tree.body = _without_replaced(tree.body)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            node.body = _without_replaced(node.body)
    made_direct(tree)
    return tree


def _without_replaced(body: list[ast.stmt]) -> list[ast.stmt]:
    """What is decorated stays: a property has several definitions."""
    bare = [node for node in body if isinstance(node, Definition) and not node.decorator_list]
    replaced = {id(node) for node in bare} - {id(node) for node in {node.name: node for node in bare}.values()}
    return [node for node in body if id(node) not in replaced]
