"""`grade run` on submissions that mean harm without end: each run ends in time, says what was, and leaves nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.attacks.grounds import left_over, own_workers
from tests.sampling import every_time

from .submissions import EX01, REFERENCE

# Graded in passing: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

Folder = Callable[[Mapping[str, str]], Path]
# What never ends takes all of its limit; what only takes long has time enough on a loaded machine.
SHORT, LONG = 1, 30
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
# Of processes and of time; what takes all the memory is among the attacks that are tried every time.
EVERY_TIME = ("forks without end", "leaves a daemon")


@pytest.mark.parametrize("harm", every_time(EVERY_TIME, HARM))
def test_a_hostile_run_ends_in_time_and_leaves_the_machine_as_it_was(
    harm: str, folder_of: Folder, report_of: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    source, statuses = HARM[harm]
    folder = folder_of({EX01: source + RIGHT})
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    seconds = SHORT if statuses == {"timeout"} else LONG  # the others end by themselves, on a busy machine later
    before = own_workers()
    started = time.monotonic()

    report = report_of(folder, "--exercise", "ex01", "--timeout", str(seconds), TMPDIR=str(scratch))

    steps = report["exercises"][0]["steps"]
    assert {step["status"] for step in steps} <= statuses
    assert time.monotonic() - started < 90
    assert list(scratch.iterdir()) == []
    assert left_over(before) == set()


def test_an_honest_run_has_full_marks(folder_of: Folder, report_of: Callable[..., dict[str, Any]]) -> None:
    folder = folder_of({EX01: "def harm():\n    pass\n" + RIGHT})

    report = report_of(folder, "--exercise", "ex01")

    assert report["score"] == report["max_score"]
    assert EX01 in REFERENCE
