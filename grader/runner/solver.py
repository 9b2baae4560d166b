"""A solution that can be asked: keeps a child with its modules, and gets another when one is lost.

Where the worker itself fails, it is started anew and the run tried once more; a second failure is the grader's own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Mapping, Sequence
from functools import cache

from grader.model.errors import WorkerFailed
from grader.model.observation import Ending, Observation
from grader.model.run import Import, Run, World
from grader.runner.processes.child import Child
from grader.runner.processes.spawner import Spawner
from grader.wire.frames import STAND_IN


class Solver:
    """One solution, on one device and in one floating-point type. The student's and the reference are the same here.

    modules: the solution's sources. stand_ins: the pack's stand-ins for modules that a step relies on.
    """

    def __init__(
        self,
        worker: Spawner,
        modules: Mapping[str, bytes],
        stand_ins: Mapping[str, bytes],
        *,
        device: str = "cpu",
        dtype: str = "float32",
        seed: int = 0,
    ) -> None:
        self.modules = modules
        self._worker = worker
        self._sources = {**modules, **{f"{STAND_IN}{name}": source for name, source in stand_ins.items()}}
        self._opening = {"device": device, "dtype": dtype, "seed": seed}
        self._child: Child | None = None
        self._unloadable: dict[tuple[World, str], Observation] = {}
        self._loaded: set[tuple[World, str]] = set()
        self.isolation: tuple[str, ...] = ()

    def start(self) -> None:
        """Start a child now rather than at the first question."""
        self._started()

    def load(self, module: str, world: World, seconds: float) -> Observation | None:
        """Load a module of the solution. None where it loads, else the observation that says why not."""
        key = (world, module)
        if key not in self._loaded and key not in self._unloadable:
            seen = self.observe(importing(module), world, seconds)
            if seen.ending is Ending.ANSWERED and seen.fault is None:
                self._loaded.add(key)
            else:
                self._unloadable[key] = seen
        return self._unloadable.get(key)

    def observe(self, run: Run, world: World, seconds: float) -> Observation:
        """Have a run performed within a number of seconds."""
        return next(self.observe_each([run], world, seconds))

    def observe_each(self, runs: Sequence[Run], world: World, seconds: float) -> Generator[Observation, None, None]:
        """Have runs performed in order within a number of seconds; ends with the first that crashes or is late."""
        left = list(runs)
        generation = self._worker.generation
        try:
            yield from self._started().ask_each(left, seconds, world)
        except WorkerFailed:
            self._worker.restart(generation)
            yield from self._started().ask_each(left, seconds, world)

    def close(self) -> None:
        """End the child, if there is one; it may be gone with its worker."""
        child, self._child = self._child, None
        if child is not None:
            with contextlib.suppress(WorkerFailed):
                child.kill()

    def _started(self) -> Child:
        """The child, ready to be asked."""
        child = self._child
        if child is None or not child.is_alive or child.generation != self._worker.generation:
            self.close()
            child = self._child = Child(self._worker, self._opening, self._sources)
        layers = child.isolation()
        self.isolation = tuple(layer for layer in layers if layer in (self.isolation or layers))
        return child


@cache
def importing(module: str) -> Run:
    """To load a module of the pack, and no more."""
    return Run((Import(module),))
