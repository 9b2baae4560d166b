"""Where products are averaged or not summed, and where a number of each row meets the columns."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from grader.diagnosis.places.patterns import IN_PLACE
from grader.diagnosis.places.shares import as_given
from grader.diagnosis.places.statements import Told, asked, functions_of, simple
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.source.used import nodes_of
from grader.model.syntax import called_in, dotted, functions_around, positional, read_in, stored_in, walk
from grader.model.text import clean
from grader.words import say

# What torch says where several numbers are written to where there is room for one.
TOO_MANY = re.compile(
    r"^expand\(.*\{\[(\d+)\]\}, size=\[\]\): the number of sizes provided"
    r"|^output with shape \[\] doesn't match the broadcast shape \[(\d+)\]"
)
# What gives as many numbers as it is given, and what gives one for each row.
ELEMENTWISE = {"exp", "log", "abs", "relu", "clone", "float", "double", "clamp"}
REDUCING = {"max", "amax", "min", "amin", "sum", "mean", "logsumexp"}
LIBRARIES = {"torch"}
# Functions that raise e, or 2, to each number.
EXPONENTIAL = re.compile(r"exp(2|m1)?_?$|softm(ax|in)$")


def met_by_columns(tree: ast.Module, of: str, tables: Collection[str]) -> Told | None:
    """What to say of the first such number of each row that is taken off a table, or divides it.

    tables: the function's arguments that have two axes, rows and columns, by its own names. In a function that makes a
    choice, such as by how many axes there are, nothing is certain.
    """
    for function in asked(tree, of):
        if any(isinstance(node, ast.If | ast.IfExp) for node in walk(function)):
            continue
        for code in _met(function, {*tables} - _in_turn(function)):
            return say("judge.met-by-columns", code=short(code)), code.lineno
    return None


def averaged(tree: ast.Module, of: str) -> Told | None:
    """What to say of the first mean of products of two different things, as of the numbers of a query and of a key."""
    products = [node for node in nodes_of(tree, of) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)]
    multiplied = {id(side) for node in products for side in (node.left, node.right)}  # as a mean by the width, a sum
    names = {side.id for node in products for side in (node.left, node.right) if isinstance(side, ast.Name)}
    for node in nodes_of(tree, of):
        match node:
            case ast.Assign([ast.Name(name)], value) if name in names:  # the same, by a name
                multiplied.add(id(value))
    functions = functions_of(tree, of)
    for function, node in ((each, node) for each in functions for node in walk(each) if id(node) not in multiplied):
        match node:
            case ast.Call(ast.Attribute(ast.Name("torch"), "mean"), [given, *_]) | ast.Call(
                ast.Attribute(given, "mean")
            ):
                match as_given(given, function, given.lineno):
                    case ast.BinOp(left, ast.Mult(), right) if written(left) != written(right):
                        return say("judge.averaged", code=short(node)), node.lineno
    return None


def not_summed(tree: ast.Module, of: str) -> Told | None:
    """What to say of a result that multiplies two of a function's arguments number by number, and is nothing more."""
    for function in asked(tree, of):
        handed = [node for node in walk(function) if isinstance(node, ast.Return)]
        if len(handed) != 1:  # which of them gave the result is not known
            continue
        value = handed[0].value
        match as_given(value, function, value.lineno) if value is not None else None:
            case ast.BinOp(ast.Name(left), ast.Mult(), ast.Name(right)) as made if {left, right} <= {
                *positional(function)
            }:
                return say("judge.not-summed", code=short(made)), made.lineno
    return None


def adds_up_itself(tree: ast.Module, of: str) -> Told | None:
    """What to say of exponentials that are divided by the sum of what they were taken of, and the line.

    Not where there are others: what they were taken of may be exponentials itself, whose sum is right.
    """
    if sum(map(_is_exponential, nodes_of(tree, of))) > 1:
        return None
    for function in functions_of(tree, of):
        named = [each.id for each in walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
        for node in walk(function):
            match node:
                case ast.BinOp(above, ast.Div(), below):
                    exponential, total = (as_given(each, function, node.lineno) for each in (above, below))
                case _:
                    continue
            some, added = _raised_to(exponential) or _called_on(exponential, "exp"), _called_on(total, "sum")
            match some, added:
                case ast.Name(name), ast.Name(other) if name == other and named.count(name) < 2:
                    if as_given(added, function, node.lineno) is exponential:  # whose name it has taken
                        continue
                    said = say("judge.adds-up-itself", code=short(total), name=clean(name, 60), due=short(exponential))
                    return said, total.lineno
    return None


def summed_along(tree: ast.Module, of: str, *, is_flat: bool) -> Told | None:
    """What to say of the one sum that something is divided by to be shares, where that is along the queries' axis.

    Or along the keys', and does not keep the axis, so that what is divided by it is a column. is_flat: whether the
    queries' is the first one, since no batch stands before it.
    """
    calls = [(called_in(node), node) for node in nodes_of(tree, of) if isinstance(node, ast.Call)]
    sums = [node for name, node in calls if name == "sum"]
    if any("softmax" in name for name, _ in calls):
        return None
    match sums:
        case [ast.Call(ast.Attribute(ast.Name("torch")) as func, [whole, *rest], keywords) as total]:
            before = [written(whole)]
        case [ast.Call(ast.Attribute(whole) as func, rest, keywords) as total]:
            before = []
        case _:
            return None
    if not any(_is_divided(whole, total, function) for function in functions_of(tree, of)):
        return None
    axes = [written(each) for each in (*rest[:1], *(each.value for each in keywords if each.arg in ("dim", "axis")))]
    if len(axes) != 1:
        return None
    due = clean(f"{written(func)}({', '.join([*before, 'dim=-1', 'keepdim=True'])})", 120)
    if axes[0] in (("0", "-2") if is_flat else ("-2",)):
        return say("judge.summed-along", code=short(total), due=due), total.lineno
    if axes[0] in (("1", "-1") if is_flat else ("-1",)) and len(rest) + len(keywords) == 1:
        return say("judge.summed-flat", code=short(total), due=due), total.lineno
    return None


def _is_divided(whole: ast.expr, total: ast.expr, function: ast.FunctionDef) -> bool:
    """Whether a function divides something by its sum, as it is, or by the name that is given to it."""
    due = written(as_given(whole, function, whole.lineno))
    for node in walk(function):
        match node:
            case ast.BinOp(some, ast.Div(), by) | ast.AugAssign(some, ast.Div(), by):
                if (
                    as_given(by, function, node.lineno) is total
                    and written(as_given(some, function, node.lineno)) == due
                ):
                    return True
    return False


def _is_exponential(node: ast.AST) -> bool:
    match node:
        case ast.Call(ast.Attribute(attr=name) | ast.Name(name)):
            return EXPONENTIAL.search(name) is not None
        case ast.BinOp(base, ast.Pow()):
            return written(base).rpartition(".")[2] == "e"
        case _:
            return False


def _called_on(node: ast.expr, name: str) -> ast.expr | None:
    """What a function of torch's, or the method of that name, is called on; None where it is another one."""
    match node:
        case ast.Call(ast.Attribute(ast.Name(owner), called), [given, *_]) if owner in LIBRARIES and called == name:
            return given
        case ast.Call(ast.Attribute(given, called)) if called == name:
            return given
        case ast.Call(ast.Name(called), [given], []) if called == name:  # Python's own
            return given
        case _:
            return None


def _raised_to(node: ast.expr) -> ast.expr | None:
    """What e is raised to; None where it is something else."""
    match node:
        case ast.BinOp(ast.Attribute(ast.Name("math" | "torch" | "np" | "numpy"), "e"), ast.Pow(), power):
            return power
        case _:
            return None


def too_many_at_once(
    tree: ast.Module, message: str, line: int, axes: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> Told | None:
    """What to say of the line that failed where it gives several numbers to one place of a tensor.

    message: torch's. axes: of what functions are given, by their own names.
    """
    found = TOO_MANY.search(message)
    count = next(filter(None, found.groups()), "") if found else ""
    for node in (each for each in ast.walk(tree) if count and isinstance(each, ast.Assign | ast.AugAssign)):
        match node:
            case ast.Assign([ast.Subscript() as place], value) | ast.AugAssign(ast.Subscript() as place, _, value):
                if node.lineno != line:
                    continue
                parts = {"place": clean(written(place), 60), "code": short(value), "number": count}
                if _is_of_two_vectors(value, tree, axes):
                    return say("judge.too-many-products", **parts), line
                return say("judge.too-many-at-once", **parts), line
    return None


def _is_of_two_vectors(value: ast.expr, tree: ast.Module, axes: Mapping[str, Sequence[str]]) -> bool:
    """Whether a value multiplies two vectors of one axis, of what a function is given, as a dot product does."""
    match value:
        case ast.BinOp(left, ast.Mult(), right) if around := functions_around(tree, value.lineno):
            one, other = (_axes_of(side, around[-1], axes) for side in (left, right))
            return len(one) == 1 and one == other
        case _:
            return False


def _axes_of(node: ast.expr, function: ast.FunctionDef, axes: Mapping[str, Sequence[str]]) -> list[str]:
    """The axes of an argument that is what it was given, or of one of its rows; none where they are not known."""
    given = {name: [*axes[name]] for name in {*positional(function)} & {*axes} - stored_in(function)}
    rows = {name: axes[1:] for name, axes in given.items() if axes[1:]}
    named = [each.id for each in walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    for loop in (each for each in walk(function) if isinstance(each, ast.For | ast.comprehension)):
        match loop.target, loop.iter:
            case (ast.Name(name), ast.Name(over)) | (
                ast.Tuple([_, ast.Name(name)]),
                ast.Call(ast.Name("enumerate"), [ast.Name(over)]),
            ) if over in rows and named.count(name) == 1:
                given[name] = rows[over]
    match node:
        case ast.Name(name):
            return given.get(name, [])
        case ast.Subscript(ast.Name(name), ast.Name() | ast.Constant(int())):
            return rows.get(name, [])
        case _:
            return []


def _in_turn(function: ast.FunctionDef) -> set[str]:
    """The variables that a loop or another function gives its own meaning."""
    inner = [node for node in walk(function) if node is not function]
    loops = [node.target for node in inner if isinstance(node, ast.For | ast.comprehension)]
    names = {arg.arg for node in inner if isinstance(node, ast.FunctionDef | ast.Lambda) for arg in node.args.args}
    return names.union(*(stored_in(loop) for loop in loops))


def _met(function: ast.FunctionDef, tables: set[str]) -> Iterator[ast.expr]:
    rows: dict[str, ast.expr] = {}
    for statement in sorted(simple(function), key=lambda each: each.line):
        for node in walk(statement.node):
            match node:
                case ast.BinOp(left, ast.Sub() | ast.Div(), right) if _is_table(left, tables):
                    if (reduced := _reduced(right, tables) or rows.get(dotted(right))) is not None:
                        yield reduced
        match statement.node:
            case ast.Assign([ast.Name(name)], value):
                is_table, reduced = _is_table(value, tables), _reduced(value, tables)
                tables.discard(name)
                rows.pop(name, None)
                if is_table:
                    tables.add(name)
                if reduced is not None:
                    rows[name] = reduced
            case other:
                changed = stored_in(other) | (read_in(other) if IN_PLACE.search(statement.text) else set())
                tables -= changed
                rows = {name: value for name, value in rows.items() if name not in changed}


def _is_table(node: ast.expr, tables: set[str]) -> bool:
    """Whether an expression certainly has the rows and columns of a table."""
    match node:
        case ast.Name(name):
            return name in tables
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right):
            return _is_table(left, tables) or _is_table(right, tables)
        case ast.BinOp(left, ast.MatMult(), right):
            turned = right.value if isinstance(right, ast.Attribute) and right.attr in ("T", "mT") else right
            return _is_table(left, tables) and _is_table(turned, tables)
        case ast.Call(ast.Attribute(ast.Name(owner), name), [given, *_]) if owner in LIBRARIES and name in ELEMENTWISE:
            return _is_table(given, tables)
        case ast.Call(ast.Attribute(given, name)) if name in ELEMENTWISE:
            return _is_table(given, tables)
        case _:
            return False


def _reduced(node: ast.expr, tables: set[str]) -> ast.expr | None:
    """An expression that is one number for each row of a table, in a tensor without the columns' axis; else None."""
    match node:
        case ast.Attribute(ast.Call() as call, "values") | ast.Subscript(ast.Call() as call, ast.Constant(0)):
            return node if _is_of_rows(call, tables) else None
        case ast.Call(ast.Attribute(attr=name)) if name not in ("max", "min"):  # which give two tensors
            return node if _is_of_rows(node, tables) else None
        case _:
            return None


def _is_of_rows(call: ast.Call, tables: set[str]) -> bool:
    match call:
        case ast.Call(ast.Attribute(ast.Name(owner), name), [given, *rest], keywords) if owner in LIBRARIES:
            pass
        case ast.Call(ast.Attribute(given, name), rest, keywords):
            pass
        case _:
            return False
    named = {each.arg: each.value for each in keywords}
    axes = [*rest, *(named[key] for key in ("dim", "axis") if key in named)]
    is_last = len(axes) == 1 and written(axes[0]) in ("-1", "1") and named.keys() <= {"dim", "axis"}
    return name in REDUCING and is_last and _is_table(given, tables)
