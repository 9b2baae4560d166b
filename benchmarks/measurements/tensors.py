"""One submission that is given a tensor of up to 64 MB, and that gives back its product with a vector."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from benchmarks.larger import Kit, enlarge
from benchmarks.scale import Scale

EXERCISE, CASE = "ex01", "query"
WIDTH, ITEM_BYTES = 1024, 4


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """For each size what `grade run` of that exercise takes, start included. megabytes: of the tensor in float32."""
    rows = []
    for megabytes in scale.megabytes:
        tokens = megabytes * 2**20 // (WIDTH * ITEM_BYTES)
        kit = Kit(there / f"kit-{megabytes}", enlarge(EXERCISE, CASE, {"query": [WIDTH], "inputs": [tokens, WIDTH]}))
        words = ["run", "solutions/reference", "--exercise", EXERCISE, "--seed", "1", "--device", "cpu"]
        used = kit.grade(*words)
        looked = kit.grade(*words, memory=True)
        rows.append({"megabytes": megabytes, "seconds": used.seconds, "cpu": used.cpu, "peak_mb": looked.peak_mb,
                     "build_seconds": kit.built.seconds})  # fmt: skip
        shutil.rmtree(kit.folder)
    return {"rows": rows, "exercise": EXERCISE}
