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
DRIVER = "libcuda.so.1"
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
    if nodes := gpus():
        for path in nodes:
            words += ["--dev-bind-try", path, path]
        for path in ("/sys", *_driver()):
            words += ["--ro-bind-try", path, path]
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


def gpus() -> list[str]:
    """What leads to this machine's GPUs; nothing where there is none, or no driver of it."""
    return sorted(str(node) for node in Path("/dev").glob("nvidia*"))


def _visible(import_root: Path) -> list[str]:
    """Folders before what lies in them."""
    own = [str(import_root / "grader" / part) for part in WORKER_PARTS]
    return sorted([*readable_paths(), sys.executable, f"{sys.prefix}/pyvenv.cfg", *own])


def _driver() -> list[str]:
    """The folders of a GPU's driver, which comes with the machine, not with torch, and may lie anywhere on it."""
    listed = [line.rpartition(" => ")[2] for line in _linked().splitlines() if DRIVER in line]
    told = [f"{folder}/{DRIVER}" for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":")]
    found = [path for path in map(Path, (*listed, *told)) if path.is_absolute() and path.exists()]
    return sorted({str(folder) for path in found for folder in (path.parent, path.resolve().parent)})


def _linked() -> str:
    """What the dynamic linker knows: https://man7.org/linux/man-pages/man8/ldconfig.8.html"""
    tool = shutil.which("ldconfig") or shutil.which("ldconfig", path="/usr/sbin:/sbin")
    return subprocess.run([tool, "-p"], capture_output=True, text=True, check=False).stdout if tool else ""


def _can_limit_size() -> bool:
    """Whether this bubblewrap is 0.7 or newer."""
    helped = subprocess.run(["bwrap", "--help"], capture_output=True, text=True, check=False)
    return "--size" in helped.stdout + helped.stderr
