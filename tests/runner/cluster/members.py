"""The members of a real cluster on this machine: a scheduler and workers, processes that speak TLS over loopback."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from grader.plugins.executor import Site

from ..processes.looking import descendants

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "cluster.md"
CERTIFICATES = ROOT / "docs" / "certificates.sh"
SECONDS = 60.0
# Of a processor's time: a child that has used so much is in an endless loop.
BUSY_TICKS = os.sysconf("SC_CLK_TCK") // 4


def make_certificates(folder: Path) -> Path:
    """Certificates as the documents say how to make them."""
    subprocess.run(["bash", str(CERTIFICATES), str(folder)], check=True)
    return folder


def documented(command: str) -> list[str]:
    """The words of the page's own example of a command, `dask worker` for one; its first, by hand on two machines."""
    return shlex.split(next(line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(command)))


class Members:
    """What the page says to start on two machines, on one. Ended by `close`.

    workers: for each `dask worker` command, of one worker, the options that it gets besides.
    """

    def __init__(self, folder: Path, *workers: str) -> None:
        self.folder, self.port = folder, free_port()
        make_certificates(folder / "tls")
        self.scheduler = self._start(self._words("dask scheduler"))
        self.commands = [
            self._start([*self._words("dask worker"), "--nworkers", "1", *more.split()]) for more in workers
        ]
        wait_for(self._is_listening)

    @property
    def address(self) -> str:
        return f"tls://127.0.0.1:{self.port}"

    @property
    def options(self) -> list[str]:
        """How `grade batch` gets there, as the page says."""
        words = self._words("grade batch")
        return words[words.index("--cluster") :]

    @property
    def place(self) -> Site:
        """The same for an engine in this process."""
        given = dict(zip(*[iter(self.options)] * 2, strict=True))
        return Site(given["--cluster"], 0, *(Path(given[f"--tls-{name}"]) for name in ("ca", "cert", "key")))

    def workers(self) -> list[int]:
        """The Dask workers' own processes, each below its nanny."""
        return [pid for command in self.commands for pid in descendants(command.pid) if "spawn_main" in words_of(pid)]

    def busy(self) -> int:
        """A Dask worker with a submission that has computed for long, as soon as there is one."""
        found: list[int] = []

        def is_found() -> bool:
            found.extend(pid for pid in self.workers() if any(map(_is_endless, descendants(pid))))
            return bool(found)

        wait_for(is_found)
        return found[0]

    def close(self) -> None:
        """End all of them at once; each command and its workers are a group of processes."""
        for process in (*self.commands, self.scheduler):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _words(self, command: str) -> list[str]:
        """The page's command for this machine: other names, ports and folders."""
        own = {"grading-1": "127.0.0.1", "8786": str(self.port), "8787": "0"}
        text = shlex.join(documented(command))
        for name, here in own.items():
            text = text.replace(name, here)
        return [word.replace("tls/", f"{self.folder}/tls/", 1) if word.startswith("tls/") else word
                for word in shlex.split(text)]  # fmt: skip

    def _start(self, words: list[str]) -> subprocess.Popen[bytes]:
        with (self.folder / f"{words[1]}.log").open("ab") as log:
            command = [Path(sys.executable).with_name(words[0]), *words[1:]]
            return subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, start_new_session=True)

    def _is_listening(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
        except ConnectionRefusedError:
            return False
        return True


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextlib.contextmanager
def members(folder: Path, *workers: str) -> Iterator[Members]:
    """A cluster for as long as this lasts, in a folder of its own."""
    folder.mkdir(exist_ok=True)
    started = Members(folder, *workers)
    try:
        yield started
    finally:
        started.close()


def wait_for(what: Callable[[], object], seconds: float = SECONDS) -> None:
    """Return when something is so."""
    pause, deadline = threading.Event(), time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it never came"
        pause.wait(0.01)


def _is_endless(pid: int) -> bool:
    """Whether a process was forked by a zygote, and has computed for long."""
    with contextlib.suppress(OSError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        parent = words_of(int(fields[1]))
        return int(fields[11]) > BUSY_TICKS and parent.startswith(sys.executable) and "worker.zygote" in parent
    return False


def words_of(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace")
    return ""
