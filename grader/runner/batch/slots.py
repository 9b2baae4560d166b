"""Job slots on this machine: each a thread that has one submission graded after the other, and stores what comes of it.

The first grades in this process, each other in one of its own (`apart`). A slot stores a result before it takes the
next submission, so that whatever ends the process loses only what was running.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Mapping
from typing import Any

from grader.model.errors import GraderError
from grader.model.handed import Handed
from grader.model.order import Order
from grader.model.pack import Pack
from grader.plugins.executor import AHEAD, Done, Failed, Keep
from grader.plugins.registry import Plugins
from grader.runner.batch.apart import Apart
from grader.runner.batch.cores import keeping_to_one
from grader.runner.batch.slot import SWITCH_SECONDS, Slot


class Slots:
    """The engine of this machine. count: how many submissions at once. keep: called in the slot's thread."""

    def __init__(self, plugins: Plugins, pack: Pack, order: Order, count: int, keep: Keep) -> None:
        self._plugins, self._pack, self._order, self._keep = plugins, pack, order, keep
        self._tasks: queue.SimpleQueue[Handed | None] = queue.SimpleQueue()
        self._ended: queue.SimpleQueue[Done | Failed] = queue.SimpleQueue()
        self._count = count
        self._slots: list[Slot | Apart] = []
        self._threads: list[threading.Thread] = []
        self._before = sys.getswitchinterval()

    @property
    def room(self) -> int:
        return self._count * AHEAD

    @property
    def environment(self) -> Mapping[str, Any]:
        """Of any slot that could start."""
        return next((slot.environment for slot in self._slots if slot.environment), {})

    def put(self, handed: Handed) -> None:
        """Give a submission to whichever slot is free first."""
        self._tasks.put(handed)
        if len(self._threads) < self._count:
            sys.setswitchinterval(SWITCH_SECONDS)
            with keeping_to_one(len(self._threads), self._count):
                self._start()

    def get(self, seconds: float) -> Done | Failed | None:
        try:
            return self._ended.get(timeout=seconds)
        except queue.Empty:
            return None

    def take_back(self) -> int:
        count = 0
        while True:
            try:
                self._tasks.get_nowait()
            except queue.Empty:
                return count
            count += 1

    def close(self) -> None:
        """Wait for what runs, and end every worker."""
        self.take_back()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()
        sys.setswitchinterval(self._before)

    def _start(self) -> None:
        """One slot more."""
        is_first = not self._threads
        slot = Slot(self._plugins, self._pack, self._order) if is_first else Apart(self._pack, self._order)
        thread = threading.Thread(target=self._serve, args=[slot], name=f"slot-{len(self._threads)}")
        self._slots.append(slot)
        self._threads.append(thread)
        thread.start()

    def _serve(self, slot: Slot | Apart) -> None:
        try:
            while (handed := self._tasks.get()) is not None:
                try:
                    report = slot.grade(handed)
                    self._keep(handed, report)
                    self._ended.put(Done(handed, report))
                except Exception as error:
                    is_fatal = isinstance(error, GraderError) and error.is_fatal
                    self._ended.put(Failed(handed, error, is_fatal or not self.environment))
        finally:
            slot.close()
