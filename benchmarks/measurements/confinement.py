"""What confinement costs: a confined child beside a bare fork, both from the same zygote, taken in turn in one run.

A run is everything from asking for a child to its first answer and its end. The bare fork does the same and puts on no
layer. The zygote's own start is paid once and stands beside them.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.scale import Scale
from grader.model.isolation import LAYERS, lacking
from grader.model.run import Call, Run, Tensor
from grader.runner.processes.child import Child
from grader.runner.processes.zygote import Zygote

MODULE = "ex03_context_vectors"
SOURCE = b"import torch\ndef context_vectors(x): return torch.softmax(x @ x.T, -1) @ x\n"
RUN = Run(
    (Call("result", module=MODULE, definition="context_vectors", arguments=(Tensor("x"),)),),
    {"x": np.ones((6, 3), np.float32)},
)
OPENING = {"device": "cpu", "dtype": "float32", "seed": 0, "helpers": [], "stand_ins": [], "exercise": ""}


class Bare:
    """The zygote, its children without any layer of their own."""

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote

    def __getattr__(self, name: str) -> object:
        return frozenset(LAYERS) if name == "without" else getattr(self._zygote, name)


def milliseconds(spawner: Zygote | Bare) -> float:
    """One whole run. Raises where it is not answered."""
    started = time.perf_counter()
    child = Child(spawner, OPENING, {MODULE: SOURCE})  # type: ignore[arg-type]
    (seen,) = child.ask_each([RUN], 10.0, lambda _: False)
    assert seen.fault is None, seen
    assert bool(lacking(child.isolation())) is isinstance(spawner, Bare), child.isolation()
    child.kill()
    return 1000 * (time.perf_counter() - started)


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """Medians of milliseconds, and the zygote's start, which is paid once."""
    started = time.perf_counter()
    zygote = Zygote()
    try:
        zygote.hello()
        start = time.perf_counter() - started
        bare = Bare(zygote)
        for _ in range(3):
            milliseconds(zygote), milliseconds(bare)
        pairs = [(milliseconds(zygote), milliseconds(bare)) for _ in range(3 * scale.forks)]
    finally:
        zygote.close()
    confined, plain = (statistics.median(times) for times in zip(*pairs, strict=True))
    return {
        "confined_ms": confined, "bare_ms": plain, "more_ms": confined - plain, "rounds": len(pairs),
        "zygote_start_seconds": start,
    }  # fmt: skip
