"""What `forward` makes of a list of heads: it leaves some out, feeds one with another, or takes their mean."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard

from grader.diagnosis.places.shapes import first_size, whole_shape
from grader.diagnosis.places.shares import as_given
from grader.diagnosis.places.statements import Told, methods
from grader.diagnosis.places.texts import written
from grader.model.syntax import dotted, positional, stored_in, walk
from grader.model.text import clean
from grader.words import say

# Functions that put several results into one.
JOINING = {"stack", "cat", "concat", "concatenate"}
# What may follow one another.
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


def cut_across(tree: ast.Module, of: str) -> Told | None:
    """What to say where `forward` stacks what a list of heads gave in front, and cuts that into three axes."""
    lists = {name for name, _ in _lists_of(tree, of)}
    for forward in methods(tree, of, "forward"):
        for node in walk(forward):
            match node:
                case ast.Call(ast.Attribute(cut, "view" | "reshape" as how), [front, _, _]):
                    is_of_heads = _is_stacked_first(cut, forward, _of_heads(forward, lists), lists)
                    if is_of_heads and _is_batch_size(front, forward):
                        return say("judge.heads-cut-across", how=f".{how}"), node.lineno
    return None


def _is_batch_size(size: ast.expr, forward: ast.FunctionDef) -> bool:
    """Whether an expression is the number of sequences that `forward` is given, as it is or by a name."""
    (given, *_) = [*positional(forward)[1:], ""]
    named = set[str]()
    for node in walk(forward):
        match node:
            case ast.Assign([ast.Name(name)], value) if first_size(value) == given:
                named.add(name)
            case ast.Assign([ast.Tuple([ast.Name(name), *_])], value) if whole_shape(value) == given:
                named.add(name)
    return size.id in named if isinstance(size, ast.Name) else first_size(size) == given != ""


def _is_stacked_first(node: ast.expr, forward: ast.FunctionDef, results: set[str], lists: set[str]) -> bool:
    match as_given(node, forward, node.lineno):
        case ast.Call(ast.Attribute(ast.Name("torch"), "stack"), [given, *rest], named):
            axis = [*map(written, rest), *(written(each.value) for each in named)]
            return axis in ([], ["0"]) and _comes_of(given, results, lists)
        case _:
            return False


def averaged(tree: ast.Module, of: str) -> Told | None:
    """What to say of the one mean that `forward` takes, where that is of what a list of heads gave.

    Or of the one sum of it that is divided by their number.
    """
    lists = {name for name, _ in _lists_of(tree, of)}
    found = [(node, forward) for forward in methods(tree, of, "forward") for node in walk(forward) if _is_mean(node)]
    if len(found) != 1:
        return None
    ((node, forward),) = found
    given = _averaged(node)
    if given is None or not _joins(given, forward, _of_heads(forward, lists), lists):
        return None
    return say("judge.heads-averaged", code=clean(written(node), 60)), node.lineno


def _is_mean(node: ast.AST) -> TypeGuard[ast.expr]:
    match node:
        case ast.Call(ast.Attribute(attr="mean")):
            return True
        case ast.BinOp(ast.Call(ast.Name("sum") | ast.Attribute(attr="sum")), ast.Div(), number):
            return "head" in written(number)
        case _:
            return False


def _averaged(mean: ast.expr) -> ast.expr | None:
    """What a mean is taken of: of a sum that is divided, this; of one that keeps its axis, as to normalise, None."""
    match mean:
        case ast.Call(keywords=named) if any(each.arg == "keepdim" for each in named):
            return None
        case ast.Call(ast.Attribute(ast.Name("torch"), "mean"), [given, *_]) | ast.Call(ast.Attribute(given, "mean")):
            return given
        case ast.BinOp(given, ast.Div()):
            return given
        case _:
            return None


def _joins(node: ast.expr, forward: ast.FunctionDef, results: set[str], lists: set[str]) -> bool:
    """Whether an expression joins what heads gave, or adds it up. results: the names that they gave it."""
    match as_given(node, forward, node.lineno):
        case ast.Call(ast.Name("sum"), [given, *_]):
            return _comes_of(given, results, lists)
        case ast.Call(ast.Attribute(ast.Name("torch"), name), [given, *_]) if name in JOINING:
            return _comes_of(given, results, lists)
        case ast.Call(ast.Attribute(ast.Name("torch"), "sum"), [given, *_]) | ast.Call(ast.Attribute(given, "sum")):
            return _joins(given, forward, results, lists) if not isinstance(given, ast.Name) else False
        case _:
            return False


def _of_heads(forward: ast.FunctionDef, lists: set[str]) -> set[str]:
    """The names that `forward` gives to what it makes of a list of heads, or collects it under."""
    found: set[str] = set()
    for node in sorted((each for each in walk(forward) if isinstance(each, ast.stmt)), key=lambda each: each.lineno):
        match node:
            case ast.Assign(targets, value) if _comes_of(value, found, lists):
                found = found.union(*map(stored_in, targets))
            case ast.For(_, gone, body) if _comes_of(gone, found, lists):
                for each in (inner for part in body for inner in walk(part)):
                    match each:
                        case ast.Call(ast.Attribute(ast.Name(name), "append" | "extend")):
                            found = {*found, name}
                        case ast.Assign() | ast.AugAssign():
                            found |= stored_in(each)
    return found


def _comes_of(node: ast.expr, names: set[str], lists: set[str]) -> bool:
    """Whether a piece of source reads a list of heads, or a name of what they gave: but to count them."""
    counted = {id(inner) for each in walk(node) for inner in (walk(each) if _is_count(each) else ())}
    return any(
        (isinstance(each, ast.Name) and each.id in names) or (_is_own(each) and each.attr in lists)
        for each in walk(node)
        if id(each) not in counted
    )


def _is_count(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and written(node.func) == "len"


def _is_own(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and written(node.value) == "self"


def chained(tree: ast.Module, of: str) -> Told | None:
    """What to say where each head of a list is given what the one before it made, and not what came in."""
    layers, sequences = _layers_of_torch(tree), _in_sequence(tree, of)
    lists = {name for name, value in _lists_of(tree, of) if _are_heads(value, layers)}
    for forward in methods(tree, of, "forward"):
        named = {target.id: name for node in walk(forward) for target, name in _named_anew(node, forward)}
        for node in walk(forward):
            match node:
                case ast.Call(ast.Attribute(ast.Name("self"), name), [ast.Name(given)], []) if name in sequences:
                    if given not in positional(forward):
                        continue
                    code = clean(written(node), 60)
                    return say("judge.heads-in-sequence", code=code, name=clean(given, 60)), node.lineno
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
    layers, found = _layers_of_torch(tree), set()
    for name, value in _kept_by(tree, of):
        match value:
            case ast.Call(called, [ast.Starred(made)]) if dotted(called).rpartition(".")[2] == "Sequential":
                found |= {name} if _are_heads(made, layers) else set()
    return found


def _are_heads(made: ast.expr, layers: set[str]) -> bool:
    """Whether a list holds modules that are made alike, and are no layers. layers: torch's, by their names here."""
    return any(_is_repeated(node) for node in walk(made)) and not _are_layers(made, layers)


def _is_repeated(node: ast.AST) -> bool:
    match node:
        case ast.ListComp(ast.Call()) | ast.GeneratorExp(ast.Call()) | ast.BinOp(ast.List([ast.Call()]), ast.Mult()):
            return True
        case _:
            return False


def _layers_of_torch(tree: ast.Module) -> set[str]:
    """The names under which a module imports something of `torch.nn`."""
    found = (node for node in walk(tree) if isinstance(node, ast.ImportFrom) and (node.module or "") == "torch.nn")
    return {each.asname or each.name for node in found for each in node.names}


def _named_anew(node: ast.AST, function: ast.FunctionDef) -> list[tuple[ast.Name, str]]:
    """The variable that an argument gets for another name, and that argument."""
    match node:
        case ast.Assign([ast.Name() as target], ast.Name(given)) if given in positional(function):
            return [(target, given)]
        case _:
            return []


def _are_layers(made: ast.expr, layers: set[str]) -> bool:
    """Whether a list holds torch's own layers, or as many of them as stand there: no heads, which may be any number."""
    counts = [
        node.args[-1]
        for node in walk(made)
        if isinstance(node, ast.Call) and node.args and written(node.func) == "range"
    ]
    counts += [node.right for node in walk(made) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)]
    called = {written(node.func) for node in walk(made) if isinstance(node, ast.Call)}
    if called & (layers - {"ModuleList", "Sequential", "MultiheadAttention"}):
        return True
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
