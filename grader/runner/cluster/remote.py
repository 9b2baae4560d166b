"""What runs in a Dask worker's process: grading by slots that it keeps, each with a worker process beside it.

A Dask worker has threads and may not fork; a zygote is a process of its own, started by exec, which outlives the tasks.
"""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass
from functools import cache

from distributed import get_worker
from distributed.utils import sync

from grader.model.errors import ClusterFailed, WorkerFailed
from grader.model.handed import Handed
from grader.model.order import Order
from grader.model.pack import Pack
from grader.pack.load import load_pack
from grader.pack.words import translated
from grader.plugins.registry import Plugins
from grader.runner.batch.slot import SWITCH_SECONDS, Slot
from grader.runner.cluster.answer import failure_answer, report_answer
from grader.runner.kit import Kit, kit_of
from grader.words import languages, speaking

# After this long without a submission a slot ends with its worker process of some 250 MB: the client may be gone.
IDLE_SECONDS = 60.0
# The scheduler answers within milliseconds; one that does not is lost, and the task with it.
SCHEDULER_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Errand:
    """How a submission is to be graded. key: of its task. has_gpu: whether it was given a GPU of the worker's."""

    key: str
    order: Order
    kit: Kit
    has_gpu: bool


class Idle:
    """The slots of this process that nobody uses at the moment, all for one order: that of the latest batch."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._order: Order | None = None
        self._slots: list[Slot] = []
        self._timer: threading.Timer | None = None

    def take(self, order: Order) -> Slot | None:
        """A slot for this order, if there is one. Those for another end."""
        with self._lock:
            others = [] if order == self._order else self._slots
            if order != self._order:
                self._order, self._slots = order, []
            found = self._slots.pop() if self._slots else None
        for slot in others:
            slot.close()
        return found

    def give_back(self, slot: Slot, order: Order) -> None:
        """Keep a slot for the next submission, for a while."""
        with self._lock:
            if is_wanted := order == self._order:
                self._slots.append(slot)
                if self._timer is not None:
                    self._timer.cancel()
                self._timer = threading.Timer(IDLE_SECONDS, self._end)
                self._timer.daemon = True
                self._timer.start()
        if not is_wanted:
            slot.close()

    def _end(self) -> None:
        with self._lock:
            slots, self._slots = self._slots, []
        for slot in slots:
            slot.close()


IDLE = Idle()
"""Of this process: a Dask worker imports this module once, and may run several tasks at a time."""


def look(kit: Kit) -> str:
    """What is not as at the client; empty where all is."""
    return kit.difference(_installed()[2])


def grade(errand: Errand, handed: Handed) -> bytes:
    """Grade a submission, unless a worker was lost while it did: see `grader.runner.cluster.answer`. Never raises."""
    slot, could_start = None, True
    try:
        _begin(errand.key)
        could_start = False
        plugins, pack, kit = _installed()
        if wrong := errand.kit.difference(kit):
            raise ClusterFailed(f"A worker has {wrong}.")
        language = errand.order.language
        if language not in languages():
            raise ClusterFailed(f"A worker has no words for the language {language!r}.")
        with speaking(language):  # as the client asked, whatever this machine's own is, or another task's
            slot = IDLE.take(errand.order) or Slot(plugins, translated(pack, language), errand.order)
            report = slot.grade(handed)
        _check_gpu(report.environment["devices"], errand)
        return report_answer(report)
    except Exception as error:
        could_start = could_start or (slot is not None and bool(slot.environment))
        return failure_answer(error, could_start=could_start, worker=get_worker().address)
    finally:
        if slot is not None:
            IDLE.give_back(slot, errand.order)


def _begin(key: str) -> None:
    """Note at the scheduler that a task is begun. Raises WorkerFailed where it was before.

    Dask gives the tasks of a lost worker to others, several times. What ran there may be why it was lost, so whether
    and when that is tried again is for the batch to say: alone, and once.
    """
    worker = get_worker()
    ask = {"keys": [key], "callback_timeout": SCHEDULER_SECONDS}
    if sync(worker.loop, worker.scheduler.get_metadata, default=False, **ask):
        raise WorkerFailed("The worker of the cluster that graded it was lost.")
    sync(worker.loop, worker.scheduler.set_metadata, value=True, **ask)


def _check_gpu(devices: list[str], errand: Errand) -> None:
    """Raises ClusterFailed where a GPU was used that the worker does not share out, or none where it was given one."""
    if "cuda" in devices and not errand.has_gpu:
        raise ClusterFailed(
            "A worker has a GPU that it does not offer: start it with --resources GPU=1, or with CUDA_VISIBLE_DEVICES "
            "empty, or grade with --device cpu."
        )
    if errand.has_gpu and "cuda" not in devices:
        raise ClusterFailed("A worker offers a GPU that torch does not see there; `grade doctor` says more.")


@cache
def _installed() -> tuple[Plugins, Pack, Kit]:
    sys.setswitchinterval(SWITCH_SECONDS)  # a Dask worker has threads of its own beside those that grade
    plugins = Plugins()
    pack = load_pack(plugins.pack(), plugins.checks)
    return plugins, pack, kit_of(plugins, pack)
