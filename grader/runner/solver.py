"""A solution that can be asked: keeps a child with its modules, and gets another when one is lost.

A child is of one world for all its life, so that stand-ins are lent to no code that is asked for another exercise.

Where the worker itself fails, it is started anew and the run tried once more; a second failure is the grader's own.
So it is where the memory of a device was all taken, which others may have done.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any

from grader.model.errors import WorkerFailed
from grader.model.observation import Ending, Fault, Observation
from grader.model.run import OWN, Import, Run, World
from grader.runner.processes.child import Child, InDoubt, InVain, Waived
from grader.runner.processes.spawner import Spawner
from grader.wire.frames import STAND_IN

# How CUDA, and what computes by it, say that a device's memory is all taken.
_FULL = re.compile("out of memory|ALLOC_FAILED|NOT_INITIALIZED", re.IGNORECASE)

# A child's world, and whether it is the one for fresh cases.
_Place = tuple[World, bool]


class Solver:
    """One solution, on one device and in one floating-point type. The student's and the reference are the same here.

    modules: the solution's sources. helpers: those of them that are no exercise. stand_ins: the pack's stand-ins for
    modules that a step relies on. ahead: what it will most likely be asked, in this order; nothing fresh where that is
    kept apart. keeps_fresh_apart: whether fresh cases have a child of their own, so that no code which was given one
    has a say in what a public case shows. slow: seconds of one run from which on nothing is asked ahead.
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
        keeps_fresh_apart: bool = False,
        ahead: Sequence[Run] = (),
        slow: float = 0.0,
        helpers: Iterable[str] = (),
    ) -> None:
        self.modules = modules
        self._worker = worker
        self._stand_ins = stand_ins
        self._device = device
        self._opening: dict[str, Any] = {"device": device, "dtype": dtype, "seed": seed, "helpers": sorted(helpers)}
        self._keeps_fresh_apart = keeps_fresh_apart
        self._ahead = ahead
        self._slow = slow
        self._waived = Waived()
        self._children: dict[_Place, Child] = {}
        self._was_in_doubt = False
        self._unloadable: dict[tuple[World, str], Observation] = {}
        self._loaded: dict[tuple[World, str], Observation] = {}
        self.isolation: tuple[str, ...] = ()

    @property
    def waived(self) -> float:
        """Seconds so far that are in no run's time: of starting processes, and of waiting for what was asked ahead."""
        return self._waived.seconds

    def beside(self, modules: Mapping[str, bytes]) -> Solver:
        """The same solution with further modules, in processes of its own. Whoever asked for it closes it."""
        return Solver(self._worker, {**self.modules, **modules}, self._stand_ins, **self._opening)

    def start(self) -> None:
        """Start a child now rather than at the first question, with all that it is asked ahead."""
        self._started((OWN, False))

    def load(self, module: str, world: World, seconds: float) -> Observation | None:
        """Load a module of the solution. None where it loads, else the observation that says why not."""
        key = (world, module)
        if key not in self._loaded and key not in self._unloadable:
            seen = self.observe(importing(module), world, seconds)
            if seen.is_whole:
                self._loaded[key] = seen
            else:
                self._unloadable[key] = seen
        return self._unloadable.get(key)

    def stumbled(self, module: str, world: World) -> Fault | None:
        """What is to be told of code outside functions that raised in a module that loads, such as a demo, or ended
        the program; None where there is nothing."""
        seen = self._loaded.get((world, module))
        return seen.refused.get(module) if seen is not None else None

    def observe(self, run: Run, world: World, seconds: float) -> Observation:
        """Have a run performed within a number of seconds."""
        return next(self.observe_each([run], world, seconds))

    def observe_each(self, runs: Sequence[Run], world: World, seconds: float) -> Generator[Observation, None, None]:
        """Have runs performed in order within a number of seconds; ends with the first that crashes or is late."""
        until = time.monotonic() + seconds - self.waived
        for is_apart, some in groupby(runs, lambda run: run.is_fresh and self._keeps_fresh_apart):
            left = list(some)
            yield from self._observed(left, (world, is_apart), until)
            if left:
                return

    def _observed(self, left: list[Run], place: _Place, until: float) -> Generator[Observation, None, None]:
        """The runs' answers. until: when they are late, in time of which nothing was waived."""
        began, waived, generation = time.monotonic(), self.waived, self._worker.generation
        try:
            yield from self._asked(left, place, until)
        except WorkerFailed:
            self._worker.restart(generation)
            self._started(place)
            self._waived.seconds = waived + time.monotonic() - began
            yield from self._asked(left, place, until)

    def _asked(self, left: list[Run], place: _Place, until: float) -> Generator[Observation, None, None]:
        child = self._started(place)
        try:
            yield from child.ask_each(left, until + self.waived - time.monotonic(), self._is_in_doubt)
        except InVain:  # only a solution's first child is asked anything ahead
            yield from self._asked(left, place, until)
        except InDoubt:
            self._try_device()
            yield from self._asked(left, place, until)

    def _is_in_doubt(self, seen: Observation) -> bool:
        """Whether the device may be at fault and not the code. Once, or code that says so would be asked all twice."""
        if self._device == "cpu" or self._was_in_doubt:
            return False
        raised = [fault.message for fault in (seen.fault, *seen.refused.values()) if fault is not None]
        self._was_in_doubt = seen.ending is Ending.CRASHED or any(map(_FULL.search, raised))
        return self._was_in_doubt

    def _try_device(self) -> None:
        """Have a child without any code try the device. Raises DeviceUnusable. It is in no run's time."""
        began = time.monotonic()
        with contextlib.closing(Solver(self._worker, {}, {}, device=self._device)) as other:
            other.start()
        self._waived.seconds += time.monotonic() - began

    def close(self) -> None:
        """End the children, if there are any; they may be gone with their worker."""
        for place in list(self._children):
            self._end(place)

    def _end(self, place: _Place) -> None:
        child = self._children.pop(place, None)
        if child is not None:
            with contextlib.suppress(WorkerFailed):
                child.kill()

    def _started(self, place: _Place) -> Child:
        """A child, ready to be asked. To get another ready is in no run's time."""
        child = self._children.get(place)
        if child is None or not child.is_alive or child.generation != self._worker.generation:
            began = time.monotonic()
            # Exercises come one after the other, so that who has lent something once is asked nothing by the next.
            for each in [each for each in self._children if each == place or each[0] not in (OWN, place[0])]:
                self._end(each)
            child = self._children[place] = self._child(place[0])
            if place == (OWN, False):
                ahead, self._ahead = self._ahead, ()
                child.foresee(ahead, self._slow)
            child.isolation()
            self._waived.seconds += time.monotonic() - began
        layers = child.isolation()
        self.isolation = tuple(layer for layer in layers if layer in (self.isolation or layers))
        return child

    def _child(self, world: World) -> Child:
        opening = {**self._opening, "stand_ins": sorted(world.stand_ins), "exercise": world.exercise}
        lent = {f"{STAND_IN}{name}": self._stand_ins[name] for name in world.stand_ins}
        return Child(self._worker, opening, {**self.modules, **lent}, self._waived)


@cache
def importing(module: str) -> Run:
    """To load a module of the pack, and no more."""
    return Run((Import(module),))
