"""Scores that are hidden by what they are, as `s == 0` does, and not by where a mask says so."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Mapping

from grader.diagnosis.clues.arguments import parameter
from grader.diagnosis.places.statements import Told, asked, own_nodes
from grader.diagnosis.places.texts import short
from grader.model.check import Question
from grader.model.syntax import dotted
from grader.words import say

# What puts a number where a condition is true, and what gives some of a tensor's numbers back as they were.
FILLING = {"masked_fill", "masked_fill_", "where"}
KEEPING = FILLING | {"tril", "triu", "clone", "mul", "div"}


def by_value(question: Question, tree: ast.Module) -> Told | None:
    """What to say of a function's fill whose condition is that a score is 0, as any may be, and the line."""
    arrays = question.case.inputs
    if "masked" not in question.step.stages or question.exercise.definitions[question.step.of].is_class:
        return None
    given = {
        parameter(tree, question.step.of, place, name)
        for place, name in enumerate(question.case.template.inputs)
        if name in arrays and arrays[name].ndim > 1 and arrays[name].dtype.kind == "f"
    }
    return filled_by_value(tree, question.step.of, given)


def filled_by_value(tree: ast.Module, of: str, given: Collection[str]) -> Told | None:
    """The first fill of the function that was asked which asks whether what is made of some arguments is 0.

    given: their names. What is given a value more than once, or in places, may be anything.
    """
    for function in asked(tree, of):
        nodes = own_nodes(function)
        stored = Counter(each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
        changed = {dotted(node.value) for node in nodes if isinstance(node, ast.Subscript) and _is_stored(node)}
        made: dict[str, ast.expr] = {}
        for node in nodes:
            match node:
                case ast.Assign([ast.Name(name)], value) if stored[name] == 1 and name not in changed:
                    made[name] = value
        plain = {name for name in given if not stored[name] and name not in changed}
        for condition in (each for node in nodes for each in _conditions(node)):
            match condition:
                case ast.Compare(left, [ast.Eq()], [ast.Constant(0)]) if _comes_of(left, plain, made, set()):
                    return say("judge.hidden-by-value", code=short(condition)), condition.lineno
    return None


def _is_stored(node: ast.Subscript) -> bool:
    """Whether something is put into places of a tensor that are no condition's."""
    return isinstance(node.ctx, ast.Store) and not isinstance(node.slice, ast.Compare)


def _conditions(node: ast.AST) -> list[ast.expr]:
    """What says where a statement or a call fills something in."""
    match node:
        case ast.Call(ast.Attribute(_, name), args) if name in FILLING:
            return args[:1]
        case ast.Assign([ast.Subscript(_, condition)]):
            return [condition]
        case _:
            return []


def _comes_of(value: ast.expr, given: Collection[str], made: Mapping[str, ast.expr], seen: Collection[str]) -> bool:
    """Whether numbers are those of some arguments, perhaps scaled, or changed in places."""
    match value:
        case ast.Name(name) if name not in seen and name in made:
            return _comes_of(made[name], given, made, {*seen, name})
        case ast.Name(name):
            return name in given
        case ast.BinOp(left, ast.Mult() | ast.Div(), right):
            return sum(_comes_of(each, given, made, seen) for each in (left, right)) == 1  # as of no quotient of itself
        case ast.Call(ast.Attribute(owner, name), args) if name in KEEPING:
            return any(_comes_of(each, given, made, seen) for each in (owner, *args))
        case _:
            return False
