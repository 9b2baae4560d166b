"""bubblewrap: the zygote in namespaces of its own, with a file system that holds the Python installation and no more.

Own users, processes, network and IPC; a scratch folder of limited size in memory; everything else read-only or absent.
When the parent ends, or the zygote, the kernel ends every process inside. https://github.com/containers/bubblewrap
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

from grader.model.installation import readable_paths

NAME = "bubblewrap"
SCRATCH = "/tmp"
SCRATCH_BYTES = 256 << 20
# All of this package that runs beside student code.
WORKER_PARTS = ("__init__.py", "model", "wire", "worker")
NAMESPACES = ("user", "pid", "net", "ipc", "uts")


def missing() -> str:
    """Why bubblewrap cannot be tried here, and what to do; nothing where it can."""
    if sys.platform != "linux":
        return "Linux only"
    if shutil.which("bwrap") is None:
        return "not installed: `apt-get install bubblewrap`, or your distribution's package of that name"
    return ""


@cache
def command(import_root: Path) -> tuple[str, ...]:
    """The words to put before a Python command line, so that it starts inside. import_root: holds `grader`."""
    # By its path: where a program lies is not looked up in this process's PATH when it gets another environment.
    words = [shutil.which("bwrap") or "bwrap", *(f"--unshare-{namespace}" for namespace in NAMESPACES)]
    words += ["--unshare-cgroup-try"]
    words += ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev"]
    words += ["--ro-bind-try", "/proc/sys", "/proc/sys"]  # root may write there, whatever its namespace
    words += ["--size", str(SCRATCH_BYTES)] if _can_limit_size() else []
    words += ["--tmpfs", SCRATCH]
    for path in _visible(import_root):
        words += ["--ro-bind-try", path, path]
    for path in (nodes := _gpu()):
        words += ["--dev-bind-try", path, path]
    words += ["--ro-bind-try", "/sys", "/sys"] if nodes else []
    return (*words, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", SCRATCH, "--")


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill it and what it started: in its first moments the process inside would survive it, and wait for ever."""
    with contextlib.suppress(OSError):
        process.send_signal(signal.SIGSTOP)  # so that it starts nothing between the look and the end
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        started = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("ascii")
        for pid in started.split():
            os.kill(int(pid), signal.SIGKILL)
    with contextlib.suppress(OSError):
        process.kill()


def _visible(import_root: Path) -> list[str]:
    """Folders before what lies in them."""
    own = [str(import_root / "grader" / part) for part in WORKER_PARTS]
    return sorted([*readable_paths(), sys.executable, f"{sys.prefix}/pyvenv.cfg", *own])


def _gpu() -> list[str]:
    return sorted(str(node) for node in Path("/dev").glob("nvidia*"))


def _can_limit_size() -> bool:
    """Whether this bubblewrap is 0.7 or newer."""
    helped = subprocess.run(["bwrap", "--help"], capture_output=True, text=True, check=False)
    return "--size" in helped.stdout + helped.stderr
