"""Imports of a submission's modules, from memory: while it is graded, `exercises` is the submission.

`exercises.ex10_causal_attention`, `ex10_causal_attention` and the relative form are one module object. Other files of
the submission can be imported too, those in folders as well, after everything that is installed: a `torch.py` beside
the exercises changes nothing.

A process is of one world, in which stand-ins may take the place of some modules. It gets no other stand-in: they hold
much of what an exercise asks for, and nobody is to hand them in for one's own.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import io
import linecache
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType

from grader.model.profile import phase
from grader.model.run import OWN, World
from grader.wire.frames import STAND_IN
from grader.worker import settings, stumble
from grader.worker.plots import Plots

PACKAGE = "exercises"
STAND_INS = STAND_IN.removesuffix(".")


class Library(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The submission's modules and the world's stand-ins, by name.

    sources: the stand-ins' names begin with STAND_IN, those of modules in folders are paths, such as `utils/stable`.
    files: the submission's own, as tracebacks show them. helpers: those that are no exercise, in which whatever raises
    ends the import, as ever: somebody may have provided for that. world: the process's.
    """

    def __init__(self, sources: Mapping[str, bytes], helpers: frozenset[str] = frozenset(), world: World = OWN) -> None:
        self.helpers = {_full_name(name) for name in helpers}
        self.sources = {_full_name(name): source for name, source in sources.items()}
        self.files = {f"{name}.py" for name in sources if not name.startswith(STAND_IN)}
        self._files = {_full_name(name): f"{name.replace('.', '/')}.py" for name in sources}
        self._packages = {PACKAGE, STAND_INS, *(_full_name(folder) for name in sources for folder in _folders(name))}
        self._world = world

    def load(self, name: str) -> ModuleType:
        """The submission's own module of that name. Raises whatever its code raises."""
        return importlib.import_module(f"{PACKAGE}.{name}")

    def load_for_making(self, name: str) -> ModuleType:
        """The module whose class is to be constructed: a stand-in where one takes its place.

        Of any but the world's exercise it is the very one that this imports, which may ask what class something is of.
        """
        takes_its_own_place = name == self._world.exercise and name in self._world.stand_ins
        return importlib.import_module(f"{STAND_IN}{name}") if takes_its_own_place else self.load(name)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        name, is_package = self._source(fullname), fullname in self._packages
        if not is_package and name not in self.sources:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin=self._files.get(name), is_package=is_package)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    @phase("import")
    def exec_module(self, module: ModuleType) -> None:
        name = self._source(module.__name__)
        if name not in self.sources:  # a folder
            return
        source, file = self.sources[name], self._files[name]
        module.__file__ = file
        text = source.decode("utf-8", "replace")
        lines = io.StringIO(text, newline=None).readlines()  # as Python counts them; str.splitlines breaks at more
        linecache.cache[file] = (len(source), None, lines, file)
        code = compile(source, file, "exec", dont_inherit=True)
        with settings.as_a_program(file):
            try:
                exec(code, module.__dict__)
            except (Exception, SystemExit) as error:
                if name in self.helpers:
                    raise
                stumble.go_on(module, source, code, error)

    def _source(self, fullname: str) -> str:
        """Whose source a module has in this world: a stand-in's, where one takes its place."""
        package, _, name = fullname.partition(".")
        replaced = package == PACKAGE and name in self._world.stand_ins and name != self._world.exercise
        return f"{STAND_IN}{name}" if replaced else fullname

    def is_ours(self, name: str) -> bool:
        """Whether a module came from here: what is installed may have the same bare name."""
        spec = getattr(sys.modules.get(name), "__spec__", None)
        return isinstance(getattr(spec, "loader", None), (Library, Shortcut))


class Shortcut(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes `ex10_causal_attention` the module object that `exercises.ex10_causal_attention` is."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        folder, _, _ = fullname.rpartition(".")
        known = self.library.find_spec(f"{PACKAGE}.{fullname}", path)
        if known is None or (folder and not self.library.is_ours(folder)):  # but a part of what is installed
            return None
        is_package = known.submodule_search_locations is not None
        return importlib.machinery.ModuleSpec(fullname, self, origin=fullname, is_package=is_package)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = self.library.load(module.__name__)


def _full_name(name: str) -> str:
    """By which name Python imports a source."""
    dotted = name.removesuffix("/__init__").replace("/", ".")
    return name if name.startswith(STAND_IN) else f"{PACKAGE}.{dotted}"


def _folders(name: str) -> Iterator[str]:
    """The folders that a module lies in."""
    while name := name.rpartition("/")[0]:
        yield name


def install(sources: Mapping[str, bytes], helpers: frozenset[str] = frozenset(), world: World = OWN) -> Library:
    """Make a submission importable in this process: its package before anything installed, its bare names after.

    And before anything installed what only draws, but for a module of its own that is called like that.
    """
    library = Library(sources, helpers, world)
    sys.meta_path[:0] = [library, Plots(besides=frozenset(name.partition("/")[0] for name in sources))]
    sys.meta_path.append(Shortcut(library))
    return library
