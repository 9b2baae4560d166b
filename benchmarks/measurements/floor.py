"""What nothing can be quicker than: importing torch, and a bare fork that makes the calls and judges nothing."""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path
from typing import Any

from benchmarks.grading import REFERENCE, ROOT, environment
from benchmarks.processes import run
from benchmarks.scale import Scale


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """Medians in seconds. fork: of one submission, without the start."""
    single = environment(OMP_NUM_THREADS="1")
    imports = [run([sys.executable, "-c", "import torch"], environment=single) for _ in range(scale.rounds + 1)][1:]
    command = [sys.executable, "-m", "benchmarks.bare", str(scale.forks), REFERENCE]
    bare = [json.loads(run(command, environment=single, folder=ROOT).output) for _ in range(3)]
    return {
        "import_torch_seconds": statistics.median(used.seconds for used in imports),
        "import_torch_cpu": statistics.median(used.cpu for used in imports),
        "runs": bare[0]["runs"],
        "fork_seconds": statistics.median(each["seconds"] for each in bare),
        "fork_cpu": statistics.median(each["cpu"] for each in bare),
        "forks": scale.forks,
    }
