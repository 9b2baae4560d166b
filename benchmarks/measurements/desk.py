"""From a save to the verdict: `grade watch`, warm, beside each other tool run again for the same exercise.

A real desk in a process of its own; right and wrong files are saved in turn, and the clock runs from before the file is
written to the last line of the page. The other tools run in between, on the same machine at the same time.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.classroom import FIRST_ATTEMPT
from benchmarks.grading import GRADE, REFERENCE, environment
from benchmarks.peers.tools import ISOLATED
from benchmarks.processes import CannotRun
from benchmarks.scale import Scale

EXERCISE = "ex10_causal_attention"
PAGE_ENDS = "q quit"
# So often each other tool is run again in a round of saves.
RERUNS = 3


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """Medians in seconds."""
    folder = there / "desk"
    folder.mkdir()
    shutil.copy(FIRST_ATTEMPT / f"{EXERCISE}.py", folder)
    saves: list[float] = []
    others: dict[str, list[float]] = {tool.name: [] for tool in ISOLATED}
    with watching(folder) as desk:
        for number in range(scale.saves):
            saves.append(_save_to_verdict(desk, folder, number))
            if number % max(1, scale.saves // RERUNS) == 0:
                for tool in ISOLATED:
                    (scratch := there / tool.name).mkdir(exist_ok=True)
                    used = tool.grade(folder, scratch, EXERCISE[:4]).used
                    others[tool.name].append(used.seconds)
    median = statistics.median(saves)
    tools = {name: statistics.median(seconds) for name, seconds in others.items()}
    return {
        "exercise": EXERCISE,
        "saves": scale.saves,
        "median_seconds": median,
        "p95_seconds": statistics.quantiles(saves, n=20)[-1],
        "tools": {name: {"seconds": seconds, "ratio": seconds / median} for name, seconds in tools.items()},
    }


@contextmanager
def watching(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A desk at the exercise, with its first page shown."""
    command = [str(GRADE), "watch", str(folder), "--exercise", EXERCISE]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=environment()
    ) as desk:
        try:
            _until_page(desk)
            yield desk
        finally:  # it outlives its input
            desk.terminate()


def _until_page(desk: subprocess.Popen[str]) -> str:
    """Read up to the end of a page. Raises CannotRun where none comes."""
    assert desk.stdout is not None
    read = []
    for line in desk.stdout:
        read.append(line)
        if PAGE_ENDS in line:
            return "".join(read)
    raise CannotRun(f"the desk ended:\n{''.join(read)}")


def _save_to_verdict(desk: subprocess.Popen[str], folder: Path, number: int) -> float:
    """Seconds from a save to the end of the page that it leads to. Raises CannotRun for another verdict than is due."""
    is_right = number % 2 == 0
    source = ((REFERENCE if is_right else FIRST_ATTEMPT) / f"{EXERCISE}.py").read_text("utf-8")
    started = time.perf_counter()
    (folder / f"{EXERCISE}.py").write_text(f"{source}\n# save {number}\n", "utf-8")
    page = _until_page(desk)
    seconds = time.perf_counter() - started
    if ("passed: " in page) != is_right:
        raise CannotRun(page)
    return seconds
