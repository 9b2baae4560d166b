"""A class on a Dask cluster on this machine, with 1, 2 and 4 worker processes that speak TLS, beside as many jobs.

Every result must be the one that this machine gives without a cluster.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from benchmarks import grading
from benchmarks.classroom import OF_HONEST, classroom
from benchmarks.scale import Scale
from tests.runner.cluster.members import members

WORKERS = (1, 2, 4)


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """Seconds of whole batches. Local ones start their own workers; the cluster's import torch for the first batch.

    Raises RuntimeError where results differ.
    """
    honest = classroom(there / "class", scale.cluster, shares=OF_HONEST).folder
    rows = []
    known: dict[str, str] = {}
    for count in WORKERS:
        here = grading.batch(honest, there / "here", "--jobs", str(count))
        known = known or reports(there / "here")
        with members(there / f"cluster-{count}", *[""] * count) as cluster:
            first = grading.batch(honest, there / "first", *cluster.options)
            again = grading.batch(honest, there / "again", *cluster.options)
        if not known == reports(there / "here") == reports(there / "first") == reports(there / "again"):
            raise RuntimeError(f"{count} workers: the results are not the same")
        rows.append({
            "workers": count, "local_seconds": here.seconds, "first_seconds": first.seconds,
            "warm_seconds": again.seconds, "per_second": scale.cluster / again.seconds,
        })  # fmt: skip
    return {"submissions": scale.cluster, "rows": rows}


def reports(out: Path) -> dict[str, str]:
    """Every report's text, without its time."""
    files = (out / "results").glob("*.json")
    return {file.stem: re.sub(r'"seconds": [0-9.e-]+', "", file.read_text("utf-8")) for file in files}
