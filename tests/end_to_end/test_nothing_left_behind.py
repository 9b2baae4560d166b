"""However a run ends, no process and no file of it is left."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.command import GRADE

from ..runner.processes.looking import descendants, has_ended, watched
from .submissions import EX01, ROOT, edited

ENDINGS = {
    "Ctrl-C": signal.SIGINT,
    "SIGINT": signal.SIGINT,
    "SIGTERM": signal.SIGTERM,
    "SIGKILL": signal.SIGKILL,
    "SIGHUP": signal.SIGHUP,
}
INSIDE, WITHOUT = "inside bubblewrap", "without bubblewrap"
AROUND = {INSIDE: (), WITHOUT: ("--without-layer", "bubblewrap")}
# SIGINT is as Ctrl-C without the other processes, and SIGHUP as SIGTERM, which is sent below where there is a terminal.
# Of SIGKILL nobody is told, and without bubblewrap nothing ends the worker but itself.
EVERY_TIME = {("Ctrl-C", INSIDE), ("SIGKILL", WITHOUT)}
# Of a processor's time: a child that has used so much is in the endless loop.
BUSY_TICKS = os.sysconf("SC_CLK_TCK") // 5
pytestmark = pytest.mark.no_cover
SECONDS = 60.0
# What a terminal is told of its cursor.
HIDDEN, SHOWN = b"\x1b[?25l", b"\x1b[?25h"


@pytest.fixture
def endless(folder_of: Callable[..., Path]) -> Path:
    """A submission that is never done."""
    return folder_of({EX01: edited(EX01, ("scores = inputs @ query", "while True: pass"))})


@pytest.fixture
def temporary(tmp_path: Path) -> Iterator[Path]:
    """Where the grader's own files go."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    yield folder


@pytest.mark.parametrize(
    ("ending", "around"),
    [
        pytest.param(ending, around, marks=[] if (ending, around) in EVERY_TIME else [pytest.mark.long])
        for ending in ENDINGS
        for around in AROUND
    ],
)
def test_an_end_in_the_middle_leaves_nothing_behind(ending: str, around: str, endless: Path, temporary: Path) -> None:
    command = [GRADE, "run", endless, "--timeout", "90", "--device", "cpu", *AROUND[around]]
    environment = {name: value for name, value in os.environ.items() if name != "CI"} | {"TMPDIR": str(temporary)}
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    wait_until_busy(process.pid)
    handles = watched(process.pid)

    if ending == "Ctrl-C":  # a terminal sends it to everybody
        os.killpg(process.pid, ENDINGS[ending])
    else:
        process.send_signal(ENDINGS[ending])
    _, errors = process.communicate(timeout=60)

    assert len(handles) >= 2
    assert all(has_ended(handle) for handle in handles)
    assert process.returncode in (130, -ENDINGS[ending])
    assert errors.strip() == (b"grade: Interrupted." if process.returncode == 130 else b"")
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("command", ["run", pytest.param("batch", marks=pytest.mark.long)])
def test_an_end_in_the_middle_gives_a_terminal_its_cursor_back(command: str, endless: Path, tmp_path: Path) -> None:
    more = ["--out", tmp_path / "out", "--allow-unsandboxed"] if command == "batch" else []
    leader, follower = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color"}
    words = [GRADE, command, endless, "--timeout", "90", "--device", "cpu", *more]
    process = subprocess.Popen(words, cwd=ROOT, env=environment, stdin=follower, stdout=follower, stderr=follower)
    os.close(follower)
    seen = b""
    while HIDDEN not in seen:
        assert select.select([leader], [], [], SECONDS)[0], seen
        seen += os.read(leader, 4096)

    process.terminate()
    with contextlib.suppress(OSError):  # nobody has the other end any more
        while True:
            seen += os.read(leader, 4096)
    os.close(leader)

    assert process.wait(SECONDS) == 130
    assert seen.rindex(SHOWN) > seen.rindex(HIDDEN)
    assert b"grade: Interrupted." in seen


def wait_until_busy(pid: int) -> None:
    """Return when a process that the worker forked has computed for a while."""
    pause, deadline = threading.Event(), time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        for descendant in descendants(pid)[1:]:  # the first is the worker, or bubblewrap around it
            with contextlib.suppress(OSError):
                fields = Path(f"/proc/{descendant}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
                worked, parent = int(fields[11]), Path(f"/proc/{fields[1]}/cmdline").read_text("utf-8", "replace")
                if worked > BUSY_TICKS and parent.startswith(sys.executable):
                    return
        pause.wait(0.1)  # to look through every process of a machine costs more than to wait
    raise AssertionError("nothing was ever graded")
