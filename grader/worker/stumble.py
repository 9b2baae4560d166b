"""Modules whose own code raises, outside their functions: a demo that fails, data that is not there.

That statement is passed over and the module goes on below it, as a notebook would after a cell that failed. What the
statement was to make is missing, and whoever asks for it is told why.
"""

from __future__ import annotations
import __future__

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, ModuleType, TracebackType
from typing import Any

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# What `from __future__ import …` switches on holds for the statements below it too.
FEATURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
EVERYTHING = "*"


@dataclass(frozen=True, slots=True)
class Stumble:
    """What a statement outside all functions raised. names: what it was to make, maybe EVERYTHING."""

    error: BaseException
    trace: TracebackType | None
    names: frozenset[str]


def stumbles(module: Mapping[str, Any]) -> Sequence[Stumble]:
    """What the statements of a module, by its names, raised, in order; empty where all was done."""
    state = getattr(module.get("__spec__"), "loader_state", None)
    return state if isinstance(state, tuple) else ()


def why_missing(module: Mapping[str, Any], name: str) -> Stumble | None:
    """What kept a name from being there; None where it is there, or was never to be made."""
    if name in module:
        return None
    return next((each for each in stumbles(module) if each.names & {name, EVERYTHING}), None)


def go_on(module: ModuleType, source: bytes, code: CodeType, error: Exception) -> None:
    """Run what stands below the statement that raised, each statement whether or not another one raises.

    Raises the error again where nothing is defined then.
    """
    flags = code.co_flags & FEATURES
    tree = compile(source, code.co_filename, "exec", ast.PyCF_ONLY_AST | flags, dont_inherit=True)
    failing = _where(code, error)
    at = sum(_start(statement) <= failing for statement in tree.body) - 1
    _keep(module, error, tree.body[at : at + 1])
    for number, statement in enumerate(tree.body[at + 1 :], at + 1):
        one = compile(ast.Module([statement], []), code.co_filename, "exec", flags, dont_inherit=True)
        try:
            exec(one, module.__dict__)
        except Exception as other:
            _keep(module, root(other, module.__dict__), [statement])
        except SystemExit as end:
            _keep(module, end, tree.body[number:])
            break
    _check(module)


def stop(module: ModuleType, source: bytes, code: CodeType, end: SystemExit) -> None:
    """Keep a module that ends the program as it is then. Raises SystemExit again where nothing is defined."""
    tree = compile(source, code.co_filename, "exec", ast.PyCF_ONLY_AST | code.co_flags & FEATURES, dont_inherit=True)
    _keep(module, end, tree.body)
    _check(module)


def root(error: BaseException, module: Mapping[str, Any]) -> BaseException:
    """What kept a name from being there, where that is what an error in a module is about; else the error."""
    if type(error) is not NameError or not error.name:
        return error
    stumble = why_missing(module, error.name)
    return error if stumble is None else stumble.error.with_traceback(stumble.trace)


def _keep(module: ModuleType, error: BaseException, statements: Sequence[ast.stmt]) -> None:
    assert module.__spec__ is not None
    stumble = Stumble(error, error.__traceback__, frozenset(_made(statements)))
    module.__spec__.loader_state = (*stumbles(module.__dict__), stumble)


def _check(module: ModuleType) -> None:
    """Raise what the first statement raised where the module defines nothing; else let it be told to who asks."""
    own = [value for value in module.__dict__.values() if getattr(value, "__module__", "") == module.__name__]
    if not own:
        first = stumbles(module.__dict__)[0]
        raise first.error.with_traceback(first.trace)

    def missing(name: str) -> Any:
        stumble = why_missing(module.__dict__, name)
        if stumble is None or name.startswith("__"):
            raise AttributeError(name)
        if isinstance(stumble.error, AttributeError):  # which an import would take for the name's absence alone
            raise ImportError(f"{type(stumble.error).__name__}: {stumble.error}") from stumble.error
        raise stumble.error.with_traceback(stumble.trace)

    module.__dict__.setdefault("__getattr__", missing)


def _where(code: CodeType, error: Exception) -> tuple[int, int]:
    """The line and column at which a module's own code raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code is not code:
        trace = trace.tb_next
    if trace is None:  # not even begun
        raise error
    line, _, column, _ = [*code.co_positions()][trace.tb_lasti // 2]
    return line or trace.tb_lineno, column or 0


def _start(statement: ast.stmt) -> tuple[int, int]:
    """Where a statement begins, with what decorates it."""
    return min((part.lineno, part.col_offset) for part in (statement, *getattr(statement, "decorator_list", ())))


def _made(statements: Sequence[ast.stmt]) -> Iterator[str]:
    """The names that statements outside functions give something to."""
    for statement in statements:
        for node in [statement] if isinstance(statement, DEFINITIONS) else ast.walk(statement):
            if isinstance(node, DEFINITIONS):
                yield node.name
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.alias):
                yield node.asname or node.name.partition(".")[0]
