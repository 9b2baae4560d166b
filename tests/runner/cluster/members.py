"""The members of a real cluster on this machine: a scheduler and workers, processes that speak TLS over loopback."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from grader.plugins.executor import Place

from ..processes.looking import descendants

ROOT = Path(__file__).resolve().parents[3]
DASK = Path(sys.executable).with_name("dask")
CERTIFICATES = ROOT / "docs" / "certificates.sh"
SECONDS = 60.0
# Of a processor's time: a child that has used so much is in an endless loop.
BUSY_TICKS = os.sysconf("SC_CLK_TCK") // 4


def make_certificates(folder: Path) -> Path:
    """Certificates as the documents say how to make them."""
    subprocess.run(["bash", str(CERTIFICATES), str(folder)], check=True)
    return folder


class Members:
    """A scheduler and some `dask worker` commands of one process each. Ended by `close`."""

    def __init__(self, folder: Path, *workers: str) -> None:
        folder.mkdir(exist_ok=True)
        self.folder, self.certificates = folder, make_certificates(folder / "tls")
        self.scheduler = self._start(
            "scheduler", "--host", "tls://127.0.0.1", "--port", "0", "--scheduler-file", "scheduler.json"
        )
        self.address = self._address()
        self.commands = [self._start("worker", self.address, "--nthreads", "1", *more.split()) for more in workers]

    @property
    def place(self) -> Place:
        """How a client gets there."""
        own = self.certificates
        return Place(self.address, tls_ca=own / "ca.pem", tls_cert=own / "client.pem", tls_key=own / "client.key")

    @property
    def options(self) -> list[str]:
        """The same as options of `grade batch`."""
        place = self.place
        return [
            "--cluster", place.address,
            *(f"--tls-{name}={getattr(place, f'tls_{name}')}" for name in ("ca", "cert", "key")),
        ]  # fmt: skip

    def workers(self) -> list[int]:
        """The Dask workers' own processes, each below its nanny."""
        return [pid for command in self.commands for pid in descendants(command.pid) if "spawn_main" in _words(pid)]

    def busy(self) -> int | None:
        """A Dask worker with a submission that has computed for long."""
        return next((pid for pid in self.workers() if any(map(_is_endless, descendants(pid)))), None)

    def close(self) -> None:
        """End all of them at once; each command and its workers are a group of processes."""
        for process in (*self.commands, self.scheduler):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(self, role: str, *words: str) -> subprocess.Popen[bytes]:
        own = self.certificates
        files = f"--tls-ca-file {own}/ca.pem --tls-cert {own}/{role}.pem --tls-key {own}/{role}.key".split()
        with (self.folder / f"{role}.log").open("ab") as log:
            return subprocess.Popen(
                [str(DASK), role, *words, "--dashboard-address", "127.0.0.1:0", *files],
                cwd=self.folder, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    def _address(self) -> str:
        file = self.folder / "scheduler.json"
        found: list[str] = []

        def is_written() -> bool:
            with contextlib.suppress(OSError, ValueError, KeyError):
                found.append(json.loads(file.read_text("utf-8"))["address"])
            return bool(found)

        wait_for(is_written)
        return found[0]


@contextlib.contextmanager
def members(folder: Path, *workers: str) -> Iterator[Members]:
    """A cluster for as long as this lasts. workers: the further options of each."""
    started = Members(folder, *workers)
    try:
        yield started
    finally:
        started.close()


def wait_for(what: Callable[[], object]) -> None:
    """Return when something is so."""
    pause, deadline = threading.Event(), time.monotonic() + SECONDS
    while not what():
        assert time.monotonic() < deadline, "it never came"
        pause.wait(0.01)


def _is_endless(pid: int) -> bool:
    """Whether a process was forked by a zygote, and has computed for long."""
    with contextlib.suppress(OSError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        parent = _words(int(fields[1]))
        return int(fields[11]) > BUSY_TICKS and parent.startswith(sys.executable) and "worker.zygote" in parent
    return False


def _words(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace")
    return ""
