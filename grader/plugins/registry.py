"""Finds every plugin by entry point and asks all of them at once."""

from __future__ import annotations

import importlib.metadata
import os
import sys
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import pluggy

from grader.model.check import Check
from grader.model.errors import GraderError, NoPack, PluginFailed, UsageError
from grader.model.pack import PackSource, SolutionSource
from grader.model.reporter import Reporter
from grader.model.text import clean
from grader.plugins import PROJECT, hooks
from grader.plugins.bundle import Platform
from grader.plugins.executor import Engine, Executor, Keep, Site
from grader.plugins.guarded import Guarded, told_of

if TYPE_CHECKING:
    from grader.model.order import Order
    from grader.model.pack import Pack

# In the environment: the pack to grade with, where several are installed.
PACK = "GRADE_PACK"


class _Named(Protocol):
    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=_Named)


class Plugins:
    """Every plugin that is installed here, and what they bring, by name.

    absent: entry points whose package is not part of this copy, such as `solutions` in a student's.
    distributions: which installed one announces each plugin, by the plugin's name.
    """

    def __init__(self) -> None:
        self.manager = pluggy.PluginManager(PROJECT)
        self.manager.add_hookspecs(hooks)
        self.absent: list[str] = []
        self.distributions: dict[str, str] = {}
        for entry in sorted(importlib.metadata.entry_points(group=PROJECT), key=lambda entry: entry.name):
            self._load(entry)
        self.manager.check_pending()

    @property
    def hook(self) -> Any:
        """pluggy's caller of the life-cycle hooks."""
        return self.manager.hook

    @cached_property
    def packs(self) -> dict[str, PackSource]:
        return self._brought("grader_packs", "pack")

    @cached_property
    def checks(self) -> dict[str, Check]:
        return self._brought("grader_checks", "check")

    @cached_property
    def reporters(self) -> dict[str, Reporter]:
        return self._brought("grader_reporters", "reporter")

    @cached_property
    def executors(self) -> dict[str, Executor[Plugins]]:
        return self._brought("grader_executors", "executor")

    @cached_property
    def bundles(self) -> dict[str, Platform]:
        return self._brought("grader_bundles", "bundle")

    def solutions(self, pack: str) -> list[SolutionSource]:
        """Every solution of a pack that some plugin brings."""
        return [source for sources in self._asked("grader_solutions", pack=pack) for source in sources]

    def reference(self, pack: str) -> SolutionSource | None:
        """The pack's reference, where this copy has one."""
        return next((source for source in self.solutions(pack) if source.kind == "reference"), None)

    def pack(self) -> PackSource:
        """The pack that is installed; of several the one that the environment names. Raises UsageError where it names
        none of them."""
        if not self.packs:
            raise NoPack(f"No pack is installed in this Python, {clean(sys.executable, 200)}.")
        wanted, installed = os.environ.get(PACK, ""), ", ".join(self.packs)
        if wanted and wanted not in self.packs:
            is_there = f"{installed} {'is' if len(self.packs) == 1 else 'are'}"
            raise UsageError(f"{PACK} names a pack {clean(wanted, 80)!r}, which is not installed; {is_there}.")
        if not wanted and len(self.packs) > 1:
            hint = f"{PACK}=NAME says which, in the environment."
            raise UsageError(f"One pack is graded with; installed: {installed}. {hint}")
        return self.packs[wanted or next(iter(self.packs))]

    def executor(self, address: str = "") -> Executor[Plugins]:
        """What grades at an address, or on this machine where it is empty. Raises UsageError where nothing does."""
        scheme, separator, _ = address.partition("://")
        if address and not (separator and scheme):
            raise UsageError(f"--cluster {clean(address, 80)}: give it as tls://HOST:PORT.")
        found = next((each for each in self.executors.values() if scheme in each.schemes), None)
        if found is None:
            known = ", ".join(sorted(f"{own}://" for each in self.executors.values() for own in each.schemes if own))
            raise UsageError(f"Nothing here grades at {clean(address, 80)}; addresses begin with {known}.")
        return found

    def engine(self, pack: Pack, order: Order, site: Site, keep: Keep) -> Engine:
        """What grades a batch at a site. Raises UsageError for a wrong one, PluginFailed where a plugin's is none."""
        executor = self.executor(site.address)
        if type(executor).__module__.startswith("grader."):
            return executor.engine(self, pack, order, site, keep)
        whose = f"The executor {clean(executor.name, 80)}, of a plugin,"
        with told_of(whose):
            return Guarded(executor.engine(self, pack, order, site, keep), whose)

    def _brought(self, hook: str, what: str) -> dict[str, Any]:
        """What plugins bring by a hook, by name. Raises PluginFailed, where one of them fails or a name is taken."""
        try:
            return _by_name(self._asked(hook), what)
        except (AttributeError, TypeError) as error:
            raise PluginFailed(f"What a plugin brings by {hook} is no {what} with a name: {error}.") from error

    def _asked(self, hook: str, **given: object) -> list[Any]:
        """The answers of all plugins. Raises PluginFailed where one fails, with the place."""
        try:
            answers: list[Any] = getattr(self.hook, hook)(**given)
        except GraderError:
            raise  # whose sentence is its own
        except Exception as error:
            raise PluginFailed.of(f"A plugin fails in {hook}", error) from error
        return answers

    def _load(self, entry: importlib.metadata.EntryPoint) -> None:
        try:
            plugin = entry.load()
        except ModuleNotFoundError as error:
            if error.name != entry.module.split(".", 1)[0]:
                raise PluginFailed(f"The plugin {entry.name} ({entry.value}) cannot be loaded: {error}.") from error
            self.absent.append(entry.name)
            return
        except Exception as error:
            raise PluginFailed(f"The plugin {entry.name} ({entry.value}) cannot be loaded: {error}.") from error
        if not self.manager.is_registered(plugin):
            self.manager.register(plugin, name=entry.name)
            if entry.dist is not None:
                self.distributions[entry.name] = entry.dist.name


def _by_name(answers: Iterable[Iterable[N]], what: str) -> dict[str, N]:
    """Things by their name, in the order of plugins' names. Raises PluginFailed for a name that is taken."""
    found: dict[str, N] = {}
    for thing in (thing for answer in answers for thing in answer):
        if thing.name in found:
            raise PluginFailed(f"Two plugins bring a {what} called {thing.name!r}; uninstall one of them.")
        found[thing.name] = thing
    return found
