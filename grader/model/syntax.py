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
from functools import lru_cache
from threading import Lock

# To parse a source takes time and a hundred times its length in memory; no solution comes near this.
LONGEST_SOURCE = 64_000
# What is raised for text that is no Python: the last two for what is nested too deeply.
NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
# Each thread reads one submission's trees and those of its definitions, a dozen times each, and then never again.
WALKED = 16
_lock = Lock()


def parse(source: str, name: str = "<source>") -> ast.Module:
    """The source as a tree. Raises what is in NO_PYTHON."""
    with _alone():
        return ast.parse(source, name)


def parse_if_python(source: str) -> ast.Module | None:
    """The source as a tree; None where it is no Python, or far longer than anybody writes."""
    if len(source) > LONGEST_SOURCE:
        return None
    try:
        return parse(source)
    except NO_PYTHON:
        return None


@lru_cache(maxsize=WALKED)
def walk(tree: ast.AST) -> tuple[ast.AST, ...]:
    """What `ast.walk` gives of a tree that nobody changes any more, walked once."""
    return tuple(ast.walk(tree))


def table(source: str, name: str) -> symtable.SymbolTable:
    """The names of a source, scope by scope. Raises what is in NO_PYTHON."""
    with _alone():
        return symtable.symtable(source, name, "exec")


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    with _lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Python has to say of a student's backslashes is for the student's run
        yield
