"""Imports of a submission's modules, from memory: while it is graded, `exercises` is the submission.

`exercises.ex10_causal_attention`, `ex10_causal_attention` and the relative form are one module object. Other files of
the submission can be imported too, after everything that is installed: a `torch.py` beside the exercises changes
nothing.

Each world, in which stand-ins take the place of some modules, has module objects of its own. Those of the world that is
entered are the ones that can be imported; the others are kept until their world is entered again.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import linecache
import sys
from collections.abc import Mapping, Sequence
from types import CodeType, ModuleType

from grader.model.profile import phase
from grader.model.run import OWN, World
from grader.wire.frames import STAND_IN
from grader.worker import settings, stumble
from grader.worker.plots import Plots

PACKAGE = "exercises"
STAND_INS = STAND_IN.removesuffix(".")


class Library(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The submission's modules and the stand-ins, by name; which of them counts is for the world to say.

    sources: the stand-ins' names begin with STAND_IN. files: the submission's own, as tracebacks show them. helpers:
    those that are no exercise, in which whatever raises ends the import, as ever: somebody may have provided for that.
    """

    def __init__(self, sources: Mapping[str, bytes], helpers: frozenset[str] = frozenset()) -> None:
        self.helpers = {f"{PACKAGE}.{name}" for name in helpers}
        stand_ins = {name for name in sources if name.startswith(STAND_IN)}
        own = sources.keys() - stand_ins
        self.sources = {name if name in stand_ins else f"{PACKAGE}.{name}": source for name, source in sources.items()}
        self.files = {f"{name}.py" for name in own}
        bare = own | {name.removeprefix(STAND_IN) for name in stand_ins}
        self._names = (PACKAGE, STAND_INS, *stand_ins, *bare, *(f"{PACKAGE}.{name}" for name in bare))
        self._world = OWN
        self._kept: dict[World, dict[str, ModuleType]] = {}
        self._compiled: dict[str, CodeType] = {}

    def enter(self, world: World) -> None:
        """From now on, import the modules of this world."""
        if world != self._world:
            self._kept[self._world] = {name: sys.modules.pop(name) for name in self._names if self._is_ours(name)}
            sys.modules.update(self._kept.pop(world, {}))
            self._world = world

    def load(self, name: str) -> ModuleType:
        """The submission's own module of that name. Raises whatever its code raises."""
        return importlib.import_module(f"{PACKAGE}.{name}")

    def load_for_making(self, name: str) -> ModuleType:
        """The module whose class is to be constructed: a stand-in where one takes its place."""
        stands_in = name in self._world.stand_ins
        return importlib.import_module(f"{STAND_IN}{name}") if stands_in else self.load(name)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname in (PACKAGE, STAND_INS):
            spec = importlib.machinery.ModuleSpec(fullname, self, is_package=True)
            spec.submodule_search_locations = []
            return spec
        if self._source(fullname) in self.sources:
            return importlib.machinery.ModuleSpec(fullname, self, origin=_file(fullname))
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    @phase("import")
    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ in (PACKAGE, STAND_INS):
            return
        name = self._source(module.__name__)
        source, file = self.sources[name], _file(name)
        module.__file__ = file
        text = source.decode("utf-8", "replace")
        linecache.cache[file] = (len(source), None, text.splitlines(keepends=True), file)
        if name not in self._compiled:  # another world may have it already
            self._compiled[name] = compile(source, file, "exec", dont_inherit=True)
        with settings.as_a_program(file):
            try:
                exec(self._compiled[name], module.__dict__)
            except (Exception, SystemExit) as error:
                if name in self.helpers:
                    raise
                stumble.go_on(module, source, self._compiled[name], error)

    def _source(self, fullname: str) -> str:
        """Whose source a module has in this world: a stand-in's, where one takes its place."""
        package, _, name = fullname.partition(".")
        replaced = package == PACKAGE and name in self._world.stand_ins and name != self._world.exercise
        return f"{STAND_IN}{name}" if replaced else fullname

    def _is_ours(self, name: str) -> bool:
        """Whether a module came from here: what is installed may have the same bare name."""
        spec = getattr(sys.modules.get(name), "__spec__", None)
        return isinstance(getattr(spec, "loader", None), Library)


class Shortcut(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes `ex10_causal_attention` the module object that `exercises.ex10_causal_attention` is."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        known = "." not in fullname and self.library.find_spec(f"{PACKAGE}.{fullname}", path) is not None
        return importlib.machinery.ModuleSpec(fullname, self, origin=fullname) if known else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = self.library.load(module.__name__)


def _file(fullname: str) -> str:
    """The file name that tracebacks show for a module."""
    package, _, name = fullname.partition(".")
    return f"{name}.py" if package == PACKAGE else f"{fullname.replace('.', '/')}.py"


def install(sources: Mapping[str, bytes], helpers: frozenset[str] = frozenset()) -> Library:
    """Make a submission importable in this process: its package before anything installed, its bare names after.

    And last of all what only draws, and is not there.
    """
    library = Library(sources, helpers)
    sys.meta_path.insert(0, library)
    sys.meta_path += [Shortcut(library), Plots()]
    return library
