"""How long each phase of grading takes. Noted only where `--profile` asks for it; nothing else ever rests on it.

A phase's time is its own: what it spends in a phase within it counts there alone, so a thread's phases add up to the
thread. Both sides of the wire note theirs; what a worker says of itself is its own word and is kept apart.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from functools import cache, wraps
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

PHASES = (
    "start", "intake", "fork", "end", "confine", "import", "run", "trace", "wire", "wait", "reference", "judge",
    "diagnose", "report",
)  # fmt: skip
# Not a phase but a whole: the CPU time of a worker's processes from fork to end, as the kernel counts it.
CHILD = "child"
# Threads of this name answer for the reference, beside the threads that grade.
REFERENCE = "reference"
# What a worker says is taken up to here: no phase of one run lasts a day.
MOST_SECONDS = 86_400.0
MOST_TIMES = 1 << 32

Spent = list[float]
"""Wall-clock seconds, CPU seconds, how often."""


class _Thread(threading.local):
    """What one thread has spent, and which phases it is in."""

    def __init__(self) -> None:
        self.profile: Profile | None = None
        self.spent: dict[str, Spent] = {}
        self.told: dict[str, Spent] = {}
        self.inside: list[str] = []
        self.since = (0.0, 0.0)


Noted = tuple[bool, dict[str, Spent], dict[str, Spent]]
"""Of one thread: whether it answers for the reference, what it has spent, and what workers told it."""


class Profile:
    """What is noted between `begin` and `end`."""

    def __init__(self) -> None:
        self._began = (time.perf_counter(), time.process_time())
        self._threads: list[Noted] = []
        self._elsewhere = 0.0  # CPU seconds of other processes of the grader's

    def join(self, here: _Thread) -> None:
        """Take this thread's notes from now on."""
        here.profile, here.spent, here.told, here.inside = self, {}, {}, []
        is_reference = threading.current_thread().name.startswith(REFERENCE)
        self._threads.append((is_reference, here.spent, here.told))

    def notes(self) -> tuple[float, list[Noted]]:
        """What this process is to add to another's: its CPU seconds, and what each of its threads noted."""
        return time.process_time() - self._began[1], self._threads

    def add(self, cpu: float, threads: list[Noted]) -> None:
        """Take over the notes of another process of the grader's."""
        self._elsewhere += cpu
        self._threads += threads

    def whole(self) -> dict[str, Any]:
        """All of it: seconds of the whole, and of each phase here and in the workers, apart from the reference's."""
        wall, cpu = self._began
        noted: dict[str, Any] = {
            "wall": round(time.perf_counter() - wall, 6),
            "cpu": round(time.process_time() - cpu + self._elsewhere, 6),
        }
        for name, is_reference in (("grading", False), (REFERENCE, True)):
            threads = [(own, theirs) for which, own, theirs in self._threads if which is is_reference]
            noted[name] = {
                "here": _summed([own for own, _ in threads]),
                "worker": _summed([theirs for _, theirs in threads]),
            }
        return noted


class Phase:
    """A phase as a context or around a function. It keeps nothing, so one serves every thread."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def noted(*arguments: P.args, **named: P.kwargs) -> R:
            if _active is None:
                return function(*arguments, **named)
            with self:
                return function(*arguments, **named)

        return noted

    def __enter__(self) -> None:
        if _active is not None:
            here = _joined(_active)
            _charge(here)
            here.inside.append(self._name)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if _active is not None and _here.inside:  # it may have begun within this phase
            _charge(_here)
            spent = _here.spent.get(_here.inside.pop())
            if spent is not None:
                spent[2] += 1


_here = _Thread()
_active: Profile | None = None


@cache
def phase(name: str) -> Phase:
    """The phase of that name, one of PHASES. To be entered by a thread and left by the same, in order."""
    if name not in PHASES:
        raise ValueError(name)
    return Phase(name)


def begin() -> Profile:
    """Note from now on, in every thread of this process."""
    global _active
    _active = Profile()
    return _active


def end() -> None:
    """Note nothing any more."""
    global _active
    _active = None


def is_on() -> bool:
    """Whether anything is noted, which a worker is told as well."""
    return _active is not None


def add(notes: tuple[float, list[Noted]] | None) -> None:
    """Add what another process of the grader's has noted, if it has."""
    if _active is not None and notes is not None:
        _active.add(*notes)


def taken() -> dict[str, Spent]:
    """What this thread has spent since it was last taken; phases that last are counted up to now."""
    if _active is None:
        return {}
    _charge(_joined(_active))
    spent = {name: [round(wall, 7), round(cpu, 7), times] for name, (wall, cpu, times) in _here.spent.items()}
    _here.spent.clear()
    return spent


def told(said: Any) -> None:
    """Add what a worker says of itself, where it has that form: its process is a student's, and may say anything."""
    if _active is None or not isinstance(said, Mapping):
        return
    kept = _joined(_active).told
    for name in PHASES:
        values = said.get(name)
        if isinstance(values, list) and len(values) == 3 and all(map(_is_time, values)):
            _add(kept, name, values)


def used(name: str, cpu: float) -> None:
    """Add CPU seconds that a spawner, which runs no student code, says of its work: of a fork, or of a whole CHILD."""
    if _active is not None:
        _add(_joined(_active).told, name, [0.0, cpu, 1])


def _joined(profile: Profile) -> _Thread:
    if _here.profile is not profile:
        profile.join(_here)
    return _here


def _charge(here: _Thread) -> None:
    """Give the time since the last charge to the innermost phase."""
    now = (time.perf_counter(), time.thread_time())
    if here.inside:
        _add(here.spent, here.inside[-1], [now[0] - here.since[0], now[1] - here.since[1], 0])
    here.since = now


def _add(to: dict[str, Spent], name: str, values: Spent) -> None:
    kept = to.setdefault(name, [0.0, 0.0, 0])
    for index, value in enumerate(values):
        kept[index] += value


def _is_time(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and 0 <= value <= max(MOST_SECONDS, MOST_TIMES)


def _summed(threads: list[dict[str, Spent]]) -> dict[str, dict[str, float]]:
    total: dict[str, Spent] = {}
    for thread in threads:
        for name, values in thread.items():
            _add(total, name, values)
    return {
        name: {"wall": round(wall, 6), "cpu": round(cpu, 6), "times": int(times)}
        for name, (wall, cpu, times) in sorted(total.items(), key=lambda each: (*PHASES, CHILD).index(each[0]))
    }
