"""Imports of a submission's modules, from memory: while it is graded, `exercises` is the submission.

`exercises.ex10_causal_attention`, `ex10_causal_attention` and the relative form are one module object. Other files of
the submission can be imported too, after everything that is installed: a `torch.py` beside the exercises changes
nothing.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import linecache
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType

PACKAGE = "exercises"
STAND_INS = "stand_ins"
STAND_IN_PREFIX = f"{STAND_INS}."


class Library(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The submission's sources by module name, and the stand-ins that take the place of some."""

    def __init__(self, sources: Mapping[str, bytes], substitute: frozenset[str]) -> None:
        stand_ins = {name: source for name, source in sources.items() if name.startswith(STAND_IN_PREFIX)}
        self.substitute = substitute
        self.sources = {f"{PACKAGE}.{name}": source for name, source in sources.items() if name not in stand_ins}
        self.sources |= stand_ins
        self.files = {self.file(name) for name in self.sources if name not in stand_ins}

    @staticmethod
    def file(fullname: str) -> str:
        """The file name that tracebacks show for a module."""
        package, _, name = fullname.partition(".")
        return f"{name}.py" if package == PACKAGE else f"{fullname.replace('.', '/')}.py"

    def load(self, name: str) -> ModuleType:
        """The submission's own module of that name. Raises whatever its code raises."""
        return importlib.import_module(f"{PACKAGE}.{name}")

    def load_for_making(self, name: str) -> ModuleType:
        """The module whose class is to be constructed: a stand-in where one takes its place."""
        return importlib.import_module(f"{STAND_INS}.{name}") if name in self.substitute else self.load(name)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname in (PACKAGE, STAND_INS):
            spec = importlib.machinery.ModuleSpec(fullname, self, is_package=True)
            spec.submodule_search_locations = []
            return spec
        if fullname in self.sources:
            return importlib.machinery.ModuleSpec(fullname, self, origin=self.file(fullname))
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        fullname = module.__name__
        if fullname in (PACKAGE, STAND_INS):
            return
        source, file = self.sources[fullname], self.file(fullname)
        module.__file__ = file
        text = source.decode("utf-8", "replace")
        linecache.cache[file] = (len(source), None, text.splitlines(keepends=True), file)
        exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)


class Shortcut(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes `ex10_causal_attention` the module object that `exercises.ex10_causal_attention` is."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        known = "." not in fullname and f"{PACKAGE}.{fullname}" in self.library.sources
        return importlib.machinery.ModuleSpec(fullname, self, origin=fullname) if known else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = self.library.load(module.__name__)


def install(sources: Mapping[str, bytes], substitute: frozenset[str]) -> Library:
    """Make a submission importable in this process: its package before anything installed, its bare names after."""
    library = Library(sources, substitute)
    sys.meta_path.insert(0, library)
    sys.meta_path.append(Shortcut(library))
    return library
