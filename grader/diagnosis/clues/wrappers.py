"""What heads side by side get that is not each one's own: a part of the width, or one and the same head for all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from grader.diagnosis.clues.heads import HEAD_COUNT
from grader.diagnosis.places.statements import Told, methods
from grader.diagnosis.places.texts import short, written
from grader.model.syntax import dotted, only_says, positional, stored_in, walk
from grader.words import say

# What makes a list, without anything in it where it is given nothing.
EMPTY = {"list", "ModuleList", "Sequential"}


def shared_out(tree: ast.Module, of: str, place: int) -> Told | None:
    """What to say where `__init__` divides the width that each head is to have by their number, and the line.

    place: of the width among the arguments, `self` aside.
    """
    for init in methods(tree, of, "__init__"):
        own = positional(init)[1:]
        for node in walk(init) if place < len(own) else ():
            match node:
                case ast.BinOp(width, ast.FloorDiv() | ast.Div(), heads) if HEAD_COUNT.fullmatch(written(heads)):
                    if written(width).removeprefix("self.") == own[place]:
                        return say("judge.heads-share-the-width", code=short(node), name=own[place]), node.lineno
    return None


def one_too_few(tree: ast.Module, of: str) -> Told | None:
    """What to say where `__init__` counts the heads that it makes from 1, or to one less than there are to be.

    Not where the list of them may get others besides, as the first one, which is made by itself.
    """
    own = (node for method in methods(tree, of) if method.name != "__init__" for node in walk(method))
    if any(dotted(place).startswith("self.") for node in own for place in _put_into(node)):
        return None
    for init in methods(tree, of, "__init__"):
        for node in _turns_of_all(init):
            match node:
                case ast.Call(ast.Name("range"), [ast.BinOp(heads, ast.Sub(), ast.Constant(1))]):
                    is_first = False
                case ast.Call(ast.Name("range"), [ast.Constant(1), heads]):
                    is_first = True
                case _:
                    continue
            if HEAD_COUNT.fullmatch(written(heads)):
                parts = {"code": short(node), "due": f"range({written(heads)})"}
                said = say("judge.leaves-out-first", **parts) if is_first else say("judge.leaves-out-last", **parts)
                return said, node.lineno
    return None


def _turns_of_all(init: ast.FunctionDef) -> Iterator[ast.expr]:
    """What the one comprehension goes through that is all of a list, or the one loop that alone appends to it."""
    nodes = walk(init)
    given = [(target, node.value) for node in nodes if isinstance(node, ast.Assign) for target in node.targets]
    given += [(node.target, node.value) for node in nodes if isinstance(node, ast.AnnAssign) and node.value is not None]
    made = [node for node in nodes if isinstance(node, ast.ListComp | ast.GeneratorExp)]
    put = [node for node in nodes for _ in _put_into(node)]
    if any(map(_joins, nodes)):
        return
    match made, put:
        case [made_of], []:
            match made_of.generators:
                case [ast.comprehension(iter=turns, ifs=[])] if _is_made(made_of.elt, init):
                    yield from (turns for _, value in given if _alone_in(value) is made_of)
        case [], [_]:
            for loop in (node for node in nodes if isinstance(node, ast.For)):
                is_whole = not any(isinstance(node, ast.Break | ast.Continue | ast.Return) for node in walk(loop))
                for statement in loop.body if is_whole else ():
                    match statement:
                        case ast.Expr(ast.Call(ast.Attribute(place, "append"), [each])) if _is_made(each, init):
                            values = [value for target, value in given if dotted(target) == dotted(place) != ""]
                            if len(values) == 1 and _is_empty(values[0]):
                                yield loop.iter


def _put_into(node: ast.AST) -> Iterator[ast.expr]:
    """What a call puts something into."""
    match node:
        case ast.Call(ast.Attribute(place, "append" | "extend" | "insert" | "add_module" | "register_module")):
            yield place


def _joins(node: ast.AST) -> bool:
    """Whether something puts together a list, or adds to what is there."""
    match node:
        case ast.AugAssign() | ast.List([_, *_]) | ast.BinOp(_, ast.Add()):
            return True
        case ast.Tuple(each):
            return any(isinstance(part, ast.Starred) for part in each)
        case _:
            return False


def _alone_in(node: ast.expr) -> ast.expr:
    """What alone is handed to a call, as to what makes a list of it, and to one around that."""
    while True:
        match node:
            case ast.Call(_, [each], []) | ast.Starred(each):
                node = each
            case _:
                return node


def _is_empty(node: ast.expr) -> bool:
    """Whether it is a list without anything in it, or made of one."""
    match _alone_in(node):
        case ast.List([]):
            return True
        case ast.Call(func, [], []):
            return dotted(func).rpartition(".")[2] in EMPTY
        case _:
            return False


def put_in_place(tree: ast.Module, of: str) -> Told | None:
    """What to say where a loop of `__init__` gives each head that it makes one and the same name, and the line.

    Not where a turn does anything else, as to put the head into a list.
    """
    for init in methods(tree, of, "__init__"):
        for loop in (node for node in walk(init) if isinstance(node, ast.For)):
            match loop.iter:
                case ast.Call(ast.Name("range"), [*_, heads]) if HEAD_COUNT.fullmatch(written(heads)):
                    turn = [each for each in loop.body if not only_says(each)]
                case _:
                    continue
            match turn:
                case [ast.Assign([ast.Name() | ast.Attribute() as name], value) as statement] if _is_head(value):
                    return say("judge.heads-in-one-place", name=short(name)), statement.lineno
    return None


def _is_head(node: ast.expr) -> bool:
    """Whether something is a module that a class makes, or a list of one."""
    match node:
        case ast.List([only]) | ast.Call(ast.Name("ModuleList") | ast.Attribute(attr="ModuleList"), [only]):
            return _is_head(only)
        case ast.Call(func):
            return dotted(func).rpartition(".")[2][:1].isupper()
        case _:
            return False


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
