"""What heads side by side get that is not each one's own: a part of the width, or one and the same head for all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from grader.diagnosis.clues.heads import HEADS
from grader.diagnosis.places.statements import Told, methods
from grader.diagnosis.places.texts import short, written
from grader.model.syntax import dotted, positional, stored_in, walk
from grader.words import say


def shared_out(tree: ast.Module, of: str, place: int) -> Told | None:
    """What to say where `__init__` divides the width that each head is to have by their number, and the line.

    place: of the width among the arguments, `self` aside.
    """
    for init in methods(tree, of, "__init__"):
        own = positional(init)[1:]
        for node in walk(init) if place < len(own) else ():
            match node:
                case ast.BinOp(width, ast.FloorDiv() | ast.Div(), heads) if HEADS.fullmatch(written(heads)):
                    if written(width).removeprefix("self.") == own[place]:
                        return say("judge.heads-share-the-width", code=short(node), name=own[place]), node.lineno
    return None


def one_too_few(tree: ast.Module, of: str) -> Told | None:
    """What to say where `__init__` counts the heads that it makes from 1, or to one less than there are to be."""
    for init in methods(tree, of, "__init__"):
        for node in walk(init):
            match node:
                case ast.Call(ast.Name("range"), [ast.BinOp(heads, ast.Sub(), ast.Constant(1))]):
                    is_first = False
                case ast.Call(ast.Name("range"), [ast.Constant(1), heads]):
                    is_first = True
                case _:
                    continue
            if HEADS.fullmatch(written(heads)):
                parts = {"code": short(node), "due": f"range({written(heads)})"}
                said = say("judge.leaves-out-first", **parts) if is_first else say("judge.leaves-out-last", **parts)
                return said, node.lineno
    return None


def one_for_all(tree: ast.Module, of: str) -> Told | None:
    """What to say where a list gets one head many times, made once, and the line; None where several may be meant."""
    found = {id(node): node for init in methods(tree, of, "__init__") for node in _repeated(init)}
    if len(found) != 1:
        return None
    (node,) = found.values()
    return say("judge.one-head-for-all", code=short(node)), node.lineno


def _repeated(init: ast.FunctionDef) -> Iterator[ast.expr]:
    """What puts the same into a list again and again: a product, a comprehension, or a loop that appends."""
    for node in walk(init):
        match node:
            case ast.BinOp(ast.List([each]), ast.Mult()) | ast.BinOp(_, ast.Mult(), ast.List([each])):
                if _is_made(each, init):
                    yield node
            case ast.ListComp(ast.Name(name), [turns]) | ast.GeneratorExp(ast.Name(name), [turns]):
                if name not in _given_in(turns.target) and _is_made(ast.Name(name), init):
                    yield node
            case ast.For(target, _, body):
                made = _given_in(target, *body)
                calls = (each for part in body for each in walk(part) if _appends_another(each, made))
                yield from (each for each in calls if _is_made(each.args[0], init))


def _is_made(node: ast.expr, init: ast.FunctionDef) -> bool:
    """Whether something is an object that a class makes, or a variable that is given one; and no number."""
    match node:
        case ast.Call(func):
            return dotted(func).rpartition(".")[2][:1].isupper()
        case ast.Name(name):
            given = (each.value for each in walk(init) if isinstance(each, ast.Assign) and name in stored_in(each))
            return any(isinstance(value, ast.Call) and _is_made(value, init) for value in given)
        case _:
            return False


def _given_in(*nodes: ast.AST) -> set[str]:
    """The variables that are given a value in some pieces of source."""
    names = (each for node in nodes for each in walk(node) if isinstance(each, ast.Name))
    return {each.id for each in names if isinstance(each.ctx, ast.Store)}


def _appends_another(node: ast.AST, made: set[str]) -> TypeGuard[ast.Call]:
    """Whether a loop appends what it has not made."""
    match node:
        case ast.Call(ast.Attribute(attr="append"), [ast.Name(name)]):
            return name not in made
        case _:
            return False
