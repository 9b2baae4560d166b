"""Notes the tensors that a solution makes, each with the line of its own that made it, as evidence of where it errs.

Only values are noted, never names of the student's: what a value is worth is decided by who knows the right one.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, TracebackType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from grader.wire.observations import MAX_TRACED, MAX_TRACED_VALUES, MOST_LINES, MOST_PARENTS
from grader.worker import faults

# Tensors are looked for in arguments, by their places or names, and in lists of lists of them, no deeper.
MAX_DEPTH = 4


class Tracing(TorchFunctionMode):
    """While active, notes every floating-point tensor that comes about in one file, up to a number and a size."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self._made: list[int] = []
        self._values: list[torch.Tensor] = []
        self._file, self._room = file, MAX_TRACED_VALUES
        self._known: dict[int, int] = {}
        self._kept: list[torch.Tensor] = []  # so that no identity is used again for something else

    def __torch_function__(self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        name = getattr(func, "__name__", "")
        # A value that is written into is a new one: an assignment to elements returns nothing. Of `torch.empty` there
        # is no value yet, only what memory held before.
        made = args[0] if name == "__setitem__" else result
        if isinstance(made, (torch.Tensor, tuple, list)) and "empty" not in name:
            self._note(made, (args, kwargs))
        return result

    def number(self, tensor: Any) -> int | None:
        """Which of the noted tensors this one is, as it was last; None where it was not noted."""
        return self._known.get(id(tensor))

    def values(self) -> torch.Tensor:
        """The numbers of all tensors, one after the other, each as it was when it was made: float32."""
        return torch.cat(self._values) if self._values else torch.zeros(0)

    def made(self) -> torch.Tensor:
        """What they are: for each its lines, its shape and its parents, each led by their number. int64"""
        return torch.tensor(self._made, dtype=torch.int64)

    def _note(self, result: Any, arguments: Any) -> None:
        lines = _lines(self._file)
        if not lines:
            return
        parents = {number for tensor in tensors_in(arguments) if (number := self.number(tensor)) is not None}
        some = sorted(parents)[:MOST_PARENTS]
        for tensor in tensors_in(result):
            size = tensor.numel()
            is_worth_it = tensor.is_floating_point() and tensor.layout is torch.strided and size > 0
            if not is_worth_it or size > self._room or len(self._values) == MAX_TRACED:
                continue
            self._room -= size
            self._known[id(tensor)] = len(self._values)
            self._kept.append(tensor)
            self._made += [len(lines), *lines, tensor.ndim, *tensor.shape, len(some), *some]
            self._values.append(tensor.detach().to("cpu", torch.float32, copy=True).reshape(-1))


class Locals:
    """While active, keeps what a function's own variables held when it last returned."""

    def __init__(self, function: Any) -> None:
        self.values: dict[str, Any] = {}
        self._code: CodeType = inspect.unwrap(getattr(function, "__func__", function)).__code__

    def __enter__(self) -> Locals:
        sys.setprofile(self._returned)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.setprofile(None)

    def _returned(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "return" and frame.f_code is self._code:
            self.values = dict(frame.f_locals)


def _lines(file: str) -> list[int]:
    """The lines of this file that are being executed, outermost first, so many of them as anybody needs."""
    found = [frame.f_lineno for frame in faults.executing(inspect.currentframe(), (file,))]
    return found[: -MOST_LINES - 1 : -1]


def tensors_in(value: Any, depth: int = 0) -> Iterator[torch.Tensor]:
    """The tensors of a result, or of arguments, lists of them and what these hold too."""
    if isinstance(value, torch.Tensor):
        yield value
    elif depth < MAX_DEPTH and isinstance(value, (tuple, list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from tensors_in(item, depth + 1)
