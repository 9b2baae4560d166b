"""Modules whose own code raises, outside their functions: a demo that fails, data that is not there.

That statement is passed over and the module goes on below it, as a notebook would after a cell that failed. What the
statement was to make is missing, and whoever asks for it is told why.
"""

from __future__ import annotations
import __future__

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, ModuleType, TracebackType
from typing import Any

# What `from __future__ import …` switches on holds for the statements below it too.
FEATURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
# What a star import would make.
EVERYTHING = "*"
# Under which name a module keeps them, so that whoever has its names has them.
KEPT_AS = "__stumbles__"


@dataclass(frozen=True, slots=True)
class Stumble:
    """What a statement outside all functions raised.

    names: what it was to make, maybe EVERYTHING; of one that ended the program, what stands below it too.
    """

    error: BaseException
    trace: TracebackType | None
    names: frozenset[str]

    @property
    def is_end(self) -> bool:
        """Whether it ended the program."""
        return isinstance(self.error, SystemExit)


def stumbles(module: Mapping[str, Any]) -> Sequence[Stumble]:
    """What the statements of a module, by its names, raised, in order; empty where all was done."""
    found = module.get(KEPT_AS)
    return [each for each in found if isinstance(each, Stumble)] if isinstance(found, tuple) else []


def to_tell(module: Mapping[str, Any]) -> Stumble | None:
    """Which of them is to be told: rather the program's end, where it kept something from being made, than a demo."""
    found = [each for each in stumbles(module) if each.names or not each.is_end]
    return min(found, key=lambda each: not each.is_end, default=None)


def defined(module: ModuleType) -> list[str]:
    """The names of what a module itself defines."""
    return [key for key, value in module.__dict__.items() if getattr(value, "__module__", "") == module.__name__]


def why_missing(module: Mapping[str, Any], name: str) -> Stumble | None:
    """What kept a name from being there; None where it is there, or was never to be made."""
    if name in module:
        return None
    return next((each for each in stumbles(module) if each.names & {name, EVERYTHING}), None)


def root(error: BaseException) -> BaseException:
    """What kept a name from being there, where that is what an error is about; else the error."""
    trace = error.__traceback__
    if type(error) is not NameError or not isinstance(error.name, str) or trace is None:
        return error
    while trace.tb_next is not None:
        trace = trace.tb_next
    stumble = why_missing(trace.tb_frame.f_globals, error.name)
    return error if stumble is None else stumble.error.with_traceback(stumble.trace)


def go_on(module: ModuleType, source: bytes, code: CodeType, error: Exception | SystemExit) -> None:
    """Run what stands below the statement that raised, each statement whether or not another one raises.

    Nothing more is run once one ends the program. Raises the error again where nothing is defined then.
    """
    flags = code.co_flags & FEATURES
    left = compile(source, code.co_filename, "exec", ast.PyCF_ONLY_AST | flags, dont_inherit=True).body
    failing = _where(code, error)
    left = left[sum(_start(statement) <= failing for statement in left) - 1 :]
    raised: Exception | SystemExit | None = error
    while left:
        if raised is not None:
            ends = isinstance(raised, SystemExit)
            _keep(module, raised, left if ends else left[:1])
            if ends:
                break
        left = left[1:]
        raised = _raised(module, code.co_filename, left[:1], flags)
    _check(module)


def _raised(module: ModuleType, file: str, statements: list[ast.stmt], flags: int) -> Exception | SystemExit | None:
    """What statements raise when they are run."""
    try:
        exec(compile(ast.Module(statements, []), file, "exec", flags, dont_inherit=True), module.__dict__)
    except (Exception, SystemExit) as error:
        return error
    return None


def _keep(module: ModuleType, error: BaseException, statements: Sequence[ast.stmt]) -> None:
    error = root(error)
    stumble = Stumble(error, error.__traceback__, frozenset(_made(statements)))
    module.__dict__[KEPT_AS] = (*stumbles(module.__dict__), stumble)


def _check(module: ModuleType) -> None:
    """Raise what the first statement raised where the module defines nothing; else let it be told to who asks."""
    first, *_ = stumbles(module.__dict__)
    if not defined(module):
        raise first.error.with_traceback(first.trace)

    def missing(name: str) -> Any:
        stumble = why_missing(module.__dict__, name)
        if stumble is None or name.startswith("__"):
            raise AttributeError(name)
        if isinstance(stumble.error, AttributeError):  # which an import would take for the name's absence alone
            raise ImportError(f"{type(stumble.error).__name__}: {stumble.error}") from stumble.error
        raise stumble.error.with_traceback(stumble.trace)

    module.__dict__.setdefault("__getattr__", missing)


def _where(code: CodeType, error: BaseException) -> tuple[int, int]:
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


def _made(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """The names to which statements outside functions give something."""
    waiting: list[ast.AST] = [*statements]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                yield name
                continue  # what is made inside is its own
            case ast.Lambda():
                continue
            case ast.Name(name, ast.Store()) | ast.MatchAs(name=str(name)) | ast.MatchStar(str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
            case ast.alias(name, other):
                yield other or name.partition(".")[0]
        waiting += ast.iter_child_nodes(node)
