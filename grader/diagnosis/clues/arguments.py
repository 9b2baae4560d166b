"""What a solution hands to the functions and classes that exercises ask for, and in which order."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import lru_cache

from grader.diagnosis.places.statements import Told, asked, methods
from grader.diagnosis.source.used import nodes_of
from grader.model.check import Question
from grader.model.pack import Definition
from grader.model.syntax import arguments_in, dotted, positional, read_in
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


def reordered(tree: ast.Module, of: str, due: Sequence[str]) -> Told | None:
    """What to say where a function, or a class's `__init__`, has the arguments that are due in another order."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == of]
    for function in [*functions, *methods(tree, of, "__init__")]:
        own = positional(function) if function in functions else positional(function)[1:]
        if own != [*due] and sorted(own) == sorted(due):
            found = clean(", ".join(own), 120)
            return say("judge.reordered", found=found, expected=", ".join(due)), function.lineno
    return None


def parameter(tree: ast.Module, of: str, place: int, default: str) -> str:
    """What a function calls its argument in a place; a name of the lesson's where it has none there."""
    names = [name for function in asked(tree, of) for name in positional(function)]
    return names[place] if place < len(names) else default


def axes_given(
    tree: ast.Module, of: str, definitions: Mapping[str, Definition], axes: Mapping[str, Sequence[str]]
) -> dict[str, Sequence[str]]:
    """The axes of a function's arguments, by its own names. axes: by the exercise's."""
    asked_for = definitions[of].arguments if of in definitions else ()
    return {parameter(tree, of, place, name): axes[name] for place, name in enumerate(asked_for) if name in axes}


def numbers_given(question: Question, tree: ast.Module) -> dict[str, float]:
    """The arguments of a case that are plain numbers, or true or false, by what the function calls them."""
    given = enumerate(question.case.template.inputs.items())
    return {
        parameter(tree, question.step.of, place, name): value
        for place, (name, value) in given
        if isinstance(value, (int, float))
    }


@lru_cache(maxsize=4)
def overwritten(tree: ast.Module, of: str) -> tuple[ast.Assign, str] | None:
    """Where what was asked gives an argument another value before it has read the one that it was given; its name."""
    for function in asked(tree, of):
        statements = [each for each in function.body if not isinstance(each, ast.Expr)]
        given = arguments_in(function.args)
        for statement in statements:
            given -= read_in(statement)
            match statement:
                case ast.Assign([ast.Name(name)]) if name in given:
                    return statement, name
    return None
