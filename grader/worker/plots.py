"""Plotting libraries that are not installed here: whatever is asked of them does nothing.

Students draw what they compute. That has no part in a grade, and such a library none in a grader.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
from collections.abc import Iterator, Sequence
from types import ModuleType, TracebackType
from typing import Any

LIBRARIES = frozenset({"matplotlib", "seaborn", "plotly", "bertviz", "IPython", "ipywidgets"})


class Plots(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds these libraries, to be asked after everything that is installed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] not in LIBRARIES:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return _Library(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        return None


class Nothing:
    """Has any attribute, takes any call, index, loop and `with`, and does nothing."""

    def __getattr__(self, name: str) -> Any:
        return _attribute(name)

    def __call__(self, *_: Any, **__: Any) -> Any:
        return self

    def __getitem__(self, _: Any) -> Any:
        return self

    def __setitem__(self, _: Any, __: Any) -> None:
        return None

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __enter__(self) -> Any:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        return None


class _Library(ModuleType):
    def __getattr__(self, name: str) -> Any:
        return _attribute(name)


NOTHING = Nothing()


def _attribute(name: str) -> Any:
    if name.startswith("__"):  # by which Python asks what an object can do
        raise AttributeError(name)
    return _subplots if name == "subplots" else NOTHING


def _subplots(*_: Any, **__: Any) -> tuple[Any, Any]:
    """A figure and its axes, which everybody takes apart at once."""
    return NOTHING, NOTHING
