"""`grade run` on submissions that mean harm without end: each run ends in time, says what was, and leaves nothing."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.model.isolation import lacking

from .submissions import EX01, REFERENCE

Folder = Callable[[Mapping[str, str]], Path]
SECONDS = 3
# Both of the exercise's functions, each doing harm before it answers rightly.
RIGHT = """

def attention_scores_for_query(query, inputs):
    harm()
    return inputs @ query


def attention_scores(inputs):
    harm()
    return inputs @ inputs.T
"""
HARM = {
    "prints 500 MB": (
        "def harm():\n    for _ in range(500):\n        print('x' * 1_000_000)\n",
        {"passed"},
    ),
    "writes 500 MB to its descriptors": (
        "import os\ndef harm():\n    for fd in (1, 2) * 250:\n        os.write(fd, bytes(10**6))\n",
        {"passed"},
    ),
    "allocates without end": (
        "import torch\nkept = []\ndef harm():\n    while True:\n        kept.append(torch.ones(2**24))\n",
        {"error", "crashed"},
    ),
    "forks without end": ("import os\ndef harm():\n    while True:\n        os.fork()\n", {"error"}),
    "leaves a daemon": (
        "import os, time\ndef harm():\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(600)\n",
        {"error"},
    ),
    "stops its parent": ("import os, signal\ndef harm():\n    os.kill(os.getppid(), signal.SIGSTOP)\n", {"error"}),
    "never ends": (
        "def harm():\n    while True:\n        try:\n            pass\n        except:\n            pass\n",
        {"timeout"},
    ),
}  # fmt: skip


def workers() -> set[str]:
    """Processes that a grader started."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if b"grader.worker" in command and str(os.getpid()).encode() not in command:
            found.add(folder.name)
    return found


@pytest.mark.parametrize("harm", HARM)
def test_a_hostile_run_ends_in_time_and_leaves_the_machine_as_it_was(
    harm: str, folder_of: Folder, report_of: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    source, statuses = HARM[harm]
    folder = folder_of({EX01: source + RIGHT})
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    started = time.monotonic()

    report = report_of(folder, "--exercise", "ex01", "--timeout", str(SECONDS), TMPDIR=str(scratch))

    steps = report["exercises"][0]["steps"]
    assert {step["status"] for step in steps} <= statuses
    assert time.monotonic() - started < 60
    assert list(scratch.iterdir()) == []
    assert tempfile.gettempdir() != str(scratch)
    if not lacking(report["environment"]["isolation"]):
        assert not [pid for pid in workers() if _works_in(pid, scratch)]


def test_an_honest_run_has_full_marks(folder_of: Folder, report_of: Callable[..., dict[str, Any]]) -> None:
    folder = folder_of({EX01: "def harm():\n    pass\n" + RIGHT})

    report = report_of(folder, "--exercise", "ex01")

    assert report["score"] == report["max_score"]
    assert EX01 in REFERENCE


def _works_in(pid: str, folder: Path) -> bool:
    """Whether a process was started for a run whose scratch folder was this one."""
    try:
        return str(folder).encode() in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
