"""`grade` as tests run it: as a process of its own, or in this one with the worker that all tests share.

A process of its own imports torch, which takes two seconds of CPU; only what a process alone can show is worth them:
signals, a terminal, other import paths, what is left behind. Both ways give the same: tests/end_to_end/test_process.py.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol
from unittest import mock

import pytest

import exercises
import solutions
from grader import words
from grader.cli.interrupts import on_interrupt
from grader.cli.main import main
from grader.model.check import Check
from grader.model.errors import WorkerFailed
from grader.model.pack import Pack, PackSource
from grader.pack.load import load_pack
from grader.runner.processes.channel import Channel
from grader.runner.processes.spawner import PASSED_ON, Process
from grader.runner.processes.zygote import Zygote
from grader.submission import hints

ROOT = Path(__file__).resolve().parents[1]
GRADE = Path(sys.executable).with_name("grade")
# What is read of the environment only once: by Python, and for a worker.
READ_AT_THE_START = {"PATH", "PYTHONPATH", "PYTHONIOENCODING", "PYTHONUTF8", "TMPDIR", *PASSED_ON}
Done = subprocess.CompletedProcess[str]


class Grade(Protocol):
    """Runs `grade` with these arguments, in the kit's folder unless told otherwise, and as if outside CI.

    pack: a folder with exercises and fixtures, perhaps solutions, in place of the kit's own.
    """

    def __call__(
        self, *arguments: str | Path, cwd: Path = ROOT, pack: Path | None = None, **environment: str
    ) -> Done: ...


def grade_process(*arguments: str | Path, cwd: Path = ROOT, pack: Path | None = None, **environment: str) -> Done:
    """The command as a process of its own."""
    command = [str(GRADE), *map(str, arguments)]
    found = (
        f"{GRADE.parent}{os.pathsep}{os.environ.get('PATH', '')}"  # as in a terminal that was told of the environment
    )
    own = {name: value for name, value in os.environ.items() if name != "CI"} | {"PATH": found} | environment
    if pack is not None:
        own["PYTHONPATH"] = os.pathsep.join(filter(None, [str(_checked(pack)), environment.get("PYTHONPATH")]))
    return subprocess.run(command, cwd=cwd, env=own, capture_output=True, text=True, check=False)


class GradeHere:
    """The command in this process. Wherever it would start a worker, it gets one that has started: `worker`, or one
    without the same layers. Wherever it would read the kit's own pack, it gets the one that was read: `pack`."""

    def __init__(self, worker: Zygote, pack: Pack) -> None:
        self._pack = pack
        self._workers = {frozenset[str](): worker}
        self._lent: list[Lent] = []

    def __call__(self, *arguments: str | Path, cwd: Path = ROOT, pack: Path | None = None, **environment: str) -> Done:
        if READ_AT_THE_START & environment.keys():
            return grade_process(*arguments, cwd=cwd, pack=pack, **environment)
        command = ["grade", *map(str, arguments)]
        with (
            _streams() as (out, err),
            self._as_a_process(command, cwd, environment),
            _packs(pack) if pack else contextlib.nullcontext(),
            pytest.raises(SystemExit) as ended,
        ):
            main()
        self._take_back()
        for stream in (out, err):
            stream.flush()
        said, complained = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
        return subprocess.CompletedProcess(command, int(ended.value.code or 0), said, complained)

    @contextlib.contextmanager
    def _as_a_process(self, command: list[str], cwd: Path, environment: dict[str, str]) -> Iterator[None]:
        with (
            contextlib.chdir(cwd),
            mock.patch.dict(os.environ, environment),
            mock.patch.dict(hints._not_written, clear=True),
            mock.patch.object(sys, "argv", command),
            mock.patch("grader.runner.processes.start.Zygote", self._lend),
            on_interrupt(signal.default_int_handler),  # what a command leaves behind there ends with its process
            mock.patch("grader.pack.load.load_pack", self._load),
        ):
            if "CI" not in environment:
                os.environ.pop("CI", None)
            try:
                yield
            finally:
                words.speak(words.ENGLISH)

    def _load(self, source: PackSource, checks: Mapping[str, Check]) -> Pack:
        return self._pack if source == self._pack.source else load_pack(source, checks)

    def _lend(self, without: frozenset[str] = frozenset()) -> Any:
        if without not in self._workers:
            self._workers[without] = Zygote(without)
        self._lent.append(Lent(self._workers[without]))
        return self._lent[-1]

    def _take_back(self) -> None:
        """Whoever has a worker must close it. One that was started anew may be a child of a thread that has ended."""
        lent, self._lent = self._lent, []
        assert all(each.is_closed for each in lent)
        for each in lent:
            each.settle()

    def close(self) -> None:
        """End the workers that were started here."""
        for without, worker in self._workers.items():
            if without:
                worker.close()


@contextlib.contextmanager
def _packs(folder: Path) -> Iterator[None]:
    """The kit's pack, and its solutions if it has any there, lie in another folder."""
    with contextlib.ExitStack() as stack:
        for package in (exercises, solutions):
            if (_checked(folder) / package.__name__).is_dir():
                stack.enter_context(mock.patch.object(package, "HERE", folder / package.__name__))
        yield


def _checked(folder: Path) -> Path:
    """The folder, which has a pack: else the kit's own would be taken, and nobody see it."""
    assert (folder / "exercises").is_dir()
    return folder


class Lent:
    """A worker that outlives whoever has it; the processes that it gave do not, as if it had been closed."""

    def __init__(self, worker: Zygote) -> None:
        self._worker = worker
        self._generation = worker.generation
        self._given: set[Process] = set()
        self.is_closed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._worker, name)

    def spawn(self) -> tuple[Process, Channel]:
        process, channel = self._worker.spawn()
        self._given.add(process)
        return process, channel

    def end(self, process: Process) -> int:
        self._given.discard(process)
        return self._worker.end(process)

    def close(self) -> None:
        self.is_closed = True
        while self._given:
            with contextlib.suppress(WorkerFailed):
                self._worker.end(self._given.pop())

    def settle(self) -> None:
        """Have the worker be this thread's child if it was started anew, perhaps by a thread that takes it along."""
        if self._worker.generation != self._generation:
            self._worker.restart(self._worker.generation)


@contextlib.contextmanager
def _streams() -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Standard output and standard error, with nothing in them yet."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield out, err
