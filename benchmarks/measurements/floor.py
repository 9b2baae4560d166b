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


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """Medians in seconds. fork: of one submission, without the start. both: the same while another process forks."""
    single = environment(OMP_NUM_THREADS="1")
    imports = [run([sys.executable, "-c", "import torch"], environment=single) for _ in range(scale.rounds + 1)][1:]
    command = [sys.executable, "-m", "benchmarks.bare", str(scale.forks), REFERENCE]

    def forked(_: int) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(run(command, environment=single, folder=ROOT).output)
        return told

    bare, both = [], []
    with ThreadPoolExecutor(2) as pool:
        for turn in range(3):
            bare.append(forked(turn))
            both += pool.map(forked, range(2))
    return {
        "import_torch_seconds": statistics.median(used.seconds for used in imports),
        "import_torch_cpu": statistics.median(used.cpu for used in imports),
        "runs": bare[0]["runs"],
        "fork_seconds": statistics.median(each["seconds"] for each in bare),
        "fork_cpu": statistics.median(each["cpu"] for each in bare),
        "both_seconds": statistics.median(each["seconds"] for each in both),
        "forks": scale.forks,
    }
