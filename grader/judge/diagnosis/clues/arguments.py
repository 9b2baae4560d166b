"""What a solution hands to the functions and classes that exercises ask for, and in which order."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from grader.judge.diagnosis.places.statements import Told, nodes_of
from grader.model.pack import Definition
from grader.model.syntax import dotted
from grader.model.text import clean
from grader.words import say


def misplaced(tree: ast.Module, of: str, definitions: Mapping[str, Definition]) -> Told | None:
    """What there is to say of an argument that stands where another one of its call is due, and the line.

    definitions: what the exercises ask for, by its name. What a file defines itself may have any order.
    """
    own = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    for call in (node for node in nodes_of(tree, of) if isinstance(node, ast.Call)):
        asked = definitions.get(dotted(call.func).rpartition(".")[2])
        if asked is None or asked.name in own:
            continue
        for due, given in zip(asked.arguments, call.args, strict=False):
            if isinstance(given, ast.Starred):
                break
            if isinstance(given, ast.Name) and given.id != due and given.id in asked.arguments:
                takes = f"{asked.name}{asked.signature}"
                return say("judge.misplaced", takes=takes, given=clean(given.id, 60), due=due), given.lineno
    return None
