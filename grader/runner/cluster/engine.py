"""The engine of a Dask cluster: each submission is a task, and what comes back is stored here as it comes.

A worker that is lost costs what it was grading. That fails once and is tried again by the batch, alone, like anything
that the grader itself failed at; a submission whose worker is lost again is given up on. So none ends more than two.
"""

from __future__ import annotations

import queue
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.model.errors import ClusterFailed, DeviceAbsent, GraderError, WorkerFailed
from grader.model.handed import Handed
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.text import clean
from grader.plugins.executor import AHEAD, Done, Failed, Keep, Site
from grader.plugins.registry import Plugins
from grader.runner.cluster.answer import Failure, read_answer
from grader.runner.cluster.connection import (
    CALL_SECONDS,
    GPU,
    check_alike,
    connect,
    leave,
    spoken,
    wait_for_worker,
    workers,
)
from grader.runner.environment import environment
from grader.runner.grade import chosen
from grader.runner.kit import kit_of, torch_version

if TYPE_CHECKING:
    from distributed import Client, Future

# Besides the steps: torch's import, the reference, a search for three mistakes. Minutes, for what takes seconds.
OTHER_SECONDS = 300.0
# A step is graded at most so often: with the student's own modules, with stand-ins, and with its own again.
WORLDS = 3
# How often the scheduler is asked who is there, and how long a batch waits where nobody is.
LOOK_AGAIN_SECONDS = 2.0
DESERTED_SECONDS = 60.0
# How long an answer is waited for that is there: who holds it may be lost, and others have theirs. Each time again
# twice as long, up to what a call may take, for one on a slow way; and as long nobody waits for it in between.
ANSWER_SECONDS = 2.0

GONE = "The connection to the cluster's scheduler was lost."


@dataclass(frozen=True, slots=True)
class Sent:
    """A submission under way. due: by the monotonic clock. patience: for how many seconds its answer is waited for."""

    handed: Handed
    future: Future
    due: float
    patience: float


class _Delayed(Exception):
    """An answer that is there does not come, as where its worker was lost. Of a lost scheduler the next look tells."""


class Cluster:
    """Connects when a first submission is put. keep: called in the thread that asks for what has ended."""

    def __init__(self, plugins: Plugins, pack: Pack, order: Order, site: Site, keep: Keep) -> None:
        self._pack, self._order, self._site, self._keep = pack, order, site, keep
        self._kit = kit_of(plugins, pack)
        self._client: Client | None = None
        self._name = f"grade-{secrets.token_hex(6)}"
        self._count = self._places = 0
        self._has_gpu = self._has_graded = self._is_taken_back = self._is_silent = False
        self._sent: dict[str, Sent] = {}
        self._ended: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._delayed: dict[str, float] = {}  # until when nobody waits for an answer that did not come
        self._lost: ClusterFailed | None = None
        self._looked = self._inhabited = 0.0
        self.limit = AHEAD * (_limit(pack, order) + OTHER_SECONDS)

    @property
    def room(self) -> int:
        return self._site.jobs or max(1, self._places * AHEAD)

    @property
    def environment(self) -> Mapping[str, Any]:
        """As of this machine, whose kit every worker has."""
        devices = ["cpu"] * (self._order.device != "cuda") + ["cuda"] * self._has_gpu
        fresh = bool(self._kit.reference)
        return environment(self._order, torch=torch_version(), devices=devices, isolation=(), fresh=fresh)

    def put(self, handed: Handed) -> None:
        """Send a submission to whichever worker is free first. Raises ClusterFailed and DeviceAbsent."""
        from grader.runner.cluster import remote

        client = self._client = self._client or self._connected()
        self._count += 1
        key = f"{self._name}-{self._count}"
        errand = remote.Errand(key, self._order, self._kit, self._has_gpu)
        # Who handed it in stays here, as does what only is shown again: workers need neither.
        own = replace(handed.submission, id=key, path=Path(key), excerpts={}) if handed.submission else None
        work = Handed(key, submission=own, refused=handed.refused)
        resources = {GPU: 1} if self._has_gpu else None
        if client.status != "running":
            raise self._lost or ClusterFailed(GONE)
        future = client.submit(remote.grade, errand, work, key=key, resources=resources, pure=False)
        self._sent[key] = Sent(handed, future, time.monotonic() + self.limit, ANSWER_SECONDS)
        future.add_done_callback(lambda _: self._ended.put(key))

    def get(self, seconds: float) -> Done | Failed | None:
        self._look()
        if (overdue := self._overdue()) is not None:
            return overdue
        for key in [key for key, until in self._delayed.items() if until <= time.monotonic()]:
            self._ended.put(key)
            del self._delayed[key]
        try:
            key = self._ended.get(timeout=seconds)
        except queue.Empty:
            return None
        sent = self._sent.pop(key, None)  # none: it was given up on
        return self._received(key, sent) if sent is not None else None

    def take_back(self) -> int:
        if self._is_taken_back or self._client is None or self._lost is not None:
            return 0
        self._is_taken_back = True
        waiting = list(self._waiting(self._client))
        for key in waiting:
            self._sent.pop(key).future.cancel()
        return len(waiting)

    def close(self) -> None:
        """Drop what is under way, and leave the cluster; its workers end theirs when nothing more comes."""
        if self._client is not None:
            for sent in self._sent.values():
                sent.future.cancel()
            self._sent.clear()
            leave(self._client)

    def _connected(self) -> Client:
        client = connect(self._site)
        try:
            found = wait_for_worker(client, self._site)
            offered = any(worker["resources"].get(GPU) for worker in found.values())
            if self._order.device == "cuda" and not offered:
                raise DeviceAbsent(
                    f"--device cuda: no worker of {self._site.address} offers a GPU (dask worker … --resources GPU=1)."
                )
            self._has_gpu = offered and self._order.device != "cpu"
            self._see(found)
            check_alike(client, list(found), self._kit)
        except BaseException:
            leave(client)
            raise
        return client

    def _see(self, found: Mapping[str, Mapping[str, Any]]) -> None:
        """Count how many submissions the workers can grade at once."""
        self._looked = time.monotonic()
        each = [min(own["nthreads"], int(own["resources"].get(GPU, 0))) if self._has_gpu else own["nthreads"]
                for own in found.values()]  # fmt: skip
        self._places = sum(each)
        if self._places or not self._inhabited:
            self._inhabited = self._looked

    def _look(self) -> None:
        """Ask now and then who is there. Where nobody is for long, nothing more comes."""
        if self._client is None or self._lost is not None:
            return
        if self._client.status != "running":
            self._lost = ClusterFailed(GONE)
        elif time.monotonic() - self._looked >= LOOK_AGAIN_SECONDS:
            self._looked = time.monotonic()
            try:
                self._see(workers(self._client))
                self._is_silent = False
            except ClusterFailed as error:  # a connection that Dask kept may have ended; the next look has another
                self._lost = error if self._is_silent else None
                self._is_silent = True
        if self._lost is None and time.monotonic() - self._inhabited > DESERTED_SECONDS:
            self._lost = ClusterFailed(f"The cluster at {self._site.address} has had no worker for a while.")

    def _overdue(self) -> Failed | None:
        """A submission that does not come back in time, or at all; it is given up on."""
        now = time.monotonic()
        key = next((key for key, sent in self._sent.items() if self._lost is not None or sent.due < now), None)
        if key is None:
            return None
        sent = self._sent.pop(key)
        sent.future.cancel()
        if self._lost is not None:
            return Failed(sent.handed, self._lost, is_fatal=True)
        late = WorkerFailed(f"It did not come back from the cluster within {self.limit:.0f} s.")
        return Failed(sent.handed, late, is_fatal=False)

    def _waiting(self, client: Client) -> Iterator[str]:
        """What no worker has begun, as far as the scheduler says so before it falls silent."""
        ask = partial(client.sync, client.scheduler.get_metadata, callback_timeout=CALL_SECONDS)
        with suppress(ClusterFailed), spoken():
            for key in self._sent:
                if not ask(keys=[key], default=False):
                    yield key

    def _received(self, key: str, sent: Sent) -> Done | Failed | None:
        """What came of a submission, stored where it is a report; nothing where it has to be waited for again."""
        try:
            report = read_answer(self._answer(sent), key, sent.handed, self._pack, self._order)
            if isinstance(report, Failure):
                # As long as nothing could be graded anywhere, nothing will be.
                is_fatal = report.error.is_fatal or not (self._has_graded or report.could_start)
                return Failed(sent.handed, report.error, is_fatal)
            self._has_graded = True
            self._keep(sent.handed, report)
        except _Delayed:
            self._sent[key] = replace(sent, patience=min(2 * sent.patience, CALL_SECONDS))
            self._delayed[key] = time.monotonic() + sent.patience
            return None
        except Exception as error:
            return Failed(sent.handed, error, is_fatal=isinstance(error, GraderError) and error.is_fatal)
        return Done(sent.handed, report)

    def _answer(self, sent: Sent) -> object:
        """What a task gave. Raises ClusterFailed, WorkerFailed and _Delayed."""
        from distributed import KilledWorker

        future = sent.future
        if future.status == "cancelled":
            raise self._lost or ClusterFailed(GONE)
        try:
            if future.status != "error":
                return future.result(timeout=sent.patience)
            error = future.exception(timeout=sent.patience)
        except OSError:  # a time limit's too
            raise _Delayed from None
        if isinstance(error, KilledWorker):
            raise WorkerFailed("The worker of the cluster that graded it was lost.")
        if isinstance(error, ImportError) or "the task graph" in str(error):  # Dask's own words
            raise ClusterFailed("The scheduler has no kit: start it from the same installation as the workers.")
        raise WorkerFailed(f"A worker of the cluster failed: {type(error).__name__}: {clean(str(error))}.")


def _limit(pack: Pack, order: Order) -> float:
    """Seconds within which no submission can fail to be graded: every step late in every world, on each device."""
    steps = sum(len(exercise.steps) for exercise in chosen(pack, order.exercises))
    return steps * order.seconds * WORLDS * (2 if order.device == "all" else 1)
