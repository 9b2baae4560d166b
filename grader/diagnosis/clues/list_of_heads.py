"""What `forward` makes of a list of heads: it leaves some out, feeds one with another, or takes their mean."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard

from grader.diagnosis.places.statements import Told, methods
from grader.diagnosis.places.texts import written
from grader.model.syntax import dotted, positional, walk
from grader.model.text import clean
from grader.words import say

# Modules that are made alike, as heads are, and not layers of several kinds.
MANY = re.compile(r"\bfor\b|\*")
# Which may follow one another.
LAYERS = re.compile(r"\bnn\.(?!ModuleList|Multihead)[A-Z]\w+\(")


def otherwise(tree: ast.Module, of: str) -> Told | None:
    """What to say where `forward` goes through its list of heads backwards or in part, or calls one alone.

    One alone is called inside of a loop or a comprehension, each turn of which is one head's.
    """
    lists = {name for name, _ in _lists_of(tree, of)}
    loops = (ast.For, ast.ListComp, ast.GeneratorExp)
    for node in (node for forward in methods(tree, of, "forward") for node in walk(forward)):
        if not isinstance(node, loops):
            continue
        gone = [node.iter] if isinstance(node, ast.For) else [each.iter for each in node.generators]
        within = node.body if isinstance(node, ast.For) else [node.elt]
        called = [each.func for part in within for each in walk(part) if isinstance(each, ast.Call)]
        for each in (*gone, *called):
            match each:
                case ast.Call(ast.Name("reversed"), [ast.Attribute(ast.Name("self"), name)]) | ast.Subscript(
                    ast.Attribute(ast.Name("self"), name), ast.Slice() | ast.Constant(int())
                ) if name in lists:
                    code = clean(written(each), 60)
                    return say("judge.heads-otherwise", code=code, name=f"self.{clean(name, 60)}"), each.lineno
    return None


def averaged(tree: ast.Module, of: str) -> Told | None:
    """What to say of the one mean that `forward` takes, where a class has a list of heads.

    Or of the one sum that it divides by their number.
    """
    if not any(_lists_of(tree, of)):
        return None
    found = [node for forward in methods(tree, of, "forward") for node in walk(forward) if _is_mean(node)]
    if len(found) != 1:
        return None
    (node,) = found
    return say("judge.heads-averaged", code=clean(written(node), 60)), node.lineno


def _is_mean(node: ast.AST) -> TypeGuard[ast.expr]:
    match node:
        case ast.Call(ast.Attribute(attr="mean")):
            return True
        case ast.BinOp(ast.Call(ast.Name("sum") | ast.Attribute(attr="sum")), ast.Div(), number):
            return "head" in written(number)
        case _:
            return False


def chained(tree: ast.Module, of: str) -> Told | None:
    """What to say where each head of a list is given what the one before it made, and not what came in."""
    lists = {name for name, value in _lists_of(tree, of) if _are_heads(value)}
    for forward in methods(tree, of, "forward"):
        named = {target.id: name for node in walk(forward) for target, name in _named_anew(node, forward)}
        for node in walk(forward):
            match node:
                case ast.Call(ast.Attribute(ast.Name("self"), name)) if name in _in_sequence(tree, of):
                    return say("judge.heads-in-sequence", code=clean(written(node), 60)), node.lineno
                case ast.For(ast.Name(head), ast.Attribute(ast.Name("self"), name), body) if name in lists:
                    for each in body:
                        match each:
                            case ast.Assign([ast.Name(made)], ast.Call(ast.Name(called), [ast.Name(given)])):
                                code = clean(written(each), 60)
                                if called != head or made != given:
                                    continue
                                if given in positional(forward):
                                    return say("judge.heads-chained", code=code, name=clean(given, 60)), each.lineno
                                if given in named:
                                    name = clean(named[given], 60)
                                    return say("judge.heads-chained-on", code=code, name=name), each.lineno
    return None


def _in_sequence(tree: ast.Module, of: str) -> set[str]:
    """The attributes that `__init__` makes a sequence of heads, each of which is given what the one before it made."""
    return {
        name
        for name, value in _kept_by(tree, of)
        if isinstance(value, ast.Call)
        and dotted(value.func).endswith("Sequential")
        and any(map(_are_heads, value.args))
    }


def _are_heads(made: ast.expr) -> bool:
    return MANY.search(written(made)) is not None and not _are_layers(made)


def _named_anew(node: ast.AST, function: ast.FunctionDef) -> list[tuple[ast.Name, str]]:
    """The variable that an argument gets for another name, and that argument."""
    match node:
        case ast.Assign([ast.Name() as target], ast.Name(given)) if given in positional(function):
            return [(target, given)]
        case _:
            return []


def _are_layers(made: ast.expr) -> bool:
    """Whether a list holds torch's own layers, or as many of them as stand there: no heads, which may be any number."""
    counts = [
        node.args[-1]
        for node in walk(made)
        if isinstance(node, ast.Call) and node.args and written(node.func) == "range"
    ]
    counts += [node.right for node in walk(made) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)]
    return any(isinstance(count, ast.Constant) for count in counts) or LAYERS.search(written(made)) is not None


def _lists_of(tree: ast.Module, of: str) -> Iterator[tuple[str, ast.expr]]:
    """The attributes that a class's `__init__` makes a list of modules, each with its value."""
    return ((name, value) for name, value in _kept_by(tree, of) if "ModuleList" in written(value))


def _kept_by(tree: ast.Module, of: str) -> Iterator[tuple[str, ast.expr]]:
    """What a class's `__init__` keeps under `self`, by its name."""
    for init in methods(tree, of, "__init__"):
        for node in walk(init):
            match node:
                case ast.Assign([ast.Attribute(ast.Name("self"), name)], value):
                    yield name, value
