"""A job slot in a process of its own, so that several slots do not wait for one another's Python.

That process is told once what to grade by. Then it reads what was handed in and writes what came of it, pickled, on its
standard streams: both ends are the grader's, and no student's code runs in either. It ends with whoever started it.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, suppress
from typing import Any, BinaryIO

from grader.model import profile
from grader.model.errors import WorkerFailed
from grader.model.handed import Handed
from grader.model.order import SECRET_SEED, Order
from grader.model.pack import Pack
from grader.model.report import Report
from grader.plugins.registry import Plugins
from grader.runner.batch import heap
from grader.runner.batch.slot import SWITCH_SECONDS, Slot
from grader.runner.processes.shield import shield
from grader.words import say, speak

# The same modules are found there as here, whatever lies in the folder where the command runs.
BOOT = "import sys; sys.path[:] = sys.argv[1:]; from grader.runner.batch.apart import serve; serve()"
END_SECONDS = 10.0


class Apart:
    """A slot as its engine sees it: like `Slot`, and started anew where its process is lost. Used by one thread."""

    def __init__(self, pack: Pack, order: Order) -> None:
        self._pack, self._order = pack, order
        self.environment: Mapping[str, Any] = {}
        self._is_told = False
        self._process: subprocess.Popen[bytes] | None = None
        with suppress(WorkerFailed):  # which is for a submission to say
            self._process = _started()

    def grade(self, handed: Handed) -> Report:
        """The report of what was handed in. Raises what the grader itself fails with."""
        if self._process is None:
            self._process, self._is_told = _started(), False
        process = self._process
        try:
            if not self._is_told:  # it takes as long as the process takes to start, and nobody else waits for that
                _write(process.stdin, (self._pack, self._order, profile.is_on()))
                self._is_told = True
            _write(process.stdin, handed)
            environment, answer = _read(process.stdout)
        except (OSError, EOFError):
            self._process = None
            _end(process)
            raise WorkerFailed("The process that graded it has gone.") from None
        self.environment = environment or self.environment
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, Report)
        return answer

    def close(self) -> None:
        """Let it end by itself, and take over what it noted of its time."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError, EOFError):
            if self._is_told:
                _write(process.stdin, None)
                profile.add(_read(process.stdout))
        _end(process)


def _started() -> subprocess.Popen[bytes]:
    """The process, which knows nothing yet. Raises WorkerFailed where there can be none."""
    try:
        return subprocess.Popen(
            [sys.executable, "-c", BOOT, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={name: value for name, value in os.environ.items() if name != SECRET_SEED},  # its order has the seed
            start_new_session=True,  # Ctrl-C is for whoever started it to deal with
        )
    except OSError as error:
        raise WorkerFailed(say("error.no-worker", why=error)) from None


def serve() -> None:
    """Be such a process."""
    shield()  # others grade already, and what this one is told no student is to read
    said = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints is no answer
    try:
        _serve(sys.stdin.buffer, said)
    except EOFError:  # whoever started it had nothing to grade
        os._exit(1)
    os._exit(0)  # without waiting for the thread that listens


def _serve(told: BinaryIO, said: BinaryIO) -> None:
    pack, order, is_noted = _read(told)
    warnings.filterwarnings("ignore", category=SyntaxWarning)  # of students' sources, which are only read here
    speak(order.language)
    noted = profile.begin() if is_noted else None
    handed_in: queue.SimpleQueue[Handed | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(told, handed_in), daemon=True).start()
    answer_each(lambda: Slot(Plugins(), pack, order), handed_in, said)
    _write(said, noted.notes() if noted else None)


def answer_each(make: Callable[[], Slot], handed_in: queue.SimpleQueue[Handed | None], said: BinaryIO) -> None:
    """Grade one after the other, until there is None, and say what came of each: that no slot can be made, as well."""
    sys.setswitchinterval(SWITCH_SECONDS)
    with ExitStack() as ending:
        slot: Slot | None = None
        for done, handed in enumerate(iter(handed_in.get, None), 1):
            answer: Report | Exception
            try:
                slot = slot or ending.enter_context(closing(make()))
                answer = slot.grade(handed)
            except Exception as error:
                answer = _portable(error)
            _write(said, (slot.environment if slot else {}, answer))
            heap.give_back_after(done)


def _listen(told: BinaryIO, handed_in: queue.SimpleQueue[Handed | None]) -> None:
    """Take what is handed in, to hear at once of the end of whoever started this: every worker ends with it."""
    try:
        while (handed := _read(told)) is not None:
            handed_in.put(handed)
    except (OSError, EOFError):
        os._exit(1)
    handed_in.put(None)


def _portable(error: Exception) -> Exception:
    """An error as another process can read it."""
    with suppress(Exception):
        if str(pickle.loads(pickle.dumps(error))) == str(error):
            return error
    return WorkerFailed(f"{type(error).__name__}: {error}.")


def _write(stream: Any, value: object) -> None:
    pickle.dump(value, stream, pickle.HIGHEST_PROTOCOL)
    stream.flush()


def _read(stream: Any) -> Any:
    """The next value. Raises EOFError where the other side has gone, in the middle of one as well."""
    try:
        return pickle.load(stream)
    except pickle.UnpicklingError as error:
        raise EOFError from error


def _end(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            stream and stream.close()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
