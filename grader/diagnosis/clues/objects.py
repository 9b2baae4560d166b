"""What an object of a class loses, shares with all others, or is made in spite of."""

from __future__ import annotations

import ast
import re

from grader.diagnosis.places.statements import Told, methods, nodes_of_init
from grader.diagnosis.places.texts import short
from grader.diagnosis.source.used import nodes_of
from grader.judge.binding import paths
from grader.model.syntax import read_in, stored_in, walk
from grader.model.text import clean
from grader.words import say

# What exceptions are called.
EXCEPTION = re.compile(r"[A-Z]\w*(Error|Exception)")


def kept_as_a_local(tree: ast.Module, of: str, slot: str) -> tuple[ast.Assign, str] | None:
    """Where a class's `__init__` makes what a slot is called after, and does no more with it; what it is called."""
    called = {paths.role(slot), slot.partition(".")[0]}
    for init in methods(tree, of, "__init__"):
        unread = called - read_in(init)
        for node in walk(init):
            match node:
                case ast.Assign([ast.Name(name)], ast.Call() | ast.List() | ast.ListComp()) if name in unread:
                    return node, name
    return None


def refuses_nothing(tree: ast.Module, of: str) -> Told | None:
    """What to say of what a class's `__init__` does in place of raising an exception, and the line."""
    if test := asserts_a_tuple(tree, of):
        return say("judge.assert-of-a-tuple", code=short(test)), test.lineno
    if shown := prints_instead(tree, of):
        return say("judge.prints-instead", code=short(shown)), shown.lineno
    return unraised(tree, of)


def asserts_a_tuple(tree: ast.Module, of: str) -> ast.Assert | None:
    """Where a class's `__init__` asserts a tuple, which is always true."""
    for node in nodes_of_init(tree, of):
        match node:
            case ast.Assert(ast.Tuple()):
                return node
    return None


def prints_instead(tree: ast.Module, of: str) -> ast.Call | None:
    """Where a class's `__init__` prints what it finds to be wrong, in a branch that raises nothing."""
    for node in nodes_of_init(tree, of):
        match node:
            case ast.If(body=body) if not any(isinstance(each, ast.Raise) for part in body for each in walk(part)):
                for each in body:
                    match each:
                        case ast.Expr(ast.Call(ast.Name("print")) as shown):
                            return shown
    return None


def unraised(tree: ast.Module, of: str) -> Told | None:
    """What to say where a class's `__init__` makes an exception, or hands it back, and raises none, and the line."""
    for node in nodes_of_init(tree, of):
        match node:
            case ast.Return(ast.Call(ast.Name(name))) | ast.Expr(ast.Call(ast.Name(name))) if EXCEPTION.fullmatch(name):
                return say("judge.unraised", code=short(node), due=f"raise {clean(name, 60)}(…)"), node.lineno
    return None


def kept_for_all(tree: ast.Module, of: str) -> ast.stmt | None:
    """Where a class keeps what it reads for all its modules: outside of it, or as an attribute of its own."""
    nodes = [*nodes_of(tree, of)]
    loaded = [node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Load)]
    read = {node.id for node in loaded if isinstance(node, ast.Name)}
    attributes = {node.attr for node in loaded if isinstance(node, ast.Attribute)}
    made = [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    outside = read & {name for node in made for name in stored_in(node)}
    for node in nodes:
        match node:
            case ast.Global(names) if not read.isdisjoint(names):
                return node
            case ast.Assign([ast.Subscript(ast.Name(name))]) if name in outside:
                return node
            case ast.Assign([ast.Attribute(owner, attr)]) if attr in attributes:
                match owner:
                    case ast.Name(name) if name == of:
                        return node
                    case ast.Call(ast.Name("type")) | ast.Attribute(attr="__class__"):
                        return node
    return None
