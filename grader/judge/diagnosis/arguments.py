"""What a solution hands to the functions and classes that exercises ask for, and in which order."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from grader.judge.diagnosis.places.statements import definitions_of
from grader.model.pack import Definition
from grader.model.syntax import dotted, walk
from grader.model.text import clean
from grader.words import say


def misplaced(tree: ast.Module, of: str, definitions: Mapping[str, Definition]) -> tuple[str, int] | None:
    """What there is to say of an argument that stands where another one of its call is due, and the line.

    definitions: what the exercises ask for, by its name. What a file defines itself may have any order.
    """
    own = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    for call, asked in _calls(tree, of, definitions):
        if asked.name in own:
            continue
        for due, given in zip(asked.arguments, call.args, strict=False):
            if isinstance(given, ast.Starred):
                break
            if isinstance(given, ast.Name) and given.id != due and given.id in asked.arguments:
                takes = f"{asked.name}{asked.signature}"
                return say("judge.misplaced", takes=takes, given=clean(given.id, 60), due=due), given.lineno
    return None


def _calls(tree: ast.Module, of: str, definitions: Mapping[str, Definition]) -> Iterator[tuple[ast.Call, Definition]]:
    for definition in definitions_of(tree, of):
        for node in walk(definition):
            if isinstance(node, ast.Call):
                asked = definitions.get(dotted(node.func).rpartition(".")[2])
                if asked is not None:
                    yield node, asked
