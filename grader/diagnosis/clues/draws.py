"""Random numbers that are drawn once for all trials, without the generator, between 0 and 1, or from the same seed."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from grader.diagnosis.places.shares import last_given
from grader.diagnosis.places.statements import Told, asked
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.source.called import when_called
from grader.diagnosis.source.used import definitions_of, nodes_of
from grader.model.syntax import LIBRARIES, arguments_in, read_in, stored_in, walk
from grader.words import say

# Functions and methods that draw random numbers.
DRAWING = re.compile(
    r"rand(n|int|perm)?(_like)?|bernoulli_?|uniform_?|normal_?|multinomial|exponential_|geometric_|random_?|choice|sample"
    r"|(feature_)?(alpha_)?[dD]ropout|shuffle"
)
NORMAL = {"randn", "normal"}
# Functions and methods that multiply, or make dot products.
PRODUCTS = {"mul", "multiply", "dot", "vdot", "vecdot", "inner", "matmul", "mv", "bmm"}
REPEATING = (ast.For, ast.While, ast.comprehension, ast.ListComp, ast.GeneratorExp, ast.FunctionDef, ast.Lambda)


def of_vectors(tree: ast.Module, of: str, widths: Iterable[str], trials: str = "") -> Told | None:
    """What to say of the vectors that a function draws, or of how it makes dot products of them.

    widths: the arguments that say how wide a vector is. trials: the one that says how many to draw.
    """
    told = (drawn_once(tree, of, each, trials) or summed_over_trials(tree, of, each) for each in widths)
    return drawn_alike(tree, of) or next((each for each in told if each is not None), None)


def drawn_once(tree: ast.Module, of: str, width: str, trials: str = "") -> Told | None:
    """What to say of the first vector that a function draws outside any loop, beside others that it draws otherwise.

    Or of one that is drawn where nothing asks how many are. width: the argument that says how wide a vector is. trials:
    the one that says how many to draw.
    """
    for function in asked(tree, of):
        repeated = {id(node) for loop in walk(function)[1:] if isinstance(loop, REPEATING) for node in walk(loop)}
        draws = [node for node in walk(function) if isinstance(node, ast.Call) and _draws(node)]
        alone = [node for node in draws if id(node) not in repeated and _is_vector(node, width)]
        is_for_one = trials in arguments_in(function.args) - read_in(function)
        if alone and (len(draws) > len(alone) or is_for_one):
            return say("judge.drawn-once", code=short(alone[0])), alone[0].lineno
    return None


def drawn_alike(tree: ast.Module, of: str) -> Told | None:
    """What to say where a function draws one time alone, and multiplies what comes of it by its second name."""
    for function in asked(tree, of):
        nodes = walk(function)
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        draws = [node for node in calls if DRAWING.fullmatch(written(node.func).rpartition(".")[2])]
        given = {node: sorted(stored_in(node)) for node in nodes if isinstance(node, ast.Assign)}
        made = [node for node in given if node.value in draws]
        stored = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        multiplied = [_multiplied(node) for node in nodes]
        changed = {_changed(node) for node in nodes}
        for node in given if (len(draws), len(made)) == (1, 1) else ():
            match node:
                case ast.Assign([ast.Name(other)], ast.Name(name) | ast.Call(ast.Attribute(ast.Name(name), "clone"))):
                    pair = {name, other} if given[made[0]] == [name] else set()
                case ast.Assign([ast.Name(), ast.Name()]) if node is made[0]:
                    pair = {*given[node]}
                case _:
                    continue
            if len(pair) == 2 and not pair & changed and all(stored[each] == 1 for each in pair) and pair in multiplied:
                return say("judge.drawn-alike", code=short(node)), node.lineno
    return None


def _multiplied(node: ast.AST) -> set[str]:
    """The names of two things that are multiplied, row by row of both, or the same part of both; none of another."""
    match node:
        case ast.BinOp(one, ast.Mult() | ast.MatMult(), other):
            factors = [one, other]
        case ast.Call(ast.Attribute(attr="einsum"), [ast.Constant(str(axes)), one, other]):
            left, _, right = axes.replace(" ", "").partition("->")[0].partition(",")
            factors = [one, other] if left == right else []
        case ast.Call(ast.Name("map"), [_, one, other]) | ast.Call(ast.Name("zip"), [one, other]):
            factors = [one, other]
        case ast.Call(ast.Attribute(ast.Name(owner), name), [one, other]) if owner in LIBRARIES and name in PRODUCTS:
            factors = [one, other]
        case ast.Call(ast.Attribute(one, name), [other]) if name in PRODUCTS:
            factors = [one, other]
        case _:
            factors = []
    match factors:
        case [ast.Name(name), ast.Name(second)]:
            return {name, second}
        case [ast.Subscript(ast.Name(name), at), ast.Subscript(ast.Name(second), there)]:
            is_same = written(at) == written(there) and not any(isinstance(each, ast.Call) for each in walk(at))
            return {name, second} if is_same else set()
        case _:
            return set()


def _changed(node: ast.AST) -> str:
    """The variable into which something is written; "" for none."""
    match node:
        case ast.Subscript(ast.Name(name), ctx=ast.Store()):
            return name
        case ast.Call(ast.Attribute(ast.Name(name), method)) if method.endswith("_"):
            return name
        case _:
            return ""


def summed_over_trials(tree: ast.Module, of: str, width: str) -> Told | None:
    """What to say of products of drawn vectors, one in each row, that are added up along the rows.

    width: the argument that says how wide a vector is.
    """
    for function in asked(tree, of):
        for node in (each for each in walk(function) if isinstance(each, ast.Call)):
            summed, axis = _summed(node)
            if isinstance(summed, ast.Name):
                summed = last_given(summed.id, function, node.lineno)
            match summed:
                case ast.BinOp(ast.Name(one), ast.Mult(), ast.Name(other)) if axis == "0":
                    made = [last_given(name, function, node.lineno) for name in (one, other)]
                    if all(isinstance(each, ast.Call) and _is_row_each(each, width) for each in made):
                        return say("judge.summed-over-trials", code=short(node)), node.lineno
    return None


def _summed(call: ast.Call) -> tuple[ast.expr | None, str]:
    """What a call adds up, and along which axis, as it is written."""
    named = [written(each.value) for each in call.keywords if each.arg in ("dim", "axis")]
    match call:
        case ast.Call(ast.Attribute(ast.Name("torch"), "sum"), [some, *rest]):
            return some, next(iter([*map(written, rest), *named]), "")
        case ast.Call(ast.Attribute(some, "sum"), rest):
            return some, next(iter([*map(written, rest), *named]), "")
    return None, ""


def _is_row_each(call: ast.Call, width: str) -> bool:
    """Whether what is drawn is a matrix with a vector in each row."""
    return _draws(call) and len(call.args) == 2 and written(call.args[1]) == width != written(call.args[0])


def _draws(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in NORMAL


def _is_vector(call: ast.Call, width: str) -> bool:
    """Whether what is drawn is one vector: `randn(dim)`, `randn(1, dim)`, or that of a tuple."""
    given = [*call.args, *(each.value for each in call.keywords if each.arg == "size")]
    shape = [part for each in given for part in (each.elts if isinstance(each, ast.Tuple | ast.List) else [each])]
    return [written(part) for part in shape if written(part) != "1"] == [width]


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


@lru_cache(maxsize=4)
def drawn_evenly(tree: ast.Module, of: str) -> ast.Call | None:
    """Where a definition that draws nothing in any other way draws between 0 and 1."""
    draws: list[tuple[str, ast.Call]] = []
    for node in nodes_of(tree, of):
        match node:
            case ast.Call(ast.Attribute(attr=name) | ast.Name(name)) if DRAWING.fullmatch(name):
                draws.append((name, node))
    return draws[0][1] if draws and all(name in ("rand", "rand_like") for name, _ in draws) else None


@lru_cache(maxsize=4)
def seeded(tree: ast.Module, of: str) -> ast.Call | None:
    """Where a definition, whenever it is called, has random numbers begin at the same place."""
    for node in when_called(tree, of):
        match node:
            case ast.Call(ast.Attribute(attr="manual_seed"), [ast.Constant()]):
                return node
    return None


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


def _position(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def _gives_a_generator(given: ast.keyword) -> bool:
    return given.arg == "generator" and not isinstance(given.value, ast.Constant)


def _names(node: ast.AST, but: str = "") -> set[str]:
    """The variables in a piece of source. but: an attribute, for whose sake alone none of them is meant."""
    others = [each.value for each in ast.walk(node) if isinstance(each, ast.Attribute) and each.attr == but]
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and each not in others}
