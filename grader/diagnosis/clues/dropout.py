"""Dropout that a module ends itself, that nothing ends, that is at the wrong time, or at another rate than is given."""

from __future__ import annotations

import ast
from functools import lru_cache

from grader.diagnosis.places.dropout import calls_that_drop
from grader.diagnosis.places.patterns import DROPOUT, PRODUCT
from grader.diagnosis.places.shares import is_of_shares
from grader.diagnosis.places.statements import Told, methods, nodes_asked, outside_init, statements_of
from grader.diagnosis.places.texts import written
from grader.diagnosis.places.training import asks_outside, only_outside
from grader.diagnosis.source.called import when_called
from grader.model.syntax import positional, walk
from grader.model.text import clean
from grader.words import say


@lru_cache(maxsize=4)
def switched_off(tree: ast.Module, of: str) -> ast.Call | ast.Assign | None:
    """Where a module, whenever it is called, ends its own training, and dropout with it."""
    for node in when_called(tree, of):
        match node:
            case (
                ast.Call(ast.Attribute(attr="eval"), [], [])
                | ast.Call(ast.Attribute(attr="train"), [ast.Constant(False)])
                | ast.Assign([ast.Attribute(attr="training")], ast.Constant(False))
            ):
                return node
    return None


def drops_what_is_blended(tree: ast.Module, of: str) -> bool:
    """Whether all that a definition drops is what shares of softmax's blend, the context, for certain.

    What is multiplied by something once more may be shares that were only smoothed.
    """
    found = calls_that_drop(tree, of)
    if len(found) != 1 or len(found[0][0].args) != 1:
        return False
    (call, function), *_ = found
    is_weights = is_of_shares(call.args[0], function, tree, blended=False)
    return (
        not is_weights
        and is_of_shares(call.args[0], function, tree, blended=True)
        and not _is_multiplied_behind(call, function)
    )


def _is_multiplied_behind(call: ast.Call, function: ast.FunctionDef) -> bool:
    """Whether a function multiplies what a call gives, or anything further down."""
    for node in walk(function):
        match node:
            case ast.BinOp(left, ast.MatMult()) if call in walk(left):
                return True
            case ast.stmt() if node.lineno > call.lineno and PRODUCT.search(written(node)):
                return True
    return False


def ends_dropout(tree: ast.Module, of: str) -> ast.Assign | None:
    """Where a module, whenever it is called, takes away its own dropout: the rate, or the layer."""
    for node in when_called(tree, of):
        match node:
            case ast.Assign([ast.Attribute(attr="p")], ast.Constant(0)) | ast.Assign(
                [ast.Attribute()], ast.Call(ast.Attribute(attr="Identity"))
            ):
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


def dropped_outside(tree: ast.Module, of: str) -> Told | None:
    """What to say of dropout that is called outside training alone, and the line."""
    if (choice := only_outside(tree, of)) is not None:
        return say("judge.dropped-outside", test=clean(f"if {written(choice.test)}:", 60)), choice.lineno
    if (chosen := _chosen_outside(tree, of)) is not None:
        test = chosen.test if asks_outside(chosen.test) else ast.UnaryOp(ast.Not(), chosen.test)
        return say("judge.dropped-outside", test=clean(f"if {written(test)}", 60)), chosen.lineno
    return None


def _chosen_outside(tree: ast.Module, of: str) -> ast.IfExp | None:
    """The choice within a statement that calls dropout outside training, where a definition calls it nowhere else."""
    dropping = [each for each in outside_init(statements_of(tree, of)) if DROPOUT.search(each.text)]
    if len(dropping) != 1:
        return None
    calls = [each for each in walk(dropping[0].node) if isinstance(each, ast.Call) and DROPOUT.search(written(each))]
    for choice in (each for each in walk(dropping[0].node) if isinstance(each, ast.IfExp)):
        outside = choice.body if asks_outside(choice.test) else choice.orelse
        within = {id(inner) for inner in walk(outside)}
        if asks_outside(choice.test) is not None and calls and all(id(each) in within for each in calls):
            return choice
    return None
