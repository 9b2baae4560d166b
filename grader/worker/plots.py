"""Plotting libraries, installed or not: what one asks of them, to draw and to show, does nothing.

Students draw what they compute. That has no part in a grade, and such a library none in a grader: a real one would take
longer to import than all that is graded, and where some are installed and others are not, they would meet in one
program. Who computes with what comes back, as with the limits of an axis, is told that there is no number.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
from collections.abc import Collection, Iterator, Sequence
from types import ModuleType, TracebackType
from typing import Any

# More rows or columns of pictures nobody draws.
MOST = 100
LIBRARIES = frozenset({"matplotlib", "seaborn", "plotly", "bertviz", "IPython", "ipywidgets"})


class Plots(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds these libraries but for some, to be asked before everything that is installed."""

    def __init__(self, besides: Collection[str]) -> None:
        self._known = LIBRARIES.difference(besides)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] not in self._known:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return _Library(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        return None


class Nothing:
    """Has any attribute, takes any call, index, loop and `with`, and does nothing.

    parts: what it is taken apart into.
    """

    def __init__(self, parts: Sequence[Any] = ()) -> None:
        self._parts = tuple(parts)

    def __getattr__(self, name: str) -> Any:
        return _attribute(name)

    def __call__(self, *_: Any, **__: Any) -> Any:
        return NOTHING

    def __getitem__(self, _: Any) -> Any:
        return NOTHING

    def __setitem__(self, _: Any, __: Any) -> None:
        return None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __bool__(self) -> bool:
        return True

    def __enter__(self) -> Any:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        return None


class _Library(ModuleType):
    def __getattr__(self, name: str) -> Any:
        return _attribute(name)


NOTHING = Nothing()
# What comes back in parts, and is taken apart at once.
IN_PARTS = {"plot": Nothing([NOTHING]), "hist": Nothing([NOTHING] * 3), "hist2d": Nothing([NOTHING] * 4)}


def _attribute(name: str) -> Any:
    if name == "__version__":
        return "0"
    if name.startswith("__"):  # by which Python asks what an object can do
        raise AttributeError(name)
    if name in IN_PARTS:
        return lambda *_, **__: IN_PARTS[name]
    return _subplots if name == "subplots" else NOTHING


def _subplots(nrows: Any = 1, ncols: Any = 1, *_: Any, **__: Any) -> tuple[Any, Any]:
    """A figure and its axes: one, a row or a column of them, or rows."""
    rows, columns = (size if isinstance(size, int) and 0 < size < MOST else 1 for size in (nrows, ncols))
    if 1 in (rows, columns):
        return NOTHING, Nothing([NOTHING] * rows * columns) if rows * columns > 1 else NOTHING
    return NOTHING, Nothing([Nothing([NOTHING] * columns) for _ in range(rows)])
