"""A solution that can be asked: keeps a child with its modules, and gets another when one is lost."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

from grader.model.observation import Ending, Observation
from grader.model.run import OWN, Import, Run, World
from grader.runner.child import Child, Ended
from grader.runner.zygote import Zygote


class Solver:
    """One solution, on one device and in one floating-point type. The student's and the reference are the same here.

    modules: the solution's sources. stand_ins: the pack's stand-ins for modules that a step relies on.
    """

    def __init__(
        self,
        zygote: Zygote,
        modules: Mapping[str, bytes],
        stand_ins: Mapping[str, bytes],
        *,
        device: str = "cpu",
        dtype: str = "float32",
        seed: int = 0,
    ) -> None:
        self.modules = modules
        self._zygote, self._stand_ins = zygote, stand_ins
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
        try:
            child = self._child(world)
        except Ended as ended:
            yield Observation(ending=ended.ending, detail=ended.detail)
            return
        yield from child.ask_each(runs, seconds)

    def close(self) -> None:
        """End every child."""
        for child in self._children.values():
            child.kill()
        self._children.clear()

    def _child(self, world: World) -> Child:
        child = self._children.get(world)
        if child is None or not child.is_alive:
            child = Child(self._zygote, {**self._opening, "substitute": sorted(world.stand_ins)}, self._sources(world))
            self._children[world] = child
            self.isolation = child.isolation
        return child

    def _sources(self, world: World) -> dict[str, bytes]:
        sources = dict(self.modules)
        for name in world.stand_ins:
            sources[f"stand_ins.{name}"] = self._stand_ins[name]
            if name != world.exercise:
                sources[name] = self._stand_ins[name]
        return sources
