"""What a command took is told of all its processes, and a command that fails is an error."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from benchmarks.processes import CannotRun, Used, family, is_confined_zygote, megabytes, run, spent
from grader.runner.processes import bubblewrap
from grader.runner.processes.zygote import Zygote

BUSY = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass\n"


def zygotes_seen(without: frozenset[str]) -> int:
    """How many processes of a worker that has a child are taken for a zygote."""
    zygote = Zygote(without)
    try:
        zygote.hello()
        process, channel = zygote.spawn()
        # Only its own family: in this process other tests may have zygotes too.
        found = sum(is_confined_zygote(pid) for pid in family(zygote._process.pid))
        channel.close()
        zygote.end(process)
        return found
    finally:
        zygote.close()


def test_the_cpu_time_of_a_child_is_the_commands_too() -> None:
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BUSY!r}], check=True)"

    assert run([sys.executable, "-c", child]).cpu >= 0.3


@pytest.mark.long
def test_memory_is_that_of_all_processes() -> None:
    # Longer than the pause between two looks.
    held = f"held = b'x' * (64 << 20)\n{BUSY.replace('0.3', '0.8')}"
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {held!r}], check=True)"

    assert run([sys.executable, "-c", child], memory=True).peak_mb > 64


def test_a_command_that_fails_is_an_error_with_its_last_words() -> None:
    with pytest.raises(CannotRun, match="no such day"):
        run([sys.executable, "-c", "raise SystemExit('no such day')"])


def test_whoever_stops_waiting_for_a_command_leaves_nobody_looking_at_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "wait4", stopped)
    before = threading.active_count()

    with pytest.raises(KeyboardInterrupt):
        run([sys.executable, "-c", ""])

    assert threading.active_count() == before


def test_an_exit_code_that_is_a_result_is_none() -> None:
    assert run([sys.executable, "-c", "print('so far'); raise SystemExit(1)"], codes=(0, 1)).output == "so far\n"


@pytest.mark.skipif(bubblewrap.missing() != "", reason=f"bubblewrap: {bubblewrap.missing()}")
@pytest.mark.long
def test_a_zygote_is_told_from_bubblewrap_and_from_its_children() -> None:
    assert zygotes_seen(frozenset()) == 1


@pytest.mark.long
def test_a_zygote_that_is_waited_for_is_a_process_like_any_other() -> None:
    """Its CPU time is the kernel's to tell: to count it as last seen too would be to count it twice."""
    assert zygotes_seen(frozenset({"bubblewrap"})) == 0


def test_a_process_belongs_to_its_own_family_and_takes_memory_and_time() -> None:
    own = os.getpid()

    assert own in family(own)
    assert megabytes([own]) > 1
    assert spent(own) is not None
    assert spent(2**22 + 1) is None


def test_memory_is_told_for_a_part_of_the_way() -> None:
    used = Used(1.0, 1.0, 9.0, 0, "", [(1, 5.0), (2, 7.0), (9, 9.0)])

    assert used.memory_between(1, 2) == 6.0
    assert used.memory_between(20, 30) == 7.0
