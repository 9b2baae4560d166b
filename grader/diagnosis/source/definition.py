"""Where a result comes from: the `return` of what was asked, else the line where it begins."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import MappingProxyType

from grader.diagnosis.source.reached import never_reached
from grader.diagnosis.source.taken import Numbers, taken
from grader.model.syntax import arguments_in, stored_in, walk

CONSTRUCTOR = "__init__"
# What gives no tensor any more, in as much of a statement as is read.
LEAVING, LONGEST = re.compile(r"\.(numpy|tolist|item)\(\)|\bnp\.|\bnumpy\."), 400
NO_NUMBERS: Numbers = MappingProxyType({})


def result_line(tree: ast.Module, begins: int, item: int = 0, numbers: Numbers = NO_NUMBERS) -> int:
    """The last `return` of the function that begins in a line; that line where there is none, or a constructor's.

    numbers: those among the arguments that it was called with; where they alone decide which `return` ends the call, it
    is that.

    One that hands back an argument as it is counts only where there is no other. Of a name alone it is the statement
    right above that gives it its value.

    item: the one of several values that is meant, from 1: then it is the statement that makes that, or what it is of.
    """
    for node in walk(tree):
        if isinstance(node, ast.FunctionDef) and begins in (node.lineno, _first(node)) and node.name != CONSTRUCTOR:
            given = arguments_in(node.args) - stored_in(node)
            every = [*returns(node)]
            made = [each for each in every if not (isinstance(each.value, ast.Name) and each.value.id in given)]
            last = max(made or every, key=lambda each: each.lineno, default=None)
            if len(every) > 1 and numbers:
                last = taken(node, numbers) or last
            if last is not None and item:
                return _item_made_at(last, node, item)
            return begins if last is None else _made_at(last, node)
    return begins


def returned_without_torch(tree: ast.Module, begins: int) -> int:
    """The line of the only `return` of several that leaves torch, of the function that begins in a line; 0 for none."""
    for node in walk(tree):
        if isinstance(node, ast.FunctionDef) and begins in (node.lineno, _first(node)):
            every = [*returns(node)]
            leaving = [each.lineno for each in every if LEAVING.search(ast.unparse(each)[:LONGEST])]
            return leaving[0] if len(every) > len(leaving) == 1 else 0
    return 0


def _item_made_at(handed: ast.Return, function: ast.FunctionDef, item: int) -> int:
    """The line of the statement that makes one of several values which are handed back.

    Where that only measures the variance of something, which cannot be wrong, of the statement that makes that.
    """
    match handed.value:
        case ast.Tuple(items) | ast.List(items) | ast.Call(args=[ast.Tuple(items) | ast.List(items)]):
            pass
        case _:
            return _made_at(handed, function)
    if item > len(items):
        return handed.lineno
    value, line = items[item - 1], items[item - 1].lineno
    name = value.id if isinstance(value, ast.Name) else _measured(value)
    while name:
        above = [(at, given) for at, given in _given(function, name) if at < line]
        if not above:
            return line
        wrong = [pair for pair in above if not _measured(pair[1])]  # in one branch of several, as it may be
        line, value = max(wrong or above, key=lambda pair: pair[0])
        name = _measured(value)
    return _appended_at(value, function) or line


def _appended_at(value: ast.expr, function: ast.FunctionDef) -> int:
    """The line that appends to a list which an expression joins, where one alone does; 0 of any other expression."""
    match value:
        case ast.Call(ast.Attribute(attr="stack" | "cat" | "tensor"), [ast.Name(name)]):
            pass
        case _:
            return 0
    lines = []
    for node in walk(function):
        match node:
            case ast.Call(ast.Attribute(ast.Name(owner), "append")) if owner == name:
                lines.append(node.lineno)
    return lines[0] if len(lines) == 1 else 0


def _measured(value: ast.expr) -> str:
    """The variable of whose numbers an expression is the variance, all of them at once; "" for any other expression."""
    match value:
        case ast.Call(ast.Attribute(ast.Name("torch"), "var"), [ast.Name(name)], []):
            return name
        case ast.Call(ast.Attribute(ast.Name(name), "var"), [], []):
            return name
        case _:
            return ""


def _given(function: ast.FunctionDef, name: str) -> Iterator[tuple[int, ast.expr]]:
    """What a variable is given, each time with the line."""
    for node in walk(function):
        match node:
            case ast.Assign([ast.Name(made)], value) | ast.AnnAssign(ast.Name(made), value) if made == name and value:
                yield node.lineno, value
            case ast.Assign([ast.Tuple(names)], ast.Tuple(values)) if len(names) == len(values):
                pairs = zip(names, values, strict=True)
                yield from ((node.lineno, each) for to, each in pairs if isinstance(to, ast.Name) and to.id == name)
            case ast.AugAssign(ast.Name(made) as before, operator, value) if made == name:
                yield node.lineno, ast.BinOp(before, operator, value)


def _made_at(handed: ast.Return, function: ast.FunctionDef) -> int:
    """The line of a `return`, or of the statement right above that makes what it hands back by its name.

    Also where that ends the branch right above, or the loop, and it is made in no other.
    """
    for body in (getattr(node, name, []) for node in walk(function) for name in ("body", "orelse", "finalbody")):
        if isinstance(body, list) and handed in body[1:]:
            match _ending(body[body.index(handed) - 1]), handed.value:
                case ast.Assign([ast.Name(made)]) as above, ast.Name(name) if made == name:
                    return above.lineno
    return handed.lineno


def _ending(statement: ast.stmt) -> ast.stmt:
    """The last statement of a branch, or of a loop, that has no other beside it; any other statement itself."""
    while isinstance(statement, ast.If | ast.For | ast.With) and not getattr(statement, "orelse", []):
        statement = statement.body[-1]
    return statement


def defined_at(tree: ast.Module, begins: int) -> int:
    """The line with `def` or `class` of what begins in a line by a decorator; that line of anything else."""
    definitions = (node for node in walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef))
    return next((node.lineno for node in definitions if _first(node) == begins), begins)


def _first(node: ast.FunctionDef | ast.ClassDef) -> int:
    """The line where Python has a definition begin: that of its first decorator."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def returns(function: ast.FunctionDef) -> Iterator[ast.Return]:
    """A function's own `return`s with a value, not those of functions in it, nor those that never run."""
    unreached = never_reached(function)
    waiting: list[ast.AST] = [function]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop(0)):
            if isinstance(child, ast.Return) and child.value is not None and id(child) not in unreached:
                yield child
            elif not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                waiting.append(child)
