"""The zygote's parent: starts the process that imports torch once, and has it fork a child whenever one is asked for.

Linux. The zygote starts inside bubblewrap where that can start, and else without.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grader.model import profile
from grader.model.errors import WorkerFailed
from grader.model.profile import phase
from grader.runner.processes import bubblewrap, watch
from grader.runner.processes.answers import Answers
from grader.runner.processes.channel import Channel
from grader.runner.processes.shield import shield
from grader.runner.processes.spawner import Process, import_root, worker_environment
from grader.runner.processes.watch import Watch
from grader.wire.control import END, FORK, LEARN, request
from grader.wire.frames import LENGTH
from grader.wire.scratch import remove
from grader.words import say

# The import path is given on the command line because `-I` leaves out the folder and PYTHONPATH, which a student owns.
BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from grader.worker.zygote import main; main(int(sys.argv[2]))"
START_SECONDS = 120.0
REPLY_SECONDS = 10.0
REPLY_BYTES = 1 << 16
LAST_WORDS = 4096
# What a zygote is taught stays in its memory; a pack's requests take a fiftieth of this.
MOST_KNOWN_BYTES = 16 << 20
# So often in a row it may fail to be taught.
CHANCES = 2


class Zygote:
    """A worker process without a submission. It starts at once; `hello` waits until torch is imported.

    scratch: the folder of its children's folders, which is there only where bubblewrap has no such folder in memory.
    """

    def __init__(self, without: frozenset[str] = frozenset()) -> None:
        self.without = without
        self.generation = 0
        self.scratch = Path(tempfile.gettempdir(), f"grade-{secrets.token_hex(8)}")
        self._is_closed = False
        self._lock = threading.RLock()
        self._watch = Watch()
        self._hello: Mapping[str, Any] | None = None
        self._known: dict[bytes, int] = {}  # what it was taught, and the place of each
        self._answers = Answers()
        self._chances = CHANCES
        self._folder = -1  # of the children's folders: its name leads there only where there is no bubblewrap
        self._no_bubblewrap = "left out" if bubblewrap.NAME in without else bubblewrap.missing()
        shield()
        self._start()

    @phase("start")
    def hello(self) -> Mapping[str, Any]:
        with self._lock:
            if self._hello is None:
                self._hello = self._greeting()
            return self._hello

    def isolation(self) -> tuple[str, ...]:
        self.hello()
        around = [] if self._no_bubblewrap else [bubblewrap.NAME]
        return (*around, *([] if watch.NAME in self.without else [watch.NAME]))

    def missing(self) -> Mapping[str, str]:
        own: dict[str, str] = self.hello()["missing"]
        return {bubblewrap.NAME: self._no_bubblewrap, **own} if self._no_bubblewrap else own

    def teach(self, requests: Iterable[bytes]) -> None:
        """Have children that are forked from now on know these requests, up to a number of bytes.

        A worker that fails here fails once more for whoever asks it next, who then starts it anew. One that fails
        again is taught no more: to know requests only saves time.
        """
        with self._lock, contextlib.suppress(WorkerFailed, OSError):
            self.hello()
            known, size = dict(self._known), sum(map(len, self._known))
            for frame in requests:
                if frame not in known and size + len(frame) <= MOST_KNOWN_BYTES:
                    known[frame] = len(known)
                    size += len(frame)
            new = [*known][len(self._known) :]
            if not new or not self._chances:
                return
            self._chances -= 1
            with os.fdopen(os.memfd_create("requests"), "w+b") as file:
                file.writelines(part for frame in new for part in (LENGTH.pack(len(frame)), frame))
                file.seek(0)
                self._ask(request(LEARN, len(new)), [file.fileno()])
            self._known, self._chances = known, CHANCES

    @phase("fork")
    def spawn(self) -> tuple[Process, Channel]:
        with self._lock:
            self.hello()
            ours, theirs = socket.socketpair()
            try:
                with theirs:
                    reply, handle = self._ask(request(FORK), [theirs.fileno()])
            except BaseException:
                ours.close()
                raise
            number = int(reply["pid"])
            profile.used("fork", reply["cpu"])
            scratch = Path(f"/proc/self/fd/{self._folder}/{number}") if self._folder >= 0 else None
            process = Process(number, self.generation, _pid(handle), handle, scratch, self._known, self._answers)
        if watch.NAME not in self.without and process.pid:
            self._watch.add(process)
        return process, Channel(ours)

    @phase("end")
    def end(self, process: Process) -> int:
        self._watch.remove(process)
        try:
            process.kill()
            with self._lock:
                if process.generation != self.generation:
                    raise WorkerFailed("The worker process was started anew.")
                reply, _ = self._ask(request(END, process.number))
            profile.used("child", reply["cpu"])
            return int(reply["status"])
        finally:
            process.forget()

    def restart(self, generation: int) -> None:
        with self._lock:
            if self._is_closed:
                raise WorkerFailed("The worker process was closed.")
            if generation == self.generation:
                self._stop()
                self._remove_scratch()
                self.generation += 1
                self._start()

    def close(self) -> None:
        self._is_closed = True  # whoever still waits for its first word must not start another
        self._watch.close()
        self._stop()
        self._remove_scratch()

    def _start(self) -> None:
        """Start the process: inside bubblewrap unless that is known not to work."""
        self._hello = None
        self._known = {}
        root = import_root()
        around = () if self._no_bubblewrap else bubblewrap.command(root)
        scratch = str(self.scratch) if self._no_bubblewrap else bubblewrap.SCRATCH
        if self._no_bubblewrap:
            self.scratch.mkdir(stat.S_IRWXU, exist_ok=self.generation > 0)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - read when it fails, and without a name to remove
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [*around, sys.executable, "-I", "-c", BOOT, str(root), str(theirs.fileno())],
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=self._errors,
                    cwd=self.scratch if self._no_bubblewrap else "/",
                    env=worker_environment(scratch),
                    # A terminal sends Ctrl-C to the whole group; whether work then goes on is for the parent to say.
                    process_group=0,
                )
            except OSError as error:
                self._control.close()
                self._errors.close()
                self._remove_scratch()
                raise WorkerFailed(say("error.no-worker", why=error)) from None

    def _stop(self) -> None:
        """End the process and, with it, every child: bubblewrap and the parent-death signal see to that."""
        bubblewrap.end(self._process)
        self._process.wait()
        self._control.close()
        self._errors.close()
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1

    def _remove_scratch(self) -> None:
        with contextlib.suppress(OSError):
            remove(self.scratch)

    def _greeting(self) -> Mapping[str, Any]:
        try:
            hello, self._folder = self._reply(START_SECONDS)
            return hello
        except WorkerFailed as error:
            # Once it has held, nothing goes on without it.
            if self._no_bubblewrap or self.generation or self._is_closed:
                raise
            self._no_bubblewrap = f"it cannot start here ({self._last_words() or error})"
        self._stop()
        self._start()
        hello, self._folder = self._reply(START_SECONDS)
        return hello

    def _ask(self, data: bytes, fds: list[int] | None = None) -> tuple[dict[str, Any], int]:
        """Send a request; the reply, and the descriptor that came with it or -1. A zygote that fails here is ended."""
        try:
            self._control.settimeout(REPLY_SECONDS)
            socket.send_fds(self._control, [data], fds or [])
            return self._reply(REPLY_SECONDS)
        except OSError as error:
            self._give_up()
            raise WorkerFailed(f"The worker process has gone: {error}.") from None
        except BaseException:  # Ctrl-C too: what it would still answer would be taken for the answer to another request
            self._give_up()
            raise

    def _give_up(self) -> None:
        self._process.kill()
        self._control.close()

    def _reply(self, seconds: float) -> tuple[dict[str, Any], int]:
        self._control.settimeout(seconds)
        try:
            data, fds, _, _ = socket.recv_fds(self._control, REPLY_BYTES, 1)
        except OSError:
            data, fds = b"", []
        if not data:
            raise WorkerFailed(say("error.no-answer", words=self._last_words()).rstrip())
        reply: dict[str, Any] = json.loads(data)
        if "error" in reply:
            raise WorkerFailed(say("error.not-started", why=reply["error"]))
        return reply, fds[0] if fds else -1

    def _last_words(self) -> str:
        size = os.fstat(self._errors.fileno()).st_size
        tail = os.pread(self._errors.fileno(), LAST_WORDS, max(0, size - LAST_WORDS))
        lines = tail.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""


def _pid(handle: int) -> int:
    """What this process's `/proc` calls the process of a handle, also from inside a namespace; 0 unknown."""
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = Path(f"/proc/self/fdinfo/{handle}").read_text("ascii").splitlines()
        return max(0, int(next(line for line in lines if line.startswith("Pid:")).split()[1]))
    return 0
