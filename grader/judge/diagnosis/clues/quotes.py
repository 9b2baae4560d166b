"""Pieces of a student's source that say what is wrong, whatever came of it."""

from __future__ import annotations

import ast
import re
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from grader.judge.binding import paths
from grader.judge.diagnosis.places.statements import (
    Told,
    asked,
    definitions_of,
    methods,
    nodes_asked,
    nodes_of,
    nodes_of_init,
)
from grader.model.syntax import arguments_in, positional, read_in, stored_in, walk
from grader.model.text import clean
from grader.words import say

# Functions and methods that draw random numbers.
DRAWING = re.compile(
    r"rand(n|int|perm)?(_like)?|bernoulli_?|uniform_?|normal_?|multinomial|exponential_|geometric_|random_?|choice|sample"
    r"|(feature_)?(alpha_)?[dD]ropout|shuffle"
)


@lru_cache(maxsize=4)  # asked for every step of an exercise that fails
def infinite_product(tree: ast.Module, of: str) -> ast.BinOp | ast.AugAssign | None:
    """Where a definition multiplies something that may be 0 by infinity, which makes NaN."""
    for node in nodes_of(tree, of):
        match node:
            case ast.BinOp(left, ast.Mult(), right):
                pairs = [(left, right), (right, left)]
            case ast.AugAssign(target, ast.Mult(), value):
                pairs = [(target, value)]
            case _:
                continue
        if any(_is_infinite(infinite) and _may_be_zero(other) for other, infinite in pairs):
            return node
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


@lru_cache(maxsize=4)
def drawn_without(tree: ast.Module, of: str, generator: str) -> ast.Call | None:
    """Where a definition first draws random numbers without the generator that it is given; None where it never does.

    generator: the name of the parameter. What takes a variable made of it, or any `generator=`, is not meant, nor is a
    function of the file's own, whatever it is called.
    """
    kept = {generator}
    own = {node.name for node in walk(tree) if isinstance(node, ast.FunctionDef)}
    for definition in definitions_of(tree, of):
        elsewhere = {id(node) for branch in _without_it(definition, generator) for node in ast.walk(branch)}
        nodes = (node for node in walk(definition) if hasattr(node, "lineno") and id(node) not in elsewhere)
        for node in sorted(nodes, key=_position):
            match node:
                case ast.Assign([ast.Name(name)], value) if kept & _names(value):
                    kept.add(name)
                case ast.Call(ast.Attribute(attr=name) | ast.Name(name)) if DRAWING.fullmatch(name) and name not in own:
                    if not kept & _names(node, but="device") and not any(
                        _gives_a_generator(given) for given in node.keywords
                    ):
                        return node
    return None


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


@lru_cache(maxsize=4)
def returned_in_a_loop(tree: ast.Module, of: str) -> int:
    """The line of a `return` with which what was asked ends a loop in its first turn, whatever comes; 0 for none."""
    for loop in (node for node in nodes_asked(tree, of) if isinstance(node, ast.For | ast.While)):
        if found := next((each.lineno for each in loop.body if isinstance(each, ast.Return)), 0):
            return found
    return 0


@lru_cache(maxsize=4)
def drawn_evenly(tree: ast.Module, of: str) -> ast.Call | None:
    """Where a definition that draws nothing in any other way draws between 0 and 1."""
    draws: list[tuple[str, ast.Call]] = []
    for node in nodes_of(tree, of):
        match node:
            case ast.Call(ast.Attribute(attr=name) | ast.Name(name)) if DRAWING.fullmatch(name):
                draws.append((name, node))
    return draws[0][1] if draws and all(name in ("rand", "rand_like") for name, _ in draws) else None


def _without_it(definition: ast.AST, name: str) -> Iterator[ast.AST]:
    """What runs only where an argument is None: branches of a test of it, and all behind a branch that leaves."""
    for node in walk(definition):
        if isinstance(node, ast.IfExp) and (test := _of_none(node.test, name)) is not None:
            yield node.body if test else node.orelse
        parts: list[Any] = [getattr(node, part, ()) for part in ("body", "orelse")]
        for body in (part for part in parts if isinstance(part, list)):
            for at, statement in enumerate(body):
                if isinstance(statement, ast.If) and (test := _of_none(statement.test, name)) is not None:
                    without, given = (statement.body, statement.orelse) if test else (statement.orelse, statement.body)
                    yield from without
                    if given and isinstance(given[-1], (ast.Return, ast.Raise)):
                        yield from body[at + 1 :]


def _of_none(test: ast.expr, name: str) -> bool | None:
    """Whether a test holds where a name is None, or where it is not; None for a test of something else."""
    match test:
        case ast.UnaryOp(ast.Not(), operand):
            inner = _of_none(operand, name)
            return None if inner is None else not inner
        case ast.Compare(ast.Name(id), [ast.Is() | ast.Eq()], [ast.Constant(None)]) if id == name:
            return True
        case ast.Name(id) | ast.Compare(ast.Name(id), [ast.IsNot() | ast.NotEq()], [ast.Constant(None)]) if id == name:
            return False
        case _:
            return None


@lru_cache(maxsize=4)
def seeded(tree: ast.Module, of: str) -> ast.Call | None:
    """Where a definition, whenever it is called, has random numbers begin at the same place."""
    for node in _when_called(tree, of):
        match node:
            case ast.Call(ast.Attribute(attr="manual_seed"), [ast.Constant()]):
                return node
    return None


@lru_cache(maxsize=4)
def switched_off(tree: ast.Module, of: str) -> ast.Call | ast.Assign | None:
    """Where a module, whenever it is called, ends its own training, and dropout with it."""
    for node in _when_called(tree, of):
        match node:
            case (
                ast.Call(ast.Attribute(attr="eval"), [], [])
                | ast.Call(ast.Attribute(attr="train"), [ast.Constant(False)])
                | ast.Assign([ast.Attribute(attr="training")], ast.Constant(False))
            ):
                return node
    return None


def ends_dropout(tree: ast.Module, of: str) -> ast.Assign | None:
    """Where a module, whenever it is called, takes away its own dropout: the rate, or the layer."""
    for node in _when_called(tree, of):
        match node:
            case ast.Assign([ast.Attribute(attr="p")], ast.Constant(0)) | ast.Assign(
                [ast.Attribute()], ast.Call(ast.Attribute(attr="Identity"))
            ):
                return node
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


@lru_cache(maxsize=4)
def always_dropping(tree: ast.Module, of: str) -> ast.Call | None:
    """Where a definition drops a share that the source itself names, and chooses nothing, by `training` or else."""
    nodes = [*nodes_asked(tree, of)]
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    helpers = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in called - {of}]
    nodes += [node for helper in helpers for node in walk(helper)]
    if any(isinstance(node, ast.If | ast.IfExp) for node in nodes):
        return None
    lost = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in (node for node in nodes if id(node) not in lost):
        match node:
            case ast.Call(ast.Attribute(ast.Name("F") | ast.Attribute(attr="functional"), "dropout"), args, keywords):
                given = dict(zip(("input", "p", "training"), args, strict=False)) | {k.arg: k.value for k in keywords}
                is_told = None not in given and not any(isinstance(each, ast.Starred) for each in args)
                match given.get("p", ast.Constant(0.5)), given.get("training", ast.Constant(True)):
                    case ast.Constant(share), ast.Constant(True) if share and is_told:
                        return node
    return None


def made_otherwise(tree: ast.Module, of: str, place: int) -> tuple[ast.Call, str] | None:
    """Where a class makes an nn.Dropout of a number of its own, or of other than its argument as it is.

    place: the argument's, `self` aside. Returns its name, too.
    """
    for function in methods(tree, of, "__init__"):
        names = positional(function)[1:]
        for node in walk(function):
            match node:
                case ast.Call(ast.Attribute(attr="Dropout") | ast.Name("Dropout")) if place < len(names):
                    given = [*node.args[:1], *(each.value for each in node.keywords if each.arg == "p")]
                    if not given or isinstance(given[0], ast.Constant | ast.BinOp):
                        return node, names[place]
    return None


def _when_called(tree: ast.Module, of: str) -> Iterator[ast.AST]:
    """All of a function, or a class's `forward`, and of those of the file that these name; not what makes an object."""
    every = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == of)]
    nodes = (node for some in every for node in walk(some))  # last the methods of its own
    functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
    waiting, seen = deque([of if of in functions else "forward"]), {"__init__"}
    while waiting:
        name = waiting.popleft()
        if name in functions and name not in seen:
            seen.add(name)
            yield from walk(functions[name])
            for node in walk(functions[name]):
                match node:
                    case ast.Name(other) | ast.Attribute(attr=other):
                        waiting.append(other)


def _position(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def _gives_a_generator(given: ast.keyword) -> bool:
    return given.arg == "generator" and not isinstance(given.value, ast.Constant)


def _names(node: ast.AST, but: str = "") -> set[str]:
    """The variables in a piece of source. but: an attribute, for whose sake alone none of them is meant."""
    others = [each.value for each in ast.walk(node) if isinstance(each, ast.Attribute) and each.attr == but]
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and each not in others}


def _is_infinite(node: ast.expr) -> bool:
    match node:
        case ast.UnaryOp(ast.USub(), operand):
            return _is_infinite(operand)
        case ast.Attribute(attr="inf") | ast.Name("inf"):
            return True
        case ast.Call(ast.Name("float"), [ast.Constant(str() as value)]):
            return value.strip("+- ").lower() in ("inf", "infinity")
        case _:
            return False


def _may_be_zero(node: ast.expr) -> bool:
    """Whether an expression is no number of the source's, and no tensor that is made full of one."""
    match node:
        case ast.UnaryOp(_, operand):
            return _may_be_zero(operand)
        case ast.Call(ast.Attribute(attr=name) | ast.Name(name)):
            return name not in ("ones", "full", "ones_like", "full_like", "new_ones", "new_full")
        case _:
            return not isinstance(node, ast.Constant)


@lru_cache(maxsize=4)
def divided_by_heads(tree: ast.Module) -> ast.BinOp | None:
    """Where something is divided by the number of heads with `/`, which gives a float; None where more than once is."""
    found = []
    for node in walk(tree):
        match node:
            case ast.BinOp(_, ast.Div(), ast.Name(name) | ast.Attribute(attr=name)) if "head" in name.lower():
                found.append(node)
    return found[0] if len(found) == 1 else None
