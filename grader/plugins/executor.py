"""What an executor is: a way of grading many submissions, on this machine or on many."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from grader.model.handed import Handed
from grader.model.report import Report

if TYPE_CHECKING:
    from grader.model.order import Order
    from grader.model.pack import Pack

# So many submissions are graded at once on one machine however many cores it has: each has a worker of some 170 MB.
MOST_JOBS = 64
# How many submissions there are for each that is being graded: enough that none waits for the reading of an archive.
AHEAD = 2

# The registry that a submission is graded with, which knows of executors itself.
Registry = TypeVar("Registry", contravariant=True)

Keep = Callable[[Handed, Report], None]
"""Stores a report. On disk when it returns. Raises NotWritten."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where a batch is to be graded.

    address: of a cluster, such as tls://host:8786; empty for this machine. jobs: how many submissions at once, 0 for as
    many as there is room for. tls_ca, tls_cert, tls_key: PEM files that say who belongs to the cluster, None where
    something else says it. is_insecure: go on where others could listen in.
    """

    address: str = ""
    jobs: int = 0
    tls_ca: Path | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None
    is_insecure: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """A submission whose report is stored."""

    handed: Handed
    report: Report


@dataclass(frozen=True, slots=True)
class Failed:
    """A submission without a report, because of the grader or the machine. is_fatal: the batch cannot go on."""

    handed: Handed
    error: Exception
    is_fatal: bool


class Engine(Protocol):
    """Grades the submissions of one batch, several at once, and gives each back in any order. Used by one thread."""

    @property
    def room(self) -> int:
        """How many submissions may be there at once; it may change."""

    @property
    def environment(self) -> Mapping[str, Any]:
        """What a report says of where it was made. Known when a first submission has come back, unless fatally."""

    def put(self, handed: Handed) -> None:
        """Give a submission to be graded and stored. Raises what there is to say where nothing can be graded at all."""

    def get(self, seconds: float) -> Done | Failed | None:
        """The next that has ended, or None where none has within some seconds."""

    def take_back(self) -> int:
        """Begin nothing more. Returns how many were put and not begun; these do not come back."""

    def close(self) -> None:
        """Let go of all that it uses; what runs on this machine is waited for."""


class Executor(Protocol[Registry]):
    """A way of grading many. schemes: of the addresses that it takes, such as "tls"; "" for this machine."""

    @property
    def name(self) -> str: ...

    @property
    def schemes(self) -> tuple[str, ...]: ...

    def engine(self, plugins: Registry, pack: Pack, order: Order, site: Site, keep: Keep) -> Engine:
        """What grades a batch, which begins when a first submission is put. Raises UsageError for a wrong site."""
