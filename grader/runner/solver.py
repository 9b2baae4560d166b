"""A solution that can be asked: keeps a child with its modules, and gets another when one is lost.

Where the worker itself fails, it is started anew and the run tried once more; a second failure is the grader's own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Mapping, Sequence

from grader.model.errors import WorkerFailed
from grader.model.observation import Ending, Observation
from grader.model.run import OWN, Import, Run, World
from grader.runner.processes.child import Child
from grader.runner.processes.spawner import Spawner


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
        self._worker, self._stand_ins = worker, stand_ins
        self._opening = {"device": device, "dtype": dtype, "seed": seed}
        self._children: dict[World, Child] = {}
        self._unloadable: dict[tuple[World, str], Observation] = {}
        self._loaded: set[tuple[World, str]] = set()
        self.isolation: tuple[str, ...] = ()

    def start(self) -> None:
        """Start a child now rather than at the first question."""
        self._child(OWN)

    def load(self, module: str, world: World, seconds: float) -> Observation | None:
        """Load a module of the solution. None where it loads, else the observation that says why not."""
        key = (world, module)
        if key not in self._loaded and key not in self._unloadable:
            seen = self.observe(Run((Import(module),)), world, seconds)
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
            yield from self._child(world).ask_each(left, seconds)
        except WorkerFailed:
            self._worker.restart(generation)
            yield from self._child(world).ask_each(left, seconds)

    def close(self) -> None:
        """End every child. Each is told first, so that they end at the same time."""
        for child in self._children.values():
            child.hang_up()
        for world in [*self._children]:
            self._forget(world)

    def prepare(self, world: World) -> None:
        """Start the child of a world that will be asked soon; it gets ready meanwhile."""
        with contextlib.suppress(WorkerFailed):  # told by whoever asks
            self._started(world)

    def _child(self, world: World) -> Child:
        """The child of a world, ready to be asked."""
        child = self._started(world)
        layers = child.isolation()
        self.isolation = tuple(layer for layer in layers if layer in (self.isolation or layers))
        return child

    def _started(self, world: World) -> Child:
        child = self._children.get(world)
        if child is None or not child.is_alive or child.generation != self._worker.generation:
            self._forget(world)
            opening = {**self._opening, "substitute": sorted(world.stand_ins)}
            child = self._children[world] = Child(self._worker, opening, self._sources(world))
        return child

    def _forget(self, world: World) -> None:
        """End the child of a world, if there is one; it may be gone with its worker."""
        child = self._children.pop(world, None)
        if child is not None:
            with contextlib.suppress(WorkerFailed):
                child.kill()

    def _sources(self, world: World) -> dict[str, bytes]:
        sources = dict(self.modules)
        for name in world.stand_ins:
            sources[f"stand_ins.{name}"] = self._stand_ins[name]
            if name != world.exercise:
                sources[name] = self._stand_ins[name]
        return sources
