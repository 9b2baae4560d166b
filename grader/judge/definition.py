"""Where a result comes from: the `return` of what was asked, else the line where it begins."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.judge.reached import never_reached
from grader.model.syntax import arguments_in, stored_in, walk

CONSTRUCTOR = "__init__"


def result_line(tree: ast.Module, begins: int) -> int:
    """The last `return` of the function that begins in a line; that line where there is none, or a constructor's.

    One that hands back an argument as it is counts only where there is no other. Of a name alone it is the statement
    right above that gives it its value.
    """
    for node in walk(tree):
        if isinstance(node, ast.FunctionDef) and _first(node) == begins and node.name != CONSTRUCTOR:
            given = arguments_in(node.args) - stored_in(node)
            every = [*returns(node)]
            made = [each for each in every if not (isinstance(each.value, ast.Name) and each.value.id in given)]
            last = max(made or every, key=lambda each: each.lineno, default=None)
            return begins if last is None else _made_at(last, node)
    return begins


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


def _first(node: ast.FunctionDef) -> int:
    """The line where Python has a function begin: that of its first decorator."""
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
