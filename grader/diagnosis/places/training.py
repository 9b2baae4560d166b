"""Where a definition asks whether it is training, and where it drops, scales or hands back without asking."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from grader.diagnosis.places.dropout import OF_TORCH
from grader.diagnosis.places.patterns import DROPOUT
from grader.diagnosis.places.statements import Statement, asked, first, outside_init, statements_of
from grader.diagnosis.places.texts import written
from grader.model.syntax import positional, read_in, stored_in, walk

COMPARING = {"lt", "le", "gt", "ge", "less", "less_equal", "greater", "greater_equal"}
SCALING = re.compile(r" [*/]=? ")
# What turns around what it stands behind.
IS_NOT = r" (?:==|is) (?:False|0)\b| (?:!=|is not) True\b"


def chosen_wrongly(tree: ast.Module, of: str) -> int:
    """The line of a choice that drops outside training, or hands all back in it, or that scales outside; 0 for none.

    Or of what drops before any choice is made.
    """
    if early := dropped_unasked(tree, of):
        return early
    for choice, is_outside, is_inside in _choices(tree, of):
        is_dropping = DROPOUT.search(" ".join(map(written, choice.body))) is not None
        if (is_outside and is_dropping) or (is_inside and not is_dropping and isinstance(choice.body[-1], ast.Return)):
            return choice.lineno
        outside = choice.body if is_outside else choice.orelse if is_inside else []
        if scaling := next((each for each in outside if SCALING.search(written(each))), None):
            return scaling.lineno
    return _handed_back_unasked(tree, of)


def dropped_unasked(tree: ast.Module, of: str) -> int:
    """The line where a function drops from its argument, in place or by that name, before it asks if it is training.

    0 for none, and where something else may stand for what it asks, or keeps what the argument was.
    """
    for function in asked(tree, of):
        given, drawn, deciding = positional(function), set[str](), set[str]()
        for statement in function.body if "training" in given else ():
            if "training" in read_in(statement):
                return 0
            value, target = _left_of(statement)
            if value is not None and target in given and _decides(value, drawn, deciding):
                return statement.lineno
            match statement:
                case ast.Assign([ast.Name(name)], made):
                    if _is_kept(made, given):
                        return 0
                    is_drawn, is_deciding = _is_drawn(made, drawn), _decides(made, drawn, deciding)
                    drawn = drawn | {name} if is_drawn else drawn - {name}
                    deciding = deciding | {name} if is_deciding else deciding - {name}
                case _:
                    drawn, deciding = drawn - stored_in(statement), deciding - stored_in(statement)
    return 0


def _is_kept(made: ast.expr, given: Sequence[str]) -> bool:
    """Whether an argument is kept by another name, as it is or as a copy."""
    match made:
        case ast.Name(name) | ast.Call(ast.Attribute(ast.Name(name), "clone")):
            return name in given
        case ast.Call(ast.Attribute(_, "clone"), [ast.Name(name)]):
            return name in given
        case _:
            return False


def _is_drawn(node: ast.expr, drawn: set[str]) -> bool:
    """Whether an expression is numbers between 0 and 1 that are drawn. drawn: the names of such."""
    match node:
        case ast.Name(name):
            return name in drawn
        case ast.Call(ast.Attribute(attr="rand" | "rand_like" | "uniform_")):
            return True
        case ast.Call(ast.Attribute(value, "to" | "type_as" | "float" | "double")):
            return _is_drawn(value, drawn)
        case _:
            return False


def _decides(node: ast.expr, drawn: set[str], deciding: set[str]) -> bool:
    """Whether an expression is 0, or true, by a draw: one that is compared, or of zeros and ones, scaled or turned."""
    match node:
        case ast.Name(name):
            return name in deciding
        case ast.Compare(left, [_], [right]):
            return any(_is_drawn(side, drawn) or _decides(side, drawn, deciding) for side in (left, right))
        case ast.Call(ast.Attribute(attr="bernoulli" | "bernoulli_")):
            return True
        case ast.Call(ast.Attribute(value, name)) if name in COMPARING:
            return _is_drawn(value, drawn)
        case ast.Call(ast.Attribute(value, "to" | "type_as" | "float" | "double" | "bool" | "int" | "logical_not")):
            return _decides(value, drawn, deciding)
        case ast.UnaryOp(ast.Invert() | ast.Not(), value) | ast.BinOp(ast.Constant(), ast.Sub(), value):
            return _decides(value, drawn, deciding)
        case ast.BinOp(left, ast.Mult() | ast.Div(), right):
            return _decides(left, drawn, deciding) or _decides(right, drawn, deciding)
        case _:
            return False


def _left_of(statement: ast.stmt) -> tuple[ast.expr | None, str]:
    """What decides what a statement leaves of a variable, and that variable; None where it drops nothing."""
    match statement:
        case ast.AugAssign(ast.Name(name), ast.Mult(), value):
            return value, name
        case ast.Assign([ast.Subscript(ast.Name(name), place)], ast.Constant(0)):
            return place, name
        case ast.Assign([ast.Name(name)], ast.BinOp(_, ast.Mult()) as value) if name in read_in(value):
            return value, name
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "mul_" | "masked_fill_"), [value, *_])):
            return value, name
        case _:
            return None, ""


def _handed_back_unasked(tree: ast.Module, of: str) -> int:
    """The line of a choice that hands an argument back as it is, in a function that never asks if it is training."""
    for function in asked(tree, of):
        given = positional(function)
        for node in walk(function) if "training" in given and "training" not in read_in(function) else ():
            match node:
                case ast.If(body=[ast.Return(ast.Name(name))]) if name in given:
                    return node.lineno
    return 0


def only_outside(tree: ast.Module, of: str) -> ast.If | None:
    """The choice that calls dropout outside training, where a definition calls it nowhere else."""
    choice = next((each for each, is_outside, _ in _choices(tree, of) if is_outside), None)
    if choice is None:
        return None
    within = {id(inner) for part in choice.body for inner in walk(part)}
    dropping = [s for s in outside_init(statements_of(tree, of)) if DROPOUT.search(s.text)]
    return choice if dropping and all(id(s.node) in within for s in dropping) else None


def _choices(tree: ast.Module, of: str) -> Iterator[tuple[ast.If, bool, bool]]:
    """Every choice that begins with whether it is training; whether its body runs outside training, and in it."""
    for choice in (node for function in asked(tree, of) for node in walk(function) if isinstance(node, ast.If)):
        is_outside = asks_outside(choice.test)
        yield choice, is_outside is True, is_outside is False


def asks_outside(test: ast.expr) -> bool | None:
    """Whether a question is so outside training; None where it begins with something else."""
    found = re.match(rf"(not )?(self\.)?training\b({IS_NOT})?", written(test))
    return bool(found[1]) != bool(found[3]) if found is not None else None


def in_evaluation(statements: Sequence[Statement]) -> Statement | None:
    """Where training is switched on, or asked for, or weights are made smaller without it; else the dropout itself."""
    own = outside_init(statements)
    words = r"\.train\(|training ?= ?True|training else |\bDropout\(|^return .*\* \(1(\.0)? - "
    return first(own, words) or first(own, DROPOUT) or first(statements, OF_TORCH)  # in a lambda that is kept
