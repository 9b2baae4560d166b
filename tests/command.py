"""`grade` as tests run it: as a process of its own, or in this one with the worker that all tests share.

A process of its own imports torch, which takes two seconds of CPU; only what a process alone can show is worth them:
signals, a terminal, other import paths, what is left behind. Both ways give the same: tests/end_to_end/test_process.py.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol
from unittest import mock

import pytest

import exercises
import solutions
from grader import words
from grader.cli.main import main
from grader.runner.processes.zygote import Zygote

ROOT = Path(__file__).resolve().parents[1]
GRADE = Path(sys.executable).with_name("grade")
# What is read of the environment only once: by Python, and by a worker.
READ_AT_THE_START = {"PATH", "PYTHONPATH", "PYTHONIOENCODING"}
Done = subprocess.CompletedProcess[str]


class Grade(Protocol):
    """Runs `grade` with these arguments, in the kit's folder unless told otherwise, and as if outside CI.

    pack: a folder with exercises and fixtures, perhaps solutions, in place of the kit's own.
    """

    def __call__(
        self, *arguments: str | Path, cwd: Path = ROOT, pack: Path | None = None, **environment: str
    ) -> Done: ...


def grade_process(*arguments: str | Path, cwd: Path = ROOT, **environment: str) -> Done:
    """The command as a process of its own."""
    command = [str(GRADE), *map(str, arguments)]
    own = {name: value for name, value in os.environ.items() if name != "CI"} | environment
    return subprocess.run(command, cwd=cwd, env=own, capture_output=True, text=True, check=False)


class GradeHere:
    """The command in this process. Wherever it would start a worker, it gets one that has started: `worker`, or one
    without the same layers."""

    def __init__(self, worker: Zygote) -> None:
        self._workers = {frozenset[str](): worker}

    def __call__(self, *arguments: str | Path, cwd: Path = ROOT, pack: Path | None = None, **environment: str) -> Done:
        if READ_AT_THE_START & environment.keys():
            return grade_process(*arguments, cwd=cwd, **environment)
        command = ["grade", *map(str, arguments)]
        with (
            _streams() as (out, err),
            self._as_a_process(command, cwd, environment),
            _packs(pack) if pack else contextlib.nullcontext(),
            pytest.raises(SystemExit) as ended,
        ):
            main()
        for stream in (out, err):
            stream.flush()
        said, complained = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
        return subprocess.CompletedProcess(command, int(ended.value.code or 0), said, complained)

    @contextlib.contextmanager
    def _as_a_process(self, command: list[str], cwd: Path, environment: dict[str, str]) -> Iterator[None]:
        with (
            contextlib.chdir(cwd),
            mock.patch.dict(os.environ, environment),
            mock.patch.object(sys, "argv", command),
            mock.patch("grader.runner.processes.zygote.Zygote", self._lend),
        ):
            if "CI" not in environment:
                os.environ.pop("CI", None)
            try:
                yield
            finally:
                words.speak(words.ENGLISH)

    def _lend(self, without: frozenset[str] = frozenset()) -> Any:
        if without not in self._workers:
            self._workers[without] = Zygote(without)
        return Lent(self._workers[without])

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
            if (folder / package.__name__).is_dir():
                stack.enter_context(mock.patch.object(package, "HERE", folder / package.__name__))
        yield


class Lent:
    """A worker that outlives whoever has it."""

    def __init__(self, worker: Zygote) -> None:
        self._worker = worker

    def __getattr__(self, name: str) -> Any:
        return getattr(self._worker, name)

    def close(self) -> None:
        pass


@contextlib.contextmanager
def _streams() -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Standard output and standard error, with nothing in them yet."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield out, err
