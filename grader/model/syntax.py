"""Python source as a tree or a table of names: one source at a time, and nothing said about it.

Up to Python 3.11.7 all threads count in one place how deep the tree is that they make, and one that finds the count
changed by another raises SystemError (https://github.com/python/cpython/pull/113035). What is warned of is one setting
for all threads too. A class is graded by as many threads as there are cores.
"""

from __future__ import annotations

import ast
import contextlib
import symtable
import warnings
from collections.abc import Iterator
from threading import Lock
from weakref import WeakKeyDictionary

# To parse a source takes time and a hundred times its length in memory; no solution comes near this.
LONGEST_SOURCE = 64_000
# What is raised for text that is no Python: the last two for what is nested too deeply.
NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
# Nobody nests further: a sum of ninety terms does. What reads a tree by recursion has room for ten times as much.
DEEPEST = 100
# Nobody who writes so long a source needs more. Each statement is held against all the others; and a node counts once
# for each that it lies in, since these are written out one by one.
MOST_STATEMENTS, MOST_NODES = 1_000, 150_000
# So many bits of a whole number fit into a float. Of one that is some ten times as long Python refuses to say it, which
# it reads in hexadecimal digits all the same.
MOST_BITS = 1_000
# What stands at the top of a solution's file and is asked for by its name.
Definition = ast.FunctionDef | ast.ClassDef
# What a solution's lines read to call torch's functions, and not to compute with.
LIBRARIES = frozenset({"torch", "F", "nn", "functional"})
# What is below each node that was walked; it goes with the node, which is not among it.
_BELOW: WeakKeyDictionary[ast.AST, tuple[ast.AST, ...]] = WeakKeyDictionary()
_lock = Lock()


def parse(source: str, name: str = "<source>") -> ast.Module:
    """The source as a tree. Raises what is in NO_PYTHON."""
    with _alone():
        return ast.parse(source, name)


def parse_if_python(source: str) -> ast.Module | None:
    """The source as a tree; None where it is no Python, or far longer, deeper or fuller than anybody writes."""
    if len(source) > LONGEST_SOURCE:
        return None
    try:
        tree = parse(source)
    except NO_PYTHON:
        return None
    return None if _is_beyond_use(tree) else tree


def walk(tree: ast.AST) -> tuple[ast.AST, ...]:
    """What `ast.walk` gives of a tree that nobody changes any more, walked once: each is read a dozen times."""
    below = _BELOW.get(tree)
    if below is None:
        _, *nodes = ast.walk(tree)
        below = _BELOW[tree] = tuple(nodes)
    return tree, *below


def dotted(node: ast.expr) -> str:
    """A name, or one with dots; "" for any other expression."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


def called_in(call: ast.Call) -> str:
    """The name of the method that a call calls, or of the function with all that stands before it."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else dotted(call.func)


def read_in(node: ast.AST) -> set[str]:
    """The variables that are read in a piece of source."""
    return {each.id for each in walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}


def unread_in(function: ast.AST) -> set[int]:
    """What is only given to names that nothing in a function reads: each piece of its source, by its `id`."""
    read = read_in(function)
    given = (node for node in walk(function) if isinstance(node, ast.Assign))
    idle = (node for node in given if all(isinstance(each, ast.Name) and each.id not in read for each in node.targets))
    return {id(piece) for node in idle for piece in walk(node.value)}


def holds(node: ast.AST, line: int) -> bool:
    """Whether a line is one of a statement's or an expression's, or of a function's body, wherever that stands."""
    parts = (node, *node.body) if isinstance(node, ast.FunctionDef) else (node,)
    placed = (part for part in parts if isinstance(part, (ast.stmt, ast.expr)))
    return any(part.lineno <= line <= (part.end_lineno or part.lineno) for part in placed)


def functions_in(tree: ast.AST) -> list[ast.FunctionDef]:
    """The functions of a piece of source, with those in them, the outermost first."""
    return [node for node in walk(tree) if isinstance(node, ast.FunctionDef)]


def functions_around(tree: ast.AST, line: int) -> list[ast.FunctionDef]:
    """The functions that a line lies in, the outermost first."""
    return [node for node in functions_in(tree) if holds(node, line)]


def assigned_at(tree: ast.AST, line: int) -> list[ast.Assign]:
    """The statements of a line that give a name what they make."""
    return [node for node in walk(tree) if isinstance(node, ast.Assign) and holds(node, line)]


def stored_in(node: ast.AST) -> set[str]:
    """The variables that are given a value in a piece of source, arguments aside."""
    return {each.id for each in walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def arguments_in(node: ast.AST) -> set[str]:
    """The arguments of a function, and of those in it."""
    return {each.arg for each in walk(node) if isinstance(each, ast.arg)}


def positional(function: ast.FunctionDef) -> list[str]:
    """The arguments of a function that are given by their places."""
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args)]


def only_says(statement: ast.stmt) -> bool:
    """Whether a statement only says something, or makes sure of it: a docstring, a print, an assertion."""
    match statement:
        case ast.Expr(ast.Constant() | ast.Call(ast.Name("print"))):
            return True
        case ast.Assert():
            return not stored_in(statement)
        case _:
            return False


def is_of_a_stub(statement: ast.stmt) -> bool:
    """Whether a function that has no more than such statements is as it was handed out."""
    match statement:
        case ast.Raise() | ast.Pass() | ast.Expr(ast.Constant()):
            return True
        case ast.Expr(ast.Call(ast.Attribute(ast.Call(ast.Name("super")), "__init__"))):
            return True
        case _:
            return False


def _is_beyond_use(tree: ast.AST) -> bool:
    level, nodes, statements = [tree], 0, 0
    for depth in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if any(isinstance(node, ast.Constant) and _is_long(node.value) for node in level):
            return True
        nodes += depth * len(level)
        statements += sum(isinstance(node, ast.stmt) for node in level)
    return bool(level) or nodes > MOST_NODES or statements > MOST_STATEMENTS


def _is_long(value: object) -> bool:
    """Whether a constant is a whole number of more bits than anybody needs."""
    return isinstance(value, int) and value.bit_length() > MOST_BITS


def table(source: str, name: str) -> symtable.SymbolTable:
    """The names of a source, scope by scope. Raises what is in NO_PYTHON."""
    with _alone():
        return symtable.symtable(source, name, "exec")


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    with _lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Python has to say of a student's backslashes is for the student's run
        yield
