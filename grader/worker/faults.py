"""Exceptions of student code as data: their type, message and the student's own lines."""

from __future__ import annotations

import builtins
import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterator
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any

from grader.model.observation import Fault, Frame
from grader.worker import shapes, stumble

MESSAGE_LIMIT = 1000
FRAME_LIMIT = 20
NAME_LIMIT = 60
# What torch 2.15 begins to say of shapes with, and no earlier one: known mistakes are known by what is said of them.
PRODUCT = re.compile(r"\A(?:mm|addmm): (?=mat1 and mat2 )")
# What Python 3.13 begins to guess of an argument's name; the grader does so itself, whatever Python is here.
GUESSED = re.compile(r"(?<= got an unexpected keyword argument )('\w+')\. Did you mean '\w+'\?\Z")


class Refused(Exception):
    """An action that cannot be performed, found out by us rather than raised by the solution."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def of_exception(error: BaseException, files: Collection[str], action: int) -> Fault:
    """A fault from whatever a solution raised, with only the frames that lie in its own files."""
    own = _own(error.__traceback__, files)
    # Of zero bytes in a file Python does not say in which.
    if isinstance(error, SyntaxError) and (error.filename in files or not (error.filename or own)):
        line, column = max(error.lineno or 0, 0), max(error.offset or 0, 0)
        there = (Frame(error.filename, line, ""),) if error.filename else ()
        return Fault("syntax", type(error).__name__, str(error.msg)[:MESSAGE_LIMIT], there, line, column, action=action)
    kind = "exit" if isinstance(error, (SystemExit, KeyboardInterrupt)) else "exception"
    named = shapes.of_failing(own[-1]) if own and kind == "exception" else ()
    seen = frames(error, files)
    return Fault(kind, type(error).__name__, message(error), seen, bases=_bases(error), shapes=named, action=action)


def frames(error: BaseException, files: Collection[str]) -> tuple[Frame, ...]:
    """The lines of a solution's own files that an exception went through, the innermost last."""
    return tuple(frame(part.tb_frame.f_code, part.tb_lineno) for part in _own(error.__traceback__, files))


def frame(code: CodeType, line: int) -> Frame:
    """A line of a solution's code as it is told."""
    return Frame(code.co_filename, line, code.co_name[:80])


def executing(frame: FrameType | None, files: Collection[str]) -> Iterator[FrameType]:
    """Of a frame and those around it the ones that lie in a solution's own files, the innermost first."""
    while frame is not None:
        if frame.f_code.co_filename in files:
            yield frame
        frame = frame.f_back


def _bases(error: BaseException) -> tuple[str, ...]:
    """What an exception of another module's is among Python's own, such as ValueError; nothing for one of Python's."""
    own = [kind.__name__ for kind in type(error).__mro__ if vars(builtins).get(kind.__name__) is kind]
    return () if type(error).__name__ in own else tuple(own[:-2])  # each is a BaseException and an object


def find(module: ModuleType, name: str) -> Callable[..., Any]:
    """The function or class of that name. Raises Refused with the names that the module does define.

    Where a statement of the module's own raised, and that is why the name is not there, what it raised.
    """
    found = module.__dict__.get(name)
    if callable(found):
        return found  # type: ignore[no-any-return]
    if (kept_from := stumble.why_missing(module.__dict__, name)) is not None:
        raise kept_from.error.with_traceback(kept_from.trace)
    if callable(made := getattr(module, name, None)):  # by its own __getattr__: https://peps.python.org/pep-0562/
        return made  # type: ignore[no-any-return]
    own = stumble.defined(module)
    kind = type(found).__name__ if name in module.__dict__ else ""
    raise Refused(Fault("missing", kind, names=tuple(own[:NAME_LIMIT])))


def unfit(target: Callable[..., Any], arguments: list[Any], method: bool = False) -> Refused | None:
    """The refusal, with the solution's own signature, if it does not take these arguments. method: of a module.

    Asked only once a call has raised TypeError: reading a signature takes as long as many a call.
    """
    try:
        signature, written = _signature(target)
    except Exception:  # of a builtin, which has none, or of what stands in an annotation
        return None
    try:
        signature.bind(*arguments)
    except TypeError as error:
        names = ("forward",) if method else ()
        return Refused(Fault("signature", "TypeError", str(error), names=names, signature=written[:300]))
    return None


def _signature(target: Callable[..., Any]) -> tuple[inspect.Signature, str]:
    """What a function or a class takes, and how that is written.

    From Python 3.14 on nothing evaluates annotations before they are asked for, and what they name need not be there.
    """
    if sys.version_info >= (3, 14):
        from annotationlib import Format

        signature = inspect.signature(target, annotation_format=Format.STRING)
        return signature, signature.format(quote_annotation_strings=False)
    signature = inspect.signature(target)
    return signature, str(signature)


def beginning(function: Any, files: Collection[str]) -> Frame | None:
    """Where a function of the solution begins; None where it is none of its own."""
    function = getattr(function, "__func__", function)
    if hasattr(function, "__wrapped__"):
        function = inspect.unwrap(function)
    code = getattr(function, "__code__", None)
    return None if code is None or code.co_filename not in files else frame(code, code.co_firstlineno)


def message(error: BaseException) -> str:
    """What an exception says, as a fault tells it."""
    try:
        path = f" ({error.path})" if isinstance(error, ImportError) and error.path else ""  # of this very machine
        return GUESSED.sub(r"\1", PRODUCT.sub("", str(error)[:MESSAGE_LIMIT])).removesuffix(path)
    except BaseException as second:
        return f"(its message cannot be shown: __str__ raised {type(second).__name__})"


def _own(trace: TracebackType | None, files: Collection[str]) -> list[TracebackType]:
    """The last parts of a traceback that lie in the solution's own files, the innermost last."""
    own = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in files:
            own.append(trace)
        trace = trace.tb_next
    return own[-FRAME_LIMIT:]
