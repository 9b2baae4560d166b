"""What is begun anew in each turn of a loop and should not be, or is not and should, and what is taken whole there.

Or goes only as far as the loop around it has come.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.diagnosis.changes.calls import is_blank
from grader.diagnosis.changes.pieces import Repair, Side, put
from grader.diagnosis.places.texts import short
from grader.model.syntax import called_in, read_in, stored_in, walk

# What counts, and takes nothing of which there are rows.
COUNTING = {"range", "len", "int", "float"}


def of_loops(function: ast.FunctionDef) -> Iterator[tuple[int, Repair]]:
    """Changes of a function's loops, each with how likely it is: less is likelier."""
    yield from ((1, each) for each in (*moved(function), *gone_through(function)))
    yield from ((2, each) for each in taken_whole(function))


def moved(function: ast.FunctionDef) -> Iterator[Repair]:
    """What a loop begins with, before it, and what stands just before it and changes in it, at its beginning."""
    for block in (body for node in walk(function) if isinstance(body := getattr(node, "body", None), list)):
        before: ast.stmt | None = None
        for statement in block:
            if isinstance(statement, ast.For) and not statement.orelse:
                if _begins(first := statement.body[0]) and len(statement.body) > 1:
                    yield _before(statement, first)
                if before is not None and _begins(before) and stored_in(before) <= _changed_in(statement):
                    yield _inside(statement, before)
            before = statement


def taken_whole(function: ast.FunctionDef) -> Iterator[Repair]:
    """What is taken whole in each turn of a loop that counts, with the turn's own row of it instead.

    That is what is handed on, and what multiplies a row.
    """
    for index, _, parts in _counting(function):
        made = {index}.union(*map(stored_in, parts))
        nodes = [node for part in parts for node in walk(part)]
        for call in (node for node in nodes if isinstance(node, ast.Call)):
            if called_in(call) not in COUNTING:
                names = (each for each in call.args if isinstance(each, ast.Name) and each.id not in made)
                for name in names:
                    yield replace(put(name, f"{name.id}[{index}]", name), within=short(call, name.id))
        for node in nodes:
            match node:
                case ast.BinOp(ast.Name() as name, ast.Mult(), ast.Subscript(_, ast.Name(turn))) | ast.BinOp(
                    ast.Subscript(_, ast.Name(turn)), ast.Mult(), ast.Name() as name
                ) if turn == index and name.id not in made:
                    yield replace(put(name, f"{name.id}[{index}]", name), within=short(node, name.id))


def gone_through(function: ast.FunctionDef) -> Iterator[Repair]:
    """Ranges that go by the turn of a loop around them, with that loop's own range instead."""
    for index, turns, parts in _counting(function):
        for node in (node for part in parts for node in walk(part) if len(turns.args) == 1):
            match node:
                case (
                    ast.For(iter=ast.Call(ast.Name("range")) as inner)
                    | ast.comprehension(iter=ast.Call(ast.Name("range")) as inner)
                ) if index in read_in(inner):
                    yield put(inner, ast.unparse(turns), inner)


def _counting(function: ast.FunctionDef) -> Iterator[tuple[str, ast.Call, Sequence[ast.AST]]]:
    """The loops that count: each with its variable, its range and what is done in each turn."""
    for loop in walk(function):
        match loop:
            case ast.For(ast.Name(index), ast.Call(ast.Name("range")) as turns, body):
                yield index, turns, body
            case ast.ListComp(each, [ast.comprehension(ast.Name(index), ast.Call(ast.Name("range")) as turns)]):
                yield index, turns, [each]


def _begins(statement: ast.stmt) -> bool:
    """Whether a statement gives a name what something is begun with: an empty list, a number, zeros."""
    match statement:
        case ast.Assign([ast.Name()], ast.List([]) | ast.Constant()):
            return True
        case ast.Assign([ast.Name()], made):
            return is_blank(made)
        case _:
            return False


def _changed_in(loop: ast.For) -> set[str]:
    return {name for node in walk(loop) if isinstance(node, ast.Assign | ast.AugAssign) for name in stored_in(node)}


def _header(loop: ast.For) -> str:
    return f"for {ast.unparse(loop.target)} in {ast.unparse(loop.iter)}:"


def _before(loop: ast.For, first: ast.stmt) -> Repair:
    """The loop without what it begins with, which stands before it."""
    outer, inner = " " * loop.col_offset, " " * first.col_offset
    text = f"{ast.unparse(first)}\n{outer}{_header(loop)}\n{inner}pass"
    end = first.end_lineno or first.lineno, first.end_col_offset or 0
    return Repair((loop.lineno, loop.col_offset), end, text, short(first), side=Side.BEFORE, at=first.lineno)


def _inside(loop: ast.For, before: ast.stmt) -> Repair:
    """The loop with what stood before it at its beginning."""
    outer, inner = " " * loop.col_offset, " " * loop.body[0].col_offset
    text = f"pass\n{outer}{_header(loop)}\n{inner}{ast.unparse(before)}\n{inner}"
    end = loop.body[0].lineno, loop.body[0].col_offset
    return Repair((before.lineno, before.col_offset), end, text, short(before), side=Side.INSIDE, at=before.lineno)
