"""Masks that hide what a row has to see, parts of masks that are none, and numbers too near 0 to hide anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import lru_cache

from grader.diagnosis.places.branches import TURNED
from grader.diagnosis.places.statements import Statement, Told, bare_name, maker_of, outside_init, statements_of
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.source.used import nodes_of
from grader.model.syntax import dotted, walk
from grader.model.text import clean
from grader.words import say

FILLING = re.compile(r"masked_fill|where\(|\] = ")
# What is called with what is filled in, or puts that into a tensor first.
FILLED_BY = re.compile(r"masked_fill_?|where|(new_)?full|full_like|((new_|as_)?tensor)")
# What a triangle is cut out of to be a mask, and what mends a row that is NaN.
EVERYWHERE = re.compile(r"(ones|full)\w*\(")
MENDED = re.compile(r"nan_to_num|isnan|finfo|1e|-\d{4}")
# What a mask is called, or made with.
MASK = re.compile(r"mask|tri[ul]|causal", re.IGNORECASE)
# What makes rows of columns.
TRANSPOSED = re.compile(r"\.(m?[TH]\b|t\(|adjoint)|transpose|permute|swap|flip|rot90|einsum|moveaxis|movedim")
# What gives a diagonal other numbers than a loop did.
FILLED_DIAGONAL = re.compile(r"fill_diagonal|diagonal|diag\(|eye\(|\[([^\[\]]+), \1\] = ")
# What counts rows from the first one.
FROM_NOUGHT = re.compile(r"range\((0, )?[^,]+\)")
# So near to 0 no score is that hides another.
SMALL = 0.1


def unseeing(tree: ast.Module, of: str) -> Told | None:
    """What to say of a mask of -inf whose diagonal hides every token from the first rows, and the line."""
    statements = statements_of(tree, of)
    used = [s for s in outside_init(statements) if FILLING.search(s.text) or "tri" in s.text]
    if any(MENDED.search(s.text) for s in outside_init(statements)):
        return None
    is_turned = any(TURNED.search(s.text) for s in used)
    for statement in statements:
        for node in walk(statement.node):
            if isinstance(node, ast.Call) and (told := _of_triangle(node, statements, is_turned=is_turned)):
                return told
    return None


def _of_triangle(call: ast.Call, statements: Sequence[Statement], *, is_turned: bool) -> Told | None:
    name = dotted(call.func).rpartition(".")[2] or getattr(call.func, "attr", "")
    is_function = dotted(call.func).partition(".")[0] in ("torch", name)
    given = [*call.args]
    whole = (given.pop(0) if given else None) if is_function else getattr(call.func, "value", None)
    given += [each.value for each in call.keywords if each.arg == "diagonal"]
    diagonal = _number(given[0]) if given else 0
    if name not in ("triu", "tril") or whole is None or diagonal is None or is_turned != (name == "tril"):
        return None
    made = maker_of(bare_name(written(whole)), statements)
    rows = 1 - diagonal if name == "triu" else -diagonal
    if rows < 1 or not EVERYWHERE.search(written(whole) + (made.text if made else "")):
        return None
    end = "diagonal=1" if name == "triu" else ""
    inner = ", ".join(filter(None, [written(whole) if is_function else "", end]))
    due = f"{written(call.func)}({inner})"
    return say("judge.rows-unseeing", count=int(rows), code=short(call), due=clean(due, 120)), call.lineno


def begun_askew(tree: ast.Module, of: str) -> Told | None:
    """What to say of an inner loop over a mask's columns that begins, or ends, at another than the next token."""
    statements = statements_of(tree, of)
    for outer in nodes_of(tree, of):
        match outer:
            case ast.For(ast.Name(row)) if _writes_once(outer):
                inner = [node for node in walk(outer) if isinstance(node, ast.For) and node is not outer]
            case _:
                continue
        for loop in inner:
            match loop:
                case ast.For(iter=ast.Call(ast.Name("range"), [begin, end]) as turns) if _is_beside(begin, row):
                    due = f"range({row} + 1, {written(end)})"
                case ast.For(iter=ast.Call(ast.Name("range"), [ast.Constant(0), end]) as turns) if _is_beside(end, row):
                    due = f"range(0, {row} + 1)"
                case ast.For(iter=ast.Call(ast.Name("range"), [end]) as turns) if _is_beside(end, row):
                    due = f"range({row} + 1)"
                case _:
                    continue
            cells = [cell for each in walk(loop) if (cell := _cell(each, row, written(loop.target)))]
            if written(turns) != due and cells and not _is_changed_behind(cells[0], outer, statements):
                return say("judge.turns-askew", code=short(turns), due=clean(due, 80)), loop.lineno
    return None


def rows_askew(tree: ast.Module, of: str) -> Told | None:
    """What to say of a mask's row `[False] * i + [True] * (n - i)` whose parts meet at another than the next token."""
    if any(TRANSPOSED.search(s.text) for s in statements_of(tree, of)):
        return None
    for rows in nodes_of(tree, of):
        match rows:
            case ast.For(ast.Name(row), turns) | ast.ListComp(generators=[ast.comprehension(ast.Name(row), turns)]) if (
                FROM_NOUGHT.fullmatch(written(turns))
            ):
                for node in walk(rows):
                    if isinstance(node, ast.BinOp) and (due := _row_due(node, row)):
                        return say("judge.turns-askew", code=short(node), due=clean(due, 80)), node.lineno
    return None


def _row_due(node: ast.BinOp, row: str) -> str:
    """What is due in the place of a row of two parts; nothing for any other, and for one that is right."""
    match node:
        case ast.BinOp(
            ast.BinOp(ast.List([seen]), ast.Mult(), count),
            ast.Add(),
            ast.BinOp(ast.List([hidden]), ast.Mult(), rest),
        ) if _is_beside(count, row) and _is_fixed(seen) and _is_fixed(hidden):
            more = 1 - _sum(count)[1]
            others, by = _sum(rest)
            left = f"{others} {'+' if by > more else '-'} {abs(by - more)}" if by != more else others
            return f"[{written(seen)}] * ({row} + 1) + [{written(hidden)}] * ({left})" if more else ""
        case _:
            return ""


def _sum(node: ast.expr) -> tuple[str, int]:
    """What something is, and how many are added to it at its end."""
    match node:
        case ast.BinOp(what, ast.Add(), ast.Constant(int(number))):
            return written(what), number
        case ast.BinOp(what, ast.Sub(), ast.Constant(int(number))):
            return written(what), -number
        case _:
            return written(node), 0


def _writes_once(loop: ast.For) -> bool:
    """Whether a single statement of a loop writes into a tensor, so that no other one makes up for it."""
    return sum(isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) for node in walk(loop)) == 1


def _is_changed_behind(mask: str, loop: ast.For, statements: Sequence[Statement]) -> bool:
    """Whether behind a loop that writes into a mask its rows may become its columns, or its diagonal another."""
    behind = [s for s in statements if s.line > (loop.end_lineno or loop.lineno) and mask in s.text]
    return any(TRANSPOSED.search(s.text) or FILLED_DIAGONAL.search(s.text) for s in behind)


def _is_beside(node: ast.expr, row: str) -> bool:
    """Whether it is a row's number, or a few more or less."""
    match node:
        case ast.Name(name) | ast.BinOp(ast.Name(name), ast.Add() | ast.Sub(), ast.Constant(int())):
            return name == row
        case _:
            return False


def _cell(node: ast.AST, row: str, column: str) -> str:
    """What a number is written into, in a row and a column, as the source has it; nothing for any other statement."""
    match node:
        case ast.Assign([ast.Subscript(mask, ast.Tuple([ast.Name(i), ast.Name(j)]))], number) | ast.Assign(
            [ast.Subscript(ast.Subscript(mask, ast.Name(i)), ast.Name(j))], number
        ) if (i, j) == (row, column):
            return written(mask) if _is_fixed(number) else ""
        case _:
            return ""


def _is_fixed(node: ast.expr) -> bool:
    """Whether it is one number, or truth value, wherever it stands."""
    return isinstance(node, ast.Constant) or _number(node) is not None or _is_infinite(node)


def askew(tree: ast.Module, of: str) -> Told | None:
    """What to say of a mask's rows from one end with its columns from the other, as `mask[:n, -n:]`, and the line."""
    for node in nodes_of(tree, of):
        match node:
            case ast.Subscript(whole, ast.Tuple([*before, rows, columns])) if MASK.search(written(whole)):
                match _end(rows), _end(columns):
                    case (count, is_first), (other, is_first_too) if count == other and is_first != is_first_too:
                        due = ", ".join([*map(written, before), f":{count}", f":{count}"])
                        due = clean(f"{written(whole)}[{due}]", 80)
                        return say("judge.mask-askew", code=short(node), due=due), node.lineno
    return None


def _end(part: ast.expr) -> tuple[str, bool] | None:
    """How many a slice takes from an end, and whether that is the first one; None for anything else."""
    match part:
        case ast.Slice(None, ast.expr() as count, None):
            return written(count), True
        case ast.Slice(ast.UnaryOp(ast.USub(), count), None, None):
            return written(count), False
        case _:
            return None


def all_but_zero(tree: ast.Module, of: str) -> Told | None:
    """What to say of a number that is filled in to hide scores, and is nearly 0, and the line."""
    for statement in outside_init(statements_of(tree, of)):
        if not FILLING.search(statement.text):
            continue
        for node in (filled for each in walk(statement.node) for filled in _filled_in(each)):
            number = _number(node)
            if number is not None and 0 < abs(number) < SMALL:
                return say("judge.all-but-zero", code=short(node)), node.lineno
    return None


def _filled_in(node: ast.AST) -> Sequence[ast.expr]:
    """What a call, or an assignment to a part of a tensor, may put into it."""
    match node:
        case ast.Call(ast.Attribute(attr=name) | ast.Name(name), args, keywords) if FILLED_BY.fullmatch(name):
            return [*args, *(each.value for each in keywords)]
        case ast.Assign([ast.Subscript()], value):
            return [value]
        case _:
            return ()


def _number(node: ast.AST) -> float | None:
    """A number of the source's, also one that `float` reads; None for anything else."""
    match node:
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
            return -number
        case ast.Constant(bool()):
            return None
        case ast.Constant(int() | float() as number):
            return number
        case ast.Call(ast.Name("float"), [ast.Constant(str(text))]) if re.fullmatch(r"-?[\d.]+(e-?\d+)?", text):
            return float(text)
        case _:
            return None


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
