"""`grade run` from nothing to a printed result, beside `import torch`: whole processes, in turn.

Whatever else the machine does falls on both alike; the ratio of each pair counts, and the seconds only say how it came
about.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from typing import Any

from benchmarks.grading import GRADE, REFERENCE, environment, profiled
from benchmarks.processes import Used, run
from benchmarks.scale import Scale

IMPORT = [sys.executable, "-c", "import torch"]
RUN = [GRADE, "run", REFERENCE, "--seed", "1", "--device", "cpu"]


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """Medians. peak_mb: of all processes, in a run of its own, since looking costs time."""
    for command in (IMPORT, RUN):  # fills the page cache
        _run(command)
    pairs = [(_run(IMPORT), _run(RUN)) for _ in range(scale.rounds)]
    file = there / "profile.json"
    _run([*RUN, "--profile", file])
    return {
        "import_torch_seconds": statistics.median(floor.seconds for floor, _ in pairs),
        "grade_run_seconds": statistics.median(whole.seconds for _, whole in pairs),
        "grade_run_cpu": statistics.median(whole.cpu for _, whole in pairs),
        "ratio": statistics.median(whole.seconds / floor.seconds for floor, whole in pairs),
        "ratios": [round(whole.seconds / floor.seconds, 3) for floor, whole in pairs],
        "peak_mb": _run(RUN, memory=True).peak_mb,
        "rounds": scale.rounds,
        "profile": profiled(file),
    }


def _run(command: list[Any], *, memory: bool = False) -> Used:
    return run(command, environment=environment(), memory=memory)
