"""What confinement costs: a confined child beside a bare fork, both from the same zygote, taken in turn in one run.

A run is everything from asking for a child to its first answer and its end. The bare fork does the same and puts on no
layer. The zygote's own start is paid once and stands beside them.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Mapping

import numpy as np

from grader.model.isolation import LAYERS, lacking
from grader.model.run import Call, Run, Tensor
from grader.runner.processes.child import Child
from grader.runner.processes.zygote import Zygote

ROUNDS = 300
ALLOWED_MEDIAN_MILLISECONDS = 8.0
MODULE = "ex03_context_vectors"
SOURCE = b"import torch\ndef context_vectors(x): return torch.softmax(x @ x.T, -1) @ x\n"
RUN = Run(
    (Call("result", module=MODULE, definition="context_vectors", arguments=(Tensor("x"),)),),
    {"x": np.ones((6, 3), np.float32)},
)
OPENING = {"device": "cpu", "dtype": "float32", "seed": 0}


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
    (seen,) = child.ask_each([RUN], 10.0)
    assert seen.fault is None, seen
    assert bool(lacking(child.isolation)) is isinstance(spawner, Bare), child.isolation
    child.kill()
    return 1000 * (time.perf_counter() - started)


def main() -> None:
    """Measure, print a line for people and one for machines, and fail where the bound is broken."""
    started = time.perf_counter()
    zygote = Zygote()
    zygote.hello()
    start = time.perf_counter() - started
    try:
        bare = Bare(zygote)
        for _ in range(10):
            milliseconds(zygote), milliseconds(bare)
        pairs = [(milliseconds(zygote), milliseconds(bare)) for _ in range(ROUNDS)]
    finally:
        zygote.close()
    figures: Mapping[str, dict[str, float]] = {
        name: {
            "median": round(statistics.median(times), 2),
            "p90": round(statistics.quantiles(times, n=10)[-1], 2),
        }
        for name, times in zip(("confined", "bare"), map(list, zip(*pairs, strict=True)), strict=True)
    }
    more = figures["confined"]["median"] - figures["bare"]["median"]
    print(
        f"confined {figures['confined']['median']} ms (p90 {figures['confined']['p90']}), "
        f"bare {figures['bare']['median']} ms (p90 {figures['bare']['p90']}): {more:.2f} ms more; "
        f"the zygote's start, once, {start:.2f} s"
    )
    result = {**figures, "more": round(more, 2), "allowed_more": ALLOWED_MEDIAN_MILLISECONDS, "rounds": ROUNDS}
    print(json.dumps({**result, "zygote_start_seconds": round(start, 2)}))
    if more > ALLOWED_MEDIAN_MILLISECONDS:
        sys.exit(f"more than {ALLOWED_MEDIAN_MILLISECONDS} ms")


if __name__ == "__main__":
    main()
