"""What nothing can be quicker than: importing torch, and a bare fork that makes the calls and judges nothing.

Two processes that fork at once show what a second job can bring: cores that share their parts are not two of one.
"""

from __future__ import annotations

import json
import statistics
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.grading import REFERENCE, ROOT, environment
from benchmarks.processes import run
from benchmarks.scale import Scale

SINGLE = environment(OMP_NUM_THREADS="1")


def forked(forks: int) -> dict[str, Any]:
    """What one process says of so many forks. Raises CannotRun."""
    command = [sys.executable, "-m", "benchmarks.bare", str(forks), REFERENCE]
    told: dict[str, Any] = json.loads(run(command, environment=SINGLE, folder=ROOT).output)
    return told


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """Medians in seconds. fork: of one submission, without the start. both: the same while another process forks."""
    command = [sys.executable, "-c", "import torch"]
    imports = [run(command, environment=SINGLE) for _ in range(scale.rounds + 1)][1:]
    bare, both = [], []
    with ThreadPoolExecutor(2) as pool:
        for _ in range(3):
            bare.append(forked(scale.forks))
            both += pool.map(forked, [scale.forks] * 2)
    return {
        "import_torch_seconds": statistics.median(used.seconds for used in imports),
        "import_torch_cpu": statistics.median(used.cpu for used in imports),
        "runs": bare[0]["runs"],
        "fork_seconds": statistics.median(each["seconds"] for each in bare),
        "fork_cpu": statistics.median(each["cpu"] for each in bare),
        "both_seconds": statistics.median(each["seconds"] for each in both),
        "forks": scale.forks,
    }
